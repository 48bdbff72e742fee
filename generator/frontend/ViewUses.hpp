// generator/frontend/ViewUses.hpp: what a task does with the views that it is given.
#pragma once

#include "../model/ForallSpec.hpp"

#include <clang/AST/Decl.h>

#include <vector>

namespace foldwise {

/// What ForallParameter says of a view.
struct ViewUse {
    Access access = Access::None;
    std::vector<std::uint32_t> follows;
    std::vector<std::uint32_t> moves;
    bool isSummed = false;
    std::vector<std::uint32_t> own;
    bool isAssigned = false;
    std::vector<std::uint32_t> reach;
    bool isReadSometimes = false;
    bool ownRows = false;
    bool isHandedOn = false;
    bool hasDataPlaces = false;
    bool isInLoops = false;
};

/// One for each parameter of a forall kernel's lambda after the index. A view that is handed on, to a function or a
/// lambda within, counts as read and written, for that is not followed.
std::vector<ViewUse> viewUses(const clang::FunctionDecl& body);

}  // namespace foldwise
