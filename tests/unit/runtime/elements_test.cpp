// tests/unit/runtime/elements_test.cpp: walks over strided elements, against counting coordinates one by one.
#include "elements.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <numeric>
#include <vector>

using foldwise::detail::axes_of;
using foldwise::detail::cursor;

static constexpr std::int64_t extents[] = {3, 4, 5}, strides[] = {40, -7, 2};

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

TEST(Elements, GatherAndScatterAreEachOthersReverse) {
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
