// kmeans.cpp: a photograph in twelve colours of its own.
#include "kmeans.kernels.hpp"  // generated
#include "numerics.hpp"

namespace {

using palette::Colour;

/// Those of pixels all over the picture.
std::vector<Colour> firstColours(const Picture& picture, std::size_t count) {
    std::vector<Colour> colours;
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t at = (2 * k + 1) * picture.width * picture.height / (2 * count);
        colours.push_back({picture.planes[0][at], picture.planes[1][at], picture.planes[2][at]});
    }
    return colours;
}

}  // namespace

void reduceColours(const Options& options) {
    const Picture picture = givenPicture(options, {640, 480});
    const int rounds = options.steps.value_or(20);
    constexpr std::size_t count = 12;
    const auto k = static_cast<std::int64_t>(count);
    const std::vector<Colour> first = firstColours(picture, count);

    Picture painted = picture;
    timed(std::to_string(picture.width * picture.height) + " pixels, 12 colours, " + std::to_string(rounds) + " rounds",
          [&] {
              const auto red = foldwise::to_device(picture.planes[0]), green = foldwise::to_device(picture.planes[1]),
                         blue = foldwise::to_device(picture.planes[2]);
              auto colours = foldwise::to_device(first);
              for (int round = 0; round < rounds; ++round) {
                  const auto nearest = palette::nearest(red, green, blue, colours);
                  palette::means(k, palette::totals(nearest, red, green, blue, foldwise::shape{k, 4}), colours);
              }
              const auto [r, g, b] = palette::paint(palette::nearest(red, green, blue, colours), colours);
              painted.planes = {r.to_host(), g.to_host(), b.to_host()};
              return true;
          });
    if (!options.out.empty()) savePicture(options.out, painted);

    if (!options.check) return;
    std::vector<Colour> colours = first;
    const std::size_t pixels = picture.width * picture.height;
    std::vector<std::size_t> nearest(pixels);
    const auto assign = [&] {
        for (std::size_t i = 0; i < pixels; ++i) {
            std::int64_t smallest = 4 * 255 * 255;
            for (std::size_t c = 0; c < count; ++c) {
                const std::int64_t r = picture.planes[0][i] - colours[c].red,
                                   g = picture.planes[1][i] - colours[c].green,
                                   b = picture.planes[2][i] - colours[c].blue;
                if (r * r + g * g + b * b >= smallest) continue;
                smallest = r * r + g * g + b * b;
                nearest[i] = c;
            }
        }
    };
    for (int round = 0; round < rounds; ++round) {
        assign();
        std::vector<std::array<std::int64_t, 4>> totals(count);
        for (std::size_t i = 0; i < pixels; ++i) {
            for (std::size_t plane = 0; plane < 3; ++plane) totals[nearest[i]][plane] += picture.planes[plane][i];
            ++totals[nearest[i]][3];
        }
        for (std::size_t c = 0; c < count; ++c) {
            const auto mean = [&](std::size_t what) {
                return static_cast<std::int32_t>((totals[c][what] + totals[c][3] / 2) / totals[c][3]);
            };
            if (totals[c][3] > 0) colours[c] = {mean(0), mean(1), mean(2)};
        }
    }
    assign();
    std::vector<std::int32_t> expected(pixels);
    for (std::size_t i = 0; i < pixels; ++i) expected[i] = colours[nearest[i]].green;
    expectSame({painted.planes[1].begin(), painted.planes[1].end()}, expected, 0);
}
