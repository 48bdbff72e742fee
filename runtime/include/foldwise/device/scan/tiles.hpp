// foldwise/device/scan/tiles.hpp: how a block scans a tile.
//
// Threads load vectors of a tile side by side, map them, and put the accumulators into shared memory. There each thread
// has neighbouring ones, its chunk: it combines them, learns what all chunks before it make, in its warp, its block and
// the tiles before, and replaces each by what the elements up to it make. Threads then store vectors side by side.
#pragma once

#include <foldwise/device/scan/chain.hpp>
#include <foldwise/device/scan/operands.hpp>
#include <foldwise/device/scan/restarts.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// A block's tile in shared memory.
template <int Threads, class Elements> struct tile_memory {
    using steps = typename Elements::steps;
    using accumulator = typename steps::accumulator;
    static constexpr int width = Elements::width, warps = Threads / warp_size;
    static constexpr int rows = detail::scan_rows(Threads, width, sizeof(accumulator));  ///< Vectors of a chunk.
    static constexpr int each = rows * width;                                            ///< Elements of a chunk.

    pack<accumulator, width> vectors[Threads * rows];
    unsigned short places[Threads * rows];  ///< At which elements of a vector the scan begins anew, as bits.
    chain_state<steps, warps> chain;

    /// Returns where a vector of the tile is. The vectors of a chunk are permuted so that eight threads that read
    /// vectors of 16 bytes at once read all banks.
    __device__ static int slot(int vector) {
        constexpr bool is_permuted = (rows & (rows - 1)) == 0;
        constexpr int group = rows < 8 ? 8 / rows : 1;  // chunks that are apart by all banks or less
        return is_permuted ? vector ^ (vector / rows / group % rows) : vector;
    }
};

/// Returns how many blocks of a kernel are to share a multiprocessor: as many as have room for their tiles, but no more
/// than leave each thread 48 registers or, for large accumulators, 64.
template <class Elements> constexpr int scan_blocks(int threads) {
    const int registers = sizeof(typename Elements::steps::accumulator) <= 8 ? 48 : 64, all = 65536;
    return all / (registers * threads);
}

/// Returns how many of the elements of a vector exist that begins with the one numbered `first`.
template <int Count> __device__ inline int count_of(const detail::scan_range& range, std::int64_t first) {
    const std::int64_t left = range.count - first;
    return left <= 0 ? 0 : left < Count ? static_cast<int>(left) : Count;
}

