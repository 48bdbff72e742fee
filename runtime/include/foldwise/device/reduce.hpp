// foldwise/device/reduce.hpp: what emitted reductions are made of.
//
// One launch folds everything: threads fold what they read, warps and blocks what their threads have, and the block
// that is last to leave its part in the workspace folds all blocks' parts, in their order. So the result is the same
// bits in every run; it depends on the number of elements, on how they are aligned, and on the number of
// multiprocessors.
#pragma once

#include <foldwise/detail/reduce_kernel.hpp>
#include <foldwise/device/elementwise.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

inline constexpr int warp_size = 32;

/// Elements that are loaded together.
template <access Access, int Width> inline constexpr int width_of = Access == access::strided ? 1 : Width;

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

/// Folds the warp's parts in the order of its lanes; the first lane gets the result.
template <class Steps> __device__ inline void fold_warp(partial<Steps>& mine) {
    const unsigned int lane = threadIdx.x % warp_size;
    FOLDWISE_UNROLLED
    for (int distance = 1; distance < warp_size; distance *= 2) {
        const partial<Steps> other = shuffle_down(mine, distance);
        if (lane % (2 * static_cast<unsigned int>(distance)) == 0) mine.append(other);
    }
}

/// Folds the block's parts in the order of its threads; the first thread gets the result.
template <int Threads, class Steps> __device__ inline void fold_block(partial<Steps>& mine) {
    constexpr unsigned int warps = Threads / warp_size;
    static_assert(Threads % warp_size == 0 && warps <= warp_size);
    alignas(partial<Steps>) __shared__ unsigned char parts[warps][sizeof(partial<Steps>)];
    const unsigned int warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
    fold_warp(mine);
    if (lane == 0) memcpy(parts[warp], &mine, sizeof mine);
    __syncthreads();
    if (warp == 0) {
        mine = partial<Steps>();
        if (lane < warps) memcpy(&mine, parts[lane], sizeof mine);
        fold_warp(mine);
    }
    __syncthreads();  // the next call writes the parts again
}

/// Where a launch leaves its result.
template <class Steps> struct fold_target {
    using accumulator = typename Steps::accumulator;

    typename Steps::result* out;
    unsigned int* counter;    ///< Of blocks that are done; zero between launches.
    partial<Steps>* carried;  ///< From the launch before to this one, and from this one to the next.
    partial<Steps>* parts;    ///< One for each block.
    std::int64_t chunk;       ///< Elements that a warp reads where their order is kept.
    partial<Steps> initial;   ///< Comes before all elements.
    bool is_first, is_last;
};

/// The numbers of the first element and of the one behind the last.
template <access Access> __device__ inline std::int64_t first_of(const range<Access>& elements) {
    return elements.begin;
}
template <access Access> __device__ inline std::int64_t end_of(const range<Access>& elements) { return elements.end; }
__device__ inline std::int64_t first_of(const range<access::strided>&) { return 0; }
__device__ inline std::int64_t end_of(const range<access::strided>& range) { return range.elements.count; }

/// Where an element lies.
template <access Access> __device__ inline position place_of(const range<Access>&, std::int64_t number) {
    return {number, 0};
}
__device__ inline strided_position place_of(const range<access::strided>& range, std::int64_t number) {
    return range.elements.position(static_cast<std::uint32_t>(number));
}

