// generator/frontend/Callable.hpp: what a kernel calls: a lambda, a function or a function object.
#pragma once

#include "ConstantCalls.hpp"
#include "Diagnostics.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <optional>
#include <string>
#include <vector>

namespace clang {
class Sema;
}

namespace foldwise {

/// A constant of the function around a kernel's callable, or a capture, that the callable uses.
struct OuterConstant {
    const clang::VarDecl* variable = nullptr;
    clang::APValue value;
    const clang::LambdaExpr* lambda = nullptr;  ///< What the variable holds, if that is a lambda; it has no value then.
};

/// What a function that makes a kernel, or one of its parts, is given to call.
struct Callable {
    enum class Kind { Lambda, Function, Object };

    Kind kind = Kind::Lambda;
    clang::SourceLocation place;
    const clang::Expr* expression = nullptr;        ///< What makes the object, for Kind::Object.
    const clang::FunctionDecl* function = nullptr;  ///< For Kind::Function.
    const clang::CXXRecordDecl* record = nullptr;   ///< The class of a lambda or an object.
    const clang::VarDecl* holder = nullptr;         ///< The variable of a namespace that holds the lambda.
    std::vector<OuterConstant> constants;           ///< What the lambda's body or the expression takes from around it.
    std::optional<Constant> object;                 ///< The value of a lambda or an object, where it is known.
    bool isMadeElsewhere = false;                   ///< Whether a function that the kernel calls has written it.

    /// The function that is called, if no signature has to choose it; null if one has to.
    const clang::FunctionDecl* onlyCall() const;

    /// What is called with types of any kind: a generic lambda, or the one call operator that is a template. Null for
    /// other callables.
    const clang::FunctionDecl* genericCall() const;
};

/// What messages call a body by: 0 a lambda, 1 a function, 2 a class's call operator.
unsigned wordFor(const clang::FunctionDecl& body);

/// What makes the lambda that a variable of a namespace keeps for good: a lambda expression, or a call that returns
/// one. Null for other variables.
const clang::Expr* heldLambda(const clang::VarDecl& variable);

/// Whether objects of a type can be called, as far as the type says: a function pointer, a lambda's, or a class with a
/// call operator.
bool canBeCalled(clang::QualType type);

/// Instantiates what a kernel without signatures calls, if it is a function object's only call operator and a
/// template's code that nothing has called so far: without it there is no body to look at. Whether that had no errors.
bool instantiateCall(clang::QualType callable, clang::SourceLocation place, clang::Sema& sema);

/// Takes apart what a kernel's or a part's word is given: an argument of type `type`, written as `written`, which is
/// null if it is not written in the kernel's own declaration. Reports what is wrong at `place`; nothing then.
std::optional<Callable> findCallable(clang::QualType type, const clang::Expr* written, clang::SourceLocation place,
                                     const clang::VarDecl& kernel);

/// The call that makes a kernel, of foldwise::vectorize for example, as far as its declaration has it.
const clang::CallExpr* kernelCall(const clang::VarDecl& kernel);

/// The user's function that makes a kernel, as in `auto kernel = make();`; null if the declaration itself makes it.
const clang::FunctionDecl* factoryOf(const clang::VarDecl& kernel);

/// Adds a note to an error that was reported at a kernel: where the function is that makes it, if one does.
void noteFactory(const clang::VarDecl& kernel);

}  // namespace foldwise
