// runtime/src/stencil/plan_tiles.cpp: plans how blocks compute several steps of a stencil in shared memory.
#include "stencil/plan_tiles.hpp"

#include "gpu/capacity.hpp"

#include <foldwise/detail/vector_access.hpp>

#include <algorithm>

namespace foldwise::detail {

namespace {

/// Microseconds of an H200, from 195 launches with other tiles, of which they tell the time within 11 %:
/// docs/performance/notes/stencil.md, *Several steps of a tile*.
struct tiling_costs {
    /// A launch of several steps, and a launch of a single one that has little to do.
    double launch = 0.77, single_step = 3.97;
    /// What blocks that run at once wait for their first elements and for what they store.
    double wave = 1.8;
    /// What one multiprocessor takes for each byte that it loads from memory or stores there.
    double byte = 2.7e-5;
    /// What a warp takes to read or write a word of shared memory for each of its threads, and to compute with one.
    double word = 2.79e-4, operation = 2.08e-4;
    /// A step of a block, and of each warp's group of elements, beside these elements.
    double step = 0.27, group = 2.2e-3;
};
constexpr tiling_costs costs;

constexpr std::int64_t most_steps = 32, word_bytes = 4;
/// Arrays in shared memory have a multiple of this many elements, so that the next one begins at a multiple of 16
/// bytes.
constexpr std::int64_t aligned_cells = 16;
static_assert(stencil_tile_row % aligned_cells == 0);

class tile_planner {
  public:
    tile_planner(const tiling_traits& traits, std::int64_t steps)
        : traits_(traits), steps_(steps), last_(traits.rank - 1) {}

    stencil_tiling plan() {
        best_ = {1, 0, {}};
        best_cost_ = static_cast<double>(steps_) * cost_of_single_step();
        for (std::int64_t together = 2; together <= std::min(steps_, most_steps); ++together) {
            // Where one step more leaves as many launches, fewer are enough.
            if (together > 2 && divided(steps_, together) == divided(steps_, together - 1)) continue;
            for (int blocks = 1; blocks <= traits_.resident_blocks; ++blocks) consider(together, blocks);
        }
        return best_;
    }

  private:
    /// The elements of a tile, along each axis, and how many there are.
    struct tiling {
        std::int64_t tile[2] = {1, 1}, count[2] = {1, 1};

        void cut(int axis, std::int64_t extent, std::int64_t pieces, std::int64_t least) {
            tile[axis] = std::max(divided(extent, pieces), least);
            count[axis] = divided(extent, tile[axis]);
        }
    };

    /// Considers tiles so small that so many blocks run at once on a multiprocessor.
    void consider(std::int64_t steps, int blocks) {
        const std::int64_t bytes = shared_bytes_of(traits_.shared_bytes, blocks);
        std::int64_t cells = bytes / (2 * traits_.cell_bytes) / aligned_cells * aligned_cells;
        tiling tiles;
        if (traits_.rank > 1) {
            const std::int64_t columns = stencil_tile_row - 2 * steps * traits_.margin[1];
            if (columns < 1) return;
            tiles.cut(1, traits_.extents[1], divided(traits_.extents[1], columns), 1);
            cells /= stencil_tile_row;
        }
        // A thread's elements along the first of two axes are in its tile.
        const std::int64_t least = traits_.rank > 1 ? traits_.per_thread : 1, extent = traits_.extents[0];
        const std::int64_t most = std::min(cells - 2 * steps * traits_.margin[0], extent);
        if (most < least) return;
        // As few tiles as there is room for; or as many as run at once, or some times as many.
        const std::int64_t fewest = divided(extent, most), at_once = std::int64_t{traits_.multiprocessors} * blocks;
        const std::int64_t filled = divided(fewest * tiles.count[1], at_once) * at_once / tiles.count[1];
        for (const std::int64_t count : {fewest, std::max(fewest, filled)}) {
            tiles.cut(0, extent, count, least);
            weigh(steps, blocks, tiles);
        }
    }

    void weigh(std::int64_t steps, int blocks, const tiling& tiles) {
        // What is computed along an axis when so many steps follow.
        const auto computed = [&](int axis, std::int64_t left) {
            return axis <= last_ ? tiles.tile[axis] + 2 * left * traits_.margin[axis] : 1;
        };
        const std::int64_t bytes =
            traits_.cell_bytes * (computed(0, steps) * computed(1, steps) + computed(0, 0) * computed(1, 0));
        const std::int64_t count = tiles.count[0] * tiles.count[1];
        // Fewer blocks than there is room for do not share a multiprocessor.
        const std::int64_t together = std::min<std::int64_t>(blocks, divided(count, traits_.multiprocessors));
        double computes = 0;
        for (std::int64_t left = 0; left < steps; ++left) {
            const std::int64_t down = traits_.rank > 1 ? divided(computed(0, left), traits_.per_thread) : 1;
            const std::int64_t warps =
                traits_.rank > 1 ? divided(computed(1, left), warp_threads)
                                 : divided(computed(0, left), std::int64_t{warp_threads} * traits_.per_thread);
            computes += costs.step / static_cast<double>(together) + static_cast<double>(down * warps) * cost_of_warp();
        }
        const std::int64_t waves = divided(count, traits_.multiprocessors * together);
        // While one block loads, the others compute.
        const double blocks_at_once = static_cast<double>(together);
        const double loading = blocks_at_once * costs.byte * static_cast<double>(bytes),
                     computing = blocks_at_once * computes;
        const double wave = costs.wave + std::max(loading, computing) + std::min(loading, computing) / blocks_at_once;
        const double cost =
            static_cast<double>(divided(steps_, steps)) * (costs.launch + static_cast<double>(waves) * wave);
        if (cost >= best_cost_) return;
        best_cost_ = cost;
        const std::int64_t row = traits_.rank > 1 ? stencil_tile_row : 1, elements = computed(0, steps) * row;
        best_ = {static_cast<std::int32_t>(steps),
                 static_cast<std::int32_t>(divided(elements, aligned_cells) * aligned_cells),
                 {static_cast<std::int32_t>(tiles.tile[0]), static_cast<std::int32_t>(tiles.tile[1])}};
    }

    /// What a warp takes whose threads have their elements. Along the first of two axes their windows overlap.
    double cost_of_warp() const {
        const double elements = traits_.per_thread, margin = static_cast<double>(traits_.margin[0]);
        const double window = traits_.rank > 1
                                  ? (1 + 2 * margin / elements) * static_cast<double>(2 * traits_.margin[1] + 1)
                                  : 2 * margin + 1;
        const double words = std::min(window, static_cast<double>(traits_.reads)) + 1;
        return costs.group + elements * (costs.word * words * static_cast<double>(traits_.cell_bytes) / word_bytes +
                                         costs.operation * traits_.reads);
    }
    double cost_of_single_step() const {
        const std::int64_t elements = traits_.extents[0] * (traits_.rank > 1 ? traits_.extents[1] : 1);
        const double bytes = static_cast<double>(2 * traits_.cell_bytes * elements);
        return std::max(costs.single_step, costs.single_step / 2 + costs.byte * bytes / traits_.multiprocessors);
    }

    const tiling_traits& traits_;
    const std::int64_t steps_;
    const int last_;
    stencil_tiling best_{};
    double best_cost_ = 0;
};

}  // namespace

stencil_tiling plan_tiles(const tiling_traits& traits, std::int64_t steps) {
    return tile_planner(traits, steps).plan();
}

}  // namespace foldwise::detail
