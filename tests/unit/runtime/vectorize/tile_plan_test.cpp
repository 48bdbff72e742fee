// tests/unit/runtime/vectorize/tile_plan_test.cpp: which calls are cut into tiles, and how.
#include "vectorize/tile_plan.hpp"

#include <gtest/gtest.h>

#include <array>
#include <ostream>
#include <vector>

using namespace foldwise::detail;

namespace {

/// A call of two inputs and one output of floats, at addresses that nobody touches.
struct plan_of {
    std::vector<std::int64_t> extents;
    std::vector<std::vector<std::int64_t>> strides;
    std::uintptr_t out_address = 1 << 20;
    bool is_ordered = false;
    std::uint32_t tile_bytes = 8448, upright_bytes = 9216;
    int width = 4;
    bool is_flat = false;

    tiled_range operator()() const {
        std::array<std::int64_t[max_axes], 3> all{};
        element_layout layout{static_cast<int>(extents.size()), {}, all.data()};
        std::int64_t count = 1;
        for (std::size_t axis = 0; axis < extents.size(); ++axis) {
            layout.extents[axis] = extents[axis];
            count *= extents[axis];
            for (std::size_t i = 0; i < 3; ++i) all[i][axis] = strides[i][axis];
        }
        const auto base = reinterpret_cast<void*>(std::uintptr_t{1} << 20);
        const operand_address operands[] = {
            {base, false}, {base, false}, {reinterpret_cast<void*>(out_address), false}};
        const element_range call{count, operands, &layout, 0, nullptr};
        const std::uint32_t sizes[] = {4, 4, 4};
        const tile_traits traits{.threads = 256,
                                 .width = width,
                                 .operands = 3,
                                 .inputs = 2,
                                 .is_ordered = is_ordered,
                                 .is_flat = is_flat,
                                 .sizes = sizes,
                                 .alignment = 16,
                                 .tile_bytes = tile_bytes,
                                 .upright_bytes = upright_bytes};
        return plan_tiles(call, traits);
    }
};

}  // namespace

