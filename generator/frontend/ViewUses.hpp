// generator/frontend/ViewUses.hpp: what the tasks of a forall kernel do with their views.
#pragma once

#include "../model/ForallSpec.hpp"

#include <clang/AST/Decl.h>

#include <vector>

namespace foldwise {

/// What tasks do with a view. The members are those of ForallParameter that have the same names, and are explained
/// there.
struct ViewUse {
    Access access = Access::None;
    std::vector<std::uint32_t> follows;
    std::vector<std::uint32_t> moves;
    bool isSummed = false;
    /// The names of std::atomic_ref in what adds to elements, for each of which own_sum (foldwise/cpu/own_sum.hpp) can
    /// stand if a thread adds in memory of its own. Empty if tasks do more than that, or could notice.
    std::vector<clang::SourceRange> sumNames;
    std::vector<std::uint32_t> own;
    std::vector<std::uint32_t> shared;
    bool isAssigned = false;
    std::vector<std::uint32_t> reach;
    bool isReadSometimes = false;
    bool ownRows = false;
    bool isHandedOn = false;
    bool hasDataPlaces = false;
    bool isInLoops = false;
};

/// Analyses the call operator of a forall kernel's lambda; the result has a ViewUse for each parameter after the index.
/// A view that is passed on, to a function or to a lambda within, counts as read and written, for these are not
/// analysed.
std::vector<ViewUse> viewUses(const clang::FunctionDecl& body);

}  // namespace foldwise
