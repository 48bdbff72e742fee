// tests/unit/runtime/forall/forall_grid_test.cpp: grids of tasks, in which every task has exactly one thread.
#include "forall/forall_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <vector>

namespace {

using foldwise::detail::forall_argument;
using foldwise::detail::forall_call;
using foldwise::detail::forall_code;
using foldwise::detail::forall_grid;

template <int N> using extents = std::array<std::int64_t, N>;

using foldwise::detail::forall_walk;

template <int N>
forall_grid<N> grid_of(const extents<N>& tasks, std::int64_t first = 0, forall_walk walk = {}, int bits = 8) {
    foldwise::detail::forall_call call{};
    call.walk = walk;
    call.tasks = tasks.data();
    call.first = first;
    return foldwise::detail::grid_of<N>(call, bits);
}

template <int N> void expect_each_once(const extents<N>& tasks, forall_walk walk = {}, int bits = 8) {
    const forall_grid<N> grid = grid_of<N>(tasks, 0, walk, bits);
    std::int64_t count = 1;
    for (std::int64_t extent : tasks) count *= extent;
    std::vector<int> seen(static_cast<std::size_t>(count));
    for (unsigned block = 0; block < grid.blocks; ++block)
        for (unsigned thread = 0; thread < 1u << bits; ++thread) {
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

/// The code of a kernel whose threads take four tasks each, of each tile in shared memory if it has such tiles.
foldwise::detail::forall_code code_of(int row, int tiles = 0, int beside = 0) {
    foldwise::detail::forall_code code{};
    code.row = row;
    code.staged_tiles = tiles;
    code.beside = beside;
    std::iota(code.order, code.order + foldwise::detail::max_index_rank, 0);
    return code;
}
foldwise::detail::forall_code linear_code() {
    foldwise::detail::forall_code code{};
    code.is_linear = true;
    return code;
}

/// Every task is one of those of one thread, as `several` kernels find them, whose blocks walk in that order. Returns
/// how many threads have fewer.
template <int N, class Order = foldwise::detail::rows_of_tiles>
std::int64_t expect_each_in_one_group(const extents<N>& tasks, const foldwise::detail::forall_code& code,
                                      std::int64_t first = 0) {
    foldwise::detail::forall_call call{};
    call.tasks = tasks.data();
    call.first = first;
    const auto grid = foldwise::detail::several_grid_of<N>(code, call, 8);
    EXPECT_TRUE(grid);
    if (!grid) return 0;
    const int row = code.row, group = code.staged_tiles > 0 ? 4 * code.staged_tiles : 4;
    std::int64_t count = 1, incomplete = 0;
    for (std::int64_t extent : tasks) count *= extent;
    std::vector<int> seen(static_cast<std::size_t>(count));
    for (unsigned block = 0; block < grid->blocks; ++block)
        for (unsigned thread = 0; thread < 256; ++thread) {
            std::int32_t begin[N];
            if (code.staged_tiles > 0)
                grid->template place_in_tile<Order>(block, thread, begin);
            else
                grid->place(block, thread, begin);
            int found = 0;
            for (int k = 0; k < group; ++k) {
                bool exists = true;
                std::int64_t number = 0;
                for (int axis = 0; axis < N; ++axis) {
                    const std::int64_t at =
                        begin[axis] + (row < 0 ? k : k / 4) * grid->steps[axis] + (axis == row ? k % 4 : 0);
                    exists = exists && at < tasks[static_cast<std::size_t>(axis)] &&
                             (row >= 0 || static_cast<std::uint32_t>(begin[axis]) < grid->ends[axis]);
                    number = number * tasks[static_cast<std::size_t>(axis)] + at;
                }
                if (exists) ++seen[static_cast<std::size_t>(number)];
                found += exists;
            }
            incomplete += found > 0 && found < group;
        }
    const std::int64_t before = first * (count / tasks[0]);
    for (std::int64_t i = 0; i < count; ++i) EXPECT_EQ(seen[static_cast<std::size_t>(i)], i < before ? 0 : 1) << i;
    return incomplete;
}

TEST(TaskGrid, FewTasksHaveSmallBlocks) {
    using foldwise::detail::bits_of_small_block;
    EXPECT_EQ(bits_of_small_block(1, 8), 5);
    EXPECT_EQ(bits_of_small_block(128 * 32, 8), 5);
    EXPECT_EQ(bits_of_small_block(128 * 32 + 1, 8), 6);
    EXPECT_EQ(bits_of_small_block(128 * 128, 8), 7);
    EXPECT_EQ(bits_of_small_block(128 * 128 + 1, 8), 8);
    EXPECT_EQ(bits_of_small_block(std::int64_t{1} << 35, 8), 8);
    EXPECT_EQ(grid_of<1>({158}, 0, {}, 5).blocks, 5u);
    for (int bits = 5; bits < 8; ++bits) {
        expect_each_once<1>({158}, {}, bits);
        expect_each_once<2>({3, 1000}, {}, bits);
        expect_each_once<2>({61, 67}, {.across = 0, .across_tasks = 8, .last_tasks = 8}, bits);
        expect_each_once<3>({2, 3, 5}, {}, bits);
    }
}

TEST(TaskGrid, EachTaskIsInOneGroup) {
    EXPECT_EQ(expect_each_in_one_group<1>({4096}, code_of(-1)), 0);
    EXPECT_LE(expect_each_in_one_group<1>({100'001}, code_of(-1)), 512);
    expect_each_in_one_group<1>({100'001}, code_of(-1), 777);
    expect_each_in_one_group<2>({1000, 37}, code_of(-1));
    expect_each_in_one_group<2>({1000, 37}, code_of(-1), 990);
    expect_each_in_one_group<2>({3, 5000}, code_of(-1));
    expect_each_in_one_group<3>({300, 5, 5}, code_of(-1));
    expect_each_in_one_group<4>({11, 13, 7, 9}, code_of(-1));
    expect_each_in_one_group<2>({1000, 64}, code_of(0));
    expect_each_in_one_group<2>({999, 63}, code_of(0), 4);
    expect_each_in_one_group<2>({99, 5000}, code_of(0));
    expect_each_in_one_group<2>({4, 5000}, code_of(0));
    expect_each_in_one_group<2>({1000, 45}, code_of(0), 4);
    expect_each_in_one_group<4>({5, 8, 8, 45}, code_of(1));
    expect_each_in_one_group<3>({61, 7, 128}, code_of(0));
    expect_each_in_one_group<3>({6, 50, 128}, code_of(0));
    expect_each_in_one_group<3>({7, 128, 60}, code_of(1));
    expect_each_in_one_group<4>({3, 250, 5, 32}, code_of(1));
}

TEST(TaskGrid, RowsThatWouldLeaveThreadsWithoutTasksHaveNoGrid) {
    const auto exists = [](const extents<2>& tasks, bool is_staged) {
        foldwise::detail::forall_call call{};
        call.tasks = tasks.data();
        return foldwise::detail::several_grid_of<2>(code_of(0, is_staged ? 1 : 0), call, 8).has_value();
    };
    EXPECT_TRUE(exists({1000, 1000}, true));
    EXPECT_TRUE(exists({1000, 32}, false));
    EXPECT_TRUE(exists({1000, 16}, false));
    EXPECT_TRUE(exists({1000, 15}, false));
    EXPECT_FALSE(exists({1000, 12}, false)) << "a quarter of the threads would have no task";
    EXPECT_FALSE(exists({1000, 8}, false)) << "too many tasks are at an edge";
    EXPECT_FALSE(exists({1000, 36}, false));
    EXPECT_TRUE(exists({1000, 40}, false)) << "a warp has parts of two rows";
    EXPECT_TRUE(exists({99, 100'000}, false)) << "tiles have fewer rows, and longer ones";
    EXPECT_TRUE(exists({4, 100'000}, false));
    EXPECT_TRUE(exists({1000, 20}, true)) << "more threads may be idle than where memory is accessed in whole sectors";
    EXPECT_TRUE(exists({5, 100'000}, false)) << "a thread has four tasks, and another one has one";
    EXPECT_FALSE(exists({100'000, 2}, false));
    EXPECT_FALSE(exists({100'000, 2}, true));
    EXPECT_TRUE(exists({3, 100'000}, true));
    EXPECT_FALSE(exists({2, 100'000}, true)) << "half of each thread's tasks";
}

TEST(TaskGrid, TilesInSharedMemoryAreLongerWhereTheirOtherAxisIsShort) {
    const auto sides = [](const extents<3>& tasks) {
        foldwise::detail::forall_call call{};
        call.tasks = tasks.data();
        const auto grid = foldwise::detail::several_grid_of<3>(code_of(0, 1), call, 8);
        EXPECT_TRUE(grid);
        const std::pair both(1 << grid->bits[0], 1 << grid->bits[2]);
        EXPECT_LE((both.first + 1) * both.second, foldwise::detail::staged_elements);
        EXPECT_EQ(expect_each_in_one_group<3>(tasks, code_of(0, 1)) > 0, tasks[0] % 4 != 0);
        return both;
    };
    EXPECT_EQ(sides({100, 3, 70}), std::pair(32, 32));
    EXPECT_EQ(sides({12, 5, 700}), std::pair(16, 64));
    EXPECT_EQ(sides({5, 7, 300}), std::pair(8, 128));
    EXPECT_EQ(sides({4, 2, 2643}), std::pair(4, 256));
    EXPECT_EQ(sides({512, 3, 15}), std::pair(64, 16));
    EXPECT_EQ(sides({1024, 3, 4}), std::pair(256, 4));
}

TEST(TaskGrid, TilesInSharedMemoryExtendAlongOtherAxesWhereBothAreShort) {
    const auto sides = [](const extents<4>& tasks, int row) {
        foldwise::detail::forall_call call{};
        call.tasks = tasks.data();
        const auto grid = foldwise::detail::several_grid_of<4>(code_of(row, 1), call, 8);
        EXPECT_TRUE(grid);
        expect_each_in_one_group<4>(tasks, code_of(row, 1));
        // A thread's place along the axes other than `row`, of which the kernel finds the last one first.
        EXPECT_EQ(1 << (grid->shifts[row] + 2), 1024 >> grid->bits[row]);
        EXPECT_EQ(grid->shifts[3], 0);
        return std::array{1 << grid->bits[0], 1 << grid->bits[1], 1 << grid->bits[2], 1 << grid->bits[3]};
    };
    EXPECT_EQ(sides({29, 5, 40, 2}, 0), (std::array{32, 1, 16, 2}));
    EXPECT_EQ(sides({40, 29, 5, 2}, 1), (std::array{2, 32, 8, 2}));
    EXPECT_EQ(sides({300, 3, 12, 2}, 2), (std::array{8, 4, 16, 2}));
}

TEST(TaskGrid, TilesOfABlockAreNeighbours) {
    const auto sides = [](const extents<3>& tasks, int tiles, int beside) {
        foldwise::detail::forall_call call{};
        call.tasks = tasks.data();
        const auto grid = foldwise::detail::several_grid_of<3>(code_of(0, tiles, beside), call, 8);
        EXPECT_TRUE(grid);
        expect_each_in_one_group<3>(tasks, code_of(0, tiles, beside));
        int between = 0;
        for (int axis = 0; axis < 3; ++axis) {
            between += grid->steps[axis] > 0;
            EXPECT_EQ(1 << grid->bits[axis], grid->steps[axis] > 0 ? tiles * grid->steps[axis]  // one after the other
                                                                   : 1 << grid->staged_bits[axis]);
        }
        EXPECT_EQ(between, 1);
        return std::array{1 << grid->bits[0], 1 << grid->bits[1], 1 << grid->bits[2]};
    };
    EXPECT_EQ(sides({128, 3, 128}, 2, 2), (std::array{32, 1, 64}));
    EXPECT_EQ(sides({128, 3, 128}, 2, 0), (std::array{64, 1, 32}));
    EXPECT_EQ(sides({200, 3, 200}, 4, 2), (std::array{32, 1, 128}));
    EXPECT_EQ(sides({100, 3, 70}, 2, 2), (std::array{64, 1, 32})) << "a quarter less has no tasks";
    EXPECT_EQ(sides({3, 1, 900}, 2, 0), (std::array{4, 1, 512})) << "there is one tile along the axis";
    EXPECT_EQ(sides({1024, 8, 3}, 2, 2), (std::array{512, 1, 4})) << "and along this one";
    EXPECT_EQ(sides({256, 8, 3}, 2, 2), (std::array{256, 2, 4})) << "and along both";
}

TEST(TaskGrid, TilesFillRowsThatAreNoPowersOfTwo) {
    const auto sides = [](const extents<4>& tasks, int row, int tiles, int beside) {
        foldwise::detail::forall_call call{};
        call.tasks = tasks.data();
        const auto grid = foldwise::detail::several_grid_of<4>(code_of(row, tiles, beside), call, 8);
        EXPECT_TRUE(grid);
        expect_each_in_one_group<4>(tasks, code_of(row, tiles, beside));
        return std::array{1 << grid->bits[0], 1 << grid->bits[1], 1 << grid->bits[2], 1 << grid->bits[3]};
    };
    EXPECT_EQ(sides({4, 4, 12, 384}, 1, 1, 3), (std::array{1, 4, 2, 128})) << "and not 256, with a half of the second";
    EXPECT_EQ(sides({4, 4, 12, 384}, 1, 2, 3), (std::array{1, 4, 4, 128}));
    EXPECT_EQ(sides({4, 4, 12, 320}, 1, 2, 3), (std::array{1, 4, 4, 128})) << "a sixth less has no tasks";
    EXPECT_EQ(sides({4, 4, 12, 288}, 1, 2, 3), (std::array{1, 4, 4, 128})) << "a quarter less";
    EXPECT_EQ(sides({4, 4, 12, 480}, 1, 2, 3), (std::array{1, 4, 1, 512})) << "almost filled";
    EXPECT_EQ(sides({4, 12, 384, 4}, 2, 2, 2), (std::array{1, 4, 128, 4})) << "along the other axis, too";
    EXPECT_EQ(sides({4, 5, 384, 64}, 2, 2, 2), (std::array{1, 1, 64, 32}));
}

TEST(TaskGrid, BlocksWalkAlongWhatTheKernelSays) {
    using foldwise::detail::tile_order;
    const extents<3> tasks{100, 70, 120};
    expect_each_in_one_group<3, tile_order<2, 1, 0>>(tasks, code_of(0, 2, 2));
    expect_each_in_one_group<3, tile_order<1, 2, 0>>(tasks, code_of(0, 1, 0));
    expect_each_in_one_group<3, tile_order<2, 0, 1>>(tasks, code_of(1, 2, 1), 60);
    expect_each_in_one_group<4, tile_order<3, 0, 2, 1>>({9, 60, 7, 60}, code_of(1, 2, 3));

    foldwise::detail::forall_call call{};
    call.tasks = tasks.data();
    const auto grid = foldwise::detail::several_grid_of<3>(code_of(0, 2, 2), call, 8);
    ASSERT_TRUE(grid);
    const auto corner = [&](unsigned int block) {
        std::array<std::int32_t, 3> at;
        grid->place_in_tile<tile_order<2, 1, 0>>(block, 0, at.data());
        return at;
    };
    EXPECT_EQ(corner(1), (std::array{32, 0, 0})) << "first along axis 0, of 4 tiles";
    EXPECT_EQ(corner(4), (std::array{0, 1, 0}));
    EXPECT_EQ(corner(4 * 70), (std::array{0, 0, 64}));
}

/// Tasks of which each is one of a thread's where blocks begin to write at sectors of 8 elements, and no block writes a
/// part of a sector but at the ends of rows. Returns whether tasks are moved.
template <int Written> bool begins_at_sectors(const extents<2>& tasks, std::int64_t row_step, std::uintptr_t first) {
    static constexpr int ranks[] = {2};
    foldwise::detail::forall_argument view{};
    view.data = reinterpret_cast<void*>(4 * (1000 * std::uintptr_t{8} + first));
    view.strides[0] = row_step;
    view.strides[1] = 1;
    foldwise::detail::forall_code code = code_of(0, 2, 1);
    code.ranks = ranks;
    code.order[0] = 1 - Written;
    code.order[1] = Written;
    code.sector_elements = 8;
    foldwise::detail::forall_call call{};
    call.tasks = tasks.data();
    call.arguments = &view;
    const auto grid = foldwise::detail::several_grid_of<2>(code, call, 8);
    EXPECT_TRUE(grid);
    if (!grid) return false;
    std::map<std::array<std::int64_t, 2>, unsigned> blocks;  // by task, of which each has one
    for (unsigned block = 0; block < grid->blocks; ++block)
        for (unsigned thread = 0; thread < 256; ++thread)
            for (std::uint32_t k = 0; k < 8; ++k) {
                std::int32_t begin[2];
                grid->template place_in_tile<foldwise::detail::rows_of_tiles>(block, thread, begin);
                std::uint32_t at[2] = {static_cast<std::uint32_t>(begin[0] + grid->steps[0] * (k / 4 ? 1 : 0)) + k % 4,
                                       static_cast<std::uint32_t>(begin[1] + grid->steps[1] * (k / 4 ? 1 : 0))};
                grid->template move_to_sector<Written>(at);
                if (at[0] < tasks[0] && at[1] < tasks[1]) {
                    EXPECT_TRUE(blocks.try_emplace({at[0], at[1]}, block).second);
                }
            }
    EXPECT_EQ(blocks.size(), static_cast<std::size_t>(tasks[0] * tasks[1]));
    for (const auto& [task, block] : blocks) {
        std::array<std::int64_t, 2> before = task;
        if (--before[Written] < 0) continue;
        const auto element = static_cast<std::int64_t>(first) + task[1 - Written] * row_step + task[Written];
        if (grid->within_sector != 0 && element % 8 != 0) {
            EXPECT_EQ(blocks.at(before), block) << task[0] << ", " << task[1];
        }
    }
    return grid->within_sector != 0;
}

TEST(TaskGrid, BlocksBeginToWriteAtSectors) {
    EXPECT_TRUE(begins_at_sectors<0>({301, 290}, 301, 0));
    EXPECT_TRUE(begins_at_sectors<1>({301, 290}, 290, 0));
    EXPECT_TRUE(begins_at_sectors<0>({320, 290}, 320, 3)) << "all rows begin at the same place";
    EXPECT_TRUE(begins_at_sectors<1>({290, 301}, -303, 5)) << "rows that are apart, and walked backwards";
    EXPECT_FALSE(begins_at_sectors<0>({320, 290}, 320, 8)) << "all rows begin at sectors";
    EXPECT_FALSE(begins_at_sectors<0>({96, 290}, 97, 0)) << "a block more for each three would be idle";
    EXPECT_FALSE(begins_at_sectors<1>({33, 32}, 33, 0));
}

TEST(TaskGrid, BlocksWalkInRowMajorOrderWhereNeighboursAreNearInIt) {
    const auto is_in_row_major = []<std::size_t N>(const std::array<std::int64_t, N>& tasks, int row,
                                                   const std::array<int, N>& order) {
        constexpr int rank = static_cast<int>(N);
        foldwise::detail::forall_code code = code_of(row, 2, rank - 1);
        std::copy(order.begin(), order.end(), code.order);
        foldwise::detail::forall_call call{};
        call.tasks = tasks.data();
        const auto grid = foldwise::detail::several_grid_of<rank>(code, call, 8);
        return grid && grid->is_in_row_major;
    };
    EXPECT_TRUE(is_in_row_major(extents<2>{10'000, 64 * 32}, 0, std::array{1, 0}));
    EXPECT_FALSE(is_in_row_major(extents<2>{10'000, 64 * 33}, 0, std::array{1, 0}));
    EXPECT_TRUE(is_in_row_major(extents<2>{10'000, 10'000}, 0, std::array{0, 1}));
    EXPECT_TRUE(is_in_row_major(extents<3>{464, 464, 464}, 1, std::array{2, 0, 1}));
    EXPECT_FALSE(is_in_row_major(extents<3>{1000, 7, 1000}, 0, std::array{1, 2, 0}));
    EXPECT_FALSE(is_in_row_major(extents<4>{64, 64, 384, 384}, 1, std::array{0, 2, 3, 1}));
    EXPECT_TRUE(is_in_row_major(extents<4>{64, 4, 384, 384}, 1, std::array{0, 2, 3, 1}))
        << "one block has all along axis 1, and neighbours along axis 3 follow one another";
}

TEST(TaskGrid, LinearTilesAreLongRows) {
    const auto sides = [](const extents<2>& tasks, bool is_linear) {
        const foldwise::detail::forall_code code = is_linear ? linear_code() : code_of(-1);
        foldwise::detail::forall_call call{};
        call.tasks = tasks.data();
        const auto grid = foldwise::detail::several_grid_of<2>(code, call, 8);
        expect_each_in_one_group<2>(tasks, code);
        return std::pair(1 << grid->bits[0], 1 << grid->bits[1]);
    };
    EXPECT_EQ(sides({1000, 512}, true), std::pair(1, 256));
    EXPECT_EQ(sides({1000, 512}, false), std::pair(8, 32));
    EXPECT_EQ(sides({1000, 60}, true), std::pair(4, 64));
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
    for (extents<3> tasks : {extents<3>{5, 6, 7}, {64, 64, 5}, {9, 129, 2}}) expect_each_once<3>(tasks);
    for (extents<4> tasks : {extents<4>{1, 1, 1, 1}, {3, 5, 7, 33}, {40, 2, 1, 3}, {2, 2, 2, 2}})
        expect_each_once<4>(tasks);
}

TEST(TaskGrid, ATileHasAWarpAlongTheLastAxis) {
    const forall_grid<2> wide = grid_of<2>({1000, 1000});
    EXPECT_EQ(wide.bits[1], 5);
    EXPECT_EQ(wide.bits[0], 3);
    const forall_grid<2> narrow = grid_of<2>({1000, 4});
    EXPECT_EQ(narrow.bits[1], 2);
    EXPECT_EQ(narrow.bits[0], 6);
    EXPECT_EQ(narrow.flat_bits, 0);
    EXPECT_EQ(grid_of<1>({1000}).bits[0], 8);
    const forall_grid<3> deep = grid_of<3>({512, 512, 512});
    EXPECT_EQ(deep.bits[2], 5);
    EXPECT_EQ(deep.bits[1], 3);
    EXPECT_EQ(deep.bits[0], 0);
}

TEST(TaskGrid, ShortRowsHaveNoIdleThreads) {
    for (extents<2> tasks : {extents<2>{1000, 3}, {1000, 37}, {5, 33}, {100, 129}}) {
        const forall_grid<2> grid = grid_of<2>(tasks);
        EXPECT_EQ(grid.flat_bits, 8) << tasks[1];
        EXPECT_EQ(grid.blocks, (tasks[0] * tasks[1] + 255) / 256) << tasks[1];
        expect_each_once<2>(tasks);
    }
    const forall_grid<3> grid = grid_of<3>({10, 5, 5});
    EXPECT_EQ(grid.flat_bits, 8);
    EXPECT_EQ(grid.blocks, 1u);
    EXPECT_EQ(grid_of<2>({1000, 173}).flat_bits, 0) << "9 of 10 threads have a task in tiles";
    EXPECT_EQ(grid_of<2>({std::int64_t{1} << 30, 3}).flat_bits, 0) << "more tasks than 31 bits count";
}

/// A flat grid counts from the first task of the chunk.
TEST(TaskGrid, ShortRowsOfAChunk) {
    const forall_grid<2> grid = grid_of<2>({1000, 3}, 500);
    EXPECT_EQ(grid.flat_bits, 8);
    EXPECT_EQ(grid.blocks, 6u);
    std::int64_t at[2];
    grid.place(0, 0, at);
    EXPECT_EQ(at[0], 500);
    grid.place(5, 219, at);
    EXPECT_EQ(at[0], 999);
    EXPECT_EQ(at[1], 2);
    grid.place(5, 220, at);
    EXPECT_EQ(at[0], 1000) << "does not exist";
}

TEST(TaskGrid, TilesAreSquareWhereAViewIsContiguousAcross) {
    const forall_walk floats{.across = 0, .across_tasks = 8, .last_tasks = 8};
    const forall_grid<2> grid = grid_of<2>({1000, 1000}, 0, floats);
    EXPECT_EQ(grid.bits[0], 4);
    EXPECT_EQ(grid.bits[1], 4);
    std::int64_t at[2];
    for (unsigned thread = 0; thread < 32; ++thread) {  // a warp has 4 sectors of 8 tasks across
        grid.place(0, thread, at);
        EXPECT_EQ(at[0], thread % 8);
        EXPECT_EQ(at[1], thread / 8);
    }
    const forall_grid<2> turned = grid_of<2>({1000, 1000}, 0, {.across = 0, .across_tasks = 8, .last_tasks = 1});
    EXPECT_EQ(turned.bits[0], 8) << "nothing is contiguous along the last axis";
}

TEST(TaskGrid, EachTaskHasOneThreadAcross) {
    for (int sector : {1, 2, 8, 32})
        for (extents<2> tasks : {extents<2>{1, 1000}, {1000, 1}, {3, 300}, {300, 3}, {33, 65}, {17, 16}})
            expect_each_once<2>(tasks, {.across = 0, .across_tasks = sector, .last_tasks = 8});
    for (int across : {0, 1})
        for (extents<3> tasks : {extents<3>{5, 1, 100}, {7, 9, 33}, {300, 1, 1}, {2, 40, 3}, {40, 3, 40}})
            expect_each_once<3>(tasks, {.across = across, .across_tasks = 8, .last_tasks = 4});
    for (int across : {0, 1, 2})
        expect_each_once<4>({6, 5, 7, 33}, {.across = across, .across_tasks = 16, .last_tasks = 1});
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
