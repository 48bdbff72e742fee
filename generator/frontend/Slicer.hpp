// generator/frontend/Slicer.hpp: carries along the user's code that kernels need, and nothing else.
#pragma once

#include "../model/KernelSpec.hpp"
#include "BodyChecks.hpp"
#include "Callable.hpp"
#include "Decisions.hpp"
#include "Includes.hpp"
#include "Places.hpp"
#include "Reachability.hpp"
#include "Refusals.hpp"
#include "SliceWriter.hpp"
#include "SourceText.hpp"
#include "SystemCalls.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>

#include <string>
#include <vector>

namespace foldwise {

/// What lowerings know of slicing, in three steps. Reachability finds the declarations that kernels lead to; Decisions
/// tells for each of them what becomes of it; SliceWriter writes those that come along. What cannot be in a kernel is
/// reported before a function returns.
class Slicer {
  public:
    Slicer(clang::ASTContext& context, const SourceText& text, const Includes& includes, const FileNaming& naming,
           SliceFor purpose);

    /// Starts the kernel that is declared at a place. What is reached from here on is listed as the kernel's own, as
    /// well as for the whole unit.
    void begin(clang::SourceLocation kernel);

    /// Takes along what a kernel is given to call, and warns of what is slow in it. `body` is its function with the
    /// types of one signature; `asked` is the type that the signature names for the result, null if it names none.
    void follow(const Callable& callable, const clang::FunctionDecl& body, clang::QualType asked = {});

    /// Takes along what an expression at namespace scope refers to.
    void followExpression(const clang::Expr& expression);

    /// Takes along an element's type. `at` is the parameter or the signature that asks for it, if there is one.
    void followType(clang::QualType type, clang::SourceLocation at = {});

    /// Takes along an alias of the user's that a signature names.
    void followAlias(const clang::NamedDecl& alias);

    /// What all kernels have reached, in the order of the sources.
    std::vector<Declaration> declarations() { return writer_.declarations(); }

    /// The include directives that all kernels need.
    std::vector<std::string> includes() const;

    /// The user's declarations that the present kernel has reached, in the order of the sources.
    std::vector<Carried> carried() const;

    /// The types in unnamed namespaces that all kernels have reached, but for members of others, in the order in which
    /// they were reached.
    std::vector<const clang::TypeDecl*> unnamedNamespaceTypes() const;

    /// The functions and classes of the standard library that the present kernel has reached, by name.
    std::vector<LibraryUse> library() const;

    /// Whether a variable has default visibility, whatever the compiler's options say.
    bool isExported(const clang::VarDecl& variable) const { return writer_.isExported(variable); }

    /// Text of the user's, such as a lambda's parameters, as it is written where kernels are.
    std::string sliceText(clang::SourceRange range) { return writer_.sliceText(range); }

    /// A lambda, taken apart. The constants of the scope around it become its own. There are marks where it can have
    /// floats in place of halves, if that is wanted. `sums` are the names in it that are marked as MarkKind::Sum, each
    /// up to what stands behind it, and `edges` are conditions that are marked.
    Body sliceLambda(const clang::CXXRecordDecl& lambda, llvm::ArrayRef<OuterConstant> constants, Halves halves,
                     llvm::ArrayRef<clang::SourceRange> sums = {}, llvm::ArrayRef<EdgeCondition> edges = {}) {
        return writer_.sliceLambda(lambda, constants, halves, sums, edges);
    }

    /// A function without parameters that makes a function object from constants of the function around it.
    Body sliceObject(const clang::Expr& object, llvm::ArrayRef<OuterConstant> constants) {
        return writer_.sliceObject(object, constants);
    }

    /// Reports what of the text that was sliced cannot be in generated files, such as names that are macros there, and
    /// what was left out.
    void checkTexts() const { writer_.reportLosses(); }

    Place placeOf(clang::SourceLocation location) const { return writer_.places().of(location); }
    bool isUsersCode(clang::SourceLocation location) const { return includes_.isUsersCode(location); }

  private:
    void reportRefusals();

    const Includes& includes_;
    SystemCalls systemCalls_;
    Reachability reachability_;
    RefusalReporter refusals_;
    BodyChecks checks_;
    SliceWriter writer_;
    clang::SourceLocation kernel_;  // of the kernel's declaration
    clang::SourceLocation place_;   // of the user's text that is being followed, such as a lambda
    clang::SourceLocation madeAt_;  // where the kernel is declared, if a function has made its lambda
};

}  // namespace foldwise
