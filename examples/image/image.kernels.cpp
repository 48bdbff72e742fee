// What happens to a pixel. Each colour is a plane of its own: bytes in the file, 0...1 in between.
#include <foldwise/spec.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace image {

/// From a byte to light: above 1 lightens the picture, below 1 darkens it.
auto gamma = foldwise::vectorize(
    [](std::uint8_t byte, float by) { return std::pow(static_cast<float>(byte) / 255.0f, 1.0f / by); });

/// How bright the eye finds a colour.
auto grey = foldwise::vectorize(
    [](float red, float green, float blue) { return 0.299f * red + 0.587f * green + 0.114f * blue; });

/// One plane of the picture seen through coloured glass, as a byte again.
auto tint = foldwise::vectorize([](float light, float glass) {
    return static_cast<std::uint8_t>(255.0f * std::clamp(light * glass, 0.0f, 1.0f) + 0.5f);
});

}  // namespace image
