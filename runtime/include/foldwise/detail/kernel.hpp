// foldwise/detail/kernel.hpp: what launchers, the runtime and emitted kernels of all patterns pass to one another.
//
// There are only plain data and function pointers here: generated .cu and .cpu.cpp files include this and nothing
// heavier, so that they compile fast, and none of the user's types crosses the boundary.
#pragma once

#include <foldwise/detail/limits.hpp>

#include <cstdint>

struct CUstream_st;  // cudaStream_t is CUstream_st*; declared here so that no CUDA header is needed

namespace foldwise {

template <int N> class index;

namespace detail {

/// An array that a kernel receives as a whole, as a `view<const T, N>`.
struct whole_array {
    void* data;  ///< The element at index 0, where the backend reaches it.
    int rank;
    std::int64_t extents[max_axes];
    std::int64_t strides[max_axes];  ///< In elements.
};

/// Where a kernel finds one operand of a call.
struct operand_address {
    /// The first element, where the backend reaches it; for a scalar, the host address of its value; for a whole array,
    /// the address of its whole_array.
    void* data;
    bool is_scalar;         ///< Whether it stands for every element: one value on the host, or a whole array.
    bool is_whole = false;  ///< Whether it is a whole array.

    bool is_value() const { return is_scalar && !is_whole; }
};

/// Where the elements of a call are if not all of its operands are contiguous. The axes are the runtime's, not the
/// caller's: those that could be merged have been, and their order follows the outputs' strides.
struct element_layout {
    int rank;                                 ///< The number of axes, 1 to max_axes.
    std::int64_t extents[max_axes];           ///< Elements along each axis, outermost axis first.
    const std::int64_t (*strides)[max_axes];  ///< Each operand's strides, in elements; zeros for a scalar.
};

/// The elements that one launch works on, and where they are. All of it lives on the caller's stack and is valid only
/// during the call.
struct element_range {
    std::int64_t count;               ///< How many elements there are.
    const operand_address* operands;  ///< The inputs, then the outputs, in the order of the kernel's signature.
    const element_layout* layout;     ///< Null if every array is contiguous; otherwise `count` is less than 2^31.
    std::int64_t first;               ///< The first element's position, for kernels that take an index.
    const std::int64_t* shape;        ///< The caller's extents, for kernels that take an index of several axes.
};

/// What is known of an operand before any call.
struct operand_info {
    const char* name;         ///< The name in the user's lambda; outputs are `out`, or `out0`, `out1`, ...
    std::uint32_t size;       ///< Bytes per element.
    std::uint32_t alignment;  ///< Bytes.
};

/// The operands of a kernel, whatever its pattern: all that checking, broadcasting and splitting a call need to know.
struct kernel_operands {
    const char* name;              ///< The kernel's qualified name, for messages.
    const operand_info* operands;  ///< The inputs, then the outputs.
    int inputs;                    ///< The number of inputs.
    int outputs;                   ///< The number of outputs.
    int index_rank;                ///< The number of axes of the index that the kernel takes; 0 if it takes none.

    int count() const { return inputs + outputs; }
};

}  // namespace detail
}  // namespace foldwise
