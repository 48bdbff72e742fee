// bilateral.cpp: a photograph without its noise, and with its edges.
#include "bilateral.kernels.hpp"  // generated
#include "numerics.hpp"

#include <algorithm>
#include <tuple>

void smoothPhotograph(const Options& options) {
    const Picture picture = givenPicture(options, {640, 480});
    const auto height = static_cast<std::int64_t>(picture.height), width = static_cast<std::int64_t>(picture.width);
    constexpr float distance = 3, difference = 30;
    constexpr int reach = 5;
    Picture smooth = picture;
    timed(describe({width, height}) + " pixels, windows of 11 x 11", [&] {
        const auto plane = [&](std::size_t colour) {
            return foldwise::to_device(picture.planes[colour]).reshape({height, width});
        };
        const auto [red, green, blue] = photograph::smooth(plane(0), plane(1), plane(2), distance, difference);
        smooth.planes = {red.to_host(), green.to_host(), blue.to_host()};
        return true;
    });
    if (!options.out.empty()) savePicture(options.out, smooth);

    if (!options.check) return;
    const auto mirrored = [](std::int64_t at, std::int64_t extent) {
        if (extent == 1) return std::int64_t{0};
        const std::int64_t period = 2 * (extent - 1), in = (at % period + period) % period;
        return std::min(in, period - in);
    };
    Picture expected = picture;
    for (std::int64_t r = 0; r < height; ++r)
        for (std::int64_t c = 0; c < width; ++c) {
            const auto value = [&](std::size_t colour, std::int64_t i, std::int64_t j) {
                const std::int64_t at = mirrored(r + i, height) * width + mirrored(c + j, width);
                return static_cast<double>(picture.planes[colour][static_cast<std::size_t>(at)]);
            };
            double sums[3] = {}, all = 0;
            for (int i = -reach; i <= reach; ++i)
                for (int j = -reach; j <= reach; ++j) {
                    double squared = 0;
                    for (std::size_t k = 0; k < 3; ++k)
                        squared += (value(k, i, j) - value(k, 0, 0)) * (value(k, i, j) - value(k, 0, 0));
                    const double weight = std::exp(-(i * i + j * j) / (2.0 * distance * distance) -
                                                   squared / (2.0 * difference * difference));
                    for (std::size_t k = 0; k < 3; ++k) sums[k] += weight * value(k, i, j);
                    all += weight;
                }
            for (std::size_t k = 0; k < 3; ++k)
                expected.planes[k][static_cast<std::size_t>(r * width + c)] =
                    static_cast<std::uint8_t>(sums[k] / all + 0.5);
        }
    for (std::size_t k = 0; k < 3; ++k) expectSame(smooth.planes[k], expected.planes[k], 1);  // of 255: rounding
}
