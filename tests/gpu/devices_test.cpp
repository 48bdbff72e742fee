// tests/gpu/devices_test.cpp: several GPUs in one process: calls run on their operands' GPU, whichever is current, and
// leave that as it was. Needs two GPUs, but for the soak, which takes as many as there are.
#include "calls.kernels.hpp"
#include "on_gpu.hpp"

#include <foldwise/error.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

namespace {

using foldwise::array;
using foldwise::cuda;
using foldwise::memory;
using foldwise::place;
using foldwise::shape;
using words = std::vector<std::uint32_t>;

int current() {
    int device = -1;
    EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
    return device;
}

class Devices : public on_gpu {
  protected:
    void SetUp() override {
        on_gpu::SetUp();
        if (IsSkipped()) return;
        int count = 0;
        ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
        if (count < 2) GTEST_SKIP() << "there is one GPU";
    }
    void TearDown() override {
        if (!IsSkipped()) {
            EXPECT_EQ(current(), 0);
        }
    }
};

TEST_F(Devices, SpansOverDeviceMemoryAreFoundByTheirAddress) {
    for (const int device : {1, 0}) {
        const array<std::uint32_t> x = foldwise::to_device(words(1000, 3), device);
        const std::span<const std::uint32_t> span(x.data(), 1000);
        const array<std::uint32_t> sum = gpu::add(span, 1u);
        EXPECT_EQ(sum.place(), x.place());
        EXPECT_EQ(sum.to_host(), words(1000, 4));
        EXPECT_EQ(foldwise::device(span).place(), x.place());
        EXPECT_THROW(gpu::add(span, 1u, foldwise::cpu()), foldwise::device_error);
    }
    std::uint32_t* managed = nullptr;
    ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&managed), 4000, cudaMemAttachGlobal), cudaSuccess);
    const std::span<std::uint32_t> span(managed, 1000);
    gpu::add(words(1000, 3), 4u, span);  // the host's, so it is complete on return
    EXPECT_EQ(words(span.begin(), span.end()), words(1000, 7));
    EXPECT_EQ(foldwise::device(span).place().kind, memory::cuda);
    ASSERT_EQ(cudaFree(managed), cudaSuccess);
}

