// foldwise/detail/distributions.hpp: random numbers made of random words, by the formulas that random.hpp documents.
#pragma once

#include <foldwise/bfloat16.hpp>
#include <foldwise/detail/host_device.hpp>
#include <foldwise/detail/real_functions.hpp>
#include <foldwise/detail/unit_functions.hpp>
#include <foldwise/half.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise::detail {

/// Whether random numbers of type T can be drawn.
template <class T>
inline constexpr bool is_drawn_real =
    std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;

/// The type in which normal and exponential numbers of type T are computed.
template <class T> using computed_real = std::conditional_t<std::is_same_v<T, double>, double, float>;

/// Returns the T in [0, 1) that the upper bits of a word stand for: as many as T has in its significand.
template <class T> FOLDWISE_HD constexpr T unit_of(std::uint32_t word) {
    if constexpr (std::is_same_v<T, half>)
        return T(static_cast<float>(word >> 21) * 0x1p-11f);
    else if constexpr (std::is_same_v<T, bfloat16>)
        return T(static_cast<float>(word >> 24) * 0x1p-8f);
    else
        return static_cast<float>(word >> 8) * 0x1p-24f;
}

/// Returns the double in [0, 1) whose 53 bits are the upper 27 of one word and the upper 26 of another.
FOLDWISE_HD constexpr double unit_of(std::uint32_t first, std::uint32_t second) {
    return static_cast<double>(std::uint64_t{first >> 5} << 26 | second >> 6) * 0x1p-53;
}

/// Returns a number in (0, 1], which has a logarithm.
FOLDWISE_HD constexpr float positive_unit_of(std::uint32_t word) {
    return static_cast<float>(word) * 0x1p-32f + 0x1p-33f;
}
FOLDWISE_HD constexpr double positive_unit_of(std::uint64_t bits) {
    return static_cast<double>(bits) * 0x1p-53 + 0x1p-54;
}
/// Returns the 53 bits that cuRAND makes of two words.
FOLDWISE_HD constexpr std::uint64_t joined_bits(std::uint32_t first, std::uint32_t second) {
    return first ^ std::uint64_t{second} << 21;
}

/// Returns -log(u): exponential with mean 1 if u is uniform.
FOLDWISE_HD constexpr float exponential_of(float u) { return -logarithm_of_unit(u); }
FOLDWISE_HD constexpr double exponential_of(double u) { return -logarithm_of(u); }

/// Two independent normal numbers, by Box and Muller: radius times sine and cosine of an angle.
template <class Real> struct normal_pair { Real first, second; };

FOLDWISE_HD constexpr normal_pair<float> normals_of(std::uint32_t first, std::uint32_t second) {
    const float radius = positive_root_of(-2.0f * logarithm_of_unit(positive_unit_of(first)));
    const auto [sine, cosine] = sine_and_cosine_of_turn(second);
    return {radius * sine, radius * cosine};
}

/// The radius is sqrt(-2 log(u)), and the angle is `half_turns` times pi. A function of its own, because the logarithm
/// and the sine have branches, around which nvcc would compute what elements share once for each of them.
FOLDWISE_SHARED_CALL FOLDWISE_HD constexpr normal_pair<double> box_muller(double u, double half_turns) {
    const double radius = root_of(-2 * logarithm_of(u));
    const auto [sine, cosine] = sine_and_cosine_of(half_turns);
    return {radius * sine, radius * cosine};
}
FOLDWISE_HD constexpr normal_pair<double> normals_of(std::uint32_t first, std::uint32_t second, std::uint32_t third,
                                                     std::uint32_t fourth) {
    return box_muller(positive_unit_of(joined_bits(first, second)),
                      static_cast<double>(joined_bits(third, fourth)) * 0x1p-52 + 0x1p-53);
}

/// A product of two 64-bit numbers.
struct wide_product {
    std::uint64_t high, low;
};

FOLDWISE_HD constexpr wide_product product_of(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t mask = 0xffffffffu;
    const std::uint64_t low = (a & mask) * (b & mask), middle = (a >> 32) * (b & mask) + (low >> 32),
                        other = (a & mask) * (b >> 32) + (middle & mask);
    return {(a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32), a * b};
}

/// Returns an unbiased number below n, or 0 if n is 0; `word()` gives 32 random bits. (D. Lemire, "Fast Random Integer
/// Generation in an Interval", ACM Transactions on Modeling and Computer Simulation 29(1), 2019.)
template <class Word> FOLDWISE_HD constexpr std::uint32_t below(std::uint32_t n, const Word& word) {
    std::uint64_t product = std::uint64_t{word()} * n;
    if (static_cast<std::uint32_t>(product) < n) {
        const std::uint32_t biased = (0u - n) % n;
        while (static_cast<std::uint32_t>(product) < biased) product = std::uint64_t{word()} * n;
    }
    return static_cast<std::uint32_t>(product >> 32);
}
template <class Word> FOLDWISE_HD constexpr std::uint64_t below(std::uint64_t n, const Word& word) {
    const auto drawn = [&] {
        const std::uint64_t first = word();
        return product_of(std::uint64_t{word()} << 32 | first, n);
    };
    wide_product product = drawn();
    if (product.low < n) {
        const std::uint64_t biased = (std::uint64_t{0} - n) % n;
        while (product.low < biased) product = drawn();
    }
    return product.high;
}

}  // namespace foldwise::detail
