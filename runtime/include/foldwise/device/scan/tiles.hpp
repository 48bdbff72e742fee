// foldwise/device/scan/tiles.hpp: how blocks scan tiles, and what tiles tell one another.
//
// Blocks take tiles in their order. A tile publishes what its own elements make as soon as it has loaded them, and its
// results need what all tiles before it make. These are combined in batches of a fixed number of tiles, so that results
// do not depend on which tiles are ready: every block keeps what the batches before its tile make, and adds to it.
#pragma once

#include <foldwise/detail/scan_code.hpp>
#include <foldwise/device/reduce/block.hpp>
#include <foldwise/device/scan/operands.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// What some consecutive elements make: what those behind the last place where the scan begins anew combine to, and
/// whether there is such a place. From there on it contains the initial value, too. Nothing if there are no elements.
template <class Steps> struct stretch {
    partial<Steps> folded;
    bool begins = false;

    __device__ void append(const stretch& next) {
        if (next.begins) {
            *this = next;
            return;
        }
        folded.append(next.folded);
    }
};

/// The range of a scan, followed by the initial value; a kernel's parameter.
template <class Steps> struct scan_task : detail::scan_range {
    using accumulator = typename Steps::accumulator;
    union {
        accumulator initial;  ///< What a row or segment begins with if `has_initial` is set.
    };

    /// Returns what a row or segment begins with.
    __device__ partial<Steps> start() const {
        if (has_initial) return partial<Steps>(initial);
        if constexpr (Steps::has_identity)
            if (is_exclusive) return partial<Steps>(Steps::identity());
        return {};
    }
};

/// Returns the value of the lane `distance` further down the warp. All lanes of the warp must call it.
template <class T> __device__ inline T shuffle_up(const T& value, int distance) {
    constexpr int words = (sizeof(T) + 3) / 4;
    std::uint32_t bits[words] = {};
    memcpy(bits, &value, sizeof(T));
    FOLDWISE_UNROLLED
    for (int word = 0; word < words; ++word)
        bits[word] = __shfl_up_sync(0xffffffffu, bits[word], static_cast<unsigned int>(distance));
    T moved = value;
    memcpy(&moved, bits, sizeof(T));
    return moved;
}

/// Returns the value of a lane. All lanes of the warp must call it.
template <class T> __device__ inline T shuffle_from(const T& value, int lane) {
    constexpr int words = (sizeof(T) + 3) / 4;
    std::uint32_t bits[words] = {};
    memcpy(bits, &value, sizeof(T));
    FOLDWISE_UNROLLED
    for (int word = 0; word < words; ++word) bits[word] = __shfl_sync(0xffffffffu, bits[word], lane);
    T moved = value;
    memcpy(&moved, bits, sizeof(T));
    return moved;
}

/// Compares the key of an element with that of the one before it in the scan.
template <class Key> __device__ inline bool has_new_key(const detail::scan_range& range, std::int64_t in_row) {
    const auto* const keys = static_cast<const Key*>(range.restarts);
    const auto length = static_cast<std::int64_t>(range.length.divisor);
    return range.is_reverse ? keys[length - 1 - in_row] != keys[length - in_row] : keys[in_row] != keys[in_row - 1];
}

/// Returns an offset.
__device__ inline std::int64_t offset_at(const detail::scan_range& range, std::int64_t i) {
    if (range.restart_size == 4 && range.are_signed) return static_cast<const std::int32_t*>(range.restarts)[i];
    if (range.restart_size == 4) return static_cast<const std::uint32_t*>(range.restarts)[i];
    return static_cast<const std::int64_t*>(range.restarts)[i];
}

/// Reports offsets that fall or leave their row, in checked builds. All threads of the launch share the work.
__device__ inline void check_offsets(const detail::scan_range& range) {
#ifdef FOLDWISE_LOOKS
    if (!range.restarts || !range.are_offsets) return;
    const auto length = static_cast<std::int64_t>(range.length.divisor);
    const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
    for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < range.restart_count; i += threads) {
        const std::int64_t offset = offset_at(range, i), before = i == 0 ? 0 : offset_at(range, i - 1);
        if (offset < before) detail::stop(detail::finding::of_offset(i, offset, before));
        if (offset > length) detail::stop(detail::finding::of_offset(i, offset, length));
    }
    __syncthreads();  // so that all threads of the block see that one of them has stopped
#else
    static_cast<void>(range);
#endif
}

