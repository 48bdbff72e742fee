// tests/unit/runtime/transfer_ring_test.cpp: transfer rings, which are made once, kept, and used by one thread at a
// time.
#include "transfer_ring.hpp"

#include "expect_error.hpp"
#include "fake_gpu.hpp"

#include <foldwise/error.hpp>

#include <atomic>
#include <thread>
#include <vector>

using namespace foldwise;
using namespace foldwise::detail;

TEST(TransferRing, IsMadeOnceForEachGpu) {
    fake_gpu gpu;
    transfer_ring* const first = &lease_ring(gpu, gpu.device, "test").ring;
    EXPECT_EQ(gpu.objects(), 2u);
    EXPECT_EQ(&lease_ring(gpu, gpu.device, "test").ring, first);
    gpu.device = 1;
    EXPECT_NE(&lease_ring(gpu, gpu.device, "test").ring, first);
    EXPECT_EQ(gpu.objects(), 4u);
}

TEST(TransferRing, KeepsItsMemoryUntilMoreIsAskedFor) {
    fake_gpu gpu;
    const ring_lease lease = lease_ring(gpu, gpu.device, "test");
    std::byte* const memory = lease.ring.pinned(1000, "test");
    EXPECT_EQ(lease.ring.pinned(10, "test"), memory);
    EXPECT_EQ(lease.ring.pinned(1000, "test"), memory);
    lease.ring.pinned(1001, "test");
    EXPECT_EQ(gpu.pinned(), 1u);
    gpu.fail("allocate_pinned", 0, fake_gpu::out_of_memory);
    expect_error<out_of_memory>([&] { lease.ring.pinned(2000, "test::f"); }, "test::f", "2000 bytes of pinned memory");
    EXPECT_EQ(gpu.most_pinned(), 1001u) << "old and new memory were there at once";
    lease.ring.pinned(2000, "test");
    EXPECT_EQ(gpu.pinned(), 1u);
}

TEST(TransferRing, HasNoMorePinnedMemoryThanItMay) {
    fake_gpu gpu;
    const ring_lease lease = lease_ring(gpu, gpu.device, "test");
    const std::size_t most = limits_of_chunks.most_pinned;
    EXPECT_EQ(most, std::size_t{96} << 20) << "what README.md promises";
    expect_error<out_of_memory>([&] { lease.ring.pinned(most + 1, "test::f"); }, "test::f", "100663297", "100663296");
    EXPECT_EQ(gpu.most_pinned(), 0u);
}

TEST(TransferRing, LosesNothingWhereItCannotBeMade) {
    fake_gpu gpu;
    gpu.fail("make_stream", 1, fake_gpu::launch_failed);
    expect_error<device_error>([&] { lease_ring(gpu, gpu.device, "test::f"); }, "test::f", "fakeError719");
    EXPECT_EQ(gpu.objects(), 0u);
    const ring_lease lease = lease_ring(gpu, gpu.device, "test");
    gpu.fail("make_event", 4, fake_gpu::launch_failed);
    expect_error<device_error>([&] { lease.ring.reserve_slots(2, "test::f"); }, "test::f", "fakeError719");
    EXPECT_EQ(lease.ring.slots.size(), 1u);
    lease.ring.reserve_slots(2, "test");
    EXPECT_EQ(gpu.objects(), 2u + 2 * 3);
}

TEST(TransferRing, OneThreadHasItAtATime) {
    fake_gpu gpu;
    std::atomic<int> inside = 0, most = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int k = 0; k < 200; ++k) {
                const ring_lease lease = lease_ring(gpu, gpu.device, "test");
                most = std::max(most.load(), ++inside);
                std::this_thread::yield();
                --inside;
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(most, 1);
}
