// tests/gpu/last_error_test.cpp: what CUDA's last error is after a call: no error of the call's own, but still the
// caller's.
#include "host_arrays.kernels.hpp"
#include "host_arrays_checked.kernels.hpp"
#include "on_gpu.hpp"

#include <foldwise/error.hpp>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using foldwise::cuda;

TEST_F(on_gpu, CallsThatFailLeaveNoErrorBehind) {
    const own_stream stream;
    ASSERT_EQ(cudaGetLastError(), cudaSuccess);
    const auto too_large = [] { foldwise::array<double>(foldwise::shape{std::int64_t{1} << 46}, cuda()); };
    EXPECT_THROW(too_large(), foldwise::out_of_memory);
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);

    const auto x = foldwise::to_device(std::vector<std::int32_t>(1000, 1), cuda(stream));
    foldwise::array<std::int32_t> out({1000}, cuda(stream));
    host_arrays::quotient(x, x, out, cuda(stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    // A checked kernel waits for itself, which a stream that is captured does not allow.
    CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    EXPECT_THROW(host_arrays::quotient(x, x, out, cuda(stream)), foldwise::device_error);
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
    cudaGraph_t graph = nullptr;
    EXPECT_NE(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    cudaGetLastError();  // of the line above
    host_arrays::quotient(x, x, out, cuda(stream));
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

TEST_F(on_gpu, AnErrorOfTheCallersStays) {
    const auto x = foldwise::to_device(std::vector<std::int32_t>(1000, 1));
    foldwise::array<std::int32_t> out({1000}, cuda());
    std::vector<std::int32_t> there(1000);
    EXPECT_EQ(cudaSetDevice(100'000), cudaErrorInvalidDevice);
    host_arrays::quotient(x, x, out);
    host_arrays::quotient(x, x, there, cuda());
    EXPECT_EQ(out.to_host(), there);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

}  // namespace
