// tests/run/checks_test.cpp: each mistake of checks.kernels.cpp is told at its own line, nothing is written out of
// bounds, and what comes after works.
#include "checkedSources.hpp"
#include "checks.kernels.hpp"
#include "mistakes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

using run::guarded;

void expect_reported(const std::string& name, const std::string& words, const std::function<void()>& call) {
    run::expect_reported(foldwise::checkedSources(), "checks", name, words, call);
    // Later calls work.
    guarded<std::int32_t> in({3, 4}, {5, 6, 7}), out({3, 4});
    checks::fine({3, 4}, in.view(), out.view());
    EXPECT_EQ(out.values().front(), (5 / 3 + 5 % 4 + 20 - 2) / 2 + (5 / 3 + 5 % 4 + 20 - 2) / 2 / 5 + 1);
}

/// Expects a kernel that gets two views of one shape to report an error, and to write nothing outside of them.
template <class X, class Y = X, class Kernel>
void expect_mistake(const std::string& name, const std::string& words, const foldwise::shape& extents, Kernel kernel,
                    std::vector<X> x = {}, std::vector<Y> y = {}) {
    guarded<X> in(extents, x);
    guarded<Y> out(extents, y);
    expect_reported(name, words, [&] { kernel(extents, in.view(), out.view()); });
    EXPECT_TRUE(in.is_intact() && out.is_intact()) << name;
}

