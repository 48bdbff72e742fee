// bench/babelstream_peers.cu
#include "babelstream_peers.hpp"

#include "elementwise_peers.cuh"
#include "timing.hpp"

#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>
#include <thrust/inner_product.h>

namespace babelstream {

namespace {

using bench::pointers;

struct identity {
    template <class T> __device__ T operator()(T a) const { return a; }
};
struct times_scalar {
    template <class T> __device__ T operator()(T c) const { return scalar<T> * c; }
};
struct sum_with_scaled {
    template <class T> __device__ T operator()(T b, T c) const { return b + scalar<T> * c; }
    template <class T> __device__ T operator()(T a, T b, T c) const { return a + (b + scalar<T> * c); }
};

/// run(f, inputs, output) for all steps but dot.
template <class T, class Run> void choose(step what, const arrays<T>& on, Run run) {
    using one = pointers<const T>;
    using two = pointers<const T, const T>;
    using three = pointers<const T, const T, const T>;
    switch (what) {
    case step::copy:
        return run(identity(), one(on.a), pointers<T>(on.c));
    case step::mul:
        return run(times_scalar(), one(on.c), pointers<T>(on.b));
    case step::add:
        return run(cuda::std::plus<T>(), two(on.a, on.b), pointers<T>(on.c));
    case step::triad:
        return run(sum_with_scaled(), two(on.b, on.c), pointers<T>(on.a));
    case step::nstream:
        return run(sum_with_scaled(), three(on.a, on.b, on.c), pointers<T>(on.a));
    case step::dot:
        return;
    }
}

constexpr int threads = 256, threads_of_dot = 1024, in_thread = 4;

template <class F, class In, class T> __global__ void for_each(F f, In in, T* out, std::int64_t n) {
    const std::int64_t stride = std::int64_t{gridDim.x} * threads;
#pragma unroll in_thread
    for (std::int64_t i = std::int64_t{blockIdx.x} * threads + threadIdx.x; i < n; i += stride)
        out[i] = cuda::std::apply([=](auto... from) { return f(from[i]...); }, in);
}

template <class T> __global__ void part_of_dot(const T* a, const T* b, T* parts, std::int64_t n) {
    __shared__ T shared[threads_of_dot];
    const auto me = static_cast<int>(threadIdx.x);
    T sum = 0;
    for (std::int64_t i = std::int64_t{blockIdx.x} * threads_of_dot + me; i < n;
         i += std::int64_t{gridDim.x} * threads_of_dot)
        sum += a[i] * b[i];
    shared[me] = sum;
    for (int others = threads_of_dot / 2; others > 0; others /= 2) {
        __syncthreads();
        if (me < others) shared[me] += shared[me + others];
    }
    if (me == 0) parts[blockIdx.x] = shared[0];
}

/// Memory of the host's that the device writes to.
template <class T> T* results_on_host() {
    static T* const memory = [] {
        void* data;
        BENCH_CHECK(cudaHostAlloc(&data, 4096 * sizeof(T), cudaHostAllocDefault));
        return static_cast<T*>(data);
    }();
    return memory;
}

template <class T> T dot_by_hand(const arrays<T>& on, cudaStream_t stream) {
    static const int blocks = [] {
        int multiprocessors;
        BENCH_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
        return 4 * multiprocessors;
    }();
    T* const parts = results_on_host<T>();
    part_of_dot<<<static_cast<unsigned int>(blocks), threads_of_dot, 0, stream>>>(on.a, on.b, parts, on.n);
    BENCH_CHECK(cudaStreamSynchronize(stream));
    T sum = 0;
    for (int i = 0; i < blocks; ++i) sum += parts[i];
    return sum;
}

template <class T> T dot_by_cub(const arrays<T>& on, cudaStream_t stream) {
    static void* scratch = nullptr;
    static std::size_t bytes = 0;
    T* const result = results_on_host<T>();
    const auto reduce = [&] {
        BENCH_CHECK(cub::DeviceReduce::TransformReduce(
            scratch, bytes, thrust::make_zip_iterator(cuda::std::make_tuple(on.a, on.b)), result, on.n,
            cuda::std::plus<T>(), thrust::make_zip_function(cuda::std::multiplies<T>()), T(0), stream));
    };
    if (!scratch) {
        reduce();  // says how much it needs
        BENCH_CHECK(cudaMalloc(&scratch, bytes));
    }
    reduce();
    BENCH_CHECK(cudaStreamSynchronize(stream));
    return *result;
}

}  // namespace

template <class T> T run_by_hand(step what, const arrays<T>& on, cudaStream_t stream) {
    if (what == step::dot) return dot_by_hand(on, stream);
    choose(what, on, [&](auto f, auto in, auto out) {
        const auto blocks = static_cast<unsigned int>((on.n / in_thread + threads - 1) / threads);
        for_each<<<blocks, threads, 0, stream>>>(f, in, cuda::std::get<0>(out), on.n);
    });
    BENCH_CHECK(cudaStreamSynchronize(stream));
    return 0;
}

template <class T> T run_cub(step what, const arrays<T>& on, cudaStream_t stream) {
    if (what == step::dot) return dot_by_cub(on, stream);
    choose(what, on, [&](auto f, auto in, auto out) { bench::by_cub(f, in, out, on.n, stream); });
    BENCH_CHECK(cudaStreamSynchronize(stream));
    return 0;
}

template <class T> T run_thrust(step what, const arrays<T>& on, cudaStream_t stream) {
    if (what == step::dot) return thrust::inner_product(thrust::cuda::par.on(stream), on.a, on.a + on.n, on.b, T(0));
    choose(what, on, [&](auto f, auto in, auto out) { bench::by_thrust(f, in, out, on.n, stream); });
    BENCH_CHECK(cudaStreamSynchronize(stream));
    return 0;
}

template float run_by_hand(step, const arrays<float>&, cudaStream_t);
template double run_by_hand(step, const arrays<double>&, cudaStream_t);
template float run_cub(step, const arrays<float>&, cudaStream_t);
template double run_cub(step, const arrays<double>&, cudaStream_t);
template float run_thrust(step, const arrays<float>&, cudaStream_t);
template double run_thrust(step, const arrays<double>&, cudaStream_t);

}  // namespace babelstream
