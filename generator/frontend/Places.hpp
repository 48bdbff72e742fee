// generator/frontend/Places.hpp: how generated files name places in the user's sources.
#pragma once

#include "../model/KernelSpec.hpp"

#include <clang/Basic/SourceManager.h>

#include <string>

namespace foldwise {

/// How generated files name the user's.
struct FileNaming {
    std::string root;          ///< The folder that relative names count from; absolute.
    bool areAbsolute = false;  ///< Whether absolute paths are written, which debuggers find from any folder.
};

/// The path of a file below the root folder. A file outside of it goes by its name alone, since no relative path holds
/// on every machine.
std::string pathBelow(llvm::StringRef root, llvm::StringRef file, clang::FileManager& files);

/// The name of a file in what is generated: its absolute path, or its path below the root folder.
std::string nameOfFile(llvm::StringRef file, const FileNaming& naming, clang::FileManager& files);

/// Turns Clang's locations into names of files and lines.
class Places {
  public:
    Places(const clang::SourceManager& sources, FileNaming naming) : sources_(sources), naming_(std::move(naming)) {}

    /// The line of a location; of what a macro expands to, the line on which the macro is used.
    Place of(clang::SourceLocation location) const;

  private:
    const clang::SourceManager& sources_;
    FileNaming naming_;
};

}  // namespace foldwise
