// tests/gpu/random_test.cu: foldwise::random beside cuRAND on a GPU: the same words, and normal numbers that differ by
// rounding alone.
#include <foldwise/random.hpp>

#include <curand_kernel.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace {

constexpr int draws = 100'000, streams = 1'000;

struct differences {
    int words, normals, doubles;
};

__global__ void compare(std::uint64_t seed, std::uint64_t first, std::uint64_t block, differences* found) {
    const std::uint64_t stream = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (stream - first >= streams) return;
    curandStatePhilox4_32_10_t state;
    curand_init(seed, stream, 4 * block, &state);
    foldwise::random draw(seed, stream, block);
    for (int k = 0; k < draws / streams; ++k)
        if (curand(&state) != draw.bits()) atomicAdd(&found->words, 1);
    curand_init(seed, stream, 4 * block, &state);
    draw = foldwise::random(seed, stream, block);
    // cuRAND takes the fast sine and cosine.
    for (int k = 0; k < draws / streams; ++k)
        if (!(fabsf(curand_normal(&state) - draw.normal()) < 1e-4f)) atomicAdd(&found->normals, 1);
    curand_init(seed, stream, 4 * block, &state);
    draw = foldwise::random(seed, stream, block);
    for (int k = 0; k < draws / streams; ++k)
        if (!(fabs(curand_normal_double(&state) - draw.normal<double>()) < 1e-13)) atomicAdd(&found->doubles, 1);
}

TEST(RandomOnGpu, HasCurandsNumbers) {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) GTEST_SKIP() << "no GPU";
    differences* found = nullptr;
    ASSERT_EQ(cudaMallocManaged(&found, sizeof *found), cudaSuccess);
    struct case_of {
        std::uint64_t seed, first, block;
    };
    for (const case_of& one : {case_of{0, 0, 0}, {42, 1'000'000'007, 5}, {~0ull, 0xfffffffffffff000u, 1ull << 40}}) {
        *found = {};
        compare<<<(streams + 255) / 256, 256>>>(one.seed, one.first, one.block, found);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_EQ(found->words, 0);
        EXPECT_EQ(found->normals, 0);
        EXPECT_EQ(found->doubles, 0);
    }
    cudaFree(found);
}

}  // namespace
