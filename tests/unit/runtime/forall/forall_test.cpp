// tests/unit/runtime/forall/forall_test.cpp: the checks of calls of forall kernels, and the backend that runs them.
#include "forall/forall_arguments.hpp"

#include "expect_error.hpp"
#include "forall/test_tasks.hpp"

#include <foldwise/error.hpp>

#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

using namespace foldwise;
using namespace test_tasks;
using vec = std::vector<float>;

static detail::operand_ref on_gpu(void* data, int device) {
    return {data, detail::row_major(shape{4}), {memory::cuda, device}, false};
}

TEST(Tasks, AreAsManyAsTheCallerSays) {
    const tasks<1> some = 7, large = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(some.extents().rank, 1);
    EXPECT_EQ(some.extents().extents[0], 7);
    EXPECT_EQ(large.extents().extents[0], std::numeric_limits<std::int64_t>::max());
    const tasks<2> table = {3, 4};
    EXPECT_EQ(table.extents().rank, 2);
    EXPECT_EQ(table.extents().extents[1], 4);
    const tasks<3> shaped = shape{5, 6, 7};
    EXPECT_EQ(shaped.extents().rank, 3);
    EXPECT_EQ(shaped.extents().extents[2], 7);
}

TEST(Forall, RefusesNumbersOfTasks) {
    vec x(4), out(4);
    const auto with = [&](const forall_kernel& kernel, const auto& tasks) {
        return [&, tasks] { run(kernel, tasks, {read(x), written(out)}, cpu()); };
    };
    expect_error<std::invalid_argument>(with(twice, tasks<1>(-1)), "test::twice", "there cannot be -1 tasks");
    expect_error<std::invalid_argument>(with(twice, tasks<1>((std::int64_t{1} << 35) + 1)), "test::twice",
                                        "34359738369 tasks are more than 34359738368");
    expect_error<std::invalid_argument>(with(twice, tasks<1>(~std::uint64_t{0})), "are more than");
    expect_error<shape_error>(with(twice, tasks<1>(shape{2, 2})), "test::twice", "tasks of shape (2, 2) have 2 axes",
                              "the lambda's index has 1");
    expect_error<shape_error>(with(turn, tasks<2>(shape{4})), "test::turn", "tasks of shape 4 have 1 axis");
    expect_error<shape_error>(with(turn, tasks<2>({4})), "test::turn", "tasks of shape 4 have 1 axis");
    expect_error<std::invalid_argument>(with(turn, tasks<2>({3, -2})), "test::turn", "there cannot be (3, -2) tasks");
    expect_error<std::invalid_argument>(with(turn, tasks<2>({0, -1})), "there cannot be (0, -1) tasks");
}

TEST(Forall, RefusesMoreParametersThanThereIsRoomFor) {
    vec x(4), out(4, -1);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto same = [&](std::size_t) { return read(x); };
        expect_error<error>(
            [&] {
                run(twice, tasks<1>(4), {same(I)..., written(out)}, cpu());
            },
            "test::twice has 65 operands, and there is room for 64");
    }
    (std::make_index_sequence<detail::max_operands>());
    EXPECT_EQ(out, vec(4, -1)) << "something was written";
}

TEST(Forall, RefusesTooManyTasksEvenIfTheirProductWraps) {
    vec table(4);
    const auto x = host(table.data(), shape{2, 2});
    const auto with = [&](shape extents) {
        return [&, extents] { run(bump, tasks<2>(extents), {written(x)}, cpu()); };
    };
    expect_error<std::invalid_argument>(with({std::int64_t{1} << 32, std::int64_t{1} << 32}), "test::bump",
                                        "(4294967296, 4294967296) tasks are more than");
    expect_error<std::invalid_argument>(with({1 << 20, 1 << 20}), "(1048576, 1048576) tasks");
}

TEST(Forall, ChecksEverythingBeforeItDoesNothingForNoTasks) {
    vec x(4, 1), out(4, 5);
    run(twice, tasks<1>(0), {read(x), written(out)}, cpu());
    EXPECT_EQ(out, vec(4, 5));
    vec table(4);
    expect_error<shape_error>([&] {
        run(twice, tasks<1>(0), {read(host(table.data(), shape{2, 2})), written(out)}, cpu());
    });
    run(bump, tasks<2>(shape{0, std::int64_t{1} << 62}), {written(host(table.data(), shape{2, 2}))}, cpu());
    EXPECT_EQ(table, vec(4));
}

