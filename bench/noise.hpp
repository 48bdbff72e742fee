// bench/noise.hpp: what operands are filled with.
#pragma once

#include <cstdint>

namespace bench {

/// Bits that look random; the same for the same place.
constexpr std::uint32_t noise_at(std::int64_t place) {
    std::uint32_t h = static_cast<std::uint32_t>(place) * 2654435761u;
    h = (h ^ (h >> 15)) * 2246822519u;
    h = (h ^ (h >> 13)) * 3266489917u;
    return h ^ (h >> 16);
}

}  // namespace bench
