// generator/frontend/FindParts.hpp: identifies the arguments of foldwise::reduce(...) and the like.
#pragma once

#include "../model/Fold.hpp"
#include "Callable.hpp"
#include "Diagnostics.hpp"
#include "FindKernels.hpp"

#include <clang/AST/Expr.h>

#include <optional>

namespace foldwise {

/// One of a reduction's parts: where it is written, and the function or the value that it holds.
struct FoundPart {
    clang::SourceLocation place;
    clang::QualType content;                  ///< The type of the argument of map(...), identity(...) and so on.
    const clang::Expr* expression = nullptr;  ///< That argument; null if it is not written there.

    Callable callable;  ///< What is called, for map, combine and finish.
};

/// All parts of a reduction. A part that is not given is empty; `combine` is always given.
struct FoundParts {
    std::optional<FoundPart> map, combine, finish;
    std::optional<FoundPart> identity;  ///< Empty for no_identity, too.
    IdentityKind identityKind = IdentityKind::None;
    bool isCommutative = false;
};

/// The parts of a kernel of type foldwise::reduced and its like. If the kernel scatters, it must have a map and an
/// identity. Reports parts that are missing, given twice or not valid, and returns nothing then.
std::optional<FoundParts> findParts(const KernelSite& site, bool scatters, clang::DiagnosticsEngine& diagnostics);

}  // namespace foldwise