/// A thread's neighbouring elements in shared memory.
template <class Memory> class scan_chunk {
  public:
    using steps = typename Memory::steps;
    using accumulator = typename Memory::accumulator;
    static constexpr int width = Memory::width, each = Memory::each;

    /// The elements from the one numbered `begin` on are in shared memory.
    __device__ scan_chunk(Memory& memory, const scan_task<steps>& task, std::int64_t begin)
        : memory_(memory), task_(task), first_(static_cast<int>(threadIdx.x) * Memory::rows) {
        const std::int64_t first = begin + std::int64_t{first_} * width;
        count_ = count_of<each>(task, first);
        if (count_ == 0) return;
        if (task.restarts) {
            next_ = begin_from(0);
        } else {
            auto row = static_cast<std::uint64_t>(first);
            const std::uint64_t in_row = task.length.split(row);
            next_ = in_row == 0 ? 0 : nearest(task.length.divisor - in_row);
        }
        first_begin_ = next_;
        is_plain_ = count_ == each && (next_ > 0 ? next_ : begin_after(0)) >= each;
    }

    /// Returns what the elements make.
    __device__ stretch<steps> folded() {
        if (is_plain()) {
            const partial<steps> ahead = start();
            accumulator all = ahead.value;
            for (int j = 0; j < Memory::rows; ++j) {
                const pack<accumulator, width> vector = memory_.vectors[Memory::slot(first_ + j)];
                FOLDWISE_UNROLLED
                for (int k = 0; k < width; ++k)
                    all = k > 0 || j > 0 || ahead.is_some ? steps::combine(all, vector[k]) : vector[k];
            }
            return {partial<steps>(all), begins_first()};
        }
        partial<steps> all;
        bool begins = false;
        FOLDWISE_NOT_UNROLLED
        for (int k = 0; k < count_; ++k) {
            if (begins_at(k)) {
                all = task_.start();
                begins = true;
            }
            all.append(at(k));
        }
        next_ = first_begin_;
        return {all, begins};
    }

    /// Replaces each element by what those up to it make, or those before it, with what precedes the chunk.
    __device__ void scan(const partial<steps>& before) {
        if (is_plain()) {
            const partial<steps> ahead = begins_first() ? task_.start() : before;
            accumulator so_far = ahead.value;
            for (int j = 0; j < Memory::rows; ++j) {
                pack<accumulator, width>& place = memory_.vectors[Memory::slot(first_ + j)];
                pack<accumulator, width> vector = place;
                FOLDWISE_UNROLLED
                for (int k = 0; k < width; ++k) {
                    const accumulator next =
                        k > 0 || j > 0 || ahead.is_some ? steps::combine(so_far, vector[k]) : vector[k];
                    vector[k] = task_.is_exclusive ? so_far : next;
                    so_far = next;
                }
                place = vector;
            }
            return;
        }
        partial<steps> so_far = before;
        FOLDWISE_NOT_UNROLLED
        for (int k = 0; k < count_; ++k) {
            if (begins_at(k)) so_far = task_.start();
            const partial<steps> before_element = so_far;
            so_far.append(at(k));
            at(k) = task_.is_exclusive ? before_element.value : so_far.value;
        }
    }

  private:
    /// Returns whether the chunk is full, and the scan begins anew at its first element at most.
    __device__ bool is_plain() const { return is_plain_; }
    __device__ bool begins_first() const { return first_begin_ == 0; }

    /// Returns what precedes the first element if the scan begins anew there, or nothing.
    __device__ partial<steps> start() const { return begins_first() ? task_.start() : partial<steps>(); }

    __device__ accumulator& at(int k) const { return memory_.vectors[Memory::slot(first_ + k / width)][k % width]; }

    /// Returns a distance if it is less than the chunk's length, and otherwise that length.
    __device__ static int nearest(std::uint64_t distance) {
        return distance < each ? static_cast<int>(distance) : each;
    }

    /// Returns the first element from the k-th on at which the scan begins anew, or the length if there is none.
    __device__ int begin_from(int k) const {
        FOLDWISE_NOT_UNROLLED
        for (; k < each; ++k)
            if (memory_.places[first_ + k / width] >> k % width & 1) break;
        return k;
    }

    /// Returns the next element at which the scan begins anew, behind the k-th, where it does.
    __device__ int begin_after(int k) const {
        return task_.restarts ? begin_from(k + 1) : nearest(static_cast<std::uint64_t>(k) + task_.length.divisor);
    }

    /// Returns whether the scan begins anew at the k-th element; called for each in turn.
    __device__ bool begins_at(int k) {
        if (k != next_) return false;
        next_ = begin_after(k);
        return true;
    }

    Memory& memory_;
    const scan_task<steps>& task_;
    int first_;        ///< The chunk's first vector in the tile.
    int count_;        ///< The number of its elements.
    int next_ = each;  ///< The next element at which the scan begins anew.
    int first_begin_ = each;
    bool is_plain_ = false;
};

/// Returns whether all elements of a tile exist that begins with the one numbered `begin`.
template <class Memory, int Threads>
__device__ inline bool is_full(const detail::scan_range& range, std::int64_t begin) {
    return begin + Threads * Memory::each <= range.count;
}

