// tests/unit/runtime/forall/run_forall_on_cuda_test.cpp: which views are copied to a GPU and back, and which are not.
#include "forall/forall_arguments.hpp"

#include "expect_error.hpp"
#include "forall/test_tasks.hpp"
#include "small_chunks.hpp"

#include <foldwise/error.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

using namespace foldwise;
using namespace test_tasks;
using vec = std::vector<float>;
using log_of = std::vector<std::string>;

static CUstream_st* const some_stream = reinterpret_cast<CUstream_st*>(0x4000);
static const executor on_stream = cuda(some_stream);

static std::ptrdiff_t times(const fake_gpu& gpu, const char* operation) {
    return std::count(gpu.log().begin(), gpu.log().end(), operation);
}

TEST(RunTasksOnCuda, DeviceViewsAreOneLaunchAndNothingElse) {
    fake_gpu gpu;
    const auto x = to_device(vec{1, 2, 3}, on_stream);
    foldwise::array<float> out(shape{3}, on_stream);
    gpu.forget_log();
    run(twice, tasks<1>(3), {read(x), written(out)}, on_stream);
    EXPECT_EQ(gpu.log(), (log_of{"launch"}));
    EXPECT_EQ(gpu.streams().back(), some_stream);
    EXPECT_EQ(gpu.queued(), 1u) << "it waited";
    EXPECT_EQ(out.to_host(), (vec{2, 4, 6}));
}

TEST(RunTasksOnCuda, SpansOverGpuMemoryAreFoundByTheirAddress) {
    fake_gpu gpu;
    const auto x = to_device(vec{1, 2, 3}, on_stream);
    foldwise::array<float> out(shape{3}, on_stream);
    const std::span<const float> from(x.data(), 3);
    const std::span<float> to(out.data(), 3);
    gpu.forget_log();
    run(twice, tasks<1>(3), {read(from), written(to)}, on_stream);
    EXPECT_EQ(gpu.log(), (log_of{"launch"}));
    EXPECT_EQ(out.to_host(), (vec{2, 4, 6}));
}

TEST(RunTasksOnCuda, WhatIsOnlyReadStaysAndWhatIsAllWrittenOnlyReturns) {
    fake_gpu gpu;
    const vec x{1, 2, 3};
    vec out{7, 7, 7};
    run(twice, tasks<1>(3), {read(x), written(out)}, on_stream);
    EXPECT_EQ(out, (vec{2, 4, 6}));
    EXPECT_EQ(times(gpu, "allocate"), 2);
    EXPECT_EQ(times(gpu, "to_device"), 1);
    EXPECT_EQ(times(gpu, "to_host"), 1);
    EXPECT_EQ(times(gpu, "synchronize"), 2) << "before the host's memory is read, and when all is back";
    for (CUstream_st* used : gpu.streams()) EXPECT_EQ(used, some_stream);
}

TEST(RunTasksOnCuda, WhatFewerTasksWriteTravelsBothWays) {
    fake_gpu gpu;
    vec x{1, 2, 3}, out{7, 7, 7};
    run(twice, tasks<1>(2), {read(x), written(out)}, on_stream);
    EXPECT_EQ(out, (vec{2, 4, 7}));
    EXPECT_EQ(times(gpu, "to_device"), 2);
    gpu.forget_log();
    out.assign(3, 7);
    run(sometimes, tasks<1>(3), {read(x), written(out)}, on_stream);
    EXPECT_EQ(out, (vec{2, 7, 6}));
    EXPECT_EQ(times(gpu, "to_device"), 2);
    EXPECT_EQ(times(gpu, "to_host"), 1);
}

