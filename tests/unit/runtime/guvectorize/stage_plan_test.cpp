// tests/unit/runtime/guvectorize/stage_plan_test.cpp: which items are copied to shared memory, and to which place
// there.
#include "guvectorize/stage_plan.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using namespace foldwise::detail;

/// A call with items along one axis; all operands have elements of one type.
struct call_of {
    struct operand {
        std::vector<std::int64_t> extents, strides;
        std::int64_t item_stride;
        bool is_overwritten = false;
    };
    std::vector<operand> operands;
    std::int64_t count = 1'000'000;
    operand_type type = {4, 4};

    stage_plan plan() const {
        std::vector<core_argument> arguments;
        std::vector<operand_type> types(operands.size(), type);
        std::vector<int> core_axes;
        bool overwritten[max_operands] = {};
        for (const operand& one : operands) {
            core_argument argument{reinterpret_cast<void*>(std::uintptr_t{1} << 20), false, {}, {}, {}};
            for (std::size_t axis = 0; axis < one.extents.size(); ++axis) {
                argument.extents[axis] = one.extents[axis];
                argument.strides[axis] = one.strides[axis];
            }
            argument.item_strides[0] = one.item_stride;
            overwritten[arguments.size()] = one.is_overwritten;
            core_axes.push_back(static_cast<int>(one.extents.size()));
            arguments.push_back(argument);
        }
        guvectorize_code code{};
        code.types = types.data();
        code.core_axes = core_axes.data();
        code.overwritten = overwritten;
        code.operands = static_cast<int>(operands.size());
        code.threads = 128;
        guvectorize_call call{};
        call.count = count;
        call.axes = 1;
        call.extents[0] = count;
        call.arguments = arguments.data();
        return plan_stages(code, call);
    }
};

TEST(StagePlan, ItemsThatFollowOneAnotherAreCopied) {
    const stage_plan plan =
        call_of{{{{2, 4}, {4, 1}, 8}, {{4, 5}, {1, 4}, 20}, {{2, 5}, {5, 1}, 10, true}}, 1'000'000, {8, 8}}.plan();
    ASSERT_EQ(plan.together, 128u);
    EXPECT_EQ(plan.stages[0].pitch, 9 * 8u);  // an odd number of words
    EXPECT_EQ(plan.stages[1].pitch, 21 * 8u);
    EXPECT_EQ(plan.stages[1].begin, 128 * 9 * 8u);
    EXPECT_EQ(plan.stages[1].words.divisor, 20u);
    EXPECT_TRUE(plan.stages[1].is_read);
    EXPECT_FALSE(plan.stages[2].is_read);
    EXPECT_EQ(plan.shared_bytes, 128 * (9 + 21 + 11) * 8u);
}

TEST(StagePlan, OneItemForAllIsCopiedOnce) {
    const stage_plan plan = call_of{{{{3, 3}, {3, 1}, 0}, {{3}, {1}, 3}, {{3}, {1}, 3}}}.plan();
    ASSERT_EQ(plan.together, 128u);
    EXPECT_EQ(plan.stages[0].pitch, 0u);
    EXPECT_EQ(plan.stages[1].begin, 48u);
    EXPECT_EQ(plan.stages[1].pitch, 12u);
}

TEST(StagePlan, OtherItemsStayWhereTheyAre) {
    EXPECT_EQ((call_of{{{{4}, {2}, 8}}}.plan().together), 0u);          // gaps within items
    EXPECT_EQ((call_of{{{{4}, {1}, 5}}}.plan().together), 0u);          // gaps between them
    EXPECT_EQ((call_of{{{{4}, {-1}, 4}}}.plan().together), 0u);         // backwards
    EXPECT_EQ((call_of{{{{4}, {1'000'000}, 1}}}.plan().together), 0u);  // neighbours' elements are neighbours already
    EXPECT_EQ((call_of{{{{1}, {1}, 1}}}.plan().together), 0u);
    EXPECT_EQ((call_of{{{{0}, {1}, 0}}}.plan().together), 0u);
    EXPECT_EQ((call_of{{{{1000}, {1}, 1000}}}.plan().together), 0u);  // no room for half a warp of them
    EXPECT_EQ((call_of{{{{100, 100}, {100, 1}, 0}, {{2}, {1}, 2}}}.plan().together), 0u);
}

TEST(StagePlan, BlocksHaveFewerItemsWhereThereIsNoRoomOrFewOfThem) {
    const stage_plan large = call_of{{{{10, 10}, {10, 1}, 100}}}.plan();
    EXPECT_EQ(large.together, 96u);  // of 101 words each
    EXPECT_LE(large.shared_bytes, 48u << 10);
    EXPECT_EQ((call_of{{{{20, 20}, {20, 1}, 400}}}.plan().together), 30u);
    EXPECT_EQ((call_of{{{{4}, {1}, 4}}, 10'000}.plan().together), 32u);
    EXPECT_EQ((call_of{{{{4}, {1}, 4}}, 20'000}.plan().together), 64u);
}

}  // namespace
