// generator/emit/Templates.hpp: renders templates by LLVM's Mustache, with errors for what that ignores. No other file
// includes Mustache's header.
#pragma once

#include <llvm/Support/Error.h>
#include <llvm/Support/JSON.h>

#include <map>
#include <string>

namespace foldwise {

/// A set of templates. Tags are written <% like this %>, so that the braces of C++ mean nothing; nothing is escaped.
///
/// Mustache forgives everything: a misspelled key renders as nothing. Here a key that its immediate context does not
/// have, an unknown partial, an unbalanced section and a blank at the end of a line are errors that name template and
/// line, and values may be strings, booleans, arrays and objects only. A partial whose name begins with * stands for
/// those of all patterns (see templates/README.md).
class Templates {
  public:
    /// The templates that are built into the tool.
    static Templates embedded();
    /// The templates in a folder: every *.mustache file in it.
    static llvm::Expected<Templates> fromFolder(llvm::StringRef folder);

    explicit Templates(std::map<std::string, std::string> texts);

    /// Renders "kernels.cu" from the template of that name (the file kernels.cu.mustache).
    llvm::Expected<std::string> render(llvm::StringRef name, const llvm::json::Value& keys) const;

    const std::map<std::string, std::string>& texts() const { return texts_; }

  private:
    std::map<std::string, std::string> texts_;  // by name without ".mustache"
};

}  // namespace foldwise