/// This thread's part if elements may be combined in any order: tiles of neighbours, those of all threads side by side.
template <int Threads, class Elements, class Steps, access Access>
__device__ inline void fold_tiles(const Elements& elements, const range<Access>& range, partial<Steps>& mine) {
    using accumulator = typename Steps::accumulator;
    constexpr int width = Elements::width;
    constexpr int loads = 4;  // in flight
    const std::int64_t first = first_of(range), end = end_of(range);
    const std::int64_t begin_whole = (first + width - 1) / width, end_whole = end / width;
    const std::int64_t stride = std::int64_t{gridDim.x} * Threads;
    std::int64_t number = begin_whole + std::int64_t{blockIdx.x} * Threads + threadIdx.x;
    if (number < end_whole) {
        union sums {
            accumulator lane[width];
            __device__ sums() {}
        } sum;
        const auto at = place_of(range, number * width);
        const auto tile = elements.load(at);
        FOLDWISE_UNROLLED
        for (int k = 0; k < width; ++k) sum.lane[k] = elements.mapped(tile, at, k);
        number += stride;
        for (; number + (loads - 1) * stride < end_whole; number += loads * stride) {
            typename Elements::tile tiles[loads];
            FOLDWISE_UNROLLED
            for (int i = 0; i < loads; ++i) tiles[i] = elements.load(place_of(range, (number + i * stride) * width));
            FOLDWISE_UNROLLED
            for (int i = 0; i < loads; ++i) {
                const auto place = place_of(range, (number + i * stride) * width);
                FOLDWISE_UNROLLED
                for (int k = 0; k < width; ++k)
                    sum.lane[k] = Steps::combine(sum.lane[k], elements.mapped(tiles[i], place, k));
            }
        }
        for (; number < end_whole; number += stride) {
            const auto place = place_of(range, number * width);
            const auto last = elements.load(place);
            FOLDWISE_UNROLLED
            for (int k = 0; k < width; ++k) sum.lane[k] = Steps::combine(sum.lane[k], elements.mapped(last, place, k));
        }
        FOLDWISE_UNROLLED
        for (int step = 1; step < width; step *= 2) {
            FOLDWISE_UNROLLED
            for (int k = 0; k + step < width; k += 2 * step)
                sum.lane[k] = Steps::combine(sum.lane[k], sum.lane[k + step]);
        }
        mine.append(sum.lane[0]);
    }
    // Those before the first whole tile and behind the last one.
    if (blockIdx.x != 0) return;
    const std::int64_t whole_from = begin_whole * width, whole_to = end_whole * width;
    if (whole_from >= whole_to) {
        const std::int64_t single = first + threadIdx.x;
        if (single < end) mine.append(elements.mapped(place_of(range, single)));
        return;
    }
    const std::int64_t ahead = whole_from - first, behind = end - whole_to;
    if (threadIdx.x < ahead) mine.append(elements.mapped(place_of(range, first + threadIdx.x)));
    if (threadIdx.x < behind) mine.append(elements.mapped(place_of(range, whole_to + threadIdx.x)));
}

/// The same if their order is kept: a contiguous chunk for each warp. Its first lane gets the warp's part.
template <int Threads, class Elements, class Steps, access Access>
__device__ inline void fold_chunk(const Elements& elements, const range<Access>& range, std::int64_t chunk,
                                  partial<Steps>& mine) {
    constexpr int width = Elements::width;
    const std::int64_t warp = std::int64_t{blockIdx.x} * (Threads / warp_size) + threadIdx.x / warp_size;
    const std::int64_t lane = threadIdx.x % warp_size, first = first_of(range);
    const std::int64_t begin = warp * chunk;
    const std::int64_t end = begin + chunk < end_of(range) ? begin + chunk : end_of(range);
    for (std::int64_t row = begin; row < end; row += warp_size * width) {
        const std::int64_t from = row + lane * width, to = from + width;
        partial<Steps> part;
        if (from >= first && to <= end) {
            const auto at = place_of(range, from);
            const auto tile = elements.load(at);
            FOLDWISE_UNROLLED
            for (int k = 0; k < width; ++k) part.append(elements.mapped(tile, at, k));
        } else {
            FOLDWISE_NOT_UNROLLED
            for (std::int64_t i = from < first ? first : from; i < to && i < end; ++i)
                part.append(elements.mapped(place_of(range, i)));
        }
        fold_warp(part);
        if (lane == 0) mine.append(part);
    }
}

/// Whether this block is the last one to come here. What blocks have written before it is visible to that one.
__device__ inline bool is_last_block(unsigned int* counter) {
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        __threadfence();
        is_last = atomicAdd(counter, 1u) == gridDim.x - 1;
        if (is_last) *counter = 0;
        __threadfence();
    }
    __syncthreads();
    return is_last;
}

/// What is before this launch's elements, these, and what follows from them.
template <class Steps>
__device__ inline void finish_fold(const fold_target<Steps>& target, const partial<Steps>& folded) {
    partial<Steps> all = target.is_first ? target.initial : *target.carried;
    all.append(folded);
    if constexpr (Steps::has_identity) {
        if (!all.is_some) all.append(Steps::identity());
    }
    if (target.is_last)
        *target.out = Steps::finish(all.value);
    else
        *target.carried = all;
}

