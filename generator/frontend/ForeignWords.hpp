// generator/frontend/ForeignWords.hpp: suggests what to write instead of words of Thrust, CUB, Kokkos, CUDA, NumPy and
// Numba, and which header declares a standard library's name.
#pragma once

#include <clang/Basic/Diagnostic.h>
#include <llvm/ADT/StringRef.h>

#include <string>

namespace foldwise {

/// The name that one of the compiler's messages misses in namespace foldwise; empty for other messages.
std::string missingMember(const clang::Diagnostic& message);

/// What to write, as a sentence, for a name of CUDA's or another library's that kernels do not have; empty if there is
/// nothing to say.
llvm::StringRef insteadOf(llvm::StringRef name);

/// Whether kernels often use the function `std::name` of <cmath>.
bool isOfCmath(llvm::StringRef name);

/// What to write, as a sentence, for a word of another library that a message of the compiler's says is declared
/// nowhere, or not in namespace foldwise; for one of the standard library, the header to include; for a header of
/// Foldwise's that is not found, what finds it. Empty for other messages.
llvm::StringRef instead(const clang::Diagnostic& message);

}  // namespace foldwise