#define MISTAKE(Type, name, words, extents, ...)                                                                       \
    expect_mistake<Type>(                                                                                              \
        #name, words, extents, [](const foldwise::shape& tasks, auto x, auto y) { checks::name(tasks, x, y); },        \
        ##__VA_ARGS__)

TEST(Checks, NeighboursBeyondTheEdgesOfRank1) {
    MISTAKE(float, read_below_1_0, "index -1 is out of bounds for axis 0 with size 5", foldwise::shape{5});
    MISTAKE(float, write_below_1_0, "index -1 is out of bounds for axis 0 with size 5", foldwise::shape{5});
    MISTAKE(float, read_above_1_0, "index 5 is out of bounds for axis 0 with size 5", foldwise::shape{5});
    MISTAKE(float, write_above_1_0, "index 5 is out of bounds for axis 0 with size 5", foldwise::shape{5});
}

TEST(Checks, NeighboursBeyondTheEdgesOfRank2) {
    MISTAKE(float, read_below_2_0, "index -1 is out of bounds for axis 0 with size 4", (foldwise::shape{4, 5}));
    MISTAKE(float, write_below_2_0, "index -1 is out of bounds for axis 0 with size 4", (foldwise::shape{4, 5}));
    MISTAKE(float, read_above_2_0, "index 4 is out of bounds for axis 0 with size 4", (foldwise::shape{4, 5}));
    MISTAKE(float, write_above_2_0, "index 4 is out of bounds for axis 0 with size 4", (foldwise::shape{4, 5}));
    MISTAKE(float, read_below_2_1, "index -1 is out of bounds for axis 1 with size 5", (foldwise::shape{4, 5}));
    MISTAKE(float, write_below_2_1, "index -1 is out of bounds for axis 1 with size 5", (foldwise::shape{4, 5}));
    MISTAKE(float, read_above_2_1, "index 5 is out of bounds for axis 1 with size 5", (foldwise::shape{4, 5}));
    MISTAKE(float, write_above_2_1, "index 5 is out of bounds for axis 1 with size 5", (foldwise::shape{4, 5}));
}

TEST(Checks, NeighboursBeyondTheEdgesOfRank3) {
    MISTAKE(float, read_below_3_0, "index -1 is out of bounds for axis 0 with size 3", (foldwise::shape{3, 4, 5}));
    MISTAKE(float, write_below_3_0, "index -1 is out of bounds for axis 0 with size 3", (foldwise::shape{3, 4, 5}));
    MISTAKE(float, read_above_3_0, "index 3 is out of bounds for axis 0 with size 3", (foldwise::shape{3, 4, 5}));
    MISTAKE(float, write_above_3_0, "index 3 is out of bounds for axis 0 with size 3", (foldwise::shape{3, 4, 5}));
    MISTAKE(float, read_below_3_1, "index -1 is out of bounds for axis 1 with size 4", (foldwise::shape{3, 4, 5}));
    MISTAKE(float, write_below_3_1, "index -1 is out of bounds for axis 1 with size 4", (foldwise::shape{3, 4, 5}));
    MISTAKE(float, read_above_3_1, "index 4 is out of bounds for axis 1 with size 4", (foldwise::shape{3, 4, 5}));
    MISTAKE(float, write_above_3_1, "index 4 is out of bounds for axis 1 with size 4", (foldwise::shape{3, 4, 5}));
    MISTAKE(float, read_below_3_2, "index -1 is out of bounds for axis 2 with size 5", (foldwise::shape{3, 4, 5}));
    MISTAKE(float, write_below_3_2, "index -1 is out of bounds for axis 2 with size 5", (foldwise::shape{3, 4, 5}));
    MISTAKE(float, read_above_3_2, "index 5 is out of bounds for axis 2 with size 5", (foldwise::shape{3, 4, 5}));
    MISTAKE(float, write_above_3_2, "index 5 is out of bounds for axis 2 with size 5", (foldwise::shape{3, 4, 5}));
}

TEST(Checks, NeighboursBeyondTheEdgesOfRank4) {
    MISTAKE(float, read_below_4_0, "index -1 is out of bounds for axis 0 with size 2", (foldwise::shape{2, 3, 4, 5}));
    MISTAKE(float, write_below_4_0, "index -1 is out of bounds for axis 0 with size 2", (foldwise::shape{2, 3, 4, 5}));
    MISTAKE(float, read_above_4_0, "index 2 is out of bounds for axis 0 with size 2", (foldwise::shape{2, 3, 4, 5}));
    MISTAKE(float, write_above_4_0, "index 2 is out of bounds for axis 0 with size 2", (foldwise::shape{2, 3, 4, 5}));
    MISTAKE(float, read_below_4_1, "index -1 is out of bounds for axis 1 with size 3", (foldwise::shape{2, 3, 4, 5}));
    MISTAKE(float, write_below_4_1, "index -1 is out of bounds for axis 1 with size 3", (foldwise::shape{2, 3, 4, 5}));
    MISTAKE(float, read_above_4_1, "index 3 is out of bounds for axis 1 with size 3", (foldwise::shape{2, 3, 4, 5}));
    MISTAKE(float, write_above_4_1, "index 3 is out of bounds for axis 1 with size 3", (foldwise::shape{2, 3, 4, 5}));
    MISTAKE(float, read_below_4_2, "index -1 is out of bounds for axis 2 with size 4", (foldwise::shape{2, 3, 4, 5}));
    MISTAKE(float, write_below_4_2, "index -1 is out of bounds for axis 2 with size 4", (foldwise::shape{2, 3, 4, 5}));
    MISTAKE(float, read_above_4_2, "index 4 is out of bounds for axis 2 with size 4", (foldwise::shape{2, 3, 4, 5}));
    MISTAKE(float, write_above_4_2, "index 4 is out of bounds for axis 2 with size 4", (foldwise::shape{2, 3, 4, 5}));
    MISTAKE(float, read_below_4_3, "index -1 is out of bounds for axis 3 with size 5", (foldwise::shape{2, 3, 4, 5}));
    MISTAKE(float, write_below_4_3, "index -1 is out of bounds for axis 3 with size 5", (foldwise::shape{2, 3, 4, 5}));
    MISTAKE(float, read_above_4_3, "index 5 is out of bounds for axis 3 with size 5", (foldwise::shape{2, 3, 4, 5}));
    MISTAKE(float, write_above_4_3, "index 5 is out of bounds for axis 3 with size 5", (foldwise::shape{2, 3, 4, 5}));
}

using ints = std::vector<std::int32_t>;
const foldwise::shape five{5};

TEST(Checks, Slices) {
    MISTAKE(float, slice_below, "index -1 is out of bounds for axis 0 with size 5", five);
    MISTAKE(float, slice_above, "is out of bounds for axis 0 with size 5", five);
    MISTAKE(float, beyond_a_slice, "is out of bounds for axis 0 with size 2", five);
}

TEST(Checks, Ranks) {
    MISTAKE(float, swapped_2, "is out of bounds for axis 0 with size 4", (foldwise::shape{4, 5}));
    MISTAKE(float, swapped_3, "is out of bounds for axis 0 with size 3", (foldwise::shape{3, 4, 5}));
    MISTAKE(float, swapped_4, "is out of bounds for axis 0 with size 2", (foldwise::shape{2, 3, 4, 5}));

    // What each task certainly reads or writes is compared with the extents before any of them runs.
    const foldwise::shape extents{2, 3, 4, 5};
    guarded<float> x(extents), y(extents);
    const auto refused = [&](auto&& kernel, const char* why) {
        try {
            kernel(extents, x.view(), y.view());
            ADD_FAILURE() << "computed in spite of it";
        } catch (const foldwise::shape_error& error) {
            EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
        }
        EXPECT_TRUE(y.is_intact());
    };
    refused([](auto&&... all) { checks::swapped_writes(all...); }, "along axis 0 they write 5, and there are 2");
    refused([](auto&&... all) { checks::swapped_reads(all...); }, "along axis 0 they read 5, and there are 2");
}

TEST(Checks, IndicesFromElsewhere) {
    MISTAKE(float, negative, "index -1 is out of bounds for axis 0 with size 5", five);
    MISTAKE(float, far_away, "000000000000 is out of bounds for axis 0 with size 5", five);
    MISTAKE(float, in_a_helper, "index 5 is out of bounds for axis 0 with size 5", five);
    MISTAKE(float, in_a_template, "is out of bounds for axis 0 with size 5", five);
    MISTAKE(float, in_an_inner_lambda, "is out of bounds for axis 0 with size 5", five);

    guarded<std::int32_t> at(five, {0, 1, -3, 2, 1});
    guarded<float> y(five);
    expect_reported("from_data", "index -3 is out of bounds for axis 0 with size 5, in checks::from_data, task (2)",
                    [&] { checks::from_data(5, at.view(), y.view()); });
    guarded<std::uint8_t> bytes(five, {0, 1, 2, 200, 4});
    guarded<std::uint32_t> bins(five);
    expect_reported("from_bytes", "index 200 is out of bounds for axis 0 with size 5, in checks::from_bytes, task (3)",
                    [&] { checks::from_bytes(5, bytes.view(), bins.view()); });
    std::vector<std::uint8_t> of_many(1000, 4);  // for whose sums a thread has memory of its own
    of_many[757] = 5;
    guarded<std::uint8_t> many(foldwise::shape{1000}, of_many);
    expect_reported("from_bytes", "index 5 is out of bounds for axis 0 with size 5, in checks::from_bytes, task (757)",
                    [&] { checks::from_bytes(1000, many.view(), bins.view()); });
    expect_reported("stale_extent", "index 5 is out of bounds for axis 0 with size 5",
                    [&] { checks::stale_extent(1, y.view(), 6); });
    expect_reported("empty_view", "index 0 is out of bounds for axis 0 with size 0",
                    [&] { checks::empty_view(5, foldwise::view<float>(y.view()).slice(0, 2, 2), y.view()); });
    EXPECT_TRUE(at.is_intact() && y.is_intact() && bytes.is_intact() && bins.is_intact());
}

TEST(Checks, Divisions) {
    MISTAKE(std::int32_t, divide_int32, "division by zero, of 7, in checks::divide_int32, task (2)", five,
            ints{1, 2, 0, 3, 4});
    MISTAKE(std::int64_t, divide_int64, "division by zero, of 1", five, {5, 0});
    MISTAKE(std::uint8_t, divide_uint8, "division by zero, of 3", five, {5, 0});
    MISTAKE(std::int32_t, modulo_int32, "division by zero, of 7", five, ints{0});
    MISTAKE(std::uint64_t, modulo_uint64, "division by zero, of 7", five, {5, 0});
    MISTAKE(std::uint64_t, divide_uint64, "division by zero, of 18446744073709551615", five, {5, 0},
            std::vector<std::uint64_t>(5, std::numeric_limits<std::uint64_t>::max()));
    MISTAKE(std::int32_t, divide_bit_field, "division by zero, of 9", five, ints{1, 0});
    MISTAKE(std::int32_t, divide_assigned, "division by zero, of 1", five, ints{0});
    MISTAKE(std::int32_t, modulo_assigned, "division by zero, of 1", five, ints{0});
    MISTAKE(std::int32_t, divide_in_a_template, "division by zero, of 7", five, ints{0});
    MISTAKE(std::int32_t, divide_in_a_macro, "division by zero, of 9", five, ints{0});
    MISTAKE(std::int32_t, divide_in_a_generic, "division by zero, of 3", five, ints{0});
    MISTAKE(std::int32_t, divide_in_a_row, "division by zero, of 20", five, ints{0});

    guarded<float> zeros(five, {0, 0, 0, 0, 0}), y(five);
    checks::divide_in_a_generic(5, zeros.view(), y.view());  // 3 / 0.0f is no mistake
    EXPECT_EQ(y.values()[0], std::numeric_limits<float>::infinity());
}

TEST(Checks, QuotientsAndShiftsThatAreNoNumbers) {
    constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
    MISTAKE(std::int32_t, overflow_int32, "-2147483648 divided by -1 is no number of its type", five, ints{1, -1},
            ints{least, least});
    MISTAKE(std::int64_t, overflow_int64, "-9223372036854775808 divided by -1 is no number of its type", five, {1, -1},
            std::vector<std::int64_t>{1, std::numeric_limits<std::int64_t>::min()});
    MISTAKE(std::int32_t, shift_left, "a shift by 32 of a number of 32 bits", five, ints{1, 32});
    MISTAKE(std::int32_t, shift_right, "a shift by -1 of a number of 64 bits", five, ints{1, -1},
            std::vector<std::uint64_t>{1, 1});
    MISTAKE(std::uint64_t, shift_far, "a shift by 18446744073709551615 of a number of 64 bits", five,
            {1, std::numeric_limits<std::uint64_t>::max()});
    MISTAKE(std::int32_t, shift_assigned, "a shift by 40 of a number of 32 bits", five, ints{1, 40},
            std::vector<std::uint32_t>{1, 1});
}

TEST(Checks, WhatTheUserWroteIsComputed) {
    guarded<std::int32_t> x(five, {1, 2, 3, 4, 5}), y(five);
    checks::fine_operators(5, x.view(), y.view());
    EXPECT_EQ(y.values(), (ints{1 + 60, 2 + 30 + 1, 3 + 20 + 1, 4 + 15 + 2, 5 + 12 + 2}));
    checks::fine_bit_fields(5, x.view(), y.view());
    EXPECT_EQ(y.values(), (ints{-1 - 2 - 50 - 5, -1 - 2 - 25 - 5, -1 - 2 - 13 - 5, -1 - 2 - 7 - 5, -1 - 2 - 4 - 5}));
}

TEST(Checks, WhatTheUserSays) {
    MISTAKE(std::int32_t, asserted, "assertion failed: x[i] > 0, in checks::asserted, task (3)", five,
            ints{1, 1, 1, 0, 1});
    MISTAKE(std::int32_t, failed, "less than nothing, in checks::failed, task (4)", five, ints{1, 1, 1, 0, -1});
}

TEST(Checks, OtherPatterns) {
    guarded<std::int32_t> a(five), b(five, {1, 2, 0, 4, 5}), out(five);
    expect_reported("elementwise", "division by zero, of 1",
                    [&] { checks::elementwise(a.view(), b.view(), out.view()); });
    guarded<float> x(five, {1, 2, -3, 4, 5}), y(five);
    expect_reported("refused", "no square root of this", [&] { checks::refused(x.view(), y.view()); });
    expect_reported("folded", "division by zero, of 12", [&] { static_cast<void>(checks::folded(b.view())); });
    EXPECT_EQ(checks::folded(a.view()), 60);
    // In what would be vector code otherwise, too.
    ints many(1000, 1);
    many[500] = 0;
    guarded<std::int32_t> ones(foldwise::shape{1000}), most(foldwise::shape{1000}, many),
        quotients(foldwise::shape{1000});
    expect_reported("elementwise", "division by zero, of 1",
                    [&] { checks::elementwise(ones.view(), most.view(), quotients.view()); });
    expect_reported("folded", "division by zero, of 12", [&] { static_cast<void>(checks::folded(most.view())); });
}

TEST(Checks, PlacesAndWholeArrays) {
    guarded<std::int32_t> keys({4}, {0, 4, 2, 1}), bins({3}), grid({2, 4});
    guarded<float> table({4}, {1, 2, 3, 4}), square({2, 4}), found({4});
    expect_reported("placed_outside", "index 4 is out of bounds for axis 0 with size 3",
                    [&] { checks::placed_outside(keys.view(), bins.view()); });
    expect_reported("placed_outside_2", "index 4 is out of bounds for axis 1 with size 4",
                    [&] { checks::placed_outside_2(keys.view(), grid.view()); });
    expect_reported("table_outside", "index 4 is out of bounds for axis 0 with size 4",
                    [&] { checks::table_outside(keys.view(), table.view(), found.view()); });
    expect_reported("folded_outside", "index 4 is out of bounds for axis 1 with size 4",
                    [&] { static_cast<void>(checks::folded_outside(keys.view(), square.view())); });
    EXPECT_TRUE(bins.is_intact() && grid.is_intact() && found.is_intact());
}

/// What is in no bin is not dropped in a checked build, where places are bytes, and elements many or few.
TEST(Checks, BytesThatAreNoPlaces) {
    for (const std::size_t count : {std::size_t{5}, std::size_t{100'003}}) {
        std::vector<std::uint8_t> all(count, 199);
        all[count / 2] = 200;
        guarded<std::uint8_t> places(foldwise::shape{static_cast<std::int64_t>(count)}, all);
        guarded<std::uint32_t> bins({200}), enough({201});
        expect_reported("bytes_placed_outside", "index 200 is out of bounds for axis 0 with size 200",
                        [&] { checks::bytes_placed_outside(places.view(), bins.view()); });
        EXPECT_TRUE(bins.is_intact());
        checks::bytes_placed_outside(places.view(), enough.view());
        EXPECT_EQ(enough.values()[199], enough.values()[198] + count - 1);
    }
}

TEST(Checks, ElementsThatGoNowhereAreLeftOut) {
    guarded<std::int32_t> keys({5}, {0, 4, 2, 2, 3}), bins({3}), grid({2, 3});
    checks::left_out(keys.view(), bins.view());
    checks::left_out_2(keys.view(), grid.view());
    EXPECT_EQ(bins.values(), (ints{2, 1, 3}));
    EXPECT_EQ(grid.values(), (ints{1, 1, 1, 0, 1, 2}));
    EXPECT_TRUE(bins.is_intact() && grid.is_intact());
}

/// Blocks that fold a result together count themselves; one that a check ends does not.
TEST(Checks, ReductionsAfterAMistakeAreRight) {
    const auto expect_right_after = [](const foldwise::shape& extents, int axis, std::int32_t result) {
        ints wrong(static_cast<std::size_t>(extents.size()), 1);
        wrong[wrong.size() / 2] = wrong.back() = 0;
        guarded<std::int32_t> bad(extents, wrong), ones(extents), threes(extents, ints(wrong.size(), 3));
        const auto fold = [&](const auto& x) { return checks::folded(x, foldwise::axis(axis)).to_host().front(); };
        for (int i = 0; i < 3; ++i) {
            expect_reported("folded", "division by zero, of 12", [&] { fold(bad.view()); });
            EXPECT_EQ(fold(threes.view()), result / 3) << "axis " << axis;
            EXPECT_EQ(fold(ones.view()), result) << "axis " << axis;
        }
    };
    constexpr std::int64_t many = 100'000;
    expect_right_after({many}, 0, 12 * many);
    expect_right_after({2, many}, 1, 12 * many);
    expect_right_after({many, 3}, 0, 12 * many);
    // Arrays on the host, and a result that the host waits for.
    ints wrong(many, 1);
    wrong.front() = 0;
    const ints ones(many, 1);
    for (int i = 0; i < 3; ++i) {
        expect_reported("folded", "division by zero, of 12", [&] { static_cast<void>(checks::folded(wrong)); });
        EXPECT_EQ(checks::folded(ones), 12 * many);
    }
}

/// Blocks wait for what those before them make, also if a thread there has ended.
TEST(Checks, ScansAfterAMistakeAreRight) {
    constexpr std::int64_t many = 300'000;
    const foldwise::shape extents{many};
    for (const std::int64_t at : {std::int64_t{0}, many / 2, many - 1}) {
        ints wrong(many, 1);
        wrong[static_cast<std::size_t>(at)] = 0;
        guarded<std::int32_t> bad(extents, wrong), ones(extents), out(extents);
        expect_reported("scanned", "division by zero, of 12", [&] { checks::scanned(bad.view(), out.view()); });
        EXPECT_TRUE(out.is_intact());
        checks::scanned(ones.view(), out.view());
        EXPECT_EQ(out.values().back(), 12 * many);
        EXPECT_EQ(out.values()[many / 3], 12 * (many / 3 + 1));
    }
}

/// Blocks that scan columns on their own stop as a whole, also those that have elements left.
TEST(Checks, ScansOfColumnsAfterAMistakeAreRight) {
    constexpr std::int64_t length = 300, columns = 4200;
    const foldwise::shape extents{length, columns};
    const auto many = static_cast<std::size_t>(length * columns);
    for (const std::size_t at : {std::size_t{0}, many / 2, many - 1}) {
        ints wrong(many, 1);
        wrong[at] = 0;
        guarded<std::int32_t> bad(extents, wrong), ones(extents, ints(many, 1)), out(extents);
        expect_reported("scanned", "division by zero, of 12",
                        [&] { checks::scanned(bad.view(), out.view(), foldwise::axis(0)); });
        EXPECT_TRUE(out.is_intact());
        checks::scanned(ones.view(), out.view(), foldwise::axis(0));
        EXPECT_EQ(out.values().back(), 12 * length);
        EXPECT_EQ(out.values()[many / 2], 12 * (length / 2 + 1));
    }
}

/// On a GPU, too, where only the kernel can look at them.
TEST(Checks, OffsetsThatFallOrLeaveTheirRow) {
    guarded<std::int32_t> ones(foldwise::shape{100'000}), out(foldwise::shape{100'000});
    const auto message = [&](const std::vector<std::int32_t>& offsets) {
        const auto there = foldwise::to_device(offsets);
        try {
            checks::scanned(ones.view(), out.view(), foldwise::segments(there));
        } catch (const foldwise::shape_error& error) {
            return std::string(error.what());
        }
        return std::string("none");
    };
    EXPECT_EQ(message({0, 70'000, 69'999, 100'000}),
              "checks::scanned: offset 2 is 69999, less than the one before it, 70000");
    EXPECT_EQ(message({-1, 5}), "checks::scanned: offset 0 is -1, which is negative");
    EXPECT_EQ(message({0, 100'001}),
              "checks::scanned: offset 1 is 100001, which lies outside of a row of 100000 elements");
    EXPECT_EQ(message({0, 50'000, 100'000}), "none");
    EXPECT_EQ(out.values()[49'999], 12 * 50'000);
    EXPECT_EQ(out.values()[50'000], 12);
}

/// Reductions report wrong offsets as scans do, and segments without elements where there is no identity.
TEST(Checks, SegmentsOfReductions) {
    guarded<std::int32_t> ones(foldwise::shape{100'000});
    const auto call = [&](const std::vector<std::int32_t>& offsets) {
        const auto there = foldwise::to_device(offsets);
        return checks::smallest(ones.view(), foldwise::segments(there)).to_host();
    };
    const auto message = [&](const std::vector<std::int32_t>& offsets) {
        try {
            call(offsets);
        } catch (const foldwise::shape_error& error) {
            return std::string(error.what());
        } catch (const foldwise::empty_error& error) {
            return std::string(error.what());
        }
        return std::string("none");
    };
    EXPECT_EQ(message({0, 70'000, 69'999, 100'000}),
              "checks::smallest: offset 2 is 69999, less than the one before it, 70000");
    EXPECT_EQ(message({-1, 5}), "checks::smallest: offset 0 is -1, which is negative");
    EXPECT_EQ(message({0, 100'001}),
              "checks::smallest: offset 1 is 100001, which lies outside of a row of 100000 elements");
    EXPECT_EQ(message({0, 50'000, 50'000, 100'000}),
              "checks::smallest: there are no elements in segment 1, and the reduction has no identity");
    EXPECT_EQ(call({0, 50'000, 100'000}), (std::vector<std::int32_t>{1, 1}));
}

/// Right ones compute what they compute without checks.
TEST(Checks, SegmentsOfAnyLengths) {
    std::mt19937 rng(1);
    const auto below = [&](int end) { return static_cast<int>(rng() % static_cast<unsigned int>(end)); };
    for (int trial = 0; trial < 60; ++trial) {
        const int longest = trial % 3 == 0 ? 3 : trial % 3 == 1 ? 100 : 1'000;
        ints offsets{below(3)};
        for (int left = below(300); left >= 0; --left) offsets.push_back(offsets.back() + 1 + below(longest));
        ints x(static_cast<std::size_t>(offsets.back() + below(3))), smallest;
        for (std::int32_t& one : x) one = 1 + below(12);
        ints scanned(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            const bool begins = std::binary_search(offsets.begin(), offsets.end(), static_cast<int>(i));
            scanned[i] = 12 / x[i] + (i == 0 || begins ? 0 : scanned[i - 1]);
        }
        for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
            smallest.push_back(*std::min_element(x.begin() + offsets[i], x.begin() + offsets[i + 1]));
        const auto there = foldwise::to_device(offsets);
        ASSERT_EQ(checks::smallest(foldwise::to_device(x), foldwise::segments(there)).to_host(), smallest) << trial;
        ASSERT_EQ(checks::scanned(foldwise::to_device(x), foldwise::segments(there)).to_host(), scanned) << trial;
    }
}

TEST(Checks, OneOfManyIsReported) {
    const foldwise::shape many{1'000'000};
    guarded<std::int32_t> zeros(many, ints(1'000'000, 0)), out(many);
    expect_reported("divide_int32", "division by zero",
                    [&] { checks::divide_int32(1'000'000, zeros.view(), out.view()); });
}

}  // namespace
