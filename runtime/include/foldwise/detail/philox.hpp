// foldwise/detail/philox.hpp: Philox4x32-10, which encrypts a counter to four random words.
//
// J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", Proceedings of
// SC11, 2011.
#pragma once

#include <foldwise/detail/host_device.hpp>

#include <cstdint>

namespace foldwise::detail {

/// The four words of a block. They are members, not an array, so that a GPU keeps them in registers whatever selects
/// one.
struct philox_words {
    std::uint32_t x, y, z, w;

    /// Returns word `number` modulo 4.
    FOLDWISE_HD constexpr std::uint32_t operator[](std::uint64_t number) const {
        const std::uint32_t even = (number & 2) != 0 ? z : x, odd = (number & 2) != 0 ? w : y;
        return (number & 1) != 0 ? odd : even;
    }
};

/// The two halves of a product.
struct philox_product {
    std::uint32_t high, low;
};

FOLDWISE_HD constexpr philox_product philox_multiply(std::uint32_t a, std::uint32_t b) {
#ifdef __CUDA_ARCH__
    // nvcc would compute the rest in 64 bits, too.
    if (!__builtin_is_constant_evaluated()) return {__umulhi(a, b), a * b};
#endif
    const std::uint64_t product = std::uint64_t{a} * b;
    return {static_cast<std::uint32_t>(product >> 32), static_cast<std::uint32_t>(product)};
}

/// Encrypts the counter {block, stream}, low words first, with the key `seed`.
FOLDWISE_HD constexpr philox_words philox(std::uint64_t seed, std::uint64_t stream, std::uint64_t block) {
    const auto low = [](std::uint64_t number) { return static_cast<std::uint32_t>(number); };
    const auto high = [](std::uint64_t number) { return static_cast<std::uint32_t>(number >> 32); };
    philox_words words = {low(block), high(block), low(stream), high(stream)};
    std::uint32_t key0 = low(seed), key1 = high(seed);
    for (int round = 0; round < 10; ++round) {
        const philox_product a = philox_multiply(0xD2511F53u, words.x), b = philox_multiply(0xCD9E8D57u, words.z);
        words = {b.high ^ words.y ^ key0, b.low, a.high ^ words.w ^ key1, a.low};
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    return words;
}

}  // namespace foldwise::detail
