// generator/frontend/HeaderMacros.hpp: names that are macros in all generated files, because of the headers that these
// include.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace foldwise {

enum class HeaderMacro {
    None,
    Object,    ///< Replaced wherever it stands, as M_PI is.
    Function,  ///< Replaced in front of a parenthesis, as assert is.
};

/// What a name is in the files that are generated, because of the headers that they include.
HeaderMacro headerMacro(llvm::StringRef name);

}  // namespace foldwise
