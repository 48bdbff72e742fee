// bench/layout_peers.cu: CUB's side of layouts.cpp. Operands that do not lie as the output does are read through a
// counting iterator, as CUB's users do.
#include "layout_peers.hpp"

#include <cub/device/device_transform.cuh>
#include <cuda/std/cmath>
#include <cuda/std/tuple>
#include <cuda_bf16.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

namespace bench {

namespace {

template <class F, class Out> void transform_index(std::int64_t n, Out out, F f, cudaStream_t stream) {
    // 32-bit indices: nothing here has 2^32 elements, and their divisions cost less.
    cub::DeviceTransform::Transform(thrust::counting_iterator<std::uint32_t>(0), out, n, f, stream);
}

struct plus {
    __device__ float operator()(float x, float y) const { return x + y; }
    __device__ std::int8_t operator()(std::int8_t x, std::int8_t y) const { return static_cast<std::int8_t>(x + y); }
    __device__ __nv_bfloat16 operator()(__nv_bfloat16 x, __nv_bfloat16 y) const { return x + y; }
    __device__ float3 operator()(float3 x, float3 y) const { return {x.x + y.x, x.y + y.y, x.z + y.z}; }
};

template <class T> struct cuda_type { using type = T; };
template <> struct cuda_type<foldwise::bfloat16> { using type = __nv_bfloat16; };
template <> struct cuda_type<triple> { using type = float3; };

}  // namespace

void cub_scale_shift(const float* x, const float* s, const float* t, float* out, std::int64_t rows,
                     std::int64_t columns, cudaStream_t stream) {
    const auto n = static_cast<std::uint32_t>(columns);
    transform_index(
        rows * columns, out,
        [=] __device__(std::uint32_t i) {
            const std::uint32_t row = i / n;
            return x[i] * s[i - row * n] + t[row];
        },
        stream);
}

template <class T> void cub_add(const T* x, const T* y, T* out, std::int64_t n, cudaStream_t stream) {
    using own = typename cuda_type<T>::type;
    cub::DeviceTransform::Transform(
        cuda::std::make_tuple(reinterpret_cast<const own*>(x), reinterpret_cast<const own*>(y)),
        reinterpret_cast<own*>(out), n, plus{}, stream);
}
template void cub_add(const float*, const float*, float*, std::int64_t, cudaStream_t);
template void cub_add(const std::int8_t*, const std::int8_t*, std::int8_t*, std::int64_t, cudaStream_t);
template void cub_add(const foldwise::bfloat16*, const foldwise::bfloat16*, foldwise::bfloat16*, std::int64_t,
                      cudaStream_t);
template void cub_add(const triple*, const triple*, triple*, std::int64_t, cudaStream_t);

void cub_add_transposed(const float* x, const float* y, float* out, std::int64_t n, cudaStream_t stream) {
    const auto side = static_cast<std::uint32_t>(n);
    transform_index(
        n * n, out,
        [=] __device__(std::uint32_t i) {
            const std::uint32_t row = i / side, column = i - row * side;
            return x[i] + y[std::size_t{column} * side + row];
        },
        stream);
}

void cub_every(const float* x, float* out, std::int64_t n, std::int64_t step, cudaStream_t stream) {
    transform_index(
        n, out, [=] __device__(std::uint32_t i) { return x[i * step]; }, stream);
}

template <class T>
void cub_transpose(const T* x, T* out, std::int64_t batches, std::int64_t rows, std::int64_t columns,
                   cudaStream_t stream) {
    using own = typename cuda_type<T>::type;
    const auto m = static_cast<std::uint32_t>(rows), n = static_cast<std::uint32_t>(columns);
    const own* from = reinterpret_cast<const own*>(x);
    transform_index(
        batches * rows * columns, reinterpret_cast<own*>(out),
        [=] __device__(std::uint32_t i) {
            const std::uint32_t rest = i / m, row = i - rest * m, batch = rest / n, column = rest - batch * n;
            return from[(std::size_t{batch} * m + row) * n + column];
        },
        stream);
}
template void cub_transpose(const float*, float*, std::int64_t, std::int64_t, std::int64_t, cudaStream_t);
template void cub_transpose(const std::int8_t*, std::int8_t*, std::int64_t, std::int64_t, std::int64_t, cudaStream_t);
template void cub_transpose(const foldwise::bfloat16*, foldwise::bfloat16*, std::int64_t, std::int64_t, std::int64_t,
                            cudaStream_t);
template void cub_transpose(const triple*, triple*, std::int64_t, std::int64_t, std::int64_t, cudaStream_t);

bool same_bytes(const void* a, const void* b, std::int64_t bytes) {
    const auto* first = static_cast<const unsigned char*>(a);
    return thrust::equal(thrust::device, first, first + bytes, static_cast<const unsigned char*>(b));
}

bool same_floats(const float* a, const float* b, std::int64_t n) {
    return thrust::equal(thrust::device, a, a + n, b,
                         [] __device__(float x, float y) -> bool { return fabsf(x - y) <= 1e-6f * fabsf(y); });
}

}  // namespace bench
