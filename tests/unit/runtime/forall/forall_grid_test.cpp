// tests/unit/runtime/forall/forall_grid_test.cpp: every task has one thread.
#include "forall/forall_grid.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace {

using foldwise::detail::forall_grid;

template <int N> using extents = std::array<std::int64_t, N>;

template <int N> forall_grid<N> grid_of(const extents<N>& tasks, std::int64_t first = 0) {
    foldwise::detail::forall_call call{};
    call.tasks = tasks.data();
    call.first = first;
    return foldwise::detail::grid_of<N>(call, 8);
}

template <int N> void expect_each_once(const extents<N>& tasks) {
    const forall_grid<N> grid = grid_of<N>(tasks);
    std::int64_t count = 1;
    for (std::int64_t extent : tasks) count *= extent;
    std::vector<int> seen(static_cast<std::size_t>(count));
    for (unsigned block = 0; block < grid.blocks; ++block)
        for (unsigned thread = 0; thread < 256; ++thread) {
            std::int64_t at[N], number = 0;
            grid.place(block, thread, at);
            bool exists = true;
            for (int axis = 0; axis < N; ++axis) {
                ASSERT_GE(at[axis], 0);
                exists = exists && at[axis] < tasks[static_cast<std::size_t>(axis)];
                number = number * tasks[static_cast<std::size_t>(axis)] + at[axis];
            }
            if (exists) ++seen[static_cast<std::size_t>(number)];
        }
    for (int times : seen) ASSERT_EQ(times, 1);
}

TEST(TaskGrid, TasksOfAChunkKeepTheirIndices) {
    const forall_grid<2> grid = grid_of<2>({1000, 40}, 990);
    std::vector<int> seen(400);
    for (unsigned block = 0; block < grid.blocks; ++block)
        for (unsigned thread = 0; thread < 256; ++thread) {
            std::int32_t at[2];
            grid.place(block, thread, at);
            ASSERT_GE(at[0], 990);
            if (at[0] < 1000 && at[1] < 40) ++seen[static_cast<std::size_t>((at[0] - 990) * 40 + at[1])];
        }
    for (int times : seen) ASSERT_EQ(times, 1);
    EXPECT_LE(grid.blocks, 4u);
}

TEST(TaskGrid, EachTaskHasOneThread) {
    for (std::int64_t n : {1, 2, 31, 255, 256, 257, 1000}) expect_each_once<1>({n});
    for (extents<2> tasks : {extents<2>{1, 1}, {1, 1000}, {1000, 1}, {3, 300}, {300, 3}, {33, 65}, {8, 32}})
        expect_each_once<2>(tasks);
    for (extents<3> tasks : {extents<3>{1, 1, 1}, {5, 1, 100}, {7, 9, 33}, {300, 1, 1}, {2, 40, 3}})
        expect_each_once<3>(tasks);
    for (extents<4> tasks : {extents<4>{1, 1, 1, 1}, {3, 5, 7, 33}, {40, 2, 1, 3}, {2, 2, 2, 2}})
        expect_each_once<4>(tasks);
}

TEST(TaskGrid, ATileHasAWarpAlongTheLastAxis) {
    const forall_grid<2> wide = grid_of<2>({1000, 1000});
    EXPECT_EQ(wide.bits[1], 5);
    EXPECT_EQ(wide.bits[0], 3);
    const forall_grid<2> narrow = grid_of<2>({1000, 3});
    EXPECT_EQ(narrow.bits[1], 2);
    EXPECT_EQ(narrow.bits[0], 6);
    EXPECT_EQ(grid_of<1>({1000}).bits[0], 8);
}

/// Blocks beyond what 32 bits of tasks would number.
TEST(TaskGrid, ManyBlocks) {
    const extents<2> tasks{std::int64_t{1} << 30, 32};
    const forall_grid<2> grid = grid_of<2>(tasks);
    EXPECT_EQ(grid.blocks, 1u << 27);
    std::int64_t last[2];
    grid.place(grid.blocks - 1, 255, last);
    EXPECT_EQ(last[0], (std::int64_t{1} << 30) - 1);
    EXPECT_EQ(last[1], 31);
}

}  // namespace
