// foldwise/device/stencil_tile.hpp: computes several steps of a stencil in one launch. A block loads a tile and what is
// around it, as far as all of the steps look, into shared memory. Each step computes a little less around the tile than
// the one before, and the last one stores the tile.
#pragma once

#include <foldwise/device/launch.hpp>
#include <foldwise/device/pack.hpp>
#include <foldwise/device/stencil_lane.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::stencil_tile_row;
using detail::stencil_tile_threads;
using detail::stencil_tiles;

/// The tile of a block. With the edge `wrap` it may extend beyond the arrays, which begin anew there; with all others
/// it does not.
template <edge_kind Edge, std::int64_t... Reach> class stencil_tile {
  public:
    using number = std::int32_t;
    static constexpr int rank = sizeof...(Reach) / 2, last = rank - 1;

    __device__ explicit stencil_tile(const stencil_tiles<rank>& tiles) : tiles_(tiles) {
        std::uint32_t rest = blockIdx.x;
        FOLDWISE_UNROLLED
        for (int axis = last; axis >= 0; --axis) {
            const auto tile = static_cast<number>(axis > 0 ? tiles.grid.tiles[axis].split(rest) : rest);
            const number first = tile * tiles.tile[axis], most = extent(axis) - tiles.tile[axis];
            first_[axis] = first < most ? first : most;
        }
    }

    /// Returns the first coordinate that is computed when `left` steps follow.
    __device__ number begin(int axis, number left) const {
        const number at = first_[axis] - left * margin(axis);
        return Edge == edge_kind::wrap || at > 0 ? at : 0;
    }
    /// Returns the coordinate behind the last one that is computed then.
    __device__ number end(int axis, number left) const {
        const number at = first_[axis] + tiles_.tile[axis] + left * margin(axis), most = extent(axis);
        return Edge == edge_kind::wrap || at < most ? at : most;
    }

    /// Returns where in the arrays a coordinate is.
    __device__ number place(int axis, number at) const {
        return Edge == edge_kind::wrap ? detail::inside_of(Edge, at, extent(axis)) : at;
    }
    __device__ number extent(int axis) const { return static_cast<number>(tiles_.grid.extents[axis]); }
    __device__ const stencil_tiles<rank>& tiles() const { return tiles_; }

    /// Copies what the steps look at of an array to shared memory.
    template <class T, class From> __device__ void load(T* to, const From& from) const {
        constexpr int together = 8, rows = rank > 1 ? stencil_tile_threads / stencil_tile_row : stencil_tile_threads;
        const number steps = tiles_.steps;
        const int row = static_cast<int>(threadIdx.x) / (rank > 1 ? stencil_tile_row : 1),
                  column = rank > 1 ? static_cast<int>(threadIdx.x) % stencil_tile_row : 0;
        if (rank > 1 && column >= end(last, steps) - begin(last, steps)) return;
        number at[rank];
        if (rank > 1) at[last] = place(last, begin(last, steps) + column);
        // Along the first of two axes, or along the only one.
        const number first = begin(0, steps) + row, behind = end(0, steps);
        for (number next = first; next < behind; next += together * rows) {
            pack<T, together> elements;
            FOLDWISE_UNROLLED
            for (int k = 0; k < together; ++k) {
                if (next + k * rows >= behind) continue;
                at[0] = place(0, next + k * rows);
                elements[k] = from[at];
            }
            FOLDWISE_UNROLLED
            for (int k = 0; k < together; ++k)
                if (next + k * rows < behind)
                    to[(next - first + row + k * rows) * (rank > 1 ? stencil_tile_row : 1) + column] = elements[k];
        }
    }

  private:
    /// How far a step looks, on either side: what is brought back from beyond an edge is on the other side.
    static constexpr int margin(int axis) {
        const auto reach = [&](int side) {
            return static_cast<int>(detail::stencil_window<Reach...>::reach(axis, side));
        };
        return reach(0) > reach(1) ? reach(0) : reach(1);
    }

    number first_[rank];
    const stencil_tiles<rank>& tiles_;
};

/// Where an array is in shared memory, by the coordinates of its elements.
template <class T, int N> struct shared_tile {
    T* origin;  ///< Where the element at index 0 would be.

    __device__ static constexpr std::int32_t stride(int axis) { return axis == N - 1 ? 1 : stencil_tile_row; }
    __device__ T* first() const { return origin; }
    template <class Lane> __device__ T& at(const Lane& lane, int plane) const {
        return origin[lane.coordinate(N - 1, plane, 0) + (N > 1 ? lane.coordinate(0, plane, 0) * stride(0) : 0)];
    }
};

/// A thread's elements of one step of a tile: neighbours along the first of two axes, or such that a warp's threads
/// have neighbours along a single one.
template <int Planes, edge_kind Edge, std::int64_t... Reach>
class tile_lane : public window_lane<std::int32_t, stencil_tile_threads, 1, Planes, Edge, Reach...> {
  public:
    using lane = window_lane<std::int32_t, stencil_tile_threads, 1, Planes, Edge, Reach...>;
    using tile = stencil_tile<Edge, Reach...>;
    using lane::rank, lane::last, lane::coordinate, lane::has;
    using number = std::int32_t;
    static constexpr bool has_tile = true;

