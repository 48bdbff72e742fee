// tests/gpu/failures_scenario.hpp: a program with calls of all kinds, for tests that have them fail.
#pragma once

#include "calls.kernels.hpp"
#include "cuda_failures.hpp"
#include "heap.hpp"
#include "on_gpu.hpp"
#include "small_chunks.hpp"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <thread>
#include <vector>

namespace failures {

using foldwise::array;
using foldwise::host;
using foldwise::view;
using numbers_of = std::vector<std::uint32_t>;
using floats = std::vector<float>;

constexpr std::int64_t rows = 200, columns = 150;
constexpr std::size_t count = rows * columns, few = 300;

/// As long as one lives, what the thread allocates and asks of CUDA is the test's and does not fail.
class own_work : interpose::own_allocations {
  public:
    using own_allocations::is_under_way;

  private:
    interpose::own_cuda_calls calls_;
};

/// A memory resource of the user's, on CUDA itself.
struct users_memory {
    void* allocate(cudaStream_t stream, std::size_t bytes, std::size_t) {
        void* data = nullptr;
        const cudaError_t status = cudaMallocAsync(&data, bytes, stream);
        if (status == cudaSuccess) return data;
        if (cudaPeekAtLastError() == status) static_cast<void>(cudaGetLastError());
        throw std::bad_alloc();
    }
    void deallocate(cudaStream_t stream, void* data, std::size_t, std::size_t) { cudaFreeAsync(data, stream); }
};

/// Takes the default resource's place, and gives it back however the scope ends.
class users_default {
  public:
    explicit users_default(const foldwise::resource& users) : before_(foldwise::set_default_resource(users)) {}
    users_default(const users_default&) = delete;
    ~users_default() { foldwise::set_default_resource(before_); }

  private:
    foldwise::resource before_;
};

/// A capture that ends however its scope ends, and what was captured, replayed.
class captured_graph {
  public:
    template <class Call> captured_graph(cudaStream_t stream, const Call& call) : captured_graph(stream) {
        begin();
        try {
            call();
        } catch (...) {
            end();
            throw;
        }
        end();
    }
    captured_graph(const captured_graph&) = delete;
    ~captured_graph() {
        const own_work mine;
        if (executable_) cudaGraphExecDestroy(executable_);
        // CUDA tells a little later that the graph is gone, whose memory the next one takes over.
        cudaStreamSynchronize(stream_);
        for (int i = 0; !is_gone_ && i < 1000; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        EXPECT_TRUE(is_gone_) << "a graph was not destroyed";
    }
    void replay() {
        const own_work mine;
        EXPECT_EQ(cudaGraphLaunch(executable_, stream_), cudaSuccess);
    }

  private:
    /// Once this is done, the destructor runs, however the capture ends.
    explicit captured_graph(cudaStream_t stream) : stream_(stream) {}

    void begin() {
        const own_work mine;
        EXPECT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
        cudaStreamCaptureStatus status{};
        cudaGraph_t graph = nullptr;
        cudaUserObject_t object = nullptr;
        EXPECT_EQ(cudaStreamGetCaptureInfo(stream_, &status, nullptr, &graph), cudaSuccess);
        is_gone_ = false;
        EXPECT_EQ(cudaUserObjectCreate(
                      &object, &is_gone_, [](void* gone) { *static_cast<std::atomic<bool>*>(gone) = true; }, 1,
                      cudaUserObjectNoDestructorSync),
                  cudaSuccess);
        EXPECT_EQ(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove), cudaSuccess);
    }
    void end() {
        const own_work mine;
        cudaGraph_t graph = nullptr;
        const cudaError_t status = cudaStreamEndCapture(stream_, &graph);
        EXPECT_EQ(status, cudaSuccess) << "a call that failed has ended the user's capture";
        if (!graph) return;
        EXPECT_EQ(cudaGraphInstantiate(&executable_, graph, 0), cudaSuccess);
        EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    }

    cudaStream_t stream_;
    cudaGraphExec_t executable_ = nullptr;
    static inline std::atomic<bool> is_gone_{true};
};

/// Everything that is calculated.
struct results {
    numbers_of sum, strided, broadcast, made, chunks, small, pinned, of_rows, of_columns, of_resource, of_default,
        graph;
    floats scaled, scaled_on_host;
    std::uint32_t total = 0, of_host = 0, total_of_resource = 0;

    results() {
        const own_work mine;
        chunks.resize(count);
        small.resize(few);
        pinned.resize(count);
        scaled_on_host.resize(count);
    }
    friend bool operator==(const results&, const results&) = default;
};

/// Calls of all kinds; on the CPU they tell what is right.
class scenario {
  public:
    scenario() : x_(count), y_(count), small_(few), floats_(count), users_(users_memory()) {
        for (std::size_t i = 0; i < count; ++i) {
            x_[i] = static_cast<std::uint32_t>(i * 2654435761u);
            y_[i] = static_cast<std::uint32_t>(i * i);
            floats_[i] = static_cast<float>(i % 1000);
        }
        for (std::size_t i = 0; i < few; ++i) small_[i] = static_cast<std::uint32_t>(7 * i);
    }

