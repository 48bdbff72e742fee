// tests/gpu/host_arrays_test.cpp: calls with arrays on the host, in chunks, against the CPU. Needs a GPU.
#include "host_arrays.kernels.hpp"
#include "host_arrays_checked.kernels.hpp"
#include "on_gpu.hpp"
#include "small_chunks.hpp"

#include <foldwise/error.hpp>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace {

using foldwise::cpu;
using foldwise::cuda;

/// Host memory of either kind.
template <class T> class host_array {
  public:
    host_array(std::size_t count, bool is_pinned) : count_(count), is_pinned_(is_pinned) {
        if (is_pinned) {
            EXPECT_EQ(cudaMallocHost(reinterpret_cast<void**>(&data_), count * sizeof(T)), cudaSuccess);
        } else {
            data_ = static_cast<T*>(::operator new(count * sizeof(T)));
        }
        for (std::size_t i = 0; i < count; ++i) data_[i] = value(i);
    }
    host_array(const host_array&) = delete;
    ~host_array() {
        if (is_pinned_)
            EXPECT_EQ(cudaFreeHost(data_), cudaSuccess);
        else
            ::operator delete(data_);
    }

    std::span<T> all() { return {data_, count_}; }
    std::vector<T> copy() const { return {data_, data_ + count_}; }

    static T value(std::size_t i) { return static_cast<T>(i * 2654435761u % 120 + 1); }

  private:
    T* data_ = nullptr;
    std::size_t count_;
    bool is_pinned_;
};

/// None, one and several chunks, whole and with a rest; alignments of all kinds.
constexpr std::size_t sizes[] = {1, 31, 4096, 4097, 16'383, 16'384, 16'385, 32'768, 65'535, 65'536, 65'537, 300'007};

class HostArrays : public on_gpu {
  protected:
    small_chunks limits_{196'608};  // 16384 elements of three floats
};

template <class T> void expect_rel_diff(std::size_t n, unsigned pinned, cudaStream_t stream) {
    host_array<T> x(n + 1, pinned & 1), y(n, pinned & 2), out(n + 1, pinned & 4);
    std::vector<T> expected(n);
    // One element on, so that operands are misaligned to each other.
    host_arrays::rel_diff(x.all().subspan(1), y.all(), expected, cpu());
    host_arrays::rel_diff(x.all().subspan(1), y.all(), out.all().first(n), cuda(stream));
    const std::vector<T> got = out.copy();
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), got.begin())) << n << " elements, pinned " << pinned;
    ASSERT_EQ(got[n], (host_array<T>::value(n)));
    host_arrays::rel_diff(x.all().subspan(1), T(3), expected, cpu());
    host_arrays::rel_diff(x.all().subspan(1), T(3), x.all().subspan(1), cuda(stream));
    const std::vector<T> in_place = x.copy();
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), in_place.begin() + 1)) << n << ", in place " << pinned;
}

TEST_F(HostArrays, OfAllSizesAndKinds) {
    const own_stream stream;
    for (const std::size_t n : sizes) {
        for (unsigned pinned = 0; pinned < 8; ++pinned) {
            expect_rel_diff<float>(n, pinned, nullptr);
            expect_rel_diff<double>(n, pinned, stream);
        }
    }
}

TEST_F(HostArrays, SeveralOutputsAndIndices) {
    for (const std::size_t n : sizes) {
        for (const bool pinned : {false, true}) {
            host_array<std::int32_t> v(n, pinned);
            host_array<std::uint8_t> rest(n, !pinned);
            host_array<double> half(n, pinned);
            std::vector<std::uint8_t> expected_rest(n);
            std::vector<double> expected_half(n);
            host_arrays::split(v.all(), expected_rest, expected_half, cpu());
            host_arrays::split(v.all(), rest.all(), half.all(), cuda());
            ASSERT_EQ(rest.copy(), expected_rest) << n;
            ASSERT_EQ(half.copy(), expected_half) << n;

            host_array<std::int8_t> x(n, !pinned);
            host_array<std::int64_t> where(n, pinned);
            std::vector<std::int64_t> expected(n);
            host_arrays::place(x.all(), expected, cpu());
            host_arrays::place(x.all(), where.all(), cuda());
            ASSERT_EQ(where.copy(), expected) << n;

            host_array<std::int32_t> triple(n, pinned);
            host_arrays::numbered(triple.all(), cuda());
            for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(triple.all()[i], static_cast<std::int32_t>(3 * i));
        }
    }
    std::vector<std::int32_t> x(517 * 313, 5);
    std::vector<std::int64_t> expected(x.size()), got(x.size());
    const auto of = [](auto& array) { return foldwise::host(array.data(), {517, 313}); };
    host_arrays::places(of(x), of(expected), cpu());
    host_arrays::places(of(x), of(got), cuda());
    EXPECT_EQ(got, expected);
}

