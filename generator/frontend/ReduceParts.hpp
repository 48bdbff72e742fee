// generator/frontend/ReduceParts.hpp: the arguments of foldwise::reduce(...), told apart.
#pragma once

#include "../model/Fold.hpp"
#include "Callable.hpp"
#include "Diagnostics.hpp"
#include "FindKernels.hpp"

#include <clang/AST/Expr.h>

#include <optional>

namespace foldwise {

/// One of a reduction's parts: where it is written, and what is called or the value in it.
struct ReducePart {
    clang::SourceLocation place;
    clang::QualType content;                  ///< The type of what map(...), identity(...) and so on are given.
    const clang::Expr* expression = nullptr;  ///< What they are given, if it is written there.

    Callable callable;  ///< Of map, combine and finish.
};

struct ReduceParts {
    std::optional<ReducePart> map, combine, finish;
    std::optional<ReducePart> identity;  ///< Nothing for no_identity too.
    IdentityKind identityKind = IdentityKind::None;
    bool isCommutative = false;
};

/// The parts of a kernel of type foldwise::reduced. Reports what is missing or given twice; nothing then.
std::optional<ReduceParts> findParts(const KernelSite& site, clang::DiagnosticsEngine& diagnostics);

}  // namespace foldwise
