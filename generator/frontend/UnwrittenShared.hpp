// generator/frontend/UnwrittenShared.hpp: finds accesses to shared memory that nothing has written to.
#pragma once

#include "BlockPhases.hpp"
#include "SharedUses.hpp"

#include <llvm/ADT/ArrayRef.h>

#include <string>
#include <vector>

namespace foldwise {

/// A read or an update of an array in shared memory to which no phase can have written before.
struct UnwrittenShared {
    clang::SourceLocation at;
    clang::SourceRange element;
    const clang::VarDecl* array;
    bool isUpdate = false;  ///< It adds to an element, or the like.
    std::string clearing;   ///< "b.each([&](foldwise::index<1> t) { s[t] = 0; })"; empty if that is no such phase.
};

/// The first such access of each array in a block's phases, of which `all` tells. What is not followed, such as a
/// function that is given an element's address, is taken to write.
std::vector<UnwrittenShared> findUnwrittenShared(llvm::ArrayRef<std::uint64_t> extents,
                                                 llvm::ArrayRef<SharedDeclaration> shared, const SharedUses& all);

}  // namespace foldwise
