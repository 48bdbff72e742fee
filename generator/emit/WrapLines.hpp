// generator/emit/WrapLines.hpp: wraps lines of rendered text that are too long, because of long names for example.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace foldwise {

/// Breaks lines of more than `width` columns: comments between words, code behind a comma or an opening parenthesis,
/// the outermost there is. Directives, lines with no such place and a user's text, which `#line @` ends, stay as they
/// are.
std::string wrapLines(llvm::StringRef text, std::size_t width);

}  // namespace foldwise
