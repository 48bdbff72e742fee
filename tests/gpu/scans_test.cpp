// tests/gpu/scans_test.cpp: scans of more elements than 32 bits count, and scans that other work disturbs. What they
// compute is compared in tests/run, which a GPU runs as well.
#include "on_gpu.hpp"
#include "scans.kernels.hpp"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

class Scans : public on_gpu {};

/// The scan of a shape of bytes, undone: x[i] = y[i] ^ y[i - 1].
void expect_scanned(const foldwise::shape& shape, int axis) {
    const std::int64_t count = shape.size(), apart = axis == 0 && shape.rank() == 2 ? shape[1] : 1;
    std::size_t free = 0, total = 0;
    CUDA_OK(cudaMemGetInfo(&free, &total));
    if (free < 3 * static_cast<std::size_t>(count) + (std::size_t{1} << 32))
        GTEST_SKIP() << "the GPU has " << free << " bytes of memory free";
    foldwise::array<std::uint8_t> x(foldwise::shape{count}, foldwise::cuda()), back({count}, foldwise::cuda());
    foldwise::array<std::uint8_t> y(shape, foldwise::cuda());
    gpu_scans::pattern(x);
    gpu_scans::parity(x.reshape(shape), y, foldwise::axis(axis));
    const auto flat = y.reshape(foldwise::shape{count});
    gpu_scans::undone(flat.slice(0, apart, count), flat.slice(0, 0, count - apart), back.slice(0, apart, count));
    EXPECT_EQ(gpu_scans::differences(x.slice(0, apart, count), back.slice(0, apart, count)), 0u);
    EXPECT_EQ(gpu_scans::differences(x.slice(0, 0, apart), flat.slice(0, 0, apart)), 0u);
}

TEST_F(Scans, OfMoreElementsThan32BitsCount) { expect_scanned({(std::int64_t{1} << 32) + 5}, 0); }

TEST_F(Scans, OfLongColumns) { expect_scanned({(std::int64_t{1} << 31) + 5, 2}, 0); }

TEST_F(Scans, OfManyColumns) { expect_scanned({3, (std::int64_t{1} << 31) - 5}, 0); }

/// Repeats a scan beside another stream that keeps the GPU busy.
void expect_same_bits(const foldwise::shape& shape) {
    std::vector<float> values(static_cast<std::size_t>(shape.size()));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1.0f / static_cast<float>(1 + i * i % 1013);
    const auto x = foldwise::to_device(values, foldwise::cuda()).reshape(shape);
    auto y = foldwise::array<float>(shape, foldwise::cuda());
    const own_stream busy;
    auto other = foldwise::array<float>(foldwise::shape{5'000'000}, foldwise::cuda());
    CUDA_OK(cudaMemset(other.data(), 0, 5'000'000 * sizeof(float)));
    CUDA_OK(cudaDeviceSynchronize());
    gpu_scans::running(x, y, foldwise::axis(0));
    const std::vector<float> first = y.to_host();
    for (int k = 0; k < 1000; ++k) {
        gpu_scans::running(other, other, foldwise::cuda(busy));
        gpu_scans::running(x, y, foldwise::axis(0));
        ASSERT_EQ(y.to_host(), first) << "repetition " << k;
    }
    CUDA_OK(cudaStreamSynchronize(busy));
}

TEST_F(Scans, HaveTheSameBitsBesideOtherWork) {
    for (const foldwise::shape& shape : {foldwise::shape{300'000}, {60'000, 5}, {500, 600}, {200, 5000}})
        expect_same_bits(shape);
}

}  // namespace
