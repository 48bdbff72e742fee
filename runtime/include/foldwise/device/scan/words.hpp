// foldwise/device/scan/words.hpp: how tiles of a scan publish their aggregates for other tiles.
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

/// The words of a launch. A word holds the launch's number, whether the scan begins anew in what it stands for, and an
/// accumulator of up to 4 bytes; larger ones are beside the words.
template <class Steps> class tile_words {
  public:
    __device__ tile_words(const detail::scan_range& range, unsigned int launch)
        : words_(range.words), parts_(static_cast<accumulator*>(range.parts)), number_(launch & numbers) {}

    /// Publishes the aggregate of some elements, at a word of their own.
    __device__ void publish(std::int64_t place, const stretch<Steps>& made) const {
        unsigned long long word = number_ << 33;
        if (made.state & stretch<Steps>::begins) word |= 1ull << 32;
        if constexpr (fits_word) {
            std::uint32_t bits = 0;
            memcpy(&bits, &made.value, sizeof(accumulator));
            word |= bits;
        } else {
            parts_[place] = made.value;
            __threadfence();
        }
        atomicExch(words_ + place, word);
    }

    /// Waits for `count` words, at most N, that are `apart` from each other, and returns their aggregate.
    template <int N>
    __device__ stretch<Steps> awaited(std::int64_t first, std::int64_t apart, unsigned int count) const {
        unsigned long long seen[N];
        settle_bytes(seen);
        bool are_ready;
        do {
            if (has_failed()) stop_too();
            are_ready = true;
            const unsigned long long* word = words_ + first;
            FOLDWISE_UNROLLED
            for (unsigned int k = 0; k < N; ++k, word += apart)
                if (k < count) seen[k] = load_word(word);
            FOLDWISE_UNROLLED
            for (unsigned int k = 0; k < N; ++k)
                if (k < count) are_ready = are_ready && is_ready(seen[k]);
        } while (!are_ready);
        after_waiting();
        stretch<Steps> made;
        FOLDWISE_UNROLLED
        for (unsigned int k = 0; k < N; ++k)
            if (k < count) made.append(published(seen[k], first + k * apart));
        return made;
    }

    /// Returns whether the current launch has published a word.
    __device__ bool is_ready(unsigned long long word) const { return word >> 33 == number_; }

    /// Orders what follows behind words that are ready.
    __device__ static void after_waiting() {
        if constexpr (!fits_word) __threadfence();
    }

    /// Returns the aggregate that a word publishes which is ready.
    __device__ stretch<Steps> published(unsigned long long word, std::int64_t place) const {
        return {partial<Steps>(value_of(word, place)[0]), (word >> 32 & 1) != 0};
    }

    /// Takes a ticket, which has the number of the launch before this one, times 2^32, plus a tile's.
    __device__ static unsigned long long take_ticket(const detail::scan_range& range) {
#ifdef FOLDWISE_SIMULATOR
        return atomicAdd(&range.progress->tickets, 1ull);
#else
        // Of atomicAdd() nvcc would make one for the whole warp, which then waits for the result.
        unsigned long long ticket;
        asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], 1;"
                     : "=l"(ticket)
                     : "l"(&range.progress->tickets)
                     : "memory");
        return ticket;
#endif
    }

    /// Has the next launch begin with its own number; called once in a launch, when nobody reads words any more.
    __device__ static void prepare_next(const detail::scan_range& range, unsigned int launch) {
        // Words of a launch long ago must not look like the next launch's.
        if (((launch + 1) & numbers) == 0) {
            FOLDWISE_NOT_UNROLLED
            for (std::int64_t i = 0; i < range.word_count; ++i) range.words[i] = 0;
            launch += 1;
        }
        atomicExch(&range.progress->tickets, static_cast<unsigned long long>(launch) << 32);
    }

  private:
    using accumulator = typename Steps::accumulator;
    /// Whether an accumulator is in the word that a tile publishes.
    static constexpr bool fits_word = sizeof(accumulator) <= sizeof(std::uint32_t);
    static constexpr unsigned int numbers = 0x7fffffff;

    /// Loads a word, past this multiprocessor's cache.
    __device__ static unsigned long long load_word(const unsigned long long* word) {
#ifdef FOLDWISE_SIMULATOR
        return *word;
#else
        unsigned long long loaded;
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(loaded) : "l"(word) : "memory");
        return loaded;
#endif
    }

    /// Returns an accumulator: from its word, or past this multiprocessor's cache.
    __device__ pack<accumulator, 1> value_of(unsigned long long word, std::int64_t place) const {
        pack<accumulator, 1> value;
        if constexpr (fits_word) {
            const auto bits = static_cast<std::uint32_t>(word);
            memcpy(static_cast<void*>(&value), &bits, sizeof(accumulator));
        } else {
            using part =
                std::conditional_t<alignof(accumulator) % 4 == 0, std::uint32_t,
                                   std::conditional_t<alignof(accumulator) == 2, std::uint16_t, unsigned char>>;
            part read[sizeof(accumulator) / sizeof(part)];
            const auto* const source = reinterpret_cast<const volatile part*>(parts_ + place);
            FOLDWISE_UNROLLED
            for (unsigned int i = 0; i < sizeof read / sizeof(part); ++i) read[i] = source[i];
            memcpy(static_cast<void*>(&value), read, sizeof read);
        }
        return value;
    }

    unsigned long long* words_;
    accumulator* parts_;
    unsigned long long number_;
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
