// tests/unit/runtime/device/fold_plan_test.cpp: which kernel folds a call, and how its threads share the work.
#define FOLDWISE_SIMULATOR 1
#include <foldwise/device/reduce.hpp>

#include <gtest/gtest.h>

#include <array>
#include <vector>

using namespace foldwise::device_code;
using foldwise::detail::elementwise_layout;
using foldwise::detail::elementwise_operand;
using foldwise::detail::max_axes;
using foldwise::detail::reduce_call;

namespace {

using way = foldwise::device_code::access;

struct sum_steps {
    using accumulator = float;
    using result = float;
    static constexpr bool commutes = true, has_identity = true;
    static float combine(float a, float b) { return a + b; }
    static float identity() { return 0; }
    static float finish(float a) { return a; }
};

/// What a launch was asked for.
struct launched {
    way how;
    dim3 grid;
    unsigned int threads;
    int lanes_log2;
};

/// A launch that only notes it, on a GPU that runs 300 blocks at once.
struct noted_launch {
    launched& noted;

    template <way> static int resident() { return 300; }
    template <way Access> int operator()(const fold_range<Access>& range, dim3 grid, unsigned int threads) const {
        noted = {Access, grid, threads, 0};
        if constexpr (!is_column(Access)) noted.lanes_log2 = range.lanes_log2;
        return 0;
    }
};

/// A call that folds one input of floats, at an address that nobody touches, to results in row-major order.
struct call_of {
    std::vector<std::int64_t> extents, strides;
    int kept;
    std::uintptr_t address = 1 << 20;

    launched operator()() const {
        std::array<std::int64_t[max_axes], 2> all{};
        std::int64_t positions[max_axes] = {}, count = 1, results = 1;
        elementwise_layout layout{static_cast<int>(extents.size()), {}, all.data()};
        for (std::size_t axis = extents.size(); axis-- > 0;) {
            layout.extents[axis] = extents[axis];
            all[0][axis] = strides[axis];
            positions[axis] = count;
            count *= extents[axis];
            if (static_cast<int>(axis) >= kept) continue;
            all[1][axis] = results;
            results *= extents[axis];
        }
        const elementwise_operand operands[] = {{reinterpret_cast<void*>(address), false},
                                                {reinterpret_cast<void*>(std::uintptr_t{1} << 20), false}};
        reduce_call call{};
        call.elements = {count, operands, &layout, 0, extents.data()};
        call.kept = kept;
        call.positions = positions;
        call.workspace = {nullptr, nullptr, foldwise::detail::reduce_counter_bytes,
                          foldwise::detail::reduce_part_bytes};
        call.is_first = call.is_last = true;
        launched noted{};
        using kernel = signature<512, 4, inputs<float>, outputs<>, 0>;
        launch_fold<kernel, sum_steps>(call, noted_launch{noted});
        return noted;
    }
};

}  // namespace

TEST(FoldPlan, ShortRowsHaveSomeLanesEach) {
    const launched wide = call_of{{1000, 32}, {32, 1}, 1}();
    EXPECT_EQ(wide.how, way::rows);
    EXPECT_EQ(wide.lanes_log2, 3);
    EXPECT_EQ(call_of({{1000, 32}, {33, 1}, 1})().how, way::row);
    EXPECT_EQ(call_of({{1000, 32}, {64, 2}, 1})().how, way::row);
}

TEST(FoldPlan, LanesHaveOffsetsOfThirtyTwoBits) {
    constexpr std::int64_t farthest = INT32_MAX / 31;
    EXPECT_EQ(call_of({{2, 32}, {1, farthest}, 1})().how, way::column);
    EXPECT_EQ(call_of({{2, 32}, {farthest * 32, farthest}, 1})().how, way::row);
    EXPECT_EQ(call_of({{2, 32}, {farthest * 32, -farthest}, 1})().how, way::row);
    EXPECT_EQ(call_of({{2, 32}, {(farthest + 1) * 32, farthest + 1}, 1})().how, way::strided);
    EXPECT_EQ(call_of({{2, 32}, {(farthest + 1) * 32, -farthest - 1}, 1})().how, way::strided);
    EXPECT_EQ(call_of({{2, 2}, {std::int64_t{1} << 33, std::int64_t{1} << 32}, 1})().how, way::strided);
}

TEST(FoldPlan, LongRowsHaveBlocksAsSmallAsKeepTheGpuBusy) {
    const launched few = call_of{{100, 10'000}, {10'000, 1}, 1}();
    EXPECT_EQ(few.how, way::wide);
    EXPECT_EQ(few.threads, 512u);
    const launched many = call_of{{10'000, 10'000}, {10'000, 1}, 1}();
    EXPECT_EQ(many.how, way::wide);
    EXPECT_EQ(many.threads, 256u);
    EXPECT_EQ(many.lanes_log2, 8);
    EXPECT_EQ(many.grid.x, 10'000u);
    EXPECT_EQ(call_of({{10'000, 100'000}, {100'000, 1}, 1})().threads, 512u);
    // 1000 blocks of 256 are more threads than run at once, of 128 they are fewer.
    EXPECT_EQ(call_of({{1000, 1000}, {1000, 1}, 1})().threads, 128u);
}

TEST(FoldPlan, ManyRowsHaveAWarpEachOfWholeBlocks) {
    const launched rows = call_of{{100'000, 1000}, {1000, 1}, 1}();
    EXPECT_EQ(rows.threads, 512u);
    EXPECT_EQ(rows.lanes_log2, 5);
    EXPECT_EQ(rows.grid.x, 100'000u / 16);
}

TEST(FoldPlan, RunsOfSeveralFoldedAxesAreWide) {
    const std::vector<std::int64_t> extents = {128, 64, 56 * 56}, strides = {56 * 56, 128 * 56 * 56, 1};
    EXPECT_EQ(call_of({extents, strides, 1})().how, way::runs);
    EXPECT_EQ(call_of({extents, strides, 1, (1 << 20) + 4})().how, way::strided);
    EXPECT_EQ(call_of({{128, 64, 57}, {57, 128 * 57, 1}, 1})().how, way::strided);
    EXPECT_EQ(call_of({{128, 64, 56}, {112, 128 * 112, 2}, 1})().how, way::strided);
}

TEST(FoldPlan, NeighboursOfDifferentResultsAreColumns) {
    EXPECT_EQ(call_of({{1000, 1000}, {1, 1000}, 1})().how, way::columns);
    EXPECT_EQ(call_of({{999, 1000}, {1, 999}, 1})().how, way::column);
}