TEST(RunTasksOnCuda, ATurnedViewIsCoveredByTasksAlongItsOwnAxes) {
    fake_gpu gpu;
    const vec from{1, 2, 3, 4, 5, 6};
    vec to(6);
    const auto x = host(from.data(), shape{2, 3});
    run(turn, tasks<2>({2, 3}), {read(x), written(host(to.data(), shape{3, 2}))}, on_stream);
    EXPECT_EQ(to, (vec{1, 4, 2, 5, 3, 6}));
    EXPECT_EQ(times(gpu, "to_device"), 1);
    gpu.forget_log();
    vec wide(12, -1);
    run(turn, tasks<2>({2, 3}), {read(x), written(host(wide.data(), shape{3, 4}))}, on_stream);
    EXPECT_EQ(wide, (vec{1, 4, -1, -1, 2, 5, -1, -1, 3, 6, -1, -1}));
    EXPECT_EQ(times(gpu, "to_device"), 2) << "two of four columns are written";
}

TEST(RunTasksOnCuda, WhatIsReadAndWrittenTravelsBothWaysOnce) {
    fake_gpu gpu;
    vec x{1, 2, 3, 4};
    run(bump, tasks<2>({2, 2}), {written(host(x.data(), shape{2, 2}))}, on_stream);
    EXPECT_EQ(x, (vec{2, 3, 4, 5}));
    EXPECT_EQ(gpu.log(), (log_of{"allocate", "synchronize", "to_device", "launch", "to_host", "synchronize", "free"}));
}

TEST(RunTasksOnCuda, ViewsThatAreOnlyAskedStay) {
    fake_gpu gpu;
    vec like(5), out(1);
    run(ask, tasks<1>(1), {read(like), written(out)}, on_stream);
    EXPECT_EQ(out.front(), 5);
    EXPECT_EQ(times(gpu, "allocate"), 1);
    vec same(3);
    run(ask, tasks<1>(1), {read(same), written(same)}, on_stream);
    EXPECT_EQ(same.front(), 3);
}

TEST(RunTasksOnCuda, InAndOutOfOneVectorShareACopy) {
    fake_gpu gpu;
    vec x{1, 2, 3};
    run(twice, tasks<1>(3), {read(x), written(x)}, on_stream);
    EXPECT_EQ(x, (vec{2, 4, 6}));
    EXPECT_EQ(gpu.log(), (log_of{"allocate", "synchronize", "to_device", "launch", "to_host", "synchronize", "free"}));
}

TEST(RunTasksOnCuda, ViewsThatOverlapShareACopy) {
    fake_gpu gpu;
    vec x{1, 2, 3, 4, 5};
    // Tasks run in order here: each reads what the one before wrote.
    run(twice, tasks<1>(4), {read(std::span(x).first(4)), written(std::span(x).last(4))}, on_stream);
    EXPECT_EQ(x, (vec{1, 2, 4, 8, 16}));
    EXPECT_EQ(times(gpu, "allocate"), 1);
    const vec apart{1, 2, 3, 4};
    vec out(2);
    gpu.forget_log();
    run(twice, tasks<1>(2), {read(std::span(apart).first(2)), written(out)}, on_stream);
    EXPECT_EQ(times(gpu, "allocate"), 2);
}

TEST(RunTasksOnCuda, NeighboursDoNotShare) {
    fake_gpu gpu;
    vec x{1, 2, 0, 0};
    run(twice, tasks<1>(2), {read(std::span(x).first(2)), written(std::span(x).last(2))}, on_stream);
    EXPECT_EQ(x, (vec{1, 2, 2, 4}));
    EXPECT_EQ(times(gpu, "allocate"), 2);
    EXPECT_EQ(times(gpu, "to_device"), 1);
}

/// What lies between the elements of a view belongs to others, who write there while the tasks run.
static void run_beside_others(vec& memory, const view<float>& x) {
    const std::int64_t rows = x.shape()[0], columns = x.shape()[1];
    vec want = memory;
    static std::vector<float*> others;
    others.clear();
    for (std::size_t i = 0; i < memory.size(); ++i) {
        bool is_own = false;
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < columns; ++c)
                is_own = is_own || &memory[i] == x.data() + r * x.strides()[0] + c * x.strides()[1];
        want[i] += is_own ? 1 : 1000;
        if (!is_own) others.push_back(&memory[i]);
    }
    forall_kernel beside_others = bump;
    beside_others.cuda = [](const forall_call& call, CUstream_st* stream) {
        for (float* value : others) *value += 1000;
        return bump.cuda(call, stream);
    };
    run(beside_others, tasks<2>({rows, columns}), {written(x)}, on_stream);
    EXPECT_EQ(memory, want);
}

