// tests/unit/runtime/scan/launch_scan_test.cpp: which instance of a kernel a scan is launched with, by how many blocks,
// and with which parameters.
#include "fake_file.hpp"
#include "scan/row_tiles.hpp"

#include <foldwise/detail/scan_code.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

using namespace foldwise::detail;

namespace {

using way = scan_instance;

struct launched {
    way how;
    unsigned int blocks, threads;
    scan_range range;
    std::int64_t initial;  ///< What follows the range, if there is an initial value.
};

launched noted;

/// A call that scans one input of floats in double, at an address that nobody touches, to floats.
struct call_of {
    std::int64_t count, length;
    std::uintptr_t address = 1 << 20;
    std::vector<std::int64_t> extents = {}, strides = {};  ///< None: contiguous.
    const double* start = nullptr;
    unsigned int accumulator = 8;
    const void* restarts = nullptr;
    void* ends = nullptr;
    int row_vectors = 4;

    launched run() const {
        alignas(16) std::array<std::byte, 4096> counters{};
        std::array<std::int64_t[max_axes], 2> all{};
        std::int64_t positions[max_axes] = {};
        element_layout layout{static_cast<int>(extents.size()), {}, all.data()};
        for (std::size_t axis = 0; axis < extents.size(); ++axis) {
            layout.extents[axis] = extents[axis];
            all[0][axis] = all[1][axis] = strides[axis];
        }
        const operand_address operands[] = {{reinterpret_cast<void*>(address), false},
                                            {reinterpret_cast<void*>(std::uintptr_t{1} << 30), false}};
        scan_call call{};
        call.elements = {count, operands, extents.empty() ? nullptr : &layout, 0, extents.data()};
        call.kept = extents.empty() ? 0 : static_cast<int>(extents.size()) - 1;
        call.length = length;
        call.positions = positions;
        call.start = start;
        call.restarts = restarts;
        call.ends = ends;
        call.workspace = {counters.data(), nullptr, counters.size(), 0};
        static constexpr operand_type types[] = {{4, 4}, {4, 4}};
        static known_blocks resident[scan_instances];
        scan_code code = {.file = &fake_file,
                          .instances = {},
                          .resident = resident,
                          .operands = types,
                          .inputs = 1,
                          .threads = 256,
                          .width = 4,
                          .pipeline_rows = 2,
                          .row_vectors = row_vectors,
                          .index_rank = 0,
                          .accumulator = {accumulator, accumulator}};
        for (int i = 0; i < scan_instances; ++i) code.instances[i] = fake_code(i);
        look_at_arguments = [](void** arguments) {
            // Behind the input, the results and the strides.
            std::memcpy(&noted.range, arguments[3], sizeof noted.range);
            constexpr std::size_t behind = (sizeof(scan_range) + 7) / 8 * 8;
            std::memcpy(&noted.initial, static_cast<std::byte*>(arguments[3]) + behind, sizeof noted.initial);
        };
        EXPECT_EQ(launch(code, call, nullptr), 0);
        look_at_arguments = nullptr;
        const noted_launch& last = last_launch();
        noted.how = static_cast<way>(last.instance);
        noted.blocks = last.x;
        noted.threads = last.threads;
        return noted;
    }
};

/// A vector for each of a block's threads; and 32 KiB of accumulators.
constexpr std::int64_t row = 1024, tile = 4 * row;

TEST(LaunchScan, ContiguousOperandsGoByVectors) {
    const launched whole = call_of{.count = 100 * row, .length = 8 * row + 4}.run();
    EXPECT_EQ(whole.how, way::vectors);
    EXPECT_EQ(whole.threads, 256u);
    EXPECT_EQ(whole.range.tiles, 100u);
    EXPECT_EQ(whole.range.tile.divisor, static_cast<std::uint64_t>(row));
    EXPECT_EQ(whole.range.rows, 1);
    EXPECT_EQ(whole.range.count, 100 * row);
    EXPECT_EQ(whole.range.length.divisor, 8u * row + 4);
    EXPECT_EQ(whole.range.rank, 0);
    EXPECT_FALSE(whole.range.has_initial);
    EXPECT_EQ((call_of{.count = 100, .length = 100, .address = (1 << 20) + 4}.run().how), way::elements);
}

TEST(LaunchScan, ManyElementsArePipelined) {
    const launched whole = call_of{.count = 1000 * row + 1, .length = 1000 * row + 1}.run();
    EXPECT_EQ(whole.how, way::pipelined);
    EXPECT_EQ(whole.threads, 256u);
    EXPECT_EQ(whole.range.rows, 2);
    EXPECT_EQ(whole.range.tiles, 501u);
    EXPECT_EQ(whole.range.tile.divisor, 2u * row);
    EXPECT_TRUE(whole.range.are_aligned);
    // The bits of results do not depend on the alignment.
    const launched other = call_of{.count = 1000 * row, .length = 1000 * row, .address = (1 << 20) + 4}.run();
    EXPECT_EQ(other.how, way::pipelined);
    EXPECT_FALSE(other.range.are_aligned);
    EXPECT_EQ((call_of{.count = 5000 * 1000, .length = 5000}.run().how), way::pipelined);
    EXPECT_EQ((call_of{.count = 256 * row, .length = 256 * row}.run().how), way::vectors);
}

/// Tiles are as many whole rows as there is room for, so that none is linked to others.
TEST(LaunchScan, ShortRowsHaveTilesOfWholeOnes) {
    const launched few = call_of{.count = 1000 * 1000, .length = 1000}.run();
    EXPECT_EQ(few.how, way::rows);
    EXPECT_EQ(few.threads, 256u);
    EXPECT_EQ(few.range.tile.divisor, 4000u);
    EXPECT_EQ(few.range.tiles, 250u);
    EXPECT_EQ(few.blocks, 250u);
    EXPECT_TRUE(few.range.are_aligned);
    EXPECT_EQ((call_of{.count = 3'000'000, .length = 3}.run().range.tile.divisor), 3u * 1364);
    EXPECT_EQ((call_of{.count = 3'000'000, .length = 3}.run().blocks), 300u) << "each block has several";
    // A tile alone is not linked anyhow.
    EXPECT_EQ((call_of{.count = row, .length = 8}.run().how), way::vectors);
    EXPECT_EQ((call_of{.count = row + 8, .length = 8}.run().how), way::rows);
    EXPECT_EQ((call_of{.count = 10 * tile, .length = tile}.run().how), way::rows);
    EXPECT_EQ((call_of{.count = 10 * tile + 10, .length = tile + 1}.run().how), way::vectors);
    // Many tiles in which one or two rows begin are linked all the same; those in which more do are not.
    EXPECT_EQ((call_of{.count = 10'000 * tile, .length = tile}.run().how), way::pipelined);
    EXPECT_EQ((call_of{.count = 10'000 * tile, .length = tile / 2}.run().how), way::pipelined);
    EXPECT_EQ((call_of{.count = 10'000 * tile, .length = tile / 4}.run().how), way::rows);
    EXPECT_EQ((call_of{.count = 1000 * tile, .length = tile}.run().how), way::rows) << "all tiles run at once";
    EXPECT_EQ((call_of{.count = 3 * 1300 * 10'000, .length = 1300}.run().how), way::rows);
    // Neither the alignment nor strides move elements to other tiles.
    const launched apart = call_of{.count = 1000 * 1000, .length = 1000, .address = (1 << 20) + 4}.run();
    EXPECT_EQ(apart.how, way::rows);
    EXPECT_FALSE(apart.range.are_aligned);
    EXPECT_EQ(apart.range.tile.divisor, 4000u);
    const launched strided =
        call_of{.count = 1000 * 1000, .length = 1000, .extents = {10, 100, 1000}, .strides = {500'000, 3000, 2}}.run();
    EXPECT_EQ(strided.how, way::rows);
    EXPECT_EQ(strided.range.tile.divisor, 4000u);
    EXPECT_EQ(strided.range.rank, 3);
}

TEST(LaunchScan, OtherShortRowsStayLinked) {
    int mark = 0;
    EXPECT_EQ((call_of{.count = 20'000, .length = 1000, .restarts = &mark}.run().how), way::vectors) << "keys";
    EXPECT_EQ((call_of{.count = 20'000, .length = 1000, .ends = &mark}.run().how), way::vectors) << "part of a scan";
    EXPECT_EQ((call_of{.count = 20'000, .length = 1000, .row_vectors = 0}.run().how), way::vectors) << "large ones";
    // Vectors that are taken apart would be in three rows of memory.
    EXPECT_EQ((call_of{.count = 30'000, .length = 3, .extents = {10'000, 3}, .strides = {10, 2}}.run().how),
              way::elements);
    EXPECT_EQ((call_of{.count = 40'000, .length = 4, .extents = {10'000, 4}, .strides = {10, 2}}.run().how), way::rows);
}

/// Tiles are at least three quarters full, and begin with a vector.
TEST(RowTiles, HaveAsManyRowsAsFit) {
    EXPECT_EQ(rows_of_tile(1, 4, 4096), 4096);
    EXPECT_EQ(rows_of_tile(3, 4, 4096), 1364);
    EXPECT_EQ(rows_of_tile(3, 1, 4096), 1365);
    EXPECT_EQ(rows_of_tile(1000, 4, 4096), 4);
    EXPECT_EQ(rows_of_tile(1001, 4, 4096), 4);
    EXPECT_EQ(rows_of_tile(1001, 8, 4096), 0);
    EXPECT_EQ(rows_of_tile(3000, 4, 4096), 0);
    EXPECT_EQ(rows_of_tile(3072, 4, 4096), 1);
    EXPECT_EQ(rows_of_tile(4096, 4, 4096), 1);
    EXPECT_EQ(rows_of_tile(4097, 4, 4096), 0);
    EXPECT_EQ(rows_of_tile(0, 4, 4096), 0);
    EXPECT_EQ(rows_of_tile(5, 4, 0), 0);
}

/// Each element has a register of its own.
TEST(RowTiles, HaveFewElementsForEachThread) {
    EXPECT_EQ(scan_row_vectors(256, 4, 4, 16), 4);
    EXPECT_EQ(scan_row_vectors(256, 16, 1, 16), 1);
    EXPECT_EQ(scan_row_vectors(256, 8, 2, 16), 2);
    EXPECT_EQ(scan_row_vectors(256, 2, 8, 16), 4);
    EXPECT_EQ(scan_row_vectors(256, 1, 24, 24), 2);
    EXPECT_EQ(scan_row_vectors(64, 4, 64, 16), 0);
}

TEST(LaunchScan, HasABlockForEachTileAsFarAsTheyRunAtOnce) {
    EXPECT_EQ((call_of{.count = 1, .length = 1}.run().blocks), 1u);
    EXPECT_EQ((call_of{.count = 100 * row, .length = 100 * row}.run().blocks), 100u);
    const launched many = call_of{.count = 1'000'000'000, .length = 1'000'000'000}.run();
    EXPECT_EQ(many.blocks, 300u);
    EXPECT_EQ(many.range.tiles, (1'000'000'000u + 2 * row - 1) / (2 * row));
}

TEST(LaunchScan, TilesOfFewElementsAreSmall) {
    const auto run = [](std::int64_t count) {
        return call_of{.count = count, .length = count, .extents = {count}, .strides = {2}}.run().range;
    };
    EXPECT_EQ(run(row).rows, 1);
    EXPECT_EQ(run(row + 1).tiles, 2u);
    EXPECT_EQ(run(128 * row).rows, 1);  // on a GPU of 100 multiprocessors as on others
    EXPECT_EQ(run(128 * row + 1).rows, 2);
    EXPECT_EQ(run(256 * row).tiles, 128u);
    EXPECT_EQ(run(256 * row + 1).rows, 4);
    EXPECT_EQ(run(1'000'000 * row).rows, 4);
}

TEST(LaunchScan, OtherStridesGoByElements) {
    const launched columns =
        call_of{.count = 4 * 3 * 5, .length = 5, .extents = {4, 3, 5}, .strides = {30, 10, 2}}.run();
    EXPECT_EQ(columns.how, way::elements);
    EXPECT_EQ(columns.range.rank, 3);
    EXPECT_EQ(columns.range.extents[0].divisor, 5u);
    EXPECT_EQ(columns.range.extents[1].divisor, 3u);
}

TEST(LaunchScan, ColumnsGoSideBySide) {
    const std::int64_t count = 4 * 300 * 5000;
    const launched columns =
        call_of{.count = count, .length = 5000, .extents = {300, 4, 5000}, .strides = {1, 1'500'000, 300}}.run();
    EXPECT_EQ(columns.how, way::columns);
    EXPECT_EQ(columns.threads, 256u);
    EXPECT_EQ(columns.blocks, 300u);
    EXPECT_EQ(columns.range.rank, 3);
    EXPECT_EQ(columns.range.extents[0].divisor, 5000u);
    EXPECT_EQ(columns.range.extents[1].divisor, 300u);
    const scan_strips& strips = columns.range.along_columns;
    EXPECT_EQ(strips.columns, 1200);
    EXPECT_EQ(strips.across_log2, 5);
    EXPECT_EQ(columns.range.tiles, strips.strips.divisor * strips.deep);
    EXPECT_EQ((call_of{.count = 60, .length = 5, .extents = {12, 5}, .strides = {1, 12}}.run().blocks), 1u);
}

TEST(LaunchScan, EnoughColumnsHaveABlockForEachStrip) {
    const std::int64_t count = std::int64_t{4} * 3000 * 5000;
    const launched columns =
        call_of{.count = count, .length = 5000, .extents = {3000, 4, 5000}, .strides = {1, 15'000'000, 3000}}.run();
    EXPECT_EQ(columns.how, way::strips);
    EXPECT_EQ(columns.threads, 512u);
    EXPECT_EQ(columns.blocks, 125u);
    EXPECT_EQ(columns.range.rank, 3);
    EXPECT_EQ(columns.range.extents[0].divisor, 5000u);
    EXPECT_EQ(columns.range.extents[1].divisor, 3000u);
    EXPECT_EQ(columns.range.along_columns.columns, 12'000);
    EXPECT_EQ(columns.range.along_columns.across, 96);
    // More of them than run at once: the GPU starts one block after another.
    const launched many =
        call_of{.count = 500 * 1'000'000, .length = 500, .extents = {1'000'000, 500}, .strides = {1, 1'000'000}}.run();
    EXPECT_EQ(many.how, way::strips);
    EXPECT_EQ(many.blocks, (1'000'000u + 495) / 496);
}

/// Two columns of floats lie side by side in every row, wherever a thread's first one is; or else they are apart.
TEST(LaunchScan, StripsHaveVectorsWhereRowsAreAligned) {
    const auto run = [](std::int64_t columns, std::int64_t pitch, std::uintptr_t ahead, unsigned int accumulator,
                        std::int64_t step = 1) {
        const launched strips = call_of{.count = 4 * columns * 500,
                                        .length = 500,
                                        .address = (1 << 20) + ahead,
                                        .extents = {4, columns, 500},
                                        .strides = {500 * pitch, step, pitch},
                                        .accumulator = accumulator}
                                    .run();
        EXPECT_EQ(strips.how, way::strips);
        return strips.range.are_aligned;
    };
    EXPECT_TRUE(run(3000, 3000, 0, 4));
    EXPECT_TRUE(run(3000, 3002, 8, 4));
    EXPECT_FALSE(run(3000, 3000, 4, 4));
    EXPECT_FALSE(run(3000, 3001, 0, 4));
    EXPECT_FALSE(run(3001, 3002, 0, 4)) << "a thread's columns would be in two of the outer axis";
    EXPECT_FALSE(run(3000, 6000, 0, 4, 2));
    EXPECT_TRUE(run(3001, 3001, 4, 8)) << "a column for each thread";
}

TEST(LaunchScan, PassesTheInitialValueOn) {
    const double start = 2.5;
    const launched from = call_of{.count = 5, .length = 5, .start = &start}.run();
    EXPECT_TRUE(from.range.has_initial);
    double passed = 0;
    std::memcpy(&passed, &from.initial, sizeof passed);
    EXPECT_EQ(passed, 2.5);
}

/// Every word of the workspace can be cleared, also those of larger launches.
TEST(LaunchScan, KnowsAllWords) {
    const launched one = call_of{.count = 5, .length = 5}.run();
    EXPECT_EQ(reinterpret_cast<std::byte*>(one.range.words + one.range.word_count) -
                  reinterpret_cast<std::byte*>(one.range.progress),
              4096 - static_cast<std::ptrdiff_t>(scan_progress_offset));
}

TEST(ScanWorkspace, HasRoomForTheSmallestTiles) {
    EXPECT_EQ(scan_counter_bytes(scan_aggregates(65), 4),
              scan_progress_offset + sizeof(scan_progress) + 2 * sizeof(unsigned long long));
    EXPECT_EQ(scan_part_bytes(scan_aggregates(65), 24), 48u);
    // A word for each tile, and the second of the pair in which the last one is.
    for (const std::int64_t tiles : {1, 255, 256, 257, 100'000})
        EXPECT_EQ(scan_aggregates(tiles * least_tile), static_cast<std::size_t>((tiles + 1) / 2 * 2));
    for (const std::size_t size : {1, 2, 4, 8, 16, 64})
        for (const int width : {1, 2, 4, 8, 16})
            for (const int threads : {64, 128, 256}) {
                EXPECT_GE(std::int64_t{threads} * width * scan_rows(threads, width, size), least_tile);
                const int rows = scan_rows(threads, width, size);
                EXPECT_TRUE(rows == 1 || rows == 2 || rows == 4 || rows == 8) << rows;
            }
}

}  // namespace
