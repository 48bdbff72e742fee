// tests/unit/runtime/forall/plan_tasks_test.cpp: what a call's strides say of its tasks: along which axes neighbours
// access neighbouring elements, which axes can be merged, and which sums a block or a thread has for itself.
#include "fake_file.hpp"
#include "forall/forall_arguments.hpp"

#include <foldwise/detail/forall_code.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

using namespace foldwise::detail;

namespace {

/// Values of forall_parameter::moves for tasks that access the element at their index, that of the transposed matrix,
/// or an element whose first coordinate does not follow from the index.
constexpr int straight[] = {0, 1}, transposed[] = {1, 0}, unknown_row[] = {-1, 1};

/// A call with 100 by 50 tasks that read the matrix `x` and write the matrix `out`, both of floats in row-major order.
struct matrix_call {
    forall_parameter parameters[2] = {{"x", 4, 4, 2, true, false}, {"out", 4, 4, 2, false, true}};
    std::int64_t tasks[2] = {100, 50};
    forall_arguments all;

    matrix_call(const int* x_moves, const int* out_moves) {
        parameters[0].moves = x_moves;
        parameters[1].moves = out_moves;
        all.tasks = tasks;
        all.count = 5000;
        all.arguments[0] = {nullptr, {100, 50}, {50, 1}};
        all.arguments[1] = {nullptr, {100, 50}, {50, 1}};
    }
    forall_walk walk() const { return walk_of(kernel(), all.tasks, all.arguments); }
    forall_kernel kernel() const { return {"test::matrix", parameters, 2, 2, nullptr, nullptr, nullptr}; }
};

}  // namespace

TEST(TaskWalk, IsAlongTheLastAxis) {
    matrix_call call(straight, straight);
    EXPECT_EQ(call.walk().across, -1);
    EXPECT_EQ(call.walk().last_tasks, 8);
    call.parameters[0].moves = unknown_row;
    call.parameters[1].size = 1;
    EXPECT_EQ(call.walk().across, -1);
    EXPECT_EQ(call.walk().last_tasks, 32);
    call.parameters[0].moves = call.parameters[1].moves = nullptr;
    EXPECT_EQ(call.walk().across, -1);
    EXPECT_EQ(call.walk().last_tasks, 1);
}

TEST(TaskWalk, IsAcrossWhereIndicesOrStridesAreTransposed) {
    matrix_call call(straight, transposed);
    EXPECT_EQ(call.walk().across, 0);
    EXPECT_EQ(call.walk().across_tasks, 8);
    EXPECT_EQ(call.walk().last_tasks, 8);
    call.parameters[1].size = 8;
    EXPECT_EQ(call.walk().across_tasks, 4);

    matrix_call strides(straight, straight);
    strides.all.arguments[0].strides[0] = 1;
    strides.all.arguments[0].strides[1] = 100;
    EXPECT_EQ(strides.walk().across, 0);
    strides.all.arguments[1] = strides.all.arguments[0];
    EXPECT_EQ(strides.walk().across, 0);
    EXPECT_EQ(strides.walk().last_tasks, 1) << "columns are contiguous in both";
    strides.all.arguments[0].strides[0] = -1;
    EXPECT_EQ(strides.walk().across, 0) << "a negative stride is as near";
}

TEST(TaskWalk, AWrittenViewDecidesHowManyTasksShareASector) {
    matrix_call call(transposed, transposed);
    call.parameters[0].size = 1;
    EXPECT_EQ(call.walk().across_tasks, 8);
    call.parameters[1].writes = false;
    EXPECT_EQ(call.walk().across_tasks, 32);
}

TEST(TaskTiles, HaveWholeCacheLinesOnTheCpu) {
    matrix_call call(straight, transposed);
    const auto rows = [&] {
        call.all.walk = call.walk();
        return tile_rows_on_cpu(call.kernel(), call.all);
    };
    EXPECT_EQ(rows(), 0) << "lines of 50 columns stay in the cache";
    call.tasks[1] = 256;
    EXPECT_EQ(rows(), 0);
    call.tasks[1] = 257;
    EXPECT_EQ(rows(), 16);
    EXPECT_EQ(tasks_within(call.kernel(), call.all, 0), 257);
    EXPECT_EQ(tasks_within(call.kernel(), call.all, 1), 1);
    call.parameters[1].size = 1;
    EXPECT_EQ(rows(), 64);
    call.parameters[1].moves = straight;
    EXPECT_EQ(rows(), 0) << "all rows are contiguous";
}

