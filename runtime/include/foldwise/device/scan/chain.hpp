// foldwise/device/scan/chain.hpp: how the tiles of a scan communicate.
//
// Blocks take tiles in their order. A tile publishes its aggregate, the combination of its own elements, as soon as it
// has loaded them. A block combines the aggregates of all tiles before its own: batches of a fixed number of tiles
// first, which it remembers, then the tiles before its own in the last batch. So results do not depend on which tiles
// are ready, and no tile waits for what another one has combined.
#pragma once

#include <foldwise/detail/scan_code.hpp>
#include <foldwise/device/launch.hpp>
#include <foldwise/device/pack.hpp>
#include <foldwise/device/scan/stretch.hpp>
#include <foldwise/device/scan/words.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// What the warps of a block exchange in shared memory.
template <class Steps, int Warps> struct chain_state {
    unsigned long long ticket;          ///< The number of the launch before this one, times 2^32, plus a tile's.
    stretch<Steps> of_warps[Warps];     ///< The aggregate of each warp's elements.
    stretch<Steps> of_words[2][Warps];  ///< What each warp has combined of a batch; the next batch takes the other row.
};

/// The tiles of a launch, as one block of `Warps` warps sees them. A pipelined block takes three tiles before it is
/// done with the first, and has neither keys nor offsets.
template <class Steps, int Warps, bool IsPipelined = false> class tile_chain {
  public:
    /// Takes the block's first tile. All threads of the block call it.
    __device__ tile_chain(const scan_task<Steps>& task, chain_state<Steps, Warps>& state)
        : task_(task), state_(state), lane_(threadIdx.x % warp_size), warp_(threadIdx.x / warp_size) {
        if (threadIdx.x == 0) state_.ticket = is_alone() ? 0 : take();
        __syncthreads();
        launch_ = static_cast<unsigned int>(state_.ticket >> 32) + 1;
        if (threadIdx.x == 0) prepare_next_after(state_.ticket);
    }

    /// Returns the number of the block's tile, which may be none; with a barrier after pass().
    __device__ unsigned int tile() const { return static_cast<unsigned int>(state_.ticket); }

    /// Publishes the tile's aggregate, and returns that of all elements before the calling warp's. `upto` is the
    /// aggregate of the warp's elements up to those of the calling lane. All threads of the block call it.
    __device__ stretch<Steps> link(unsigned int tile, const stretch<Steps>& upto) {
        const stretch<Steps> in_tile = within(tile, upto);
        if (is_alone()) return in_tile;
        stretch<Steps> all = before(tile);
        all.append(in_tile);
        return all;
    }

    /// Publishes the tile's aggregate, and returns that of its elements before the calling warp's. `upto` is the
    /// aggregate of the warp's elements up to those of the calling lane. All threads of the block call it; it has a
    /// barrier.
    __device__ stretch<Steps> within(unsigned int tile, const stretch<Steps>& upto) {
        if (lane_ == warp_size - 1) state_.of_warps[warp_] = upto;
        __syncthreads();
        stretch<Steps> in_tile;
        FOLDWISE_NOT_UNROLLED
        for (unsigned int i = 0; i < warp_; ++i) in_tile.append(state_.of_warps[i]);
        if (threadIdx.x == Warps * warp_size - 1 && !is_alone() && needs_from(tile + 1) <= tile) {
            stretch<Steps> made = in_tile;
            made.append(upto);
            words().publish(tile, made);
        }
        return in_tile;
    }

    /// Returns the aggregate of the elements before the tile, as far as it needs them, once all tiles before it have
    /// published theirs. All threads of the block call it; it may have barriers.
    __device__ stretch<Steps> before(unsigned int tile) {
        const unsigned int from = needs_from(tile), batches = tile / batch;
        if (from == tile) return {};
        if (known_batches_ < from / batch) {
            known_batches_ = from / batch;
            upto_batches_ = {};
        }
        FOLDWISE_NOT_UNROLLED
        for (;; ++known_batches_) {
            const bool is_last = known_batches_ == batches;
            stretch<Steps> made = upto_batches_;
            made.append(combined(known_batches_ * batch, is_last ? tile % batch : batch, from));
            if (is_last) return made;
            upto_batches_ = made;
        }
    }

    /// Takes the number of the next tile, after link() or before(): no earlier, as all later tiles wait for one that
    /// has been taken. The first thread's result counts, which goes to pass() later, so that nobody waits for it here.
    __device__ unsigned long long next() const {
        if (threadIdx.x != 0) return 0;
        return is_alone() ? 1 : take();
    }

    /// Tells the block what next() has returned; a barrier follows before tile().
    __device__ void pass(unsigned long long ticket) {
        if (threadIdx.x != 0) return;
        state_.ticket = ticket;
        prepare_next_after(ticket);
    }

  private:
    using accumulator = typename Steps::accumulator;
    static constexpr unsigned int batch = 2 * Warps * warp_size, taken_ahead = IsPipelined ? 3 : 1;

    __device__ tile_words<Steps> words() const { return {task_, launch_}; }
    __device__ unsigned long long take() const { return tile_words<Steps>::take_ticket(task_); }

    /// Returns whether the launch has a single tile, for which no other waits.
    __device__ bool is_alone() const { return task_.tiles == 1; }

    /// Prepares the next launch if this ticket is the last: every block takes as many beyond the tiles as it takes
    /// ahead, the last of them when it reads no more words.
    __device__ void prepare_next_after(unsigned long long ticket) const {
        if (static_cast<unsigned int>(ticket) != task_.tiles + taken_ahead * gridDim.x - 1 || is_alone()) return;
        tile_words<Steps>::prepare_next(task_, launch_);
    }

    /// Returns the first tile whose elements a tile needs: the one in which the row of its first element begins. If
    /// that is the tile's first element, or there is no such tile, it is the tile itself.
    __device__ unsigned int needs_from(unsigned int tile) const {
        if (tile >= task_.tiles) return tile;
        if (task_.length.divisor >= static_cast<std::uint64_t>(task_.count)) return 0;
        std::uint64_t row = tile * task_.tile.divisor, back = task_.length.split(row) + task_.tile.divisor - 1;
        task_.tile.split(back);
        return tile - static_cast<unsigned int>(back);
    }

    /// What two neighbouring tiles have published.
    struct pair {
        typename tile_words<Steps>::seen of[2];
    };

    /// Returns what two neighbouring tiles have published, once those of them that count have.
    __device__ pair awaited(unsigned int tile, bool has_first, bool has_second) const {
        const tile_words<Steps> all = words();
        pair seen;
        do {
            if (has_failed()) stop_too();
            all.load_pair(tile, seen.of);
        } while ((has_first && !all.is_ready(seen.of[0])) || (has_second && !all.is_ready(seen.of[1])));
        all.after_waiting();
        return seen;
    }

    /// Returns the aggregate of those of `count` tiles of a batch that are not before `from`, once all of them have
    /// published theirs. All threads of the block call it; it has a barrier.
    __device__ stretch<Steps> combined(unsigned int first, unsigned int count, unsigned int from) {
        if (count == 0) return {};
        if constexpr (IsPipelined) return combined_plainly(first, count, from);
        const unsigned int own = 2 * threadIdx.x, tile = first + own;
        stretch<Steps> made;
        if (own < count && tile + 1 >= from) {
            const bool has_first = tile >= from, has_second = own + 1 < count;
            const pair seen = awaited(tile, has_first, has_second);
            if (has_first) made = words().published(seen.of[0], tile);
            if (has_second) made.append(words().published(seen.of[1], tile + 1));
        }
        __syncwarp();
        FOLDWISE_NOT_UNROLLED
        for (int distance = 1; distance < warp_size; distance *= 2) made.append(shuffle_down(made, distance));
        stretch<Steps>* const of_words = state_.of_words[side_];
        side_ ^= 1;
        if (lane_ == 0) of_words[warp_] = made;
        __syncthreads();
        stretch<Steps> all;
        FOLDWISE_NOT_UNROLLED
        for (unsigned int i = 0; i * 2 * warp_size < count; ++i) all.append(of_words[i]);
        return all;
    }

    /// Does the same where the scan begins anew in none of the tiles behind `from`: whether a lane has anything follows
    /// from its number.
    __device__ stretch<Steps> combined_plainly(unsigned int first, unsigned int count, unsigned int from) {
        const unsigned int skipped = from > first ? from - first : 0;
        constexpr unsigned int of_warp = 2 * warp_size;
        const unsigned int own = 2 * threadIdx.x, end_of_warp = (warp_ + 1) * of_warp,
                           end = count < end_of_warp ? count : end_of_warp;
        pack<accumulator, 1> element;
        accumulator& made = element[0];
        if (own < count && own + 1 >= skipped) {
            const bool has_first = own >= skipped, has_second = own + 1 < count;
            const pair seen = awaited(first + own, has_first, has_second);
            if (has_first) made = words().published(seen.of[0], first + own).value;
            if (has_second) {
                const accumulator second = words().published(seen.of[1], first + own + 1).value;
                made = has_first ? Steps::combine(made, second) : second;
            }
        }
        __syncwarp();
        FOLDWISE_UNROLLED
        for (unsigned int lanes = 1; lanes < warp_size; lanes *= 2) {
            const accumulator other = shuffle_down(made, static_cast<int>(lanes));
            const unsigned int next = own + 2 * lanes;
            if (next < end && next + 2 * lanes > skipped) made = next > skipped ? Steps::combine(made, other) : other;
        }
        stretch<Steps>* const of_words = state_.of_words[side_];
        side_ ^= 1;
        if (lane_ == 0) of_words[warp_].value = made;
        __syncthreads();
        unsigned int warp = skipped / of_warp;
        accumulator all = of_words[warp].value;
        FOLDWISE_NOT_UNROLLED
        while (++warp * of_warp < count) all = Steps::combine(all, of_words[warp].value);
        return {partial<Steps>(all), from >= first};
    }

    const scan_task<Steps>& task_;
    chain_state<Steps, Warps>& state_;
    const unsigned int lane_, warp_;
    unsigned int launch_ = 0;
    unsigned int known_batches_ = 0;  ///< How many batches are combined.
    stretch<Steps> upto_batches_;     ///< The aggregate of their elements.
    int side_ = 0;
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
