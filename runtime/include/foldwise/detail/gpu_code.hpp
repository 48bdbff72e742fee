// foldwise/detail/gpu_code.hpp: how the runtime launches kernels whose types it does not know.
//
// Emitted files hold kernels and tables of them. Everything that does not depend on the user's types, such as which
// kernel suits a call and what its parameters are, is compiled once, in the runtime. As in kernel.hpp: plain data and
// pointers to functions only.
#pragma once

#include <cstddef>

struct CUstream_st;

namespace foldwise::detail {

/// A kernel: of CUDA its handle on the host, of the simulator a function that takes the addresses of its arguments.
/// Null: there is none.
using gpu_code = void (*)();

/// One launch of a kernel.
struct gpu_launch {
    gpu_code kernel;
    unsigned int blocks[3];
    unsigned int threads;       ///< Of a block.
    unsigned int shared_bytes;  ///< Dynamic shared memory of a block.
    bool has_barriers;          ///< Threads of a block or warp wait for one another. Only the simulator asks.
    CUstream_st* stream;
    void** arguments;  ///< The addresses of the kernel's arguments, in the order of its parameters.
};

/// What all kernels of an emitted file have in common.
struct gpu_file {
    /// Launches asynchronously (the simulator: runs to the end); returns a cudaError_t.
    int (*launch)(const gpu_launch&);
    /// The current GPU's number; returns a cudaError_t.
    int (*current_gpu)(int* gpu);
    /// How many blocks of so many threads the current GPU runs at once on one multiprocessor, and its multiprocessors;
    /// returns a cudaError_t.
    int (*occupancy)(gpu_code kernel, int threads, int* blocks, int* multiprocessors);
    bool is_reproducible;  ///< Compiled with REPRODUCIBLE: results do not depend on the GPU or on alignment.
};

/// What is known of an operand's type.
struct operand_type {
    unsigned int size, alignment;  ///< Bytes.
};

}  // namespace foldwise::detail
