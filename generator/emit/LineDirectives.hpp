// generator/emit/LineDirectives.hpp: completes #line directives, so that compilers number a generated file's own lines
// again behind the user's.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace foldwise {

/// The text as it stands between quotation marks, such as a file's name in a directive.
std::string quotable(llvm::StringRef text);

/// Whether the text behind `line` is the user's, given whether `line` itself is: `#line N "file"` and `# N "file" 3`
/// begin it, `#line @` ends it.
bool isUsersTextBehind(llvm::StringRef line, bool isUsersText);

/// Leaves one of several blank lines in a row, and none at the ends: conditional parts of a template leave them behind.
/// A user's text, which `#line @` ends, stays as it is.
std::string squeezeBlankLines(llvm::StringRef text);

/// Replaces each line `#line @` by the directive that gives the next line its true number in `file`, whose name it
/// leaves out where the directive before names no file either. The first `#line` behind a `# N "file" 3` becomes `# N
/// "file"`: after a `#line` compilers would still take the text for that of a system header, and warn of nothing.
std::string resolveLineDirectives(llvm::StringRef text, llvm::StringRef file);

}  // namespace foldwise
