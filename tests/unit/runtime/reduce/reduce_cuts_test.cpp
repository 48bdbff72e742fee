// tests/unit/runtime/reduce/reduce_cuts_test.cpp: accumulators are joined in the same pairs however reductions
// on the CPU are divided among threads.
#include "reduce/reduce_cuts.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <vector>

using namespace foldwise::detail;

namespace {

/// Joins accumulators by a hash that is neither associative nor commutative: it gives each tree of joins another value.
void join(void* first, const void* second, std::int64_t count) {
    auto* into = static_cast<std::uint64_t*>(first);
    const auto* from = static_cast<const std::uint64_t*>(second);
    for (std::int64_t i = 0; i < count; ++i) into[i] = std::rotl(into[i] * 0x9E3779B97F4A7C15u, 29) ^ (from[i] + 1);
}

constexpr reduce_on_cpu functions{nullptr, nullptr, join, nullptr, nullptr, 1};
constexpr operand_info operands[] = {{"x", 8, 8}, {"out", 8, 8}};
constexpr reduce_kernel kernel{"test::tree", operands, 1, 8, false, false, &functions, nullptr, nullptr};

/// A call that reduces a matrix of `results` rows of `length` elements along its rows.
struct row_call {
    row_call(std::int64_t results, std::int64_t length) {
        layout.extents[0] = results;
        layout.extents[1] = length;
        call.elements = {results * length, nullptr, &layout, 0, nullptr};
        call.kept = 1;
    }
    std::int64_t strides[2][max_axes] = {};
    element_layout layout{2, {}, strides};
    reduce_call call{};
};

/// Writes `count` accumulators for a unit, whose values all differ from each other and from those of other units.
void put(std::byte* to, std::int64_t unit, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
        reinterpret_cast<std::uint64_t*>(to)[i] = static_cast<std::uint64_t>(unit * 1000 + i);
}

/// The number of results of a tile, and the distance from one unit's accumulators to the next one's in bytes.
constexpr std::int64_t width = 3, bytes = 64;

/// Returns the last of a tile's accumulators.
std::uint64_t last_of(const std::byte* accumulators) {
    return reinterpret_cast<const std::uint64_t*>(accumulators)[width - 1];
}

/// Returns the last accumulator of a tile, all of whose units are joined by join_parts().
std::uint64_t joined_at_once(std::int64_t units) {
    std::vector<std::uint64_t> memory(static_cast<std::size_t>(units * bytes / 8));
    auto* all = reinterpret_cast<std::byte*>(memory.data());
    for (std::int64_t unit = 0; unit < units; ++unit) put(all + unit * bytes, unit, width);
    join_parts(kernel, all, bytes, units, width);
    return last_of(all);
}

/// Returns the same accumulator, where unit_joiner joins every `at_once` units and join_parts() joins the results.
std::uint64_t joined_by_parts(const reduce_cuts& plan, std::int64_t units, std::int64_t at_once) {
    unit_joiner joined(plan, at_once);
    std::vector<std::uint64_t> memory(static_cast<std::size_t>((units / at_once + 1) * bytes / 8));
    auto* all = reinterpret_cast<std::byte*>(memory.data());
    std::int64_t parts = 0;
    for (std::int64_t begin = 0; begin < units; begin += at_once, ++parts) {
        joined.begin(width);
        for (std::int64_t unit = begin; unit < std::min(begin + at_once, units); ++unit) {
            put(joined.next(), unit, width);
            joined.add();
        }
        std::memcpy(all + parts * bytes, joined.total(), width * 8);
    }
    join_parts(kernel, all, bytes, parts, width);
    return last_of(all);
}

}  // namespace

TEST(FoldOnCpu, UnitsAreJoinedInTheSamePairsInPartsAsAllAtOnce) {
    for (std::int64_t units = 1; units <= 130; ++units) {
        row_call one(width, units);
        reduce_cuts plan(kernel, one.call);
        plan.cut_elements(units, 1);
        plan.cut_results(width, width, 1);
        const std::uint64_t want = joined_at_once(units);
        for (std::int64_t at_once = 1; at_once < 2 * units; at_once *= 2)
            ASSERT_EQ(joined_by_parts(plan, units, at_once), want) << units << " units, " << at_once << " at once";
    }
}

TEST(FoldOnCpu, UnitsAreSplitAtPowersOfTwo) {
    int divided = 0;  // how many plans give the units of a tile to several threads
    for (std::int64_t results : {1, 2, 3, 10, 63, 64, 1000}) {
        for (std::int64_t length : {1, 100, 4096, 5000, 40000, 100000, 1234567}) {
            row_call one(results, length);
            reduce_cuts plan(kernel, one.call);
            plan.cut_elements(length, 16);
            plan.cut_results(results, 1, 1);
            const std::int64_t at_once = plan.units_at_once();
            ASSERT_TRUE(at_once >= plan.units() || std::has_single_bit(static_cast<std::uint64_t>(at_once)));
            divided += at_once < plan.units();
        }
    }
    EXPECT_GT(divided, 10) << "too few of these calls test it";
}

TEST(FoldOnCpu, UnitsCoverAllElementsAndTilesAllResults) {
    row_call one(1000, 350);
    reduce_cuts plan(kernel, one.call);
    plan.cut_elements(35, 16);  // units of 16, 16 and 3 elements
    std::int64_t elements = 0;
    for (std::int64_t unit = 0; unit < plan.units(); ++unit) {
        EXPECT_EQ(plan.begin_of_unit(unit), elements);
        EXPECT_LE(plan.length_of_unit(unit), plan.longest_unit());
        elements += plan.length_of_unit(unit);
    }
    EXPECT_EQ(elements, 350);
    for (std::int64_t row : {1000, 250, 50}) {
        plan.cut_results(row, 100, 16);
        std::int64_t results = 0;
        for (std::int64_t i = 0; i < plan.tiles(); ++i) {
            EXPECT_EQ(plan.tile(i).first, results);
            EXPECT_LE(plan.tile(i).count, plan.widest_tile());
            EXPECT_EQ(results / row, (results + plan.tile(i).count - 1) / row) << "the tile extends beyond its row";
            results += plan.tile(i).count;
        }
        EXPECT_EQ(results, 1000);
    }
}
