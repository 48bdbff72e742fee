// foldwise/detail/kernel.hpp: what a generated launcher hands to the runtime, and the runtime to a generated kernel.
//
// Plain data and pointers to functions only: the generated .cu and .cpu.cpp files include this and nothing heavier, so
// that they compile fast, and no type of the user's crosses the boundary.
#pragma once

#include <foldwise/detail/limits.hpp>

#include <cstdint>

struct CUstream_st;  // what a cudaStream_t points to; declared here so that no CUDA header is needed

namespace foldwise {

template <int N> class index;

namespace detail {

/// Where a kernel finds one operand of an elementwise call.
struct elementwise_operand {
    void* data;      ///< The first element, where the backend reaches it; for a scalar, the host address of its value.
    bool is_scalar;  ///< One host value that stands for every element.
};

/// Where the elements of a call lie whose operands are not all contiguous. The axes are the runtime's, not the
/// caller's: those that could be merged are, and their order follows the outputs' strides.
struct elementwise_layout {
    int rank;                                 ///< 1 to max_axes.
    std::int64_t extents[max_axes];           ///< Outermost axis first.
    const std::int64_t (*strides)[max_axes];  ///< Of each operand, in elements; zeros for a scalar.
};

/// One elementwise launch over `count` elements. `operands` holds the inputs, then the outputs, in the order of the
/// kernel's signature. All of it lives on the caller's stack and is only valid during the call.
struct elementwise_call {
    std::int64_t count;
    const elementwise_operand* operands;
    const elementwise_layout* layout;  ///< Null: every array is contiguous. Else there are fewer than 2^31 elements.
    std::int64_t first;                ///< The first element's position, for kernels that take an index.
    const std::int64_t* shape;         ///< The caller's extents, for kernels that take an index of several axes.
};

/// Where a run of elements begins, for kernels that take an index.
struct elementwise_position {
    std::int64_t coordinates[max_axes];  ///< For an index of one axis the position in row-major order.

    /// The index of the i-th element; the run does not leave its row.
    template <int N> index<N> at(std::int64_t i) const {
        index<N> result;
        for (int axis = 0; axis < N; ++axis) result[axis] = coordinates[axis];
        result[N - 1] += i;
        return result;
    }
};

/// What is known of an operand before any call.
struct operand_info {
    const char* name;         ///< As in the user's lambda; outputs are `out`, or `out0`, `out1`, ...
    std::uint32_t size;       ///< Bytes per element.
    std::uint32_t alignment;  ///< Bytes.
};

/// One signature of a vectorize kernel, as its launcher describes it to the runtime. A backend that was not generated
/// is null.
struct elementwise_kernel {
    const char* name;              ///< Qualified: "stats::rel_diff".
    const operand_info* operands;  ///< Inputs, then outputs.
    int inputs;
    int outputs;
    /// Computes `count` consecutive elements on the calling thread. Every pointer is a contiguous run; the runtime
    /// splits the work into such runs. Null for a kernel that takes an index.
    void (*cpu)(void* const* operands, std::int64_t count);
    /// Launches asynchronously on the stream; returns a cudaError_t.
    int (*cuda)(const elementwise_call&, CUstream_st* stream);
    /// Runs the same emitted kernels on the host; complete on return; returns a cudaError_t.
    int (*simulator)(const elementwise_call&, CUstream_st* stream);
    int index_rank = 0;  ///< Of the index that the kernel takes, up to max_index_rank; 0 if it takes none.
    /// As `cpu`, of a kernel that takes an index.
    void (*cpu_at)(void* const* operands, std::int64_t count, const elementwise_position& position) = nullptr;
    /// Whether the file of `cuda` was compiled for threads' own default streams (nvcc's --default-stream per-thread).
    const bool* is_per_thread = nullptr;
};

}  // namespace detail
}  // namespace foldwise
