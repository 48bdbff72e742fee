// foldwise/device/scan/pipeline.hpp: how a block scans one tile while it loads another.
//
// As in tiles.hpp, threads load and store vectors of a tile side by side, and scan neighbouring ones in shared memory.
// But a block has two tiles there, and a third one on its way into registers: it publishes a tile's aggregate one round
// before it asks what precedes that tile. By then the blocks that have the tiles before it have published theirs, too.
#pragma once

#include <foldwise/device/scan/chain.hpp>
#include <foldwise/device/scan/operands.hpp>
#include <foldwise/device/scan/tiles.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// The vectors of a tile that a thread of a pipelined scan has.
template <class Elements> constexpr int pipeline_rows(int threads) {
    return detail::scan_pipeline_rows(threads, Elements::width, sizeof(typename Elements::steps::accumulator),
                                      sizeof(typename Elements::loaded));
}

/// Returns how many blocks of a pipelined scan are to share a multiprocessor.
template <class Elements> constexpr int pipeline_blocks(int threads) {
    const int registers = sizeof(typename Elements::steps::accumulator) <= 8 ? 64 : 80, all = 65536;
    return all / (registers * threads);
}

/// A pipelined scan, as a thread runs it.
template <int Threads, class Elements> class scan_pipeline {
    using steps = typename Elements::steps;
    using accumulator = typename steps::accumulator;
    using loaded = typename Elements::loaded;
    static constexpr int rows = pipeline_rows<Elements>(Threads), width = Elements::width, chunk = rows * width,
                         warps = Threads / warp_size;

  public:
    /// A block's two tiles in shared memory, and what its warps exchange.
    struct memory {
        pack<accumulator, width> vectors[2][Threads * rows];
        chain_state<steps, warps> chain;
    };

    __device__ scan_pipeline(const Elements& elements, const scan_task<steps>& task, memory& shared)
        : elements_(elements), task_(task), shared_(shared), chain_(task, shared.chain),
          slot_(slot(static_cast<int>(threadIdx.x))), row_length_(nearest(task.length.divisor)) {}

    /// Scans the tiles that the block takes.
    __device__ void run() {
        loaded coming[rows];
        unsigned int now = chain_.tile();
        load(now, coming);
        unsigned int next = next_tile(0, now, coming);
        chunk_state ahead = fold(now, 0);
        load(next, coming);
        unsigned int third = next_tile(1, next, coming);
        for (int side = 0; now < task_.tiles; side ^= 1) {
            if (has_failed()) return;  // the thread that takes tickets may be the one that has stopped
            load(third, coming);
            const chunk_state following = fold(next, side ^ 1);
            const bool is_wanted = !task_.ends || ends_row(now);
            stretch<steps> before = is_wanted ? chain_.before(now) : stretch<steps>();
            const unsigned long long ticket = chain_.next();
            if (is_wanted) {
                before.append(ahead.before);
                scan(now, side, before.folded(), ahead.first_row);
            }
            __syncthreads();
            if (is_wanted) store(now, side);
            keep(third, side, coming);
            chain_.pass(ticket);
            __syncthreads();
            now = next;
            next = third;
            third = chain_.tile();
            ahead = following;
        }
    }

  private:
    /// What is known of a thread's chunk once its tile has been folded.
    struct chunk_state {
        stretch<steps> before;  ///< The aggregate of the elements of the tile before the chunk.
        int first_row;          ///< Its first element that begins a row; the length of a chunk if none does.
    };

    /// Returns a distance if it is less than the length of a chunk, and otherwise that length.
    __device__ static int nearest(std::uint64_t distance) {
        return distance < static_cast<unsigned int>(chunk) ? static_cast<int>(distance) : chunk;
    }
    /// Returns whether no element of a full chunk begins a row but the first.
    __device__ bool is_plain(int first_row) const {
        return first_row == chunk || (first_row == 0 && row_length_ == chunk);
    }

    /// Returns where a vector of a tile is (tile_memory::slot() says why).
    __device__ static int slot(int vector) { return vector ^ (vector / 8 & (rows - 1)); }

    /// Returns the number of the first element of a thread's chunk.
    __device__ static std::int64_t first_of_chunk(unsigned int tile) {
        return std::int64_t{tile} * (Threads * chunk) + static_cast<int>(threadIdx.x) * chunk;
    }
    /// Calls each(i, first) for the vectors of a tile that a thread loads and stores, with their first elements'
    /// numbers.
    template <class Each> __device__ static void each_vector(unsigned int tile, const Each& each) {
        const std::int64_t first = (std::int64_t{tile} * (Threads * rows) + static_cast<int>(threadIdx.x)) * width;
        FOLDWISE_UNROLLED
        for (int i = 0; i < rows; ++i) each(i, first + i * (Threads * width));
    }
    __device__ bool is_whole(unsigned int tile) const {
        return (std::int64_t{tile} + 1) * (Threads * chunk) <= task_.count;
    }
    __device__ pack<accumulator, width>& vector_at(int side, int row) const {
        return shared_.vectors[side][slot(static_cast<int>(threadIdx.x) * rows) ^ row];
    }

    /// Returns whether all elements are one row, so that no place in it has to be found by division.
    __device__ bool has_one_row() const { return task_.length.divisor >= static_cast<std::uint64_t>(task_.count); }

    /// Returns whether the last element of a row is in a tile.
    __device__ bool ends_row(unsigned int tile) const {
        const std::int64_t first = std::int64_t{tile} * (Threads * chunk), behind = first + Threads * chunk;
        if (has_one_row() || behind >= task_.count) return behind >= task_.count;
        auto row = static_cast<std::uint64_t>(first), row_behind = static_cast<std::uint64_t>(behind);
        task_.length.split(row);
        task_.length.split(row_behind);
        return row != row_behind;
    }

    /// Begins to load a thread's vectors of a tile, if there is such a tile.
    __device__ void load(unsigned int tile, loaded (&coming)[rows]) const {
        if (!is_whole(tile)) {
            each_vector(tile, [&](int i, std::int64_t first) {
                if (const int count = count_of(task_, first, width))
                    coming[i] = elements_.template load<scan_access::one_by_one>(task_, first, count);
            });
        } else if (task_.are_aligned) {
            each_vector(tile, [&](int i, std::int64_t first) {
                coming[i] = elements_.template load<scan_access::at_once>(task_, first, width);
            });
        } else {
            each_vector(tile, [&](int i, std::int64_t first) {
                coming[i] = elements_.template load<scan_access::one_by_one>(task_, first, width);
            });
        }
    }

    /// Maps what load() has loaded, and puts it into shared memory.
    __device__ void keep(unsigned int tile, int side, const loaded (&coming)[rows]) const {
        const auto map = [&](int i, std::int64_t first, int count) {
            elements_.map(task_, first, count, coming[i], shared_.vectors[side][i * Threads + slot_]);
        };
        if (is_whole(tile))
            each_vector(tile, [&](int i, std::int64_t first) { map(i, first, width); });
        else
            each_vector(tile, [&](int i, std::int64_t first) { map(i, first, count_of(task_, first, width)); });
    }

    /// Puts a tile of the first two into shared memory, and returns the number of the tile behind it.
    __device__ unsigned int next_tile(int side, unsigned int tile, const loaded (&coming)[rows]) {
        const unsigned long long ticket = chain_.next();
        __syncthreads();  // all have read the number of the tile before
        keep(tile, side, coming);
        chain_.pass(ticket);
        __syncthreads();
        return chain_.tile();
    }

    /// Folds and publishes a tile. All threads of the block call it; it has a barrier.
    __device__ chunk_state fold(unsigned int tile, int side) {
        const std::int64_t first = first_of_chunk(tile);
        const int count = count_of(task_, first, chunk);
        chunk_state state;
        if (has_one_row()) {
            state.first_row = first == 0 ? 0 : chunk;
        } else {
            auto row = static_cast<std::uint64_t>(first);
            const std::uint64_t in_row = task_.length.split(row);
            state.first_row = in_row == 0 ? 0 : nearest(task_.length.divisor - in_row);
        }
        const bool begins = state.first_row < count;
        stretch<steps> upto;
        if (count == chunk && is_plain(state.first_row)) {
            const partial<steps> start = begins ? task_.start() : partial<steps>();
            const accumulator all = fold_vectors<steps>(
                rows, start, [&](int vector) -> auto& { return vector_at(side, vector); });
            upto = {partial<steps>(all), begins};
        } else {
            partial<steps> all;
            each_element(side, count, state.first_row, all, [](accumulator&, const partial<steps>&) {});
            upto = {all, begins};
        }
        if (is_whole(tile))
            scan_full_lanes(upto);
        else
            scan_lanes(upto);
        const stretch<steps> in_warp = shuffle_up(upto, 1);
        state.before = chain_.within(tile, upto);
        if (threadIdx.x % warp_size > 0) state.before.append(in_warp);
        return state;
    }

    /// Appends the elements of a chunk, of which the one numbered `first_row` is the first that begins a row, to what
    /// precedes them, and calls set(element, before) with each and what precedes it in its row.
    template <class Set>
    __device__ void each_element(int side, int count, int first_row, partial<steps>& so_far, const Set& set) const {
        int next_row = first_row;
        FOLDWISE_NOT_UNROLLED
        for (int j = 0; j < rows; ++j) {
            pack<accumulator, width>& place = vector_at(side, j);
            const pack<accumulator, width> vector = place;
            FOLDWISE_UNROLLED
            for (int k = 0; k < width; ++k) {
                const int number = j * width + k;
                if (number >= count) return;
                if (number == next_row) {
                    so_far = task_.start();
                    next_row += row_length_;
                }
                const partial<steps> before = so_far;
                so_far.append(vector[k]);
                set(place[k], before);
            }
        }
    }

    /// Replaces each element of the thread's chunk by the combination of those up to it in its row, or of those before
    /// it.
    __device__ void scan(unsigned int tile, int side, const partial<steps>& before, int first_row) const {
        const int count = count_of(task_, first_of_chunk(tile), chunk);
        if (count == chunk && is_plain(first_row)) {
            scan_vectors<steps>(
                rows, first_row == 0 ? task_.start() : before,
                task_.is_exclusive, [&](int vector) -> auto& { return vector_at(side, vector); });
            return;
        }
        partial<steps> so_far = before;
        each_element(side, count, first_row, so_far, [&](accumulator& element, const partial<steps>& before_element) {
            element = task_.is_exclusive ? before_element.value : so_far.value;
        });
    }

    /// Stores a thread's vectors of a tile's results, or what the rows make that end among them.
    __device__ void store(unsigned int tile, int side) const {
        if (task_.ends) {
            each_vector(tile, [&](int i, std::int64_t first) {
                if (const int count = count_of(task_, first, width))
                    store_ends(task_, first, count, shared_.vectors[side][i * Threads + slot_]);
            });
            return;
        }
        const auto results = [&](int i, int count) {
            const pack<accumulator, width> folded = shared_.vectors[side][i * Threads + slot_];
            pack<typename steps::result, width> finished;
            FOLDWISE_UNROLLED
            for (int k = 0; k < width; ++k)
                if (k < count) finished[k] = steps::finish(folded[k]);
            return finished;
        };
        if (!is_whole(tile)) {
            each_vector(tile, [&](int i, std::int64_t first) {
                if (const int count = count_of(task_, first, width))
                    elements_.template store<scan_access::one_by_one>(task_, first, count, results(i, count));
            });
        } else if (task_.are_aligned) {
            each_vector(tile, [&](int i, std::int64_t first) {
                elements_.template store<scan_access::at_once>(task_, first, width, results(i, width));
            });
        } else {
            each_vector(tile, [&](int i, std::int64_t first) {
                elements_.template store<scan_access::one_by_one>(task_, first, width, results(i, width));
            });
        }
    }

    const Elements& elements_;
    const scan_task<steps>& task_;
    memory& shared_;
    tile_chain<steps, warps, true> chain_;
    const int slot_;        ///< Where the vectors are that the thread loads and stores.
    const int row_length_;  ///< The number of a row's elements, or of a chunk's if those are fewer.
};

/// Scans all elements. `Elements` loads, maps and stores them.
template <int Threads, class Elements, class Steps>
__device__ inline void scan_pipelined(const Elements& elements, const scan_task<Steps>& task) {
    using pipeline = scan_pipeline<Threads, Elements>;
    using memory = typename pipeline::memory;
    alignas(memory) __shared__ unsigned char bytes[sizeof(memory)];
    if (has_failed()) return;
    pipeline(elements, task, *reinterpret_cast<memory*>(bytes)).run();
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
