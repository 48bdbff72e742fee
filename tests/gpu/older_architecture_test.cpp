// tests/gpu/older_architecture_test.cpp: kernels for older GPUs run correctly behind kernels that let the next one
// start early.
#include "older_architecture.kernels.hpp"
#include "on_gpu.hpp"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

void launch_fill_late(int* x, int value, cudaStream_t stream);

namespace {

using foldwise::cuda;

TEST_F(on_gpu, KernelsForOlderOnesWaitForTheirPredecessors) {
    int device = 0, major = 0;
    CUDA_OK(cudaGetDevice(&device));
    CUDA_OK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    if (major < 9) GTEST_SKIP() << "no kernel starts early on compute capability " << major;
    const own_stream stream;
    auto x = foldwise::to_device(std::vector<std::int32_t>(256, 0), cuda(stream));
    foldwise::array<std::int32_t> out({256}, cuda(stream)), total({1}, cuda(stream));
    const std::vector<std::int32_t> zeros(256, 0);
    const auto expect = [&](const auto& call, foldwise::array<std::int32_t>& result, std::int32_t value) {
        call();  // loaded
        for (int i = 0; i < 3; ++i) {
            CUDA_OK(cudaMemcpyAsync(x.data(), zeros.data(), sizeof(std::int32_t) * zeros.size(), cudaMemcpyHostToDevice,
                                    stream));
            CUDA_OK(cudaStreamSynchronize(stream));
            launch_fill_late(x.data(), 5, stream);
            call();
            EXPECT_EQ(result.to_host().front(), value) << "it has not waited";
        }
    };
    expect([&] { older_architecture::twice(x, out, cuda(stream)); }, out, 10);
    expect([&] { older_architecture::next(256, x, out, cuda(stream)); }, out, 6);
    expect([&] { older_architecture::sum(x, total, cuda(stream)); }, total, 5 * 256);
}

}  // namespace
