// foldwise/detail/gpu_code.hpp: how the runtime launches kernels whose types it does not know.
//
// Emitted files hold kernels and tables of them. Everything that does not depend on the user's types, such as which
// kernel suits a call and what its parameters are, is compiled once, in the runtime. As in kernel.hpp, there are only
// plain data and function pointers here.
#pragma once

#include <cstddef>

struct CUstream_st;

namespace foldwise::detail {

/// A kernel: for CUDA its host handle, for the simulator a function that takes the addresses of its arguments. Null if
/// there is none.
using gpu_code = void (*)();

/// One launch of a kernel.
struct gpu_launch {
    gpu_code kernel;
    unsigned int blocks[3];
    unsigned int threads;       ///< Threads per block.
    unsigned int shared_bytes;  ///< Dynamic shared memory per block, in bytes.
    bool has_barriers;          ///< Whether threads wait for one another; only the simulator uses this.
    CUstream_st* stream;
    void** arguments;  ///< The addresses of the kernel's arguments, in the order of its parameters.
};

/// What gpu_file::few_tiles is: about as many as large GPUs have multiprocessors; and in the simulator, so few that
/// small calls use all instances of a kernel.
inline constexpr int few_tiles_on_gpus = 128, few_tiles_in_simulator = 4;

/// What all kernels of an emitted file have in common.
struct gpu_file {
    /// Launches asynchronously (the simulator runs to completion); returns a cudaError_t.
    int (*launch)(const gpu_launch&);
    /// Writes the current GPU's number; returns a cudaError_t.
    int (*current_gpu)(int* gpu);
    /// Writes how many blocks of `threads` threads one multiprocessor of the current GPU runs at once, and how many
    /// multiprocessors it has; returns a cudaError_t.
    int (*occupancy)(gpu_code kernel, int threads, int* blocks, int* multiprocessors);
    /// Whether the file was compiled with REPRODUCIBLE: results then depend neither on the GPU nor on alignment.
    bool is_reproducible;
    bool is_checked = false;  ///< Whether the file's kernels report mistakes, and where they happened.
    /// So few elements of a `vectorize` call have a thread each, whatever their layout.
    int few_elements = 0;
    /// So many threads run at once on large GPUs: as many elements of a `vectorize` call have a thread each if they
    /// have strides or take long.
    int threads_at_once = 0;
    /// A scan of no more tiles than this has smaller ones, so that there are more of them; contiguous ones of more are
    /// pipelined, unless rows are short. Scans along columns have strips if there are three quarters of
    /// this many or more.
    int few_tiles = 0;
    /// Writes the most dynamic shared memory that a block may have on the current GPU, in bytes; returns a cudaError_t.
    int (*shared_memory)(int* most_bytes) = nullptr;
};

/// The size and alignment of an operand's element type, in bytes.
struct operand_type {
    unsigned int size, alignment;
};

}  // namespace foldwise::detail
