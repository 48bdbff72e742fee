// generator/frontend/ParallelCores.hpp: finds the core dimensions along which the items of a guvectorize kernel can be
// divided.
#pragma once

#include "CoreLayout.hpp"

#include <clang/AST/Decl.h>

#include <vector>

namespace foldwise {

/// Returns, for each dimension of the layout, whether an item can be cut along it: whether the lambda, called for each
/// part with views of that part alone, computes the same as called once with all.
///
/// So it is if all outputs have the dimension, the lambda goes through it in loops from its beginning to its end, the
/// loops' variables are the only coordinates along it, and no turn of such a loop leaves anything for another one.
/// Then the elements of outputs that different turns assign are different ones, and depend on inputs alone.
std::vector<bool> findParallel(const clang::FunctionDecl& body, const CoreLayout& layout);

}  // namespace foldwise
