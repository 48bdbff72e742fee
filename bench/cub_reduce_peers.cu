// bench/cub_reduce_peers.cu: the functions of CUB's benchmarks of DeviceReduce, and what runs them.
#include "cub_suite_peers.cuh"
#include "timing.hpp"

#include <cub/device/device_reduce.cuh>
#include <cuda/functional>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <thrust/reduce.h>

namespace cub_suite {

namespace ops {

struct sum : cuda::std::plus<> {};
struct min : cuda::minimum<> {};
struct max {  // no function object that CUB knows
    template <class T> __device__ T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
struct sum_of_squares {};
struct square {
    template <class T> __device__ T operator()(const T& x) const { return static_cast<T>(x * x); }
};
struct argmin {};

}  // namespace ops

template <class T> constexpr T lowest() {
    using limits = cuda::std::numeric_limits<T>;
    return limits::has_infinity ? -limits::infinity() : limits::lowest();
}
template <class T> T highest() {
    using limits = cuda::std::numeric_limits<T>;
    return limits::has_infinity ? limits::infinity() : limits::max();
}

template <class Op, class Out, class In>
void fold_peer<Op, Out, In>::cub(Out* out, std::int64_t n, const scratch& scratch, cudaStream_t stream, const In* in) {
    using cub::DeviceReduce;
    using T = cuda_type<In>;
    std::size_t bytes = scratch.bytes;
    const T* const x = as_cuda(in);
    if constexpr (std::is_same_v<Op, ops::sum>)
        BENCH_CHECK(DeviceReduce::Reduce(scratch.memory, bytes, x, as_cuda(out), n, cuda::std::plus<>(), T(), stream));
    else if constexpr (std::is_same_v<Op, ops::min>)
        BENCH_CHECK(
            DeviceReduce::Reduce(scratch.memory, bytes, x, as_cuda(out), n, cuda::minimum<>(), highest<T>(), stream));
    else if constexpr (std::is_same_v<Op, ops::max>)
        BENCH_CHECK(DeviceReduce::Reduce(scratch.memory, bytes, x, as_cuda(out), n, ops::max(), lowest<T>(), stream));
    else if constexpr (std::is_same_v<Op, ops::sum_of_squares>)
        BENCH_CHECK(DeviceReduce::TransformReduce(scratch.memory, bytes, x, as_cuda(out), n, cuda::std::plus<>(),
                                                  ops::square(), T(), stream));
    else
        BENCH_CHECK(DeviceReduce::ArgMin(scratch.memory, bytes, x, &out->value, &out->at, n, stream));
}

template <class T> T sum_by_cub(const T* in, std::int64_t n, const scratch& scratch, cudaStream_t stream) {
    // The last 512 bytes of the storage take the result.
    auto* const out = reinterpret_cast<T*>(static_cast<char*>(scratch.memory) + scratch.bytes - 512);
    std::size_t bytes = scratch.bytes - 512;
    BENCH_CHECK(cub::DeviceReduce::Reduce(scratch.memory, bytes, in, out, n, cuda::std::plus<>(), T(), stream));
    T result;
    BENCH_CHECK(cudaMemcpyAsync(&result, out, sizeof(T), cudaMemcpyDeviceToHost, stream));
    BENCH_CHECK(cudaStreamSynchronize(stream));
    return result;
}

template <class T> T sum_by_thrust(const T* in, std::int64_t n, cudaStream_t stream) {
    return thrust::reduce(thrust::cuda::par.on(stream), in, in + n, T());
}

#define BENCH_SUM_AND_MIN(T)                                                                                           \
    template struct fold_peer<ops::sum, T, T>;                                                                         \
    template struct fold_peer<ops::min, T, T>;
#define BENCH_FOLDS(T)                                                                                                 \
    BENCH_SUM_AND_MIN(T)                                                                                               \
    template struct fold_peer<ops::max, T, T>;
BENCH_FOLDS(std::int8_t)
BENCH_FOLDS(std::int16_t)
BENCH_FOLDS(std::int32_t)
BENCH_FOLDS(std::int64_t)
BENCH_FOLDS(float)
BENCH_FOLDS(double)
BENCH_SUM_AND_MIN(foldwise::half)
BENCH_SUM_AND_MIN(foldwise::bfloat16)
template struct fold_peer<ops::sum_of_squares, std::int32_t, std::int32_t>;
template struct fold_peer<ops::sum_of_squares, float, float>;
template struct fold_peer<ops::sum_of_squares, double, double>;
template struct fold_peer<ops::argmin, extremum<std::int32_t>, std::int32_t>;
template struct fold_peer<ops::argmin, extremum<float>, float>;
template struct fold_peer<ops::sum, std::complex<float>, std::complex<float>>;

#define BENCH_VALUES(T)                                                                                                \
    template T sum_by_cub(const T*, std::int64_t, const scratch&, cudaStream_t);                                       \
    template T sum_by_thrust(const T*, std::int64_t, cudaStream_t);
BENCH_VALUES(std::int32_t)
BENCH_VALUES(float)
BENCH_VALUES(double)

}  // namespace cub_suite
