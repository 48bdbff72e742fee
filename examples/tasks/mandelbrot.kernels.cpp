// The Mandelbrot set: each task computes the colour of one pixel, as the mean of several points in it.
#include <foldwise/spec.hpp>

#include <cmath>
#include <cstdint>

namespace fractal {

/// 0...1 each.
struct Colour {
    float red, green, blue;
};

/// How many steps of z² + c it takes to leave a large circle, with a fraction, so that neighbours differ little. -1 if
/// `limit` steps are not enough: then the point is taken to be in the set.
inline double escape_time(double c_x, double c_y, int limit) {
    double x = 0, y = 0, x_squared = 0, y_squared = 0;
    for (int step = 0; step < limit; ++step) {
        y = 2 * x * y + c_y;
        x = x_squared - y_squared + c_x;
        x_squared = x * x;
        y_squared = y * y;
        const double distance_squared = x_squared + y_squared;
        if (distance_squared > 1e6) return step + 1 - std::log2(std::log2(distance_squared) / 2);
    }
    return -1;
}

inline float mix(float a, float b, float share) { return a + (b - a) * share; }

/// The palette goes round, its last colour being its first again; a turn takes ever more steps.
inline Colour colour_of(double time, foldwise::view<const Colour, 1> palette) {
    if (time < 0) return {0, 0, 0};
    const double turns = std::log(time + 1) * 0.55;
    const double place = (turns - std::floor(turns)) * static_cast<double>(palette.extent(0) - 1);
    const auto before = static_cast<std::int64_t>(place);
    const auto share = static_cast<float>(place - static_cast<double>(before));
    const Colour a = palette[before], b = palette[before + 1];
    return {mix(a.red, b.red, share), mix(a.green, b.green, share), mix(a.blue, b.blue, share)};
}

inline std::uint8_t byte_of(float light) { return static_cast<std::uint8_t>(255 * light + 0.5f); }

/// `left` and `top` are the corner's coordinates in the complex plane, `spacing` the distance of two pixels.
auto mandelbrot = foldwise::forall([](foldwise::index<2> pixel, double left, double top, double spacing, int limit,
                                      foldwise::view<const Colour, 1> palette, foldwise::view<std::uint8_t, 2> red,
                                      foldwise::view<std::uint8_t, 2> green, foldwise::view<std::uint8_t, 2> blue) {
    constexpr int across = 3;  // points in a pixel
    const auto [row, column] = pixel;
    Colour sum{0, 0, 0};
    for (int point = 0; point < across * across; ++point) {
        const double x = static_cast<double>(column) + (point % across + 0.5) / across;
        const double y = static_cast<double>(row) + (static_cast<double>(point / across) + 0.5) / across;
        const Colour colour = colour_of(escape_time(left + x * spacing, top - y * spacing, limit), palette);
        sum.red += colour.red;
        sum.green += colour.green;
        sum.blue += colour.blue;
    }
    constexpr float share = 1.0f / (across * across);
    red[pixel] = byte_of(sum.red * share);
    green[pixel] = byte_of(sum.green * share);
    blue[pixel] = byte_of(sum.blue * share);
});

}  // namespace fractal