TEST(RunTasksOnCuda, WhatLiesBetweenElementsIsLeftAlone) {
    fake_gpu gpu;
    vec memory(40);
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<float>(i);
    run_beside_others(memory, host(memory.data(), shape{3, 4}, {10, 2}));
    run_beside_others(memory, host(memory.data() + 30, shape{3, 4}, {-10, 2}));
    run_beside_others(memory, host(memory.data() + 9, shape{4, 3}, {-3, 10}));
    run_beside_others(memory, host(memory.data() + 5, shape{4, 3}, {1, 4}));
    run_beside_others(memory, host(memory.data() + 5, shape{1, 3}, {100, 7}));
}

TEST(RunTasksOnCuda, ElementsThatSharePlacesShareThemOnTheGpu) {
    fake_gpu gpu;
    vec sliding(6);
    run(bump, tasks<2>({3, 4}), {written(host(sliding.data(), shape{3, 4}, {1, 1}))}, on_stream);
    EXPECT_EQ(sliding, (vec{1, 2, 3, 3, 2, 1}));
    vec repeated(3);
    run(bump, tasks<2>({5, 3}), {written(host(repeated.data(), shape{5, 3}, {0, 1}))}, on_stream);
    EXPECT_EQ(repeated, (vec{5, 5, 5}));
    // As many elements as places from first to last, and every other place is somebody else's.
    vec gaps(9, -1);
    run_beside_others(gaps, host(gaps.data(), shape{1, 5}, {9, 2}));
    gaps.assign(9, -1);
    run(bump, tasks<2>({3, 3}), {written(host(gaps.data(), shape{3, 3}, {2, 2}))}, on_stream);
    EXPECT_EQ(gaps, (vec{0, -1, 1, -1, 2, -1, 1, -1, 0}));
}

TEST(RunTasksOnCuda, OverlappingViewsWithGapsLeaveThemAlone) {
    fake_gpu gpu;
    vec memory{1, 2, 3, 4, 5, 6};
    const auto even = host(memory.data(), shape{3}, {2}), odd = host(memory.data() + 1, shape{3}, {2});
    run(twice, tasks<1>(3), {read(even), written(odd)}, on_stream);
    EXPECT_EQ(memory, (vec{1, 2, 3, 6, 5, 10}));
    EXPECT_EQ(times(gpu, "allocate"), 1) << "they interleave";
    run(twice, tasks<1>(2), {read(odd), written(even)}, on_stream);
    EXPECT_EQ(memory, (vec{4, 2, 12, 6, 5, 10}));
    run(twice, tasks<1>(3), {read(odd), written(odd)}, on_stream);
    EXPECT_EQ(memory, (vec{4, 4, 12, 12, 5, 20}));
}

TEST(RunTasksOnCuda, HostAndDeviceViewsMix) {
    fake_gpu gpu;
    const auto x = to_device(vec{1, 2}, on_stream);
    vec out(2);
    run(twice, tasks<1>(2), {read(x), written(out)}, on_stream);
    EXPECT_EQ(out, (vec{2, 4}));
    foldwise::array<float> device_out(shape{2}, on_stream);
    vec y{3, 4};
    run(twice, tasks<1>(2), {read(y), written(device_out)}, on_stream);
    y.assign(2, -1);  // the caller's memory is its own again
    EXPECT_EQ(device_out.to_host(), (vec{6, 8}));
}

TEST(RunTasksOnCuda, NoTasksAndEmptyViewsTravelNowhere) {
    fake_gpu gpu;
    vec x(3), none;
    run(twice, tasks<1>(0), {read(x), written(x)}, on_stream);
    EXPECT_TRUE(gpu.log().empty());
    run(sometimes, tasks<1>(0), {read(none), written(none)}, on_stream);
    run(ask, tasks<1>(1), {read(none), written(x)}, on_stream);
    EXPECT_EQ(x.front(), 0);
    EXPECT_EQ(times(gpu, "allocate"), 1);
}

