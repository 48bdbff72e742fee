// tests/unit/runtime/forall/launch_forall_test.cpp: which calls of forall kernels run which of the instances in
// forall_instances.def, and with how many blocks.
#include "fake_file.hpp"
#include "forall/forall_arguments.hpp"

#include <foldwise/detail/forall_code.hpp>

#include <gtest/gtest.h>

#include <cstdint>

using namespace foldwise::detail;

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

namespace {

/// A kernel of two axes with one or two views, with an instance for vectors of four tasks and one for tiles in shared
/// memory.
forall_code code_with_vectors_and_tiles(int views) {
    static constexpr int ranks[] = {2, 2};
    return {.file = &fake_file,
            .instances = {fake_code(0), fake_code(1), nullptr, fake_code(3), fake_code(4)},
            .ranks = ranks,
            .parameters = views,
            .index_rank = 2,
            .threads = 256,
            .row = 0,
            .width = 4,
            .staged_tiles = 2};
}

}  // namespace

TEST(VectorsOfTasks, AreForElementwiseKernelsAndOthersWhereTilesDoNotSuit) {
    forall_code code = code_with_vectors_and_tiles(1);
    std::int64_t tasks[] = {1024, 1024};
    forall_argument out{nullptr, {1024, 1024}, {1024, 1}};
    forall_call call{.tasks = tasks, .first = 0, .count = 1 << 20, .arguments = &out, .is_plain = true};
    const int order[] = {0, 1};
    call.is_apart = call.has_elements = true;
    call.order = order;
    const auto instance = [&](std::int64_t rows, std::int64_t columns, int across) {
        tasks[0] = rows, tasks[1] = columns;
        call.across_order = across;
        launch(code, call, nullptr);
        return static_cast<view_layout>(last_launch().instance);
    };
    EXPECT_EQ(instance(1024, 1024, -1), view_layout::vectors);
    EXPECT_EQ(last_launch().x, 1024u);
    EXPECT_EQ(instance(1024, 1024, 0), view_layout::several);
    EXPECT_EQ(instance(1 << 15, 32, 0), view_layout::several);
    EXPECT_EQ(instance(1 << 15, 31, 0), view_layout::vectors) << "short rows";
    EXPECT_EQ(instance(32, 1 << 15, 0), view_layout::several);
    EXPECT_EQ(instance(31, 1 << 15, 0), view_layout::vectors) << "few rows";
    EXPECT_EQ(instance(4, 1 << 18, 0), view_layout::vectors);
    EXPECT_EQ(last_launch().x, 1024u);
    code.width = 2;
    EXPECT_EQ(instance(16, 1 << 16, 0), view_layout::several);
    EXPECT_EQ(instance(1 << 15, 16, 0), view_layout::several);
    EXPECT_EQ(instance(1 << 15, 15, 0), view_layout::vectors);
    EXPECT_EQ(instance(1 << 20, 1, -1), view_layout::plain) << "rows of one task";
    call.has_elements = false;
    EXPECT_EQ(instance(1024, 1024, -1), view_layout::several) << "some views are too small";
    call.has_elements = true;
    call.count -= 1;
    EXPECT_EQ(instance(1024, 1024, -1), view_layout::plain);
    call.count += 1;
    call.is_apart = false;
    EXPECT_EQ(instance(1024, 1024, -1), view_layout::plain);
    call.is_apart = true;
    code.width = 4;
    code.needs_index = true;
    EXPECT_EQ(instance(1024, 1024, -1), view_layout::vectors);
    EXPECT_EQ(last_launch().x, 512u) << "two vectors for each thread";
    EXPECT_EQ(instance(1 << 18, 4, -1), view_layout::vectors) << "rows of whole vectors";
    EXPECT_EQ(instance(1 << 15, 33, -1), view_layout::vectors);
    EXPECT_EQ(instance(1 << 15, 31, -1), view_layout::several) << "many vectors that lie in two rows";
    code.needs_index = false;
    EXPECT_EQ(instance(1 << 15, 31, -1), view_layout::vectors);
    call.first = 1;
    EXPECT_EQ(instance(1024, 1024, -1), view_layout::several) << "a chunk";
    call.first = 0;
    call.count = std::int64_t{1} << 31;
    EXPECT_NE(instance(1 << 16, 1 << 15, -1), view_layout::vectors) << "more than 31 bits count";
}

