// generator/frontend/Places.hpp: how generated files name places in the user's sources.
#pragma once

#include "../model/KernelSpec.hpp"

#include <clang/Basic/SourceManager.h>

#include <string>

namespace foldwise {

/// The name of a file in what is generated: its path below the root folder. A file outside of it goes by its name
/// alone, since no relative path holds on every machine.
std::string nameOfFile(llvm::StringRef file, llvm::StringRef root, clang::FileManager& files);

/// Turns Clang's locations into names of files and lines.
class Places {
  public:
    Places(const clang::SourceManager& sources, std::string root) : sources_(sources), root_(std::move(root)) {}

    /// The line of a location; of what a macro expands to, the line on which the macro is used.
    Place of(clang::SourceLocation location) const;

  private:
    const clang::SourceManager& sources_;
    std::string root_;
};

}  // namespace foldwise
