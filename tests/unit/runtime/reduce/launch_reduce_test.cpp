// tests/unit/runtime/reduce/launch_reduce_test.cpp: which instance of a kernel a reduction is launched with, and how
// its threads share the work.
#include "launched_reduce.hpp"

#include <gtest/gtest.h>

#include <utility>

using namespace test_reduce;

/// Warps share elements and segments evenly, whatever their lengths are; every warp has a tile of work where there is
/// as much, and no block is without any.
TEST(FoldPlan, SegmentsAreSharedEvenly) {
    const auto segmented = [](std::int64_t count, std::int64_t segments) {
        return call_of{{count}, {1}, 0, 1 << 20, segments}();
    };
    const launched few = segmented(1000, 3);
    EXPECT_EQ(few.how, way::segmented);
    EXPECT_EQ(few.grid.x, 1u);
    EXPECT_EQ(few.threads, 512u);
    EXPECT_EQ(few.share, (1003 + 15) / 16);
    EXPECT_EQ(segmented(0, 1).share, 1);
    EXPECT_EQ(segmented(16 * 512 - 1, 1).grid.x, 1u);  // 16 warps with a tile of 512 each
    EXPECT_EQ(segmented(16 * 512, 1).grid.x, 2u);
    const launched many = segmented(1'000'000'000, 1'000'000'000);
    const std::int64_t warps = 16 * many.grid.x;
    EXPECT_EQ(many.grid.x, call_of({{1'000'000'000}, {1}, 0})().grid.x);  // as many as the GPU runs at once
    EXPECT_EQ(many.share, (2'000'000'000 + warps - 1) / warps);
    // Large accumulators have smaller tiles.
    EXPECT_EQ((call_of{{64 * 16}, {1}, 0, 1 << 20, 1}.run<heavy_steps>().grid.x), 2u);
    EXPECT_EQ(segment_elements(1), 16);
    EXPECT_EQ(segment_elements(4), 16);
    EXPECT_EQ(segment_elements(5), 8);
    EXPECT_EQ(segment_elements(24), 2);
    EXPECT_EQ(segment_elements(64), 1);
}

/// Where rows are whole axes, indices follow from one of each row.
TEST(FoldPlan, KnowsTheAxisOfRows) {
    const auto axes = [](const call_of& call) {
        const launched all = call();
        return std::pair(all.folded_axis, all.column_axis);
    };
    const std::vector<std::int64_t> shape{500, 4000};
    EXPECT_EQ(axes({.extents = {500, 4000}, .strides = {4000, 1}, .kept = 1, .shape = shape}), std::pair(1, 0));
    EXPECT_EQ(axes({.extents = {2'000'000}, .strides = {1}, .kept = 0, .shape = shape}), std::pair(-1, -1));
    // Nothing at all.
    EXPECT_EQ(axes({.extents = {500, 0}, .strides = {1, 1}, .kept = 1, .shape = {500, 0}}), std::pair(-1, -1));
    EXPECT_EQ(axes({.extents = {0, 500}, .strides = {500, 1}, .kept = 1, .shape = {0, 500}}).first, 1);
    // Parts of other calls: a whole row, and one that begins within a row.
    EXPECT_EQ(axes({.extents = {4000}, .strides = {1}, .kept = 0, .shape = shape, .first = 8000}).first, 1);
    EXPECT_EQ(axes({.extents = {4000}, .strides = {1}, .kept = 0, .shape = shape, .first = 8001}).first, -1);
    EXPECT_EQ(axes({.extents = {3999}, .strides = {1}, .kept = 0, .shape = shape, .first = 8000}).first, -1);
}

TEST(FoldPlan, LongLinesOfSeveralFoldedAxesAreReducedOneAfterTheOther) {
    const launched rows = call_of{{3805, 2, 5531}, {5531, 3805 * 5531, 1}, 1}();
    EXPECT_EQ(rows.how, way::group_strided);
    EXPECT_EQ(rows.lines, 2u);
    EXPECT_EQ(rows.chunks, 2u);
    EXPECT_EQ(rows.each, 2u);
    EXPECT_EQ(rows.grid.x, 3805u);
    // In order, the warps of a block share the lines.
    const launched ordered = call_of{{3805, 2, 5532}, {5532, 3805 * 5532, 1}, 1}.run<ordered_steps>();
    EXPECT_EQ(ordered.how, way::group_runs);
    EXPECT_EQ(ordered.lines, 2u);
    EXPECT_EQ(ordered.chunks, ordered.threads / 32);
    EXPECT_EQ(ordered.each, 1u);
    // Few rows are shared by blocks, which have as many chunks each as one another.
    const launched few = call_of{{3, 12, 100'000}, {100'000, 300'000, 1}, 1}();
    EXPECT_EQ(few.lines, 12u);
    EXPECT_EQ(few.chunks, 84u);  // of up to 7 steps of 2048 elements, of which a line has 49
    EXPECT_EQ(few.each, 1u);
    EXPECT_EQ(few.grid.x, 84u);
    const launched uneven = call_of{{7, 3, 100'000}, {100'000, 700'000, 1}, 1}();
    EXPECT_EQ(uneven.chunks, 39u);  // of up to 4 steps
    EXPECT_EQ(uneven.grid.x, 39u);  // of the 43 for each row that run at once
    // Of short lines, elements are counted along all axes.
    EXPECT_EQ(call_of({{100'000, 20, 100}, {2000, 100, 2}, 1})().lines, 1u);
    EXPECT_EQ(call_of({{100'000, 20, 128}, {2560, 128, 2}, 1})().lines, 20u);
}

TEST(FoldPlan, FewElementsAreLoadedAllAtOnce) {
    const auto lanes = [](const call_of& call) {
        const launched found = call();
        EXPECT_EQ(found.how, way::group_few);
        return std::pair(found.lanes_log2, found.threads);
    };
    EXPECT_EQ(lanes({{1}, {3}, 0}), std::pair(5, 64u)) << "a warp, which needs no barrier beside another";
    EXPECT_EQ(lanes({{128}, {3}, 0}), std::pair(5, 64u));
    EXPECT_EQ(lanes({{129}, {3}, 0}), std::pair(6, 64u));
    EXPECT_EQ(lanes({{93, 13}, {16, 1}, 0}), std::pair(9, 512u));
    EXPECT_EQ(lanes({{2048}, {3}, 0}), std::pair(9, 512u));
    EXPECT_EQ(call_of({{2049}, {3}, 0})().how, way::group_strided);
    EXPECT_EQ(call_of({{10, 2000}, {4000, 2}, 1})().how, way::group_few);
    EXPECT_EQ(call_of({{100'000, 2000}, {4000, 2}, 1})().how, way::group_strided) << "not all blocks run at once";
    EXPECT_EQ(call_of({{2000}, {1}, 0})().how, way::group_vectors);
    EXPECT_EQ((call_of{{2000}, {1}, 0}.run<ordered_steps>().how), way::group_few);
    call_of reproducible{{2000}, {3}, 0};
    reproducible.is_reproducible = true;
    EXPECT_EQ(reproducible().how, way::group_strided);
    EXPECT_EQ(call_of({{0, 2}, {2, 1}, 0})().how, way::group_strided) << "nothing to load";
}

TEST(FoldPlan, FewColumnsHaveAFewElementsForEachThread) {
    const launched few = call_of{{52, 147}, {1, 52}, 1}();
    EXPECT_EQ(few.how, way::group_few);
    EXPECT_EQ(few.lanes_log2, 6);
    EXPECT_EQ((call_of{{52, 147}, {1, 52}, 1}.run<ordered_steps>().how), way::group_few);
    EXPECT_EQ(call_of({{2, 2048}, {1, 2}, 1})().how, way::group_few);
    EXPECT_EQ(call_of({{9, 2049}, {1, 9}, 1})().how, way::columns_elements);
    // Columns that are all within a sector of 32 bytes are read as often as there are columns, but hardly from memory.
    EXPECT_EQ(call_of({{8, 32'768}, {1, 8}, 1})().how, way::group_strided);
    EXPECT_EQ(call_of({{8, 32'769}, {1, 8}, 1})().how, way::columns_elements);
    EXPECT_EQ((call_of{{2, 2049}, {1, 2}, 1}.run<ordered_steps>().how), way::columns_elements);
    EXPECT_EQ(call_of({{184, 15}, {1, 184}, 1})().how, way::columns_elements) << "most lanes would have no element";
    EXPECT_EQ(call_of({{2, 3, 2, 1000}, {6000, 1, 3000, 3}, 2})().how, way::group_few) << "columns of two axes";
    EXPECT_EQ(call_of({{262, 1000}, {1, 262}, 1})().how, way::group_few);
    EXPECT_EQ(call_of({{263, 1000}, {1, 263}, 1})().how, way::columns_elements);
    for (const std::vector<std::int64_t>& extents : {std::vector<std::int64_t>{52, 147}, {8, 3000}}) {
        call_of reproducible{extents, {1, extents[0]}, 1};
        reproducible.is_reproducible = true;
        const way how = reproducible().how;
        EXPECT_TRUE(how == way::columns_elements || how == way::columns_vectors) << extents[0];
    }
}

TEST(FoldPlan, LongRowsHaveBlocksAsSmallAsKeepTheGpuBusy) {
    const launched few = call_of{{100, 10'000}, {10'000, 1}, 1}();
    EXPECT_EQ(few.how, way::group_vectors);
    EXPECT_EQ(few.threads, 512u);
    const launched many = call_of{{10'000, 10'000}, {10'000, 1}, 1}();
    EXPECT_EQ(many.how, way::group_vectors);
    EXPECT_EQ(many.threads, 256u);
    EXPECT_EQ(many.lanes_log2, 8);
    EXPECT_EQ(many.grid.x, 10'000u);
    EXPECT_EQ(call_of({{10'000, 100'000}, {100'000, 1}, 1})().threads, 512u);
    // 1000 blocks of 256 are more threads than run at once, of 128 they are fewer.
    EXPECT_EQ(call_of({{1000, 1000}, {1000, 1}, 1})().threads, 128u);
}

TEST(FoldPlan, ManyRowsHaveAWarpEachOfWholeBlocks) {
    const launched rows = call_of{{100'000, 1000}, {1000, 1}, 1}();
    EXPECT_EQ(rows.threads, 512u);
    EXPECT_EQ(rows.lanes_log2, 5);
    EXPECT_EQ(rows.grid.x, 100'000u / 16);
    EXPECT_EQ(call_of({{20'000, 2000}, {2000, 1}, 1})().lanes_log2, 6);
}

TEST(FoldPlan, RowsThatAreNotAlignedAlikeAreReadByVectors) {
    const launched rows = call_of{{1001, 9999}, {9999, 1}, 1}();
    EXPECT_EQ(rows.how, way::group_vectors);
    EXPECT_EQ(rows.threads, 128u);  // of 256, not all would run at once
    EXPECT_EQ(rows.phase, 0);
    EXPECT_EQ(rows.phases, std::vector<int>{3});
    EXPECT_EQ(rows.vectors, 2499) << "those of a row that begins with three single elements";
    EXPECT_EQ(rows.each, 2499u / 128);
    EXPECT_EQ(rows.with_one_more, 2499u % 128);
    const launched later = call_of{{1001, 9999}, {9999, 1}, 1, (1 << 20) + 4}();
    EXPECT_EQ(later.how, way::group_vectors);
    EXPECT_EQ(later.phase, 1);
    EXPECT_EQ(later.phases, std::vector<int>{3});
    EXPECT_EQ(later.vectors, 2499);
    // Where all rows are aligned alike, nothing is left to be read by single elements but what no vector has.
    const launched alike = call_of{{1001, 9999}, {10'000, 1}, 1, (1 << 20) + 4}();
    EXPECT_EQ(alike.phase, 1);
    EXPECT_EQ(alike.phases, std::vector<int>{0});
    EXPECT_EQ(alike.vectors, 2499) << "9996 elements behind the first three";
    EXPECT_EQ(call_of({{1001, 9999}, {10'000, 1}, 1})().vectors, 2499);
    EXPECT_EQ(call_of({{1001, 10'003}, {10'004, 1}, 1, (1 << 20) + 4})().vectors, 2500);
    // Rows that run backwards through memory.
    EXPECT_EQ(call_of({{1001, 9999}, {-9999, 1}, 1, 1 << 26})().phases, std::vector<int>{1});
    EXPECT_EQ(call_of({{7, 11, 13, 1000}, {143'143, 13'013, 1001, 1}, 3})().phases, (std::vector<int>{1, 1, 3}));
    EXPECT_EQ(call_of({{1001, 9999}, {2 * 9999, 2}, 1})().how, way::group_strided);
}

/// Vectors of a single input begin at one of its first elements. What cannot be read like that is read by elements.
TEST(FoldPlan, ASingleInputIsReadByVectorsWhereverItBegins) {
    const auto whole = [](std::uintptr_t address, operand_type type = {4, 4}, bool is_reproducible = false) {
        return call_of{{10'000}, {1}, 0, address, 0, type, is_reproducible}().how;
    };
    constexpr std::uintptr_t base = 1 << 20;
    EXPECT_EQ(whole(base + 4), way::group_vectors);
    EXPECT_EQ(whole(base + 4, {12, 4}), way::group_vectors);
    EXPECT_EQ(whole(base + 8, {24, 8}), way::group_vectors);
    EXPECT_EQ(call_of({{10'000}, {0}, 0})().how, way::group_strided);
    EXPECT_EQ(call_of({{100, 10'000}, {0, 0}, 1})().how, way::group_strided);
    // Types that may begin where no vector does.
    EXPECT_EQ(whole(base + 4, {8, 4}), way::group_mixed);
    EXPECT_EQ(whole(base + 8, {16, 8}), way::group_mixed);
    // Combined in the same order wherever it begins.
    EXPECT_EQ(whole(base + 4, {4, 4}, true), way::group_mixed);
}

TEST(FoldPlan, InstancesThatNoCallNeedsAreNotCompiled) {
    constexpr operand_type of_float = {4, 4}, of_complex = {16, 8}, two[] = {of_float, of_float};
    EXPECT_FALSE(may_be_mixed(&of_float, 1, false, false));
    EXPECT_TRUE(may_be_mixed(&of_float, 1, true, false));
    EXPECT_TRUE(may_be_mixed(&of_float, 1, false, true));
    EXPECT_TRUE(may_be_mixed(&of_complex, 1, false, false));
    EXPECT_TRUE(may_be_mixed(two, 2, false, false));
    EXPECT_TRUE(is_used(way::group_vectors, 1, false, true));
    EXPECT_FALSE(is_used(way::group_mixed, 4, false, false));
    EXPECT_TRUE(is_used(way::group_mixed, 4, true, false));
    for (const way of_vectors : {way::group_runs, way::lanes_vectors, way::columns_vectors}) {
        EXPECT_TRUE(is_used(of_vectors, 4, true, false));
        EXPECT_FALSE(is_used(of_vectors, 1, true, false));
        EXPECT_FALSE(is_used(of_vectors, 4, true, true));
    }
    EXPECT_TRUE(is_used(way::staged, 1, true, false));
    EXPECT_FALSE(is_used(way::staged, 1, true, true));
    for (const way of_elements : {way::group_strided, way::lanes_elements, way::columns_elements, way::segmented})
        EXPECT_TRUE(is_used(of_elements, 1, false, true));
}

TEST(FoldPlan, WholeArraysHaveSmallBlocksWhereCombiningTakesLong) {
    const auto whole = [](std::int64_t length) { return call_of{{length}, {1}, 0}; };
    EXPECT_EQ(whole(1000)().threads, 256u);  // a tile for each
    EXPECT_EQ(whole(1000)().grid.x, 1u);
    EXPECT_EQ(whole(8 * 2048)().threads, 512u);
    EXPECT_EQ(whole(8 * 2048)().grid.x, 1u);
    EXPECT_EQ(whole(8 * 2048 + 1)().threads, 512u);
    EXPECT_EQ(whole(8 * 2048 + 1)().grid.x, 5u);
    EXPECT_EQ(whole(8 * 2048).run<heavy_steps>().grid.x, 1u);
    const launched heavy = whole(8 * 2048 + 1).run<heavy_steps>();
    EXPECT_EQ(heavy.threads, 256u);
    EXPECT_EQ(heavy.lanes_log2, 8);
    EXPECT_EQ(heavy.grid.x, 17u);
    EXPECT_EQ(whole(64 * 300 * 1024).run<heavy_steps>().threads, 256u);
    EXPECT_EQ(whole(64 * 300 * 1024 + 1).run<heavy_steps>().threads, 512u);
    EXPECT_EQ(whole(2048).run<ordered_steps>().grid.x, 1u);
    EXPECT_EQ(whole(2049).run<ordered_steps>().threads, 256u);
    EXPECT_EQ(whole(300 * 1024 + 1).run<ordered_steps>().threads, 512u);
}

TEST(FoldPlan, RunsOfSeveralFoldedAxesAreWide) {
    const std::vector<std::int64_t> extents = {128, 64, 56 * 56}, strides = {56 * 56, 128 * 56 * 56, 1};
    const launched runs = call_of{extents, strides, 1}();
    EXPECT_EQ(runs.how, way::group_runs);
    EXPECT_EQ(runs.lines, 1u);
    // No blocks are left for another wave: 264 run at once, of which 256 have a share; and twice as many smaller shares
    // along one axis.
    EXPECT_EQ(runs.grid.x, 2u);
    EXPECT_EQ(call_of({{128, 64 * 56 * 56}, {64 * 56 * 56, 1}, 1})().grid.x, 4u);
    EXPECT_EQ(call_of({extents, strides, 1, (1 << 20) + 4})().how, way::group_strided);
    EXPECT_EQ(call_of({{128, 64, 57}, {57, 128 * 57, 1}, 1})().how, way::group_strided);
    EXPECT_EQ(call_of({{128, 64, 56}, {112, 128 * 112, 2}, 1})().how, way::group_strided);
}

TEST(FoldPlan, NeighboursOfDifferentResultsAreColumns) {
    EXPECT_EQ(call_of({{1000, 1000}, {1, 1000}, 1})().how, way::columns_vectors);
    EXPECT_EQ(call_of({{999, 1000}, {1, 999}, 1})().how, way::columns_elements);
}

TEST(FoldPlan, BlocksOfColumnsFitIntoOneWave) {
    const unsigned resident = 3 * 132;
    // 444 blocks of 128 columns, four threads for each, would take two waves.
    const launched wide = call_of{{56'801, 41}, {1, 56'801}, 1}();
    EXPECT_LE(wide.grid.x, resident);
    EXPECT_GT(wide.grid.x, resident / 2);
    // So would 100 of 32 columns, and four for each column.
    const launched tall = call_of{{3179, 542}, {1, 3179}, 1}();
    EXPECT_EQ(tall.grid.x, 100u);
    EXPECT_EQ(tall.grid.y, 3u);
}

TEST(FoldPlan, FewColumnsAreSpreadOverSmallBlocks) {
    const launched few = call_of{{1244, 5}, {1, 1244}, 1}();
    EXPECT_EQ(few.how, way::columns_elements);  // with vectors, a quarter of the threads would have all of the work
    EXPECT_EQ(few.threads, 64u);
    EXPECT_EQ(few.grid.x, (1244u + 63) / 64);  // a thread for each column: two would exchange more than they read
    EXPECT_EQ(few.grid.y, 1u);
    // Of up to 16 elements, a thread has all, unless each takes long.
    const launched alone = call_of{{5001, 16}, {1, 5001}, 1}();
    EXPECT_EQ(alone.how, way::columns_elements);
    EXPECT_EQ(alone.across, alone.threads);
    EXPECT_EQ(alone.grid.y, 1u);
    const launched shared = call_of{{5001, 17}, {1, 5001}, 1}();
    EXPECT_LT(shared.across, shared.threads);
    const launched more = call_of{{100'000, 5}, {1, 100'000}, 1}();
    EXPECT_EQ(more.how, way::columns_vectors);
    EXPECT_EQ(more.threads, 128u);
    const launched many = call_of{{1'000'000, 5}, {1, 1'000'000}, 1}();
    EXPECT_EQ(many.how, way::columns_vectors);
    EXPECT_EQ(many.threads, 512u);
    // Of long columns, several blocks have a share each.
    const launched tall = call_of{{40, 100'000}, {1, 40}, 1}();
    EXPECT_EQ(tall.threads, 512u);
    EXPECT_GT(tall.grid.y, 1u);
}

/// Memory is then read without gaps, and few threads are idle.
TEST(FoldPlan, TallBlocksReadWholeRowsOfColumns) {
    const launched narrow = call_of{{20, 500'000}, {1, 20}, 1}();
    EXPECT_EQ(narrow.how, way::columns_vectors);
    EXPECT_EQ(narrow.across, 5u);
    EXPECT_EQ(narrow.grid.x, 1u);
    const launched inner = call_of{{42, 3, 160'000}, {480'000, 1, 3}, 2}();
    EXPECT_EQ(inner.how, way::columns_elements);
    EXPECT_EQ(inner.across, 3u);  // not several rows of three, which are far from one another
    EXPECT_EQ(inner.grid.x, 42u);
    EXPECT_EQ((call_of{{300, 10, 2000}, {20'000, 1, 10}, 2}().across), 32u);  // more blocks than run at once
    EXPECT_EQ((call_of{{1000, 1000}, {1, 1000}, 1}().across), 32u);           // 250 of 256 have columns
    // Of wider rows only where combining takes long, and joining the blocks does not take longer.
    EXPECT_EQ((call_of{{33, 100'000}, {1, 33}, 1}().across), 32u);
    EXPECT_EQ((call_of{{33, 100'000}, {1, 33}, 1}.run<heavy_steps>().across), 33u);
    EXPECT_EQ((call_of{{200, 100'000}, {1, 200}, 1}.run<heavy_steps>().across), 32u);
    for (std::int64_t columns = 9; columns < 1500; columns += 2) {
        const launched tall = call_of{{columns, 10'000}, {1, columns}, 1}();
        ASSERT_LE(tall.across, tall.threads) << columns;
        ASSERT_GE(std::int64_t{tall.grid.x} * tall.across, columns) << columns;
        if (columns <= 16) {
            EXPECT_EQ(tall.across, columns);
        }
    }
}

/// A thread that has columns to itself stores their results, so that no other block may have a share of them.
TEST(FoldPlan, BlocksThatShareColumnsHaveSeveralThreadsForEach) {
    const auto expect_shared = [](const launched& columns) {
        EXPECT_TRUE(columns.grid.y == 1 || 2 * columns.across <= columns.threads)
            << columns.grid.y << " blocks, " << columns.across << " of " << columns.threads << " threads side by side";
    };
    for (std::int64_t columns = 8600; columns < 11'700; columns += 3)
        for (std::int64_t length = 725; length < 770; length += 4) {
            call_of call{{columns, length}, {1, columns}, 1};
            expect_shared(call());
            call.is_reproducible = true;
            expect_shared(call());
            if (HasFailure()) FAIL() << columns << " columns of " << length;
        }
}

TEST(FoldPlan, FewerThreadsAreBehindOneAnotherWhereMoreBlocksThenRun) {
    const launched columns = call_of{{5000, 10'000}, {1, 5000}, 1}();
    EXPECT_EQ(columns.how, way::columns_vectors);
    EXPECT_EQ(columns.grid.x, 20u);  // of which 15 behind one another run, 300 in all; 7 of 40 would be 280
    EXPECT_EQ(columns.grid.y, 15u);
}
