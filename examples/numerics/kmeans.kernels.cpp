// k-means: each pixel belongs to the colour nearest to it, and each colour becomes the mean of its pixels. All numbers
// are integers, so that results are the same everywhere.
#include <foldwise/spec.hpp>

#include <array>
#include <cstdint>
#include <tuple>

namespace palette {

using foldwise::index;
using foldwise::view;
using byte = std::uint8_t;

struct Colour {
    std::int32_t red, green, blue;
};

auto nearest = foldwise::vectorize([](byte red, byte green, byte blue, view<const Colour, 1> colours) {
    std::int32_t best = 0, smallest = 4 * 255 * 255;
    for (std::int32_t k = 0; k < colours.extent(0); ++k) {
        const std::int32_t r = red - colours[k].red, g = green - colours[k].green, b = blue - colours[k].blue;
        const std::int32_t squared = r * r + g * g + b * b;
        best = squared < smallest ? k : best;
        smallest = squared < smallest ? squared : smallest;
    }
    return best;
});

/// For each colour the sums of red, green and blue of its pixels, and their number.
auto totals = foldwise::scatter<std::uint64_t(std::int32_t, byte, byte, byte)>(
    foldwise::map([](std::int32_t colour, byte red, byte green, byte blue) {
        const auto add = [&](int what, std::uint64_t value) { return foldwise::at(index<2>(colour, what), value); };
        return std::array{add(0, red), add(1, green), add(2, blue), add(3, 1)};
    }),
    [](std::uint64_t a, std::uint64_t b) { return a + b; }, foldwise::identity(0));

auto means = foldwise::forall([](index<1> k, view<const std::uint64_t, 2> totals, view<Colour, 1> colours) {
    const std::uint64_t pixels = totals(k, 3);
    if (pixels == 0) return;  // a colour without pixels stays as it is
    const auto mean = [&](int what) { return static_cast<std::int32_t>((totals(k, what) + pixels / 2) / pixels); };
    colours[k] = {mean(0), mean(1), mean(2)};
});

auto paint = foldwise::vectorize([](std::int32_t colour, view<const Colour, 1> colours) {
    const Colour by = colours[colour];
    return std::tuple(static_cast<byte>(by.red), static_cast<byte>(by.green), static_cast<byte>(by.blue));
});

}  // namespace palette