    results calculate(bool on_gpu) const {
        const small_chunks limits(98'304, 3, 32'768);
        const foldwise::executor on = on_gpu ? foldwise::cuda(stream_) : foldwise::cpu();
        results all;
        elementwise(on, all);
        with_host_arrays(on, all);
        reductions(on, all);
        tasks(on, all);
        with_memory_of_the_users(on_gpu, all);
        in_a_graph(on, on_gpu, all);
        return all;
    }

    /// A few calls, the first ones of a program.
    std::uint32_t first_calls() const {
        const small_chunks limits(98'304, 3, 32'768);
        const auto x = foldwise::to_device(x_, foldwise::cuda()), s = foldwise::to_device(small_, foldwise::cuda());
        gpu::add(s, s, const_cast<array<std::uint32_t>&>(s), foldwise::cuda());
        return gpu::sum(x, foldwise::cuda()) + gpu::sum(s, foldwise::cuda());
    }

    void synchronize() const {
        const own_work mine;
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }

  private:
    static view<const std::uint32_t> shaped(const numbers_of& values) { return host(values.data(), {rows, columns}); }

    void elementwise(const foldwise::executor& on, results& all) const {
        const auto x = foldwise::to_device(shaped(x_), on), y = foldwise::to_device(shaped(y_).transpose(), on);
        array<std::uint32_t> out({rows, columns}, on);
        gpu::add(x, y.transpose(), out, on);
        all.sum = out.to_host();
        gpu::add(x.slice(1, 1, columns, 2), y.transpose().slice(1, 0, columns, 2), out.slice(1, 0, columns, 2), on);
        all.strided = foldwise::to_host(out.slice(1, 0, columns, 2), stream_);
        gpu::add(x, x.slice(0, 3, 4), out, on);
        all.broadcast = out.to_host();
        all.made = gpu::add(out, std::uint32_t{5}, on).to_host();
    }

    void with_host_arrays(const foldwise::executor& on, results& all) const {
        gpu::add(x_, y_, all.chunks, on);
        gpu::add(small_, std::uint32_t{9}, all.small, on);
        array<std::uint32_t> pinned(foldwise::shape{count}, foldwise::cpu(foldwise::pinned_memory()));
        std::copy(x_.begin(), x_.end(), pinned.data());
        gpu::add(pinned, y_, pinned, on);
        std::copy(pinned.data(), pinned.data() + count, all.pinned.begin());
        gpu::add(shaped(x_).slice(0, rows - 1, -1, -2), shaped(y_).slice(0, 0, rows, 2),
                 host(all.pinned.data(), {rows, columns}).slice(0, 0, rows, 2), on);
    }

    void reductions(const foldwise::executor& on, results& all) const {
        const auto x = foldwise::to_device(shaped(x_), on);
        array<std::uint32_t> out(foldwise::shape{1}, on);
        gpu::sum(x, out, on);
        all.total = out.to_host()[0] + gpu::sum(x, on);
        all.of_host = gpu::sum(x_, on) + gpu::sum(small_, on);
        all.of_rows = gpu::sum(x, foldwise::axis(1), on).to_host();
        all.of_columns = gpu::sum(x, foldwise::axis(0), on).to_host();
    }

    void tasks(const foldwise::executor& on, results& all) const {
        const foldwise::shape extents{rows, columns};
        const auto in = foldwise::to_device(host(floats_.data(), extents), on);
        array<float> out(extents, on);
        gpu::scaled(extents, in, out, 3.0f, on);
        all.scaled = out.to_host();
        gpu::scaled(extents, host(floats_.data(), extents), host(all.scaled_on_host.data(), extents), 2.0f, on);
    }

    void with_memory_of_the_users(bool on_gpu, results& all) const {
        const foldwise::executor on = on_gpu ? foldwise::cuda(stream_, users_) : foldwise::cpu(),
                                 by_default = on_gpu ? foldwise::cuda(stream_) : foldwise::cpu();
        const auto x = foldwise::to_device(x_, on);
        all.of_resource = gpu::add(x, y_, on).to_host();
        all.total_of_resource = gpu::sum(x, on);
        const users_default now(users_);
        all.of_default = foldwise::to_device(y_, by_default).to_host();
    }

    void in_a_graph(const foldwise::executor& on, bool on_gpu, results& all) const {
        array<std::uint32_t> x = foldwise::to_device(x_, on), total = foldwise::to_device(small_, on);
        const auto step = [&] {
            gpu::add(x, std::uint32_t{1}, x, on);
            gpu::sum(x, total.slice(0, 0, 1), on);
            gpu::sum(x, total.slice(0, 1, 2), on);
        };
        if (on_gpu) {
            captured_graph graph(stream_, step);
            graph.replay();
            graph.replay();
        } else {
            step();
            step();
        }
        all.graph = total.to_host();
    }

    numbers_of x_, y_, small_;
    floats floats_;
    foldwise::resource users_;
    own_stream stream_;
};

}  // namespace failures
