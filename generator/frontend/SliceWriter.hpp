// generator/frontend/SliceWriter.hpp: writes the user's code as it is in generated files.
#pragma once

#include "../model/KernelSpec.hpp"
#include "Callable.hpp"
#include "CheckedOperations.hpp"
#include "Includes.hpp"
#include "Places.hpp"
#include "Reachability.hpp"
#include "Rewrites.hpp"
#include "SourceText.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace foldwise {

/// How a lambda has halves that it only converts.
enum class Halves { AsTheyAre, AsFloats };

/// Turns what was reached into text, with the marks where the emitter inserts CUDA's execution and memory spaces and
/// the checks of divisions and shifts.
class SliceWriter {
  public:
    SliceWriter(clang::ASTContext& context, const SourceText& text, const Reachability& reachability, Places places)
        : context_(context), text_(text), reachability_(reachability), places_(std::move(places)) {}

    /// All that was reached, in the order of the sources.
    std::vector<Declaration> declarations();

    /// The user's text in a range of tokens, such as a lambda's parameters.
    std::string sliceText(clang::SourceRange range);

    /// A lambda, taken apart. The constants of the scope around it become its own. There are marks where it can have
    /// floats in place of halves, if that is wanted. `sums` are the names in it that are marked as MarkKind::Sum, each
    /// up to what stands behind it, and `edges` are conditions that are marked.
    Body sliceLambda(const clang::CXXRecordDecl& lambda, llvm::ArrayRef<OuterConstant> constants,
                     Halves halves = Halves::AsTheyAre, llvm::ArrayRef<clang::SourceRange> sums = {},
                     llvm::ArrayRef<EdgeCondition> edges = {});

    /// A function without parameters that makes a function object from constants of the function around it.
    Body sliceObject(const clang::Expr& object, llvm::ArrayRef<OuterConstant> constants);

    /// Whether a variable has default visibility, whatever the compiler's options say: by an attribute or a pragma.
    bool isExported(const clang::VarDecl& variable) const;

    /// Reports what of the text so far cannot be in generated files, such as names that are macros there, and what was
    /// left out.
    void reportLosses() const;

    const Places& places() const { return places_; }

  private:
    class Marks;

    struct Slice {
        std::string text;
        std::vector<Mark> marks;
        clang::SourceLocation begin;  ///< Where the slice begins in a file.
        SurroundingPragmas pragmas;   ///< What holds there.
    };

    /// What the text so far could not take over as it is.
    struct Losses {
        std::map<std::string, clang::SourceLocation> macros;   ///< Names that are macros in generated files: first use.
        std::map<clang::SourceLocation, std::string> pragmas;  ///< Pragmas that were left out.
        std::set<clang::SourceLocation> notUtf8;               ///< Literals that cannot be written in UTF-8.
    };

    bool isForHeader() const { return reachability_.decisions().purpose() == SliceFor::Header; }
    const Includes& includes() const { return reachability_.decisions().includes(); }

    Slice slice(clang::SourceRange range, const Marks& marks);
    /// The text of a lambda's block or of an expression, with marks where methods of its local classes begin, and where
    /// it is written in another way.
    Slice sliceStatement(const clang::Stmt& statement, const Rewrites& rewrites,
                         const std::vector<clang::SourceRange>& halves = {},
                         llvm::ArrayRef<clang::SourceRange> sums = {});
    /// The text of a type or of parameters, with marks around names of half.
    Slice sliceHalves(clang::SourceRange range, const std::vector<clang::SourceRange>& halves);
    SurroundingPragmas pragmasAround(clang::SourceLocation begin) const;
    void losePragmasBefore(clang::SourceLocation begin);

    /// The type behind a lambda's arrow; `half` is where that is half and can be float.
    void sliceResultType(clang::TypeLoc type, clang::SourceRange half, Body& body);

    Declaration sliceDeclaration(const clang::Decl& declaration);
    Declaration sliceBinding(const clang::BindingDecl& binding) const;
    void addUsingDeclarations(std::vector<Declaration>& declarations) const;

    /// Declarations of constants, in a row. One that cannot be written is reported.
    Slice sliceConstants(llvm::ArrayRef<OuterConstant> constants);
    /// The function object that stands for a variable with a lambda.
    Declaration writeObject(const clang::VarDecl& holder);
    /// A function object that makes the lambda anew, as the variable's initializer does, and calls it.
    Declaration writeForwarder(const clang::VarDecl& holder);
    /// Writes what stands before a function object's call operator.
    void beginCall(const clang::VarDecl& holder, Declaration& object) const;
    MarkKind markOf(const clang::VarDecl& holder) const;
    std::string exceptionsOf(const clang::FunctionDecl& lambda);
    std::string constraintOf(const clang::FunctionDecl& lambda);

    clang::ASTContext& context_;
    const SourceText& text_;
    const Reachability& reachability_;
    Places places_;
    Losses losses_;
};

}  // namespace foldwise
