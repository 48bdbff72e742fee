// tests/gpu/streams_test.cpp: what is ordered behind what: one test for each row of the table in docs/streams.md. Needs
// a GPU. A host function that sleeps keeps a stream busy, so that what does not wait for it comes too early.
#include "calls.kernels.hpp"
#include "on_gpu.hpp"
#include "per_thread.kernels.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <thread>
#include <vector>

namespace {

using foldwise::array;
using foldwise::cuda;
using foldwise::shape;
using words = std::vector<std::uint32_t>;

class Streams : public on_gpu {};

/// Keeps the stream busy for a while.
void delay(cudaStream_t stream) {
    const auto sleep = [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(30)); };
    CUDA_OK(cudaLaunchHostFunc(stream, sleep, nullptr));
}

/// Queues what fills the host's memory, after a while.
void fill_late(cudaStream_t stream, std::span<std::uint32_t> memory, std::uint32_t value) {
    struct job {
        std::span<std::uint32_t> memory;
        std::uint32_t value;
    };
    const auto run = [](void* what) {
        const std::unique_ptr<job> mine(static_cast<job*>(what));
        for (std::uint32_t& one : mine->memory) one = mine->value;
    };
    delay(stream);
    CUDA_OK(cudaLaunchHostFunc(stream, run, new job{memory, value}));
}

/// Queues what fills an array on the GPU, after a while.
void fill_late(cudaStream_t stream, array<std::uint32_t>& memory, std::uint8_t byte) {
    delay(stream);
    CUDA_OK(cudaMemsetAsync(memory.data(), byte, static_cast<std::size_t>(memory.size()) * 4, stream));
}

constexpr std::uint32_t twos = 0x02020202;

array<std::uint32_t> zeros(std::size_t count, cudaStream_t stream = nullptr) {
    return foldwise::to_device(words(count), cuda(stream));
}

/// Streams of every kind: CUDA's two default ones, and created ones that wait for the legacy one or do not.
class every_stream {
  public:
    every_stream() {
        EXPECT_EQ(cudaStreamCreate(&blocking_), cudaSuccess);
        EXPECT_EQ(cudaStreamCreateWithFlags(&non_blocking_, cudaStreamNonBlocking), cudaSuccess);
    }
    every_stream(const every_stream&) = delete;
    ~every_stream() {
        EXPECT_EQ(cudaStreamDestroy(blocking_), cudaSuccess);
        EXPECT_EQ(cudaStreamDestroy(non_blocking_), cudaSuccess);
    }
    std::vector<cudaStream_t> all() const {
        return {nullptr, cudaStreamLegacy, cudaStreamPerThread, blocking_, non_blocking_};
    }

  private:
    cudaStream_t blocking_ = nullptr, non_blocking_ = nullptr;
};

TEST_F(Streams, ACallRunsBehindWhatIsQueuedOnItsStream) {
    const every_stream kinds;
    for (cudaStream_t stream : kinds.all()) {
        array<std::uint32_t> x = zeros(1000, stream);
        array<std::uint32_t> out = zeros(1000, stream), total = zeros(1, stream);
        CUDA_OK(cudaDeviceSynchronize());
        fill_late(stream, x, 2);
        gpu::add(x, 1u, out, cuda(stream));
        gpu::sum(out, total, cuda(stream));
        EXPECT_EQ(total.to_host()[0], 1000 * (twos + 1)) << stream;
        EXPECT_EQ(gpu::sum(out, cuda(stream)), 1000 * (twos + 1)) << stream;
    }
}

