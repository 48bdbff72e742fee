// bench/random_peers.cu
#include "random_peers.hpp"

#include "timing.hpp"

#include <curand_kernel.h>
#include <thrust/execution_policy.h>
#include <thrust/transform_reduce.h>

namespace bench {

namespace {

using state = curandStatePhilox4_32_10_t;

struct uniform {
    static __device__ float4 four(state* own, float) { return curand_uniform4(own); }
    static __device__ double2 four(state* own, double) { return curand_uniform2_double(own); }
};
struct normal {
    static __device__ float4 four(state* own, float) { return curand_normal4(own); }
    static __device__ double2 four(state* own, double) { return curand_normal2_double(own); }
};

/// A generator for each thread, which draws several vectors of 16 bytes.
template <class Draw, class T> __global__ void fill(std::uint64_t seed, T* out, std::int64_t n) {
    using vector = decltype(Draw::four(nullptr, T()));
    constexpr std::int64_t width = sizeof(vector) / sizeof(T);
    const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    state own;
    curand_init(seed, static_cast<unsigned long long>(thread), 0, &own);
    for (std::int64_t i = thread; i * width < n; i += std::int64_t{gridDim.x} * blockDim.x) {
        const vector drawn = Draw::four(&own, T());
        if ((i + 1) * width <= n)
            reinterpret_cast<vector*>(out)[i] = drawn;
        else
            for (std::int64_t k = i * width; k < n; ++k) out[k] = reinterpret_cast<const T*>(&drawn)[k - i * width];
    }
}

template <class Draw, class T> void launch(std::uint64_t seed, T* out, std::int64_t n, cudaStream_t stream) {
    constexpr int threads = 256;
    static const int most = [] {
        int multiprocessors = 0, blocks = 0;
        BENCH_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
        BENCH_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill<Draw, T>, threads, 0));
        return blocks * multiprocessors;
    }();
    const std::int64_t vectors = (n * static_cast<std::int64_t>(sizeof(T)) + 15) / 16;
    const std::int64_t blocks = (vectors + threads - 1) / threads;
    fill<Draw><<<static_cast<unsigned int>(blocks < most ? blocks : most), threads, 0, stream>>>(seed, out, n);
    BENCH_CHECK(cudaGetLastError());
}

struct of_one {
    __host__ __device__ moments operator()(double x) const { return {x, x * x, x, x}; }
};
struct of_both {
    __host__ __device__ moments operator()(const moments& a, const moments& b) const {
        return {a.mean + b.mean, a.mean_of_squares + b.mean_of_squares, a.least < b.least ? a.least : b.least,
                a.greatest > b.greatest ? a.greatest : b.greatest};
    }
};

}  // namespace

void curand_uniform(std::uint64_t seed, float* out, std::int64_t n, cudaStream_t stream) {
    launch<uniform>(seed, out, n, stream);
}
void curand_uniform(std::uint64_t seed, double* out, std::int64_t n, cudaStream_t stream) {
    launch<uniform>(seed, out, n, stream);
}
void curand_normal(std::uint64_t seed, float* out, std::int64_t n, cudaStream_t stream) {
    launch<normal>(seed, out, n, stream);
}
void curand_normal(std::uint64_t seed, double* out, std::int64_t n, cudaStream_t stream) {
    launch<normal>(seed, out, n, stream);
}

template <class T> moments moments_of(const T* x, std::int64_t n) {
    moments all = thrust::transform_reduce(thrust::device, x, x + n, of_one{}, moments{0, 0, 1e300, -1e300}, of_both{});
    all.mean /= static_cast<double>(n);
    all.mean_of_squares /= static_cast<double>(n);
    return all;
}
template moments moments_of(const float*, std::int64_t);
template moments moments_of(const double*, std::int64_t);

}  // namespace bench
