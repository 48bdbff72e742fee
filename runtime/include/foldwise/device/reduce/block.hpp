// foldwise/device/reduce/block.hpp: how the threads of a block combine their partial results.
#pragma once

#include <foldwise/detail/reduce_code.hpp>
#include <foldwise/device/launch.hpp>
#include <foldwise/device/pack.hpp>

#include <cstdint>
#include <cstring>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

inline constexpr int warp_size = detail::warp_threads;

/// An accumulator, or nothing if there were no elements. Nothing is ever padded with the identity.
template <class Steps> struct partial {
    using accumulator = typename Steps::accumulator;

    union {
        accumulator value;
    };
    bool is_some;

    __host__ __device__ partial() : is_some(false) { settle_bytes(value); }
    __device__ explicit partial(const accumulator& first) : value(first), is_some(true) {}

    /// Combines this with a value that follows it.
    __device__ void append(const accumulator& next) {
        value = is_some ? Steps::combine(value, next) : next;
        is_some = true;
    }
    /// Combines this with what follows it, if that is not empty.
    __device__ void append(const partial& next) {
        if (next.is_some) append(next.value);
    }
};

/// What lanes exchange at once. In the simulator, whose threads take turns for each exchange, that is as much as there
/// can be.
#ifdef FOLDWISE_SIMULATOR
using exchanged_word = std::uint64_t;
#else
using exchanged_word = std::uint32_t;
#endif

/// Returns a value that lanes exchange word by word: `exchange` returns what another lane has of a word.
template <class T, class Exchange> __device__ inline T exchanged_words(const T& value, const Exchange& exchange) {
    constexpr int size = sizeof(exchanged_word), words = (sizeof(T) + size - 1) / size;
    exchanged_word bits[words] = {};
    memcpy(bits, &value, sizeof(T));
    FOLDWISE_UNROLLED
    for (int word = 0; word < words; ++word) bits[word] = exchange(bits[word]);
    T moved = value;
    memcpy(&moved, bits, sizeof(T));
    return moved;
}

/// Returns the value of the lane whose number is greater by `distance`. All lanes of the warp must call it.
template <class T> __device__ inline T shuffle_down(const T& value, int distance) {
    return exchanged_words(value, [distance](exchanged_word word) {
        return __shfl_down_sync(0xffffffffu, word, static_cast<unsigned int>(distance));
    });
}
/// Returns the value of the lane whose number is less by `distance`. All lanes of the warp must call it.
template <class T> __device__ inline T shuffle_up(const T& value, int distance) {
    return exchanged_words(value, [distance](exchanged_word word) {
        return __shfl_up_sync(0xffffffffu, word, static_cast<unsigned int>(distance));
    });
}
/// Returns the value of the lane of that number. All lanes of the warp must call it.
template <class T> __device__ inline T shuffle_from(const T& value, int lane) {
    return exchanged_words(value, [lane](exchanged_word word) { return __shfl_sync(0xffffffffu, word, lane); });
}

