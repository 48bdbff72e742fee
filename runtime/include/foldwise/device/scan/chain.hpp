// foldwise/device/scan/chain.hpp: what the tiles of a scan tell one another.
//
// Blocks take tiles in their order. A tile publishes what its own elements make as soon as it has loaded them. What all
// elements before a tile make is combined from what the tiles before it in its batch have published, and from what the
// last tile of the batch before has: everything up to its own last element. Batches are of a fixed number of tiles, so
// results do not depend on which tiles are ready.
#pragma once

#include <foldwise/detail/scan_code.hpp>
#include <foldwise/device/launch.hpp>
#include <foldwise/device/pack.hpp>
#include <foldwise/device/scan/stretch.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// What the first warp of a block tells the others, in shared memory.
template <class Steps, int Warps> struct chain_state {
    unsigned long long ticket;       ///< The number of the launch before this one, times 2^32, plus a tile's.
    stretch<Steps> of_warps[Warps];  ///< What each warp's elements make, then what precedes them in the tile.
    stretch<Steps> before;           ///< What all elements before the tile make.
};

/// The tiles of a launch, as one block of `Warps` warps sees them.
template <class Steps, int Warps> class tile_chain {
  public:
    /// Takes the block's first tile. All threads of the block call it.
    __device__ tile_chain(const scan_task<Steps>& task, chain_state<Steps, Warps>& state) : task_(task), state_(state) {
        if (threadIdx.x == 0) state_.ticket = is_alone() ? 0 : take();
        __syncthreads();
        launch_ = static_cast<unsigned int>(state_.ticket >> 32) + 1;
    }

    /// Returns the number of the block's tile, which may be none; with a barrier after link().
    __device__ unsigned int tile() const { return static_cast<unsigned int>(state_.ticket); }

    /// Publishes what the tile makes, finds what precedes each warp and the tile, and takes the next tile. The first
    /// warp calls it with all lanes. Not inlined, because it needs many registers, and most threads never call it.
    [[gnu::noinline]] __device__ void link(unsigned int tile) {
        const unsigned int lane = threadIdx.x % warp_size;
        stretch<Steps> upto;
        if (lane < Warps) upto = state_.of_warps[lane];
        scan_lanes<Warps>(upto);
        const stretch<Steps> made = shuffle_from(upto, Warps - 1), ahead = shuffle_up(upto, 1);
        if (lane < Warps) state_.of_warps[lane] = lane == 0 ? stretch<Steps>() : ahead;
        if (is_alone()) {
            if (lane == 0) state_.before = {};
            if (lane == 0) state_.ticket = 1;
            return;
        }
        unsigned long long ticket = 0;
        if (lane == 0) {
            publish(tile, made);
            ticket = take();  // not earlier, as other blocks may be without a tile
        }
        __syncwarp();
        const unsigned int number = tile / batch, in_batch = tile % batch;
        stretch<Steps> in_tiles = combined(number * batch, in_batch);
        stretch<Steps> before, upto_tile;
        if (number > 0) upto_tile = before = awaited(place_of_batch(number - 1));
        if (lane != 0) return;
        if (in_batch == batch - 1) {  // all later batches wait for this
            stretch<Steps> of_batch = in_tiles;
            of_batch.append(made);
            upto_tile.append(of_batch);
            publish(place_of_batch(number), upto_tile);
        }
        before.append(in_tiles);
        state_.before = before;
        state_.ticket = ticket;
    }

    /// Ends the block's part in the launch. The last block prepares the next launch.
    __device__ void leave() {
        if (threadIdx.x != 0 || is_alone()) return;
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
    static constexpr unsigned int batch = detail::scan_batch, loads = batch / (2 * warp_size);
    static constexpr unsigned int numbers = 0x7fffffff;
    /// Whether an accumulator is in the word that a tile publishes.
    static constexpr bool fits_word = sizeof(accumulator) <= sizeof(std::uint32_t);

    __device__ accumulator* parts() const { return static_cast<accumulator*>(task_.parts); }
    __device__ unsigned long long number() const { return launch_ & numbers; }

    /// Returns whether the launch has a single tile, which has nobody to tell anything.
    __device__ bool is_alone() const { return task_.tiles == 1; }

    /// Takes a ticket.
    __device__ unsigned long long take() const { return atomicAdd(&task_.progress->tickets, 1ull); }

    /// Returns the number of the word of a batch: behind those of all tiles.
    __device__ unsigned int place_of_batch(unsigned int number) const { return task_.tiles + number; }

    /// Publishes what a tile makes, or everything up to the end of a batch.
    __device__ void publish(unsigned int place, const stretch<Steps>& made) const {
        unsigned long long word = number() << 33;
        if (made.state & stretch<Steps>::begins) word |= 1ull << 32;
        if constexpr (fits_word) {
            std::uint32_t bits = 0;
            memcpy(&bits, &made.value, sizeof(accumulator));
            word |= bits;
        } else {
            parts()[place] = made.value;
            __threadfence();
        }
        atomicExch(task_.words + place, word);
    }

    /// The words of two neighbouring tiles, which a lane loads at once.
    struct alignas(16) pair {
        unsigned long long of[2];
    };

    /// Loads the words of two tiles, past this multiprocessor's cache.
    __device__ static pair load_pair(const unsigned long long* words) {
        pair loaded;
#ifdef FOLDWISE_SIMULATOR
        loaded = {words[0], words[1]};
#else
        asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(loaded.of[0]), "=l"(loaded.of[1])
                     : "l"(words)
                     : "memory");
#endif
        return loaded;
    }

    /// Returns whether the current launch has published a word.
    __device__ bool is_ready(unsigned long long word) const { return word >> 33 == number(); }

    /// Returns what everything up to the end of a batch makes, once it has been published.
    __device__ stretch<Steps> awaited(unsigned int place) const {
        unsigned long long word;
        do {
            if (has_failed()) stop_too();
            word = load_pair(task_.words + place / 2 * 2).of[place % 2];
        } while (!is_ready(word));
        if constexpr (!fits_word) __threadfence();
        __syncwarp();
        return published(word, place);
    }

    /// Returns what `count` tiles of a batch make, once they have been published; the first lane gets the result. Lanes
    /// load neighbouring words at once: many blocks wait for the same ones, and loads of the same memory line take
    /// turns.
    __device__ stretch<Steps> combined(unsigned int first, unsigned int count) const {
        const unsigned int lane = threadIdx.x % warp_size;
        pair seen[loads];
        bool are_ready;
        do {
            if (has_failed()) stop_too();
            are_ready = true;
            FOLDWISE_UNROLLED
            for (unsigned int k = 0; k < loads; ++k) {
                const unsigned int own = 2 * (k * warp_size + lane);
                if (own < count) seen[k] = load_pair(task_.words + first + own);
            }
            FOLDWISE_UNROLLED
            for (unsigned int k = 0; k < loads; ++k) {
                const unsigned int own = 2 * (k * warp_size + lane);
                if (own < count) are_ready = are_ready && is_ready(seen[k].of[0]);
                if (own + 1 < count) are_ready = are_ready && is_ready(seen[k].of[1]);
            }
        } while (!are_ready);
        if constexpr (!fits_word) __threadfence();
        __syncwarp();
        stretch<Steps> made[loads];
        FOLDWISE_UNROLLED
        for (unsigned int k = 0; k < loads; ++k) {
            const unsigned int own = 2 * (k * warp_size + lane);
            FOLDWISE_UNROLLED
            for (unsigned int i = 0; i < 2; ++i)
                if (own + i < count) made[k].append(published(seen[k].of[i], first + own + i));
        }
        FOLDWISE_NOT_UNROLLED
        for (int distance = 1; distance < warp_size; distance *= 2) {
            FOLDWISE_UNROLLED
            for (unsigned int k = 0; k < loads; ++k) made[k].append(shuffle_down(made[k], distance));
        }
        FOLDWISE_UNROLLED
        for (unsigned int k = 1; k < loads; ++k) made[0].append(made[k]);
        return made[0];
    }

    /// Returns what a tile has published.
    __device__ stretch<Steps> published(unsigned long long word, unsigned int tile) const {
        return {partial<Steps>(value_of(word, tile)[0]), (word >> 32 & 1) != 0};
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
    chain_state<Steps, Warps>& state_;
    unsigned int launch_ = 0;
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
