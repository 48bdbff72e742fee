// picture.hpp: a colour picture in memory, and PNG files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

struct Picture {
    std::size_t width = 0;
    std::size_t height = 0;
    std::array<std::vector<std::uint8_t>, 3> planes;  ///< Red, green, blue; row after row.
};

/// Both throw std::runtime_error with the file's name and libpng's words.
Picture readPng(const std::string& path);
void writePng(const std::string& path, const Picture& picture);
