// foldwise/random.hpp: random numbers that are computed from a seed, for kernels and for the host.
//
//     auto noisy = foldwise::vectorize([](foldwise::index<1> i, float x, std::uint64_t seed) {
//         return x + 0.1f * foldwise::random(seed, i).normal();
//     });
//
// There is no state to set up, to store or to share: equal arguments give equal numbers on every backend and in every
// launch. docs/random.md compares this with other libraries.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/detail/distributions.hpp>
#include <foldwise/detail/host_device.hpp>
#include <foldwise/detail/philox.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace foldwise {

class random_at;

/// A sequence of random numbers, one of 2^64 streams of a seed. Streams are independent of each other, and constructing
/// one costs nothing: the usual way is a stream per element or task, `random(seed, i)`.
///
/// The generator is Philox4x32-10. Its words are those of cuRAND's curandStatePhilox4_32_10_t with the same seed, with
/// `stream` as the subsequence and 4 * block as the offset. A block of four words is computed at a time. Words,
/// uniform() and below() are the same bits everywhere; normal() and exponential() differ by the rounding of the
/// logarithm, sine and cosine on each processor.
///
/// Copies continue independently with the same numbers. A generator is not meant to be shared between threads.
class random {
  public:
    using result_type = std::uint32_t;  ///< For the distributions and algorithms of the standard library, on the host.

    /// Begins with word 4 * block of a stream. Signed arguments are taken modulo 2^64.
    FOLDWISE_HD constexpr random(std::uint64_t seed, std::uint64_t stream, std::uint64_t block = 0)
        : seed_(seed), stream_(stream), block_(block) {}

    /// Returns draw `i` of random(seed, stream) without those before it. Elements of an array that are filled this way
    /// share blocks, four words each, where random(seed, i) computes a block for each element:
    ///
    ///     auto uniform = foldwise::vectorize([](foldwise::index<1> i, std::uint64_t seed) {
    ///         return foldwise::random::at(seed, i).uniform();
    ///     });
    FOLDWISE_HD static constexpr random_at at(std::uint64_t seed, std::uint64_t i, std::uint64_t stream = 0);

    /// Returns the next word: 32 random bits.
    FOLDWISE_HD constexpr std::uint32_t bits() {
        if (left_ == 0) {
            words_ = detail::philox(seed_, stream_, block_);
            left_ = 4;
            if (++block_ == 0) ++stream_;  // as cuRAND's counter does
        }
        --left_;
        const std::uint32_t next = words_.x;
        words_ = {words_.y, words_.z, words_.w, next};
        return next;
    }

    /// Returns a multiple of 2^-24 in [0, 1) as a float, of 2^-53 as a double, of 2^-11 as a half, or of 2^-8 as a
    /// bfloat16. It is made of the upper bits of the next word or, for a double, of the upper 27 bits of the next word
    /// and the upper 26 bits of the one after it.
    template <class T = float> FOLDWISE_HD constexpr T uniform() {
        static_assert(detail::is_drawn_real<T>, "T is float, double, foldwise::half or foldwise::bfloat16");
        const std::uint32_t first = bits();
        if constexpr (std::is_same_v<T, double>)
            return detail::unit_of(first, bits());
        else
            return detail::unit_of<T>(first);
    }

    /// Returns a normal number with mean 0 and variance 1, by Box and Muller's formula: two words make two floats, and
    /// four words two doubles. The second of each pair is kept for the next call with the same precision. half and
    /// bfloat16 are rounded floats. These are the numbers of cuRAND's curand_normal() and curand_normal_double(),
    /// except for rounding.
    template <class T = float> FOLDWISE_HD constexpr T normal() {
        static_assert(detail::is_drawn_real<T>, "T is float, double, foldwise::half or foldwise::bfloat16");
        if constexpr (std::is_same_v<T, double>) {
            if (has_double_) return has_double_ = false, spare_double_;
            const std::uint32_t first = bits(), second = bits(), third = bits(), fourth = bits();
            const detail::normal_pair<double> pair = detail::normals_of(first, second, third, fourth);
            has_double_ = true;
            spare_double_ = pair.second;
            return pair.first;
        } else {
            if (has_float_) return has_float_ = false, T(spare_float_);
            const std::uint32_t first = bits(), second = bits();
            const detail::normal_pair<float> pair = detail::normals_of(first, second);
            has_float_ = true;
            spare_float_ = pair.second;
            return T(pair.first);
        }
    }

