// bench/babelstream_peers.hpp: BabelStream's kernels by other means. Device pointers; complete on return, with the
// result of dot, or 0.
#pragma once

#include "babelstream_rules.hpp"

#include <cuda_runtime_api.h>

namespace babelstream {

/// As BabelStream's own implementation in CUDA does it: loops in strides of the grid, four elements a thread; for dot
/// four blocks of 1024 threads on a multiprocessor, whose parts the host adds.
template <class T> T run_by_hand(step what, const arrays<T>& on, cudaStream_t stream);

template <class T> T run_cub(step what, const arrays<T>& on, cudaStream_t stream);
template <class T> T run_thrust(step what, const arrays<T>& on, cudaStream_t stream);

}  // namespace babelstream