TEST(TaskWalk, ElementsInSectorsOfTheirOwnDecideNothing) {
    matrix_call call(straight, straight);
    call.all.arguments[0].strides[1] = 9;  // 36 bytes
    EXPECT_EQ(call.walk().across, -1);
    call.all.arguments[0].strides[0] = 8;  // 32 bytes: a sector each
    EXPECT_EQ(call.walk().across, -1);
    call.tasks[1] = 1;
    call.all.arguments[0].strides[0] = 1;
    EXPECT_EQ(call.walk().across, 0);
}

namespace {

/// A call of an elementwise kernel with tasks of three axes that read `x` and write `out`, of floats.
struct permuting_call {
    std::vector<int> x_moves;
    int out_moves[3] = {0, 1, 2};
    forall_parameter parameters[2] = {{"x", 4, 4, 3, true, false}, {"out", 4, 4, 3, false, true}};
    std::int64_t tasks[3];
    forall_arguments all;

    /// Both are in row-major order, and x(at[x_moves[0]], at[x_moves[1]], at[x_moves[2]]) is read.
    permuting_call(const std::vector<std::int64_t>& extents, std::vector<int> axes) : x_moves(std::move(axes)) {
        parameters[0].rank = static_cast<int>(x_moves.size());
        parameters[0].moves = x_moves.data();
        parameters[1].moves = out_moves;
        all.tasks = tasks;
        all.count = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) all.count *= tasks[axis] = extents[axis];
        fill(all.arguments[0], x_moves);
        fill(all.arguments[1], {0, 1, 2});
        all.has_elements = true;
    }
    void fill(forall_argument& view, const std::vector<int>& axes) {
        std::int64_t stride = 1;
        for (std::size_t axis = axes.size(); axis-- > 0;) {
            view.extents[axis] = tasks[axes[axis]];
            view.strides[axis] = stride;
            stride *= view.extents[axis];
        }
    }
    forall_kernel kernel() const {
        forall_kernel result{"test::permute", parameters, 2, 3, nullptr, nullptr, nullptr};
        result.is_elementwise = result.has_vectors = true;
        return result;
    }
    /// Returns the number of tasks along each axis after axes were merged.
    std::vector<std::int64_t> merged() {
        merge_axes(kernel(), tasks, all.arguments);
        return {tasks, tasks + 3};
    }
};

using counts = std::vector<std::int64_t>;

}  // namespace

TEST(MergedAxes, AreThoseThatFollowOneAnotherInAllViews) {
    EXPECT_EQ(permuting_call({5, 6, 7}, {0, 1, 2}).merged(), (counts{1, 1, 210}));
    EXPECT_EQ(permuting_call({5, 6, 7}, {2, 0, 1}).merged(), (counts{1, 30, 7}));
    EXPECT_EQ(permuting_call({5, 6, 7}, {1, 2, 0}).merged(), (counts{5, 1, 42}));
    EXPECT_EQ(permuting_call({5, 6, 7}, {2, 1, 0}).merged(), (counts{5, 6, 7}));
    EXPECT_EQ(permuting_call({5, 6, 7}, {1, 0, 2}).merged(), (counts{5, 6, 7}));
    EXPECT_EQ(permuting_call({5, 1, 7}, {2, 1, 0}).merged(), (counts{5, 1, 7}));
    EXPECT_EQ(permuting_call({5, 6, 7}, {0, 1}).merged(), (counts{1, 30, 7})) << "x has one element for each row";
    EXPECT_EQ(permuting_call({5, 6, 7}, {2}).merged(), (counts{1, 30, 7})) << "rows have the same elements";
}

TEST(MergedAxes, HaveTheStridesOfTheInnerOne) {
    permuting_call call({5, 6, 7}, {2, 0, 1});
    EXPECT_EQ(call.merged(), (counts{1, 30, 7}));
    EXPECT_EQ(call.all.arguments[0].extents[1], 1);
    EXPECT_EQ(call.all.arguments[0].extents[2], 30);
    EXPECT_EQ(call.all.arguments[0].strides[2], 1);
    EXPECT_EQ(call.all.arguments[1].extents[1], 30);
    EXPECT_EQ(call.all.arguments[1].strides[1], 7);
}

