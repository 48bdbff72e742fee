// bench/cub_suite_peers.cuh: what the files with CUB's side share.
#pragma once

#include "cub_suite_peers.hpp"
#include "elementwise_peers.cuh"

#include <cuda/std/complex>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace cub_suite {

/// What a CUDA program calls a type; of the same bytes.
template <class T> struct cuda_type_of { using type = T; };
template <> struct cuda_type_of<foldwise::half> { using type = __half; };
template <> struct cuda_type_of<foldwise::bfloat16> { using type = __nv_bfloat16; };
template <> struct cuda_type_of<std::complex<float>> { using type = cuda::std::complex<float>; };
template <class T> using cuda_type = typename cuda_type_of<T>::type;

template <class T> cuda_type<T>* as_cuda(T* data) { return reinterpret_cast<cuda_type<T>*>(data); }
template <class T> const cuda_type<T>* as_cuda(const T* data) { return reinterpret_cast<const cuda_type<T>*>(data); }

template <class Op, class Out, class... In>
void peers<Op, Out, In...>::cub(Out* out, std::int64_t n, cudaStream_t stream, const In*... in) {
    bench::by_cub(Op(), bench::pointers<const cuda_type<In>...>(as_cuda(in)...),
                  bench::pointers<cuda_type<Out>>(as_cuda(out)), n, stream);
}

template <class Op, class Out, class... In>
void peers<Op, Out, In...>::thrust(Out* out, std::int64_t n, cudaStream_t stream, const In*... in) {
    bench::by_thrust(Op(), bench::pointers<const cuda_type<In>...>(as_cuda(in)...),
                     bench::pointers<cuda_type<Out>>(as_cuda(out)), n, stream);
}

}  // namespace cub_suite