    /// Returns an exponential number with mean 1: -log(u), where u in (0, 1] is (word + 1/2) / 2^32 or, for a double,
    /// made of 53 bits of two words in the same way.
    template <class T = float> FOLDWISE_HD constexpr T exponential() {
        static_assert(detail::is_drawn_real<T>, "T is float, double, foldwise::half or foldwise::bfloat16");
        const std::uint32_t first = bits();
        if constexpr (std::is_same_v<T, double>)
            return detail::exponential_of(detail::positive_unit_of(detail::joined_bits(first, bits())));
        else
            return T(detail::exponential_of(detail::positive_unit_of(first)));
    }

    /// Returns an integer from 0 to n - 1, all of them exactly equally likely. Integers of up to 32 bits take one word,
    /// and larger ones two; rarely, some are rejected and drawn again. If n is not positive, the result is 0.
    template <std::integral T> FOLDWISE_HD constexpr T below(T n) {
        static_assert(!std::is_same_v<std::remove_cv_t<T>, bool>, "below(n) takes an integer, not a bool");
        using word = std::conditional_t<(sizeof(T) > 4), std::uint64_t, std::uint32_t>;
        return static_cast<T>(detail::below(n > 0 ? static_cast<word>(n) : word{0}, [this] { return bits(); }));
    }

    static constexpr std::uint32_t min() { return 0; }
    static constexpr std::uint32_t max() { return 0xffffffffu; }
    FOLDWISE_HD constexpr std::uint32_t operator()() { return bits(); }

  private:
    std::uint64_t seed_, stream_, block_;  // of the block that is computed next
    detail::philox_words words_ = {};      // rotated, so that the next word is the first
    int left_ = 0;
    float spare_float_ = 0;
    bool has_float_ = false, has_double_ = false;
    double spare_double_ = 0;
};

/// One draw of a stream, chosen by its number; random::at() makes it. Each function returns what its i-th call, counted
/// from 0, on a new random(seed, stream) does.
class random_at {
  public:
    FOLDWISE_HD constexpr random_at(std::uint64_t seed, std::uint64_t i, std::uint64_t stream)
        : seed_(seed), stream_(stream), i_(i) {}

    FOLDWISE_HD constexpr std::uint32_t bits() const { return block(i_ >> 2)[i_]; }

    template <class T = float> FOLDWISE_HD constexpr T uniform() const {
        static_assert(detail::is_drawn_real<T>, "T is float, double, foldwise::half or foldwise::bfloat16");
        if constexpr (std::is_same_v<T, double>) {
            const detail::philox_words words = block(i_ >> 1);
            return detail::unit_of(words[2 * i_], words[2 * i_ + 1]);
        } else {
            return detail::unit_of<T>(bits());
        }
    }

    template <class T = float> FOLDWISE_HD constexpr T normal() const {
        static_assert(detail::is_drawn_real<T>, "T is float, double, foldwise::half or foldwise::bfloat16");
        if constexpr (std::is_same_v<T, double>) {
            const detail::philox_words words = block(i_ >> 1);
            const detail::normal_pair<double> pair = detail::normals_of(words.x, words.y, words.z, words.w);
            return (i_ & 1) != 0 ? pair.second : pair.first;
        } else {
            const detail::philox_words words = block(i_ >> 2);
            const bool is_later = (i_ & 2) != 0;
            const detail::normal_pair<float> pair =
                detail::normals_of(is_later ? words.z : words.x, is_later ? words.w : words.y);
            return T((i_ & 1) != 0 ? pair.second : pair.first);
        }
    }

    template <class T = float> FOLDWISE_HD constexpr T exponential() const {
        static_assert(detail::is_drawn_real<T>, "T is float, double, foldwise::half or foldwise::bfloat16");
        if constexpr (std::is_same_v<T, double>) {
            const detail::philox_words words = block(i_ >> 1);
            const std::uint64_t joined = detail::joined_bits(words[2 * i_], words[2 * i_ + 1]);
            return detail::exponential_of(detail::positive_unit_of(joined));
        } else {
            return T(detail::exponential_of(detail::positive_unit_of(bits())));
        }
    }

  private:
    FOLDWISE_HD constexpr detail::philox_words block(std::uint64_t number) const {
        return detail::philox(seed_, stream_, number);
    }

    std::uint64_t seed_, stream_, i_;
};

FOLDWISE_HD constexpr random_at random::at(std::uint64_t seed, std::uint64_t i, std::uint64_t stream) {
    return {seed, i, stream};
}

}  // namespace foldwise

#endif  // C++20