TEST(MergedAxes, HaveNoGapsAndFitIn32Bits) {
    permuting_call gap({5, 6, 7}, {0, 1, 2});
    gap.all.arguments[0].strides[0] += 1;
    EXPECT_EQ(gap.merged(), (counts{5, 1, 42}));
    permuting_call backwards({5, 6, 7}, {0, 1, 2});
    backwards.all.arguments[0].strides[0] *= -1;
    EXPECT_EQ(backwards.merged(), (counts{5, 1, 42}));
    EXPECT_EQ(permuting_call({1 << 16, 1 << 15, 1}, {0, 1, 2}).merged(), (counts{1 << 16, 1 << 15, 1}));
    EXPECT_EQ(permuting_call({(1 << 16) - 1, 1 << 15, 1}, {0, 1, 2}).merged(), (counts{1, 2147450880, 1}));
}

TEST(MergedAxes, AreForKernelsThatDoNotTellCoordinates) {
    permuting_call call({5, 6, 7}, {2, 0, 1});
    forall_call all = call.all.gpu_call(call.kernel());
    ASSERT_TRUE(all.merged);
    EXPECT_EQ(all.tasks[0], 5) << "other backends and checked kernels have the call as it is";
    EXPECT_EQ(all.arguments[0].extents[2], 6);
    EXPECT_EQ(all.merged->tasks[1], 30);
    EXPECT_EQ(all.merged->walk.across, 1);
    EXPECT_EQ(all.merged->across_order, 1);
    EXPECT_EQ(all.order, call.out_moves);
    EXPECT_EQ(all.merged->count, 210);
    call.all.first_row = 3;
    EXPECT_FALSE(call.all.gpu_call(call.kernel()).merged) << "rows of a larger array, which its first axis counts";
    call.all.first_row = 0;
    call.all.has_elements = false;
    EXPECT_FALSE(call.all.gpu_call(call.kernel()).merged);
    call.all.has_elements = true;
    EXPECT_TRUE(have_elements_of_all(call.kernel(), call.all));
    call.all.arguments[0].extents[1] -= 1;
    EXPECT_FALSE(have_elements_of_all(call.kernel(), call.all)) << "an element that no task may touch";
    call.all.arguments[0].extents[1] += 1;
    const int rows[] = {-1, 0, 1};
    call.parameters[0].moves = rows;
    call.all.arguments[0].extents[0] = 1;
    EXPECT_TRUE(have_elements_of_all(call.kernel(), call.all)) << "rows from elsewhere";
    call.parameters[0].moves = nullptr;
    EXPECT_TRUE(have_elements_of_all(call.kernel(), call.all)) << "places from data";
}

TEST(MergedAxes, AreInTheOrderOfWhatIsWritten) {
    permuting_call call({5, 6, 7}, {0, 1, 2});
    const int turned[] = {2, 0, 1};
    call.parameters[1].moves = turned;
    call.fill(call.all.arguments[1], {2, 0, 1});
    const forall_call all = call.all.gpu_call(call.kernel());
    EXPECT_EQ(all.order, turned);
    EXPECT_EQ(all.across_order, 2) << "what is read lies across what is written";
}

TEST(MergedAxes, ArePlainWhereTheirStrideIsOne) {
    permuting_call call({5, 6, 7}, {0, 1, 2});
    call.fill(call.all.arguments[0], {2, 1, 0});
    std::swap(call.all.arguments[0].strides[0], call.all.arguments[0].strides[2]);
    call.all.arguments[1] = call.all.arguments[0];
    std::swap(call.all.arguments[0].extents[0], call.all.arguments[0].extents[2]);
    std::swap(call.all.arguments[1].extents[0], call.all.arguments[1].extents[2]);
    const forall_call all = call.all.gpu_call(call.kernel());
    EXPECT_FALSE(all.is_plain) << "both views have unit stride along the first axis";
    ASSERT_TRUE(all.merged);
    EXPECT_TRUE(all.merged->is_plain);
    EXPECT_EQ(all.merged->tasks[0], 210);
}

namespace {

/// A call that counts the `count` elements of `x`, one per task, in `bins` bins of the view `sums`. The bins are at the
/// start of `memory`, and `x` is far behind them.
struct histogram_call {
    forall_parameter parameters[2] = {{"x", 1, 1, 1, true, false}, {"sums", 4, 4, 1, true, true}};
    std::int64_t tasks[1];
    std::vector<std::uint32_t> memory = std::vector<std::uint32_t>(20000);
    forall_arguments all;

