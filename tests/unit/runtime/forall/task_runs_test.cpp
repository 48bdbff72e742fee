// tests/unit/runtime/forall/task_runs_test.cpp: in which runs the tasks of a range follow one another on the CPU.
#include <foldwise/cpu/forall.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using foldwise::cpu::task_runs;
using foldwise::detail::forall_call;

namespace {

/// The runs of the tasks [begin, end) as texts such as "2 0 +3": the first task, and how many there are.
template <int N> std::vector<std::string> runs_of(const forall_call& call, std::int64_t begin, std::int64_t end) {
    std::vector<std::string> found;
    for (task_runs<N> runs(call, begin, end); !runs.is_done(); runs.advance()) {
        std::string text;
        for (int axis = 0; axis < N; ++axis) text += std::to_string(runs.first[axis]) + " ";
        found.push_back(text + "+" + std::to_string(runs.count));
    }
    return found;
}

using texts = std::vector<std::string>;

/// Checks that ranges of `unit` tasks have each task exactly once.
template <int N> void expect_all(const forall_call& call, std::int64_t unit) {
    std::vector<int> visits(static_cast<std::size_t>(call.count));
    for (std::int64_t begin = 0; begin < call.count; begin += unit)
        for (task_runs<N> runs(call, begin, std::min(call.count, begin + unit)); !runs.is_done(); runs.advance()) {
            ASSERT_GT(runs.count, 0);
            std::int64_t first = 0;
            for (int axis = 0; axis < N; ++axis) first = first * call.tasks[axis] + runs.first[axis];
            ASSERT_LE(runs.first[N - 1] + runs.count, call.tasks[N - 1]);
            for (std::int64_t i = 0; i < runs.count; ++i) ++visits[static_cast<std::size_t>(first + i)];
        }
    ASSERT_TRUE(std::all_of(visits.begin(), visits.end(), [](int visited) { return visited == 1; }));
}

template <int N> void expect_all_of_any(unsigned seed) {
    std::mt19937 rng(seed);
    std::int64_t tasks[N], count = 1;
    for (std::int64_t& extent : tasks) {
        extent = 1 + static_cast<std::int64_t>(rng() % (rng() % 2 == 0 ? 5 : 70));
        count *= extent;
    }
    forall_call call{tasks, 0, count, nullptr, false};
    expect_all<N>(call, 1 + static_cast<std::int64_t>(rng() % 100));
    if constexpr (N > 1) {
        call.walk.across = static_cast<int>(rng() % (N - 1));
        call.tile_rows = 1 + static_cast<std::int64_t>(rng() % 20);
        std::int64_t unit = 1 + static_cast<std::int64_t>(rng() % 30);
        for (int axis = call.walk.across + 1; axis < N; ++axis) unit *= tasks[axis];
        expect_all<N>(call, unit);
    }
}

}  // namespace

TEST(TaskRuns, AreRows) {
    const std::int64_t tasks[] = {2, 3, 4};
    const forall_call call{tasks, 0, 24, nullptr, false};
    EXPECT_EQ(runs_of<3>(call, 0, 24), (texts{"0 0 0 +4", "0 1 0 +4", "0 2 0 +4", "1 0 0 +4", "1 1 0 +4", "1 2 0 +4"}));
    EXPECT_EQ(runs_of<3>(call, 9, 14), (texts{"0 2 1 +3", "1 0 0 +2"}));
    EXPECT_EQ(runs_of<3>(call, 5, 5), texts{});
}

TEST(TaskRuns, AreRowsOfTiles) {
    const std::int64_t tasks[] = {3, 40};
    forall_call call{tasks, 0, 120, nullptr, false};
    call.walk.across = 0;
    call.tile_rows = 2;
    EXPECT_EQ(runs_of<2>(call, 0, 120), (texts{"0 0 +32", "1 0 +32", "0 32 +8", "1 32 +8", "2 0 +32", "2 32 +8"}));
    EXPECT_EQ(runs_of<2>(call, 40, 120), (texts{"1 0 +32", "2 0 +32", "1 32 +8", "2 32 +8"}));

    const std::int64_t with_others[] = {2, 3, 2, 3};
    forall_call deep{with_others, 0, 36, nullptr, false};
    deep.walk.across = 1;
    deep.tile_rows = 2;
    EXPECT_EQ(runs_of<4>(deep, 0, 18),
              (texts{"0 0 0 0 +3", "0 1 0 0 +3", "0 0 1 0 +3", "0 1 1 0 +3", "0 2 0 0 +3", "0 2 1 0 +3"}));
}

TEST(TaskRuns, HaveEachTaskOnce) {
    for (unsigned seed = 1; seed <= 200; ++seed) {
        ASSERT_NO_FATAL_FAILURE(expect_all_of_any<1>(seed)) << seed;
        ASSERT_NO_FATAL_FAILURE(expect_all_of_any<2>(seed)) << seed;
        ASSERT_NO_FATAL_FAILURE(expect_all_of_any<3>(seed)) << seed;
    }
    for (unsigned seed = 1; seed <= 20; ++seed) ASSERT_NO_FATAL_FAILURE(expect_all_of_any<4>(seed)) << seed;
}