    /// Calls run(lane) for the calling thread's elements of a step.
    template <class Run> static __device__ void each_of(const tile& all, number step, const Run& run) {
        const number left = all.tiles().steps - 1 - step, begin = all.begin(last, left), end = all.end(last, left);
        if constexpr (rank == 1) {
            constexpr int warp = detail::warp_threads, warps = stencil_tile_threads / warp;
            const int mine = static_cast<int>(threadIdx.x) % warp;
            for (number first = begin + static_cast<int>(threadIdx.x) / warp * (warp * Planes) + mine; first < end;
                 first += warps * warp * Planes)
                run(tile_lane(all, step, {first}, 0, end));
        } else {
            constexpr int across = stencil_tile_row, down = stencil_tile_threads / across;
            const number column = all.begin(last, all.tiles().steps) + static_cast<int>(threadIdx.x) % across;
            if (column < begin || column >= end) return;
            const number top = all.begin(0, left), bottom = all.end(0, left);
            for (number row = top + static_cast<int>(threadIdx.x) / across * Planes; row < bottom;
                 row += down * Planes) {
                const number first = row < bottom - Planes ? row : bottom - Planes;
                run(tile_lane(all, step, {first, column}, row - first, end));
            }
        }
    }

    /// Where a coordinate is in the arrays.
    __device__ number place(int axis, int plane, int column) const {
        return tile_.place(axis, coordinate(axis, plane, column));
    }

    /// Returns the coordinates of an element, which is in the arrays, by axes.
    __device__ index<rank> coordinates(int plane) const {
        index<rank> all;
        FOLDWISE_UNROLLED
        for (int axis = 0; axis < rank; ++axis) all[axis] = coordinate(axis, plane, 0);
        return all;
    }

    /// Whether all coordinates of the windows are in shared memory.
    __device__ bool is_inside(int axis, int run = 0) const {
        return Edge == edge_kind::wrap || lane::is_inside(axis, run);
    }

    /// Whether all elements are the thread's own, and whether one is; others are those of another thread as well.
    __device__ bool has_own() const {
        return rank == 1 ? first_ + (Planes - 1) * detail::warp_threads < end_ : skipped_ == 0;
    }
    __device__ bool is_own(int plane) const {
        return rank == 1 ? first_ + plane * detail::warp_threads < end_ : plane >= skipped_;
    }
    __device__ bool is_last_step() const { return step_ == tile_.tiles().steps - 1; }

    template <class Compute> __device__ void each(const Compute& compute) const {
        FOLDWISE_UNROLLED
        for (int plane = 0; plane < Planes; ++plane)
            if (has(plane, 0)) compute(stencil_position<tile_lane>{*this, plane, 0});
    }

    /// Returns what a step reads, or what it writes, in the shared memory that begins at `bytes`.
    template <class T> __device__ shared_tile<T, rank> shared(std::uint32_t bytes, bool is_written) const {
        T* const begin = reinterpret_cast<T*>(dynamic_shared<std::byte>() + bytes) +
                         ((step_ + (is_written ? 1 : 0)) % 2 == 0 ? 0 : tile_.tiles().cells);
        const number steps = tile_.tiles().steps;
        return {begin - (tile_.begin(last, steps) + (rank > 1 ? tile_.begin(0, steps) * stencil_tile_row : 0))};
    }

  private:
    __device__ tile_lane(const tile& all, number step, const number (&first)[rank], int skipped, number end)
        : lane(all.tiles().grid, first, detail::warp_threads, end - 1), tile_(all), step_(step), first_(first[last]),
          end_(end), skipped_(skipped) {}

    const tile& tile_;
    number step_, first_, end_;
    int skipped_;
};

/// What a thread of an instance has.
template <stencil_layout Layout, int Threads, int Width, int Vectors, int Elements, edge_kind Edge,
          std::int64_t... Reach>
using window_lane_of =
    std::conditional_t<Layout == stencil_layout::tiles, tile_lane<Elements, Edge, Reach...>,
                       window_lane<stencil_number<Layout>, Threads, Layout == stencil_layout::vectors ? Width : 1,
                                   Layout == stencil_layout::vectors ? Vectors
                                   : Layout == stencil_layout::rows  ? Elements
                                                                     : 1,
                                   Edge, Reach...>>;

/// The grid of an instance.
template <stencil_layout Layout, int N>
using stencil_grid_of = std::conditional_t<Layout == stencil_layout::tiles, stencil_tiles<N>, stencil_grid<N>>;

/// The threads of a block of an instance.
template <stencil_layout Layout> constexpr int stencil_threads(int threads) {
    return Layout == stencil_layout::tiles ? stencil_tile_threads : threads;
}

/// Calls run(lane) for the calling thread's elements, of each step if there are several. `around` are the arrays that
/// are looked around in.
template <class Lane, class Grid, class Run, class... Around>
__device__ inline void each_lane(const Grid& grid, const Run& run, const Around&... around) {
    if constexpr (Lane::has_tile) {
        const typename Lane::tile tile(grid);
        wait_for_previous_kernel();
        (around.template load<Lane>(tile), ...);
        for (std::int32_t step = 0; step < grid.steps; ++step) {
            __syncthreads();
            Lane::each_of(tile, step, run);
        }
    } else {
        const Lane lane(grid);
        wait_for_previous_kernel();
        if (!lane.is_used()) return;  // as a whole: what runs may have a barrier for the rest of a warp
        run(lane);
    }
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
