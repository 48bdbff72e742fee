// tests/unit/runtime/forall/plan_tasks_test.cpp: along which axes neighbouring tasks access neighbouring
// elements, and which calls of forall kernels run which of the instances in forall_instances.def.
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
    forall_walk walk() const { return walk_of(kernel(), all); }
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

TEST(SeveralTasksPerThread, AreForManyTasksThatWriteUnsharedMemory) {
    static constexpr int ranks[] = {2};
    forall_code code = {.file = &fake_file,
                        .instances = {fake_code(0), fake_code(1), nullptr, fake_code(3)},
                        .ranks = ranks,
                        .parameters = 1,
                        .index_rank = 2,
                        .threads = 256};
    std::int64_t tasks[] = {1024, 1024};
    forall_argument out{nullptr, {1024, 1024}, {1024, 1}};
    forall_call call{.tasks = tasks, .first = 0, .count = 1 << 20, .arguments = &out, .is_plain = true};
    call.is_apart = true;
    const auto launched = [&] {
        launch(code, call, nullptr);
        return last_launch();
    };
    const auto several = static_cast<int>(view_layout::several), plain = static_cast<int>(view_layout::plain);
    EXPECT_EQ(launched().instance, several);
    EXPECT_EQ(last_launch().x, 1024u);
    call.count -= 1;
    EXPECT_EQ(launched().instance, plain);
    EXPECT_EQ(last_launch().x, 4096u);
    call.count += 1;
    call.is_apart = false;
    EXPECT_EQ(launched().instance, plain);
    call.is_apart = true;
    call.is_plain = false;
    EXPECT_EQ(launched().instance, static_cast<int>(view_layout::strided));
    call.is_plain = true;
    code.row = 0;
    code.staged_tiles = 1;
    EXPECT_EQ(launched().instance, several);
    tasks[0] = 1 << 16, tasks[1] = 16;
    EXPECT_EQ(launched().instance, several);
    tasks[0] = 1 << 19, tasks[1] = 2;
    EXPECT_EQ(launched().instance, plain) << "half of each tile would have no tasks";
    code.row = far_apart;
    code.staged_tiles = 0;
    EXPECT_EQ(launched().instance, several);
    gpu_file checked = fake_file;
    checked.is_checked = true;
    code.file = &checked;
    EXPECT_EQ(launched().instance, plain);
    code.file = &fake_file;
    code.instances[3] = nullptr;
    EXPECT_EQ(launched().instance, plain);
}

TEST(OneWarpPerTask, IsForFewTasksAndForTasksThatLoopAlongTheirOwnRows) {
    static constexpr int ranks[] = {1};
    forall_code code = {.file = &fake_file,
                        .instances = {fake_code(0), fake_code(1), nullptr, nullptr, fake_code(4)},
                        .ranks = ranks,
                        .parameters = 1,
                        .index_rank = 1,
                        .threads = 256};
    std::int64_t tasks = 0;
    forall_argument out{nullptr, {1}, {1}};
    forall_call call{.tasks = &tasks, .first = 0, .count = 0, .arguments = &out, .is_plain = true};
    call.is_apart = true;
    const auto launched = [&](std::int64_t count, std::int64_t elements) {
        tasks = call.count = count;
        call.looped_elements = elements;
        launch(code, call, nullptr);
        return last_launch().instance;
    };
    const auto warps = static_cast<int>(view_layout::warps), plain = static_cast<int>(view_layout::plain);
    EXPECT_EQ(launched(2048, 0), warps);
    EXPECT_EQ(last_launch().x, 512u) << "four warps in each block, of a task each";
    EXPECT_EQ(launched(2049, 0), warps);
    EXPECT_EQ(last_launch().x, 257u) << "two tasks for each warp";
    EXPECT_EQ(launched(8192, 0), warps);
    EXPECT_EQ(last_launch().x, 512u) << "and four";
    EXPECT_EQ(launched(8193, 31), plain);
    EXPECT_EQ(launched(8193, 32), warps);
    EXPECT_EQ(last_launch().x, 513u);
    call.is_apart = false;
    EXPECT_EQ(launched(100, 100), plain) << "lanes would read elements that other lanes have written";
    call.is_apart = true;
    call.is_plain = false;
    EXPECT_EQ(launched(100, 100), static_cast<int>(view_layout::strided));
    call.is_plain = true;
    gpu_file checked = fake_file;
    checked.is_checked = true;
    code.file = &checked;
    EXPECT_EQ(launched(100, 100), plain);
    code.file = &fake_file;
    code.instances[4] = nullptr;
    EXPECT_EQ(launched(100, 100), plain);
}

TEST(OneWarpPerTask, DependsOnTheElementsThatEachTaskLoopsAlong) {
    forall_parameter parameters[] = {
        {"x", 4, 4, 2, true, false}, {"y", 4, 4, 1, true, false}, {"n", 8, 8, 0, true, false}};
    forall_arguments all;
    all.arguments[0] = {nullptr, {100, 64}, {64, 1}};
    all.arguments[1] = {nullptr, {12800}, {1}};
    all.count = 100;
    const forall_kernel kernel{"test::rows", parameters, 3, 1, nullptr, nullptr, nullptr};
    EXPECT_EQ(foldwise::detail::looped_elements(kernel, all), 0);
    parameters[0].is_looped = true;
    EXPECT_EQ(foldwise::detail::looped_elements(kernel, all), 64);
    parameters[1].is_looped = true;
    EXPECT_EQ(foldwise::detail::looped_elements(kernel, all), 128);
    all.count = 99;
    EXPECT_EQ(foldwise::detail::looped_elements(kernel, all), 129);
}
