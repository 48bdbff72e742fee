// foldwise/device/scan/rows.hpp: how a block scans whole rows that are short.
//
// A tile has whole rows, so that no tile needs anything from another one: each block has every so many-th of them, and
// loads the next one while it scans one. As in tiles.hpp, threads load and store vectors of a tile side by side, and
// scan neighbouring ones in shared memory. All tiles begin with a row, so that a thread's elements begin rows at the
// same places in every tile.
#pragma once

#include <foldwise/device/scan/operands.hpp>
#include <foldwise/device/scan/stretch.hpp>
#include <foldwise/device/scan/tiles.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// The vectors of a tile of whole rows that a thread has; 0 if the accumulators are too large for such tiles.
template <class Elements> constexpr int row_vectors(int threads) {
    return detail::scan_row_vectors(threads, Elements::width, sizeof(typename Elements::steps::accumulator),
                                    sizeof(typename Elements::loaded));
}

/// Scans tiles of whole rows, as a thread runs it.
template <int Threads, class Elements> class whole_rows {
    using steps = typename Elements::steps;
    using accumulator = typename steps::accumulator;
    using loaded = typename Elements::loaded;
    static constexpr int vectors = row_vectors<Elements>(Threads), width = Elements::width, chunk = vectors * width,
                         warps = Threads / warp_size, of_warp = warp_size * chunk;
    static constexpr unsigned int behind = 1u << chunk;

  public:
    struct memory {
        pack<accumulator, width> tile[Threads * vectors];
        pack<accumulator, 1> of_warps[warps];  ///< What each warp's elements make from the last beginning of a row on.
    };

    __device__ whole_rows(const Elements& elements, const scan_task<steps>& task, memory& shared)
        : elements_(elements), task_(task), shared_(shared), thread_(static_cast<int>(threadIdx.x)),
          slot_(slot(thread_)) {
        FOLDWISE_NOT_UNROLLED
        for (int next = until_row(thread_ * chunk); next < chunk; next += length()) begins_ |= 1u << next;
        const unsigned int lanes = __ballot_sync(0xffffffffu, begins_ != behind),
                           upto = lanes & (0xffffffffu >> (warp_size - 1 - lane())), before = upto & ~(1u << lane());
        first_lane_ = upto ? warp_size - 1 - __builtin_clz(upto) : 0;
        if (before != 0 || begins_at(0)) return;
        const int first_of_warp = thread_ / warp_size * of_warp, left = until_row(first_of_warp);
        first_warp_ = (first_of_warp - (left > 0 ? length() - left : 0)) / of_warp;
    }

    /// Scans the tiles that the block has.
    __device__ void run() {
        const bool cross_warps = until_row(of_warp) != 0;
        loaded coming[vectors];
        const int blocks = static_cast<int>(gridDim.x), tiles = static_cast<int>(task_.tiles);
        for (int tile = static_cast<int>(blockIdx.x) - blocks; tile < tiles; tile += blocks) {
            if (has_failed()) return;
            keep(tile, coming);
            __syncthreads();
            load(tile + blocks, coming);
            if (tile < 0) continue;
            scan(count_in(tile), cross_warps);
            __syncthreads();
            store(tile);
        }
    }

  private:
    /// Returns where a vector of a tile is (tile_memory::slot() says why).
    __device__ static int slot(int vector) { return vector ^ (vector / 8 & (vectors - 1)); }
    __device__ pack<accumulator, width>& vector_at(int number) const {
        return shared_.tile[slot(thread_ * vectors) ^ number];
    }

    __device__ int lane() const { return thread_ % warp_size; }
    __device__ int length() const { return static_cast<int>(task_.length.divisor); }  ///< The elements of a row.
    __device__ int size() const { return static_cast<int>(task_.tile.divisor); }      ///< The elements of a tile.

    /// Returns how far it is from an element of a tile to the next one that begins a row, or 0 if it does itself.
    __device__ int until_row(int element) const {
        auto row = static_cast<std::uint64_t>(element);
        const auto in_row = static_cast<int>(task_.length.split(row));
        return in_row == 0 ? 0 : length() - in_row;
    }

    __device__ std::int64_t first_of(int tile) const { return std::int64_t{tile} * size(); }
    /// Returns how many elements a tile has, which may be none: each block begins one tile ahead of its first one.
    __device__ int count_in(int tile) const { return tile < 0 ? 0 : count_of(task_, first_of(tile), size()); }

    /// Calls access(how) with how the vectors of a tile of `count` elements can be accessed, as a constant.
    template <class Access> __device__ void access_by(int count, const Access& access) const {
        if (count % width != 0 || task_.rank >= 2)
            access(std::integral_constant<scan_access, scan_access::one_by_one>());
        else if (task_.are_aligned)
            access(std::integral_constant<scan_access, scan_access::at_once>());
        else
            access(std::integral_constant<scan_access, scan_access::in_line>());
    }

    /// Calls each(i, first, count) for the vectors of a tile that a thread loads and stores, with their first elements'
    /// numbers and how many elements they have.
    template <class Each> __device__ void each_vector(int tile, const Each& each) const {
        const int own = thread_ * width, count = count_in(tile);
        FOLDWISE_UNROLLED
        for (int i = 0; i < vectors; ++i) {
            const int before = own + i * (Threads * width), left = count - before;
            if (left > 0) each(i, first_of(tile) + before, left < width ? left : width);
        }
    }

    /// Begins to load a thread's vectors of a tile, if there is such a tile.
    __device__ void load(int tile, loaded (&coming)[vectors]) const {
        access_by(count_in(tile), [&](auto how) {
            each_vector(tile, [&](int i, std::int64_t first, int count) {
                coming[i] =
                    elements_.template load<how()>(task_, first, how() == scan_access::one_by_one ? count : width);
            });
        });
    }

    /// Maps what load() has loaded, and puts it into shared memory.
    __device__ void keep(int tile, const loaded (&coming)[vectors]) const {
        each_vector(tile, [&](int i, std::int64_t first, int count) {
            pack<accumulator, width> mapped;
            elements_.map(task_, first, count, coming[i], mapped);
            shared_.tile[i * Threads + slot_] = mapped;
        });
    }

    /// Replaces each element of a tile of `count` by the combination of those up to it in its row, or of those before
    /// it. All threads of the block call it; it has a barrier if rows cross warps.
    __device__ void scan(int count, bool cross_warps) const {
        const int left = count - thread_ * chunk, own_count = left < 0 ? 0 : left < chunk ? left : chunk;
        const partial<steps> start = task_.start();
        pack<accumulator, chunk> own;
        FOLDWISE_UNROLLED
        for (int j = 0; j < vectors; ++j) {
            const pack<accumulator, width> vector = vector_at(j);
            FOLDWISE_UNROLLED
            for (int k = 0; k < width; ++k) own[j * width + k] = vector[k];
        }
        // Those that are combined with what precedes them in the chunk or with what their row begins with, as bits.
        const unsigned int combined = (start.is_some ? begins_ | ~1u : ~begins_ & ~1u) & ((1u << own_count) - 1);
        FOLDWISE_UNROLLED
        for (int k = 0; k < chunk; ++k)
            if (combined >> k & 1) own[k] = steps::combine(begins_at(k) ? start.value : own[k > 0 ? k - 1 : 0], own[k]);

        pack<accumulator, 1> upto_lane, before_chunk;
        accumulator &upto = upto_lane[0], &before = before_chunk[0];
        upto = own[chunk - 1];
        FOLDWISE_UNROLLED
        for (int distance = 1; distance < warp_size; distance *= 2) {
            const accumulator other = shuffle_up(upto, distance);
            if (own_count == chunk && lane() - distance >= first_lane_) upto = steps::combine(other, upto);
        }
        before = shuffle_up(upto, 1);
        if (cross_warps) {
            const int warp = thread_ / warp_size;
            if (lane() == warp_size - 1) shared_.of_warps[warp][0] = upto;
            __syncthreads();
            if (first_warp_ >= 0 && own_count > 0) {
                accumulator of_warps = shared_.of_warps[first_warp_][0];
                FOLDWISE_NOT_UNROLLED
                for (int other = first_warp_ + 1; other < warp; ++other)
                    of_warps = steps::combine(of_warps, shared_.of_warps[other][0]);
                before = lane() == 0 ? of_warps : steps::combine(of_warps, before);
            }
        }
        const int first_begin = __builtin_ctz(begins_), continuing = first_begin < own_count ? first_begin : own_count;
        FOLDWISE_UNROLLED
        for (int k = 0; k < chunk; ++k)
            if (k < continuing) own[k] = steps::combine(before, own[k]);
        FOLDWISE_UNROLLED
        for (int j = 0; j < vectors; ++j) {
            pack<accumulator, width> vector;
            FOLDWISE_UNROLLED
            for (int k = 0; k < width; ++k) {
                const int number = j * width + k;
                const accumulator ahead = begins_at(number) ? start.value : number > 0 ? own[number - 1] : before;
                vector[k] = task_.is_exclusive ? ahead : own[number];
            }
            vector_at(j) = vector;
        }
    }

    __device__ bool begins_at(int element) const { return (begins_ >> element & 1) != 0; }

    /// Stores a thread's vectors of a tile's results.
    __device__ void store(int tile) const {
        const auto results = [&](int i, int count) {
            const pack<accumulator, width> folded = shared_.tile[i * Threads + slot_];
            pack<typename steps::result, width> finished;
            FOLDWISE_UNROLLED
            for (int k = 0; k < width; ++k)
                if (k < count) finished[k] = steps::finish(folded[k]);
            return finished;
        };
        const int tile_count = count_in(tile);
        access_by(tile_count, [&](auto how) {
            if constexpr (how() != scan_access::one_by_one) {
                each_vector(tile, [&](int i, std::int64_t first, int) {
                    elements_.template store<how()>(task_, first, width, results(i, width));
                });
            } else {
                FOLDWISE_NOT_UNROLLED
                for (int i = 0; i < vectors; ++i) {
                    const int before = (i * Threads + thread_) * width, left = tile_count - before,
                              count = left < width ? left : width;
                    if (count > 0)
                        elements_.template store<how()>(task_, first_of(tile) + before, count, results(i, count));
                }
            }
        });
    }

    const Elements& elements_;
    const scan_task<steps>& task_;
    memory& shared_;
    const int thread_;
    const int slot_;  ///< Where the vectors are that the thread loads and stores.
    unsigned int begins_ =
        behind;       ///< Which elements of the thread's chunk begin rows, and what is behind it, as bits.
    int first_lane_;  ///< The last lane up to the thread's own in which a row begins, or else the first.
    /// The warp in which the row begins that the warp's first element is in, if the chunk's first element is in it,
    /// too.
    int first_warp_ = -1;
};

/// Scans all rows. `Elements` loads, maps and stores their elements.
template <int Threads, class Elements, class Steps>
__device__ inline void scan_rows_of_tiles(const Elements& elements, const scan_task<Steps>& task) {
    if constexpr (row_vectors<Elements>(Threads) > 0) {
        using memory = typename whole_rows<Threads, Elements>::memory;
        alignas(memory) __shared__ unsigned char bytes[sizeof(memory)];
        if (has_failed()) return;
        whole_rows<Threads, Elements>(elements, task, *reinterpret_cast<memory*>(bytes)).run();
    }
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