static constexpr forall_parameter bytes_and_doubles[] = {{"tags", 1, 1, 1, true, false},
                                                         {"values", 8, 8, 1, true, true}};
static int tagged_cuda(const forall_call& call, CUstream_st* stream) {
    const forall_argument tags = call.arguments[0], values = call.arguments[1];
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values.data) % 8, 0u);
    return fake_gpu::current().launch(
        [=, count = call.count] {
            for (std::int64_t i = 0; i < count; ++i)
                static_cast<double*>(values.data)[i * values.strides[0]] +=
                    static_cast<const std::uint8_t*>(tags.data)[i * tags.strides[0]];
        },
        stream);
}

TEST(RunTasksOnCuda, MembersOfStructsStayAligned) {
    static constexpr forall_kernel tagged{"test::tagged", bytes_and_doubles, 2, 1, nullptr, tagged_cuda, nullptr};
    struct item {
        std::int32_t id;
        std::uint8_t tag;
        double value;
    };
    fake_gpu gpu;
    std::vector<item> items{{1, 2, 10}, {3, 4, 20}, {5, 6, 30}};
    const auto tags = host<const std::uint8_t>(&items[0].tag, shape{3}, {sizeof(item)});
    const auto values = host(&items[0].value, shape{3}, {sizeof(item) / 8});
    detail::forall(tagged, tasks<1>(3), {elements<const std::uint8_t>(tags).ref(), elements<double>(values).ref()},
                   on_stream);
    EXPECT_EQ(items[0].value, 12);
    EXPECT_EQ(items[2].value, 36);
    EXPECT_EQ(items[1].id, 3);
}

TEST(RunTasksOnCuda, WhateverFailsNothingIsWrittenAndNothingLeaks) {
    for (const char* operation : {"allocate", "to_device", "launch", "to_host", "synchronize"}) {
        fake_gpu gpu;
        const vec x{1, 2};
        vec out{7, 7};
        gpu.fail(operation, 0, fake_gpu::launch_failed);
        expect_error<device_error>(
            [&] {
                run(twice, tasks<1>(2), {read(x), written(out)}, on_stream);
            },
            std::string(operation) == "allocate" ? "" : "test::twice", "fakeError719");
        EXPECT_EQ(times(gpu, "allocate") - (std::string(operation) == "allocate"), times(gpu, "free")) << operation;
    }
}

namespace {

/// What test::rows reads and writes, and what it is to have written.
struct row_views {
    std::int64_t height, width;
    vec x, scale, out, sums;

    explicit row_views(std::int64_t rows = 1003, std::int64_t columns = 7)
        : height(rows), width(columns), x(static_cast<std::size_t>(rows * columns)),
          scale(static_cast<std::size_t>(rows)), out(x.size(), -1), sums(scale.size(), 5) {
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 61);
        for (std::size_t i = 0; i < scale.size(); ++i) scale[i] = static_cast<float>(i % 5);
    }
    void call() {
        run(test_tasks::rows, tasks<2>({height, width}),
            {read(grid(x)), read(scale), written(grid(out)), written(sums)}, on_stream);
    }
    void expect_right() const {
        for (std::int64_t r = 0; r < height; ++r) {
            const auto row = static_cast<std::size_t>(r);
            EXPECT_EQ(sums[row], static_cast<float>(5 + width)) << r;
            for (std::int64_t c = 0; c < width; ++c)
                ASSERT_EQ(out[static_cast<std::size_t>(r * width + c)],
                          static_cast<float>(r) + scale[row] * x[static_cast<std::size_t>(r * width + width - 1 - c)]);
        }
    }
    foldwise::view<float> grid(vec& all) const { return foldwise::view<float>(all.data(), shape{height, width}); }
};

}  // namespace

