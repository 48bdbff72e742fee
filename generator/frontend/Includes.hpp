// generator/frontend/Includes.hpp: tells which #include brings a declaration, and whether a place is in the user's
// code.
#pragma once

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/DenseMap.h>

#include <string>
#include <vector>

namespace foldwise {

/// The include directives of a translation unit, as they were written.
class Includes {
  public:
    explicit Includes(clang::Preprocessor& preprocessor);

    /// Whether a place lies in code that is carried along: in the spec, a header of the user's or of a library other
    /// than the standard one. That excludes the headers of the compiler, the C and the C++ library, CUDA and Foldwise.
    bool isUsersCode(clang::SourceLocation location) const;

    /// Whether a place lies in such a library's header: one of a system directory (-isystem, /usr/include).
    bool isLibrarys(clang::SourceLocation location) const;

    /// Whether a place lies in what users can change: in code that is carried along and is no such library's.
    bool isUsersOwn(clang::SourceLocation location) const { return isUsersCode(location) && !isLibrarys(location); }

    /// Whether a place lies in a header of Foldwise's.
    bool isFoldwises(clang::SourceLocation location) const;

    /// Whether a place lies in a header of CUDA's.
    bool isCudas(clang::SourceLocation location) const;

    /// The directives, such as "<cmath>", for a declaration at a place in a system header: the one by which the user's
    /// code (or Foldwise's) reaches it, and for a header of C's also C++'s own. A header of Foldwise's is named itself.
    /// None for a builtin or a declaration of the user's.
    std::vector<std::string> directivesFor(clang::SourceLocation location) const;

    /// The directive by which the spec itself or an -include option reaches a declaration in one of the user's headers,
    /// as it is written there, a full path without its search folder. Empty for what the spec holds itself.
    std::string directiveInSpec(clang::SourceLocation location) const;

  private:
    class Recorder;

    std::string directiveFor(clang::SourceLocation location) const;
    llvm::StringRef directiveInto(clang::FileID file) const;
    std::string nameInSearchFolders(clang::FileEntryRef file, bool& isAngled) const;
    clang::FileID fileOf(clang::SourceLocation location) const;
    bool isFoldwises(clang::FileID file) const;
    bool isSystems(clang::FileID file) const;

    const clang::SourceManager& sources_;
    const clang::HeaderSearch& headers_;
    mutable llvm::DenseMap<clang::FileID, std::string> enteredBy_;  // no directive enters the spec itself
    mutable llvm::DenseMap<clang::FileID, bool> isSystems_;
    llvm::DenseMap<const clang::FileEntry*, std::string>
        writtenFor_;  // by users, also where it entered nothing any more
};

}  // namespace foldwise
