// generator/frontend/SharedBounds.hpp: finds elements of shared memory that do not exist.
#pragma once

#include "BlockPhases.hpp"

#include <llvm/ADT/ArrayRef.h>

#include <string>
#include <vector>

namespace foldwise {

/// An access to an element beyond the extents of an array in shared memory.
struct BeyondShared {
    clang::SourceLocation at;
    clang::SourceRange element;
    const clang::VarDecl* array;
    std::string text;     ///< "s[t + w]".
    std::string whose;    ///< "the 256 elements of 's'", or "the 33 elements of 's' along axis 1".
    std::string where;    ///< "in item (128), which reaches 256 if w is 128".
    std::string instead;  ///< What to write.
};

/// The accesses in a block's phases that certainly leave an array whose extents are known here: in some item of the
/// first block, or of later ones, that nothing keeps away but data. Calls are taken to have views of enough elements.
std::vector<BeyondShared> findBeyondShared(const clang::FunctionDecl& block, llvm::ArrayRef<std::uint64_t> extents,
                                           llvm::ArrayRef<SharedDeclaration> shared);

}  // namespace foldwise
