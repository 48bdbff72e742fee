// bench/cub_suite_peers.hpp: CUB's benchmarks themselves, by CUB and by Thrust. Device pointers; asynchronous on the
// stream.
#pragma once

#include "cub_suite_types.hpp"
#include "scratch.hpp"

#include <foldwise/bfloat16.hpp>
#include <foldwise/half.hpp>

#include <cuda_runtime_api.h>

#include <complex>
#include <cstddef>
#include <cstdint>

namespace cub_suite {

/// What is computed; the functions are in the files with the peers.
namespace ops {
struct mul;
struct add;
struct triad;
struct nstream;
template <class T> struct fill;
struct compare_complex;
struct grayscale;
struct fibonacci;
template <int N> struct heavy;

struct relu;
struct sigmoid;
struct tanh;
struct gelu;
struct sin;
struct exp;
struct math_add;
struct math_sub;
struct math_mul;
struct math_div;
struct le;
struct ge;
struct fmin;
struct fmax;

struct sum;
struct min;
struct max;
struct sum_of_squares;
struct argmin;
}  // namespace ops

template <class Op, class Out, class... In> struct peers {
    static void cub(Out* out, std::int64_t n, cudaStream_t stream, const In*... in);
    static void thrust(Out* out, std::int64_t n, cudaStream_t stream, const In*... in);
};

using bench::scratch;

template <class Op, class Out, class In> struct fold_peer {
    static void cub(Out* out, std::int64_t n, const scratch& scratch, cudaStream_t stream, const In* in);
};

/// Complete on return, with the value.
template <class T> T sum_by_cub(const T* in, std::int64_t n, const scratch& scratch, cudaStream_t stream);
template <class T> T sum_by_thrust(const T* in, std::int64_t n, cudaStream_t stream);

}  // namespace cub_suite
