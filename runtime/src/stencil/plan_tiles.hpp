// runtime/src/stencil/plan_tiles.hpp: plans how blocks compute several steps of a stencil in shared memory.
#pragma once

#include "divided.hpp"

#include <foldwise/detail/stencil_code.hpp>

#include <cstdint>

namespace foldwise::detail {

/// What a plan depends on.
struct tiling_traits {
    std::int64_t extents[2];    ///< The second is not read for a single axis.
    std::int64_t margin[2];     ///< How far a step looks along each axis, on either side.
    int rank;                   ///< 1 or 2.
    int per_thread;             ///< Elements that a thread computes together, along axis 0.
    int reads;                  ///< Elements that are read for one.
    std::int64_t cell_bytes;    ///< The bytes of one element of all arrays that are stepped.
    std::int64_t shared_bytes;  ///< The most shared memory of a block.
    int multiprocessors;
    int resident_blocks;  ///< The most blocks on a multiprocessor if shared memory did not count.
};

/// Plans up to `steps` steps in each launch. One step means that launches of single steps take no longer.
stencil_tiling plan_tiles(const tiling_traits& traits, std::int64_t steps);

}  // namespace foldwise::detail
