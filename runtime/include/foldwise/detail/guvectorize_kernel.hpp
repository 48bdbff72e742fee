// foldwise/detail/guvectorize_kernel.hpp: what the launcher of a guvectorize kernel passes to the runtime, and the
// runtime to the kernel. As in kernel.hpp, there are only plain data and function pointers here.
#pragma once

#include <foldwise/detail/kernel.hpp>

#include <cstdint>

namespace foldwise::detail {

/// A core dimension of a kernel's layout.
struct core_dimension {
    const char* name;   ///< The name, or the number as text.
    std::int64_t size;  ///< The extent if the layout says it, otherwise 0.
};

/// The core dimensions of one operand.
struct core_axes {
    const char* text;       ///< As the layout has them: "(m,n)".
    int count;              ///< 0 for a single value of each item.
    const int* dimensions;  ///< The number of the dimension that each axis has. Null if there are none.
    bool is_overwritten;    ///< Whether an item's function certainly assigns all elements before it reads one.
};

/// An operand of one call.
struct core_argument {
    void* data;     ///< The first element of the first item, where the backend reaches it; or the value's host address.
    bool is_value;  ///< Whether it is one value for all items, on the host.
    std::int64_t extents[max_axes];       ///< The extents of an item.
    std::int64_t strides[max_axes];       ///< The strides within an item, in elements.
    std::int64_t item_strides[max_axes];  ///< The strides from one item to another, along the axes of the call.
};

/// One launch of a guvectorize kernel. It lives on the caller's stack and is valid only during the call.
struct guvectorize_call {
    std::int64_t count;              ///< The number of items, at least one.
    int axes;                        ///< The axes along which items lie, outermost first; there may be none.
    std::int64_t extents[max_axes];  ///< The items along each of them.
    std::int64_t first = 0;          ///< The number of the first item in the whole call, in row-major order.
    const core_argument* arguments;  ///< The inputs, then the outputs.
};

/// One signature of a guvectorize kernel, as its launcher describes it to the runtime. The function of a backend that
/// was not generated is null.
struct guvectorize_kernel {
    const char* name;              ///< The qualified name: "linear::matmul".
    const operand_info* operands;  ///< The inputs, then the outputs.
    const core_axes* cores;        ///< The core dimensions of each operand.
    int inputs;
    int outputs;
    const core_dimension* dimensions;  ///< Null if there are none.
    int dimension_count;
    /// Computes the items [begin, end), in row-major order, on the calling thread.
    void (*cpu)(const guvectorize_call&, std::int64_t begin, std::int64_t end);
    /// Launches asynchronously on the stream; returns a cudaError_t.
    int (*cuda)(const guvectorize_call&, CUstream_st* stream);
    /// Runs the same emitted kernel on the host; complete on return; returns a cudaError_t.
    int (*simulator)(const guvectorize_call&, CUstream_st* stream);
    /// Points to whether the file of `cuda` was compiled for per-thread default streams (nvcc's --default-stream
    /// per-thread).
    const bool* is_per_thread = nullptr;
};

}  // namespace foldwise::detail