TEST(TilePlan, RowsOfABroadcastCallFillABlock) {
    const tiled_range tiles = plan_of{{10'000, 10'000}, {{10'000, 1}, {0, 1}, {10'000, 1}}}();
    EXPECT_EQ(tiles.tiles, 0);
    EXPECT_EQ(tiles.lanes_log2, 8);
    EXPECT_EQ(tiles.column_tiles.divisor, 5u);  // 2500 vectors, 512 in a block
    EXPECT_EQ(tiles.blocks, 5u * 10'000);
    EXPECT_EQ(tiles.next_column, 256 * 4);
    EXPECT_EQ(tiles.next_row, 0);
    EXPECT_EQ(tiles.phase, 0u);
}

TEST(TilePlan, ShortRowsShareABlock) {
    const tiled_range tiles = plan_of{{32, 32}, {{32, 1}, {0, 1}, {32, 1}}}();
    EXPECT_EQ(tiles.lanes_log2, 3);
    EXPECT_EQ(tiles.blocks, 1u);
    EXPECT_EQ(tiles.next_column, 0);
    EXPECT_EQ(tiles.next_row, 32);
}

TEST(TilePlan, RowsThatWouldLeaveTilesEmptyAreCutIntoSeveral) {
    const tiled_range tiles = plan_of{{1000, 300}, {{300, 1}, {0, 1}, {300, 1}}}();  // 75 vectors
    EXPECT_EQ(tiles.lanes_log2, 4);
    EXPECT_EQ(tiles.column_tiles.divisor, 5u);
}

TEST(TilePlan, ATransposedInputMakesItsAxisTheRows) {
    const tiled_range tiles = plan_of{{64, 3, 100}, {{300, 100, 1}, {1, 6400, 64}, {300, 100, 1}}}();
    EXPECT_EQ(tiles.tiles, 1);
    EXPECT_EQ(tiles.axes.numbers[0], 2);
    EXPECT_EQ(tiles.axes.numbers[1], 0);
    EXPECT_EQ(tiles.axes.numbers[2], 1);
    EXPECT_EQ(tiles.rows, 64);
    EXPECT_EQ(tiles.blocks, 1u * 4 * 3);  // 128 columns by 16 rows
    EXPECT_EQ(tiles.next_column, 32);
}

TEST(TilePlan, FewRowsMakeTilesOfTransposedInputsWide) {
    const tiled_range tiles = plan_of{{30, 500}, {{1, 30}, {500, 1}, {500, 1}}}();
    EXPECT_EQ(tiles.tiles, 1);
    EXPECT_EQ(tiles.lanes_log2, 3);
    EXPECT_EQ(tiles.next_column, 32);
    EXPECT_EQ(tiles.tile_columns, 64);
    EXPECT_EQ(tiles.tile_rows, 32);
    EXPECT_EQ(tiles.blocks, 8u);
}

/// The shape of tiles for few rows of a transposed input: as many columns and rows as that, in blocks.
struct folded_tiles {
    int columns, rows;
    std::uint32_t blocks;
    bool operator==(const folded_tiles&) const = default;
    friend std::ostream& operator<<(std::ostream& out, const folded_tiles& one) {
        return out << one.columns << " columns, " << one.rows << " rows, " << one.blocks << " blocks";
    }
};

folded_tiles fold(std::int64_t rows, std::int64_t columns, int width = 4) {
    plan_of call{{rows, columns}, {{1, rows}, {columns, 1}, {columns, 1}}};
    call.width = width;
    const tiled_range tiles = call();
    EXPECT_GT(tiles.tiles, 0) << rows;
    EXPECT_EQ(tiles.tile_rows, 1 << tiles.tile_rows_log2) << rows;
    EXPECT_EQ(tiles.part_rows_log2, width < 16 ? 5 : 6) << rows;
    EXPECT_EQ(tiles.next_column, exchange_lanes(width) * width) << "a thread's vectors are in parts beside each other";
    EXPECT_EQ(tiles.lanes_log2, width < 16 ? 3 : 2);
    return {tiles.tile_columns, tiles.tile_rows, tiles.blocks};
}

TEST(TilePlan, TilesAreFoldedToTheRowsThatLeaveFewPlacesEmpty) {
    EXPECT_EQ(fold(17, 10'240), (folded_tiles{64, 32, 160}));
    EXPECT_EQ(fold(16, 10'240), (folded_tiles{128, 16, 80}));
    EXPECT_EQ(fold(9, 10'240), (folded_tiles{128, 16, 80}));
    EXPECT_EQ(fold(33, 10'240, 16), (folded_tiles{512, 16, 60}));
    EXPECT_EQ(fold(64, 10'240, 16), (folded_tiles{128, 64, 80}));
    EXPECT_EQ(fold(32, 10'240, 16), (folded_tiles{256, 32, 40}));
    EXPECT_EQ(fold(16, 10'240, 16), (folded_tiles{512, 16, 20}));
    EXPECT_EQ(fold(9, 10'240, 8), (folded_tiles{256, 16, 40}));
    EXPECT_EQ(fold(9, 10'240, 2), (folded_tiles{64, 16, 160}));
    EXPECT_EQ(fold(9, 10'240, 1), (folded_tiles{32, 16, 320}));
}

TEST(TilePlan, EightRowsAndFewerAreNotFolded) {
    EXPECT_EQ(fold(8, 10'240), (folded_tiles{64, 32, 160}));
    EXPECT_EQ(fold(8, 10'240, 8), (folded_tiles{128, 32, 80}));
    EXPECT_EQ(fold(8, 10'240, 2), (folded_tiles{32, 32, 320}));
}

TEST(TilePlan, TilesOfFewRowsAreFoldedIfThatLeavesFewerPlacesEmpty) {
    EXPECT_EQ(fold(9, 64), (folded_tiles{64, 32, 1}));
    EXPECT_EQ(fold(9, 228), (folded_tiles{128, 16, 2}));
}

TEST(TilePlan, TilesAccessTheFewestSectors) {
    const auto columns = [](std::int64_t pitch_of_rows, std::int64_t pitch_of_columns) {
        return plan_of{{1024, 1024}, {{1, pitch_of_columns}, {pitch_of_rows, 1}, {pitch_of_rows, 1}}}().tile_columns;
    };
    EXPECT_EQ(columns(1024, 1024), 32) << "no run is cut: two parts below each other";
    EXPECT_EQ(columns(1024, 1028), 32) << "columns are cut: the longest that there are";
    EXPECT_EQ(columns(1028, 1024), 128) << "rows are cut: the longest that leave 16 rows";
    EXPECT_EQ(columns(1028, 1028), 64) << "both are";
}

TEST(TilePlan, VectorsAreUprightWhereRowsCannotBeReadByVectors) {
    const auto is_upright = [](std::int64_t columns, int width) {
        plan_of call{{1024, columns}, {{1, 1024}, {columns, 1}, {columns, 1}}};
        call.width = width;
        const tiled_range tiles = call();
        EXPECT_EQ(tiles.tiles, 1);
        EXPECT_EQ(tiles.tile_bytes, tiles.is_upright ? call.upright_bytes : call.tile_bytes);
        return tiles.is_upright;
    };
    EXPECT_FALSE(is_upright(1024, 4));
    EXPECT_TRUE(is_upright(1022, 4));
    EXPECT_FALSE(is_upright(1022, 2));
    EXPECT_TRUE(is_upright(1021, 2));
    EXPECT_FALSE(is_upright(1021, 1)) << "one element";
    EXPECT_FALSE(is_upright(1021, 8)) << "exchanged in words of several columns";
}

TEST(TilePlan, TransposedRowsThatFillLessThanAQuarterOfATileAreReadDirectly) {
    const auto tiles = [](std::int64_t rows, int width) {
        plan_of call{{rows, 10'240}, {{1, rows}, {10'240, 1}, {10'240, 1}}};
        call.width = width;
        return call().tiles;
    };
    EXPECT_EQ(tiles(7, 4), 0);
    EXPECT_EQ(tiles(8, 4), 1);
    EXPECT_EQ(tiles(15, 16), 0) << "though it would fill all but a row of a folded one";
    EXPECT_EQ(tiles(16, 16), 1);
}

TEST(TilePlan, NarrowElementsHaveOneVectorPerThread) {
    plan_of call{{1000, 4096}, {{4096, 1}, {0, 1}, {4096, 1}}};
    EXPECT_EQ(call().blocks, 2u * 1000);  // 1024 vectors, 512 in a block
    call.width = 16;
    EXPECT_EQ(call().blocks, 1000u);  // 256 in a block
}

TEST(TilePlan, SharedMemoryBoundsTheTransposedInputs) {
    plan_of both{{64, 64}, {{1, 64}, {1, 64}, {64, 1}}};
    EXPECT_EQ(both().tiles, 2);
    both.tile_bytes = 24'000;
    EXPECT_EQ(both().tiles, 2);
    both.tile_bytes = 25'000;
    EXPECT_EQ(both().tiles, 0);
    EXPECT_GT(both().blocks, 0u);
}

TEST(TilePlan, VectorsOfManyElementsThatCannotBeStoredWholeAreArranged) {
    const auto stage = [](std::int64_t columns, int width, std::uintptr_t out_address = 1 << 20) {
        plan_of plan{{400, columns}, {{columns, 1}, {1, 400}, {columns, 1}}, out_address};
        plan.width = width;
        const tiled_range tiles = plan();
        EXPECT_GT(tiles.tiles, 0);
        EXPECT_EQ(shared_bytes(tiles, 256),
                  static_cast<std::uint32_t>(tiles.tiles) * tiles.tile_bytes + 8 * tiles.stage_bytes);
        return tiles.stage_bytes;
    };
    EXPECT_EQ(stage(400, 8), 0u);
    EXPECT_EQ(stage(401, 8), 32u * 8 * 4) << "a vector of each thread of a warp";
    EXPECT_EQ(stage(404, 8), 32u * 8 * 4) << "rows end inside a vector";
    EXPECT_EQ(stage(400, 8, (1 << 20) + 4), 32u * 8 * 4) << "rows begin inside a vector";
    EXPECT_EQ(stage(401, 4), 0u) << "vectors of few elements are stored one element after the other";
}

TEST(TilePlan, OnlyWhatIsNearerAlongTheRowsHasATile) {
    plan_of call{{64, 64}, {{1, 64}, {64, 1}, {64, 1}}};
    EXPECT_EQ(call().have_tiles, 0b01u);
    call.strides[1] = {65, 1};  // misaligned in most rows
    EXPECT_EQ(call().have_tiles, 0b01u);
    call.strides[1] = {2, 200};
    EXPECT_EQ(call().have_tiles, 0b11u);
    EXPECT_EQ(tile_of(call(), 1), 8448);
    call.strides[1] = {0, 0};  // one element for all
    EXPECT_EQ(call().have_tiles, 0b01u);
}

TEST(TilePlan, WithoutTilesInSharedMemoryItIsAPlanOfRows) {
    const tiled_range tiles = plan_of{{64, 64}, {{1, -1}, {64, 1}, {64, 1}}, 1 << 20, false, 8448, 8}();
    EXPECT_EQ(tiles.tiles, 0);
    EXPECT_GT(tiles.blocks, 0u);
    EXPECT_EQ(tiles.tile_columns * tiles.tile_rows, 256 * 8) << "one vector for each thread, not two";
}

TEST(TilePlan, AnIndexKeepsTheAxesInOrder) {
    plan_of call{{64, 3, 100}, {{300, 100, 1}, {1, 6400, 64}, {300, 100, 1}}};
    call.is_ordered = true;
    const tiled_range tiles = call();
    EXPECT_EQ(tiles.tiles, 0);
    EXPECT_EQ(tiles.axes.numbers[1], 1);
}

TEST(TilePlan, RowsBeginBetweenBoundaries) {
    plan_of call{{1000, 1001}, {{1001, 1}, {0, 1}, {1001, 1}}, (1 << 20) + 8};
    const tiled_range tiles = call();
    EXPECT_EQ(tiles.phases, 4u);
    EXPECT_EQ(tiles.phase, 2u);
    EXPECT_EQ(tiles.phase_steps[1], 1u);
}

TEST(TilePlan, FlatCallsNeedTilesForOtherSteps) {
    plan_of call{{1000, 300}, {{300, 1}, {0, 1}, {300, 1}}};
    EXPECT_GT(call().blocks, 0u);
    call.is_flat = true;
    EXPECT_EQ(call().blocks, 0u);
    call = {.extents = {1000, 300}, .strides = {{600, 2}, {0, 1}, {300, 1}}, .is_flat = true};
    EXPECT_GT(call().blocks, 0u);
}

TEST(TilePlan, AFewColumnsAreNotExchanged) {
    plan_of call{{1024, 16}, {{1, 1024}, {16, 1}, {16, 1}}};
    EXPECT_GT(call().blocks, 0u);
    EXPECT_EQ(call().tiles, 0);
    call = {{1024, 17}, {{1, 1024}, {17, 1}, {17, 1}}};
    EXPECT_GT(call().tiles, 0);
    call = {{1024, 13}, {{1, 1024}, {13, 1}, {13, 1}}};  // vectors do not fill the rows
    EXPECT_GT(call().tiles, 0);
    call.is_flat = true;
    EXPECT_EQ(call().blocks, 0u);
}

TEST(TilePlan, WhatDoesNotSuitTilesIsLeftAlone) {
    EXPECT_EQ((plan_of{{100, 100}, {{200, 2}, {0, 1}, {200, 2}}}().blocks), 0u);  // an output with gaps
    EXPECT_EQ((plan_of{{100, 3}, {{3, 1}, {0, 1}, {3, 1}}}().blocks), 0u);        // rows shorter than a vector
    EXPECT_EQ((plan_of{{2, 3, 2, 9}, {{54, 18, 9, 1}, {0, 0, 0, 1}, {54, 18, 9, 1}}}().blocks), 0u);  // mostly empty
    const std::int64_t far = std::int64_t{1} << 30;
    EXPECT_EQ((plan_of{{4, 1000}, {{far, 1}, {0, 1}, {1000, 1}}}().blocks), 0u);  // beyond 32 bits
    EXPECT_GT((plan_of{{4, 1000}, {{far / 4, 1}, {0, 1}, {1000, 1}}}().blocks), 0u);
}
