// generator/frontend/UnwrittenElements.hpp: finds reads of elements of shared memory that no item has written.
#pragma once

#include "BlockPhases.hpp"
#include "SharedUses.hpp"

#include <llvm/ADT/ArrayRef.h>

#include <string>
#include <vector>

namespace foldwise {

/// A read of an element that no item writes before or in the same phase.
struct UnwrittenElement {
    clang::SourceLocation at;
    clang::SourceRange element;
    const clang::VarDecl* array;
    std::string item;     ///< "(0)": one that reads it.
    std::string place;    ///< "128", or "(0, 1)": its coordinates.
    std::string leaving;  ///< "x.has(b.at(t))": the condition of a store that some items do not meet in a call's last
                          ///< block; empty if the element is not written in other blocks either.
    std::string instead;  ///< "s[t] = x.has(b.at(t)) ? x[b.at(t)] : 0"; empty if the store is no such assignment.
};

/// The first such read of each array with extents that are constants. Items certainly come to it, whatever values and
/// data are; what is not followed is taken to write all elements.
std::vector<UnwrittenElement> findUnwrittenElements(const clang::FunctionDecl& block,
                                                    llvm::ArrayRef<std::uint64_t> extents,
                                                    llvm::ArrayRef<SharedDeclaration> shared, const SharedUses& all);

}  // namespace foldwise
