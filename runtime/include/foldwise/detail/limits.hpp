// foldwise/detail/limits.hpp: how much of everything there is room for. The generator refuses at the user's line what
// goes beyond, and the runtime sizes its arrays by the same figures: they are written nowhere else.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foldwise {

/// The most axes of a shape, a view or an operand.
inline constexpr int max_rank = 8;

namespace detail {

/// The most axes of the layouts in which kernels see operands.
inline constexpr int max_axes = max_rank;

/// The most axes of an index that a kernel's lambda takes.
inline constexpr int max_index_rank = 4;

/// The most inputs and outputs of a kernel together, and the most parameters of a task beside its index.
inline constexpr int max_operands = 64;

/// The most bytes of a reduction's accumulator, which every thread keeps in registers; also the largest alignment.
inline constexpr std::size_t largest_accumulator = 64;

/// The bytes that CUDA has room for in a kernel's parameters, from compute capability 7.0 on.
inline constexpr std::size_t kernel_parameter_bytes = 32764;

/// Of these, what is kept for saying where a launch's tasks are.
inline constexpr std::size_t forall_grid_bytes = 256;

/// What a `vectorize` or `reduce` kernel is given of an operand beside an element of it, at most: where it lies.
inline constexpr std::size_t operand_bytes = 152;

/// Of a kernel's parameters, what these two keep for saying where a launch's elements and results are.
inline constexpr std::size_t launch_bytes = 1024;

/// The most blocks of a launch along its first axis, which is the only one that emitted launches have.
inline constexpr std::int64_t max_grid_blocks = INT32_MAX;

/// The most elements of one strided launch, which counts them in 32 bits: calls with more go in parts.
inline constexpr std::int64_t largest_part = INT32_MAX;

/// The most tasks of one call. Blocks have 2^8 of them, and each axis may round their number up to twice as many.
inline constexpr std::int64_t max_tasks = std::int64_t{1} << 35;
static_assert((max_tasks >> 8 << max_index_rank) <= max_grid_blocks + 1);

/// The characters, with the zero at the end, that a checked kernel keeps of a file's name and of an assertion's text:
/// what is longer is cut.
inline constexpr int report_text_bytes = 256;

}  // namespace detail
}  // namespace foldwise
