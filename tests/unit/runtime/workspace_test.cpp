// tests/unit/runtime/workspace_test.cpp: which workspace a call gets, and when one is freed.
#include "workspace.hpp"

#include "expect_error.hpp"
#include "fake_gpu.hpp"

#include <foldwise/error.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <vector>

using namespace foldwise;
using detail::reduce_workspace;
using detail::workspace_lease;
using detail::workspace_size;
using log_of = std::vector<std::string>;

static CUstream_st* const stream_a = reinterpret_cast<CUstream_st*>(0x1000);
static CUstream_st* const stream_b = reinterpret_cast<CUstream_st*>(0x2000);

static reduce_workspace workspace_of(CUstream_st* stream, const workspace_size& size = {}) {
    return detail::workspace_of(executor(backend::cuda, stream, fake_gpu::current().device), size, "test::sum").memory;
}

static bool is_zero(const reduce_workspace& memory) {
    const auto* bytes = static_cast<const std::byte*>(memory.counters);
    return std::all_of(bytes, bytes + memory.counter_bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

TEST(Workspace, IsMadeOnceForAStreamWithZeroedCounters) {
    fake_gpu gpu;
    const reduce_workspace first = workspace_of(stream_a);
    EXPECT_EQ(gpu.log(), (log_of{"allocate", "clear"}));
    EXPECT_EQ(gpu.streams(), (std::vector<CUstream_st*>{stream_a, stream_a}));
    EXPECT_TRUE(gpu.owns(first.counters));
    EXPECT_GE(first.counter_bytes, detail::reduce_counter_bytes);
    EXPECT_GE(first.part_bytes, detail::reduce_part_bytes);
    EXPECT_EQ(first.parts, static_cast<std::byte*>(first.counters) + first.counter_bytes);
    gpu.synchronize(stream_a);
    EXPECT_TRUE(is_zero(first));

    gpu.forget_log();
    EXPECT_EQ(workspace_of(stream_a).counters, first.counters);
    EXPECT_EQ(gpu.log(), log_of{});
    EXPECT_NE(workspace_of(stream_b).counters, first.counters);
    EXPECT_EQ(gpu.live(), 2u);
}

TEST(Workspace, GrowsAndIsFreedInTheOrderOfItsStream) {
    fake_gpu gpu;
    const reduce_workspace small = workspace_of(stream_a);
    gpu.synchronize(stream_a);
    gpu.forget_log();
    const reduce_workspace counters = workspace_of(stream_a, {5000, 1});
    EXPECT_EQ(gpu.log(), (log_of{"allocate", "clear", "free"}));
    EXPECT_TRUE(gpu.owns(small.counters)) << "what is queued may use it";
    EXPECT_EQ(counters.counter_bytes, 8192u);
    EXPECT_EQ(counters.part_bytes, small.part_bytes);
    gpu.synchronize(stream_a);
    EXPECT_FALSE(gpu.owns(small.counters));
    EXPECT_TRUE(is_zero(counters));

    const reduce_workspace both = workspace_of(stream_a, {1, 10 * small.part_bytes});
    EXPECT_EQ(both.counter_bytes, 8192u) << "it shrank";
    EXPECT_EQ(both.part_bytes, 16 * small.part_bytes);
    EXPECT_EQ(workspace_of(stream_a, {8192, 16 * small.part_bytes}).counters, both.counters);
    EXPECT_EQ(workspace_of(stream_a).counters, both.counters);
}

TEST(Workspace, CountersOfALaunchThatEndedEarlyAreClearedForTheNextOne) {
    fake_gpu gpu;
    reduce_workspace first{};
    {
        workspace_lease lease = detail::workspace_of(executor(backend::cuda, stream_a, 0), {}, "test::sum");
        first = lease.memory;
        gpu.synchronize(stream_a);
        std::memset(first.counters, 1, first.counter_bytes);
        lease.mark_counters_stale();
    }
    gpu.forget_log();
    gpu.fail("clear", 0, fake_gpu::launch_failed);
    expect_error<device_error>([&] { workspace_of(stream_a); }, "test::sum", "fakeError719");
    const reduce_workspace second = workspace_of(stream_a);
    EXPECT_EQ(gpu.log(), (log_of{"clear", "clear"})) << "the first one failed";
    EXPECT_EQ(gpu.streams().back(), stream_a);
    EXPECT_EQ(second.counters, first.counters);
    gpu.synchronize(stream_a);
    EXPECT_TRUE(is_zero(second));
    gpu.forget_log();
    workspace_of(stream_a);
    EXPECT_EQ(gpu.log(), log_of{}) << "once is enough";
}

TEST(Workspace, OfAnEarlierStreamIsNotGivenToTheNextOneWithItsHandle) {
    fake_gpu gpu;
    gpu.numbers[stream_a] = {7, 0};
    const reduce_workspace old = workspace_of(stream_a);
    gpu.numbers[stream_a] = {8, 0};
    const reduce_workspace made = workspace_of(stream_a);
    EXPECT_NE(made.counters, old.counters);
    EXPECT_EQ(std::count(gpu.log().begin(), gpu.log().end(), "free"), 0) << "the old stream's work may still use it";
}

TEST(Workspace, OfEndedStreamsDoNotPileUp) {
    constexpr std::size_t few = detail::workspaces::few_streams;
    fake_gpu gpu;
    CUstream_st* const lasting = reinterpret_cast<CUstream_st*>(0x3000);
    const reduce_workspace other = workspace_of(lasting);
    for (std::uint64_t number = 100; number < 1100; ++number) {
        auto* const stream = reinterpret_cast<CUstream_st*>(0x10000 + 0x10 * (number % 300));
        gpu.numbers[stream] = {number, 0};
        workspace_of(stream);
        gpu.synchronize(stream);
        ASSERT_LE(gpu.live(), few + 1);
    }
    EXPECT_EQ(workspace_of(lasting).counters, other.counters) << "used before events were recorded, so never idle";
    EXPECT_LE(gpu.objects(), 2u) << "events of workspaces that were taken over";
}

TEST(Workspace, IsTakenOverOnlyWhenItsLastUseIsDone) {
    constexpr std::uintptr_t many = 3 * detail::workspaces::few_streams;
    fake_gpu gpu;
    std::set<void*> seen;
    for (std::uintptr_t i = 0; i < many; ++i) {  // nothing is done before somebody waits for it
        const auto used = seen.insert(workspace_of(reinterpret_cast<CUstream_st*>(0x10000 + 0x10 * i)).counters);
        ASSERT_TRUE(used.second) << "stream " << i << " may still use it";
    }
    auto* const busy = reinterpret_cast<CUstream_st*>(0x10000 + 0x10 * (many - 1));
    {
        const workspace_lease lease = detail::workspace_of(executor(backend::cuda, busy, 0), {}, "test::sum");
        for (std::uintptr_t i = many; i < 2 * many; ++i) {
            gpu.synchronize(nullptr);
            EXPECT_NE(workspace_of(reinterpret_cast<CUstream_st*>(0x10000 + 0x10 * i)).counters, lease.memory.counters);
        }
    }
    EXPECT_LE(gpu.live(), many + 2);
}

TEST(Workspace, OfOtherDevicesAreNotTakenOver) {
    fake_gpu gpu;
    gpu.devices = 2;
    std::set<void*> seen[2];
    for (std::uint64_t number = 0; number < 200; ++number) {
        gpu.device = static_cast<int>(number % 2);
        gpu.numbers[stream_a] = {100 + number, 0};
        seen[number % 2].insert(workspace_of(stream_a).counters);
        gpu.synchronize(stream_a);
    }
    for (void* one : seen[0]) EXPECT_EQ(seen[1].count(one), 0u);
    EXPECT_LE(gpu.live(), 2 * (detail::workspaces::few_streams + 1));
}

TEST(Workspace, DefaultStreamsShareAHandleAndNeverEnd) {
    fake_gpu gpu;
    std::set<void*> seen;
    for (int repeat = 0; repeat < 2; ++repeat) {
        for (std::uintptr_t handle = 0; handle < 3; ++handle) {
            auto* stream = reinterpret_cast<CUstream_st*>(handle);
            for (std::uint64_t device = 0; device < 2; ++device) {
                gpu.numbers[stream] = {10 * handle + device, 0};
                seen.insert(workspace_of(stream).counters);
            }
        }
    }
    EXPECT_EQ(seen.size(), 6u);
    EXPECT_EQ(gpu.live(), 6u);
}

TEST(Workspace, InACaptureIsMadeOutsideOfIt) {
    fake_gpu gpu;
    gpu.numbers[stream_a] = {7, 1};
    const reduce_workspace captured = workspace_of(stream_a);
    EXPECT_EQ(gpu.log(), (log_of{"allocate_zeroed", "when_capture_is_gone"}));
    EXPECT_EQ(gpu.queued(), 0u) << "something was captured";
    EXPECT_TRUE(is_zero(captured));
    EXPECT_EQ(workspace_of(stream_a).counters, captured.counters);

    gpu.numbers[stream_b] = {8, 1};
    EXPECT_NE(workspace_of(stream_b).counters, captured.counters) << "branches of one graph run side by side";
    gpu.numbers[stream_a] = {7, 0};
    EXPECT_NE(workspace_of(stream_a).counters, captured.counters) << "the graph may be replayed beside this call";
    gpu.numbers[stream_a] = {7, 2};
    EXPECT_NE(workspace_of(stream_a).counters, captured.counters) << "two graphs may be replayed side by side";
}

TEST(Workspace, OfAGraphStaysUntilTheGraphIsGone) {
    fake_gpu gpu;
    gpu.numbers[stream_a] = {7, 1};
    const reduce_workspace small = workspace_of(stream_a);
    const reduce_workspace large = workspace_of(stream_a, {64, 2 * small.part_bytes});
    EXPECT_NE(large.counters, small.counters);
    EXPECT_EQ(workspace_of(stream_a).counters, large.counters);
    EXPECT_EQ(std::count(gpu.log().begin(), gpu.log().end(), "free"), 0) << "the graph's earlier calls use it";

    gpu.end_graph(1);
    gpu.forget_log();
    gpu.numbers[stream_b] = {8, 2};
    const reduce_workspace first = workspace_of(stream_b);
    gpu.numbers[stream_b] = {8, 3};
    const reduce_workspace second = workspace_of(stream_b);
    EXPECT_EQ((std::set{first.counters, second.counters}), (std::set{small.counters, large.counters}));
    EXPECT_EQ(gpu.log(), (log_of{"when_capture_is_gone", "when_capture_is_gone"}));
}

TEST(Workspace, OfAGraphIsTakenOverOnlyWhereItFits) {
    fake_gpu gpu;
    gpu.devices = 2;
    gpu.numbers[stream_a] = {7, 1};
    const reduce_workspace first = workspace_of(stream_a);
    gpu.end_graph(1);
    gpu.numbers[stream_a] = {7, 2};
    EXPECT_NE(workspace_of(stream_a, {2 * detail::reduce_counter_bytes, 64}).counters, first.counters);
    gpu.numbers[stream_a] = {7, 3};
    gpu.device = 1;
    EXPECT_NE(workspace_of(stream_a).counters, first.counters);
    gpu.numbers[stream_a] = {7, 4};
    gpu.device = 0;
    EXPECT_EQ(workspace_of(stream_a).counters, first.counters);
}

TEST(Workspace, WhatFailsIsNamedAndNothingIsLost) {
    fake_gpu gpu;
    gpu.fail("allocate", 0, fake_gpu::out_of_memory);
    expect_error<out_of_memory>([] { workspace_of(stream_a); }, "test::sum: cannot allocate", "fakeError2");
    gpu.fail("clear", 0, fake_gpu::launch_failed);
    expect_error<device_error>([] { workspace_of(stream_a); }, "test::sum: fakeError719");
    gpu.synchronize(stream_a);
    EXPECT_EQ(gpu.live(), 0u);
    gpu.numbers[stream_b] = {8, 1};
    gpu.fail("allocate_zeroed", 0, fake_gpu::out_of_memory);
    expect_error<out_of_memory>([] { workspace_of(stream_b); }, "test::sum: fakeError2");
    EXPECT_TRUE(gpu.owns(workspace_of(stream_a).counters));
    EXPECT_TRUE(gpu.owns(workspace_of(stream_b).counters));
}

TEST(Workspace, BelongsToOneThreadAtATime) {
    fake_gpu gpu;
    std::vector<std::thread> threads;
    std::atomic<int> inside = 0;  // of the stream that all share
    for (std::uintptr_t i = 0; i < 8; ++i) {
        threads.emplace_back([&, i] {
            auto* own = reinterpret_cast<CUstream_st*>(0x10000 + 0x100 * i);
            void* const mine = workspace_of(own).counters;
            for (std::size_t k = 0; k < 500; ++k) {
                EXPECT_EQ(workspace_of(own).counters, mine);
                const workspace_lease lease =
                    detail::workspace_of(executor(backend::cuda, stream_a, 0), {64, k * 1024}, "test::sum");
                EXPECT_EQ(++inside, 1);
                EXPECT_GE(lease.memory.part_bytes, k * 1024);
                std::this_thread::yield();
                --inside;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    gpu.synchronize(stream_a);
    EXPECT_EQ(gpu.live(), 9u);
}