TEST_F(Devices, CallsRunWhereTheirOperandsAre) {
    for (const int device : {1, 0}) {
        const array<std::uint32_t> x = foldwise::to_device(words(100'000, 3), device);
        EXPECT_EQ(x.place(), (place{memory::cuda, device}));
        const array<std::uint32_t> sum = gpu::add(x, x);
        EXPECT_EQ(sum.place(), x.place());
        EXPECT_EQ(current(), 0);
        EXPECT_EQ(sum.to_host(), words(100'000, 6));
        EXPECT_EQ(gpu::sum(sum), 600'000u);
        EXPECT_EQ(gpu::sum(sum.reshape({100, 1000}), foldwise::axis(0)).to_host(), words(1000, 600));
        EXPECT_EQ(gpu::sum(sum.reshape({100, 1000}).transpose(), foldwise::axis(0)).to_host(), words(100, 6000));
        const array<float> in = foldwise::to_device(std::vector<float>(5000, 2.0f), device);
        array<float> out(shape{50, 100}, cuda(device));
        gpu::scaled(shape{50, 100}, in.reshape({50, 100}), out, 3.0f);
        EXPECT_EQ(out.to_host(), std::vector<float>(5000, 6.0f));
        EXPECT_EQ(current(), 0);
    }
}

TEST_F(Devices, HostArraysGoToTheGpuThatIsNamed) {
    for (const std::size_t n : {std::size_t{1000}, std::size_t{5'000'000}}) {
        const words x(n, 4);
        words out(n);
        gpu::add(x, 1u, out, cuda(1));
        EXPECT_EQ(out, words(n, 5));
        EXPECT_EQ(gpu::sum(x, cuda(1)), static_cast<std::uint32_t>(4 * n));
        EXPECT_EQ(current(), 0);
    }
}

TEST_F(Devices, ArraysMoveBetweenThem) {
    const array<std::uint32_t> x = foldwise::to_device(words(100'000, 9), 1);
    const array<std::uint32_t> y = foldwise::to_device(x, 0);
    EXPECT_EQ(y.place(), (place{memory::cuda, 0}));
    EXPECT_EQ(y.to_host(), words(100'000, 9));
    EXPECT_EQ(foldwise::to_device(y.slice(0, 0, 100'000, 2), 1).to_host(), words(50'000, 9));
}

TEST_F(Devices, OperandsOfTwoGpusAreAnErrorThatNamesBoth) {
    const array<std::uint32_t> x = foldwise::to_device(words(10, 1), 0), y = foldwise::to_device(words(10, 1), 1);
    const auto message = [](auto call) -> std::string {
        try {
            call();
        } catch (const foldwise::device_error& e) {
            return e.what();
        }
        return "nothing was thrown";
    };
    EXPECT_EQ(message([&] { static_cast<void>(gpu::add(x, y)); }),
              "gpu::add: operands x and y are in the memory of different GPUs, 0 and 1");
    EXPECT_EQ(message([&] { static_cast<void>(gpu::add(x, x, cuda(1))); }),
              "gpu::add: operands are in the memory of GPU 0, and the executor names GPU 1");
    cudaStream_t stream = nullptr;
    CUDA_OK(cudaSetDevice(1));
    CUDA_OK(cudaStreamCreate(&stream));
    CUDA_OK(cudaSetDevice(0));
    EXPECT_EQ(message([&] { static_cast<void>(gpu::add(x, x, cuda(stream))); }),
              "gpu::add: the executor's stream belongs to GPU 1, and the call is for GPU 0");
    EXPECT_EQ(gpu::add(y, y, cuda(stream)).to_host(), words(10, 2));
    EXPECT_EQ(gpu::add(1u, 2u, cuda(stream)), 3u);  // a value, computed on the stream's GPU
    CUDA_OK(cudaStreamDestroy(stream));
}

TEST_F(Devices, AGraphIsCapturedOnTheOperandsGpu) {
    CUDA_OK(cudaSetDevice(1));
    cudaStream_t stream = nullptr;
    CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA_OK(cudaSetDevice(0));
    array<std::uint32_t> x = foldwise::to_device(words(10'000, 1), cuda(1, stream));
    array<std::uint32_t> total(shape{1}, cuda(1, stream));
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    gpu::add(x, x, x, cuda(stream));
    gpu::sum(x, total, cuda(stream));
    CUDA_OK(cudaStreamEndCapture(stream, &graph));
    EXPECT_EQ(current(), 0);
    CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
    for (int i = 0; i < 3; ++i) CUDA_OK(cudaGraphLaunch(executable, stream));
    EXPECT_EQ(total.to_host()[0], 80'000u);
    CUDA_OK(cudaGraphExecDestroy(executable));
    CUDA_OK(cudaGraphDestroy(graph));
    CUDA_OK(cudaStreamSynchronize(stream));
    x = array<std::uint32_t>(shape{0}, cuda(1));
    total = array<std::uint32_t>(shape{0}, cuda(1));
    CUDA_OK(cudaStreamDestroy(stream));
}

// ---- For long
// --------------------------------------------------------------------------------------------------------

/// Random calls of every pattern on the streams of one thread, each of whose results is checked.
class caller {
  public:
    caller(std::uint32_t seed, int devices) : random_(seed) {
        for (int device = 0; device < devices; ++device) {
            EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
            for (int i = 0; i < streams_each; ++i) {
                cudaStream_t made = nullptr;
                EXPECT_EQ(cudaStreamCreateWithFlags(&made, i % 2 ? cudaStreamNonBlocking : cudaStreamDefault),
                          cudaSuccess);
                streams_.push_back({device, made});
            }
        }
    }
    caller(const caller&) = delete;
    ~caller() {
        for (const own& one : streams_) EXPECT_EQ(cudaStreamDestroy(one.stream), cudaSuccess);
    }

    void run_for(std::chrono::seconds time) {
        const auto end = std::chrono::steady_clock::now() + time;
        int devices = 0;
        EXPECT_EQ(cudaGetDeviceCount(&devices), cudaSuccess);
        while (std::chrono::steady_clock::now() < end) {
            const int wanted = below(devices);
            EXPECT_EQ(cudaSetDevice(wanted), cudaSuccess);
            one_call(streams_[static_cast<std::size_t>(below(static_cast<int>(streams_.size())))]);
            wrong_devices += current() != wanted;
            ++calls;
        }
    }

    void forget() { calls = wrong = wrong_devices = 0; }

    std::int64_t calls = 0, wrong = 0, wrong_devices = 0;

  private:
    static constexpr int streams_each = 8;
    struct own {
        int device;
        cudaStream_t stream;
    };

    int below(int end) { return static_cast<int>(random_() % static_cast<std::uint32_t>(end)); }

    void one_call(const own& at) {
        const std::int64_t rows = 1 + below(60), columns = 1 + below(4000);
        const auto value = static_cast<std::uint32_t>(below(1000));
        const auto count = static_cast<std::size_t>(rows * columns);
        const auto on = cuda(at.stream);
        switch (below(7)) {
        case 0: {
            const auto x = foldwise::to_device(words(count, value), on);
            wrong += gpu::add(x, x, on).to_host() != words(count, 2 * value);
            break;
        }
        case 1: {
            const auto x = foldwise::to_device(words(count, value), on).reshape({rows, columns});
            wrong += gpu::add(x.transpose(), 1u, on).to_host() != words(count, value + 1);
            break;
        }
        case 2: {
            const auto x = foldwise::to_device(words(count, value), on);
            wrong += gpu::sum(x, on) != static_cast<std::uint32_t>(count) * value;
            break;
        }
        case 3: {
            const auto x = foldwise::to_device(words(count, value), on).reshape({rows, columns});
            const int axis = below(2);
            const std::int64_t folded = axis == 0 ? rows : columns;
            wrong += gpu::sum(x, foldwise::axis(axis), on).to_host() !=
                     words(count / static_cast<std::size_t>(folded), static_cast<std::uint32_t>(folded) * value);
            break;
        }
        case 4: {
            const auto in = foldwise::to_device(std::vector<float>(count, 1.5f), on).reshape({rows, columns});
            array<float> out(shape{rows, columns}, on);
            gpu::scaled(shape{rows, columns}, in, out, static_cast<float>(value), on);
            wrong += out.to_host() != std::vector<float>(count, 1.5f * static_cast<float>(value));
            break;
        }
        case 5: {  // from the host, now and then in chunks
            const std::size_t many = below(20) == 0 ? 3'000'000 : count;
            const words x(many, value);
            words out(many);
            gpu::add(x, 1u, out, on);
            wrong += out != words(many, value + 1);
            break;
        }
        default: {  // to whichever GPU that is
            const auto x = foldwise::to_device(words(count, value), on);
            const own& to = streams_[static_cast<std::size_t>(below(static_cast<int>(streams_.size())))];
            wrong += foldwise::to_device(x, cuda(to.stream)).to_host() != words(count, value);
        }
        }
    }

    std::mt19937 random_;
    std::vector<own> streams_;
};

std::int64_t host_bytes() {
    std::int64_t all = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident * sysconf(_SC_PAGESIZE);
}

/// Allocated from the pools of all GPUs together, and not freed.
std::int64_t device_bytes(int devices) {
    std::int64_t bytes = 0;
    for (int device = 0; device < devices; ++device) {
        cudaMemPool_t pool = nullptr;
        std::uint64_t used = 0;
        EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_EQ(cudaDeviceGetDefaultMemPool(&pool, device), cudaSuccess);
        EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used), cudaSuccess);
        bytes += static_cast<std::int64_t>(used);
    }
    EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
    return bytes;
}

class SoakDevices : public on_gpu {};

/// FOLDWISE_SOAK_SECONDS is how long, 5 by default.
TEST_F(SoakDevices, SixteenThreadsOnEightStreamsOfEachGpu) {
    const char* const asked = std::getenv("FOLDWISE_SOAK_SECONDS");
    const std::chrono::seconds all(asked ? std::max(2, std::atoi(asked)) : 5);
    int devices = 0;
    CUDA_OK(cudaGetDeviceCount(&devices));
    std::deque<caller> callers;
    for (std::uint32_t i = 0; i < 16; ++i) callers.emplace_back(i, devices);
    CUDA_OK(cudaSetDevice(0));
    const auto run_for = [&](std::chrono::seconds time) {
        std::vector<std::thread> threads;
        for (caller& one : callers) {
            one.forget();
            threads.emplace_back([&one, time] { one.run_for(time); });
        }
        for (std::thread& thread : threads) thread.join();
    };
    run_for(std::chrono::seconds(std::max<std::int64_t>(1, all.count() / 6)));  // what is made once is made
    const std::int64_t device_before = device_bytes(devices), host_before = host_bytes();
    run_for(all);
    std::int64_t calls = 0;
    for (const caller& one : callers) {
        calls += one.calls;
        EXPECT_EQ(one.wrong, 0);
        EXPECT_EQ(one.wrong_devices, 0) << "another GPU was left current";
    }
    const std::int64_t device = device_bytes(devices) - device_before, host = host_bytes() - host_before;
    EXPECT_LE(device, std::int64_t{16} << 20);
    EXPECT_LE(host, std::int64_t{128} << 20);
    std::printf("%lld calls on %d GPUs; GPU memory %+.1f MiB, the host's %+.1f MiB\n", static_cast<long long>(calls),
                devices, static_cast<double>(device) / (1 << 20), static_cast<double>(host) / (1 << 20));
}

}  // namespace
