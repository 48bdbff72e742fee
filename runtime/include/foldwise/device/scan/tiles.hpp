// foldwise/device/scan/tiles.hpp: how a block scans a tile.
//
// Threads load vectors of a tile side by side, map them, and put the accumulators into shared memory. There each thread
// has neighbouring ones, its chunk: it combines them, learns the aggregate of all chunks before it in its warp, its
// block and the tiles before, and replaces each accumulator by the combination of the elements up to it. Threads then
// store vectors side by side.
#pragma once

#include <foldwise/device/scan/chain.hpp>
#include <foldwise/device/scan/operands.hpp>
#include <foldwise/device/scan/restarts.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// A block's tile in shared memory.
template <int Threads, class Elements> struct tile_memory {
    using steps = typename Elements::steps;
    using accumulator = typename steps::accumulator;
    static constexpr int width = Elements::width, warps = Threads / warp_size;
    static constexpr int most_rows = detail::scan_rows(Threads, width, sizeof(accumulator));

    pack<accumulator, width> vectors[Threads * most_rows];
    unsigned short places[Threads * most_rows];  ///< At which elements of a vector the scan begins anew, as bits.
    chain_state<steps, warps> chain;

    /// Returns where a vector of the tile is. The vectors of a chunk are permuted so that eight threads that read
    /// vectors of 16 bytes at once read all banks: `rows` is a power of two of at most eight.
    __device__ static int slot(int vector, int rows) { return vector ^ key(vector, rows); }
    /// Returns what permutes the vectors of a chunk; it is the same for vectors that are a multiple of 64 apart.
    __device__ static int key(int vector, int rows) { return vector / 8 & (rows - 1); }
};

/// Returns how many blocks of a kernel are to share a multiprocessor: as many as have room for their tiles, but no more
/// than leave each thread 48 registers or, for large accumulators, 64; and no more threads than it runs.
template <class Elements> constexpr int scan_blocks(int threads) {
    const int registers = sizeof(typename Elements::steps::accumulator) <= 8 ? 48 : 64, all = 65536;
    const int blocks = all / (registers * threads), most = multiprocessor_threads / threads;
    return blocks < most ? blocks : most;
}

/// Returns how many of the `most` elements from the one numbered `first` on exist.
__device__ inline int count_of(const detail::scan_range& range, std::int64_t first, int most) {
    const std::int64_t left = range.count - first;
    return left <= 0 ? 0 : left < most ? static_cast<int>(left) : most;
}

/// Combines what precedes some vectors, of which there is at least one, with all of their elements. vector_at(j) is the
/// j-th.
template <class Steps, class VectorAt>
__device__ inline typename Steps::accumulator fold_vectors(int count, const partial<Steps>& ahead,
                                                           const VectorAt& vector_at) {
    typename Steps::accumulator all = ahead.value;
    for (int j = 0; j < count; ++j) {
        const auto vector = vector_at(j);
        FOLDWISE_UNROLLED
        for (int k = 0; k < vector.size; ++k)
            all = k > 0 || j > 0 || ahead.is_some ? Steps::combine(all, vector[k]) : vector[k];
    }
    return all;
}

/// Replaces each of their elements by the combination of what precedes the vectors and the elements up to it or, in an
/// exclusive scan, before it.
template <class Steps, class VectorAt>
__device__ inline void scan_vectors(int count, const partial<Steps>& ahead, bool is_exclusive,
                                    const VectorAt& vector_at) {
    typename Steps::accumulator so_far = ahead.value;
    for (int j = 0; j < count; ++j) {
        auto& place = vector_at(j);
        auto vector = place;
        FOLDWISE_UNROLLED
        for (int k = 0; k < vector.size; ++k) {
            const typename Steps::accumulator next =
                k > 0 || j > 0 || ahead.is_some ? Steps::combine(so_far, vector[k]) : vector[k];
            vector[k] = is_exclusive ? so_far : next;
            so_far = next;
        }
        place = vector;
    }
}

