// runtime/src/second_option.hpp: the error for a call that is given two options of one kind.
#pragma once

#include <stdexcept>
#include <string>

namespace foldwise::detail {

/// Throws std::invalid_argument if a call already has an option of this kind.
inline void check_is_first(bool is_second, const char* kind) {
    if (is_second) throw std::invalid_argument(std::string("a call was given a second ") + kind);
}

}  // namespace foldwise::detail
