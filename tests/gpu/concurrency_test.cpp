// tests/gpu/concurrency_test.cpp: operands of every layout, from many threads at once and inside a capture, against the
// CPU. Needs a GPU.
#include "calls.kernels.hpp"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <numeric>
#include <thread>
#include <vector>

namespace {

#define CUDA_OK(call) ASSERT_EQ(call, cudaSuccess) << cudaGetErrorString(cudaGetLastError())

using foldwise::view;

/// Each step reads what the one before it wrote, and together they have operands of every layout.
void chain(view<std::uint32_t> x, view<std::uint32_t> y, view<const std::uint32_t> row, foldwise::executor executor) {
    const std::int64_t n = x.shape()[0];
    gpu::add(x, y, x, executor);                                                             // contiguous, in place
    gpu::add(y, row, y, executor);                                                           // a row
    gpu::add(x, row.reshape({n, 1}), x, executor);                                           // a column
    gpu::add(x.transpose(), y, y, executor);                                                 // transposed
    gpu::add(x.slice(1, 1, n, 2), y.slice(1, n - 1, 0, -2), x.slice(1, 1, n, 2), executor);  // columns, backwards
    gpu::add(y, std::uint32_t{1}, x.transpose(), executor);                        // a scalar, into a transposed output
    gpu::add(x.slice(0, 1, n), y.slice(0, 0, n - 1), x.slice(0, 1, n), executor);  // misaligned
}

/// An odd multiple of two elements, so that all slices above fit, and no line's.
std::int64_t side_of(int thread) { return 70 + 26 * thread; }

std::vector<std::uint32_t> start(std::int64_t count, std::uint32_t first) {
    std::vector<std::uint32_t> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), first);
    return values;
}

/// x after that many chains, as the CPU finds it.
std::vector<std::uint32_t> expected(std::int64_t n, int chains) {
    std::vector<std::uint32_t> x = start(n * n, 3), y = start(n * n, 7), row = start(n, 1);
    for (int i = 0; i < chains; ++i)
        chain(foldwise::host(x.data(), {n, n}), foldwise::host(y.data(), {n, n}),
              foldwise::host(static_cast<const std::uint32_t*>(row.data()), foldwise::shape{n}), foldwise::cpu());
    return x;
}

struct operands {
    explicit operands(std::int64_t n)
        : x(foldwise::to_device(start(n * n, 3), foldwise::cuda()).reshape({n, n})),
          y(foldwise::to_device(start(n * n, 7), foldwise::cuda()).reshape({n, n})),
          row(foldwise::to_device(start(n, 1), foldwise::cuda())) {
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }
    void run(cudaStream_t stream) { chain(x, y, row, foldwise::cuda(stream)); }

    foldwise::array<std::uint32_t> x, y, row;
};

constexpr int chains = 8;

void run_on_own_stream(int thread) {
    const std::int64_t n = side_of(thread);
    const std::vector<std::uint32_t> want = expected(n, chains);
    cudaStream_t stream = nullptr;
    CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int repeat = 0; repeat < 20; ++repeat) {
        operands those(n);
        for (int i = 0; i < chains; ++i) those.run(stream);
        CUDA_OK(cudaStreamSynchronize(stream));
        ASSERT_EQ(those.x.to_host(), want) << "thread " << thread;
    }
    CUDA_OK(cudaStreamDestroy(stream));
}

TEST(Threads, EachOnItsOwnStream) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) threads.emplace_back(run_on_own_stream, i);
    for (std::thread& thread : threads) thread.join();
}

/// Calls that are captured on a stream of their own, and replayed. Made and checked by one thread: while any stream is
/// captured, nobody may wait for the whole device.
class replayed {
  public:
    explicit replayed(int thread) : n_(side_of(thread)), those_(n_) {
        EXPECT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess);
        those_.run(stream_);  // what is set up once is set up before the capture
        EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    }
    replayed(const replayed&) = delete;
    ~replayed() { EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess); }

    void run(cudaStreamCaptureMode mode) {
        cudaGraph_t graph = nullptr;
        CUDA_OK(cudaStreamBeginCapture(stream_, mode));
        those_.run(stream_);
        those_.run(stream_);
        CUDA_OK(cudaStreamEndCapture(stream_, &graph));
        cudaGraphExec_t executable = nullptr;
        CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
        for (int i = 0; i < 3; ++i) CUDA_OK(cudaGraphLaunch(executable, stream_));
        CUDA_OK(cudaStreamSynchronize(stream_));
        CUDA_OK(cudaGraphExecDestroy(executable));
        CUDA_OK(cudaGraphDestroy(graph));
    }
    void check() { EXPECT_EQ(those_.x.to_host(), expected(n_, 1 + 2 * 3)) << "side " << n_; }

  private:
    std::int64_t n_;
    operands those_;
    cudaStream_t stream_ = nullptr;
};

TEST(Capture, CanBeReplayed) {
    replayed calls(1);
    calls.run(cudaStreamCaptureModeGlobal);
    calls.check();
}

TEST(Capture, OfManyThreadsAtOnce) {
    std::deque<replayed> calls;
    for (int i = 0; i < 6; ++i) calls.emplace_back(i);
    std::vector<std::thread> threads;
    for (replayed& one : calls) threads.emplace_back([&] { one.run(cudaStreamCaptureModeThreadLocal); });
    for (std::thread& thread : threads) thread.join();
    for (replayed& one : calls) one.check();
}

}  // namespace
