// tests/unit/runtime/vectorize/run_vectorize_on_cpu_test.cpp: the division of calls into runs: each element is computed
// once, none beyond the end, and scalars are repeated.
#include "vectorize/run_vectorize.hpp"

#include "test_kernels.hpp"

#include <foldwise/detail/vectorize.hpp>
#include <foldwise/operand.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace foldwise;
using namespace test_kernels;

static constexpr float untouched = -12345;

static std::vector<float> counted(std::size_t n, float from) {
    std::vector<float> v(n);
    std::iota(v.begin(), v.end(), from);
    return v;
}

/// Checks out = 2 x - y for every position of scalars, with guards on both sides of the output.
static void check_mix(std::size_t n, bool x_is_scalar, bool y_is_scalar) {
    const std::vector<float> x = counted(n, 1), y = counted(n, 7);
    std::vector<float> out(n + 2, untouched);
    const operand<const float> first = x_is_scalar ? operand<const float>(3) : operand<const float>(x);
    const operand<const float> second = y_is_scalar ? operand<const float>(5) : operand<const float>(y);
    const operand<float> target = std::span(out).subspan(1, n);
    detail::vectorize(mix_on_cpu, {first.ref(), second.ref()}, {target.ref()}, cpu());
    EXPECT_EQ(out.front(), untouched);
    EXPECT_EQ(out.back(), untouched);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i)
        wrong += out[i + 1] != mix_value(x_is_scalar ? 3 : x[i], y_is_scalar ? 5 : y[i]);
    EXPECT_EQ(wrong, 0u) << n << " elements, scalars " << x_is_scalar << y_is_scalar;
}

TEST(RunOnCpu, ComputesEveryElementAndNoOther) {
    for (std::size_t n :
         {0u, 1u, 31u, 32u, 33u, 63u, 64u, 65u, 1023u, 1024u, 1025u, 32767u, 32768u, 32769u, 65537u, 100003u}) {
        for (bool x : {false, true}) {
            for (bool y : {false, true}) check_mix(n, x, y);
        }
    }
}

static std::vector<std::pair<const float*, std::int64_t>> runs_of(std::size_t n, bool scalar, const float*& start) {
    static std::vector<float> x, out;
    x.assign(n, 1);
    out.assign(n, 0);
    start = out.data();
    runs().runs.clear();
    const operand<const float> y = scalar ? operand<const float>(5) : operand<const float>(x);
    detail::vectorize(mix_on_cpu, {operand<const float>(x).ref(), y.ref()}, {operand<float>(out).ref()}, cpu());
    std::sort(runs().runs.begin(), runs().runs.end());
    return runs().runs;
}

TEST(RunOnCpu, RunsTileTheCall) {
    for (std::size_t n : {33u, 40000u, 100003u}) {
        for (bool scalar : {false, true}) {
            const float* next = nullptr;
            for (const auto& [start, count] : runs_of(n, scalar, next)) {
                EXPECT_EQ(start, next);
                EXPECT_GT(count, 0);
                if (scalar) {
                    EXPECT_LE(count, 1024);
                }
                next += count;
            }
            const float* first = nullptr;
            runs_of(n, scalar, first);
            EXPECT_EQ(next - first, static_cast<std::ptrdiff_t>(n));
        }
    }
}

TEST(RunOnCpu, SmallCallsAreOneRunAndLargeOnesStartAtMultiplesOf64) {
    const float* first = nullptr;
    EXPECT_EQ(runs_of(1000, false, first).size(), 1u);
    for (const auto& [start, count] : runs_of(1000003, false, first)) EXPECT_EQ((start - first) % 64, 0);
}

static void slow_cpu(void* const* operands, std::int64_t count) {
    mix_cpu(operands, count);
    std::this_thread::sleep_for(std::chrono::microseconds(10 * count));
}

TEST(RunOnCpu, FewElementsAreSplitWhenTheyAreKnownToTakeLong) {
    static constexpr vectorize_kernel slow{"test::slow", mix_operands, 2, 1, slow_cpu, nullptr, nullptr};
    static constexpr vectorize_kernel other{"test::other", mix_operands, 2, 1, slow_cpu, nullptr, nullptr};
    const auto runs_of_call = [](const vectorize_kernel& kernel, std::size_t n) {
        const std::vector<float> x(n);
        std::vector<float> out(n);
        runs().runs.clear();
        detail::vectorize(kernel, {operand<const float>(x).ref(), operand<const float>(x).ref()},
                          {operand<float>(out).ref()}, cpu());
        return runs().runs.size();
    };
    if (runs_of_call(other, 2048) == 1) GTEST_SKIP() << "one thread";
    EXPECT_EQ(runs_of_call(slow, 128), 1u);
    EXPECT_EQ(runs_of_call(slow, 128), 2u);
}

// Scalars that are too large to be repeated on the stack.
struct large {
    std::array<std::int32_t, 500> values;
};
static void pick_cpu(void* const* operands, std::int64_t count) {
    const auto* table = static_cast<const large*>(operands[0]);
    const auto* at = static_cast<const std::int32_t*>(operands[1]);
    auto* out = static_cast<std::int32_t*>(operands[2]);
    for (std::int64_t i = 0; i < count; ++i) out[i] = table[i].values[static_cast<std::size_t>(at[i])];
}

TEST(RunOnCpu, RepeatsLargeStructs) {
    static constexpr detail::operand_info infos[] = {{"table", sizeof(large), 4}, {"at", 4, 4}, {"out", 4, 4}};
    static constexpr vectorize_kernel pick{"test::pick", infos, 2, 1, pick_cpu, nullptr, nullptr};
    large table;
    for (std::size_t i = 0; i < 500; ++i) table.values[i] = static_cast<std::int32_t>(i * i);
    for (std::size_t n : {1u, 63u, 64u, 65u, 500u}) {
        std::vector<std::int32_t> at(n), out(n);
        std::iota(at.begin(), at.end(), 0);
        detail::vectorize(pick, {operand<const large>(table).ref(), operand<const std::int32_t>(at).ref()},
                          {operand<std::int32_t>(out).ref()}, cpu());
        for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(out[i], static_cast<std::int32_t>(i * i));
    }
}

TEST(RunOnCpu, OutputsOfOtherSizesAdvanceByTheirOwn) {
    const std::size_t n = 100003;
    std::vector<std::int32_t> v(n);
    std::iota(v.begin(), v.end(), 0);
    std::vector<std::uint8_t> rest(n);
    std::vector<double> half(n);
    detail::vectorize(split, {operand<const std::int32_t>(v).ref()},
                      {operand<std::uint8_t>(rest).ref(), operand<double>(half).ref()}, cpu());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) wrong += rest[i] != i % 7 || half[i] != static_cast<double>(i) / 2;
    EXPECT_EQ(wrong, 0u);
}

static void throw_at_end(void* const* operands, std::int64_t count) {
    const auto* x = static_cast<const float*>(operands[0]);
    if (x[count - 1] == 100002) throw std::runtime_error("the last one");
}

TEST(RunOnCpu, ExceptionsReachTheCaller) {
    static constexpr vectorize_kernel throwing{"test::throwing", mix_operands, 2, 1, throw_at_end, nullptr, nullptr};
    const std::vector<float> x = counted(100003, 0);
    std::vector<float> out(100003);
    const auto call = [&] {
        detail::vectorize(throwing, {operand<const float>(x).ref(), operand<const float>(x).ref()},
                          {operand<float>(out).ref()}, cpu());
    };
    EXPECT_THROW(call(), std::runtime_error);
}
