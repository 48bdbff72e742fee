// tests/unit/runtime/stencil/plan_tiles_test.cpp: how many steps a launch computes, and of which tiles.
#include "stencil/plan_tiles.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using foldwise::detail::plan_tiles;
using foldwise::detail::stencil_tile_row;
using foldwise::detail::stencil_tiling;
using foldwise::detail::tiling_traits;

/// Five points of floats on a large GPU.
tiling_traits five_points(std::int64_t rows, std::int64_t columns) {
    return {.extents = {rows, columns},
            .margin = {1, 1},
            .rank = 2,
            .per_thread = 8,
            .reads = 5,
            .cell_bytes = 4,
            .shared_bytes = 227 << 10,
            .multiprocessors = 132,
            .resident_blocks = 2};
}

TEST(StencilTiles, SeveralStepsAreComputedAtOnce) {
    for (const std::int64_t extent : {64, 256, 1024, 4096, 16384})
        EXPECT_GT(plan_tiles(five_points(extent, extent), 100).steps, 4) << extent;
}

TEST(StencilTiles, LaunchesHaveAboutAsManyStepsEach) {
    for (const std::int64_t steps : {2, 3, 7, 11, 33, 1000}) {
        const std::int64_t together = plan_tiles(five_points(512, 512), steps).steps;
        EXPECT_LE(together, steps);
        EXPECT_NE((steps + together - 1) / together, (steps + together - 2) / (together - 1)) << "with one step fewer";
    }
}

TEST(StencilTiles, TilesAndWhatIsAroundThemFitIntoSharedMemory) {
    for (const std::int64_t margin : {1, 2, 5, 20})
        for (const std::int64_t rows : {8, 9, 11, 100, 3000})
            for (const std::int64_t columns : {1, 50, 129, 5000})
                for (const std::int64_t bytes : {16 << 10, 99 << 10, 227 << 10}) {
                    tiling_traits traits = five_points(rows, columns);
                    traits.margin[0] = traits.margin[1] = margin;
                    traits.shared_bytes = bytes;
                    const stencil_tiling plan = plan_tiles(traits, 20);
                    if (plan.steps == 1) continue;
                    const std::int64_t around = 2 * plan.steps * margin;
                    EXPECT_LE(2 * 4 * plan.cells, bytes);
                    EXPECT_LE((plan.tile[0] + around) * stencil_tile_row, plan.cells);
                    EXPECT_LE(plan.tile[1] + around, stencil_tile_row);
                    EXPECT_GE(plan.tile[0], 8) << "a thread's elements";
                    EXPECT_LE(plan.tile[0], rows);
                    EXPECT_LE(plan.tile[1], columns);
                }
}

TEST(StencilTiles, StepsHaveLaunchesOfTheirOwnWhereTilesDoNotPay) {
    tiling_traits wide = five_points(4096, 4096);
    wide.margin[1] = 40;
    EXPECT_EQ(plan_tiles(wide, 100).steps, 1) << "most of a tile would be what is around it";
    EXPECT_EQ(plan_tiles(five_points(7, 4096), 100).steps, 1) << "a thread has eight elements along the first axis";
    tiling_traits large = five_points(4096, 4096);
    large.cell_bytes = 4096;
    EXPECT_EQ(plan_tiles(large, 100).steps, 1) << "no room";
}

TEST(StencilTiles, EachBlockHasAKibibyteBesideItsTile) {
    for (const std::int64_t bytes : {4, 8, 16})
        for (const int resident : {2, 3, 4}) {
            tiling_traits line = five_points(100'000'000, 0);
            line.rank = 1;
            line.cell_bytes = bytes;
            line.resident_blocks = resident;
            const std::int64_t block = 2 * bytes * plan_tiles(line, 100).cells + 1024, all = 228 << 10;
            EXPECT_GT(100 * block, 95 * (all / (all / block))) << "as large as leaves room for the others";
        }
}

TEST(StencilTiles, ASingleAxisIsCutToo) {
    tiling_traits line = five_points(10'000, 0);
    line.rank = 1;
    const stencil_tiling small = plan_tiles(line, 100);
    EXPECT_GT(small.steps, 4);
    EXPECT_LE(small.tile[0], 10'000 / 100) << "most multiprocessors have a tile";
    line.extents[0] = 100'000'000;
    const stencil_tiling large = plan_tiles(line, 100);
    EXPECT_GT(large.steps, 4);
    EXPECT_LE(2 * 4 * large.cells, 227 << 10);
    EXPECT_LE(large.tile[0] + 2 * large.steps, large.cells);
    EXPECT_EQ(small.cells % 16, 0) << "where the next array begins may be an element of any type";
    EXPECT_EQ(large.cells % 16, 0);
}

}  // namespace