    histogram_call(std::int64_t count, std::int64_t bins) : tasks{count} {
        parameters[1].is_summed = true;
        all.tasks = tasks;
        all.count = count;
        all.arguments[0] = {&memory[10000], {count}, {1}};
        all.arguments[1] = {memory.data(), {bins}, {1}};
    }
    /// Returns the size of each block's sums in shared memory; 0 if there are none.
    std::uint32_t bytes() { return place_sums({"test::count", parameters, 2, 1, nullptr, nullptr, nullptr}, all); }
    forall_call call() {
        all.shared_bytes = bytes();
        return all.call({"test::count", parameters, 2, 1, nullptr, nullptr, nullptr});
    }
};

}  // namespace

TEST(TaskSums, AreInSharedMemoryWhereTheyAreFew) {
    EXPECT_EQ(histogram_call(100000, 256).bytes(), 1024u);
    EXPECT_EQ(histogram_call(100000, 6144).bytes(), 24576u);
    EXPECT_EQ(histogram_call(100000, 6145).bytes(), 0u);
    EXPECT_EQ(histogram_call(16 * 256, 256).bytes(), 1024u);
    EXPECT_EQ(histogram_call(16 * 256 - 1, 256).bytes(), 0u);
    histogram_call other(100000, 256);
    other.parameters[1].is_summed = false;
    EXPECT_EQ(other.bytes(), 0u);
}

TEST(TaskSums, OfEightBytesAreAlignedAndTakeTwiceTheMemory) {
    histogram_call call(200000, 3);
    forall_parameter parameters[3] = {call.parameters[0], call.parameters[1], call.parameters[1]};
    parameters[2].size = parameters[2].alignment = 8;
    const auto bytes = [&](std::int64_t bins) {
        call.all.arguments[2] = {&call.memory[100], {bins}, {1}};
        return place_sums({"test::count", parameters, 3, 1, nullptr, nullptr, nullptr}, call.all);
    };
    EXPECT_EQ(bytes(5), 16u + 40u);
    EXPECT_EQ(call.all.arguments[1].sums, 0u);
    EXPECT_EQ(call.all.arguments[2].sums, 16u);
    EXPECT_EQ(bytes(3070), 24576u);
    EXPECT_EQ(bytes(3071), 0u);
}

TEST(TaskSums, AreNotInSharedMemoryForViewsWithGapsOrInMemoryOfOtherViews) {
    histogram_call gaps(100000, 256);
    gaps.all.arguments[1].strides[0] = 2;
    EXPECT_EQ(gaps.bytes(), 0u);
    histogram_call shared(1000, 10);
    EXPECT_EQ(shared.bytes(), 40u);
    shared.all.arguments[0].data = &shared.memory[9];
    EXPECT_EQ(shared.bytes(), 0u) << "the last sum is the first element of x";
    shared.all.arguments[0].data = &shared.memory[10];
    EXPECT_EQ(shared.bytes(), 40u);
    shared.all.arguments[0] = {&shared.memory[10] + 1000 / 4, {1000}, {-1}};
    EXPECT_EQ(shared.bytes(), 40u);
    shared.all.arguments[0] = {&shared.memory[10], {1000}, {-1}};
    EXPECT_EQ(shared.bytes(), 0u) << "x extends backwards into the sums";
}

TEST(TaskSums, OfSeveralViewsAreContiguousInSharedMemory) {
    histogram_call call(100000, 256);
    call.parameters[0] = call.parameters[1];
    call.all.arguments[0] = {&call.memory[10000], {100}, {1}};
    EXPECT_EQ(call.bytes(), 1424u);
    EXPECT_EQ(call.all.arguments[0].sums, 0u);
    EXPECT_EQ(call.all.arguments[1].sums, 400u);
}

