// generator/frontend/ForeignForms.hpp: suggests what to write instead of forms of Python and NumPy, for which the
// compiler has only general errors.
#pragma once

#include <clang/Basic/Diagnostic.h>
#include <llvm/ADT/StringRef.h>

namespace foldwise {

/// What to write, as a sentence, for an operator, a statement, a member or a call that one of the compiler's messages
/// refuses, such as `x ** 2`, `x.shape` or `foldwise::stencil` without an edge. Empty for other messages.
llvm::StringRef insteadOfForm(const clang::Diagnostic& message);

/// What is wrong, as a sentence, with the user's call that led to one of the compiler's errors in a header of the
/// standard library, such as an atomic operation that changes an element of a view<const T, N>. Empty for other errors.
llvm::StringRef insteadOfStandards(const clang::Diagnostic& message);

/// What to write, as a sentence, where the compiler's error is that complex numbers are compared by order; else empty.
llvm::StringRef insteadOfOrder(const clang::Diagnostic& message);

}  // namespace foldwise
