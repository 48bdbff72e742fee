// tests/gpu/reduce_graph_test.cpp: reductions that graphs capture, also as the first ones of their streams. Needs a
// GPU.
#include "calls.kernels.hpp"
#include "on_gpu.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace {

using foldwise::array;

class ReduceGraph : public on_gpu {};

constexpr std::size_t count = 300'000;  // for many blocks

/// A graph of what call() does on the stream.
class graph {
  public:
    template <class Call> graph(cudaStream_t stream, Call call) {
        cudaGraph_t captured = capture(stream, call);
        EXPECT_EQ(cudaGraphGetNodes(captured, nullptr, &nodes_), cudaSuccess);
        EXPECT_EQ(cudaGraphInstantiate(&executable_, captured, 0), cudaSuccess);
        EXPECT_EQ(cudaGraphDestroy(captured), cudaSuccess);
    }
    graph(const graph&) = delete;
    ~graph() { EXPECT_EQ(cudaGraphExecDestroy(executable_), cudaSuccess); }

    /// From now on it does what call() does.
    template <class Call> void update(cudaStream_t stream, Call call) {
        cudaGraph_t captured = capture(stream, call);
        cudaGraphExecUpdateResultInfo result{};
        EXPECT_EQ(cudaGraphExecUpdate(executable_, captured, &result), cudaSuccess);
        EXPECT_EQ(cudaGraphDestroy(captured), cudaSuccess);
    }
    std::size_t nodes() const { return nodes_; }
    void replay(cudaStream_t stream) { ASSERT_EQ(cudaGraphLaunch(executable_, stream), cudaSuccess); }

  private:
    template <class Call> static cudaGraph_t capture(cudaStream_t stream, Call call) {
        cudaGraph_t captured = nullptr;
        EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
        call();
        EXPECT_EQ(cudaStreamEndCapture(stream, &captured), cudaSuccess);
        return captured;
    }

    cudaGraphExec_t executable_ = nullptr;
    std::size_t nodes_ = 0;
};

/// x grows by 1 with each replay, and all its sums are summed up.
struct growing {
    explicit growing(std::uint32_t seed)
        : data(count, seed), x(foldwise::to_device(data.values, foldwise::cuda())),
          sum(foldwise::to_device(std::vector<std::uint32_t>(1), foldwise::cuda())),
          all(foldwise::to_device(std::vector<std::uint32_t>(1), foldwise::cuda())) {
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }
    void step(cudaStream_t stream) {
        const foldwise::executor on = foldwise::cuda(stream);
        gpu::add(x, std::uint32_t{1}, x, on);
        gpu::sum(x, sum, on);
        gpu::add(sum, all, all, on);
    }
    void check(std::uint32_t steps) const {
        std::uint32_t want = 0;
        for (std::uint32_t i = 1; i <= steps; ++i) want += data.sum + i * static_cast<std::uint32_t>(count);
        EXPECT_EQ(all.to_host()[0], want);
    }

    numbers data;
    array<std::uint32_t> x, sum, all;
};

TEST_F(ReduceGraph, OfAStreamsFirstCallIsReplayed) {
    const own_stream stream;
    growing work(1);
    graph steps(stream, [&] {
        work.step(stream);
        work.step(stream);
    });
    EXPECT_EQ(steps.nodes(), 6u) << "something else was captured than the calls";
    for (int i = 0; i < 1000; ++i) steps.replay(stream);
    CUDA_OK(cudaStreamSynchronize(stream));
    work.check(2000);
}

TEST_F(ReduceGraph, RunsBesideCallsOfTheStreamThatWasCaptured) {
    const own_stream captured, other;
    growing replayed(1), called(2);
    called.step(captured);
    graph steps(captured, [&] { replayed.step(captured); });
    for (int i = 0; i < 1000; ++i) {
        steps.replay(other);
        called.step(captured);
    }
    CUDA_OK(cudaStreamSynchronize(captured));
    CUDA_OK(cudaStreamSynchronize(other));
    replayed.check(1000);
    called.check(1001);
}

TEST_F(ReduceGraph, MayHaveBranches) {
    const own_stream first, second;
    growing one(1), two(2);
    cudaEvent_t fork = nullptr, join = nullptr;
    CUDA_OK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CUDA_OK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    graph steps(first, [&] {
        CUDA_OK(cudaEventRecord(fork, first));
        CUDA_OK(cudaStreamWaitEvent(second, fork, 0));
        for (int i = 0; i < 4; ++i) {
            one.step(first);
            two.step(second);
        }
        CUDA_OK(cudaEventRecord(join, second));
        CUDA_OK(cudaStreamWaitEvent(first, join, 0));
    });
    for (int i = 0; i < 250; ++i) steps.replay(first);
    CUDA_OK(cudaStreamSynchronize(first));
    one.check(1000);
    two.check(1000);
    CUDA_OK(cudaEventDestroy(fork));
    CUDA_OK(cudaEventDestroy(join));
}

TEST_F(ReduceGraph, OutlivesItsStream) {
    growing work(3);
    own_stream stream;
    const auto made = [&] {
        const own_stream gone;
        return std::make_unique<graph>(gone, [&] { work.step(gone); });
    };
    const std::unique_ptr<graph> steps = made();
    growing other(4);
    for (int i = 0; i < 100; ++i) {
        const own_stream next;  // with the handle of the one that is gone
        other.step(next);
        steps->replay(stream);
        CUDA_OK(cudaStreamSynchronize(next));
    }
    CUDA_OK(cudaStreamSynchronize(stream));
    work.check(100);
    other.check(100);
}

TEST_F(ReduceGraph, MayBeUpdatedBesideAnother) {
    const own_stream first, second;
    growing one(6), two(7);
    const auto step = [&] { one.step(first); };
    const auto step_of_two = [&] { two.step(second); };
    graph steps(first, step), steps_of_two(second, step_of_two);
    for (int i = 0; i < 300; ++i) {
        steps.replay(first);
        steps.update(first, step);
        steps_of_two.replay(second);
        steps_of_two.update(second, step_of_two);
    }
    CUDA_OK(cudaStreamSynchronize(first));
    CUDA_OK(cudaStreamSynchronize(second));
    one.check(300);
    two.check(300);
}

TEST_F(ReduceGraph, WhatEndedGraphsHadIsUsedAgain) {
    const own_stream stream;
    growing work(5);
    std::size_t before = 0, after = 0, total = 0;
    for (int i = 0; i < 600; ++i) {
        graph step(stream, [&] { work.step(stream); });
        step.replay(stream);
        CUDA_OK(cudaStreamSynchronize(stream));
        if (i == 100) {
            CUDA_OK(cudaMemGetInfo(&before, &total));
        }
    }
    CUDA_OK(cudaMemGetInfo(&after, &total));
    work.check(600);
    // 500 workspaces would be 63 MiB. CUDA tells late that a graph has ended, so a few may be waited for.
    EXPECT_LT(static_cast<std::int64_t>(before) - static_cast<std::int64_t>(after), std::int64_t{32} << 20);
}

}  // namespace