TEST(RunTasksOnCuda, TasksThatKeepToTheirRowsRunWhileOthersTravel) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        fake_gpu gpu;
        const small_chunks limits(640, 3);  // ten rows
        gpu.shuffle(seed);
        row_views views;
        views.call();
        views.expect_right();
        EXPECT_EQ(times(gpu, "launch"), 101);
        EXPECT_LT(gpu.largest(), sizeof(float) * views.x.size()) << "all of it was there at once";
    }
}

/// Rows of which pinned memory has room for several, for two, for one and for none.
TEST(RunTasksOnCuda, LongRowsPinNoMoreThanTheyMay) {
    constexpr std::size_t most_pinned = 64 << 10;
    for (const std::int64_t width : {1000, 3500, 7000, 20'000}) {
        for (const std::int64_t height : {1, 2, 3, 9}) {
            for (std::uint32_t seed = 0; seed < 4; ++seed) {
                fake_gpu gpu;
                const small_chunks limits(4096);
                detail::limits_of_chunks.most_pinned = most_pinned;
                gpu.shuffle(seed);
                row_views views(height, width);
                if (seed & 1) gpu.pin(views.x.data(), views.x.size() * sizeof(float));
                if (seed & 2) gpu.pin(views.out.data(), views.out.size() * sizeof(float));
                views.call();
                views.expect_right();
                EXPECT_LE(gpu.most_pinned(), most_pinned) << height << " rows of " << width;
                EXPECT_EQ(times(gpu, "launch"), height);
                const std::size_t row = detail::padded(sizeof(float) * static_cast<std::size_t>(width));
                const auto rows = static_cast<std::size_t>(std::min<std::int64_t>(height, 4));
                EXPECT_LE(gpu.largest(), rows * (2 * row + 2 * detail::part_alignment))
                    << "there is room for more rows";
            }
        }
    }
}

TEST(RunTasksOnCuda, WhateverFailsAmongLongRowsNothingIsUnderWayAfterwards) {
    for (const char* operation : {"allocate", "to_device", "launch", "to_host", "synchronize"}) {
        for (int n = 0; n < 4; ++n) {
            fake_gpu gpu;
            const small_chunks limits(4096);
            detail::limits_of_chunks.most_pinned = 64 << 10;
            row_views views(5, 20'000);
            gpu.fail(operation, std::string(operation) == "allocate" ? 0 : n, fake_gpu::launch_failed);
            expect_error<device_error>([&] { views.call(); }, "fakeError719");
            EXPECT_EQ(times(gpu, "allocate") - (std::string(operation) == "allocate"), times(gpu, "free")) << operation;
            const vec left = views.out;
            gpu.synchronize(some_stream);
            EXPECT_EQ(views.out, left) << operation << " " << n;
        }
    }
}

TEST(RunTasksOnCuda, RowsThatOthersTouchOrThatHaveGapsTravelTogether) {
    const small_chunks limits(640, 3);
    const auto expect_one_launch = [](const auto& call) {
        fake_gpu gpu;
        call();
        EXPECT_EQ(times(gpu, "launch"), 1);
    };
    vec x(600, 3), out(600);
    expect_one_launch([&] { run(twice, tasks<1>(600), {read(x), written(out)}, on_stream); });  // not known of it
    EXPECT_EQ(out, vec(600, 6));
    row_views views;
    expect_one_launch([&] {  // fewer tasks than rows
        run(test_tasks::rows, tasks<2>({50, views.width}),
            {read(views.grid(views.x)), read(views.scale), written(views.grid(views.out)), written(views.sums)},
            on_stream);
    });
    EXPECT_EQ(views.sums[49], static_cast<float>(5 + views.width));
    EXPECT_EQ(views.sums[50], 5);
    expect_one_launch([&] {  // written where others are read
        run(test_tasks::rows, tasks<2>({views.height, 1}),
            {read(foldwise::view<float>(views.x.data(), shape{views.height, 1})), read(views.scale),
             written(foldwise::view<float>(views.x.data(), shape{views.height, 1})), written(views.sums)},
            on_stream);
    });
}
