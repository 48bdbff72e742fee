// tests/gpu/arrays_test.cpp: arrays of CUDA's memory: filling them, copying into existing memory, and moving them to
// other streams.
#include "on_gpu.hpp"

#include <foldwise/copy.hpp>
#include <foldwise/error.hpp>

#include <array>
#include <complex>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

namespace {

using foldwise::array;
using foldwise::cpu;
using foldwise::cuda;
using foldwise::shape;

// What files of kernels do: this program has none.
[[maybe_unused]] const bool uses_cuda = foldwise::detail::use(foldwise::detail::cuda_device());

class Arrays : public on_gpu {};

template <class T> void expect_filled(const array<T>& x, const T& value) {
    const std::vector<T> elements = x.to_host();
    std::size_t wrong = 0;
    for (const T& element : elements) wrong += std::memcmp(&element, &value, sizeof(T)) != 0;
    EXPECT_EQ(wrong, 0u) << sizeof(T) << " bytes, " << elements.size() << " elements";
}

template <class T> void fill_all_sizes(const T& value) {
    const own_stream stream;
    for (const std::int64_t count : {0, 1, 2, 3, 4095, 4096, 4097, 8193, 1'000'003}) {
        expect_filled(foldwise::full(shape{count}, value, cuda(stream)), value);
        array<T> longer(count + 2, cuda(stream));
        longer.fill(T{});
        array<T> part(count, cuda(stream));
        part.fill(value);
        foldwise::copy(part, longer.slice(0, 1, count + 1));
        const std::vector<T> back = longer.to_host();
        EXPECT_TRUE(back.front() == T{} && back.back() == T{});
    }
}

TEST_F(Arrays, AreFilledWithEveryKindOfElement) {
    fill_all_sizes<std::uint8_t>(7);
    fill_all_sizes<std::int16_t>(-2);
    fill_all_sizes(1.5f);
    fill_all_sizes(-0.1);
    fill_all_sizes<std::array<std::uint8_t, 3>>({1, 2, 3});
    fill_all_sizes<std::array<std::int16_t, 3>>({1, -2, 3});
    fill_all_sizes<std::array<float, 3>>({1, 2, 3});
    fill_all_sizes(std::complex<double>(1, -2));
    fill_all_sizes<std::array<std::uint64_t, 5>>({1, 2, 3, 4, 5});
}

TEST_F(Arrays, AreFilledByGraphs) {
    const own_stream stream;
    array<std::complex<double>> x(100'000, cuda(stream));
    x.fill({});
    CUDA_OK(cudaStreamSynchronize(stream));
    cudaGraph_t graph = nullptr;
    CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    {
        const std::complex<double> value(3, 4);
        x.fill(value);
    }
    CUDA_OK(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t run = nullptr;
    CUDA_OK(cudaGraphInstantiate(&run, graph, 0));
    expect_filled(x, {});
    CUDA_OK(cudaGraphLaunch(run, stream));
    expect_filled(x, {3, 4});
    CUDA_OK(cudaGraphExecDestroy(run));
    CUDA_OK(cudaGraphDestroy(graph));
}

TEST_F(Arrays, OutliveTheStreamThatTheyWereAllocatedOn) {
    std::vector<float> numbers(1 << 20);
    std::iota(numbers.begin(), numbers.end(), 0.0f);
    array<float> x;
    {
        const own_stream stream;
        x = foldwise::to_device(numbers, cuda(stream));
        x.fill(2);
        x.follow(nullptr);
    }
    expect_filled(x, 2.0f);
    foldwise::copy(numbers, x);
    EXPECT_EQ(x.to_host(), numbers);
}

TEST_F(Arrays, AreNotTheHostsToRead) {
    const array<float> x(3, cuda());
    EXPECT_THROW(x.begin(), foldwise::device_error);
    const array<float> here = foldwise::full({3}, 2.0f, cuda()).to(cpu());
    EXPECT_EQ(here[2], 2);
    EXPECT_GE(foldwise::gpu_count(), 1);
    EXPECT_EQ(foldwise::place_of(cuda()).kind, foldwise::memory::cuda);
}

TEST_F(Arrays, ErrorsOfCudaHaveItsCode) {
    try {
        const array<float> x(shape{1, 2}, cuda(foldwise::gpu_count()));
        FAIL();
    } catch (const foldwise::device_error& error) {
        EXPECT_EQ(error.code(), 0);  // Foldwise's own
    }
}

}  // namespace
