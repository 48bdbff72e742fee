// generator/frontend/Finding.hpp: what a check of a body reports about one place.
#pragma once

#include "Diagnostics.hpp"

#include <string>
#include <vector>

namespace foldwise {

struct Finding {
    Message message;
    clang::SourceLocation at;
    std::vector<std::string> arguments;  ///< %0, %1, ...; the first tells findings at one place apart.
    clang::SourceRange range;            ///< To underline; may be invalid.
    clang::FixItHint fixIt;              ///< May be null.
};

}  // namespace foldwise
