// tests/unit/runtime/overlap_test.cpp: overlaps of strided operands, compared with marking every byte.
#include "overlap.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

using foldwise::detail::footprint;

namespace {

struct operand {
    std::uintptr_t first;
    std::size_t size;
    std::vector<std::int64_t> extents, strides;

    footprint print() const { return {first, size, extents, strides}; }

    /// Adds the bytes of every element; false if one of them was there.
    bool mark(std::set<std::uintptr_t>& bytes, std::size_t axis = 0, std::int64_t offset = 0) const {
        bool all_new = true;
        if (axis == extents.size()) {
            const std::uintptr_t at = first + static_cast<std::uintptr_t>(offset) * size;
            for (std::size_t i = 0; i < size; ++i) all_new &= bytes.insert(at + i).second;
        } else {
            for (std::int64_t i = 0; i < extents[axis]; ++i)
                all_new &= mark(bytes, axis + 1, offset + i * strides[axis]);
        }
        return all_new;
    }

    std::string text() const {
        std::string text = "at " + std::to_string(first) + " size " + std::to_string(size) + ":";
        for (std::size_t i = 0; i < extents.size(); ++i)
            text += " " + std::to_string(extents[i]) + " by " + std::to_string(strides[i]);
        return text;
    }
};

operand any_operand(std::mt19937& random) {
    const auto below = [&](unsigned n) { return static_cast<std::int64_t>(random() % n); };
    static constexpr std::size_t sizes[] = {1, 2, 3, 4, 8, 12};
    operand one{static_cast<std::uintptr_t>(100000 + below(200)), sizes[random() % 6], {}, {}};
    const std::int64_t rank = below(5), furthest = rank > 2 ? 30 : 12;
    for (std::int64_t axis = 0; axis < rank; ++axis) {
        one.extents.push_back(1 + below(rank > 2 ? 4 : 12));
        one.strides.push_back(below(static_cast<unsigned>(2 * furthest)) - furthest);
    }
    return one;
}

}  // namespace

TEST(Overlap, IsWhatMarkingEveryByteFinds) {
    std::mt19937 random(7);
    int found = 0;
    for (int trial = 0; trial < 30000; ++trial) {
        const operand a = any_operand(random), b = any_operand(random);
        std::set<std::uintptr_t> bytes, others;
        a.mark(bytes);
        b.mark(others);
        bool common = false;
        for (std::uintptr_t byte : others) common |= bytes.count(byte) > 0;
        ASSERT_EQ(overlap(a.print(), b.print()), common) << a.text() << "; " << b.text();
        ASSERT_EQ(overlap(b.print(), a.print()), common) << a.text() << "; " << b.text();
        found += common;
    }
    EXPECT_GT(found, 5000);
    EXPECT_LT(found, 25000);
}

TEST(Overlap, OfOneOperandWithItselfIsWhatMarkingEveryByteFinds) {
    std::mt19937 random(8);
    int found = 0;
    for (int trial = 0; trial < 30000; ++trial) {
        const operand one = any_operand(random);
        std::set<std::uintptr_t> bytes;
        const bool is_unique = one.mark(bytes);
        ASSERT_EQ(overlaps_itself(one.print()), !is_unique) << one.text();
        found += is_unique;
    }
    EXPECT_GT(found, 5000);
    EXPECT_LT(found, 25000);
}

TEST(Overlap, LargeOperandsCostNoMore) {
    // Every third and every second column of a matrix of 10^10 elements, in rows that interleave or meet.
    const std::int64_t n = 100000;
    const operand thirds{0x10000, 4, {n / 2, n / 3}, {2 * n, 3}},
        halves{0x10000 + 4 * 100000, 4, {n / 2, n / 2}, {2 * n, 2}};
    EXPECT_FALSE(overlap(thirds.print(), halves.print()));
    operand meeting = halves;
    meeting.first = thirds.first + 4;
    EXPECT_TRUE(overlap(thirds.print(), meeting.print()));
    EXPECT_FALSE(overlaps_itself(thirds.print()));
    const operand window{0x10000, 8, {n, n}, {1, 1}};
    EXPECT_TRUE(overlaps_itself(window.print()));
    const operand coprime{0x10000, 8, {1000, 1000}, {1001, 1000}};
    EXPECT_FALSE(overlaps_itself(coprime.print()));
}
