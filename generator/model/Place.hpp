// generator/model/Place.hpp: a place in the user's sources.
#pragma once

#include <cstdint>
#include <string>

namespace foldwise {

/// A place in the user's sources. The file is relative to the unit's root folder, never absolute.
struct Place {
    std::string file;
    std::uint32_t line = 0;
    bool operator==(const Place&) const = default;
};

}  // namespace foldwise
