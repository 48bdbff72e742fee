// foldwise/device/fold_block.hpp: how the threads of a block fold together what each of them has.
#pragma once

#include <foldwise/device/platform.hpp>

#include <cstdint>
#include <cstring>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

inline constexpr int warp_size = 32;

/// An accumulator, or none where there was no element: nothing is ever padded with the identity.
template <class Steps> struct partial {
    using accumulator = typename Steps::accumulator;

    union {
        accumulator value;
    };
    bool is_some;

    __host__ __device__ partial() : is_some(false) {}
    __device__ explicit partial(const accumulator& first) : value(first), is_some(true) {}

    /// What comes behind everything that is in here.
    __device__ void append(const accumulator& next) {
        value = is_some ? Steps::combine(value, next) : next;
        is_some = true;
    }
    __device__ void append(const partial& next) {
        if (next.is_some) append(next.value);
    }
};

/// What the lane `distance` further up the warp has. All lanes of the warp call it.
template <class T> __device__ inline T shuffle_down(const T& value, int distance) {
    constexpr int words = (sizeof(T) + 3) / 4;
    std::uint32_t bits[words] = {};
    memcpy(bits, &value, sizeof(T));
    FOLDWISE_UNROLLED
    for (int word = 0; word < words; ++word)
        bits[word] = __shfl_down_sync(0xffffffffu, bits[word], static_cast<unsigned int>(distance));
    T moved = value;
    memcpy(&moved, bits, sizeof(T));
    return moved;
}

/// Folds what `lanes` neighbouring lanes have, a power of two of them, in their order, by append(mine, other); the
/// first one gets the result, the others anything. All lanes of the warp call it.
template <class T, class Append> __device__ inline void fold_lanes(T& mine, int lanes, const Append& append) {
    FOLDWISE_UNROLLED
    for (int distance = 1; distance < warp_size; distance *= 2) {
        if (distance >= lanes) break;
        append(mine, shuffle_down(mine, distance));
    }
}
template <class Steps> __device__ inline void fold_lanes(partial<Steps>& mine, int lanes) {
    fold_lanes(mine, lanes, [](partial<Steps>& a, const partial<Steps>& b) { a.append(b); });
}

/// Folds the block's parts in the order of its threads; the first thread gets the result.
template <int Threads, class Steps> __device__ inline void fold_block(partial<Steps>& mine) {
    constexpr unsigned int warps = Threads / warp_size;
    static_assert(Threads % warp_size == 0 && warps <= warp_size);
    alignas(partial<Steps>) __shared__ unsigned char parts[warps][sizeof(partial<Steps>)];
    const unsigned int warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
    fold_lanes(mine, warp_size);
    if (lane == 0) memcpy(parts[warp], &mine, sizeof mine);
    __syncthreads();
    if (warp == 0) {
        mine = partial<Steps>();
        if (lane < warps) memcpy(&mine, parts[lane], sizeof mine);
        fold_lanes(mine, warp_size);
    }
    __syncthreads();  // the next call writes the parts again
}

/// Thread y * columns + x has a part of each of the x-th `Width` folds: these are folded in the order of y, and the
/// threads with y = 0 get the results. The number of columns is a power of two.
template <int Threads, int Width, class Steps>
__device__ inline void fold_columns_of_block(partial<Steps> (&mine)[Width], int columns) {
    constexpr int most_bytes = 32 * 1024, slots = Threads / 2, bytes = static_cast<int>(sizeof(partial<Steps>));
    constexpr int fit = most_bytes / (slots * bytes), at_once = fit < 1 ? 1 : fit < Width ? fit : Width;
    alignas(partial<Steps>) __shared__ unsigned char parts[at_once][slots][sizeof(partial<Steps>)];
    const int thread = static_cast<int>(threadIdx.x), x = thread & (columns - 1), y = thread / columns;
    const int rows = Threads / columns;
    FOLDWISE_UNROLLED
    for (int from = 0; from < Width; from += at_once) {
        int step = 1;
        FOLDWISE_NOT_UNROLLED
        for (; step < rows && step * columns < warp_size; step *= 2) {
            FOLDWISE_UNROLLED
            for (int k = from; k < from + at_once && k < Width; ++k) {
                const partial<Steps> other = shuffle_down(mine[k], step * columns);
                if (y % (2 * step) == 0) mine[k].append(other);
            }
        }
        FOLDWISE_NOT_UNROLLED
        for (; step < rows; step *= 2) {
            const int slot = y / (2 * step) * columns + x;
            if (y % (2 * step) == step) {
                FOLDWISE_UNROLLED
                for (int k = from; k < from + at_once && k < Width; ++k)
                    memcpy(parts[k - from][slot], &mine[k], sizeof mine[k]);
            }
            __syncthreads();
            if (y % (2 * step) == 0) {
                FOLDWISE_UNROLLED
                for (int k = from; k < from + at_once && k < Width; ++k) {
                    partial<Steps> other;
                    memcpy(&other, parts[k - from][slot], sizeof other);
                    mine[k].append(other);
                }
            }
            __syncthreads();
        }
    }
}

/// Whether this block is the last one of `blocks` to come here. What these have written before it is visible to that
/// one. The counter is zero before and after.
__device__ inline bool is_last_block(unsigned int* counter, unsigned int blocks) {
    __shared__ bool is_last;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        is_last = atomicAdd(counter, 1u) == blocks - 1;
        if (is_last) *counter = 0;
        __threadfence();
    }
    __syncthreads();
    return is_last;
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