/// Loads and maps a tile that begins with the element numbered `begin`.
template <int Threads, class Elements, class Memory, class Steps>
__device__ inline void load_tile(const Elements& elements, const scan_task<Steps>& task, Memory& memory,
                                 std::int64_t begin) {
    constexpr int width = Memory::width, rows = Memory::rows;
    const auto thread = static_cast<int>(threadIdx.x);
    if (is_full<Memory, Threads>(task, begin)) {
        constexpr int together = rows < 4 ? rows : 4;  // as many loads are in flight at once
        FOLDWISE_NOT_UNROLLED
        for (int from = 0; from < rows; from += together) {
            pack<typename Steps::accumulator, width> mapped[together];
            FOLDWISE_UNROLLED
            for (int i = 0; i < together; ++i)
                if (rows % together == 0 || from + i < rows)
                    elements.load(task, begin + ((from + i) * Threads + thread) * width, width, mapped[i]);
            FOLDWISE_UNROLLED
            for (int i = 0; i < together; ++i)
                if (rows % together == 0 || from + i < rows)
                    memory.vectors[Memory::slot((from + i) * Threads + thread)] = mapped[i];
        }
    } else {
        FOLDWISE_NOT_UNROLLED
        for (int i = 0; i < rows; ++i) {
            const std::int64_t first = begin + (i * Threads + thread) * width;
            const int count = count_of<width>(task, first);
            if (count > 0) elements.load(task, first, count, memory.vectors[Memory::slot(i * Threads + thread)]);
        }
    }
    if (!task.restarts) return;
    FOLDWISE_NOT_UNROLLED
    for (int i = 0; i < rows; ++i) {
        const std::int64_t first = begin + (i * Threads + thread) * width;
        const int count = count_of<width>(task, first);
        memory.places[i * Threads + thread] =
            static_cast<unsigned short>(count > 0 ? places_to_begin(task, first, count) : 0);
    }
}

/// Stores the results of a tile that begins with the element numbered `begin`.
template <int Threads, class Elements, class Memory, class Steps>
__device__ inline void store_tile(const Elements& elements, const scan_task<Steps>& task, const Memory& memory,
                                  std::int64_t begin) {
    constexpr int width = Memory::width, rows = Memory::rows;
    const auto thread = static_cast<int>(threadIdx.x);
    if (is_full<Memory, Threads>(task, begin)) {
        for (int i = 0; i < rows; ++i) {
            const pack<typename Steps::accumulator, width> folded = memory.vectors[Memory::slot(i * Threads + thread)];
            pack<typename Steps::result, width> results;
            FOLDWISE_UNROLLED
            for (int k = 0; k < width; ++k) results[k] = Steps::finish(folded[k]);
            elements.store(task, begin + (i * Threads + thread) * width, width, results);
        }
        return;
    }
    FOLDWISE_NOT_UNROLLED
    for (int i = thread; i < Threads * rows * width; i += Threads) {
        if (begin + i >= task.count) return;
        pack<typename Steps::result, 1> result;
        result[0] = Steps::finish(memory.vectors[Memory::slot(i / width)][i % width]);
        elements.store(task, begin + i, 1, result);
    }
}

/// Scans all elements. `Elements` loads, maps and stores them.
template <int Threads, class Elements, class Steps>
__device__ inline void scan(const Elements& elements, const scan_task<Steps>& task) {
    using memory_of_tile = tile_memory<Threads, Elements>;
    constexpr int warps = memory_of_tile::warps;
    alignas(memory_of_tile) __shared__ unsigned char bytes[sizeof(memory_of_tile)];
    memory_of_tile& memory = *reinterpret_cast<memory_of_tile*>(bytes);
    const int lane = static_cast<int>(threadIdx.x) % warp_size, warp = static_cast<int>(threadIdx.x) / warp_size;
    check_offsets(task);
    if (has_failed()) return;
    tile_chain<Steps, warps> chain(task, memory.chain);
    for (unsigned int tile = chain.tile(); tile < task.tiles;) {
        if (has_failed()) return;  // the thread that takes tickets may be the one that has stopped
        const std::int64_t begin = std::int64_t{tile} * (Threads * memory_of_tile::each);
        load_tile<Threads>(elements, task, memory, begin);
        __syncthreads();
        scan_chunk<memory_of_tile> chunk(memory, task, begin);
        stretch<Steps> upto = chunk.folded();
        scan_lanes(upto);
        if (lane == warp_size - 1) memory.chain.of_warps[warp] = upto;
        const stretch<Steps> ahead = shuffle_up(upto, 1);
        __syncthreads();
        if (warp == 0) chain.link(tile);
        __syncthreads();
        stretch<Steps> before = memory.chain.before;
        before.append(memory.chain.of_warps[warp]);
        if (lane > 0) before.append(ahead);
        chunk.scan(before.folded());
        __syncthreads();
        store_tile<Threads>(elements, task, memory, begin);
        tile = chain.tile();
        __syncthreads();
    }
    chain.leave();
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
