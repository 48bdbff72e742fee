// tests/gpu/calls_test.cpp: what a call costs besides its kernel: nothing. Needs a GPU.
//
// Every function of CUDA's runtime library and every one that allocates heap memory is counted (tests/interpose).
#include "calls.kernels.hpp"
#include "cuda_calls.hpp"
#include "heap.hpp"

#include <foldwise/detail/device_api.hpp>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace {

using foldwise::array;
using foldwise::view;

using counts = std::map<std::string, std::uint64_t>;

bool is_launch(const std::string& function) { return function.find("LaunchKernel") != std::string::npos; }

/// Where there are several GPUs, a call looks which one is current and whose stream it has; the host knows both.
bool finds_the_gpu(const std::string& function) {
    static const bool are_several = foldwise::detail::cuda_device().device_count() > 1;
    return are_several &&
           (function == "cudaGetDevice" || function == "cudaStreamGetDevice" || function == "cudaStreamIsCapturing");
}

/// What is set up once is set up by the first calls; from then on each is one launch, and nothing else but `asked`: for
/// each function how often a call asks it.
template <class Call>
void expect_only_launches(Call call, std::uint64_t launches_per_call = 1, const counts& asked = {}) {
    constexpr std::uint64_t calls = 100;
    for (int i = 0; i < 3; ++i) call();
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);

    counts before = interpose::cuda_calls();
    const std::uint64_t allocated = interpose::heap_allocations();
    for (std::uint64_t i = 0; i < calls; ++i) call();
    const std::uint64_t allocations = interpose::heap_allocations() - allocated;
    const counts after = interpose::cuda_calls();

    EXPECT_EQ(allocations, 0u) << "heap allocations in " << calls << " calls";
    std::uint64_t launches = 0;
    for (const auto& [function, count] : after) {
        const auto expected = asked.find(function);
        if (is_launch(function)) {
            launches += count - before[function];
        } else if (!finds_the_gpu(function)) {
            EXPECT_EQ(count - before[function], expected == asked.end() ? 0 : calls * expected->second)
                << function << " in " << calls << " calls";
        }
    }
    EXPECT_EQ(launches, calls * launches_per_call);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST(Counters, SeeWhatIsCalled) {
    const auto asked = [] { return interpose::cuda_calls()["cudaGetDeviceCount"]; };
    const std::uint64_t before = asked(), allocated = interpose::heap_allocations();
    int devices = 0;
    static_cast<void>(cudaGetDeviceCount(&devices));  // whatever it says
    EXPECT_EQ(asked(), before + 1);
    const std::vector<int> numbers(100);
    EXPECT_GT(interpose::heap_allocations(), allocated);
}

/// Once with the executor that is found, once on a stream that is given.
class SteadyState : public testing::TestWithParam<bool> {
  protected:
    void SetUp() override {
        if (GetParam()) {
            ASSERT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess);
        }
    }
    void TearDown() override {
        if (stream_) {
            ASSERT_EQ(cudaStreamDestroy(stream_), cudaSuccess);
        }
    }
    foldwise::executor executor() const { return stream_ ? foldwise::cuda(stream_) : foldwise::executor{}; }

    static array<float> zeros(const foldwise::shape& extents) {
        array<float> made(extents, foldwise::cuda());
        EXPECT_EQ(cudaMemset(made.data(), 0, static_cast<std::size_t>(made.size()) * sizeof(float)), cudaSuccess);
        return made;
    }

  private:
    cudaStream_t stream_ = nullptr;
};
INSTANTIATE_TEST_SUITE_P(Executors, SteadyState, testing::Bool(),
                         [](const auto& info) { return info.param ? "GivenStream" : "Automatic"; });

