// foldwise/detail/stencil_code.hpp: the kernels of a stencil signature, and the parameters that they are launched with.
//
// A kernel has a parameter for each operand, and finally the grid of tiles.
#pragma once

#include <foldwise/detail/divide.hpp>
#include <foldwise/detail/gpu_code.hpp>
#include <foldwise/detail/host_device.hpp>
#include <foldwise/detail/stencil_kernel.hpp>

#include <cstdint>

namespace foldwise::detail {

/// How the elements of a launch lie in memory; or `tiles`: any strides, several steps in one launch. A kernel is
/// compiled once for each.
enum class stencil_layout : std::uint8_t {
#define FOLDWISE_STENCIL_INSTANCE(name, description) name,
#include <foldwise/detail/stencil_instances.def>
#undef FOLDWISE_STENCIL_INSTANCE
};

#define FOLDWISE_STENCIL_INSTANCE(name, description) +1
inline constexpr int stencil_layouts = 0
#include <foldwise/detail/stencil_instances.def>
    ;
#undef FOLDWISE_STENCIL_INSTANCE

/// The axis along which a thread's elements follow each other: the first of the last three.
constexpr int marched_axis(int rank) { return rank > 3 ? rank - 3 : 0; }

/// Where the elements of an array around, of values or of results are: the first part of its parameter. Behind it is
/// the value, for values that are one.
template <int N> struct stencil_place {
    void* data;  ///< Null for a single value.
    std::int64_t strides[N];
};

/// The tiles of a launch, one for each block. A block's threads are as many beside one another as `columns_log2` says,
/// along the last axis, and as `rows_log2` says, along the axis before the last, and the others along the one before
/// that. Of two axes, all others are along the first.
template <int N> struct stencil_grid {
    std::int64_t extents[N];
    divider<std::uint32_t> tiles[N];  ///< Tiles along each axis; the first is not divided by.
    int columns_log2;
    int rows_log2;  ///< Of three axes and more.
};

/// The threads of a block that computes several steps, and the elements of a row in shared memory if there are rows.
inline constexpr int stencil_tile_threads = 512, stencil_tile_row = 128;

/// The tiles of a launch that computes several steps, one for each block.
template <int N> struct stencil_tiles {
    stencil_grid<N> grid;  ///< The extents, and how many tiles there are along each axis.
    std::int32_t tile[N];  ///< Elements of a tile along each axis.
    std::int32_t cells;    ///< Elements of an array in shared memory, which has two such arrays for each output.
    std::int32_t steps;
};

/// Where an array is that is stepped, or an output: the first part of the parameter of a kernel for several steps.
template <int N> struct stencil_stepped_place {
    stencil_place<N> place;
    std::uint32_t shared_bytes;  ///< Where its two arrays begin in shared memory.
};

/// The kernels of one signature.
struct stencil_code {
    const gpu_file* file;
    gpu_code instances[stencil_layouts];  ///< Indexed by stencil_layout.
    const operand_type* types;            ///< The type of each operand's elements.
    const stencil_role* roles;
    int operands;
    int rank;
    int threads;                ///< Threads per block.
    int width;                  ///< Elements of a vector.
    int vectors;                ///< Vectors per thread, along the marched axis.
    int per_thread;             ///< Elements per thread where there are no vectors, along the same axis.
    const std::int64_t* reach;  ///< How far the lambda looks before and behind an element, along each axis.
    int reads;                  ///< The elements around each element that the lambda reads.
};

/// Launches asynchronously on the stream, or plans several steps; returns a cudaError_t.
int launch(const stencil_code& code, const stencil_call& call, CUstream_st* stream);

}  // namespace foldwise::detail
