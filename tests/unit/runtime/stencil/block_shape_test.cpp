// tests/unit/runtime/stencil/block_shape_test.cpp: how the threads of a block lie along three axes.
#include "stencil/block_shape.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using foldwise::detail::block_shape;
using foldwise::detail::block_traits;
using foldwise::detail::choose_block;

/// A star of floats, whose threads have four vectors of four elements. Beside a row, whole sectors are loaded.
block_traits star(std::int64_t radius, std::int64_t planes, std::int64_t rows, std::int64_t columns) {
    return {.threads_log2 = 8,
            .extents = {planes, rows, columns},
            .of_thread = {4, 1, 4},
            .beside = {2 * radius, 2 * radius, 16},
            .least_columns_log2 = 3,
            .most_columns_log2 = 5};
}

/// How many elements a block has along each axis.
void expect_elements(const block_traits& traits, std::int64_t planes, std::int64_t rows, std::int64_t columns) {
    const block_shape shape = choose_block(traits);
    EXPECT_EQ(traits.of_thread[0] << (traits.threads_log2 - shape.columns_log2 - shape.rows_log2), planes);
    EXPECT_EQ(traits.of_thread[1] << shape.rows_log2, rows);
    EXPECT_EQ(traits.of_thread[2] << shape.columns_log2, columns);
}

TEST(StencilBlocks, LoadLittleBesideTheirElements) {
    expect_elements(star(1, 512, 512, 512), 4, 8, 128);  // 8x8x64 would load 1.75 instead of 1.875 of each
    expect_elements(star(2, 512, 512, 512), 8, 8, 64);   // 2.25 instead of 2.625
}

TEST(StencilBlocks, ReachAsFarAsArraysDo) {
    expect_elements(star(1, 4, 512, 512), 4, 8, 128);
    expect_elements(star(1, 512, 2, 512), 16, 2, 128);
    expect_elements(star(2, 512, 512, 8), 16, 32, 8);
}

TEST(StencilBlocks, AreWideWhereNothingIsLookedAtAlongOtherAxes) {
    block_traits of_rows = star(0, 512, 512, 512);
    of_rows.beside[2] = 16;
    expect_elements(of_rows, 4, 8, 128);
}

TEST(StencilBlocks, HaveLinesOfMemory) {
    block_traits narrow = star(8, 512, 512, 512);
    narrow.beside[2] = 0;
    expect_elements(narrow, 8, 16, 32);
}

}  // namespace
