// generator/DeepStack.hpp: a stack for recursion over code that is nested deeply.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

namespace foldwise {

/// Runs `work` on a thread with a stack of 1 GiB, of which only what is used takes memory; with less where the process
/// may not have as much. Returns what it returns.
int runOnDeepStack(llvm::function_ref<int()> work);

}  // namespace foldwise
