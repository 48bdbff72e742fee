// foldwise/detail/blocks_code.hpp: the kernels of a `blocks` signature, and the parameters that they are launched with.
//
// A kernel has a parameter for each one of the lambda after the block, view or value, and finally the grid of blocks.
#pragma once

#include <foldwise/detail/blocks_kernel.hpp>
#include <foldwise/detail/divide.hpp>
#include <foldwise/detail/forall_code.hpp>

#include <cstdint>

namespace foldwise::detail {

#define FOLDWISE_BLOCKS_INSTANCE(name, description) +1
inline constexpr int blocks_instances = 0
#include <foldwise/detail/blocks_instances.def>
    ;
#undef FOLDWISE_BLOCKS_INSTANCE

/// The kernels of one signature of a `blocks` kernel.
struct blocks_code {
    const gpu_file* file;
    gpu_code instances[blocks_instances];  ///< Indexed by view_layout, of which there are the first two.
    const int* ranks;                      ///< The rank of each parameter: a view's number of axes, or 0 for a value.
    int parameters;
    int block_rank;
    std::int64_t extents[max_index_rank];  ///< Items of a block along each axis.
    int threads;                           ///< Threads per block.
};

/// Launches asynchronously on the stream; returns a cudaError_t.
int launch(const blocks_code& code, const blocks_call& call, CUstream_st* stream);

/// How the blocks of a launch are numbered: in row-major order.
template <int N> struct block_grid {
    divider<std::uint32_t> blocks[N];  ///< Blocks along each axis; the outermost is not used.
};

}  // namespace foldwise::detail