TEST_F(Streams, ACallWithoutAStreamRunsOnTheOneItsFileIsCompiledFor) {
    std::thread([] {
        array<std::uint32_t> x = zeros(1000), out = zeros(1000);
        // The thread's own default stream is busy, and non-blocking work does not hold up the legacy one.
        fill_late(cudaStreamPerThread, x, 2);
        gpu_per_thread::add(x, 1u, out);
        const array<std::uint32_t> made = gpu_per_thread::add(out, 1u);
        EXPECT_EQ(made.stream(), cudaStreamPerThread);
        CUDA_OK(cudaStreamSynchronize(cudaStreamPerThread));
        EXPECT_EQ(out.to_host(), words(1000, twos + 1));
        EXPECT_EQ(made.to_host(), words(1000, twos + 2));
        EXPECT_EQ(gpu::add(out, 1u).stream(), nullptr);
        gpu_per_thread::scaled(1000, made, out, 2u);
        EXPECT_EQ(gpu_per_thread::sum(out), 1000 * 2 * (twos + 2));
    }).join();
}

TEST_F(Streams, DefaultStreamsOfBothKindsInSixteenThreads) {
    std::vector<std::thread> threads;
    std::vector<int> wrong(16);
    for (std::uint32_t thread = 0; thread < 16; ++thread) {
        threads.emplace_back([thread, &wrong] {
            const array<std::uint32_t> x = foldwise::to_device(words(100'000 + thread, thread + 1));
            array<std::uint32_t> total = zeros(1), y = zeros(100'000 + thread);
            const std::uint32_t expected = (100'000 + thread) * (thread + 1);
            for (int i = 0; i < 300; ++i) {
                wrong[thread] += gpu_per_thread::sum(x) != expected;
                wrong[thread] += gpu::sum(x) != expected;
                gpu_per_thread::add(x, x, y);
                gpu_per_thread::sum(y, total);
                gpu::sum(y, total);  // the legacy stream waits for the thread's
                wrong[thread] += total.to_host()[0] != 2 * expected;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(16));
}

TEST_F(Streams, HostOperandsAreReadBehindWhatIsQueued) {
    const every_stream kinds;
    for (cudaStream_t stream : kinds.all()) {
        for (const bool is_pinned : {false, true}) {
            for (const std::int64_t n : {std::int64_t{100}, std::int64_t{4'000'000}}) {  // in one piece, and in chunks
                const auto kind = is_pinned ? foldwise::pinned_memory() : foldwise::host_memory();
                array<std::uint32_t> x(shape{n}, foldwise::cpu(kind));
                const std::span<std::uint32_t> memory(x.data(), static_cast<std::size_t>(n));
                words out(static_cast<std::size_t>(n));
                for (std::uint32_t& one : memory) one = 0;
                fill_late(stream, memory, 5);
                gpu::add(x, 1u, out, cuda(stream));
                EXPECT_EQ(out, words(out.size(), 6)) << n;
                fill_late(stream, memory, 7);
                gpu::add(x.slice(0, n - 1, -1, -1), 1u, out, cuda(stream));
                EXPECT_EQ(out, words(out.size(), 8)) << "strided " << n;
                fill_late(stream, memory, 9);
                EXPECT_EQ(gpu::sum(x, cuda(stream)), static_cast<std::uint32_t>(9 * n));
                fill_late(stream, memory, 11);
                EXPECT_EQ(gpu::sum(x.slice(0, 0, n, 2), cuda(stream)), static_cast<std::uint32_t>(11 * n / 2));
            }
        }
    }
}

TEST_F(Streams, ViewsOfTasksOnTheHostAreReadBehindWhatIsQueued) {
    std::vector<float> in(10'000), out(10'000);
    const own_stream stream;
    struct job {
        std::vector<float>& memory;
    } what{in};
    delay(stream);
    CUDA_OK(cudaLaunchHostFunc(
        stream, [](void* data) { static_cast<job*>(data)->memory.assign(10'000, 3.0f); }, &what));
    gpu::scaled(shape{100, 50}, foldwise::host(in.data(), {100, 100}).slice(1, 0, 100, 2),
                foldwise::host(out.data(), {100, 50}), 2.0f, cuda(stream));
    EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 5000), std::vector<float>(5000, 6.0f));
}

TEST_F(Streams, CopiesOfAnArrayAreBehindItsStreamAndTheExecutors) {
    const own_stream mine, other;
    array<std::uint32_t> x = zeros(100'000, mine);
    CUDA_OK(cudaDeviceSynchronize());
    fill_late(mine, x, 2);
    EXPECT_EQ(foldwise::to_device(x, cuda(other)).to_host(), words(100'000, twos));
    fill_late(mine, x, 0);
    EXPECT_EQ(x.to_host(), words(100'000));
    words memory(100);
    fill_late(other, memory, 5);
    EXPECT_EQ(foldwise::to_device(memory, cuda(other)).to_host(), words(100, 5));
    fill_late(other, memory, 4);
    EXPECT_EQ(foldwise::to_device(foldwise::host(memory.data(), {100}).slice(0, 99, -1, -1), cuda(other)).to_host(),
              words(100, 4));
}

TEST_F(Streams, AnArrayIsFreedBehindWhatItsStreamStillDoesWithIt) {
    const own_stream stream;
    array<std::uint32_t> out = zeros(1'000'000, stream);
    for (std::uint32_t round = 1; round < 20; ++round) {
        {
            const array<std::uint32_t> x = foldwise::to_device(words(1'000'000, round), cuda(stream));
            delay(stream);
            gpu::add(x, x, out, cuda(stream));
        }
        const array<std::uint32_t> next = foldwise::to_device(words(1'000'000, 77), cuda(stream));
        ASSERT_EQ(out.to_host(), words(1'000'000, 2 * round));
    }
}

TEST_F(Streams, TheLegacyDefaultStreamWaitsForBlockingOnesAndTheyForIt) {
    cudaStream_t blocking = nullptr;
    CUDA_OK(cudaStreamCreate(&blocking));
    array<std::uint32_t> x = zeros(1000), out = zeros(1000);
    fill_late(blocking, x, 2);
    gpu::add(x, 1u, out);
    EXPECT_EQ(out.to_host(), words(1000, twos + 1));
    fill_late(nullptr, x, 0);
    gpu::add(x, 1u, out, cuda(blocking));
    CUDA_OK(cudaStreamSynchronize(blocking));
    EXPECT_EQ(out.to_host(), words(1000, 1));
    CUDA_OK(cudaStreamDestroy(blocking));
}

TEST_F(Streams, OtherStreamsAreOrderedByTheCallersEvents) {
    const own_stream producer, consumer;
    array<std::uint32_t> x = zeros(1000, producer), out = zeros(1000, consumer);
    CUDA_OK(cudaDeviceSynchronize());
    cudaEvent_t ready = nullptr;
    CUDA_OK(cudaEventCreate(&ready));
    fill_late(producer, x, 2);
    CUDA_OK(cudaEventRecord(ready, producer));
    CUDA_OK(cudaStreamWaitEvent(consumer, ready));
    gpu::add(x, 1u, out, cuda(consumer));
    EXPECT_EQ(out.to_host(), words(1000, twos + 1));
    CUDA_OK(cudaEventDestroy(ready));
}

/// While one call's stream waits for another call that needs the same ring of pinned memory. The ring exists by then:
/// to make it, CUDA waits for the whole GPU.
TEST_F(Streams, ACallWhoseStreamWaitsForAnotherThreadsCallDoesNotHoldItUp) {
    constexpr std::size_t n = 8'000'000;
    words x(n, 3), y(n), z(n);
    gpu::add(x, 0u, z);
    std::atomic<bool> is_other_done = false;
    const own_stream stream, other;
    CUDA_OK(cudaLaunchHostFunc(
        stream,
        [](void* flag) {
            while (!static_cast<std::atomic<bool>*>(flag)->load()) std::this_thread::yield();
        },
        &is_other_done));
    std::thread waiting([&] { gpu::add(x, 1u, y, cuda(stream)); });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    gpu::add(x, 2u, z, cuda(other));
    is_other_done = true;
    waiting.join();
    EXPECT_EQ(y, words(n, 4));
    EXPECT_EQ(z, words(n, 5));
}

}  // namespace