/// The whole kernel.
template <int Threads, class Elements, access Access, class Steps>
__device__ inline void fold_all(const Elements& elements, const range<Access>& range,
                                const fold_target<Steps>& target) {
    wait_for_previous_kernel();
    partial<Steps> mine;
    if constexpr (Steps::commutes)
        fold_tiles<Threads>(elements, range, mine);
    else
        fold_chunk<Threads>(elements, range, target.chunk, mine);
    fold_block<Threads>(mine);
    if (gridDim.x == 1) {
        if (threadIdx.x == 0) finish_fold(target, mine);
        return;
    }
    if (threadIdx.x == 0) target.parts[blockIdx.x] = mine;
    if (!is_last_block(target.counter)) return;

    const unsigned int share = (gridDim.x + Threads - 1) / Threads;
    partial<Steps> parts;
    for (unsigned int block = threadIdx.x * share; block < (threadIdx.x + 1) * share && block < gridDim.x; ++block)
        parts.append(target.parts[block]);
    fold_block<Threads>(parts);
    if (threadIdx.x == 0) finish_fold(target, parts);
}

#ifdef FOLDWISE_SIMULATOR

inline int multiprocessors() { return 2; }

#else

/// Of the current GPU; asked once for each.
inline int multiprocessors() {
    constexpr int devices = 64;
    static int known[devices] = {};
    int device = 0, count = 0;
    if (cudaGetDevice(&device) != cudaSuccess) return 1;
    if (device < devices && (count = __atomic_load_n(&known[device], __ATOMIC_RELAXED)) > 0) return count;
    if (cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device) != cudaSuccess) return 1;
    if (device < devices) __atomic_store_n(&known[device], count, __ATOMIC_RELAXED);
    return count;
}

#endif

/// The blocks that a launch has at most: as many as run at once.
inline std::int64_t largest_grid() {
    const std::int64_t wanted = std::int64_t{4} * multiprocessors();
    return wanted < detail::reduce_blocks ? wanted : std::int64_t{detail::reduce_blocks};
}

/// How many elements a range has, counted from where its numbers begin.
template <access Access> std::int64_t reach_of(const range<Access>& range) { return range.end; }
inline std::int64_t reach_of(const range<access::strided>& range) { return range.elements.count; }

/// Launches a kernel that calls fold_all, with a block for each `Threads` tiles or, beyond largest_grid(), with several
/// of them for each thread.
template <int Threads, class Kernel, class Elements, access Access>
int launch_fold(Kernel kernel, const Elements& elements, const range<Access>& range, const detail::reduce_call& call,
                CUstream_st* stream) {
    using steps = typename Elements::steps;
    constexpr std::int64_t row = std::int64_t{warp_size} * Elements::width, warps = Threads / warp_size;
    const std::int64_t rows = (reach_of(range) + row - 1) / row;
    std::int64_t blocks = (rows + warps - 1) / warps;
    if (blocks > largest_grid()) blocks = largest_grid();

    fold_target<steps> target{};
    target.out = static_cast<typename steps::result*>(call.out);
    target.counter = static_cast<unsigned int*>(call.workspace.counters);
    target.carried = static_cast<partial<steps>*>(call.workspace.parts);
    target.parts = target.carried + 1;
    target.is_first = call.is_first;
    target.is_last = call.is_last;
    if (call.initial) {
        memcpy(&target.initial.value, call.initial, sizeof target.initial.value);
        target.initial.is_some = true;
    }
    if (blocks > 0) {
        const std::int64_t rows_each = (rows + blocks * warps - 1) / (blocks * warps);
        target.chunk = rows_each * row;
        // Rounding up may have left the last blocks without any.
        if (!steps::commutes) blocks = (rows + rows_each * warps - 1) / (rows_each * warps);
    }
    const dim3 grid{static_cast<unsigned int>(blocks > 0 ? blocks : 1), 1, 1}, block{Threads, 1, 1};
    return launch_with_barriers(kernel, grid, block, 0, stream, elements, range, target);
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