TEST_F(HostArrays, BesideArraysOnTheGpu) {
    const own_stream stream;
    host_array<float> x(200'001, false), y(200'001, true);
    std::vector<float> expected(200'001), got(200'001);
    host_arrays::rel_diff(x.all(), y.all(), expected, cpu());
    const auto device = foldwise::to_device(x.all(), cuda(stream));
    host_arrays::rel_diff(device, y.all(), got, cuda(stream));
    EXPECT_EQ(got, expected);
    foldwise::array<float> out(foldwise::shape{200'001}, cuda(stream));
    host_arrays::rel_diff(x.all(), y.all(), out, cuda(stream));
    EXPECT_EQ(out.to_host(), expected);
}

TEST_F(HostArrays, ComeBehindWhatIsQueuedOnTheStream) {
    const own_stream stream;
    const std::size_t n = 8'000'000;
    host_array<float> source(n, true), y(n, false);
    std::vector<float> expected(n), got(n);
    host_arrays::rel_diff(source.all(), y.all(), expected, cpu());
    const auto device = foldwise::to_device(source.all(), cuda(stream));
    for (const bool pinned : {true, false}) {
        host_array<float> late(n, pinned);
        std::fill(late.all().begin(), late.all().end(), 0.0f);
        CUDA_OK(cudaMemcpyAsync(late.all().data(), device.data(), n * sizeof(float), cudaMemcpyDeviceToHost, stream));
        host_arrays::rel_diff(late.all(), y.all(), got, cuda(stream));
        EXPECT_TRUE(got == expected) << pinned;
    }
}

TEST_F(HostArrays, FromSeveralThreadsAtOnce) {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 4; ++i)
        threads.emplace_back([i] {
            const own_stream stream;
            for (unsigned k = 0; k < 10; ++k) expect_rel_diff<float>(100'000 + 7777 * i, (i + k) % 8, stream);
        });
    for (std::thread& thread : threads) thread.join();
}

TEST_F(HostArrays, WhatIsFoundInTheMiddleEndsTheCall) {
    const std::size_t n = 400'000;
    std::vector<std::int32_t> x(n, 12), y(n, 3), out(n, -1);
    y[n / 2] = 0;
    for (int i = 0; i < 3; ++i) {
        try {
            host_arrays::quotient(x, y, out, cuda());
            FAIL() << "nothing was thrown";
        } catch (const foldwise::device_error& e) {
            EXPECT_NE(std::string(e.what()).find("division by zero, of 12, in host_arrays::quotient"),
                      std::string::npos)
                << e.what();
        }
        EXPECT_EQ(out[0], 4);
        EXPECT_EQ(out[n - 1], -1);
    }
    y[n / 2] = 3;
    host_arrays::quotient(x, y, out, cuda());
    EXPECT_EQ(out, std::vector<std::int32_t>(n, 4));
}

TEST_F(HostArrays, InACaptureAreRefused) {
    const own_stream stream;
    std::vector<float> x(50'000, 1), out(50'000);
    host_arrays::rel_diff(x, x, out, cuda(stream));
    CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    EXPECT_THROW(host_arrays::rel_diff(x, x, out, cuda(stream)), foldwise::device_error);
    cudaGraph_t graph = nullptr;
    EXPECT_NE(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    cudaGetLastError();
    host_arrays::rel_diff(x, x, out, cuda(stream));
    EXPECT_EQ(out, std::vector<float>(50'000, 0));
}

TEST_F(HostArrays, OfReductionsTasksAndStridedCalls) {
    for (const std::size_t n : {16'385u, 2'000'003u}) {
        for (const bool pinned : {false, true}) {
            host_array<std::uint32_t> x(n, pinned);
            EXPECT_EQ(host_arrays::sum(x.all(), cuda()), host_arrays::sum(x.all(), cpu()));
            host_array<float> in(n, pinned), out(n, !pinned);
            std::vector<float> expected(n);
            host_arrays::scaled(n, in.all(), expected, 3.0f, cpu());
            host_arrays::scaled(n, in.all(), out.all(), 3.0f, cuda());
            EXPECT_TRUE(out.copy() == expected) << n;
        }
    }
    for (const std::int64_t height : {1, 300, 12'345}) {
        std::vector<float> in(static_cast<std::size_t>(height) * 33);
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = host_array<float>::value(i);
        const std::vector<std::int8_t> add(static_cast<std::size_t>(height), 7);
        std::vector<double> expected(in.size()), got(in.size(), -1);
        const foldwise::shape all{height, 33};
        host_arrays::turned_rows(all, foldwise::host(in.data(), all), add, foldwise::host(expected.data(), all), cpu());
        host_arrays::turned_rows(all, foldwise::host(in.data(), all), add, foldwise::host(got.data(), all), cuda());
        EXPECT_TRUE(got == expected) << height;
    }
    std::vector<float> x(1000 * 700), row(700, 3), expected(x.size()), got(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = host_array<float>::value(i);
    const auto of = [](auto& array) { return foldwise::host(array.data(), {1000, 700}); };
    host_arrays::rel_diff(of(x), row, of(expected), cpu());
    host_arrays::rel_diff(of(x), row, of(got), cuda());
    EXPECT_EQ(got, expected);
}

/// With the limits that calls have.
TEST_F(on_gpu, LargeHostArrays) {
    for (const std::size_t n : {100'000u, 1'000'001u, 20'000'003u})
        for (const unsigned pinned : {0u, 7u, 5u}) expect_rel_diff<float>(n, pinned, nullptr);
}

}  // namespace