/// A thread's neighbouring elements in shared memory.
template <class Memory> class scan_chunk {
  public:
    using steps = typename Memory::steps;
    using accumulator = typename Memory::accumulator;
    static constexpr int width = Memory::width;

    /// The elements from the one numbered `begin` on are in shared memory.
    __device__ scan_chunk(Memory& memory, const scan_task<steps>& task, std::int64_t begin)
        : memory_(memory), task_(task), first_(static_cast<int>(threadIdx.x) * task.rows),
          key_(Memory::key(first_, task.rows)), number_(begin + std::int64_t{first_} * width) {
        const int each = length();
        const std::int64_t first = number_;
        count_ = count_of(task, first, each);
        next_ = first_begin_ = each;
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

    /// Returns the aggregate of the elements.
    __device__ stretch<steps> folded() {
        if (is_plain()) {
            const accumulator all = fold_vectors<steps>(
                task_.rows, start(), [&](int j) -> auto& { return vector_at(j); });
            return {partial<steps>(all), begins_first()};
        }
        partial<steps> all;
        bool begins = false;
        FOLDWISE_NOT_UNROLLED
        for (int k = 0; k < count_; ++k) {
            if (begins_at(k)) {
                all = start_at(k);
                begins = true;
            }
            all.append(at(k));
        }
        next_ = first_begin_;
        return {all, begins};
    }

    /// Replaces each element by the combination of those up to it, or of those before it, beginning with what precedes
    /// the chunk.
    __device__ void scan(const partial<steps>& before) {
        if (is_plain()) {
            scan_vectors<steps>(
                task_.rows, begins_first() ? start_at(0) : before,
                task_.is_exclusive, [&](int j) -> auto& { return vector_at(j); });
            return;
        }
        partial<steps> so_far = before;
        FOLDWISE_NOT_UNROLLED
        for (int k = 0; k < count_; ++k) {
            if (begins_at(k)) so_far = start_at(k);
            const partial<steps> before_element = so_far;
            so_far.append(at(k));
            at(k) = task_.is_exclusive ? before_element.value : so_far.value;
        }
    }

  private:
    /// Returns the number of elements of a full chunk.
    __device__ int length() const { return task_.rows * width; }
    __device__ auto& vector_at(int row) const { return memory_.vectors[first_ + (row ^ key_)]; }

    /// Returns whether the chunk is full, and the scan begins anew at its first element at most.
    __device__ bool is_plain() const { return is_plain_; }
    __device__ bool begins_first() const { return first_begin_ == 0; }

    /// Returns what precedes the first element if the scan begins anew there, or nothing.
    __device__ partial<steps> start() const { return begins_first() ? start_at(0) : partial<steps>(); }

    /// Returns what precedes the k-th element, where the scan begins anew.
    __device__ partial<steps> start_at(int k) const {
        if (!task_.starts) return task_.start();
        auto row = static_cast<std::uint64_t>(number_ + k);
        task_.length.split(row);
        return task_.start_of(row);
    }

    __device__ accumulator& at(int k) const { return vector_at(k / width)[k % width]; }

    /// Returns a distance if it is less than the chunk's length, and otherwise that length.
    __device__ int nearest(std::uint64_t distance) const {
        return distance < static_cast<unsigned int>(length()) ? static_cast<int>(distance) : length();
    }

    /// Returns the first element from the k-th on at which the scan begins anew, or the length if there is none.
    __device__ int begin_from(int k) const {
        FOLDWISE_NOT_UNROLLED
        for (; k < length(); ++k)
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
    int first_;            ///< The chunk's first vector in the tile.
    int key_;              ///< What permutes its vectors.
    std::int64_t number_;  ///< The number of its first element.
    int count_;            ///< The number of its elements.
    int next_;             ///< The next element at which the scan begins anew.
    int first_begin_;      ///< The first one.
    bool is_plain_ = false;
};

/// The vectors of a tile that a thread loads and stores: one of each row.
template <int Threads, int Width> struct tile_share {
    std::int64_t first;  ///< The number of the first one's first element.
    int whole;           ///< How many have all their elements.
    int rest;            ///< How many elements the next one has.

    __device__ tile_share(const detail::scan_range& range, unsigned int tile)
        : first((std::int64_t{tile} * range.rows * Threads + threadIdx.x) * Width) {
        const std::int64_t left = range.count - first, vectors = left < Width ? 0 : (left - Width) / step + 1;
        whole = vectors < range.rows ? static_cast<int>(vectors) : range.rows;
        rest = whole < range.rows ? count_of(range, first_of(whole), Width) : 0;
    }

    /// Returns the number of the first element of a vector.
    __device__ std::int64_t first_of(int row) const { return first + row * step; }

  private:
    static constexpr std::int64_t step = Threads * Width;
};

/// Loads and maps a thread's share of a tile, and puts it into shared memory.
template <int Threads, class Elements, class Steps, class Share, class Memory>
__device__ inline void load_tile(const Elements& elements, const scan_task<Steps>& task, const Share& share,
                                 Memory& memory) {
    constexpr int width = Elements::width, together = Memory::most_rows < 4 ? Memory::most_rows : 4;
    const auto thread = static_cast<int>(threadIdx.x), slot = Memory::slot(thread, task.rows);
    const auto load_some = [&](auto some, int from) {  // as many loads are in flight at once
        pack<typename Steps::accumulator, width> mapped[some];
        FOLDWISE_UNROLLED
        for (int i = 0; i < some; ++i) load_mapped(elements, task, share.first_of(from + i), width, mapped[i]);
        FOLDWISE_UNROLLED
        for (int i = 0; i < some; ++i) memory.vectors[(from + i) * Threads + slot] = mapped[i];
    };
    int from = 0;
    FOLDWISE_NOT_UNROLLED
    for (; from + together <= share.whole; from += together) load_some(std::integral_constant<int, together>(), from);
    FOLDWISE_NOT_UNROLLED
    for (; together > 1 && from < share.whole; ++from) load_some(std::integral_constant<int, 1>(), from);
    if (share.rest > 0)
        load_mapped(elements, task, share.first_of(share.whole), share.rest,
                    memory.vectors[share.whole * Threads + slot]);
    if (!task.restarts) return;
    FOLDWISE_NOT_UNROLLED
    for (int i = 0; i < task.rows; ++i) {
        const int count = i < share.whole ? width : i == share.whole ? share.rest : 0;
        memory.places[i * Threads + thread] =
            static_cast<unsigned short>(count > 0 ? places_to_begin(task, share.first_of(i), count) : 0);
    }
}

/// Stores what the rows make that end among `count` elements from the one numbered `first` on.
template <class Steps, int Width>
__device__ inline void store_ends(const scan_task<Steps>& task, std::int64_t first, int count,
                                  const pack<typename Steps::accumulator, Width>& folded) {
    FOLDWISE_UNROLLED
    for (int k = 0; k < Width; ++k) {
        auto row = static_cast<std::uint64_t>(first + k);
        if (k < count && task.length.split(row) == task.length.divisor - 1)
            static_cast<typename Steps::accumulator*>(task.ends)[row] = folded[k];
    }
}

/// Stores a thread's share of a tile's results.
template <int Threads, class Elements, class Steps, class Share, class Memory>
__device__ inline void store_tile(const Elements& elements, const scan_task<Steps>& task, const Share& share,
                                  const Memory& memory) {
    const int slot = Memory::slot(static_cast<int>(threadIdx.x), task.rows);
    const auto store = [&](int row, int count) {
        const pack<typename Steps::accumulator, Elements::width> folded = memory.vectors[row * Threads + slot];
        if (task.ends) return store_ends(task, share.first_of(row), count, folded);
        pack<typename Steps::result, Elements::width> results;
        FOLDWISE_UNROLLED
        for (int k = 0; k < Elements::width; ++k)
            if (k < count) results[k] = Steps::finish(folded[k]);
        elements.store(task, share.first_of(row), count, results);
    };
    for (int i = 0; i < share.whole; ++i) store(i, Elements::width);
    if (share.rest > 0) store(share.whole, share.rest);
}

/// Scans all elements. `Elements` loads, maps and stores them.
template <int Threads, class Elements, class Steps>
__device__ inline void scan(const Elements& elements, const scan_task<Steps>& task) {
    using memory_of_tile = tile_memory<Threads, Elements>;
    constexpr int warps = memory_of_tile::warps;
    alignas(memory_of_tile) __shared__ unsigned char bytes[sizeof(memory_of_tile)];
    memory_of_tile& memory = *reinterpret_cast<memory_of_tile*>(bytes);
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    check_offsets(task);
    if (has_failed()) return;
    tile_chain<Steps, warps> chain_of_tiles(task, memory.chain);
    for (unsigned int tile = chain_of_tiles.tile(); tile < task.tiles;) {
        if (has_failed()) return;  // the thread that takes tickets may be the one that has stopped
        const tile_share<Threads, Elements::width> share(task, tile);
        load_tile<Threads>(elements, task, share, memory);
        __syncthreads();
        scan_chunk<memory_of_tile> chunk(memory, task, std::int64_t{tile} * task.rows * (Threads * Elements::width));
        stretch<Steps> upto = chunk.folded();
        scan_lanes(upto);
        const stretch<Steps> ahead = shuffle_up(upto, 1);
        stretch<Steps> before = chain_of_tiles.link(tile, upto);
        const unsigned long long next = chain_of_tiles.next();
        if (lane > 0) before.append(ahead);
        chunk.scan(before.folded());
        chain_of_tiles.pass(next);
        __syncthreads();
        store_tile<Threads>(elements, task, share, memory);
        tile = chain_of_tiles.tile();
        __syncthreads();
    }
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
