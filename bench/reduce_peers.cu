// bench/reduce_peers.cu: CUB's side of reduce.cpp. What does not lie in memory as it is folded is read through a
// counting iterator, as CUB's users do.
#include "reduce_peers.hpp"

#include "timing.hpp"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda_bf16.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

namespace bench {

namespace {

struct largest {
    __device__ float operator()(float a, float b) const { return a < b ? b : a; }
};

struct product {
    __device__ float operator()(const thrust::tuple<float, float>& pair) const {
        return thrust::get<0>(pair) * thrust::get<1>(pair);
    }
};

struct vector3 {
    double x, y, z;
};
struct add_vectors {
    __device__ vector3 operator()(const vector3& a, const vector3& b) const {
        return {a.x + b.x, a.y + b.y, a.z + b.z};
    }
};

struct moments {
    double n, mean, m2;
};
struct of_one {
    __device__ moments operator()(float x) const { return {1, x, 0}; }
};
struct together {
    __device__ moments operator()(const moments& a, const moments& b) const {
        const double n = a.n + b.n;
        if (n == 0) return a;
        const double d = b.mean - a.mean;
        return {n, a.mean + d * b.n / n, a.m2 + b.m2 + d * d * a.n * b.n / n};
    }
};
struct spread {
    __device__ double operator()(const moments& m) const { return m.m2 / m.n; }
};

template <class T> struct cuda_type { using type = T; };
template <> struct cuda_type<foldwise::bfloat16> { using type = __nv_bfloat16; };
template <> struct cuda_type<point> { using type = vector3; };
template <class T> using cuda_type_t = typename cuda_type<T>::type;

template <class T> struct add : cuda::std::plus<T> {};
template <> struct add<vector3> : add_vectors {};

/// 32-bit counts: nothing here has 2^31 elements, and their indices cost less.
int count_of(std::int64_t n) { return static_cast<int>(n); }

/// The element of a segmented fold by its number: those of a segment follow each other.
template <class T> struct along_middle {
    const T* x;
    std::uint32_t middle, inner;
    __device__ T operator()(std::uint32_t number) const {
        const std::uint32_t segment = number / middle, j = number - segment * middle;
        const std::uint32_t i = segment / inner;
        return x[(i * middle + j) * inner + (segment - i * inner)];
    }
};
template <class T> struct along_first {
    const T* x;
    std::uint32_t rows, columns;
    __device__ T operator()(std::uint32_t number) const {
        const std::uint32_t column = number / rows;
        return x[(number - column * rows) * columns + column];
    }
};
template <class T> struct around_middle {
    const T* x;
    std::uint32_t outer, middle, inner;
    __device__ T operator()(std::uint32_t number) const {
        const std::uint32_t row = number / inner, segment = row / outer;
        return x[((row - segment * outer) * middle + segment) * inner + (number - row * inner)];
    }
};
template <class Place> auto elements_of(const Place& place) {
    return thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0), place);
}

struct begin_of {
    std::uint32_t length;
    __host__ __device__ std::uint32_t operator()(std::uint32_t segment) const { return segment * length; }
};

template <class In, class R, class Combine>
void fold_segments(In in, R* out, std::int64_t segments, std::int64_t length, Combine combine, R identity,
                   const scratch& scratch, cudaStream_t stream) {
    const auto begins = elements_of(begin_of{static_cast<std::uint32_t>(length)});
    std::size_t bytes = scratch.bytes;
    BENCH_CHECK(cub::DeviceSegmentedReduce::Reduce(scratch.memory, bytes, in, out, segments, begins, begins + 1,
                                                   combine, identity, stream));
}

template <class T, class R, class Combine>
void fold_middle(const T* x, R* out, std::int64_t outer, std::int64_t middle, std::int64_t inner, Combine combine,
                 R identity, const scratch& scratch, cudaStream_t stream) {
    const auto m = static_cast<std::uint32_t>(middle), n = static_cast<std::uint32_t>(inner);
    if (inner == 1)
        fold_segments(x, out, outer, middle, combine, identity, scratch, stream);
    else if (outer == 1)
        fold_segments(elements_of(along_first<T>{x, m, n}), out, inner, middle, combine, identity, scratch, stream);
    else
        fold_segments(elements_of(along_middle<T>{x, m, n}), out, outer * inner, middle, combine, identity, scratch,
                      stream);
}

}  // namespace

