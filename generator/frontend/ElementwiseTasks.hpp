// generator/frontend/ElementwiseTasks.hpp: forall kernels whose tasks do not depend on how they are
// numbered, like the elements of a `vectorize` call.
#pragma once

#include <clang/AST/Decl.h>

namespace foldwise {

/// Whether the body of a forall kernel's lambda uses its index for nothing but to name elements, each by coordinates of
/// the index alone, and its views for nothing else. What a task computes then does not depend on how tasks are
/// numbered.
bool isElementwise(const clang::FunctionDecl& body);

}  // namespace foldwise
