// tests/gpu/soak_test.cpp: reductions for long: nothing leaks, and threads do not disturb each other. Needs a GPU.
#include "calls.kernels.hpp"
#include "on_gpu.hpp"

#include <cstdint>
#include <fstream>
#include <thread>
#include <vector>

#include <unistd.h>

namespace {

using foldwise::array;
using foldwise::view;

class Soak : public on_gpu {};

/// What the program has of the GPU's memory and of the host's.
struct footprint {
    footprint() {
        std::size_t free = 0, total = 0;
        EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
        device = static_cast<std::int64_t>(total - free);
        std::int64_t all = 0, resident = 0;
        std::ifstream("/proc/self/statm") >> all >> resident;
        host = resident * sysconf(_SC_PAGESIZE);
    }
    std::int64_t device, host;
};

/// From the second time on. There is room for what the driver keeps now and then, and not for 8 bytes of each of a
/// million calls.
template <class Work> void expect_flat(Work work) {
    constexpr std::int64_t room = 6'000'000;
    work();
    CUDA_OK(cudaDeviceSynchronize());
    const footprint before;
    work();
    CUDA_OK(cudaDeviceSynchronize());
    const footprint after;
    EXPECT_LE(after.device - before.device, room) << "bytes of GPU memory";
    EXPECT_LE(after.host - before.host, room) << "bytes of the host's";
}

TEST_F(Soak, AMillionCallsLeakNothing) {
    const numbers data(1000, 1);
    const own_stream stream;
    const foldwise::executor on = foldwise::cuda(stream);
    const array<std::uint32_t> x = foldwise::to_device(data.values, foldwise::cuda());
    array<std::uint32_t> y(foldwise::shape{1000}, foldwise::cuda()), total(foldwise::shape{1}, foldwise::cuda());
    constexpr int rounds = 250'000;
    expect_flat([&] {
        for (int i = 0; i < rounds; ++i) {
            gpu::add(x, static_cast<std::uint32_t>(i), y, on);
            gpu::sum(y, total, on);
            gpu::sum(y.slice(0, 1, 1000, 2), total, on);
            gpu::add(total, total, total, on);
        }
    });
    CUDA_OK(cudaStreamSynchronize(stream));
    std::uint32_t odd = 0;
    for (std::size_t i = 1; i < 1000; i += 2) odd += data.values[i] + (rounds - 1);
    EXPECT_EQ(total.to_host()[0], 2 * odd);
}

TEST_F(Soak, ResultsOnTheHostLeakNothing) {
    const numbers data(100'000, 7);
    const array<std::uint32_t> x = foldwise::to_device(data.values, foldwise::cuda());
    int wrong = 0;
    expect_flat([&] {
        for (int i = 0; i < 10'000; ++i) wrong += gpu::sum(x) != data.sum;
        for (int i = 0; i < 1000; ++i) wrong += gpu::sum(data.values, foldwise::cuda()) != data.sum;
    });
    EXPECT_EQ(wrong, 0);
}

TEST_F(Soak, StreamsThatComeAndGoLeakNothing) {
    const numbers data(100'000, 3);
    const array<std::uint32_t> x = foldwise::to_device(data.values, foldwise::cuda());
    array<std::uint32_t> totals(foldwise::shape{1000}, foldwise::cuda());
    CUDA_OK(cudaDeviceSynchronize());
    expect_flat([&] {
        for (std::int64_t i = 0; i < 1000; ++i) {
            const own_stream stream;
            gpu::sum(x, totals.slice(0, i, i + 1), foldwise::cuda(stream));  // goes on when the stream is destroyed
        }
    });
    EXPECT_EQ(totals.to_host(), std::vector<std::uint32_t>(1000, data.sum));
}

/// Sums of its own data, each into a place of its own.
class summer {
  public:
    explicit summer(std::uint32_t number)
        : data_(50'000 + 7919 * number, number), x_(foldwise::to_device(data_.values, foldwise::cuda())),
          totals_(foldwise::shape{calls}, foldwise::cuda()) {}

    void run(cudaStream_t stream) {
        const std::int64_t n = x_.size();
        for (std::int64_t i = 0; i < calls; ++i) {
            const view<std::uint32_t> part = x_.slice(0, 0, i % 2 ? n : 1 + i);
            gpu::sum(part, totals_.slice(0, i, i + 1), foldwise::cuda(stream));
        }
        CUDA_OK(cudaStreamSynchronize(stream));
    }
    void check() const {
        const std::vector<std::uint32_t> got = totals_.to_host();
        std::uint32_t first = 0;
        int wrong = 0;
        for (std::size_t i = 0; i < got.size(); ++i) {
            first += data_.values[i];
            wrong += got[i] != (i % 2 ? data_.sum : first);
        }
        EXPECT_EQ(wrong, 0) << "of " << got.size() << " sums";
    }

  private:
    static constexpr std::int64_t calls = 3000;
    numbers data_;
    array<std::uint32_t> x_, totals_;
};

/// With `shared`, on one stream for all.
void sum_in_threads(bool shared) {
    constexpr std::uint32_t count = 16;
    std::vector<summer> summers;
    for (std::uint32_t i = 0; i < count; ++i) summers.emplace_back(i);
    CUDA_OK(cudaDeviceSynchronize());
    const own_stream common;
    std::vector<std::thread> threads;
    for (summer& one : summers) {
        threads.emplace_back([&] {
            const own_stream own;
            one.run(shared ? common : own);
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const summer& one : summers) one.check();
}

TEST_F(Soak, SixteenThreadsOnSixteenStreams) { sum_in_threads(false); }

TEST_F(Soak, SixteenThreadsOnOneStream) { sum_in_threads(true); }

TEST_F(Soak, DefaultStreamsOfTwoDevices) {
    int devices = 0;
    CUDA_OK(cudaGetDeviceCount(&devices));
    if (devices < 2) GTEST_SKIP() << "there is one GPU";
    const numbers data(1'000'000, 5);
    int wrong = 0;
    for (int i = 0; i < 100; ++i) {
        CUDA_OK(cudaSetDevice(i % 2));
        const array<std::uint32_t> x = foldwise::to_device(data.values, foldwise::cuda());
        wrong += gpu::sum(x) != data.sum;
    }
    CUDA_OK(cudaSetDevice(0));
    EXPECT_EQ(wrong, 0);
}

}  // namespace