TEST(VectorsOfTasks, AreForLongAxesIfMoreThanAQuarterOfTheTilesWouldBeEmpty) {
    forall_code code = code_with_vectors_and_tiles(2);
    const int order[] = {0, 1};
    forall_parameter parameters[2] = {};
    for (forall_parameter& parameter : parameters) {
        parameter.size = 4;
        parameter.rank = 2;
        parameter.moves = order;
    }
    const auto instance = [&](std::int64_t rows, std::int64_t columns) {
        const std::int64_t tasks[] = {rows, columns};
        const forall_argument arguments[] = {{nullptr, {rows, columns}, {1, rows}},
                                             {nullptr, {rows, columns}, {columns, 1}}};
        forall_call call{.tasks = tasks, .first = 0, .count = rows * columns, .arguments = arguments, .is_plain = true};
        call.is_apart = call.has_elements = true;
        call.order = order;
        call.across_order = 0;
        call.parameters = parameters;
        call.parameter_count = 2;
        launch(code, call, nullptr);
        return static_cast<view_layout>(last_launch().instance);
    };
    EXPECT_EQ(instance(48, 1 << 16), view_layout::several);
    EXPECT_EQ(instance(47, 1 << 16), view_layout::vectors);
    EXPECT_EQ(instance(1 << 16, 33), view_layout::vectors);
    code.instances[3] = nullptr;
    EXPECT_EQ(instance(48, 1 << 16), view_layout::vectors) << "there are no tiles";
}

TEST(OneWarpPerTask, IsForFewTasksAndForTasksThatLoopAlongTheirOwnRows) {
    static constexpr int ranks[] = {1};
    forall_code code = {.file = &fake_file,
                        .instances = {fake_code(0), fake_code(1), nullptr, nullptr, nullptr, fake_code(5)},
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
    EXPECT_EQ(launched(5280, 0), warps);
    EXPECT_EQ(last_launch().x, 1320u) << "four warps in each block, of a task each";
    EXPECT_EQ(launched(5281, 0), warps);
    EXPECT_EQ(last_launch().x, 661u) << "two tasks for each warp";
    EXPECT_EQ(launched(8192, 0), warps);
    EXPECT_EQ(launched(8193, 31), plain);
    EXPECT_EQ(launched(8193, 32), warps);
    EXPECT_EQ(launched(10560, 32), warps);
    EXPECT_EQ(last_launch().x, 1320u);
    EXPECT_EQ(launched(10561, 32), warps);
    EXPECT_EQ(last_launch().x, 661u) << "and four";
    EXPECT_EQ(launched(1'000'000, 32), warps);
    EXPECT_EQ(last_launch().x, 62500u) << "but never fewer than eight lanes for a task";
    call.most_turns = 32;
    EXPECT_EQ(launched(100, 0), warps);
    call.most_turns = 31;
    EXPECT_EQ(launched(100, 1), plain) << "most lanes would have nothing to do";
    EXPECT_EQ(launched(100, 2), warps) << "but what tasks have to themselves is read side by side";
    call.most_turns = INT64_MAX;
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
    code.instances[5] = nullptr;
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

TEST(OneWarpPerTask, DependsOnTheLongestOfTheLoopsThatEndAtExtents) {
    forall_parameter parameters[] = {{"x", 4, 4, 2, true, false}, {"n", 8, 8, 0, true, false}};
    forall_arguments all;
    all.arguments[0] = {nullptr, {100, 64}, {64, 1}};
    all.count = 100;
    const forall_kernel kernel{"test::rows", parameters, 2, 1, nullptr, nullptr, nullptr};
    EXPECT_EQ(most_turns(kernel, all), INT64_MAX) << "not known";
    parameters[0].loop_axes = 2;
    EXPECT_EQ(most_turns(kernel, all), 64);
    parameters[0].loop_axes = 3;
    EXPECT_EQ(most_turns(kernel, all), 100);
}
