// cities.cpp: a map of the Earth by the nearest of the cities that time zones are named after.
#include "cities.kernels.hpp"  // generated
#include "tasks.hpp"
#include "zones.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace {

using earth::Colour;
using earth::Direction;

constexpr double radians(double degrees) { return degrees * std::numbers::pi / 180; }

/// For each pixel the nearest city, how far that is, and how far the border to another city's land.
struct Map {
    std::vector<std::int32_t> city;
    std::vector<float> to_city, to_border;

    explicit Map(Size size) : city(pixels(size)), to_city(pixels(size)), to_border(pixels(size)) {}
    static std::size_t pixels(Size size) { return static_cast<std::size_t>(size.width * size.height); }
};

Map measure(const std::vector<City>& cities, Size size) {
    std::vector<Direction> directions;
    for (const City& city : cities) {
        const double latitude = radians(city.latitude), longitude = radians(city.longitude);
        directions.push_back(
            {std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude), std::sin(latitude)});
    }
    const foldwise::shape shape{size.height, size.width};
    Map map(size);
    const auto city = foldwise::host(map.city.data(), shape);
    earth::nearest(shape, directions, city, foldwise::host(map.to_city.data(), shape));
    earth::to_border(shape, directions, city, foldwise::host(map.to_border.data(), shape));
    return map;
}

/// Colours go round the Earth as the sun does; neighbours differ in how strong and how light theirs are.
std::vector<Colour> colourCities(const std::vector<City>& cities) {
    std::vector<Colour> colours;
    for (std::size_t i = 0; i < cities.size(); ++i) {
        const double scatter = std::fmod(static_cast<double>(i) * std::numbers::phi, 1.0);
        const double hue = cities[i].longitude / 360 + 0.12 * scatter, strength = 0.55 + 0.25 * scatter;
        const double light = 0.8 + 0.2 * std::fmod(static_cast<double>(i) * std::numbers::sqrt2, 1.0);
        const auto part = [&](double phase) {
            const double wave = 0.5 + 0.5 * std::cos(2 * std::numbers::pi * (hue - phase));
            return static_cast<float>(light * (1 - strength * (1 - wave)));
        };
        colours.push_back({part(0), part(1 / 3.0), part(2 / 3.0)});
    }
    return colours;
}

/// By the haversine formula.
double kilometresBetween(double latitude, double longitude, const City& city) {
    const double north = std::sin((radians(city.latitude) - latitude) / 2);
    const double east = std::sin((radians(city.longitude) - longitude) / 2);
    return 2 * 6371 *
           std::asin(std::sqrt(north * north + std::cos(latitude) * std::cos(radians(city.latitude)) * east * east));
}

Picture paint(const Map& map, const std::vector<City>& cities, Size size) {
    const foldwise::shape shape{size.height, size.width};
    Picture picture = blankPicture(size);
    auto& [red, green, blue] = picture.planes;
    earth::paint(shape, foldwise::host(map.city.data(), shape), foldwise::host(map.to_city.data(), shape),
                 foldwise::host(map.to_border.data(), shape), colourCities(cities), foldwise::host(red.data(), shape),
                 foldwise::host(green.data(), shape), foldwise::host(blue.data(), shape));
    return picture;
}

/// No city is nearer than the one that was found, the distance is right, and the border is at least half as far as the
/// next city is farther.
void checkDistances(const Map& map, const std::vector<City>& cities, Size size) {
    constexpr double metre = 0.001;
    std::vector<float> to_found, to_nearest;
    for (std::int64_t row = 0; row < size.height; ++row) {
        for (std::int64_t column = 0; column < size.width; ++column) {
            const std::size_t pixel = to_found.size();
            const double latitude =
                radians(90 - 180 * (static_cast<double>(row) + 0.5) / static_cast<double>(size.height));
            const double longitude =
                radians(360 * (static_cast<double>(column) + 0.5) / static_cast<double>(size.width) - 180);
            std::vector<double> distances;
            for (const City& city : cities) distances.push_back(kilometresBetween(latitude, longitude, city));
            to_found.push_back(static_cast<float>(distances.at(static_cast<std::size_t>(map.city[pixel]))));
            std::partial_sort(distances.begin(), distances.begin() + 2, distances.end());
            to_nearest.push_back(static_cast<float>(distances[0]));
            if (!(map.to_border[pixel] >= (distances[1] - distances[0]) / 2 - metre))
                throw Mismatch("pixel " + std::to_string(pixel) + " is said to be " +
                               std::to_string(map.to_border[pixel]) +
                               " km from a border, yet no other city is as near");
        }
    }
    expectSame(to_found, to_nearest, metre);
    expectSame(map.to_city, to_nearest, metre);
}

/// Where two neighbours, one above the other, are in different lands, the border passes between them.
void checkBorders(const Map& map, Size size) {
    const double spacing = 20015.1 / static_cast<double>(size.height);
    const auto columns = static_cast<std::size_t>(size.width);
    for (std::size_t above = 0; above + columns < map.city.size(); ++above) {
        const std::size_t below = above + columns;
        const double both = double{map.to_border[above]} + double{map.to_border[below]};
        if (map.city[above] != map.city[below] && !(both <= spacing))
            throw Mismatch("pixel " + std::to_string(above) + " and the one below are " + std::to_string(both) +
                           " km from the border between them, more than from one another");
    }
    std::printf("  checked: borders are where one land ends and another begins\n");
}

}  // namespace

void mapCities(const Options& options) {
    const std::vector<City> cities = readZones(options.in.empty() ? "/usr/share/zoneinfo/zone1970.tab" : options.in);
    if (cities.size() < 2) throw std::runtime_error("a map of lands takes two cities");
    const Size size = options.size.value_or(Size{1600, 800});
    const Map map = timed(describe(size) + " points among " + std::to_string(cities.size()) + " cities",
                          [&] { return measure(cities, size); });
    const auto loneliest = std::max_element(map.to_city.begin(), map.to_city.end()) - map.to_city.begin();
    const auto city = static_cast<std::size_t>(map.city[static_cast<std::size_t>(loneliest)]);
    std::printf("  farthest from all of them: %.0f km, nearest is %s\n",
                double{map.to_city[static_cast<std::size_t>(loneliest)]}, cities[city].zone.c_str());

    const Picture picture = paint(map, cities, size);
    if (!options.out.empty()) savePicture(options.out, picture);
    if (options.check) {
        checkDistances(map, cities, size);
        checkBorders(map, size);
    }
}
