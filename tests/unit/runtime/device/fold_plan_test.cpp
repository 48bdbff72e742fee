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

/// Its accumulators are large, so combining them takes long.
struct heavy_steps {
    struct accumulator {
        double parts[3];
    };
    using result = accumulator;
    static constexpr bool commutes = true, has_identity = false;
    static accumulator combine(accumulator a, accumulator) { return a; }
    static accumulator finish(accumulator a) { return a; }
};

struct ordered_steps : heavy_steps {
    static constexpr bool commutes = false;
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

    template <class Steps = sum_steps> launched run() const {
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
        launch_fold<kernel, Steps>(call, noted_launch{noted});
        return noted;
    }
    launched operator()() const { return run(); }
};

}  // namespace

TEST(FoldPlan, ShortRowsHaveSomeLanesEach) {
    const launched wide = call_of{{1000, 32}, {32, 1}, 1}();
    EXPECT_EQ(wide.how, way::rows);
    EXPECT_EQ(wide.lanes_log2, 3);
    EXPECT_EQ(wide.threads, 128u);
    EXPECT_EQ(wide.grid.x, (1000u + 63) / 64);  // 16 rows at once, four for each thread
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
    EXPECT_EQ(call_of({{20'000, 2000}, {2000, 1}, 1})().lanes_log2, 6);
}

TEST(FoldPlan, RowsOutOfStepAreReadByWideAccesses) {
    const launched rows = call_of{{1001, 9999}, {9999, 1}, 1}();
    EXPECT_EQ(rows.how, way::staggered);
    EXPECT_EQ(rows.threads, 128u);  // of 256, not all would run at once
    EXPECT_EQ(call_of({{1001, 9999}, {9999, 1}, 1, (1 << 20) + 4})().how, way::staggered);
    EXPECT_EQ(call_of({{1001, 9999}, {2 * 9999, 2}, 1})().how, way::strided);
}

TEST(FoldPlan, WholeArraysHaveSmallBlocksWhereCombiningTakesLong) {
    const auto whole = [](std::int64_t length) { return call_of{{length}, {1}, 0}; };
    EXPECT_EQ(whole(1000)().threads, 256u);  // a tile for each
    EXPECT_EQ(whole(1000)().grid.x, 1u);
    EXPECT_EQ(whole(8 * 2048)().threads, 512u);
    EXPECT_EQ(whole(8 * 2048)().grid.x, 1u);
    EXPECT_EQ(whole(8 * 2048 + 1)().threads, 512u);
    EXPECT_EQ(whole(8 * 2048 + 1)().grid.x, 5u);
    EXPECT_EQ(whole(8 * 2048).run<heavy_steps>().grid.x, 1u);
    const launched heavy = whole(8 * 2048 + 1).run<heavy_steps>();
    EXPECT_EQ(heavy.threads, 256u);
    EXPECT_EQ(heavy.lanes_log2, 8);
    EXPECT_EQ(heavy.grid.x, 17u);
    EXPECT_EQ(whole(64 * 300 * 1024).run<heavy_steps>().threads, 256u);
    EXPECT_EQ(whole(64 * 300 * 1024 + 1).run<heavy_steps>().threads, 512u);
    EXPECT_EQ(whole(2048).run<ordered_steps>().grid.x, 1u);
    EXPECT_EQ(whole(2049).run<ordered_steps>().threads, 256u);
    EXPECT_EQ(whole(300 * 1024 + 1).run<ordered_steps>().threads, 512u);
}

TEST(FoldPlan, RunsOfSeveralFoldedAxesAreWide) {
    const std::vector<std::int64_t> extents = {128, 64, 56 * 56}, strides = {56 * 56, 128 * 56 * 56, 1};
    const launched runs = call_of{extents, strides, 1}();
    EXPECT_EQ(runs.how, way::runs);
    EXPECT_EQ(runs.grid.x, 3u);
    EXPECT_EQ(call_of({{128, 64 * 56 * 56}, {64 * 56 * 56, 1}, 1})().grid.x, 5u);  // along one axis, smaller shares
    EXPECT_EQ(call_of({extents, strides, 1, (1 << 20) + 4})().how, way::strided);
    EXPECT_EQ(call_of({{128, 64, 57}, {57, 128 * 57, 1}, 1})().how, way::strided);
    EXPECT_EQ(call_of({{128, 64, 56}, {112, 128 * 112, 2}, 1})().how, way::strided);
}

TEST(FoldPlan, NeighboursOfDifferentResultsAreColumns) {
    EXPECT_EQ(call_of({{1000, 1000}, {1, 1000}, 1})().how, way::columns);
    EXPECT_EQ(call_of({{999, 1000}, {1, 999}, 1})().how, way::column);
}

TEST(FoldPlan, FewerThreadsAreBehindOneAnotherWhereMoreBlocksThenRun) {
    const launched columns = call_of{{5000, 10'000}, {1, 5000}, 1}();
    EXPECT_EQ(columns.how, way::columns);
    EXPECT_EQ(columns.grid.x, 20u);  // of which 15 behind one another run, 300 in all; 7 of 40 would be 280
    EXPECT_EQ(columns.grid.y, 15u);
}
