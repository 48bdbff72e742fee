// foldwise/detail/guvectorize_code.hpp: the kernels of a guvectorize signature, and the parameters that they are
// launched with.
//
// A kernel has a parameter for each operand, and finally the items.
#pragma once

#include <foldwise/detail/divide.hpp>
#include <foldwise/detail/gpu_code.hpp>
#include <foldwise/detail/guvectorize_kernel.hpp>
#include <foldwise/detail/host_device.hpp>

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
template <item_layout Layout> inline constexpr int item_axes = Layout == item_layout::even ? 1 : max_axes;

/// Where the items of an operand are: the first part of its parameter. Behind it are a value, or the extents and
/// strides of a view.
template <item_layout Layout> struct item_place {
    void* data;  ///< The first item; null for a value, which is behind it.
    std::int64_t strides[item_axes<Layout>];
};

/// The items of a launch. Those of `strided` kernels are fewer than 2^31.
template <item_layout Layout> struct item_grid {
    std::int64_t count;
    divider<std::uint32_t> extents[item_axes<Layout>];  ///< Not used by `even` kernels, nor is the outermost.
};

/// The kernels of one signature.
struct guvectorize_code {
    const gpu_file* file;
    gpu_code instances[item_layouts];  ///< Indexed by item_layout.
    const operand_type* types;         ///< The type of each operand's elements.
    const int* core_axes;              ///< The number of each operand's core dimensions.
    int operands;
    int threads;  ///< Threads per block.
};

/// Launches asynchronously on the stream; returns a cudaError_t.
int launch(const guvectorize_code& code, const guvectorize_call& call, CUstream_st* stream);

}  // namespace foldwise::detail
