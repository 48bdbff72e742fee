// zones.cpp: rows of "countries, coordinates, zone" with tabs between them, and coordinates as ISO 6709 has them.
#include "zones.hpp"

#include <cstddef>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace {

/// "+DDMM", "-DDDMMSS" and the like, where degrees have `digits` digits; in degrees.
std::optional<double> parseAngle(std::string_view text, std::size_t digits) {
    if (text.size() != 1 + digits + 2 && text.size() != 1 + digits + 4) return std::nullopt;
    if (text.substr(1).find_first_not_of("0123456789") != text.npos) return std::nullopt;
    const auto number = [&](std::size_t begin, std::size_t count) {
        return begin < text.size() ? std::stoi(std::string(text.substr(begin, count))) : 0;
    };
    const double angle = number(1, digits) + number(1 + digits, 2) / 60.0 + number(3 + digits, 2) / 3600.0;
    return text[0] == '-' ? -angle : angle;
}

std::optional<City> parseRow(const std::string& row) {
    std::istringstream columns(row);
    std::string countries, coordinates, zone;
    if (!(columns >> countries >> coordinates >> zone)) return std::nullopt;
    const std::size_t second_sign = coordinates.find_first_of("+-", 1);
    if (coordinates.find_first_of("+-") != 0 || second_sign == coordinates.npos) return std::nullopt;
    const auto latitude = parseAngle(std::string_view(coordinates).substr(0, second_sign), 2);
    const auto longitude = parseAngle(std::string_view(coordinates).substr(second_sign), 3);
    if (!latitude || !longitude) return std::nullopt;
    return City{zone, *latitude, *longitude};
}

}  // namespace

std::vector<City> readZones(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read '" + path + "'; on Debian it is part of the package tzdata");
    std::vector<City> cities;
    std::string row;
    for (int line = 1; std::getline(file, row); ++line) {
        if (row.empty() || row[0] == '#') continue;
        const std::optional<City> city = parseRow(row);
        if (!city) throw std::runtime_error(path + ":" + std::to_string(line) + ": no coordinates and zone: " + row);
        cities.push_back(*city);
    }
    if (cities.empty()) throw std::runtime_error("'" + path + "' names no zone");
    return cities;
}
