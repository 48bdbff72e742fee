// tests/gpu/vectorize_test.cpp: streams, graphs, memory and sizes. Needs a GPU.
#include "vectorize.kernels.hpp"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace {

#define CUDA_OK(call) ASSERT_EQ(call, cudaSuccess) << cudaGetErrorString(cudaGetLastError())

/// A stream of its own for a test; CUDA's own default streams are told apart by these names.
class Stream {
  public:
    explicit Stream(unsigned flags) { EXPECT_EQ(cudaStreamCreateWithFlags(&stream_, flags), cudaSuccess); }
    ~Stream() { EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return stream_; }

  private:
    cudaStream_t stream_ = nullptr;
};

std::vector<std::int32_t> zeros(std::size_t n) { return std::vector<std::int32_t>(n); }

/// Each kernel reads what the one before it wrote: were one to start too early, counts would be lost.
void expect_chain_in_order(cudaStream_t stream, std::size_t n) {
    foldwise::array<std::int32_t> x = foldwise::to_device(zeros(n));
    foldwise::array<std::int32_t> y(x.shape());
    CUDA_OK(cudaDeviceSynchronize());  // x was filled on the default stream
    for (int i = 0; i < 500; ++i) {
        gpu::increment(x, y, foldwise::cuda(stream));
        gpu::increment(y, x, foldwise::cuda(stream));
    }
    CUDA_OK(cudaStreamSynchronize(stream));
    const std::vector<std::int32_t> got = x.to_host();
    EXPECT_EQ(got, std::vector<std::int32_t>(n, 1000));
}

TEST(Streams, DependentKernelsKeepTheirOrder) {
    for (std::size_t n : {1, 1000, 100'003, 3'000'000}) {
        SCOPED_TRACE(n);
        expect_chain_in_order(nullptr, n);
        expect_chain_in_order(cudaStreamPerThread, n);
        expect_chain_in_order(Stream(cudaStreamNonBlocking), n);
    }
}

TEST(Streams, OneForEachOfManyThreads) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back(
            [i] { expect_chain_in_order(Stream(cudaStreamNonBlocking), 10'000 + static_cast<std::size_t>(i)); });
    for (std::thread& thread : threads) thread.join();
}

TEST(Streams, AResultIsAllocatedAndFreedOnTheExecutorsStream) {
    const Stream stream(cudaStreamNonBlocking);
    const foldwise::array<std::int32_t> x = foldwise::to_device(zeros(100'000));
    CUDA_OK(cudaDeviceSynchronize());
    for (int i = 0; i < 100; ++i) {
        const foldwise::array<std::int32_t> y = gpu::increment(x, foldwise::cuda(stream));
        ASSERT_EQ(y.stream(), static_cast<cudaStream_t>(stream));
        const foldwise::array<std::int32_t> z = gpu::increment(y, foldwise::cuda(stream));
        ASSERT_EQ(z.to_host().back(), 2);
    }
}

TEST(Graphs, CapturedCallsCanBeReplayed) {
    const Stream stream(cudaStreamNonBlocking);
    foldwise::array<std::int32_t> x = foldwise::to_device(zeros(50'000));
    CUDA_OK(cudaDeviceSynchronize());
    gpu::increment(x, x, foldwise::cuda(stream));  // what is set up once is set up before the capture
    cudaGraph_t graph;
    CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < 5; ++i) gpu::increment(x, x, foldwise::cuda(stream));
    CUDA_OK(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t executable;
    CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
    for (int i = 0; i < 20; ++i) CUDA_OK(cudaGraphLaunch(executable, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    EXPECT_EQ(x.to_host(), std::vector<std::int32_t>(50'000, 101));
    CUDA_OK(cudaGraphExecDestroy(executable));
    CUDA_OK(cudaGraphDestroy(graph));
}

TEST(Memory, StaysFlatOverManyCalls) {
    const std::vector<std::int32_t> host(100'000, 7);
    std::vector<std::int32_t> out(host.size());
    const auto round = [&] {
        for (int i = 0; i < 300; ++i) {
            gpu::increment(host, out);  // temporaries on the device
            const foldwise::array<std::int32_t> x = foldwise::to_device(host);
            const foldwise::array<std::int32_t> y = gpu::increment(x);
        }
    };
    std::size_t before = 0, after = 0, total = 0;
    round();
    CUDA_OK(cudaDeviceSynchronize());
    CUDA_OK(cudaMemGetInfo(&before, &total));
    for (int i = 0; i < 5; ++i) round();
    CUDA_OK(cudaDeviceSynchronize());
    CUDA_OK(cudaMemGetInfo(&after, &total));
    EXPECT_LE(before - after, std::size_t{64} << 20);  // the pool's own step
    EXPECT_EQ(out, std::vector<std::int32_t>(host.size(), 8));
}

TEST(Memory, MoreThanThereIs) {
    try {
        foldwise::array<double> far(foldwise::shape{std::int64_t{1} << 46});
        FAIL() << "that should not fit";
    } catch (const foldwise::out_of_memory& e) {
        EXPECT_NE(std::string(e.what()).find(std::to_string(std::int64_t{8} << 46)), std::string::npos) << e.what();
    }
    EXPECT_EQ(gpu::increment(foldwise::to_device(zeros(10))).to_host().back(), 1);  // what comes after works
}

TEST(Memory, OnAGpuIsOutOfTheCpusReach) {
    const foldwise::array<std::int32_t> x = foldwise::to_device(zeros(10));
    ASSERT_EQ(x.place().kind, foldwise::memory::cuda);
    EXPECT_THROW((void)gpu::increment(x, foldwise::cpu()), foldwise::device_error);
}

TEST(Sizes, MoreThan32BitsCount) {
    const std::int64_t n = (std::int64_t{1} << 32) + 5;  // of bytes and of elements
    std::size_t free = 0, total = 0;
    CUDA_OK(cudaMemGetInfo(&free, &total));
    if (free < std::size_t{10} << 30) GTEST_SKIP() << "needs 10 GiB of device memory";
    foldwise::array<std::int8_t> x(foldwise::shape{n}), y(foldwise::shape{n});
    CUDA_OK(cudaMemset(x.data(), 3, static_cast<std::size_t>(n)));
    CUDA_OK(cudaMemset(y.data(), 0, static_cast<std::size_t>(n)));
    gpu::increment(x, y);
    // Sums of 16 Mi elements each, so that not all of it has to travel at once.
    const std::int64_t step = std::int64_t{1} << 24;
    for (std::int64_t begin = 0; begin < n; begin += 37 * step) {
        const std::vector<std::int8_t> part = foldwise::to_host(y.slice(0, begin, std::min(begin + step, n)));
        ASSERT_EQ(std::accumulate(part.begin(), part.end(), std::int64_t{0}),
                  4 * static_cast<std::int64_t>(part.size()))
            << begin;
    }
    const std::vector<std::int8_t> end = foldwise::to_host(y.slice(0, n - 1000, n));
    EXPECT_EQ(end, std::vector<std::int8_t>(1000, 4));
}

TEST(Executor, HostOperandsAreCopiedThereAndBack) {
    std::vector<double> x(1000);
    std::iota(x.begin(), x.end(), 0.0);
    gpu::increment(x, x, foldwise::cuda());  // in place
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i], static_cast<double>(i) + 1);
}

}  // namespace
