// generator/frontend/RefusedCalls.hpp: explains why a kernel's callable cannot be called with a signature's types.
#pragma once

#include "Callable.hpp"

#include <clang/AST/Type.h>
#include <llvm/ADT/ArrayRef.h>

#include <string>

namespace clang {
class Sema;
}

namespace foldwise {

/// The one function that a callable is, generic or not; null if it has several call operators.
const clang::FunctionDecl* writtenCall(const Callable& callable);

/// A call of a kernel's callable that the compiler refuses.
struct RefusedCall {
    const Callable& callable;
    llvm::ArrayRef<clang::QualType> arguments;  ///< Their types, without the index.
    llvm::StringRef argument;                   ///< "operand", "element" or "accumulator": what each of them is.
    std::string giver;                          ///< "the signature has", before their number.
    bool mayTakeIndex = false;                  ///< Whether an index can come before them.
};

/// A parameter through which an argument could be written to, so that it takes no const one; null if there is none.
const clang::ParmVarDecl* writableParameter(const RefusedCall& call);

/// Whether the callable takes another number of arguments than there are.
bool differsInNumber(const RefusedCall& call);

/// Why the call is refused: "the lambda takes 2 parameters, and the signature has 1 operand". Empty if it has several
/// call operators.
std::string whyRefused(const RefusedCall& call, clang::Sema& sema);

/// What to write in place of a signature that has more or fewer operands than the callable takes:
/// "foldwise::vectorize<float(float, float)>(...)", or an index in place of the first parameter. Empty if it has
/// several call operators.
std::string signatureFor(const RefusedCall& call, llvm::StringRef keyword, clang::QualType result,
                         const clang::ASTContext& context);

/// "no operands", "1 operand", "2 operands"
std::string counted(std::size_t number, llvm::StringRef what);

}  // namespace foldwise
