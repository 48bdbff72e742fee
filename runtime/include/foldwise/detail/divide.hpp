// foldwise/detail/divide.hpp: division by a launch-time constant, implemented as a multiplication and a shift.
#pragma once

#include <foldwise/detail/host_device.hpp>

#include <cstdint>

namespace foldwise::detail {

/// The integer type twice as wide as `Word`, for products.
template <class Word> struct doubled;
template <> struct doubled<std::uint32_t> { using type = std::uint64_t; };
template <> struct doubled<std::uint64_t> { __extension__ using type = unsigned __int128; };

/// A divisor from 1 to half the range of Word. For dividends below that half, the quotient is (high word of n *
/// multiplier + n) >> shift, and the sum does not overflow (Granlund and Montgomery, 1994).
template <class Word> struct divider {
    using product = typename doubled<Word>::type;
    static constexpr int bits = 8 * static_cast<int>(sizeof(Word));

    Word divisor;
    Word multiplier;
    int shift;

    /// Creates a divider; called on the host, before the launch.
    static divider by(Word divisor) {
        int shift = 0;
        while ((product{1} << shift) < divisor) ++shift;
        const product above = (product{1} << shift) - divisor;
        return {divisor, static_cast<Word>((above << bits) / divisor + 1), shift};
    }

    FOLDWISE_HD Word quotient(Word n) const {
        const auto high = static_cast<Word>(product{n} * multiplier >> bits);
        return (high + n) >> shift;
    }

    FOLDWISE_HD bool is_power_of_two() const { return multiplier == 1; }

    /// Replaces n by the quotient and returns the remainder.
    FOLDWISE_HD Word split(Word& n) const {
        const Word all = n;
        n = quotient(all);
        return all - n * divisor;
    }
};

}  // namespace foldwise::detail
