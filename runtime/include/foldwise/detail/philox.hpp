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

/// Encrypts the counter {block, stream}, low words first, with the key `seed`.
FOLDWISE_HD constexpr philox_words philox(std::uint64_t seed, std::uint64_t stream, std::uint64_t block) {
    const auto low = [](std::uint64_t number) { return static_cast<std::uint32_t>(number); };
    const auto high = [](std::uint64_t number) { return static_cast<std::uint32_t>(number >> 32); };
    philox_words words = {low(block), high(block), low(stream), high(stream)};
    std::uint32_t key0 = low(seed), key1 = high(seed);
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xD2511F53u} * words.x, b = std::uint64_t{0xCD9E8D57u} * words.z;
        words = {high(b) ^ words.y ^ key0, low(b), high(a) ^ words.w ^ key1, low(a)};
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    return words;
}

}  // namespace foldwise::detail
