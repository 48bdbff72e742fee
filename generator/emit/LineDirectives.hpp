// generator/emit/LineDirectives.hpp: lets compilers count the generated file's own lines again after a user's.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace foldwise {

/// Replaces each line `#line @` by the directive that gives the next line its true number in `file`.
std::string resolveLineDirectives(llvm::StringRef text, llvm::StringRef file);

}  // namespace foldwise
