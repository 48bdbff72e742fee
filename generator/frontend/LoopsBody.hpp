// generator/frontend/WarpBody.hpp: rewrites a task's lambda so that the lanes of a warp run it together.
#pragma once

#include "../model/Body.hpp"
#include "Slicer.hpp"
#include "WarpLoops.hpp"

#include <clang/AST/ASTContext.h>

#include <optional>
#include <vector>

namespace foldwise {

/// The lambda with a call of in_order() (foldwise/device/forall/in_order.hpp) in place of each of its loops. What
/// follows a loop keeps its line numbers. Nothing if there are no loops, or if the text of one is not plain to see.
std::optional<Body> warpBody(const Body& body, const std::vector<WarpLoop>& loops, Slicer& slicer,
                             const clang::ASTContext& context);

}  // namespace foldwise
