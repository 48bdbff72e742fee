// generator/emit/WrapLines.hpp: breaks what a template wrote on one line and a long name made too long.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace foldwise {

/// Breaks lines of more than `width` columns: comments between words, code behind a comma or an opening parenthesis,
/// the outermost there is. Directives, lines with no such place and a user's text, which `#line @` ends, stay as they
/// are.
std::string wrapLines(llvm::StringRef text, std::size_t width);

}  // namespace foldwise