TEST_P(SteadyState, Contiguous) {
    array<float> x = zeros({100, 1000}), y = zeros({100, 1000}), out = zeros({100, 1000});
    expect_only_launches([&] { gpu::scale_shift(x, y, x, out, executor()); });
    expect_only_launches([&] { gpu::scale_shift(x, 2.0f, 3.0f, out, executor()); });
    expect_only_launches([&] { gpu::scale_shift(x, y, out, out, executor()); });
    const view<float> shifted = x.reshape(foldwise::shape{100'000}).slice(0, 1, 99'999);
    const view<float> straight = out.reshape(foldwise::shape{100'000}).slice(0, 0, 99'998);
    expect_only_launches([&] { gpu::scale_shift(shifted, 2.0f, shifted, straight, executor()); });
}

TEST_P(SteadyState, Broadcast) {
    array<float> x = zeros({100, 1000}), out = zeros({100, 1000});
    const array<float> row = zeros({1, 1000}), column = zeros({100, 1});
    expect_only_launches([&] { gpu::scale_shift(x, row, column, out, executor()); });
    expect_only_launches([&] { gpu::scale_shift(x, column, row, x, executor()); });
    expect_only_launches([&] { gpu::scale_shift(row, column, 1.0f, out, executor()); });
}

TEST_P(SteadyState, Strided) {
    array<float> x = zeros({100, 1000}), out = zeros({100, 1000});
    const view<float> odd = x.slice(1, 1, 1000, 2), even = out.slice(1, 0, 1000, 2), back = x.slice(0, 99, -1, -1);
    expect_only_launches([&] { gpu::scale_shift(odd, 2.0f, odd, even, executor()); });
    expect_only_launches([&] { gpu::scale_shift(back, 2.0f, 3.0f, out, executor()); });
}

TEST_P(SteadyState, Transposed) {
    array<float> x = zeros({300, 300}), y = zeros({300, 300}), out = zeros({300, 300});
    const view<float> turned = y.transpose(), turned_out = out.transpose();
    expect_only_launches([&] { gpu::scale_shift(x, 1.0f, turned, out, executor()); });
    expect_only_launches([&] { gpu::scale_shift(x, 1.0f, y, turned_out, executor()); });
    array<float> images = zeros({2, 3, 40, 50}), last = zeros({2, 40, 50, 3});
    const view<float> channels_last = images.permute(0, 2, 3, 1);
    expect_only_launches([&] { gpu::scale_shift(channels_last, 2.0f, 3.0f, last, executor()); });
}

TEST_P(SteadyState, SeveralOutputsAndIndices) {
    array<float> x = zeros({100, 1000}), sum = zeros({100, 1000}), difference = zeros({100, 1000});
    const array<float> row = zeros({1, 1000});
    expect_only_launches([&] { gpu::sum_difference(x, x, sum, difference, executor()); });
    expect_only_launches([&] { gpu::sum_difference(x, row, sum.slice(0, 0, 100), difference, executor()); });
    array<std::int64_t> where({100, 1000}, foldwise::cuda());
    expect_only_launches([&] { gpu::places(std::int32_t{1}, where, executor()); });
}

/// Whose workspace it is, is told by the stream's number and its capture's, and how many blocks, by the device's: what
/// the host knows. Nothing waits, and no memory is asked for.
const counts of_a_reduction = {{"cudaStreamGetId", 1}, {"cudaStreamGetCaptureInfo", 1}, {"cudaGetDevice", 1}};

TEST_P(SteadyState, Reductions) {
    const array<float> x = zeros({100, 1000}), row = zeros({1, 1000}), small = zeros({10});
    array<float> out = zeros({1});
    expect_only_launches([&] { gpu::sum(x, out, executor()); }, 1, of_a_reduction);
    expect_only_launches([&] { gpu::sum(small, out, executor()); }, 1, of_a_reduction);
    expect_only_launches([&] { gpu::sum(x, out, foldwise::initial(2.0f), executor()); }, 1, of_a_reduction);
    expect_only_launches([&] { gpu::sum(x.slice(1, 1, 1000, 2), out, executor()); }, 1, of_a_reduction);
    expect_only_launches([&] { gpu::sum(x.transpose(), out, executor()); }, 1, of_a_reduction);
    expect_only_launches([&] { gpu::dot(x, row, out, executor()); }, 1, of_a_reduction);
    expect_only_launches([&] { gpu::dot(x, 2.0f, out, executor()); }, 1, of_a_reduction);
    const array<std::uint32_t> coefficients({100'000}, foldwise::cuda());
    array<gpu::affine> value({1}, foldwise::cuda());
    expect_only_launches([&] { gpu::composed(coefficients, value, executor()); }, 1, of_a_reduction);
}

TEST_P(SteadyState, Tasks) {
    array<float> x = zeros({100, 1000}), out = zeros({100, 1000});
    const foldwise::shape all{100, 1000};
    expect_only_launches([&] { gpu::scaled(all, x, out, 2.0f, executor()); });
    expect_only_launches([&] { gpu::scaled(all, x, x, 2.0f, executor()); });
    const view<float> back = x.slice(1, 999, -1, -1);
    expect_only_launches([&] { gpu::scaled(all, back, out, 2.0f, executor()); });
    expect_only_launches([&] { gpu::scaled(foldwise::shape{0, 1000}, x, out, 2.0f, executor()); }, 0);
}

TEST_P(SteadyState, OfNothingLaunchesNothing) {
    array<float> none({0, 1000}, foldwise::cuda());
    expect_only_launches([&] { gpu::scale_shift(none, 2.0f, 3.0f, none, executor()); }, 0);
}

}  // namespace