template <class T, class R>
void cub_sum(const T* x, R* out, std::int64_t n, const scratch& scratch, cudaStream_t stream) {
    using own = cuda_type_t<R>;
    std::size_t bytes = scratch.bytes;
    BENCH_CHECK(cub::DeviceReduce::Reduce(scratch.memory, bytes, reinterpret_cast<const cuda_type_t<T>*>(x),
                                          reinterpret_cast<own*>(out), count_of(n), add<own>{}, own{}, stream));
}
// Its own name for what it may know more of.
template <> void cub_sum(const float* x, float* out, std::int64_t n, const scratch& scratch, cudaStream_t stream) {
    std::size_t bytes = scratch.bytes;
    BENCH_CHECK(cub::DeviceReduce::Sum(scratch.memory, bytes, x, out, count_of(n), stream));
}
template <> void cub_sum(const double* x, double* out, std::int64_t n, const scratch& scratch, cudaStream_t stream) {
    std::size_t bytes = scratch.bytes;
    BENCH_CHECK(cub::DeviceReduce::Sum(scratch.memory, bytes, x, out, count_of(n), stream));
}
template void cub_sum(const std::int8_t*, std::int32_t*, std::int64_t, const scratch&, cudaStream_t);
template void cub_sum(const point*, point*, std::int64_t, const scratch&, cudaStream_t);

void cub_max(const float* x, float* out, std::int64_t n, const scratch& scratch, cudaStream_t stream) {
    std::size_t bytes = scratch.bytes;
    BENCH_CHECK(cub::DeviceReduce::Max(scratch.memory, bytes, x, out, count_of(n), stream));
}

void cub_any(const bool* x, bool* out, std::int64_t n, const scratch& scratch, cudaStream_t stream) {
    std::size_t bytes = scratch.bytes;
    BENCH_CHECK(cub::DeviceReduce::Reduce(scratch.memory, bytes, x, out, count_of(n), cuda::std::logical_or<bool>{},
                                          false, stream));
}

void cub_dot(const float* x, const float* y, float* out, std::int64_t n, const scratch& scratch, cudaStream_t stream) {
    std::size_t bytes = scratch.bytes;
    BENCH_CHECK(cub::DeviceReduce::TransformReduce(scratch.memory, bytes, thrust::make_zip_iterator(x, y), out,
                                                   count_of(n), cuda::std::plus<float>{}, product{}, 0.0f, stream));
}

void cub_argmax(const float* x, float* value, std::int64_t* at, std::int64_t n, const scratch& scratch,
                cudaStream_t stream) {
    std::size_t bytes = scratch.bytes;
    BENCH_CHECK(cub::DeviceReduce::ArgMax(scratch.memory, bytes, x, value, at, n, stream));
}

void cub_variance(const float* x, double* out, std::int64_t n, const scratch& scratch, cudaStream_t stream) {
    std::size_t bytes = scratch.bytes;
    BENCH_CHECK(cub::DeviceReduce::TransformReduce(scratch.memory, bytes, x,
                                                   thrust::make_transform_output_iterator(out, spread{}), count_of(n),
                                                   together{}, of_one{}, moments{0, 0, 0}, stream));
}

template <class T, class R>
void cub_sum_middle(const T* x, R* out, std::int64_t outer, std::int64_t middle, std::int64_t inner,
                    const scratch& scratch, cudaStream_t stream) {
    fold_middle(reinterpret_cast<const cuda_type_t<T>*>(x), out, outer, middle, inner, cuda::std::plus<R>{}, R{},
                scratch, stream);
}
template void cub_sum_middle(const float*, float*, std::int64_t, std::int64_t, std::int64_t, const scratch&,
                             cudaStream_t);
template void cub_sum_middle(const foldwise::bfloat16*, float*, std::int64_t, std::int64_t, std::int64_t,
                             const scratch&, cudaStream_t);
template void cub_sum_middle(const std::int8_t*, std::int32_t*, std::int64_t, std::int64_t, std::int64_t,
                             const scratch&, cudaStream_t);

void cub_max_middle(const float* x, float* out, std::int64_t outer, std::int64_t middle, std::int64_t inner,
                    const scratch& scratch, cudaStream_t stream) {
    fold_middle(x, out, outer, middle, inner, largest{}, -cuda::std::numeric_limits<float>::infinity(), scratch,
                stream);
}

void cub_sum_around(const float* x, float* out, std::int64_t outer, std::int64_t middle, std::int64_t inner,
                    const scratch& scratch, cudaStream_t stream) {
    const around_middle<float> place{x, static_cast<std::uint32_t>(outer), static_cast<std::uint32_t>(middle),
                                     static_cast<std::uint32_t>(inner)};
    fold_segments(elements_of(place), out, middle, outer * inner, cuda::std::plus<float>{}, 0.0f, scratch, stream);
}

}  // namespace bench