TEST(Forall, RefusesViewsOfAnotherRank) {
    vec x(4), out(4);
    const auto table = host(x.data(), shape{2, 2});
    expect_error<shape_error>(
        [&] {
            run(twice, tasks<1>(4), {read(table), written(out)}, cpu());
        },
        "test::twice", "x", "(2, 2)", "of rank 2", "the lambda takes a view of rank 1");
    expect_error<shape_error>(
        [&] {
            run(turn, tasks<2>({2, 2}), {read(table), written(out)}, cpu());
        },
        "out", "of rank 1", "a view of rank 2");
}

TEST(Forall, RefusesMoreTasksThanAViewHasElementsForThemToWrite) {
    vec x(6, 1), out(6, 5);
    expect_error<shape_error>(
        [&] {
            run(twice, tasks<1>(6), {read(x), written(host(out.data(), 5))}, cpu());
        },
        "test::twice", "6 tasks each write an element of out, of shape (5)",
        "along axis 0 they write 6, and there are 5");
    const auto table = host(x.data(), shape{2, 3});
    expect_error<shape_error>(
        [&] {
            run(turn, tasks<2>({2, 3}), {read(table), written(host(out.data(), shape{2, 3}))}, cpu());
        },
        "test::turn", "(2, 3) tasks each write an element of out, of shape (2, 3)",
        "along axis 0 they write 3, and there are 2");
    EXPECT_EQ(out, vec(6, 5)) << "written in spite of it";
    run(turn, tasks<2>({2, 3}), {read(table), written(host(out.data(), shape{3, 2}))}, cpu());
    EXPECT_EQ(out, vec(6, 1));
    // Fewer tasks than elements, no tasks at all, and tasks of which only some write.
    run(twice, tasks<1>(2), {read(x), written(out)}, cpu());
    EXPECT_EQ(out, (vec{2, 2, 1, 1, 1, 1}));
    vec none;
    run(twice, tasks<1>(0), {read(x), written(none)}, cpu());
    run(sometimes, tasks<1>(6), {read(x), written(host(out.data(), 5))}, cpu());
}

TEST(Forall, RefusesMoreTasksThanAViewHasElementsForThemToRead) {
    vec x(6, 1), out(6, 5);
    expect_error<shape_error>(
        [&] {
            run(twice, tasks<1>(6), {read(host(x.data(), 5)), written(out)}, cpu());
        },
        "test::twice", "6 tasks each read an element of x, of shape (5)", "along axis 0 they read 6, and there are 5");
    expect_error<shape_error>(
        [&] {
            run(bump, tasks<2>({2, 3}), {written(host(x.data(), shape{2, 2}))}, cpu());
        },
        "test::bump", "(2, 3) tasks each read and write an element of x, of shape (2, 2)",
        "along axis 1 they read and write 3, and there are 2");
    EXPECT_EQ(out, vec(6, 5)) << "written in spite of it";
    EXPECT_EQ(x, vec(6, 1)) << "written in spite of it";
}

TEST(Forall, RefusesToReadWhatOtherTasksWrite) {
    vec x{1, 2, 3, 4, 5, 6};
    expect_error<overlap_error>(
        [&] {
            run(next, tasks<1>(6), {read(x), written(x)}, cpu());
        },
        "test::next: x and out are the same memory, and tasks read neighbours in x that other tasks write to out: give "
        "out memory of its own, since tasks that read what others write need another array");
    EXPECT_EQ(x, (vec{1, 2, 3, 4, 5, 6})) << "written in spite of it";
    // Halves; every other element; a single task; what has no neighbours; no tasks.
    run(next, tasks<1>(3), {read(host(x.data(), 3)), written(host(x.data() + 3, 3))}, cpu());
    EXPECT_EQ(x, (vec{1, 2, 3, 2, 3, 0}));
    const auto all = host(x.data(), shape{6});
    run(next, tasks<1>(3), {read(all.slice(0, 0, 6, 2)), written(all.slice(0, 1, 6, 2))}, cpu());
    EXPECT_EQ(x, (vec{1, 3, 3, 3, 3, 0}));
    run(next, tasks<1>(1), {read(x), written(x)}, cpu());
    EXPECT_EQ(x, (vec{3, 3, 3, 3, 3, 0}));
    run(twice, tasks<1>(6), {read(x), written(x)}, cpu());
    EXPECT_EQ(x, (vec{6, 6, 6, 6, 6, 0}));
    run(next, tasks<1>(0), {read(x), written(x)}, cpu());
}

TEST(Forall, RefusesViewsOnSeveralGpus) {
    fake_gpu gpu;
    float memory[8];
    expect_error<device_error>(
        [&] {
            run(twice, tasks<1>(4), {on_gpu(memory, 0), on_gpu(memory + 4, 1)}, cuda());
        },
        "test::twice", "x and out are in the memory of different GPUs, 0 and 1");
    EXPECT_TRUE(gpu.log().empty());
}

