// generator/frontend/OverwrittenCores.hpp: finds outputs of a guvectorize kernel whose previous elements are not
// needed.
#pragma once

#include "CoreLayout.hpp"

#include <clang/AST/Decl.h>

#include <vector>

namespace foldwise {

/// Returns, for each parameter of a guvectorize lambda, whether it certainly assigns all of the parameter's elements
/// before it may read one, whatever the extents are. Then what was there before does not matter.
///
/// That is seen of plain assignments that run in any case: to a single value, and to elements whose coordinates are the
/// variables of loops over all of the core dimensions, such as `for (int i = 0; i < c.extent(0); ++i) c[i] = x;`.
std::vector<bool> findOverwritten(const clang::FunctionDecl& body, const CoreLayout& layout);

}  // namespace foldwise
