// tests/unit/runtime/elements_test.cpp: copies of strided elements, compared with computing the place of each
// element by itself.
#include "elements.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <vector>

using foldwise::detail::axes_of;
using foldwise::detail::cursor;
using foldwise::detail::move_row;
using foldwise::detail::move_rows;
using foldwise::detail::move_tile;

static constexpr std::int64_t extents[] = {3, 4, 5}, strides[] = {40, -7, 2};

/// Returns the offset of element `index`, in row-major order, of an array with these extents and strides.
static std::int64_t offset_of(std::int64_t index) {
    return index / 20 * strides[0] + index / 5 % 4 * strides[1] + index % 5 * strides[2];
}

TEST(Elements, ACursorGoesAnyDistance) {
    for (std::int64_t from = 0; from < 60; ++from) {
        for (std::int64_t count = 0; from + count < 60; ++count) {
            cursor at({3, extents}, from);
            at.advance(count);
            EXPECT_EQ(at.offset(strides), offset_of(from + count));
            EXPECT_EQ(at.left_in_row(), 5 - (from + count) % 5);
        }
    }
}

TEST(Elements, GatherAndScatterAreInverse) {
    for (std::size_t size : {1u, 2u, 3u, 4u, 8u, 12u, 16u, 24u}) {
        std::vector<std::byte> all(200 * size), some(60 * size);
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::byte>(i * 7 + i / 256);
        const std::size_t first = 21;
        for (std::int64_t from : {0, 3, 17}) {
            const std::int64_t count = 60 - from;
            gather(some.data(), all.data() + first * size, strides, cursor({3, extents}, from), count, size);
            for (std::int64_t i = 0; i < count; ++i) {
                const auto at = static_cast<std::size_t>(offset_of(from + i) + static_cast<std::int64_t>(first));
                EXPECT_EQ(std::memcmp(some.data() + static_cast<std::size_t>(i) * size, all.data() + at * size, size),
                          0);
            }
            std::vector<std::byte> copy(all.size()), mask(all.size());
            scatter(copy.data() + first * size, strides, some.data(), cursor({3, extents}, from), count, size);
            std::size_t written = 0;
            for (std::int64_t i = 0; i < count; ++i) {
                const auto at = static_cast<std::size_t>(offset_of(from + i) + static_cast<std::int64_t>(first));
                EXPECT_EQ(std::memcmp(copy.data() + at * size, all.data() + at * size, size), 0);
                for (std::size_t b = 0; b < size; ++b) mask[at * size + b] = std::byte{1};
            }
            for (std::size_t i = 0; i < copy.size(); ++i) written += mask[i] == std::byte{0} && copy[i] != std::byte{0};
            EXPECT_EQ(written, 0u) << "a gap was written";
        }
    }
}

TEST(Elements, MoveRowRepeatsAnElementAndWritesNothingBehindTheRow) {
    for (std::size_t size : {1u, 2u, 3u, 4u, 8u, 12u, 16u, 24u}) {
        std::vector<std::byte> one(size), row(301 * size);
        for (std::size_t b = 0; b < size; ++b) one[b] = static_cast<std::byte>(b * 37 + 11);
        for (std::size_t count : {0u, 1u, 2u, 7u, 64u, 100u, 300u}) {
            std::fill(row.begin(), row.end(), std::byte{1});
            move_row(row.data(), static_cast<std::ptrdiff_t>(size), one.data(), 0, static_cast<std::int64_t>(count),
                     size);
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < row.size(); ++i)
                wrong += row[i] != (i < count * size ? one[i % size] : std::byte{1});
            EXPECT_EQ(wrong, 0u) << count << " of " << size << " bytes";
        }
    }
}

TEST(Elements, MoveRowCopiesFromAnyStep) {
    for (std::size_t size : {1u, 2u, 3u, 4u, 8u, 12u, 16u, 24u}) {
        const auto one = static_cast<std::ptrdiff_t>(size);
        for (std::ptrdiff_t step = -5; step <= 5; ++step) {
            for (std::int64_t count : {1, 2, 15, 16, 17, 31, 64, 67, 200}) {
                // Exactly the memory that is read, so that a sanitizer sees more.
                const auto between = static_cast<std::size_t>((count - 1) * (step < 0 ? -step : step));
                std::vector<std::byte> from((between + 1) * size), to(static_cast<std::size_t>(count + 1) * size);
                for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 7 + i / 256 + 1);
                const std::byte* const first = step < 0 ? from.data() + between * size : from.data();
                move_row(to.data(), one, first, step * one, count, size);
                for (std::int64_t i = 0; i < count; ++i)
                    ASSERT_EQ(std::memcmp(to.data() + i * one, first + i * step * one, size), 0)
                        << "element " << i << " of " << count << ", " << size << " bytes, step " << step;
                for (std::size_t b = 0; b < size; ++b)
                    EXPECT_EQ(to[static_cast<std::size_t>(count) * size + b], std::byte{0});
            }
        }
    }
}

