// tests/unit/runtime/reduce/launch_short_rows_test.cpp: which instance of a kernel reduces short rows, and how many
// threads share one.
#include "launched_reduce.hpp"

#include <gtest/gtest.h>

#include <utility>

using namespace test_reduce;

TEST(FoldPlan, ShortRowsHaveSomeLanesEach) {
    const launched wide = call_of{{1000, 32}, {32, 1}, 1}();
    EXPECT_EQ(wide.how, way::lanes_vectors);
    EXPECT_EQ(wide.lanes_log2, 2);
    EXPECT_EQ(wide.tiles_log2, 1);
    EXPECT_EQ(wide.threads, 128u);
    EXPECT_EQ(wide.grid.x, (1000u + 63) / 64);  // 32 rows at once, two for each thread
    EXPECT_EQ(call_of({{1000, 32}, {33, 1}, 1})().how, way::lanes_elements);
    EXPECT_EQ(call_of({{1000, 32}, {64, 2}, 1})().how, way::lanes_elements);
}

TEST(FoldPlan, RowsThatFollowOneAnotherAreCopiedToSharedMemoryIfTheyCannotBeReadByVectors) {
    const auto rows = [](std::int64_t count, std::int64_t length) {
        return call_of{{count, length}, {length, 1}, 1}();
    };
    const launched odd = rows(1'000'000, 33);
    EXPECT_EQ(odd.how, way::staged);
    EXPECT_EQ(odd.lanes_log2, 1);  // 64 rows fit, but not 128
    EXPECT_EQ(odd.rows_each, 64);
    EXPECT_EQ(odd.grid.x, 1'000'000u / 64);
    EXPECT_EQ(odd.shared_bytes, 64u * 33 * 4 + 32);
    EXPECT_EQ(rows(1'000'000, 9).rows_each, 256);   // a thread has several
    EXPECT_EQ(rows(1'000'000, 301).lanes_log2, 4);  // so that 8 rows fit
    EXPECT_EQ(rows(1'000'000, 301).rows_each, 8);
    EXPECT_EQ(rows(1000, 33).lanes_log2, 5);  // so that all multiprocessors have some
    EXPECT_EQ(rows(10'000, 33).lanes_log2, 2);
    EXPECT_EQ(rows(1'000'000, 511).how, way::staged);
    EXPECT_EQ(rows(1'000'000, 513).how, way::group_vectors);
    EXPECT_EQ(rows(22, 301).how, way::group_vectors) << "blocks have more threads for a row than a warp";
    EXPECT_EQ((call_of{{22, 301}, {301, 1}, 1}.run<ordered_steps>().how), way::group_few);
    EXPECT_EQ(rows(100'000, 301).how, way::staged) << "not all blocks run at once";
    EXPECT_EQ(rows(22, 127).how, way::staged) << "a warp has a few elements for each lane";
    EXPECT_EQ(rows(10'000, 3).how, way::threads_elements);                    // a thread loads them at once
    EXPECT_EQ(call_of({{1000, 33}, {40, 1}, 1})().how, way::lanes_elements);  // there is something between them
    // Lanes of different rows do not read the same bank.
    call_of misaligned{{1'000'000, 32}, {32, 1}, 1};
    misaligned.address += 4;
    EXPECT_EQ(misaligned().how, way::staged);
    EXPECT_EQ(misaligned().lanes_log2, 4);
    // Where order must be kept, a lane has an odd number of neighbours.
    EXPECT_EQ((call_of{{1'000'000, 301}, {301, 1}, 1}.run<ordered_steps>().elements_each), 19);
}

TEST(FoldPlan, RowsWhoseVectorsLeaveLanesIdleAreCopiedToSharedMemoryIfThereAreMany) {
    const auto rows = [](std::int64_t count, std::int64_t length) {
        return call_of{{count, length}, {length, 1}, 1}();
    };
    EXPECT_EQ(rows(1'000'000, 20).how, way::staged) << "5 vectors for 8 places";
    EXPECT_EQ(rows(1'000'000, 24).how, way::lanes_vectors) << "6 for 8";
    EXPECT_EQ(rows(1'000'000, 36).how, way::staged);
    EXPECT_EQ(rows(1'000'000, 132).how, way::staged);
    EXPECT_EQ(rows(1'000'000, 32).how, way::lanes_vectors);
    EXPECT_EQ(rows(10'000, 20).how, way::lanes_vectors) << "too few for the memory to be busy";
    EXPECT_EQ(call_of({{1'000'000, 20}, {24, 1}, 1})().how, way::lanes_vectors) << "there is something between them";
    EXPECT_EQ((call_of{{1'000'000, 20}, {20, 1}, 1}.run<ordered_steps>().how), way::staged);
}

TEST(FoldPlan, RowsOfAFewElementsHaveAThreadForSeveral) {
    const auto rows = [](std::int64_t count, std::int64_t length, std::int64_t apart) {
        return call_of{{count, length}, {apart, 1}, 1};
    };
    const launched tiny = rows(3'000'000, 3, 3)();
    EXPECT_EQ(tiny.how, way::threads_elements);
    EXPECT_EQ(tiny.threads, 128u);
    EXPECT_EQ(tiny.grid.x, 3'000'000u / 512 + 1);  // four rows for each thread
    EXPECT_EQ(rows(3'000'000, 3, 3).run<ordered_steps>().how, way::threads_elements);
    EXPECT_EQ(rows(3'000'000, 7, 7)().how, way::threads_elements);
    EXPECT_EQ(rows(3'000'000, 9, 9)().how, way::staged);
    EXPECT_EQ(rows(3'000'000, 4, 4)().how, way::lanes_vectors);
    EXPECT_EQ(rows(3'000'000, 3, 40)().how, way::threads_elements);
    // Several axes, if what lies along the last one is near.
    EXPECT_EQ(call_of({{3'000'000, 2, 2}, {10, 5, 2}, 1})().how, way::threads_elements);
    EXPECT_EQ(call_of({{3'000'000, 4}, {30, 3}, 1})().how, way::lanes_elements);
    EXPECT_EQ(call_of({{3'000'000, 2, 2}, {2, 6'000'000, 1}, 1})().how, way::threads_elements);
    // Columns that cannot be read by vectors; which ones these are may differ from row to row.
    EXPECT_EQ(call_of({{3'000'001, 2}, {1, 3'000'001}, 1})().how, way::threads_elements);
    EXPECT_EQ(call_of({{3'000'000, 2}, {1, 3'000'000}, 1})().how, way::columns_vectors);
    EXPECT_EQ(call_of({{3'000'001, 16}, {1, 3'000'001}, 1})().how, way::threads_elements);
    EXPECT_EQ(call_of({{3'000'001, 17}, {1, 3'000'001}, 1})().how, way::columns_elements);
    // Several threads could share a column, but not the few elements of a row.
    EXPECT_EQ(call_of({{100'001, 2}, {1, 100'001}, 1})().how, way::columns_elements);
    EXPECT_EQ(rows(100'001, 7, 7)().how, way::threads_elements);
    // Few rows, if a thread waits for its elements twice at most.
    EXPECT_EQ(rows(40, 3, 3)().how, way::threads_elements);
    EXPECT_EQ(rows(40, 4, 5)().how, way::threads_elements);
    EXPECT_EQ(rows(40, 5, 6)().how, way::lanes_elements);
    EXPECT_EQ(call_of({{40, 2, 2}, {10, 5, 2}, 1})().how, way::threads_elements);
    EXPECT_EQ(rows(40, 4, 4)().how, way::lanes_vectors);
    call_of reproducible{{3'000'000, 3}, {3, 1}, 1};
    reproducible.is_reproducible = true;
    EXPECT_NE(reproducible().how, way::threads_elements);
}

TEST(FoldPlan, ManyRowsOfShortLinesHaveAThreadForSeveral) {
    // Two lines of 12 floats each.
    const auto rows = [](std::int64_t count) { return call_of{{count, 2, 12}, {12, 12 * count, 1}, 1}; };
    EXPECT_EQ(rows(1'200'000)().how, way::threads_elements);
    EXPECT_EQ(rows(1'200'000).run<ordered_steps>().how, way::threads_elements);
    EXPECT_EQ(rows(800'000)().how, way::lanes_elements) << "too few for how long a thread waits";
    EXPECT_EQ(call_of({{3'000'000, 2, 16}, {16, 48'000'000, 1}, 1})().how, way::threads_elements);
    EXPECT_EQ(call_of({{3'000'000, 2, 17}, {17, 51'000'000, 1}, 1})().how, way::lanes_elements) << "34 elements";
    EXPECT_EQ(call_of({{3'000'000, 2, 9}, {18, 54'000'000, 2}, 1})().how, way::lanes_elements) << "68 bytes";
    EXPECT_EQ(call_of({{3'000'000, 10}, {14, 1}, 1})().how, way::threads_elements) << "a slice";
    EXPECT_EQ(call_of({{3'000'000, 10}, {10, 1}, 1})().how, way::staged);
}

TEST(FoldPlan, AFewRowsThatTakeLongHaveAThreadForEachElement) {
    const launched two = call_of{{2, 440}, {440, 1}, 1}.run<long_steps>();
    EXPECT_EQ(two.how, way::group_few);
    EXPECT_EQ(two.lanes_log2, 9);
    EXPECT_EQ(two.grid.x, 2u);
    EXPECT_EQ(call_of({{2, 440}, {440, 1}, 1})().how, way::lanes_vectors);
    EXPECT_EQ((call_of{{2, 440}, {440, 1}, 1}.run<long_ordered_steps>().how), way::lanes_vectors);
    const launched many = call_of{{3588, 30}, {60, 2}, 1}.run<long_steps>();
    EXPECT_EQ(many.how, way::group_few);
    EXPECT_EQ(many.lanes_log2, 5) << "a warp";
    const launched each = call_of{{500, 200}, {400, 2}, 1}.run<long_steps>();
    EXPECT_EQ(each.how, way::group_few);
    EXPECT_EQ(500 << each.lanes_log2, 128'000) << "as many as run at once, twice as many do not";
    EXPECT_EQ((call_of{{2, 15}, {30, 2}, 1}.run<long_steps>().how), way::lanes_elements) << "few for a warp";
    EXPECT_EQ((call_of{{2000}, {1}, 0}.run<long_steps>().how), way::group_vectors) << "a whole array";
    const launched columns = call_of{{52, 147}, {1, 52}, 1}.run<long_steps>();
    EXPECT_EQ(columns.how, way::group_few);
    EXPECT_EQ(columns.lanes_log2, 6) << "neighbouring columns are read by neighbouring warps";
}

TEST(FoldPlan, LanesHaveAsManyTilesAsLeaveTheirLoadsSideBySide) {
    const auto rows = [](std::int64_t length, std::int64_t apart) { return call_of{{1000, length}, {apart, 1}, 1}; };
    const auto expect = [](const launched& got, way how, int lanes, int tiles) {
        EXPECT_EQ(got.how, how);
        EXPECT_EQ(1 << got.lanes_log2, lanes);
        EXPECT_EQ(1 << got.tiles_log2, tiles);
    };
    // 64 bytes of a row at once: four lanes with vectors, 16 with single floats.
    expect(rows(4, 4)(), way::lanes_vectors, 1, 1);
    expect(rows(16, 16)(), way::lanes_vectors, 4, 1);
    expect(rows(32, 32)(), way::lanes_vectors, 4, 2);
    expect(rows(100, 100)(), way::lanes_vectors, 8, 4);
    expect(rows(128, 128)(), way::lanes_vectors, 8, 4);
    expect(rows(5, 6)(), way::lanes_elements, 2, 1);
    expect(rows(60, 61)(), way::lanes_elements, 16, 1);
    expect(rows(100, 101)(), way::lanes_elements, 16, 2);
    // In order, each lane has neighbours: of vectors any number, of single floats those of one sector.
    expect(rows(16, 16).run<ordered_steps>(), way::lanes_vectors, 1, 4);
    expect(rows(100, 100).run<ordered_steps>(), way::lanes_vectors, 8, 4);
    expect(rows(100, 101).run<ordered_steps>(), way::lanes_elements, 16, 2);
    // Where combining takes long, also of longer rows.
    expect(rows(132, 132)(), way::lanes_vectors, 16, 4);
    expect(rows(512, 512)(), way::lanes_vectors, 32, 4);
    EXPECT_EQ(rows(516, 516)().how, way::group_vectors);
    expect(rows(256, 256).run<ordered_steps>(), way::lanes_vectors, 16, 4);
    expect(rows(256, 256).run<heavy_steps>(), way::lanes_vectors, 16, 4);
    EXPECT_EQ((call_of{{1'000'000, 132}, {133, 1}, 1}.run<ordered_steps>().how), way::group_vectors);
}

TEST(FoldPlan, ShortRowsOfSeveralAxesHaveLanesToo) {
    const launched tiny = call_of{{10'000, 2, 3}, {10, 5, 2}, 1}();
    EXPECT_EQ(tiny.how, way::lanes_elements);
    EXPECT_EQ(tiny.lanes_log2, 1);
    EXPECT_EQ(tiny.grid.x, 10'000u / 256 + 1);  // two threads for each row, four rows one after the other
    const launched cubes = call_of{{1000, 3, 3, 3}, {1000, 100, 10, 1}, 1}();
    EXPECT_EQ(cubes.how, way::lanes_elements);
    EXPECT_EQ(cubes.lanes_log2, 3);
    EXPECT_EQ(cubes.tiles_log2, 0);
    EXPECT_EQ(call_of({{1000, 2, 64}, {1000, 100, 1}, 1})().how, way::lanes_elements);
    EXPECT_NE(reducer_of(call_of({{1000, 2, 65}, {1000, 100, 1}, 1})().how), reducer::lanes);
    // All axes together have offsets of 32 bits.
    constexpr std::int64_t half = INT32_MAX / 2;
    EXPECT_EQ(call_of({{2, 2, 2}, {4 * half, half + 1, half}, 1})().how, way::lanes_elements);
    EXPECT_EQ(call_of({{2, 2, 2}, {4 * half, half + 2, half}, 1})().how, way::group_few);
}

TEST(FoldPlan, LanesHaveOffsetsOfThirtyTwoBits) {
    constexpr std::int64_t farthest = INT32_MAX / 31;
    EXPECT_EQ(call_of({{2, 32}, {farthest * 32, farthest}, 1})().how, way::lanes_elements);
    EXPECT_EQ(call_of({{2, 32}, {farthest * 32, -farthest}, 1})().how, way::lanes_elements);
    EXPECT_EQ(call_of({{2, 32}, {(farthest + 1) * 32, farthest + 1}, 1})().how, way::group_few);
    EXPECT_EQ(call_of({{2, 32}, {(farthest + 1) * 32, -farthest - 1}, 1})().how, way::group_few);
    EXPECT_EQ(call_of({{2, 2}, {std::int64_t{1} << 33, std::int64_t{1} << 32}, 1})().how, way::group_few);
}
