// generator/frontend/LoopChecks.hpp: finds loops without a bound, 64-bit divisions in loops, arrays in local memory,
// and arrays of no fixed size.
#pragma once

#include "Finding.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace foldwise {

/// How a function is called from the kernel.
struct CallPath {
    bool isLambda;        ///< It is the kernel's own: its parameters are the operands.
    bool isCalledInLoop;  ///< Some call on the way is in a loop.
};

/// Goes through the body of a function that is no template.
void findInLoops(const clang::FunctionDecl& function, CallPath path, const clang::ASTContext& context,
                 std::vector<Finding>& findings);

}  // namespace foldwise
