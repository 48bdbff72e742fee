// zones.hpp: the cities that time zones are named after.
#pragma once

#include <string>
#include <vector>

/// In degrees; north and east are positive.
struct City {
    std::string zone;  ///< "Europe/Lisbon"
    double latitude, longitude;
};

/// Reads a table such as /usr/share/zoneinfo/zone1970.tab. Throws std::runtime_error with the file's name, and the line
/// if that is wrong.
std::vector<City> readZones(const std::string& path);
