// foldwise/device/reduce/ordered.hpp: how a warp reduces neighbouring elements in their order.
#pragma once

#include <foldwise/device/reduce/block.hpp>
#include <foldwise/device/reduce/rows.hpp>

#include <cstdint>
#include <cstring>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// Shared memory in which the lanes of a warp exchange the tiles that they have loaded side by side, so that each gets
/// neighbouring ones.
template <int Threads, class Tile> struct exchanged_tiles {
    static constexpr int size = static_cast<int>(sizeof(Tile)), most_bytes = 32 * 1024;
    static constexpr int fit = most_bytes / (Threads * size);
    /// The number of tiles that a lane has at once: a power of two. If it is one, there is nothing to exchange.
    static constexpr int per_lane = fit >= 8 && size < 16 ? 8 : fit >= 4 ? 4 : fit >= 2 ? 2 : 1;

    unsigned char* memory;

    /// Returns the memory of the calling thread's warp.
    __device__ static exchanged_tiles of_warp() {
        alignas(16) __shared__ unsigned char memory[Threads / warp_size][warp_size * per_lane * size];
        return {memory[threadIdx.x / warp_size]};
    }

    /// Stores the `number`-th of the warp's tiles.
    __device__ void put(int number, const Tile& loaded) const { memcpy(at(number), &loaded, sizeof loaded); }
    /// Returns the `number`-th of the warp's tiles.
    __device__ Tile take(int number) const {
        Tile loaded;
        memcpy(&loaded, at(number), sizeof loaded);
        return loaded;
    }

  private:
    /// Tiles that lanes access at the same time lie in different banks: neighbours, and every per_lane-th.
    __device__ unsigned char* at(int number) const { return memory + (number ^ (number / 8 % 8)) * size; }
};

/// Combines `Count` tiles that the warp has exchanged, starting with the `From`-th after `first`, as a tree.
template <int From, int Count, class Elements, class Exchange, class Place>
__device__ inline auto fold_exchanged(const Elements& elements, const Exchange& exchanged, int first,
                                      const Place* places) -> typename Elements::steps::accumulator {
    if constexpr (Count == 1) {
        return fold_tile(elements, exchanged.take(first + From), places[From]);
    } else {
        constexpr int half = Count / 2;
        return Elements::steps::combine(fold_exchanged<From, half>(elements, exchanged, first, places),
                                        fold_exchanged<From + half, Count - half>(elements, exchanged, first, places));
    }
}

/// Reduces the elements [begin, end) of a row in order, by a warp, whose first lane gets the result. Lanes load tiles
/// side by side, exchange them, and each combines several neighbouring ones, so that the lanes' results are combined
/// once for all of these. The next tiles are loaded meanwhile.
template <int Threads, class Elements, class Steps, class Rows>
__device__ inline void fold_in_order(const Elements& elements, const Rows& rows, std::int64_t begin, std::int64_t end,
                                     partial<Steps>& mine) {
    using tile = typename Elements::tile;
    using exchange = exchanged_tiles<Threads, tile>;
    constexpr int width = Elements::width, loads = exchange::per_lane, most_tiles = warp_size * loads;
    const int lane = static_cast<int>(threadIdx.x % warp_size);
    const std::int64_t begin_whole = (begin + width - 1) / width * width, end_whole = end / width * width;
    tile tiles[loads];
    const auto tiles_from = [&](std::int64_t from) {
        const std::int64_t left = (end_whole - from) / width;
        return left < most_tiles ? static_cast<int>(left) : most_tiles;
    };
    const auto load = [&](std::int64_t from) {
        typename Rows::place places[loads];
        rows.find(from + lane * width, std::int64_t{warp_size} * width, places);
        elements.load(places, tiles, (tiles_from(from) + warp_size - 1 - lane) / warp_size);
    };
    if (begin_whole < end_whole) load(begin_whole);
    FOLDWISE_NOT_UNROLLED
    while (begin < end) {
        partial<Steps> part;
        std::int64_t next;
        if (begin < begin_whole || begin >= end_whole) {
            // Before the first whole tile and after the last one, each lane has an element.
            next = begin < begin_whole && begin_whole < end ? begin_whole : end;
            if (begin + lane < next) {
                typename Rows::place at[1];
                rows.find(begin + lane, 0, at);
                part = partial<Steps>(elements.mapped(at[0]));
            }
        } else {
            const int count = tiles_from(begin), each = (count + warp_size - 1) / warp_size;
            next = begin + count * width;
            typename Rows::place own[loads];
            rows.find(begin + lane * each * width, width, own);
            if (each == 1) {  // each lane has loaded its own
                if (lane < count) part = partial<Steps>(fold_tile(elements, tiles[0], own[0]));
                if (loads == 1 && next < end_whole) load(next);
            } else if constexpr (loads > 1) {
                const exchange exchanged = exchange::of_warp();
                __syncwarp();  // the previous tiles have been taken
                FOLDWISE_UNROLLED
                for (int i = 0; i < loads; ++i)
                    if (lane + i * warp_size < count) exchanged.put(lane + i * warp_size, tiles[i]);
                __syncwarp();
                if (next < end_whole) load(next);
                if (count == most_tiles) {
                    part = partial<Steps>(fold_exchanged<0, loads>(elements, exchanged, lane * loads, own));
                } else {
                    FOLDWISE_NOT_UNROLLED
                    for (int i = lane * each; i < lane * each + each && i < count; ++i) {
                        typename Rows::place at[1];
                        rows.find(begin + i * width, 0, at);
                        part.append(fold_tile(elements, exchanged.take(i), at[0]));
                    }
                }
            }
        }
        fold_lanes(part);
        if (lane == 0) mine.append(part);
        begin = next;
    }
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