/// Calls step(distance) for the distances at which `lanes` neighbouring lanes, a power of two, exchange results.
template <class Step> __device__ inline void each_distance(int lanes, const Step& step) {
    FOLDWISE_UNROLLED
    for (int distance = 1; distance < warp_size; distance *= 2) {
        if (distance >= lanes) break;
        step(distance);
    }
}
/// Combines the values of `lanes` neighbouring lanes, a power of two, in order by append(mine, other). The first lane
/// gets the result; the values of the others are unspecified. All lanes of the warp must call it.
template <class T, class Append> __device__ inline void fold_lanes(T& mine, int lanes, const Append& append) {
    each_distance(lanes, [&](int distance) { append(mine, shuffle_down(mine, distance)); });
}
/// Combines the partial results of the first `lanes` lanes of a warp in order; those of later lanes must be empty. The
/// first lane gets the result. Which lanes have a partial result is asked once, so that only accumulators are
/// exchanged.
///
/// As a rule those that have one come first. Then all lanes combine without a branch, which costs more than it skips:
/// lanes behind the last one that has a partial result get that one's, and a lane that has no other behind it drops
/// what it has computed. Accumulators of a word are combined by an instruction or two, which need no branch; and
/// checked builds must not look at what nobody asked for.
template <class Steps> __device__ inline void fold_lanes(partial<Steps>& mine, int lanes = warp_size) {
    constexpr bool is_small = sizeof(partial<Steps>) <= 16, is_light = sizeof(typename Steps::accumulator) <= 4;
    const int lane = static_cast<int>(threadIdx.x % warp_size), steps = is_small ? warp_size : lanes;
    std::uint32_t filled = __ballot_sync(0xffffffffu, mine.is_some);
    if (!is_checked && !is_light && filled != 0 && (filled & (filled + 1)) == 0) {
        const int count = __builtin_popcount(filled);
        if (count < warp_size) mine.value = shuffle_from(mine.value, lane < count ? lane : count - 1);
        each_distance(steps, [&](int distance) {
            const auto both = Steps::combine(mine.value, shuffle_down(mine.value, distance));
            if (lane + distance < count) mine.value = both;
        });
        return;
    }
    filled >>= lane;  // from this lane on
    const auto step = [&](int distance) {
        const auto other = shuffle_down(mine.value, distance);
        if (filled >> distance & 1) mine.append(other);
        filled |= filled >> distance;
    };
    if constexpr (is_light && !is_checked) {
        each_distance(steps, step);
    } else {
        FOLDWISE_NOT_UNROLLED
        for (int distance = 1; distance < steps; distance *= 2) step(distance);
    }
}

/// Combines the partial results of the first lanes of a block's warps in the order of the warps, of which there are at
/// most MostThreads / 32. The first thread gets the result. All threads of the block must call it, with a barrier
/// between two calls.
template <int MostThreads, class Steps> __device__ inline void fold_warps(partial<Steps>& mine) {
    constexpr unsigned int most_warps = MostThreads / warp_size;
    static_assert(MostThreads % warp_size == 0 && most_warps <= warp_size);
    alignas(partial<Steps>) __shared__ unsigned char parts[most_warps][sizeof(partial<Steps>)];
    const unsigned int warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
    if (lane == 0) memcpy(parts[warp], &mine, sizeof mine);
    __syncthreads();
    if (warp == 0) {
        mine = partial<Steps>();
        if (lane < blockDim.x / warp_size) memcpy(&mine, parts[lane], sizeof mine);
        fold_lanes(mine, static_cast<int>(blockDim.x) / warp_size);
    }
}

/// Combines `count` accumulators in their order, at least one, which are `apart` from one another. `Together` of them
/// are loaded before any is waited for: beyond the last one, a thread loads it again.
template <class Steps, int Together, class Accumulator>
__device__ inline Accumulator fold_apart(const Accumulator* first, unsigned int apart, unsigned int count) {
    pack<Accumulator, 1> folded;
    FOLDWISE_NOT_UNROLLED
    for (unsigned int from = 0; from < count; from += Together) {
        const auto place = [&](int i) { return from + static_cast<unsigned int>(i); };
        pack<Accumulator, Together> some;
        FOLDWISE_UNROLLED
        for (int i = 0; i < Together; ++i) some[i] = first[(place(i) < count ? place(i) : count - 1) * apart];
        FOLDWISE_UNROLLED
        for (int i = 0; i < Together; ++i)
            if (place(i) < count) folded[0] = place(i) > 0 ? Steps::combine(folded[0], some[i]) : some[i];
    }
    return folded[0];
}

/// Shared memory for fold_columns_of_block() where each thread has `Width` columns.
template <int Threads, int Width, class Accumulator> struct column_memory {
    static constexpr int size = static_cast<int>(sizeof(Accumulator));
    /// The padding between the columns of a thread, which puts neighbouring columns into different banks.
    static constexpr int apart = Width == 1 ? 0 : 128 / (size * Width) > 1 ? 128 / (size * Width) : 1;
    static constexpr int pitch = Threads + apart;

    Accumulator* parts;

    __device__ static column_memory shared() {
        alignas(Accumulator) __shared__ unsigned char memory[Width * pitch * size];
        return {reinterpret_cast<Accumulator*>(memory)};
    }

    /// Returns the first partial result of a column, which the result replaces.
    __device__ Accumulator& operator[](unsigned int column) const {
        return parts[column % Width * pitch + column / Width];
    }
};

