// generator/model/StencilThread.hpp: what a CUDA thread of a stencil kernel has.
#pragma once

#include "StencilSpec.hpp"

namespace foldwise {

/// How many elements a thread has, chosen such that what is around them has room in registers.
struct StencilThread {
    bool hasWindows = false;         ///< Whether it has what is around its elements in registers.
    unsigned width = 1, planes = 0;  ///< Elements of a vector, and vectors; no planes if there are no vectors.
    unsigned elements = 1;           ///< Elements where it has no vectors, but rows are neighbours in memory.
};

StencilThread threadOf(const StencilSignature& signature);

}  // namespace foldwise
