// generator/frontend/FloatUses.hpp: finds lambdas that only convert halves to float and back.
#pragma once

#include "../model/Body.hpp"
#include "../model/ElementType.hpp"
#include "Callable.hpp"

#include <clang/AST/Decl.h>
#include <clang/Basic/SourceLocation.h>

#include <optional>
#include <vector>

namespace foldwise {

/// The places in a lambda where float can be written in place of half, and nothing but the speed changes.
struct FloatPlaces {
    /// A parameter's type, where the lambda reads it as a float wherever it mentions it.
    struct Parameter {
        unsigned number;
        clang::SourceRange type;
    };
    std::vector<Parameter> parameters;
    /// Whether each result is a number that becomes a half where it is returned.
    bool roundsResult = false;
    std::vector<clang::SourceRange> casts;  ///< The types of the casts that do so.
    clang::SourceRange resultType;          ///< The result's type, if it is written.
};

/// The places in a lambda that is no template.
FloatPlaces floatPlaces(const clang::FunctionDecl& lambda);

bool isHalf(clang::QualType type);

/// Finds the operands that a kernel for the CPU can have as floats, of a lambda's parameters from the one numbered
/// `first` on. `call` is what is called with the operands' types.
void findFloats(std::vector<Operand>& inputs, unsigned first, const Callable& callable, const clang::FunctionDecl& call,
                llvm::ArrayRef<clang::QualType> types);

/// Whether an output is a half that the kernel makes of a number which `call` returns.
bool isRounded(const Operand& output, const Callable& callable, const clang::FunctionDecl& call);

/// Leaves in a body's text those marks alone that are right for all signatures: those of parameters whose operands all
/// of them have as floats, and those of results if all of them have.
void settleFloats(Body& body, llvm::ArrayRef<std::vector<Operand>*> inputs, unsigned first,
                  llvm::ArrayRef<Operand*> outputs);

}  // namespace foldwise
