// tests/unit/runtime/forall/own_sums_test.cpp: sums that a thread forms in memory of its own, and what it adds to
// views.
#include "forall/own_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <vector>

using namespace foldwise::detail;

namespace {

/// Adds 1 to element i modulo the view's size in task i, of a view with one axis; to copies by turns.
template <class T> void count_on_cpu(const forall_call& call, std::int64_t begin, std::int64_t end) {
    const forall_argument& sums = call.arguments[0];
    for (std::int64_t i = begin; i < end; ++i) {
        auto* const copy = static_cast<char*>(sums.data) + i % most_own_copies * call.own_copy_bytes;
        if (i == 1000) throw std::runtime_error("task 1000");
        reinterpret_cast<T*>(copy)[i % sums.extents[0] * sums.strides[0]] += T(1);
    }
}

/// What a view that is not added to consists of.
char begin_of_others = 0;

/// A call that counts in a view of `elements`, of which every `step`-th element of `memory` is one.
template <class T> struct counting {
    forall_parameter parameter{.name = "sums",
                               .size = sizeof(T),
                               .alignment = alignof(T),
                               .rank = 1,
                               .reads = true,
                               .writes = true,
                               .own_sums = std::is_integral_v<T> ? numbers::integers : numbers::floating};
    forall_kernel kernel{"test::count", &parameter, 1, 1, count_on_cpu<T>, nullptr, nullptr};
    std::vector<T> memory;
    std::int64_t tasks = 5000;
    forall_argument argument;
    forall_call call;

    counting(std::int64_t elements, std::int64_t step, T before)
        : memory(static_cast<std::size_t>(elements * step), before), argument{memory.data(), {elements}, {step}},
          call{&tasks, 0, tasks, &argument, step == 1} {}
};

template <class T> class OwnSums : public testing::Test {};
using Numbers = testing::Types<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(OwnSums, Numbers);

}  // namespace

TYPED_TEST(OwnSums, AreAddedToTheViewAtTheEnd) {
    for (const int copies : {1, most_own_copies})
        for (const std::int64_t step : {1, 3}) {
            counting<TypeParam> all(7, step, 10);
            const std::vector<TypeParam> before = all.memory;
            {
                own_sums sums(all.kernel, all.call, copies);
                sums.run(0, 5);
                EXPECT_EQ(all.memory, before) << "too early";
                sums.run(5, 12);
                all.memory[0] += 100;  // as other threads do
            }
            std::vector<TypeParam> want = before;
            for (std::size_t i = 0; i < 12; ++i) want[i % 7 * static_cast<std::size_t>(step)] += 1;
            want[0] += 100;
            EXPECT_EQ(all.memory, want) << copies << " copies, step " << step;
        }
}

TYPED_TEST(OwnSums, AreAddedWhatWentWrongAsWell) {
    counting<TypeParam> all(10, 1, 0);
    const auto run = [&] {
        own_sums sums(all.kernel, all.call, 1);
        sums.run(990, 1010);
    };
    EXPECT_THROW(run(), std::runtime_error);
    EXPECT_EQ(all.memory, std::vector<TypeParam>(10, 1));
}

TEST(OwnSumsOfFloats, LeaveNegativeZeros) {
    counting<float> all(7, 1, -0.0f);
    {
        own_sums sums(all.kernel, all.call, most_own_copies);
        sums.run(0, 3);
    }
    for (std::size_t i = 0; i < 7; ++i) {
        EXPECT_EQ(all.memory[i], i < 3 ? 1 : 0);
        EXPECT_EQ(std::signbit(all.memory[i]), i >= 3) << i;
    }
}

TEST(OwnSumsOfSeveralAxes, HaveNoGaps) {
    static constexpr auto run = [](const forall_call& call, std::int64_t begin, std::int64_t) {
        const forall_argument& sums = call.arguments[1];
        EXPECT_TRUE(call.has_own_sums);
        EXPECT_EQ(call.arguments[0].data, &begin_of_others) << "not to be added to";
        EXPECT_EQ(sums.strides[0], 12);
        EXPECT_EQ(sums.strides[1], 4);
        EXPECT_EQ(sums.strides[2], 1);
        for (int k = 0; k < 24; ++k) static_cast<std::uint32_t*>(sums.data)[k] += static_cast<std::uint32_t>(begin + k);
    };
    const forall_parameter parameters[] = {
        {.name = "x", .size = 1, .alignment = 1, .rank = 1, .reads = true, .writes = false},
        {.name = "sums",
         .size = 4,
         .alignment = 4,
         .rank = 3,
         .reads = true,
         .writes = true,
         .own_sums = numbers::integers}};
    const forall_kernel kernel{"test::sum", parameters, 2, 1, run, nullptr, nullptr};
    std::vector<std::uint32_t> memory(2 * 100, 1000);
    // Of 2 by 3 by 4 elements the last axis goes backwards, and the first one is the innermost in memory.
    const forall_argument arguments[] = {{&begin_of_others, {1}, {1}}, {&memory[60], {2, 3, 4}, {1, 20, -10}}};
    const std::int64_t tasks = 1;
    const forall_call call{&tasks, 0, 1, arguments, false};
    {
        own_sums sums(kernel, call, 1);
        sums.run(7, 8);
    }
    std::vector<std::uint32_t> want(2 * 100, 1000);
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 4; ++k)
                want[static_cast<std::size_t>(60 + i + 20 * j - 10 * k)] +=
                    static_cast<std::uint32_t>(7 + 12 * i + 4 * j + k);
    EXPECT_EQ(memory, want);
}
