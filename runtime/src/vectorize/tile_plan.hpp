// runtime/src/vectorize/tile_plan.hpp: whether a call is cut into tiles, and which: of the columns, along which the
// first output has unit stride, and one other axis, the rows (device/vectorize/tiled.hpp).
#pragma once

#include <foldwise/detail/vectorize_code.hpp>

#include <cstdint>

namespace foldwise::detail {

/// What tiles depend on of a kernel's signature.
struct tile_traits {
    int threads, width;
    int operands, inputs;        ///< The first output follows the inputs.
    bool is_ordered;             ///< The axes keep their order, because the kernel takes an index.
    bool is_flat;                ///< It can be launched flat.
    const std::uint32_t* sizes;  ///< Of every operand's elements, in bytes.
    std::uint32_t alignment;     ///< For wide accesses to the first output.
    std::uint32_t tile_bytes;    ///< Of a transposed operand's tile.
};

/// Finds the tiles of a call that has a layout; without blocks if they do not suit it.
tiled_range plan_tiles(const element_range& call, const tile_traits& traits);

/// The steps of one operand along the axes of tiles.
tile_steps tile_steps_of(const element_layout& layout, const tile_axes& axes, int operand);

/// How a launch with transposed operands reads one; `size` is that of its elements in bytes, `width` that of vectors.
tile_reading reading_of(const element_range& call, const tiled_range& range, int operand, std::uint32_t size,
                        int width);

/// Where an operand's tile begins in shared memory, if it has one.
int tile_of(const tiled_range& range, int operand);

}  // namespace foldwise::detail
