// foldwise/detail/stencil_kernel.hpp: what the launcher of a stencil kernel passes to the runtime, and the runtime to
// the kernel. As in kernel.hpp, there are only plain data and function pointers here.
#pragma once

#include <foldwise/detail/kernel.hpp>

#include <cstdint>

namespace foldwise::detail {

/// How a stencil kernel takes an operand.
enum class stencil_role : std::uint8_t {
    around,  ///< An array, with what is around each element.
    whole,   ///< An array, as a whole.
    value,   ///< A value of each element, which broadcasts.
    result,  ///< An output.
};

/// An operand of one call.
struct stencil_argument {
    /// The first element, where the backend reaches it; the host address of a single value; the address of the
    /// whole_array of a whole array.
    void* data;
    bool is_value;                   ///< Whether it is one value for all elements, on the host.
    std::int64_t strides[max_axes];  ///< In elements, along the axes of the call; not set for a whole array.
};

/// How a launch computes several steps: each block those of one tile, and of as much around it as these look at.
struct stencil_tiling {
    std::int32_t
        steps;  ///< The most steps of a launch; 1 if each step has a launch of its own, and then nothing else is set.
    std::int32_t cells;    ///< Elements of an array in shared memory.
    std::int32_t tile[2];  ///< Elements of a tile along each axis that are stored in the end.
};

/// One launch of a stencil kernel. It lives on the caller's stack and is valid only during the call.
struct stencil_call {
    std::int64_t extents[max_axes];     ///< The extents of the arrays around and the outputs; none is zero.
    const stencil_argument* arguments;  ///< The inputs, then the outputs.
    std::int64_t steps = 1;             ///< How many steps to compute, or to plan for.
    /// How to compute several steps. If it has none yet, the call of `cuda` or `simulator` plans them and launches
    /// nothing. Null for a single step.
    stencil_tiling* tiling = nullptr;
};

/// One signature of a stencil kernel, as its launcher describes it to the runtime. The function of a backend that was
/// not generated is null.
struct stencil_kernel {
    const char* name;              ///< The qualified name: "image::blur".
    const operand_info* operands;  ///< The inputs, then the outputs.
    const stencil_role* roles;     ///< The role of each operand.
    int inputs;
    int outputs;
    int rank;       ///< The axes of the arrays around.
    bool is_whole;  ///< Whether every element of an output is written; otherwise those at the edges are not.
    bool wraps;     ///< Whether windows that leave the array continue at its other end.
    int rows_before, rows_behind;  ///< How far windows reach along axis 0, before an element and behind it.
    /// Computes the elements [begin, end), in row-major order, on the calling thread.
    void (*cpu)(const stencil_call&, std::int64_t begin, std::int64_t end);
    /// Launches asynchronously on the stream; returns a cudaError_t.
    int (*cuda)(const stencil_call&, CUstream_st* stream);
    /// Runs the same emitted kernel on the host; complete on return; returns a cudaError_t.
    int (*simulator)(const stencil_call&, CUstream_st* stream);
    /// Points to whether the file of `cuda` was compiled for per-thread default streams (nvcc's --default-stream
    /// per-thread).
    const bool* is_per_thread = nullptr;
};

}  // namespace foldwise::detail
