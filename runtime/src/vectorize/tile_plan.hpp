// runtime/src/vectorize/tile_plan.hpp: whether a call is cut into tiles, and which. A tile's columns are along the axis
// in which the first output has unit stride, its rows along one other axis (device/vectorize/tiled.hpp).
#pragma once

#include <foldwise/detail/vectorize_code.hpp>

#include <cstdint>

namespace foldwise::detail {

/// The properties of a kernel's signature that tiles depend on.
struct tile_traits {
    int threads, width;
    int operands, inputs;         ///< The first output follows the inputs.
    bool is_ordered;              ///< Whether the axes keep their order, because the kernel takes an index.
    bool is_flat;                 ///< Whether the call can be launched flat.
    const std::uint32_t* sizes;   ///< The element size of every operand, in bytes.
    std::uint32_t alignment;      ///< The alignment of vectors of the first output, in bytes.
    std::uint32_t tile_bytes;     ///< The size of a transposed operand's tile, in bytes.
    std::uint32_t upright_bytes;  ///< The same for upright vectors.
};

/// Plans the tiles of a call with a layout. Without blocks if tiles do not suit it.
tiled_range plan_tiles(const element_range& call, const tile_traits& traits);

/// Returns the strides of one operand along the axes of tiles.
tile_steps tile_steps_of(const element_layout& layout, const tile_axes& axes, int operand);

/// Returns how a launch with transposed operands reads an operand with elements of `size` bytes by vectors of `width`.
tile_reading reading_of(const element_range& call, const tiled_range& range, int operand, std::uint32_t size,
                        int width);

/// Returns the shared memory of a block of `threads` threads, in bytes.
std::uint32_t shared_bytes(const tiled_range& range, int threads);

/// Returns the offset of an operand's tile in shared memory, in bytes, if it has one.
int tile_of(const tiled_range& range, int operand);

}  // namespace foldwise::detail
