// tests/unit/runtime/vectorize/run_strided_on_cpu_test.cpp: kernels get contiguous runs, whatever the strides of
// operands are.
#include "test_kernels.hpp"

#include <foldwise/detail/vectorize.hpp>
#include <foldwise/operand.hpp>
#include <foldwise/spec/index.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <vector>

using namespace foldwise;
using namespace test_kernels;

namespace {

std::vector<float> counted(std::size_t n) {
    std::vector<float> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<float>(i % 1009);
    return v;
}

float& at(const view<float>& window, std::int64_t i, std::int64_t j) {
    return window.data()[i * window.strides()[0] + j * window.strides()[1]];
}

/// out = 2 x - y for two axes, with the output's gaps checked.
void check(const view<float>& x, const view<float>& y, std::vector<float>& memory, const view<float>& out) {
    const std::vector<float> before = memory;
    detail::vectorize(mix_on_cpu, {operand<const float>(x).ref(), operand<const float>(y).ref()},
                      {operand<float>(out).ref()}, cpu());
    std::vector<float> want = before;
    std::size_t wrong = 0;
    for (std::int64_t i = 0; i < out.shape()[0]; ++i) {
        for (std::int64_t j = 0; j < out.shape()[1]; ++j)
            want[static_cast<std::size_t>(&at(out, i, j) - memory.data())] = mix_value(at(x, i, j), at(y, i, j));
    }
    for (std::size_t i = 0; i < memory.size(); ++i) wrong += memory[i] != want[i];
    EXPECT_EQ(wrong, 0u) << to_string(out.shape());
}

}  // namespace

TEST(RunStridedOnCpu, RowsColumnsTransposesAndGaps) {
    for (std::int64_t n : {2, 33, 127, 128, 300}) {
        for (std::int64_t m : {2, 31, 128, 1025, 5000}) {
            std::vector<float> a = counted(static_cast<std::size_t>(n * m)),
                               b = counted(static_cast<std::size_t>(2 * n * m));
            const view<float> x(a.data(), {n, m}), turned(a.data(), {m, n}), wide(b.data(), {n, 2 * m});
            std::vector<float> plain(a.size(), -1), gaps(b.size(), -1);
            const view<float> row(b.data(), detail::strided({n, m}, std::array<std::int64_t, 2>{0, 1}), {});
            const view<float> column(b.data(), detail::strided({n, m}, std::array<std::int64_t, 2>{1, 0}), {});
            const view<float> out(plain.data(), {n, m}),
                every_second = view<float>(gaps.data(), {n, 2 * m}).slice(1, 1, 2 * m, 2);
            check(x, row, plain, out);
            check(column, x, plain, out);
            check(turned.transpose(), wide.slice(1, 0, 2 * m, 2), plain, out);
            check(x, turned.transpose(), gaps, every_second);
            check(x, wide.slice(1, 2 * m - 1, m - 1, -1), plain, out);
            check(x, row, plain, view<float>(plain.data(), {m, n}).transpose());
        }
    }
}

TEST(RunStridedOnCpu, InPlaceWithGaps) {
    std::vector<float> memory = counted(300000);
    const view<float> part = view<float>(memory.data(), {100, 3000}).slice(1, 5, 2900, 3);
    check(part, part, memory, part);
}

static void positions_cpu(void* const* operands, std::int64_t count, const detail::vectorize_position& position) {
    const auto* x = static_cast<const float*>(operands[0]);
    auto* out = static_cast<std::int64_t*>(operands[1]);
    for (std::int64_t i = 0; i < count; ++i) out[i] = position.at<1>(i) * 10 + static_cast<std::int64_t>(x[i]);
}
static void places_cpu(void* const* operands, std::int64_t count, const detail::vectorize_position& position) {
    const auto* x = static_cast<const float*>(operands[0]);
    auto* out = static_cast<std::int64_t*>(operands[1]);
    for (std::int64_t i = 0; i < count; ++i) {
        const foldwise::index<3> at = position.at<3>(i);
        out[i] = ((at[0] * 1000 + at[1]) * 1000 + at[2]) * 10 + static_cast<std::int64_t>(x[i]);
    }
}
static constexpr operand_info position_operands[] = {{"x", 4, 4}, {"out", 8, 8}};
static constexpr vectorize_kernel positions{"test::positions", position_operands, 1, 1, nullptr, nullptr, nullptr, 1,
                                            positions_cpu};
static constexpr vectorize_kernel places{"test::places", position_operands, 1, 1,         nullptr,
                                         nullptr,        nullptr,           3, places_cpu};

static void check_positions(const shape& extents, const view<std::int64_t>& out, bool scalar) {
    std::vector<float> digits(static_cast<std::size_t>(extents[2]), 4);
    const operand<const float> x = scalar ? operand<const float>(4) : operand<const float>(digits);
    for (const vectorize_kernel* kernel : {&positions, &places}) {
        detail::vectorize(*kernel, {x.ref()}, {operand<std::int64_t>(out).ref()}, cpu());
        std::int64_t position = 0;
        std::size_t wrong = 0;
        for (std::int64_t i = 0; i < extents[0]; ++i) {
            for (std::int64_t j = 0; j < extents[1]; ++j) {
                for (std::int64_t k = 0; k < extents[2]; ++k, ++position) {
                    const std::int64_t got =
                        out.data()[i * out.strides()[0] + j * out.strides()[1] + k * out.strides()[2]];
                    const std::int64_t place = (i * 1000 + j) * 1000 + k;
                    wrong += got != (kernel == &places ? place : position) * 10 + 4;
                }
            }
        }
        EXPECT_EQ(wrong, 0u) << to_string(extents) << kernel->name;
    }
}

TEST(RunStridedOnCpu, KernelsKnowWhereTheyAre) {
    std::vector<std::int64_t> memory(400000);
    for (const shape& extents :
         {shape{1, 1, 1}, shape{2, 3, 5}, shape{40, 50, 60}, shape{2, 1, 60000}, shape{500, 400, 1}}) {
        const view<std::int64_t> whole(memory.data(), extents);
        const view<std::int64_t> gaps =
            view<std::int64_t>(memory.data(), {extents[0], extents[1], 2 * extents[2]}).slice(2, 0, 2 * extents[2], 2);
        const view<std::int64_t> turned =
            view<std::int64_t>(memory.data(), {extents[2], extents[1], extents[0]}).transpose();
        for (bool scalar : {false, true}) {
            check_positions(extents, whole, scalar);
            check_positions(extents, gaps, scalar);
            check_positions(extents, turned, scalar);
        }
    }
}

TEST(RunStridedOnCpu, ExceptionsReachTheCaller) {
    static constexpr vectorize_kernel throwing{
        "test::throwing", mix_operands, 2, 1, [](void* const*, std::int64_t) { throw std::runtime_error("no"); },
        nullptr,          nullptr};
    std::vector<float> x(200000), out(100000);
    const auto call = [&] {
        detail::vectorize(throwing,
                          {operand<const float>(view<float>(x.data(), shape{200000}).slice(0, 0, 200000, 2)).ref(),
                           operand<const float>(1).ref()},
                          {operand<float>(out).ref()}, cpu());
    };
    EXPECT_THROW(call(), std::runtime_error);
}
