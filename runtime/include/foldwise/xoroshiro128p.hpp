// foldwise/xoroshiro128p.hpp: the random numbers of numba.cuda.random, for programs that are ported from there.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/detail/host_device.hpp>
#include <foldwise/detail/real_functions.hpp>

#include <cstdint>
#include <span>
#include <type_traits>

namespace foldwise {

/// The generator xoroshiro128+ by D. Blackman and S. Vigna, seeded and drawn from as numba.cuda.random does: the same
/// words and uniform numbers, and the same normal numbers except for rounding. New programs are better off with
/// foldwise::random, whose streams need no state.
///
/// It is 16 bytes that can be copied and, unlike foldwise::random, elements of an array in which kernels keep their
/// states from one launch to the next.
class xoroshiro128p {
  public:
    // A state of zeros alone would draw zeros for ever.
    xoroshiro128p() = delete;  // xoroshiro128p(seed); then xoroshiro128p::seed(states, seed) for a stream each

    /// The generator that numba's create_xoroshiro128p_states(n, seed) has as element `stream`, which is 2^64 * stream
    /// draws ahead. Finding it takes some 1,000 instructions for each bit of `stream`: where tasks draw only a few
    /// numbers, prepare an array of generators with seed().
    FOLDWISE_HD constexpr explicit xoroshiro128p(std::uint64_t seed, std::uint64_t stream = 0)
        : s0_(mixed(seed)), s1_(s0_) {
        polynomial power = jump_distance();
        for (std::uint64_t rest = stream; rest != 0; rest >>= 1) {
            if ((rest & 1) != 0) advance(power);
            if (rest > 1) power = squared(power);
        }
    }

    /// Sets each element to the generator of its own stream: `first`, first + 1, and so on. On the host.
    static constexpr void seed(std::span<xoroshiro128p> states, std::uint64_t seed, std::uint64_t first = 0) {
        xoroshiro128p next(seed, first);
        for (xoroshiro128p& state : states) {
            state = next;
            next.jump();
        }
    }

    /// Returns the next 64 random bits.
    FOLDWISE_HD constexpr std::uint64_t bits() {
        const std::uint64_t result = s0_ + s1_, mixed = s0_ ^ s1_;
        s0_ = rotated(s0_, 55) ^ mixed ^ mixed << 14;
        s1_ = rotated(mixed, 36);
        return result;
    }

    /// Returns a multiple of 2^-53 in [0, 1). As a float it is rounded, as in Numba, and can therefore be 1.
    template <class T = float> FOLDWISE_HD constexpr T uniform() {
        static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>, "T is float or double");
        return static_cast<T>(static_cast<double>(bits() >> 11) * 0x1p-53);
    }

    /// Returns a normal number with mean 0 and variance 1, by Box and Muller's formula from two uniform numbers. As in
    /// Numba, the second number of each pair is discarded, and the result is infinite if the first uniform number is 0.
    template <class T = float> FOLDWISE_HD constexpr T normal() {
        const T u1 = uniform<T>(), u2 = uniform<T>();
        return detail::root_of(T(-2) * detail::logarithm_of(u1)) * detail::cosine_of(T(6.283185307179586) * u2);
    }

    /// Skips 2^64 draws, which is the distance between streams.
    FOLDWISE_HD constexpr void jump() { advance(jump_distance()); }

    friend constexpr bool operator==(const xoroshiro128p&, const xoroshiro128p&) = default;

  private:
    /// A polynomial of degree 127 over the integers modulo 2: bit k of `low` is the coefficient of x^k.
    struct polynomial {
        std::uint64_t low, high;
    };

    /// Returns x^(2^64) modulo the generator's characteristic polynomial.
    FOLDWISE_HD static constexpr polynomial jump_distance() { return {0xbeac0467eba5facbu, 0xd86b048b86aa9922u}; }

    FOLDWISE_HD static constexpr std::uint64_t rotated(std::uint64_t bits, int by) {
        return bits << by | bits >> (64 - by);
    }

    /// The first number of splitmix64 with a seed.
    FOLDWISE_HD static constexpr std::uint64_t mixed(std::uint64_t seed) {
        std::uint64_t z = seed + 0x9E3779B97F4A7C15u;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        return z ^ z >> 31;
    }

    /// Multiplies by x modulo the characteristic polynomial.
    FOLDWISE_HD static constexpr polynomial shifted(polynomial p) {
        const std::uint64_t carry = 0 - (p.high >> 63);
        return {p.low << 1 ^ (carry & 0x5fd66762f0e1c001u),
                (p.high << 1 | p.low >> 63) ^ (carry & 0x00653ced7f29f88au)};
    }

    FOLDWISE_HD static constexpr polynomial squared(polynomial p) {
        polynomial sum = {0, 0}, term = p;
        for (int k = 0; k < 128; ++k) {
            const std::uint64_t mask = 0 - ((k < 64 ? p.low >> k : p.high >> (k - 64)) & 1);
            sum = {sum.low ^ (mask & term.low), sum.high ^ (mask & term.high)};
            term = shifted(term);
        }
        return sum;
    }

    /// Skips as many draws as the polynomial, a power of x, stands for.
    FOLDWISE_HD constexpr void advance(polynomial p) {
        std::uint64_t s0 = 0, s1 = 0;
        for (int k = 0; k < 128; ++k) {
            const std::uint64_t mask = 0 - ((k < 64 ? p.low >> k : p.high >> (k - 64)) & 1);
            s0 ^= mask & s0_;
            s1 ^= mask & s1_;
            bits();
        }
        s0_ = s0;
        s1_ = s1;
    }

    std::uint64_t s0_, s1_;
};

}  // namespace foldwise

#endif  // C++20
