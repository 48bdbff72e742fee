// tests/unit/runtime/scan/columns_test.cpp: which scans go along columns, and that no two aggregates of a division are
// the same one.
#include "scan/columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

using namespace foldwise::detail;

namespace {

/// A scan of one input to results with the same strides.
struct scan_of {
    std::vector<std::int64_t> extents, strides;  ///< The scanned axis is the last one.

    std::int64_t all_strides[2][max_axes] = {};
    element_layout layout{};
    scan_call call() {
        layout.rank = static_cast<int>(extents.size());
        layout.strides = all_strides;
        std::int64_t count = 1;
        for (std::size_t axis = 0; axis < extents.size(); ++axis) {
            layout.extents[axis] = extents[axis];
            all_strides[0][axis] = all_strides[1][axis] = strides[axis];
            count *= extents[axis];
        }
        scan_call made{};
        made.elements.count = count;
        made.elements.layout = &layout;
        made.kept = layout.rank - 1;
        made.length = extents.back();
        return made;
    }
};

scan_strips divided(std::int64_t columns, std::int64_t length, std::size_t result = 4, std::size_t accumulator = 4) {
    scan_of of{{columns, length}, {1, columns}};
    return divide_columns(of.call(), result, accumulator);
}

TEST(GoesAlongColumns, WhereResultsAreCloserAcross) {
    const auto goes = [](scan_of of) { return goes_along_columns(of.call(), 1); };
    EXPECT_TRUE(goes({{100, 50}, {1, 100}}));
    EXPECT_TRUE(goes({{100, 50}, {1, -100}}));
    EXPECT_TRUE(goes({{100, 50}, {-1, 100}}));
    EXPECT_TRUE(goes({{7, 100, 50}, {5000, 1, 100}}));
    EXPECT_TRUE(goes({{100, 7, 50}, {1, 5000, 100}}));
    EXPECT_TRUE(goes({{2, 50}, {3, 6}}));
    EXPECT_FALSE(goes({{100, 50}, {50, 1}}));
    EXPECT_FALSE(goes({{100, 50}, {50, -1}}));
    EXPECT_FALSE(goes({{100, 50}, {200, 2}}));
    EXPECT_FALSE(goes({{50}, {3}}));
    scan_of of_all{{5, 50}, {1, 7}};  // several scanned axes
    scan_call call = of_all.call();
    call.kept = 0;
    EXPECT_FALSE(goes_along_columns(call, 1));
    call = {};
    EXPECT_FALSE(goes_along_columns(call, 1));
}

TEST(OrderAxes, HasTheScannedAxisInnermostAndThenTheClosest) {
    scan_of of{{7, 100, 9, 50}, {5000, -1, 35000, 100}};
    const scan_call call = of.call();
    int order[max_axes];
    order_axes(call, 1, true, order);
    EXPECT_EQ((std::vector<int>(order, order + 4)), (std::vector<int>{3, 1, 0, 2}));
    order_axes(call, 1, false, order);
    EXPECT_EQ((std::vector<int>(order, order + 4)), (std::vector<int>{3, 2, 1, 0}));
}

TEST(DivideColumns, SuitsTheirNumberAndLength) {
    scan_strips plan = divided(8192, 8192);  // 32 columns of 128 rows
    EXPECT_EQ(plan.across_log2, 5);
    EXPECT_EQ(plan.strips.divisor, 256u);
    EXPECT_EQ(plan.deep, 64u);
    EXPECT_EQ(plan.batch_log2, 0);
    plan = divided(16, 1'000'000);  // few columns: more rows, and batches of tiles
    EXPECT_EQ(plan.across_log2, 4);
    EXPECT_EQ(plan.strips.divisor, 1u);
    EXPECT_EQ(plan.deep, 3907u);
    EXPECT_EQ(plan.batch_log2, 7);
    EXPECT_EQ(plan.batches(), 31u);
    plan = divided(1'000'000, 50);  // short columns: four groups of 16 rows
    EXPECT_EQ(plan.across_log2, 6);
    EXPECT_EQ(plan.deep, 1u);
    EXPECT_EQ(plan.aggregates(), 0u);
    EXPECT_EQ(divided(1'000'000, 3).across_log2, 8);
    EXPECT_EQ(divided(3, 3).across_log2, 2);
    EXPECT_EQ(divided(8192, 8192, 1, 1).across_log2, 7);  // lines of memory have more elements
    EXPECT_EQ(divided(8192, 8192, 8, 64).deep, 1024u);    // 128 threads of two rows
}

std::optional<scan_strips> whole(std::int64_t columns, std::int64_t length, std::size_t result = 4,
                                 std::size_t accumulator = 4, int least = 128) {
    scan_of of{{columns, length}, {1, columns}};
    return divide_into_whole_strips(of.call(), result, accumulator, least);
}

TEST(DivideIntoWholeStrips, WhereTheyAreEnoughForAllMultiprocessors) {
    EXPECT_FALSE(whole(95 * 32, 8192));  // too many multiprocessors would have none
    EXPECT_TRUE(whole(95 * 32 + 1, 8192));
    EXPECT_TRUE(whole(4096, 129));
    EXPECT_FALSE(whole(4096, 128));         // a single tile of what blocks would share
    EXPECT_FALSE(whole(4096, 8192, 1, 4));  // lines of memory have more bytes
    EXPECT_TRUE(whole(128 * 128, 8192, 1, 4));
    EXPECT_FALSE(whole(64, 8192, 4, 4, 4));
    EXPECT_TRUE(whole(65, 8192, 4, 4, 4));
    // Those of all other axes count.
    scan_of of{{32, 128, 1000}, {1, 32'000, 32}};
    const std::optional<scan_strips> plan = divide_into_whole_strips(of.call(), 4, 4, 128);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->columns, 4096);
    EXPECT_EQ(plan->strips.divisor, 128u);
}

TEST(DivideIntoWholeStrips, AreAsManyAsMultiprocessorsAndAsWideAsThatMakesThem) {
    std::optional<scan_strips> plan = whole(8192, 8192);  // 64 columns of 128 rows
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->columns, 8192);
    EXPECT_EQ(plan->across, 64);
    EXPECT_EQ(plan->strips.divisor, 128u);
    EXPECT_EQ(plan->deep, 64u);
    plan = whole(10'000, 8192);  // whole sectors; 40 threads side by side, 12 times, and 32 without any columns
    EXPECT_EQ(plan->across, 80);
    EXPECT_EQ(plan->strips.divisor, 125u);
    EXPECT_EQ(plan->deep, 86u);
    plan = whole(10'000, 8192, 8, 8);
    EXPECT_EQ(plan->across, 80);
    EXPECT_EQ(plan->deep, 171u);  // six threads with eight rows of a column
    plan = whole(4000, 8192);     // 32 of 256
    EXPECT_EQ(plan->across, 32);
    EXPECT_EQ(plan->strips.divisor, 125u);
    EXPECT_EQ(plan->deep, 32u);
    plan = whole(1'000'000, 1000);  // a column for each thread, nearly
    EXPECT_EQ(plan->across, 496);
    EXPECT_EQ(plan->deep, 63u);
    EXPECT_TRUE(whole(1'000'000, 1000, 8, 32));
    EXPECT_FALSE(whole(1'000'000, 1000, 8, 33)) << "too few rows at once";
    plan = whole(20'000, 20'000, 2, 2);  // of halves there are twice as many
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->across, 80);
    for (const std::int64_t columns : {4096, 4097, 8191, 12'345, 65'535, 65'536})
        for (const std::size_t size : {2, 4, 8}) {
            plan = whole(columns, 8192, size, size);
            if (!plan) continue;
            EXPECT_GE(plan->strips.divisor, 96u);
            EXPECT_LE(plan->strips.divisor, size < 4 ? 256u : 128u);
            EXPECT_LE(plan->across, scan_strip_threads(size));
            EXPECT_EQ(plan->across * static_cast<int>(size) % 32, 0);
            EXPECT_EQ(plan->across % scan_strip_columns(size, size), 0);
            EXPECT_GE(std::int64_t{plan->strips.divisor} * plan->across, columns);
            EXPECT_LT(std::int64_t{plan->strips.divisor - 1} * plan->across, columns);
        }
}

TEST(ScanStripColumns, AreAVectorOf8Bytes) {
    EXPECT_EQ(scan_strip_columns(4, 4), 2);
    EXPECT_EQ(scan_strip_columns(1, 4), 2);
    EXPECT_EQ(scan_strip_columns(4, 8), 1);
    EXPECT_EQ(scan_strip_columns(8, 4), 1);
    EXPECT_EQ(scan_strip_columns(24, 24), 1);
    EXPECT_EQ(scan_strip_columns(2, 2), 1);
    EXPECT_EQ(scan_strip_columns(1, 1), 1);
}

/// Words of tiles and batches are all there are, each once.
TEST(DivideColumns, HasAWordForEachColumnOfEachTileAndBatch) {
    for (const std::int64_t columns : {2, 3, 16, 100, 5000})
        for (const std::int64_t length : {2, 300, 5000, 100'000})
            for (const std::size_t size : {1, 4, 8, 24, 64}) {
                const scan_strips plan = divided(columns, length, size, size);
                const int across = 1 << plan.across_log2, threads = scan_column_threads(size);
                SCOPED_TRACE(testing::Message() << columns << " columns of " << length << ", " << size << " bytes");
                ASSERT_LE(across, threads);
                const std::int64_t tile = std::int64_t{threads} / across * scan_column_rows(size);
                ASSERT_GE(tile * plan.deep, length);
                ASSERT_LT(tile * (plan.deep - 1), length);
                ASSERT_GE(std::int64_t{plan.strips.divisor} * across, columns);
                // Every tile of a batch but the last is combined by some thread.
                ASSERT_LE((1 << plan.batch_log2) - 1, threads / across * scan_column_loads);
                if (plan.deep == 1) continue;
                std::vector<char> used(plan.aggregates());  // millions: nothing is called for each of them
                char* const words = used.data();
                const auto count = static_cast<std::int64_t>(used.size());
                std::int64_t wrong = 0;
                const auto use = [&](std::int64_t word) {
                    if (word < 0 || word >= count || words[word])
                        ++wrong;
                    else
                        words[word] = true;
                };
                for (std::uint32_t strip = 0; strip < plan.strips.divisor; ++strip)
                    for (int column = 0; column < across; ++column) {
                        for (std::uint32_t i = 0; i < plan.deep; ++i) use(plan.aggregate_of_tile(strip, i, column));
                        for (std::uint32_t i = 0; i < plan.batches(); ++i)
                            use(plan.aggregate_of_batch(strip, i, column));
                    }
                ASSERT_EQ(wrong, 0) << "words that are outside, or of two";
                ASSERT_EQ(std::memchr(words, false, used.size()), nullptr) << "a word of no column";
            }
}

TEST(ScanWords, AreAsManyAsTheCallNeeds) {
    static constexpr operand_info operands[] = {{"x", 4, 4}, {"out", 4, 4}};
    scan_kernel kernel{};
    kernel.operands = operands;
    kernel.inputs = 1;
    kernel.accumulator_size = 4;
    scan_of rows{{10, 5000}, {5000, 1}}, columns{{10, 5000}, {1, 10}};
    EXPECT_EQ(aggregates_of(kernel, rows.call(), 128), scan_aggregates(50'000));
    EXPECT_EQ(aggregates_of(kernel, columns.call(), 128), divided(10, 5000).aggregates());
    EXPECT_GT(aggregates_of(kernel, columns.call(), 128), 0u);
    scan_of many{{5000, 5000}, {1, 5000}};
    EXPECT_EQ(aggregates_of(kernel, many.call(), 128), 0u) << "a block for each strip needs none";
    EXPECT_GT(aggregates_of(kernel, many.call(), 1000), 0u);
}

}  // namespace
