// generator/frontend/LoopsBody.hpp: rewrites a task's lambda so that others than the task's thread can run its loops.
#pragma once

#include "../model/Body.hpp"
#include "FoldingLoops.hpp"
#include "Slicer.hpp"

#include <clang/AST/ASTContext.h>

#include <optional>
#include <vector>

namespace foldwise {

/// The lambda with one more parameter, the first, and a call of its in_order() or in_step()
/// (foldwise/device/forall/in_order.hpp) in place of each loop. What follows a loop keeps its line numbers. Nothing if
/// there are no loops, or if the text of one is not plain to see.
std::optional<Body> loopsBody(const Body& body, const std::vector<FoldingLoop>& loops, Slicer& slicer,
                              const clang::ASTContext& context);

}  // namespace foldwise
