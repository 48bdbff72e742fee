// foldwise/detail/limits.hpp: the limits of shapes, kernels and launches. The generator reports at the user's line
// whatever exceeds them, and the runtime sizes its arrays by them; they are defined nowhere else.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foldwise {

/// The maximum number of axes of a shape, a view or an operand.
inline constexpr int max_rank = 8;

namespace detail {

/// The maximum number of axes of the layouts that kernels receive.
inline constexpr int max_axes = max_rank;

/// The maximum number of axes of an index that a kernel's lambda takes.
inline constexpr int max_index_rank = 4;

/// The maximum number of inputs and outputs of a kernel together, and of the parameters of a forall lambda besides its
/// index.
inline constexpr int max_operands = 64;

/// The maximum number of different core dimensions in the layout of a guvectorize kernel.
inline constexpr int max_core_dimensions = 64;

/// The maximum size, in bytes, and the maximum alignment of a reduction's accumulator, which every thread keeps in
/// registers.
inline constexpr std::size_t largest_accumulator = 64;

/// How many integers of 17 bits kernels add up in 32 bits, at most, before they add the sum to an accumulator of 64.
inline constexpr std::int64_t narrow_terms = std::int64_t{1} << 15;

/// The maximum number of places that the map of a scattered fold says for each element.
inline constexpr int max_places = 64;

/// The bytes that CUDA allows for a kernel's parameters, from compute capability 7.0 on.
inline constexpr std::size_t kernel_parameter_bytes = 32764;

/// The bytes of a kernel's parameters that are reserved for the grid of a forall launch.
inline constexpr std::size_t forall_grid_bytes = 256;

/// The maximum number of parameter bytes per operand of a `vectorize` or `reduce` kernel that describe where its
/// elements are, not counting an element passed by value.
inline constexpr std::size_t operand_bytes = 152;

/// The bytes of a kernel's parameters that `vectorize` and `reduce` kernels reserve for the description of the launch.
inline constexpr std::size_t launch_bytes = 1024;

/// The maximum number of blocks along the first axis of a grid, the only axis that emitted launches use.
inline constexpr std::int64_t max_grid_blocks = INT32_MAX;

/// The maximum number of elements of one strided launch, which counts them in 32 bits. Larger calls are split into
/// parts.
inline constexpr std::int64_t largest_part = INT32_MAX;

/// The maximum number of tasks of one call. A block has 2^8 tasks, and rounding up can almost double each axis.
inline constexpr std::int64_t max_tasks = std::int64_t{1} << 35;
static_assert((max_tasks >> 8 << max_index_rank) <= max_grid_blocks + 1);

/// The maximum number of elements of a tile that a block of a `forall` kernel has of a view in shared memory: 256 by 4,
/// and one more for each of the 256. Tiles with longer short sides have fewer.
inline constexpr int staged_elements = 256 * (4 + 1);

/// The maximum number of axes of the blocks of a `blocks` kernel.
inline constexpr int max_block_rank = 3;

/// The maximum number of threads of a CUDA block.
inline constexpr int max_block_threads = 1024;

/// Returns how many vectors of so many tasks each thread of a forall kernel's `vectors` instance has. Tasks that need
/// their index often load an element that says where another one is, and wait for both; with two vectors, two of each
/// are on their way.
constexpr int vectors_of_thread(int width, bool needs_index) { return needs_index && width <= 4 ? 2 : 1; }

/// The maximum number of items of a block, of which each thread then has 16.
inline constexpr std::int64_t max_block_items = 16 * max_block_threads;

/// The maximum number of bytes that the items of a block share: what GPUs of compute capability 9.0 and 10.0 have.
inline constexpr std::int64_t max_shared_bytes = 227 * 1024;

/// The number of characters, including the terminating zero, that a checked kernel keeps of a file name or an
/// assertion's text; longer texts are truncated.
inline constexpr int report_text_bytes = 256;

}  // namespace detail
}  // namespace foldwise