TEST(Elements, MoveRowsCopiesRowsOfAnyLength) {
    for (std::size_t size : {1u, 2u, 3u, 4u, 8u, 12u, 16u, 24u}) {
        const auto one = static_cast<std::ptrdiff_t>(size);
        for (std::int64_t length : {1, 2, 3, 4, 5, 16, 17, 40}) {
            for (std::int64_t step : {0, 1, 2}) {
                const std::int64_t rows = 5, apart = 2 * length + 3;
                std::vector<std::byte> from(static_cast<std::size_t>(rows * apart) * size);
                std::vector<std::byte> to(static_cast<std::size_t>(rows * length + 1) * size);
                for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 7 + i / 256 + 1);
                move_rows({to.data(), length * one, one}, {from.data(), apart * one, step * one}, rows, length, size);
                for (std::int64_t row = 0; row < rows; ++row) {
                    for (std::int64_t i = 0; i < length; ++i)
                        ASSERT_EQ(std::memcmp(to.data() + (row * length + i) * one,
                                              from.data() + (row * apart + i * step) * one, size),
                                  0)
                            << "element " << i << " of " << length << ", " << size << " bytes, step " << step;
                }
                for (std::size_t b = 0; b < size; ++b)
                    EXPECT_EQ(to[static_cast<std::size_t>(rows * length) * size + b], std::byte{0});
            }
        }
    }
}

/// Returns the value that tests give to byte `b` of the element of a tile at these coordinates.
static std::byte byte_at(std::int64_t row, std::int64_t column, std::size_t b) {
    return static_cast<std::byte>(row * 37 + column * 11 + static_cast<std::int64_t>(b) * 3 + 1);
}

TEST(Elements, MoveTileTransposes) {
    for (std::size_t size : {1u, 2u, 3u, 4u, 8u, 12u, 16u, 24u}) {
        const auto step = static_cast<std::ptrdiff_t>(size);
        for (std::int64_t rows : {1, 3, 4, 7, 16, 17}) {
            for (std::int64_t columns : {1, 2, 4, 5, 16, 19}) {
                const std::size_t bytes = static_cast<std::size_t>(rows * columns) * size;
                std::vector<std::byte> by_columns(bytes), by_rows(bytes + size), back(bytes + size);
                for (std::int64_t i = 0; i < rows; ++i) {
                    for (std::int64_t j = 0; j < columns; ++j) {
                        for (std::size_t b = 0; b < size; ++b)
                            by_columns[static_cast<std::size_t>(j * rows + i) * size + b] = byte_at(i, j, b);
                    }
                }
                move_tile(by_rows.data(), columns * step, step, by_columns.data(), step, rows * step, rows, columns,
                          size);
                std::size_t wrong = 0;
                for (std::int64_t i = 0; i < rows; ++i) {
                    for (std::int64_t j = 0; j < columns; ++j) {
                        for (std::size_t b = 0; b < size; ++b)
                            wrong += by_rows[static_cast<std::size_t>(i * columns + j) * size + b] != byte_at(i, j, b);
                    }
                }
                EXPECT_EQ(wrong, 0u) << size << " bytes, " << rows << " by " << columns;
                EXPECT_EQ(by_rows.back(), std::byte{0});
                move_tile(back.data(), step, rows * step, by_rows.data(), columns * step, step, rows, columns, size);
                EXPECT_EQ(std::memcmp(back.data(), by_columns.data(), bytes), 0) << size;
                EXPECT_EQ(back.back(), std::byte{0});
                // With the columns reversed, neither rows nor columns of the source are contiguous.
                std::vector<std::byte> reversed(bytes);
                move_tile(reversed.data(), columns * step, step, by_columns.data() + (rows - 1) * step, -step,
                          rows * step, rows, columns, size);
                for (std::int64_t i = 0; i < rows; ++i)
                    EXPECT_EQ(std::memcmp(reversed.data() + i * columns * step,
                                          by_rows.data() + (rows - 1 - i) * columns * step,
                                          static_cast<std::size_t>(columns) * size),
                              0);
            }
        }
    }
}

TEST(Elements, MoveRowRepeatsAnElementInUnalignedRows) {
    for (std::size_t size : {1u, 3u, 4u, 12u, 24u}) {
        std::vector<std::byte> element(size), row(101 * size + 1);
        for (std::size_t b = 0; b < size; ++b) element[b] = byte_at(1, 2, b);
        move_row(row.data(), static_cast<std::ptrdiff_t>(size), element.data(), 0, 101, size);
        for (std::size_t i = 0; i < 101; ++i) EXPECT_EQ(std::memcmp(row.data() + i * size, element.data(), size), 0);
        EXPECT_EQ(row.back(), std::byte{0});
    }
}
