// How numbers look: black, red, yellow, white.
#include <foldwise/spec.hpp>

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace colours {

inline std::uint8_t byte_of(float light) {
    return static_cast<std::uint8_t>(255 * std::clamp(light, 0.0f, 1.0f) + 0.5f);
}

/// 0 is black and 1 is white.
auto glow = foldwise::vectorize([](float heat) {
    return std::tuple(byte_of(2.2f * heat), byte_of(2.2f * heat - 0.7f), byte_of(2.6f * heat - 1.6f));
});

}  // namespace colours
