// bench/elementwise_peers.cuh: one function over contiguous arrays by CUB, by Thrust, and by hand: what kernels of
// Foldwise are compared with. `f` takes an element of each input and returns the output's, or a tuple of the outputs'.
// All three are asynchronous on the stream.
#pragma once

#include <cub/device/device_transform.cuh>
#include <cuda/std/tuple>
#include <thrust/execution_policy.h>
#include <thrust/generate.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform.h>
#include <thrust/zip_function.h>

#include <cstdint>
#include <utility>

namespace bench {

/// The arrays of a call, which have n elements each.
template <class... T> using pointers = cuda::std::tuple<T*...>;

/// The iterator that results are written through: of one output its pointer, of two a zip iterator, which takes tuples.
template <class Out> Out* as_one(pointers<Out> out) { return cuda::std::get<0>(out); }
template <class A, class B> auto as_one(pointers<A, B> out) { return thrust::make_zip_iterator(out); }

template <class F, class... In, class... Out>
void by_cub(F f, pointers<const In...> in, pointers<Out...> out, std::int64_t n, cudaStream_t stream) {
    cub::DeviceTransform::Transform(in, as_one(out), n, f, stream);
}

template <class F, class... In, class... Out>
void by_thrust(F f, pointers<const In...> in, pointers<Out...> out, std::int64_t n, cudaStream_t stream) {
    const auto policy = thrust::cuda::par_nosync.on(stream);
    if constexpr (sizeof...(In) == 0) {
        thrust::generate(policy, as_one(out), as_one(out) + n, f);
    } else if constexpr (sizeof...(In) == 1) {
        const auto x = cuda::std::get<0>(in);
        thrust::transform(policy, x, x + n, as_one(out), f);
    } else if constexpr (sizeof...(In) == 2) {
        const auto x = cuda::std::get<0>(in);
        thrust::transform(policy, x, x + n, cuda::std::get<1>(in), as_one(out), f);
    } else {
        const auto all = thrust::make_zip_iterator(in);
        thrust::transform(policy, all, all + n, as_one(out), thrust::make_zip_function(f));
    }
}

/// Threads per block.
constexpr int threads_by_hand = 256;

/// As many elements as a thread of a GPU loads or stores with one instruction at most: 16 bytes.
template <class T> struct alignas(16) vector_of {
    static constexpr int size = 16 / sizeof(T);
    T elements[size];
};

/// Computes the k-th element of each output's vector from the k-th ones of the inputs' vectors.
template <class F, class T, std::size_t... In, std::size_t... Out>
__device__ void apply_by_hand(F f, const vector_of<T>* x, vector_of<T>* y, int k, std::index_sequence<In...>,
                              std::index_sequence<Out...>) {
    const auto result = f(x[In].elements[k]...);
    if constexpr (sizeof...(Out) == 1)
        y[0].elements[k] = result;
    else
        ((y[Out].elements[k] = cuda::std::get<Out>(result)), ...);
}

/// Computes the elements of one thread, a vector of each array; the last thread that has any computes what is left, one
/// by one. The arrays begin at multiples of 16 bytes.
template <class F, class T, std::size_t... In, std::size_t... Out, class Inputs, class Outputs>
__device__ void body_by_hand(F f, Inputs in, Outputs out, std::int64_t n, std::index_sequence<In...> inputs,
                             std::index_sequence<Out...> outputs) {
    using vector = vector_of<T>;
    const std::int64_t first = (std::int64_t{blockIdx.x} * threads_by_hand + threadIdx.x) * vector::size;
    vector x[sizeof...(In)], y[sizeof...(Out)];
    if (first + vector::size <= n) {
        ((x[In] = *reinterpret_cast<const vector*>(cuda::std::get<In>(in) + first)), ...);
#pragma unroll
        for (int k = 0; k < vector::size; ++k) apply_by_hand<F, T>(f, x, y, k, inputs, outputs);
        ((*reinterpret_cast<vector*>(cuda::std::get<Out>(out) + first) = y[Out]), ...);
    } else {
        for (std::int64_t i = first; i < n; ++i) {
            ((x[In].elements[0] = cuda::std::get<In>(in)[i]), ...);
            apply_by_hand<F, T>(f, x, y, 0, inputs, outputs);
            ((cuda::std::get<Out>(out)[i] = y[Out].elements[0]), ...);
        }
    }
}

template <class F, class T, class Inputs, class Outputs>
__global__ void __launch_bounds__(threads_by_hand) kernel_by_hand(F f, Inputs in, Outputs out, std::int64_t n) {
    body_by_hand<F, T>(f, in, out, n, std::make_index_sequence<cuda::std::tuple_size_v<Inputs>>(),
                       std::make_index_sequence<cuda::std::tuple_size_v<Outputs>>());
}

/// Launches such a kernel for operands that are all of type T, of which one at least is an input. Their arrays begin at
/// multiples of 16 bytes and are not empty.
template <class F, class T, class... In, class... Out>
void by_hand(F f, pointers<const T, const In...> in, pointers<T, Out...> out, std::int64_t n, cudaStream_t stream) {
    constexpr std::int64_t in_block = threads_by_hand * vector_of<T>::size;
    const auto blocks = static_cast<unsigned int>((n + in_block - 1) / in_block);
    kernel_by_hand<F, T><<<blocks, threads_by_hand, 0, stream>>>(f, in, out, n);
}

}  // namespace bench
