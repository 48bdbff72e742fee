// Which city is nearest to each point of the Earth: every task looks at all cities.
#include <foldwise/spec.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace earth {

/// Of length 1, from the Earth's centre.
struct Direction {
    double x, y, z;
};

/// 0...1 each.
struct Colour {
    float red, green, blue;
};

inline constexpr double earth_radius = 6371;  // kilometres

/// The square of the straight line's length: the shorter it is, the shorter is the way along the great circle.
inline double chord_squared(const Direction& a, const Direction& b) {
    const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return x * x + y * y + z * z;
}

/// The middle of a pixel, on a map of all latitudes from top to bottom and all longitudes from left to right.
inline Direction direction_of(foldwise::index<2> pixel, std::int64_t rows, std::int64_t columns) {
    const double latitude =
        (0.5 - (static_cast<double>(pixel[0]) + 0.5) / static_cast<double>(rows)) * std::numbers::pi;
    const double longitude =
        ((static_cast<double>(pixel[1]) + 0.5) / static_cast<double>(columns) - 0.5) * 2 * std::numbers::pi;
    return {std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude), std::sin(latitude)};
}

/// For each pixel the nearest city and how far that is.
auto nearest = foldwise::forall([](foldwise::index<2> pixel, foldwise::view<const Direction, 1> cities,
                                   foldwise::view<std::int32_t, 2> city, foldwise::view<float, 2> kilometres) {
    const Direction here = direction_of(pixel, city.extent(0), city.extent(1));
    double shortest = std::numeric_limits<double>::infinity();
    std::int32_t closest = 0;
    for (std::int64_t i = 0; i < cities.extent(0); ++i) {
        const double distance = chord_squared(here, cities[i]);
        if (distance < shortest) {
            shortest = distance;
            closest = static_cast<std::int32_t>(i);
        }
    }
    city[pixel] = closest;
    kilometres[pixel] = static_cast<float>(earth_radius * 2 * std::asin(std::min(1.0, std::sqrt(shortest) / 2)));
});

/// How far the border of the nearest city's land is: the nearest of the great circles midway to the other cities.
auto to_border = foldwise::forall([](foldwise::index<2> pixel, foldwise::view<const Direction, 1> cities,
                                     foldwise::view<const std::int32_t, 2> city, foldwise::view<float, 2> kilometres) {
    const Direction here = direction_of(pixel, city.extent(0), city.extent(1)), own = cities[city[pixel]];
    const double own_distance = chord_squared(here, own);
    double nearest_sine = 1;
    for (std::int64_t i = 0; i < cities.extent(0); ++i) {
        if (i == city[pixel]) continue;
        const double sine =
            (chord_squared(here, cities[i]) - own_distance) / 2 / std::sqrt(chord_squared(own, cities[i]));
        nearest_sine = std::min(nearest_sine, sine);
    }
    kilometres[pixel] = static_cast<float>(earth_radius * std::asin(nearest_sine));
});

inline std::uint8_t byte_of(float light) {
    return static_cast<std::uint8_t>(255 * std::clamp(light, 0.0f, 1.0f) + 0.5f);
}

/// 0 up to `begin`, 1 from `end` on, smooth between them.
inline float step_between(float begin, float end, float x) {
    const float part = std::clamp((x - begin) / (end - begin), 0.0f, 1.0f);
    return part * part * (3 - 2 * part);
}

/// Each city's land in its own colour, darker far away, with dark borders and a white dot where the city is.
auto paint = foldwise::forall([](foldwise::index<2> pixel, foldwise::view<const std::int32_t, 2> city,
                                 foldwise::view<const float, 2> to_city, foldwise::view<const float, 2> to_border,
                                 foldwise::view<const Colour, 1> colours, foldwise::view<std::uint8_t, 2> red,
                                 foldwise::view<std::uint8_t, 2> green, foldwise::view<std::uint8_t, 2> blue) {
    const float spacing = 20015.0f / static_cast<float>(city.extent(0));  // kilometres from one row to the next
    const Colour colour = colours[city[pixel]];
    const float glow = 0.55f + 0.45f * std::exp(-to_city[pixel] / 1200);
    const float light = glow * (0.2f + 0.8f * step_between(0.4f * spacing, 1.4f * spacing, to_border[pixel]));
    const float dot = 1 - step_between(1.2f * spacing, 2.2f * spacing, to_city[pixel]);
    red[pixel] = byte_of(colour.red * light * (1 - dot) + dot);
    green[pixel] = byte_of(colour.green * light * (1 - dot) + dot);
    blue[pixel] = byte_of(colour.blue * light * (1 - dot) + dot);
});

}  // namespace earth
