// mandelbrot.cpp: a picture of the Mandelbrot set's edge.
#include "mandelbrot.kernels.hpp"  // generated
#include "tasks.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>

namespace {

using fractal::Colour;

/// A part of the complex plane.
struct Region {
    double centre_x, centre_y, width;
};
constexpr Region region{-0.74368, 0.13135, 0.0028};
constexpr int limit = 4000;

/// From deep blue over white and gold to near black and back to the blue.
std::vector<Colour> makePalette() {
    struct Stop {
        float place;
        Colour colour;
    };
    constexpr Stop stops[] = {{0.00f, {0.00f, 0.03f, 0.39f}}, {0.16f, {0.13f, 0.42f, 0.80f}},
                              {0.42f, {0.93f, 1.00f, 1.00f}}, {0.64f, {1.00f, 0.67f, 0.00f}},
                              {0.86f, {0.10f, 0.02f, 0.05f}}, {1.00f, {0.00f, 0.03f, 0.39f}}};
    std::vector<Colour> palette(1025, stops[0].colour);
    for (std::size_t i = 0; i + 1 < palette.size(); ++i) {
        const float place = static_cast<float>(i) / static_cast<float>(palette.size() - 1);
        const Stop* after = std::find_if(stops, std::end(stops), [&](const Stop& stop) { return stop.place > place; });
        const Stop& a = after[-1];
        const Stop& b = after[0];
        const float part = (place - a.place) / (b.place - a.place), share = part * part * (3 - 2 * part);
        palette[i] = {std::lerp(a.colour.red, b.colour.red, share), std::lerp(a.colour.green, b.colour.green, share),
                      std::lerp(a.colour.blue, b.colour.blue, share)};
    }
    return palette;
}

/// The same picture by plain loops over complex numbers.
Picture draw(Size size, double left, double top, double spacing, const std::vector<Colour>& palette) {
    Picture picture = blankPicture(size);
    for (std::size_t i = 0; i < picture.planes[0].size(); ++i) {
        std::array<double, 3> sum{};
        for (int point = 0; point < 9; ++point) {
            const double x = static_cast<double>(i % picture.width) + (2 * (point % 3) + 1) / 6.0;
            const double y = static_cast<double>(i / picture.width) + (2 * (point / 3) + 1) / 6.0;
            const std::complex<double> c(left + x * spacing, top - y * spacing);
            std::complex<double> z = 0;
            int steps = 0;
            while (steps < limit && std::norm(z) <= 1e6) z = z * z + c, ++steps;
            if (std::norm(z) <= 1e6) continue;
            const double turns = std::log(steps + 1 - std::log2(std::log2(std::abs(z)))) * 0.55;
            const double place = (turns - std::floor(turns)) * static_cast<double>(palette.size() - 1);
            const Colour& a = palette[static_cast<std::size_t>(place)];
            const Colour& b = palette[static_cast<std::size_t>(place) + 1];
            const double share = place - std::floor(place);
            sum[0] += std::lerp(double{a.red}, double{b.red}, share);
            sum[1] += std::lerp(double{a.green}, double{b.green}, share);
            sum[2] += std::lerp(double{a.blue}, double{b.blue}, share);
        }
        for (std::size_t colour = 0; colour < 3; ++colour)
            picture.planes[colour][i] = static_cast<std::uint8_t>(255 * sum[colour] / 9 + 0.5);
    }
    return picture;
}

}  // namespace

void drawMandelbrot(const Options& options) {
    const Size size = options.size.value_or(Size{1600, 1000});
    const foldwise::shape shape{size.height, size.width};
    const double spacing = region.width / static_cast<double>(size.width);
    const double left = region.centre_x - region.width / 2;
    const double top = region.centre_y + spacing * static_cast<double>(size.height) / 2;
    const std::vector<Colour> palette = makePalette();

    const Picture picture = timed(describe(size) + " pixels of 9 points", [&] {
        Picture drawn = blankPicture(size);
        auto& [red, green, blue] = drawn.planes;
        fractal::mandelbrot(shape, left, top, spacing, limit, palette, foldwise::host(red.data(), shape),
                            foldwise::host(green.data(), shape), foldwise::host(blue.data(), shape));
        return drawn;
    });
    if (!options.out.empty()) savePicture(options.out, picture);

    if (!options.check) return;
    // Close to the set's edge the last bit of a coordinate decides, and a GPU fuses multiplications with additions: one
    // pixel in 50 may have another colour.
    const Picture expected = draw(size, left, top, spacing, palette);
    std::size_t others = 0;
    for (std::size_t i = 0; i < picture.planes[0].size(); ++i) {
        int difference = 0;
        for (std::size_t colour = 0; colour < 3; ++colour)
            difference = std::max(difference, std::abs(picture.planes[colour][i] - expected.planes[colour][i]));
        others += difference > 2;
    }
    if (others * 50 > picture.planes[0].size())
        throw Mismatch(std::to_string(others) + " pixels have another colour than by the plain loop");
    std::printf("  checked: %zu of %zu pixels have another colour than by the plain loop\n", others,
                picture.planes[0].size());
}
