// bench/distributions.hpp: segments of equal or very different lengths, and places that are all alike or not;
// peers_common.py has the same.
#pragma once

#include <cstdint>
#include <vector>

namespace bench {

/// `count` segments of n elements in all, as count + 1 offsets. Those of Zipf's law have lengths in proportion to
/// 1, 1/2, 1/3, ..., rounded down, in a mixed order; the longest one has what is left.
inline std::vector<std::int32_t> even_offsets(std::int64_t n, std::int64_t count) {
    std::vector<std::int32_t> offsets;
    for (std::int64_t i = 0; i <= count; ++i) offsets.push_back(static_cast<std::int32_t>(i * n / count));
    return offsets;
}
inline std::vector<std::int32_t> zipf_offsets(std::int64_t n, std::int64_t count) {
    double harmonic = 0;
    for (std::int64_t i = 0; i < count; ++i) harmonic += 1.0 / static_cast<double>(i + 1);
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(count));
    std::int64_t left = n;
    constexpr std::int64_t step = 1'000'003;  // a prime number
    for (std::int64_t i = 0; i < count; ++i) {
        const auto length = static_cast<std::int64_t>(static_cast<double>(n) / harmonic / static_cast<double>(i + 1));
        lengths[static_cast<std::size_t>(i * step % count)] = length;
        left -= length;
    }
    lengths[0] += left;
    std::vector<std::int32_t> offsets{0};
    for (const std::int64_t length : lengths) offsets.push_back(offsets.back() + static_cast<std::int32_t>(length));
    return offsets;
}

/// How places are distributed: all equally often, place k as often as 1 / (k + 1), or all of them the same one.
enum class spread { uniform, zipf, one };

inline const char* name_of(spread how) {
    return how == spread::uniform ? "uniform" : how == spread::zipf ? "zipf" : "one bin";
}

}  // namespace bench