TEST(OwnSums, HaveCopiesWhereTheyAreFew) {
    const auto copies = [](std::int64_t tasks, std::int64_t bins) {
        histogram_call call(tasks, bins);
        call.all.arguments[0].extents[0] = 0;  // so that no view is in memory of the other
        call.parameters[1].own_sums = numbers::integers;
        return own_copies({"test::count", call.parameters, 2, 1, nullptr, nullptr, nullptr}, call.call(), tasks);
    };
    EXPECT_EQ(copies(100000, 256), 4);
    EXPECT_EQ(copies(4 * 256 - 1, 256), 0) << "fewer than 4 tasks for a sum";
    EXPECT_EQ(copies(4 * 256, 256), 1);
    EXPECT_EQ(copies(4 * 4 * 256 - 1, 256), 1);
    EXPECT_EQ(copies(4 * 4 * 256, 256), 4);
    EXPECT_EQ(copies(10'000'000, 16 * 1024), 4);
    EXPECT_EQ(copies(10'000'000, 16 * 1024 + 1), 1) << "copies would not fit into half of a second-level cache";
    EXPECT_EQ(copies(1'000'000'000, 16 * 1024 * 1024), 1);
    EXPECT_EQ(copies(1'000'000'000, 16 * 1024 * 1024 + 1), 0) << "more than 64 MiB";
    EXPECT_EQ(copies(1000, 0), 0);
    histogram_call other(100000, 256);
    const forall_kernel kernel{"test::count", other.parameters, 2, 1, nullptr, nullptr, nullptr};
    EXPECT_EQ(own_copies(kernel, other.call(), 100000), 0) << "tasks do more than add";
}

TEST(OwnSums, AreNotOfViewsInMemoryOfOtherViews) {
    histogram_call shared(1000, 10);
    shared.parameters[1].own_sums = numbers::integers;
    const forall_kernel kernel{"test::count", shared.parameters, 2, 1, nullptr, nullptr, nullptr};
    EXPECT_EQ(own_copies(kernel, shared.call(), 1000), 4);
    shared.all.arguments[0].data = &shared.memory[9];
    EXPECT_EQ(own_copies(kernel, shared.call(), 1000), 0) << "the last sum is the first element of x";
    shared.all.arguments[1].strides[0] = 2;
    shared.all.arguments[0].data = &shared.memory[19];
    EXPECT_EQ(own_copies(kernel, shared.call(), 1000), 4) << "gaps do not matter";
}

TEST(TaskSums, InSharedMemoryRunTheSummedInstanceWithFewBlocks) {
    static constexpr int ranks[] = {1, 1};
    forall_code code = {.file = &fake_file,
                        .instances = {fake_code(0), fake_code(1), fake_code(2)},
                        .ranks = ranks,
                        .parameters = 2,
                        .index_rank = 1,
                        .threads = 256};
    const auto launched = [&](histogram_call&& given) {
        launch(code, given.call(), nullptr);
        return last_launch();
    };
    EXPECT_EQ(launched({100000000, 256}).instance, static_cast<int>(view_layout::summed));
    EXPECT_EQ(last_launch().x, 1024u);
    EXPECT_EQ(launched({10240, 256}).x, 10u) << "each block has at least 4 tasks per sum";
    EXPECT_EQ(launched({1000, 2}).x, 4u) << "no more blocks than tiles";
    EXPECT_EQ(launched({100000, 6145}).instance, static_cast<int>(view_layout::plain));
    histogram_call wide(100000, 256);
    wide.all.arguments[0].strides[0] = 2;
    EXPECT_EQ(launched(std::move(wide)).instance, static_cast<int>(view_layout::strided));
    gpu_file checked = fake_file;
    checked.is_checked = true;
    code.file = &checked;
    EXPECT_EQ(launched({100000, 256}).instance, static_cast<int>(view_layout::plain));
    code.file = &fake_file;
    code.instances[2] = nullptr;
    EXPECT_EQ(launched({100000, 256}).instance, static_cast<int>(view_layout::plain));
}

TEST(TaskMemory, IsApartUnlessAWrittenViewSharesMemoryWithAnotherView) {
    std::vector<float> memory(1000);
    struct {
        std::int64_t x_first, out_first;
        bool is_x_read, is_apart;
    } const cases[] = {{0, 100, true, true}, {100, 0, true, true},    {0, 99, true, false},  {0, 0, true, false},
                       {0, 0, false, true},  {199, 100, true, false}, {200, 100, true, true}};
    for (const auto& [x_first, out_first, is_x_read, is_apart] : cases) {
        forall_parameter parameters[] = {
            {"x", 4, 4, 1, is_x_read, false}, {"out", 4, 4, 1, false, true}, {"factor", 4, 4, 0, true, false}};
        forall_arguments all;
        all.arguments[0] = {&memory[static_cast<std::size_t>(x_first)], {100}, {1}};
        all.arguments[1] = {&memory[static_cast<std::size_t>(out_first)], {100}, {1}};
        EXPECT_EQ(foldwise::detail::is_apart({"test::copy", parameters, 3, 1, nullptr, nullptr, nullptr}, all),
                  is_apart)
            << x_first << " " << out_first << " " << is_x_read;
    }
}
