// histogram.cpp: the brightness of a photograph's pixels, or of a generated picture's, as bars.
#include "histogram.kernels.hpp"  // generated
#include "tasks.hpp"

#include <algorithm>
#include <array>

namespace {

/// Rings that darken outwards.
Picture rings(Size size) {
    Picture picture = blankPicture(size);
    for (std::size_t i = 0; i < picture.planes[0].size(); ++i) {
        const auto x = static_cast<std::int64_t>(i % picture.width) - size.width / 2;
        const auto y = static_cast<std::int64_t>(i / picture.width) - size.height / 2;
        const std::int64_t ring = (x * x + y * y) * 4 * 255 / (size.width * size.width + size.height * size.height);
        for (std::size_t colour = 0; colour < 3; ++colour)
            picture.planes[colour][i] = static_cast<std::uint8_t>(255 - ring * (colour == 0 ? 1 : ring) / 255);
    }
    return picture;
}

}  // namespace

void histogramOfBrightness(const Options& options) {
    const Picture picture = options.in.empty() ? rings(options.size.value_or(Size{1600, 1000})) : readPng(options.in);
    const auto& [red, green, blue] = picture.planes;

    const auto bins = timed(std::to_string(red.size()) + " pixels counted", [&] {
        std::vector<std::uint32_t> counts(256);
        photograph::histogram(red.size(), red, green, blue, counts);
        return counts;
    });

    constexpr std::size_t bars = 16;
    std::array<std::uint32_t, bars> heights{};
    for (std::size_t i = 0; i < bins.size(); ++i) heights[i * bars / bins.size()] += bins[i];
    const auto highest = std::max(1u, *std::max_element(heights.begin(), heights.end()));
    for (std::size_t bar = 0; bar < bars; ++bar) {
        std::printf("  %3zu to %3zu %9u  %s\n", bar * 256 / bars, (bar + 1) * 256 / bars - 1, heights[bar],
                    std::string(std::size_t{60} * heights[bar] / highest, '#').c_str());
    }

    if (!options.check) return;
    std::vector<std::uint32_t> expected(256);
    for (std::size_t i = 0; i < red.size(); ++i) ++expected[(77u * red[i] + 150u * green[i] + 29u * blue[i]) >> 8];
    expectSame(bins, expected, 0);
}
