// foldwise/detail/forall_kernel.hpp: what the launcher of a forall kernel hands to the runtime, and the runtime to the
// kernel. As in kernel.hpp: plain data and pointers to functions only.
#pragma once

#include <foldwise/detail/kernel.hpp>

#include <cstdint>

namespace foldwise::detail {

/// What a task is given beside its index: a view, or a value.
struct forall_argument {
    void* data;  ///< A view's element at index 0, where the backend reaches it; of a value its address on the host.
    std::int64_t extents[max_axes];  ///< Of a view,
    std::int64_t strides[max_axes];  ///< in elements.
};

/// One launch. It lives on the caller's stack and is only valid during the call.
struct forall_call {
    const std::int64_t* tasks;  ///< Where they end along each axis, outermost first; they begin at 0,
    std::int64_t first;         ///< but along the outermost one here, if the call goes in chunks.
    std::int64_t count;         ///< How many there are: at least one.
    const forall_argument* arguments;
    /// Every view has unit stride along its last axis and reaches fewer than 2^31 elements far, and so many tasks there
    /// are along each axis.
    bool is_plain;
};

template <class T> const T& value_of(const forall_call& call, int argument) {
    return *static_cast<const T*>(call.arguments[argument].data);
}

/// What is known of an argument before any call.
struct forall_parameter {
    const char* name;         ///< As in the user's lambda.
    std::uint32_t size;       ///< Bytes, of an element or of the value.
    std::uint32_t alignment;  ///< Bytes.
    int rank;                 ///< A view's number of axes; 0 for a value.
    bool reads, writes;       ///< What tasks do with a view's elements.
    /// If each task certainly writes the one element whose coordinates are its own, the index's axis for each axis of
    /// the view; else null.
    const int* follows = nullptr;
    bool own_rows = false;  ///< Whether tasks touch only elements whose first coordinate is their index's.
};

/// One signature of a forall kernel, as its launcher describes it to the runtime. A backend that was not generated is
/// null.
struct forall_kernel {
    const char* name;  ///< Qualified: "stats::histogram".
    const forall_parameter* parameters;
    int parameter_count;  ///< Up to max_operands.
    int index_rank;       ///< 1 to max_index_rank.
    /// Runs the tasks [begin, end) of their row-major order on the calling thread.
    void (*cpu)(const forall_call&, std::int64_t begin, std::int64_t end);
    /// Launches asynchronously on the stream; returns a cudaError_t.
    int (*cuda)(const forall_call&, CUstream_st* stream);
    /// Runs the same emitted kernel on the host; complete on return; returns a cudaError_t.
    int (*simulator)(const forall_call&, CUstream_st* stream);
    /// Whether the file of `cuda` was compiled for threads' own default streams (nvcc's --default-stream per-thread).
    const bool* is_per_thread = nullptr;
};

}  // namespace foldwise::detail