/// Thread y * across + x has a partial result for each of the x-th `Width` columns if y < filled. Combines these in the
/// order of y and leaves one result for every column in the memory; thread i then sees those of the columns i, i + the
/// number of threads, and so on. There are at most `Threads` threads. A thread combines up to 16 at a time, or pairs
/// where combining may be expensive, as a tree.
template <int Threads, int Width, class Steps, class Accumulator>
__device__ inline void
fold_columns_of_block(pack<Accumulator, Width>& mine, const detail::divider<std::uint32_t>& across, unsigned int x,
                      unsigned int y, unsigned int filled, column_memory<Threads, Width, Accumulator> memory) {
    using layout = column_memory<Threads, Width, Accumulator>;
    constexpr int levels = !Steps::commutes || sizeof(Accumulator) > 8 ? 1 : 4;  // of pairs, that a thread combines
    constexpr unsigned int in_flight = levels == 1 ? 2 : 4;
    const unsigned int columns = across.divisor;
    int done = 0;  // levels of pairs that warps have combined
    // Threads with the same columns are at the same distances in each warp if the number of columns is a power of two.
    const unsigned int reach = across.is_power_of_two() ? warp_size : 0;
    FOLDWISE_NOT_UNROLLED
    for (; columns << done < reach; ++done) {
        const unsigned int apart = 1u << done;
        FOLDWISE_UNROLLED
        for (int k = 0; k < Width; ++k) {
            const Accumulator other = shuffle_down(mine[k], static_cast<int>(columns << done));
            if ((y & (2 * apart - 1)) == 0 && y + apart < filled) mine[k] = Steps::combine(mine[k], other);
        }
    }
    if ((y & ((1u << done) - 1)) == 0 && y < filled) {
        FOLDWISE_UNROLLED
        for (int k = 0; k < Width; ++k)
            memory.parts[static_cast<unsigned int>(k) * layout::pitch + (y >> done) * columns + x] = mine[k];
    }
    __syncthreads();
    const unsigned int rows = (filled + (1u << done) - 1) >> done;
    FOLDWISE_NOT_UNROLLED
    for (int level = 0; rows > 1u << level; level += levels) {
        if (level > 0) __syncthreads();
        const unsigned int places = (((rows - 1) >> (level + levels)) + 1) * columns * Width;
        FOLDWISE_NOT_UNROLLED
        for (unsigned int i = threadIdx.x; i < places; i += blockDim.x) {
            std::uint32_t row = i / Width;
            const unsigned int column = across.split(row);
            row <<= level + levels;
            Accumulator* const part = memory.parts + i % Width * layout::pitch + row * columns + column;
            const unsigned int left = ((rows - 1 - row) >> level) + 1,
                               count = left < 1u << levels ? left : 1u << levels;
            part[0] = fold_apart<Steps, in_flight>(part, columns << level, count);
        }
    }
}

/// Counts the calling thread's block and returns whether it is the last of `blocks`. What the calling thread of each
/// block has written, or has seen written, before is visible to the last one. The counter is zero before and after.
__device__ inline bool is_last_of(unsigned int* counter, unsigned int blocks) {
#ifdef FOLDWISE_SIMULATOR
    __threadfence();
    const bool is_last = atomicInc(counter, blocks - 1) == blocks - 1;
    __threadfence();
    return is_last;
#else
    unsigned int before;
    asm volatile("atom.acq_rel.gpu.inc.u32 %0, [%1], %2;" : "=r"(before) : "l"(counter), "r"(blocks - 1) : "memory");
    return before == blocks - 1;
#endif
}

/// Returns whether this block is the last of `blocks` to call this. What the others have written before is visible to
/// it. The counter is zero before and after.
__device__ inline bool is_last_block(unsigned int* counter, unsigned int blocks) {
    __shared__ bool is_last;
    __syncthreads();
    if (threadIdx.x == 0) is_last = is_last_of(counter, blocks);
    __syncthreads();
    return is_last;
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
