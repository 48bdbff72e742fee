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

/// The words of a launch. A word holds the launch's number, whether the scan begins anew in what it stands for, and
/// four bytes of an accumulator. So each word says by itself whether it is ready, and no fence has to order several,
/// which would wait for all that the thread loads. Accumulators of more than 16 bytes are beside the words.
template <class Steps> class tile_words {
  public:
    /// The words of an aggregate.
    static constexpr int each = detail::scan_words_each(sizeof(typename Steps::accumulator));
    struct seen {
        unsigned long long of[each];
    };

    __device__ tile_words(const detail::scan_range& range, unsigned int launch)
        : words_(range.words), parts_(static_cast<accumulator*>(range.parts)), number_(launch & numbers) {}

    /// Publishes the aggregate of some elements, at a place of their own.
    __device__ void publish(std::int64_t place, const stretch<Steps>& made) const {
        unsigned long long word = static_cast<unsigned long long>(number_) << 33;
        if (made.state & stretch<Steps>::begins) word |= 1ull << 32;
        std::uint32_t bits[each] = {};
        if constexpr (fits_words) {
            memcpy(bits, static_cast<const void*>(&made.value), sizeof(accumulator));
        } else {
            parts_[place] = made.value;
            __threadfence();
        }
        FOLDWISE_UNROLLED
        for (int i = 0; i < each; ++i) atomicExch(words_ + place * each + i, word | bits[i]);
    }

    /// Waits for `count` aggregates, at most N, that are `apart` from each other, and returns what they make.
    template <int N>
    __device__ stretch<Steps> awaited(std::int64_t first, std::int64_t apart, unsigned int count) const {
        seen all[N];
        settle_bytes(all);
        bool are_ready;
        do {
            if (has_failed()) stop_too();
            are_ready = true;
            FOLDWISE_UNROLLED
            for (unsigned int k = 0; k < N; ++k)
                if (k < count) all[k] = load(first + k * apart);
            FOLDWISE_UNROLLED
            for (unsigned int k = 0; k < N; ++k)
                if (k < count) are_ready = are_ready && is_ready(all[k]);
        } while (!are_ready);
        after_waiting();
        stretch<Steps> made;
        FOLDWISE_UNROLLED
        for (unsigned int k = 0; k < N; ++k)
            if (k < count) made.append(published(all[k], first + k * apart));
        return made;
    }

    /// Loads the words of an aggregate.
    __device__ seen load(std::int64_t place) const {
        seen loaded;
        load_words<each>(words_ + place * each, loaded.of);
        return loaded;
    }
    /// Loads those of two neighbouring aggregates, of which the first has an even number.
    __device__ void load_pair(std::int64_t place, seen (&loaded)[2]) const {
        unsigned long long both[2 * each];
        load_words<2 * each>(words_ + place * each, both);
        FOLDWISE_UNROLLED
        for (int i = 0; i < each; ++i) {
            loaded[0].of[i] = both[i];
            loaded[1].of[i] = both[each + i];
        }
    }

    /// Returns whether the current launch has published an aggregate.
    __device__ bool is_ready(const seen& words) const {
        bool is = true;
        FOLDWISE_UNROLLED
        for (int i = 0; i < each; ++i) is = is && static_cast<unsigned int>(words.of[i] >> 33) == number_;
        return is;
    }

    /// Orders what follows behind aggregates that are ready.
    __device__ static void after_waiting() {
        if constexpr (!fits_words) __threadfence();
    }

    /// Returns an aggregate that is ready.
    __device__ stretch<Steps> published(const seen& words, std::int64_t place) const {
        return {partial<Steps>(value_of(words, place)[0]), (words.of[0] >> 32 & 1) != 0};
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
    static constexpr bool fits_words = detail::fits_scan_words(sizeof(accumulator));
    static constexpr unsigned int numbers = 0x7fffffff;

    /// Loads words, past this multiprocessor's cache: two at a time, if there are two, which are aligned to 16 bytes.
    template <int Count>
    __device__ static void load_words(const unsigned long long* words, unsigned long long (&loaded)[Count]) {
#ifdef FOLDWISE_SIMULATOR
        for (int i = 0; i < Count; ++i) loaded[i] = words[i];
#else
        if constexpr (Count == 1) {
            asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(loaded[0]) : "l"(words) : "memory");
        } else {
            FOLDWISE_UNROLLED
            for (int i = 0; i < Count; i += 2)
                asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                             : "=l"(loaded[i]), "=l"(loaded[i + 1])
                             : "l"(words + i)
                             : "memory");
        }
#endif
    }

    /// Returns an accumulator: from its words, or past this multiprocessor's cache.
    __device__ pack<accumulator, 1> value_of(const seen& words, std::int64_t place) const {
        pack<accumulator, 1> value;
        if constexpr (fits_words) {
            std::uint32_t bits[each];
            FOLDWISE_UNROLLED
            for (int i = 0; i < each; ++i) bits[i] = static_cast<std::uint32_t>(words.of[i]);
            memcpy(static_cast<void*>(&value), bits, sizeof(accumulator));
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
    unsigned int number_;
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
