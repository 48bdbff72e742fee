// tests/unit/runtime/guvectorize/cut_items_test.cpp: items of core dimensions that are cut into parts.
#include "guvectorize/cut_items.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using namespace foldwise::detail;
using extents_of = std::vector<std::int64_t>;

struct operand {
    extents_of extents, strides, item_strides;
};

/// The products of matrices (m,n) and (n,p), which may be cut along m and p.
class products {
  public:
    products(const extents_of& items, const std::vector<operand>& operands) {
        for (std::size_t i = 0; i < operands.size(); ++i) {
            core_argument& one = arguments_[i];
            one = {nullptr, false, {}, {}, {}};
            for (std::size_t axis = 0; axis < 2; ++axis) {
                one.extents[axis] = operands[i].extents[axis];
                one.strides[axis] = operands[i].strides[axis];
            }
            for (std::size_t axis = 0; axis < items.size(); ++axis)
                one.item_strides[axis] = operands[i].item_strides[axis];
        }
        call_.count = 1;
        call_.axes = static_cast<int>(items.size());
        for (std::size_t axis = 0; axis < items.size(); ++axis) call_.count *= call_.extents[axis] = items[axis];
        call_.arguments = arguments_;
    }

    bool cut(cut_call& parts) const {
        static constexpr int core_axes[] = {2, 2, 2}, cuts[] = {0, -1, -1, 1, 0, 1};
        guvectorize_code code{};
        code.core_axes = core_axes;
        code.cuts = cuts;
        code.cut_count = 2;
        code.operands = 3;
        return cut_items(code, call_, parts);
    }

  private:
    guvectorize_call call_{};
    core_argument arguments_[3];
};

extents_of first(const std::int64_t* numbers, int count) { return {numbers, numbers + count}; }

TEST(CutItems, PartsAreAxesBehindTheItems) {
    cut_call parts;
    ASSERT_TRUE(products({10}, {{{2, 4}, {4, 1}, {8}}, {{4, 5}, {5, 1}, {20}}, {{2, 5}, {5, 1}, {10}}}).cut(parts));
    EXPECT_EQ(parts.call.count, 100);
    ASSERT_EQ(first(parts.call.extents, parts.call.axes), (extents_of{10, 2, 5}));
    EXPECT_EQ(first(parts.arguments[0].item_strides, 3), (extents_of{8, 4, 0}));
    EXPECT_EQ(first(parts.arguments[1].item_strides, 3), (extents_of{20, 0, 1}));
    EXPECT_EQ(first(parts.arguments[2].item_strides, 3), (extents_of{10, 5, 1}));
    EXPECT_EQ(first(parts.arguments[0].extents, 2), (extents_of{1, 4}));
    EXPECT_EQ(first(parts.arguments[1].extents, 2), (extents_of{4, 1}));
    EXPECT_EQ(first(parts.arguments[2].extents, 2), (extents_of{1, 1}));
    EXPECT_EQ(parts.call.arguments, parts.arguments);
}

TEST(CutItems, NeighbouringThreadsHaveNeighbouringElements) {
    cut_call parts;  // a result that is stored by columns, backwards
    ASSERT_TRUE(products({}, {{{2, 4}, {4, 1}, {}}, {{4, 5}, {5, 1}, {}}, {{2, 5}, {-1, -2}, {}}}).cut(parts));
    ASSERT_EQ(first(parts.call.extents, parts.call.axes), (extents_of{5, 2}));
    EXPECT_EQ(first(parts.arguments[2].item_strides, 2), (extents_of{-2, -1}));
}

TEST(CutItems, AxesAreMergedWhereAllOperandsAllowIt) {
    cut_call parts;  // rows of all items times one matrix
    ASSERT_TRUE(products({10}, {{{2, 4}, {4, 1}, {8}}, {{4, 5}, {5, 1}, {0}}, {{2, 5}, {5, 1}, {10}}}).cut(parts));
    ASSERT_EQ(first(parts.call.extents, parts.call.axes), (extents_of{20, 5}));
    EXPECT_EQ(first(parts.arguments[1].item_strides, 2), (extents_of{0, 1}));
}

TEST(CutItems, DimensionsOfOneElementAreNone) {
    cut_call parts;
    ASSERT_TRUE(products({10}, {{{1, 4}, {4, 1}, {4}}, {{4, 5}, {5, 1}, {20}}, {{1, 5}, {5, 1}, {5}}}).cut(parts));
    EXPECT_EQ(first(parts.call.extents, parts.call.axes), (extents_of{10, 5}));
    EXPECT_FALSE(products({10}, {{{1, 4}, {4, 1}, {4}}, {{4, 1}, {1, 1}, {4}}, {{1, 1}, {1, 1}, {1}}}).cut(parts));
    EXPECT_FALSE(products({10}, {{{2, 4}, {4, 1}, {8}}, {{4, 0}, {0, 1}, {0}}, {{2, 0}, {0, 1}, {0}}}).cut(parts));
}

TEST(CutItems, ThereAreOnlySoManyAxes) {
    cut_call parts;
    const extents_of items(max_axes - 1, 2), strides{1000, 499, 249, 123, 60, 29, 13};
    const extents_of none(max_axes - 1, 0);
    ASSERT_EQ(strides.size(), items.size());
    ASSERT_TRUE(
        products(items, {{{2, 4}, {4, 1}, none}, {{4, 5}, {5, 1}, none}, {{2, 5}, {5, 1}, strides}}).cut(parts));
    EXPECT_EQ(parts.call.axes, max_axes);
    EXPECT_EQ(parts.call.extents[max_axes - 1], 5);  // the dimension along which the result is contiguous
    EXPECT_EQ(parts.arguments[2].extents[0], 2);
}

}  // namespace
