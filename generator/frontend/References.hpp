// generator/frontend/References.hpp: finds what the text of one of the user's declarations refers to.
#pragma once

#include "Diagnostics.hpp"
#include "Includes.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>

#include <variant>
#include <vector>

namespace foldwise {

/// The kinds of references.
namespace reference {

/// Something is computed with a declaration: a function is called, a type has objects, a variable is read.
struct Use {
    const clang::NamedDecl* declaration;
    clang::SourceLocation at;
};

/// A declaration is named where nothing is computed, as in `decltype` or `sizeof`. It need not have a body.
struct Mention {
    const clang::NamedDecl* declaration;
    clang::SourceLocation at;
};

/// A global variable or static data member has to be an object in memory; its value alone is not enough.
struct Object {
    const clang::ValueDecl* variable;
    clang::SourceLocation at;
};

/// The using-declaration or namespace alias by which a name was found.
struct FoundBy {
    const clang::NamedDecl* declaration;
};

/// A function is named, with or without a namespace in front of it.
struct FunctionName {
    const clang::DeclRefExpr* name;
};

/// A name of namespace foldwise is written without the namespace, as after `using namespace foldwise`.
struct Unqualified {
    const clang::NamedDecl* declaration;
    clang::SourceLocation at;
};

/// `::` at the beginning of a name.
struct GlobalScope {
    clang::SourceLocation colons;
};

/// A name that no instantiation has resolved, as in a branch of `if constexpr` that is not taken. It may mean any of
/// several functions or templates.
struct Unresolved {
    const clang::OverloadExpr* name;
};

/// A global variable that holds a lambda is named.
struct LambdaName {
    const clang::VarDecl* variable;
    bool inConstants;              ///< Whether it may be called while compiling.
    const clang::VarDecl* within;  ///< The global variable in whose lambda the name stands; null if in none.
};

/// A construct that device code does not have, such as `throw`.
struct Construct {
    clang::SourceLocation at;
    Message message;
    llvm::StringLiteral what;  ///< The argument of the message.
};

/// A type trait that Clang has, but neither GCC nor nvcc.
struct ClangsTrait {
    clang::SourceLocation at;
    clang::TypeTrait trait;
};

}  // namespace reference

/// One reference in the text of a declaration.
struct Reference {
    std::variant<reference::Use, reference::Mention, reference::Object, reference::FoundBy, reference::FunctionName,
                 reference::Unqualified, reference::GlobalScope, reference::Unresolved, reference::LambdaName,
                 reference::Construct, reference::ClangsTrait>
        what;
    bool isInConstraint = false;  ///< Whether it stands in a constraint, which decides between overloads.
};

/// The references in a function, class, variable or template of the user's, in the order of its text. The texts of
/// what it refers to are not looked at.
std::vector<Reference> referencesIn(const clang::Decl& declaration, const Includes& includes);

/// The references in an expression at namespace scope.
std::vector<Reference> referencesIn(const clang::Expr& expression, const Includes& includes);

/// What a function calls directly.
struct Callees {
    /// The functions, with those that the compiler defines.
    llvm::SmallVector<const clang::FunctionDecl*, 4> functions;
    bool hasLambda = false;  ///< Whether there is a lambda in its body.
};

/// The callees of a function that has a body.
Callees calleesOf(const clang::FunctionDecl& function);

}  // namespace foldwise