TEST(Forall, RefusesGpuMemoryWhereItIsOutOfReach) {
    fake_gpu gpu;
    vec x(4);
    float memory[4];
    for (const executor& on : {cpu(), simulator()})
        expect_error<device_error>(
            [&] {
                run(twice, tasks<1>(4), {read(x), on_gpu(memory, 0)}, on);
            },
            "test::twice", "out is in GPU memory", on == cpu() ? "executor cpu" : "executor simulator");
    forall_kernel elsewhere = twice;
    elsewhere.cpu = nullptr;
    expect_error<error>(
        [&] {
            run(elsewhere, tasks<1>(4), {read(x), written(x)}, cpu());
        },
        "test::twice", "add it to BACKENDS");
}

TEST(Forall, RunsOnTheCpuAndTheSimulator) {
    for (const executor& on : {cpu(), simulator()}) {
        vec x(100003), out(100004, -1);
        std::iota(x.begin(), x.end(), 0.0f);
        run(twice, tasks<1>(x.size()), {read(x), written(out)}, on);
        EXPECT_EQ(out.back(), -1);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < x.size(); ++i) wrong += out[i] != 2 * x[i];
        EXPECT_EQ(wrong, 0u);
    }
}

TEST(Forall, ASimulatorThatFailsSaysSo) {
    forall_kernel failing = twice;
    failing.simulator = [](const forall_call&, CUstream_st*) { return 9; };
    vec x(4);
    expect_error<device_error>(
        [&] {
            run(failing, tasks<1>(4), {read(x), written(x)}, simulator());
        },
        "test::twice", "CUDA's error 9");
}

/// Whether a call is plain that has one view of two axes with this layout, of which tasks may touch any element.
static bool is_plain(const detail::layout& layout, shape extents = {2, 2}) {
    const tasks<2> tasks(extents);
    float memory[4];
    detail::forall_arguments all;
    const std::initializer_list<detail::operand_ref> given = {{memory, layout, {}, false}};
    static constexpr forall_parameter unknown = {"x", 4, 4, 2, true, true};
    forall_kernel kernel = bump;
    kernel.parameters = &unknown;
    detail::check_forall(kernel, tasks.extents(), given, all);
    return all.call(kernel).is_plain;
}

TEST(Forall, IsPlainIfTheLastAxisIsContiguousAndAllFitsInto32Bits) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    EXPECT_TRUE(is_plain(detail::row_major(shape{2, 2})));
    EXPECT_TRUE(is_plain({shape{2, 2}, {-7, 1}}));
    EXPECT_TRUE(is_plain({shape{2, 2}, {0, 1}}));
    EXPECT_TRUE(is_plain({shape{2, 1}, {3, 5}})) << "a step that nobody takes";
    EXPECT_FALSE(is_plain({shape{2, 2}, {1, 2}}));
    EXPECT_FALSE(is_plain({shape{2, 2}, {2, -1}}));
    EXPECT_FALSE(is_plain({shape{2, 2}, {1, 0}}));
    EXPECT_TRUE(is_plain({shape{2, most / 2}, {most / 2 + 1, 1}}));
    EXPECT_FALSE(is_plain({shape{2, most}, {most, 1}})) << "the last element is too far";
    EXPECT_TRUE(is_plain({shape{2, most}, {-most, 1}})) << "as far on either side";
    EXPECT_FALSE(is_plain({shape{2, most + 1}, {1, 1}}));
    EXPECT_FALSE(is_plain({shape{2, 2}, {most + 1, 1}}));
    EXPECT_TRUE(is_plain(detail::row_major(shape{2, 2}), {1, most}));
    EXPECT_FALSE(is_plain(detail::row_major(shape{2, 2}), {1, most + 1}));
}

TEST(Forall, ValuesAreHandedOnWhereTheyAre) {
    static constexpr forall_parameter parameters[] = {{"out", 4, 4, 1, false, true}, {"value", 8, 8, 0, true, false}};
    static constexpr forall_kernel fill{"test::fill",
                                        parameters,
                                        2,
                                        1,
                                        [](const forall_call& call, std::int64_t begin, std::int64_t end) {
                                            for (std::int64_t i = begin; i < end; ++i)
                                                floats(call.arguments[0])(i) =
                                                    static_cast<float>(detail::value_of<double>(call, 1));
                                        },
                                        nullptr,
                                        nullptr};
    vec out(5);
    run(fill, tasks<1>(5), {written(out), detail::refer_to_value(2.5)}, cpu());
    EXPECT_EQ(out, vec(5, 2.5f));
}
