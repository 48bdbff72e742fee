// foldwise/detail/guvectorize_code.hpp: the kernels of a guvectorize signature, and the parameters that they are
// launched with.
//
// A kernel has a parameter for each operand, and finally the items.
#pragma once

#include <foldwise/detail/divide.hpp>
#include <foldwise/detail/gpu_code.hpp>
#include <foldwise/detail/guvectorize_kernel.hpp>
#include <foldwise/detail/host_device.hpp>

#include <cstddef>
#include <cstdint>

namespace foldwise::detail {

/// Where the items of a launch are. A kernel is compiled once for each.
enum class item_layout : std::uint8_t {
#define FOLDWISE_GUVECTORIZE_INSTANCE(name, description) name,
#include <foldwise/detail/guvectorize_instances.def>
#undef FOLDWISE_GUVECTORIZE_INSTANCE
};

#define FOLDWISE_GUVECTORIZE_INSTANCE(name, description) +1
inline constexpr int item_layouts = 0
#include <foldwise/detail/guvectorize_instances.def>
    ;
#undef FOLDWISE_GUVECTORIZE_INSTANCE

/// The axes along which the items of a launch lie.
template <item_layout Layout> inline constexpr int item_axes = Layout == item_layout::strided ? max_axes : 1;

/// Returns how many bytes of elements with the given alignment are copied at once.
constexpr int staged_word(std::size_t alignment) { return alignment < 16 ? static_cast<int>(alignment) : 16; }

/// Where a block's items of an operand are in shared memory. An item's elements are in the same order there as in
/// global memory.
struct item_stage {
    std::uint32_t begin;           ///< The first item, in bytes.
    std::uint32_t pitch;           ///< From one item to the next, in bytes; 0 if all items are the same one.
    divider<std::uint32_t> words;  ///< The words of an item, each of staged_word() bytes.
    bool is_read;                  ///< Whether items are copied there before their function runs.
};

/// Where the items of an operand are: the first part of its parameter. Behind it are a value, or the extents and
/// strides of a view.
template <item_layout Layout> struct item_place {
    void* data;  ///< The first item; null for a value, which is behind it.
    std::int64_t strides[item_axes<Layout>];
};
template <> struct item_place<item_layout::staged> {
    void* data;
    std::int64_t strides[1];
    item_stage stage;  ///< Where a view's items are in shared memory; values are not copied there.
};

/// The items of a launch. Those of `strided` kernels are fewer than 2^31.
template <item_layout Layout> struct item_grid {
    std::int64_t count;
    divider<std::uint32_t> extents[item_axes<Layout>];  ///< Not used by `even` kernels, nor is the outermost.
};
template <> struct item_grid<item_layout::staged> {
    std::int64_t count;
    std::uint32_t together;  ///< The items that a block computes at a time, at most one for each of its threads.
};

/// The kernels of one signature.
struct guvectorize_code {
    const gpu_file* file;
    gpu_code instances[item_layouts];  ///< Indexed by item_layout.
    const operand_type* types;         ///< The type of each operand's elements.
    const int* core_axes;              ///< The number of each operand's core dimensions.
    const bool* overwritten;           ///< Whether each operand's elements are all assigned for every item.
    /// The core dimensions along which items may be cut, numbered: that of each axis of each operand, operand after
    /// operand, or -1. Null if there are none. Kernels with checks, which name items and indices, are not cut.
    const int* cuts = nullptr;
    int cut_count = 0;
    int operands;
    int threads;  ///< Threads per block.
};

/// Launches asynchronously on the stream; returns a cudaError_t.
int launch(const guvectorize_code& code, const guvectorize_call& call, CUstream_st* stream);

}  // namespace foldwise::detail