/// Returns whether an offset is this number, by bisection.
__device__ inline bool is_offset(const detail::scan_range& range, std::int64_t number) {
    std::int64_t low = 0, high = range.restart_count;
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (offset_at(range, middle) < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < range.restart_count && offset_at(range, low) == number;
}

/// Returns whether the scan begins anew at an element.
__device__ inline bool begins_at(const detail::scan_range& range, std::int64_t in_row) {
    if (in_row == 0) return true;
    if (!range.restarts) return false;
    if (range.are_offsets)
        return is_offset(range, range.is_reverse ? static_cast<std::int64_t>(range.length.divisor) - in_row : in_row);
    switch (range.restart_size) {
    case 1:
        return has_new_key<std::uint8_t>(range, in_row);
    case 2:
        return has_new_key<std::uint16_t>(range, in_row);
    case 4:
        return has_new_key<std::uint32_t>(range, in_row);
    default:
        return has_new_key<std::uint64_t>(range, in_row);
    }
}

/// Returns, as bits, at which of `count` elements from the one numbered `first` on the scan begins anew.
template <int N>
__device__ inline unsigned int places_to_begin(const detail::scan_range& range, std::int64_t first, int count) {
    auto row = static_cast<std::uint64_t>(first);
    auto in_row = static_cast<std::int64_t>(range.length.split(row));
    const auto length = static_cast<std::int64_t>(range.length.divisor);
    if (!range.restarts && length >= N) {
        const std::int64_t next = in_row == 0 ? 0 : length - in_row;
        return next < count ? 1u << next : 0;
    }
    unsigned int places = 0;
    FOLDWISE_NOT_UNROLLED
    for (int k = 0; k < count; ++k) {
        if (begins_at(range, in_row)) places |= 1u << k;
        if (++in_row == length) in_row = 0;
    }
    return places;
}

/// Returns how many of the elements of a vector exist that begins with the one numbered `first`.
template <int Width> __device__ inline int count_of(const detail::scan_range& range, std::int64_t first) {
    const std::int64_t left = range.count - first;
    return left <= 0 ? 0 : left < Width ? static_cast<int>(left) : Width;
}

/// Combines `count` of a lane's elements from the last place on where the scan begins anew.
template <class Steps>
__device__ inline typename Steps::accumulator fold_stretch(const scan_task<Steps>& task,
                                                           const typename Steps::accumulator* elements, int count,
                                                           unsigned int places) {
    partial<Steps> folded;
    FOLDWISE_NOT_UNROLLED
    for (int k = 0; k < count; ++k) {
        if (places >> k & 1) folded = task.start();
        folded.append(elements[k]);
    }
    return folded.value;
}

/// What a block knows of the tiles before its own, in shared memory.
template <class Steps> struct chain_state {
    unsigned long long ticket;  ///< The number of the launch before this one, times 2^32, plus a tile's.
    stretch<Steps> known;       ///< What the batches make that are complete.
};

/// The tiles of a launch, as one block sees them.
template <class Steps> class tile_chain {
  public:
    /// Takes the block's first tile. All threads of the block call it.
    __device__ tile_chain(const scan_task<Steps>& task, chain_state<Steps>& state) : task_(task), state_(state) {
        if (threadIdx.x == 0) {
            state_.known = {};
            state_.ticket = take();
        }
        __syncthreads();
        launch_ = static_cast<unsigned int>(state_.ticket >> 32) + 1;
    }

    /// Returns the number of the block's tile, which may be none; with a barrier after pass().
    __device__ unsigned int tile() const { return static_cast<unsigned int>(state_.ticket); }

    /// Takes a ticket; called by one thread.
    __device__ unsigned long long take() const { return atomicAdd(&task_.progress->tickets, 1ull); }

    /// Goes on to the tile of a ticket; called by one thread.
    __device__ void pass(unsigned long long ticket) { state_.ticket = ticket; }

    /// Publishes what a tile makes; called by one thread.
    __device__ void publish(unsigned int tile, const stretch<Steps>& made) const {
        unsigned long long word = number() << 33;
        if (made.begins) word |= 1ull << 32;
        if constexpr (fits_word) {
            std::uint32_t bits = 0;
            memcpy(&bits, &made.folded.value, sizeof(accumulator));
            word |= bits;
        } else {
            parts()[tile] = made.folded.value;
            __threadfence();
        }
        atomicExch(task_.words + tile, word);
    }

    /// Returns what all elements before a tile make. The first warp calls it with all lanes, and with tiles in
    /// ascending order; the first lane gets the result.
    __device__ stretch<Steps> before(unsigned int tile) {
        const bool is_first = threadIdx.x == 0;
        stretch<Steps> all;
        FOLDWISE_NOT_UNROLLED
        for (;;) {
            const unsigned int rest = tile - known_ * batch, count = rest < batch ? rest : batch;
            const stretch<Steps> made = combined(known_ * batch, count);
            if (count < batch) {
                if (is_first) all = state_.known;
                if (is_first) all.append(made);
                return all;
            }
            if (is_first) state_.known.append(made);
            ++known_;
        }
    }

    /// Ends the block's part in the launch. The last block prepares the next launch.
    __device__ void leave() {
        if (threadIdx.x != 0) return;
        detail::scan_progress& progress = *task_.progress;
        if (!is_last_of(&progress.done, gridDim.x)) return;
        // Words of a launch long ago must not look like the next launch's.
        if (((launch_ + 1) & numbers) == 0) {
            for (std::int64_t i = 0; i < task_.word_count; ++i) task_.words[i] = 0;
            launch_ += 1;
        }
        atomicExch(&progress.tickets, static_cast<unsigned long long>(launch_) << 32);
    }

  private:
    using accumulator = typename Steps::accumulator;
    static constexpr unsigned int batch = 256, each = batch / warp_size;
    static constexpr unsigned int numbers = 0x7fffffff;
    /// Whether an accumulator is in the word that a tile publishes.
    static constexpr bool fits_word = sizeof(accumulator) <= sizeof(std::uint32_t);

    __device__ accumulator* parts() const { return static_cast<accumulator*>(task_.parts); }
    __device__ unsigned long long number() const { return launch_ & numbers; }

    /// Combines what `count` tiles make, in their order, once they have published it; the first lane gets the result.
    /// Not inlined, because it is a small part of the work, and needs registers.
    [[gnu::noinline]] __device__ stretch<Steps> combined(unsigned int first, unsigned int count) const {
        const unsigned int begin = threadIdx.x % warp_size * each;
        const volatile unsigned long long* const words = task_.words + first;
        unsigned long long seen[each];
        bool are_ready;
        do {
            if (has_failed()) stop_too();
            are_ready = true;
            FOLDWISE_UNROLLED
            for (unsigned int k = 0; k < each; ++k) {
                seen[k] = begin + k < count ? words[begin + k] : number() << 33;
                are_ready = are_ready && seen[k] >> 33 == number();
            }
        } while (!are_ready);
        if constexpr (!fits_word) __threadfence();
        stretch<Steps> mine;
        FOLDWISE_UNROLLED
        for (unsigned int k = 0; k < each; ++k) {
            if (begin + k >= count) break;
            stretch<Steps> next;
            next.folded = partial<Steps>(value_of(seen[k], first + begin + k)[0]);
            next.begins = (seen[k] >> 32 & 1) != 0;
            mine.append(next);
        }
        fold_lanes(mine, warp_size, [](stretch<Steps>& a, const stretch<Steps>& b) { a.append(b); });
        return mine;
    }

    /// Returns what a tile has published: from its word, or past this multiprocessor's cache.
    __device__ pack<accumulator, 1> value_of(unsigned long long word, unsigned int tile) const {
        pack<accumulator, 1> value;
        if constexpr (fits_word) {
            const auto bits = static_cast<std::uint32_t>(word);
            memcpy(static_cast<void*>(&value), &bits, sizeof(accumulator));
        } else {
            using part =
                std::conditional_t<alignof(accumulator) % 4 == 0, std::uint32_t,
                                   std::conditional_t<alignof(accumulator) == 2, std::uint16_t, unsigned char>>;
            part read[sizeof(accumulator) / sizeof(part)];
            const auto* const source = reinterpret_cast<const volatile part*>(parts() + tile);
            FOLDWISE_UNROLLED
            for (unsigned int i = 0; i < sizeof read / sizeof(part); ++i) read[i] = source[i];
            memcpy(static_cast<void*>(&value), read, sizeof read);
        }
        return value;
    }

    const scan_task<Steps>& task_;
    unsigned int launch_ = 0;
    unsigned int known_ = 0;  ///< The number of batches that the state contains.
    chain_state<Steps>& state_;
};

/// Returns the last of some lanes, at least one.
__device__ inline int last_lane(unsigned int lanes) {
#ifdef FOLDWISE_SIMULATOR
    return warp_size - 1 - __builtin_clz(lanes);
#else
    return warp_size - 1 - __clz(static_cast<int>(lanes));
#endif
}

/// What a block keeps of its tile, in shared memory: rows of warps, each with a vector of every lane.
template <int Threads, class Elements> struct tile_memory {
    using steps = typename Elements::steps;
    using accumulator = typename steps::accumulator;
    static constexpr int width = Elements::width, warps = Threads / warp_size;
    static constexpr int rows = detail::scan_rows(Threads, width, sizeof(accumulator));

    /// One row of a warp.
    struct row {
        pack<accumulator, width> elements[warp_size];
        pack<accumulator, 1> before[warp_size];  ///< What precedes each lane but the first in the row.
        unsigned short places[warp_size];        ///< At which of a lane's elements the scan begins anew, as bits.
        unsigned int lanes;                      ///< The lanes that have such elements.
        stretch<steps> precedes;                 ///< What precedes the row in the warp.
    };
    row of[warps][rows];
    stretch<steps> of_warps[warps];
    chain_state<steps> chain;
};

/// Returns how many blocks of a kernel are to share a multiprocessor: as many as have room for their tiles, but no more
/// than leave each thread 48 registers or, for large accumulators, 64.
template <class Elements> constexpr int scan_blocks(int threads) {
    const int registers = sizeof(typename Elements::steps::accumulator) <= 8 ? 48 : 64, all = 65536;
    return all / (registers * threads);
}

/// Scans the rows of a warp, and returns what all of them make; the lanes agree on it.
template <int Threads, class Elements, class Memory, class Steps>
__device__ inline stretch<Steps> fold_rows(const Elements& elements, const scan_task<Steps>& task, Memory& memory,
                                           std::int64_t begin) {
    using accumulator = typename Steps::accumulator;
    constexpr int width = Memory::width;
    const int lane = static_cast<int>(threadIdx.x) % warp_size, warp = static_cast<int>(threadIdx.x) / warp_size;
    // All loads are in flight together.
    FOLDWISE_UNROLLED
    for (int i = 0; i < Memory::rows; ++i) {
        const std::int64_t first = begin + (i * warp_size + lane) * width;
        const int count = count_of<width>(task, first);
        pack<accumulator, width> mapped;
        if (count > 0) elements.load(task, first, count, mapped);
        memory.of[warp][i].elements[lane] = mapped;
    }
    stretch<Steps> all;
    FOLDWISE_NOT_UNROLLED
    for (int i = 0; i < Memory::rows; ++i) {
        const std::int64_t first = begin + (i * warp_size + lane) * width;
        const int count = count_of<width>(task, first);
        typename Memory::row& row = memory.of[warp][i];
        pack<accumulator, 1> folded;
        unsigned int places = 0;
        if (count > 0) {
            const pack<accumulator, width> mapped = row.elements[lane];
            places = places_to_begin<width>(task, first, count);
            if (places == 0 && count == width) {
                folded[0] = mapped[0];
                FOLDWISE_UNROLLED
                for (int k = 1; k < width; ++k) folded[0] = Steps::combine(folded[0], mapped[k]);
            } else {
                folded[0] = fold_stretch(task, row.elements[lane].elements, count, places);
            }
        }
        const unsigned int lanes = __ballot_sync(0xffffffffu, places != 0);
        const unsigned int so_far = lanes & (0xffffffffu >> (warp_size - 1 - lane));
        const int begins = so_far == 0 ? 0 : last_lane(so_far);
        FOLDWISE_NOT_UNROLLED
        for (int distance = 1; distance < warp_size; distance *= 2) {
            const pack<accumulator, 1> other = shuffle_up(folded, distance);
            if (count > 0 && lane - distance >= begins) folded[0] = Steps::combine(other[0], folded[0]);
        }
        const pack<accumulator, 1> before = shuffle_up(folded, 1);
        row.before[lane] = before;
        row.places[lane] = static_cast<unsigned short>(places);
        // Lanes without elements come last.
        const unsigned int filled = __ballot_sync(0xffffffffu, count > 0);
        if (filled == 0) {
            if (lane == 0) row.lanes = 0;
            continue;
        }
        stretch<Steps> own;
        own.folded = partial<Steps>(shuffle_from(folded, last_lane(filled))[0]);
        own.begins = lanes != 0;
        if (lane == 0) {
            row.lanes = lanes;
            row.precedes = all;
        }
        all.append(own);
    }
    return all;
}

/// Writes the results of a warp, which `before` precedes.
template <int Threads, class Elements, class Memory, class Steps>
__device__ inline void store_rows(const Elements& elements, const scan_task<Steps>& task, const Memory& memory,
                                  std::int64_t begin, const stretch<Steps>& before) {
    constexpr int width = Memory::width;
    const int lane = static_cast<int>(threadIdx.x) % warp_size, warp = static_cast<int>(threadIdx.x) / warp_size;
    FOLDWISE_NOT_UNROLLED
    for (int i = 0; i < Memory::rows; ++i) {
        const std::int64_t first = begin + (i * warp_size + lane) * width;
        const int count = count_of<width>(task, first);
        if (count == 0) return;
        const typename Memory::row& row = memory.of[warp][i];
        partial<Steps> folded;
        if ((row.lanes & ((1u << lane) - 1)) == 0) {
            folded = row.precedes.begins ? partial<Steps>() : before.folded;
            folded.append(row.precedes.folded);
        }
        if (lane > 0) folded.append(row.before[lane][0]);
        const unsigned int places = row.places[lane];
        if (places == 0 && count == width) {
            // Something precedes these elements, because the scan begins at the first of all.
            const pack<typename Steps::accumulator, width> mapped = row.elements[lane];
            typename Steps::accumulator so_far = folded.value;
            pack<typename Steps::result, width> results;
            FOLDWISE_UNROLLED
            for (int k = 0; k < width; ++k) {
                const typename Steps::accumulator next = Steps::combine(so_far, mapped[k]);
                results[k] = Steps::finish(task.is_exclusive ? so_far : next);
                so_far = next;
            }
            elements.store(task, first, count, results);
            continue;
        }
        FOLDWISE_NOT_UNROLLED
        for (int k = 0; k < count; ++k) {
            if (places >> k & 1) folded = task.start();
            const partial<Steps> before_element = folded;
            folded.append(row.elements[lane][k]);
            pack<typename Steps::result, 1> result;
            result[0] = Steps::finish(task.is_exclusive ? before_element.value : folded.value);
            elements.store(task, first + k, 1, result);
        }
    }
}

/// Scans all elements. `Elements` loads, maps and stores them.
template <int Threads, class Elements, class Steps>
__device__ inline void scan(const Elements& elements, const scan_task<Steps>& task) {
    using memory_of_tile = tile_memory<Threads, Elements>;
    constexpr int warps = memory_of_tile::warps;
    constexpr std::int64_t warp_elements = std::int64_t{warp_size} * memory_of_tile::width * memory_of_tile::rows;
    alignas(memory_of_tile) __shared__ unsigned char bytes[sizeof(memory_of_tile)];
    memory_of_tile& memory = *reinterpret_cast<memory_of_tile*>(bytes);
    const int lane = static_cast<int>(threadIdx.x) % warp_size, warp = static_cast<int>(threadIdx.x) / warp_size;
    check_offsets(task);
    if (has_failed()) return;
    tile_chain<Steps> chain(task, memory.chain);
    for (unsigned int tile = chain.tile(); tile < task.tiles; tile = chain.tile()) {
        if (has_failed()) return;  // the thread that takes tickets may be the one that has stopped
        const std::int64_t begin = (std::int64_t{tile} * warps + warp) * warp_elements;
        const stretch<Steps> made = fold_rows<Threads>(elements, task, memory, begin);
        if (lane == 0) memory.of_warps[warp] = made;
        __syncthreads();
        if (warp == 0) {
            stretch<Steps> all;
            FOLDWISE_NOT_UNROLLED
            for (int i = 0; i < warps; ++i) {
                const stretch<Steps> next = memory.of_warps[i];
                __syncwarp();
                if (lane == 0) memory.of_warps[i] = all;
                all.append(next);
            }
            unsigned long long ticket = 0;
            if (lane == 0) {
                chain.publish(tile, all);
                ticket = chain.take();  // not earlier, as other blocks may be without a tile
            }
            const stretch<Steps> before = shuffle_from(chain.before(tile), 0);
            __syncwarp();
            if (lane < warps) {
                stretch<Steps> own = before;
                own.append(memory.of_warps[lane]);
                memory.of_warps[lane] = own;
            }
            if (lane == 0) chain.pass(ticket);
        }
        __syncthreads();
        store_rows<Threads>(elements, task, memory, begin, memory.of_warps[warp]);
    }
    chain.leave();
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
