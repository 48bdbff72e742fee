// foldwise/detail/kernel.hpp: what a generated launcher hands to the runtime, and the runtime to a generated kernel.
//
// Plain data and pointers to functions only: the generated .cu and .cpu.cpp files include this and nothing heavier, so
// that they compile fast, and no type of the user's crosses the boundary.
#pragma once

#include <cstdint>

struct CUstream_st;  // what a cudaStream_t points to; declared here so that no CUDA header is needed

namespace foldwise::detail {

/// Where a kernel finds one operand of an elementwise call.
struct elementwise_operand {
    void* data;      ///< The first element, in memory that the backend reaches; for a scalar, the host address of its value.
    bool is_scalar;  ///< One host value that stands for every element.
};

/// One elementwise launch over contiguous arrays of `count` elements. `operands` holds the inputs, then the outputs, in
/// the order of the kernel's signature. All of it lives on the caller's stack and is only valid during the call.
struct elementwise_call {
    std::int64_t count;
    const elementwise_operand* operands;
};

/// What is known of an operand before any call.
struct operand_info {
    const char* name;          ///< As in the user's lambda; outputs are `out`, or `out0`, `out1`, ...
    std::uint32_t size;        ///< Bytes per element.
    std::uint32_t alignment;   ///< Bytes.
};

/// One signature of a vectorize kernel, as its launcher describes it to the runtime. A backend that was not generated is
/// null.
struct elementwise_kernel {
    const char* name;  ///< Qualified: "stats::rel_diff".
    const operand_info* operands;  ///< Inputs, then outputs.
    int inputs;
    int outputs;
    /// Computes `count` consecutive elements on the calling thread. Every pointer is a contiguous run; the runtime splits
    /// the work into such runs, one per thread.
    void (*cpu)(void* const* operands, std::int64_t count);
    /// Launches asynchronously on the stream; returns a cudaError_t.
    int (*cuda)(const elementwise_call&, CUstream_st* stream);
    /// Runs the same emitted kernels on the host; complete on return; returns a cudaError_t.
    int (*simulator)(const elementwise_call&, CUstream_st* stream);
};

}  // namespace foldwise::detail
