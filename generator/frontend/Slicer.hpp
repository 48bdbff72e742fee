// generator/frontend/Slicer.hpp: carries along what a lambda needs of the user's code, and nothing else.
#pragma once

#include "../model/KernelSpec.hpp"
#include "BodyChecks.hpp"
#include "Callable.hpp"
#include "Diagnostics.hpp"
#include "Includes.hpp"
#include "Nesting.hpp"
#include "SourceText.hpp"
#include "SystemCalls.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace foldwise {

/// The name of a file in what is generated: its path below the root folder; outside of it the name alone, for no
/// relative path holds on every machine.
std::string nameOfFile(llvm::StringRef file, llvm::StringRef root, clang::FileManager& files);

/// What a slice is for.
enum class SliceFor {
    Kernels,  ///< All of the user's code comes along; what cannot be in a kernel is an error.
    Header,   ///< The spec's own types for its callers; those of the user's headers are included.
};

/// Follows references from the bodies of lambdas to functions, constants, types and templates, through the user's code,
/// and says at the user's line what cannot be in a kernel.
class Slicer {
  public:
    Slicer(clang::ASTContext& context, const SourceText& text, const Includes& includes, std::string root,
           SliceFor purpose);

    /// Starts a kernel: what is reached from here on is its own as well as the unit's.
    void begin();

    /// Takes along all that a lambda's call operator (instantiated, if it is generic) refers to, and warns of what is
    /// slow in it. `asked` is the type that the kernel's signature names for the result; null if it names none.
    void follow(const clang::FunctionDecl& body, clang::QualType asked = {});

    /// Takes along what a kernel is given to call. `body` is its function with the types of one signature.
    void follow(const Callable& callable, const clang::FunctionDecl& body, clang::QualType asked = {});

    /// Takes along what an expression at namespace scope refers to.
    void followExpression(const clang::Expr& expression);

    /// Says what of the text that was sliced cannot be in generated files, such as names that are macros there, and
    /// what was left out.
    void checkTexts() const;

    /// Takes along an element's type.
    void followType(clang::QualType type);
    /// Takes along an alias of the user's that a signature names.
    void followAlias(const clang::NamedDecl& alias);

    /// What was reached, in the order of the sources.
    std::vector<Declaration> declarations() const;
    std::vector<std::string> includes() const;

    /// What the kernel reached: of the user's in the order of the sources, and of the standard library by name.
    std::vector<Carried> carried() const;
    std::vector<LibraryUse> library() const;

    Place placeOf(clang::SourceLocation location) const;
    bool isUsersCode(clang::SourceLocation location) const { return includes_.isUsersCode(location); }

    struct Slice {
        std::string text;
        std::vector<Mark> marks;
        clang::SourceLocation begin;  ///< Where it begins in a file.
        SurroundingPragmas pragmas;   ///< What holds there.
    };

    /// Text of the user's, such as a lambda's parameters, as it is written where kernels are.
    std::string sliceText(clang::SourceRange range) const;
    /// A lambda, taken apart; the constants of the scope around it become its own.
    Body sliceLambda(const clang::CXXRecordDecl& lambda, llvm::ArrayRef<OuterConstant> constants) const;
    /// A function without parameters that makes a function object, of constants of the function around it.
    Body sliceObject(const clang::Expr& object, llvm::ArrayRef<OuterConstant> constants) const;

  private:
    class References;
    class Marks;

    /// How a function was reached, for "called from" notes.
    struct Route {
        clang::SourceLocation call;
        const Route* previous;
    };

    /// What a call's place in the text calls; a template's may call both.
    struct Called {
        const clang::FunctionDecl* library = nullptr;
        const clang::FunctionDecl* users = nullptr;
    };

    void use(const clang::NamedDecl& declaration, clang::SourceLocation at, const Route* route);
    void mention(const clang::NamedDecl& declaration, clang::SourceLocation at, const Route* route);
    void include(const clang::NamedDecl& declaration);
    void useFunction(const clang::FunctionDecl& function, clang::SourceLocation at, const Route* route);
    void useVariable(const clang::VarDecl& variable, clang::SourceLocation at, const Route* route);
    void useHeldLambda(const clang::VarDecl& variable, clang::SourceLocation at, const Route* route);
    void useBinding(const clang::BindingDecl& binding, clang::SourceLocation at, const Route* route);
    void useBases(const clang::ClassTemplateSpecializationDecl& record, clang::SourceLocation at, const Route* route);
    void useSystem(const clang::NamedDecl& declaration, clang::SourceLocation at, const Route* route);
    void useCallback(const clang::FunctionDecl& function, clang::SourceLocation at, const Route* route);
    void useObject(const clang::ValueDecl& object, clang::SourceLocation at, const Route* route);
    void useGlobalScope(clang::SourceLocation colons);
    void useGlobalFunction(const clang::DeclRefExpr& reference, const Route* route);
    bool isUsersGlobalFunction(clang::DeclarationName name) const;
    void traverse(const clang::Decl& declaration, const Route* route);
    /// Whether a variable has one value, known while compiling. Of a template's that is said where it is instantiated.
    static bool isConstant(const clang::VarDecl& variable);
    void carry(const clang::Decl& declaration, const Route* route);
    void carryOnce(const clang::Decl& member, const Route* route);
    void carryFoundBy(const clang::NamedDecl& found);
    void carryGuides(const clang::ClassTemplateDecl& classTemplate);
    void carrySpecializations(const clang::Decl& member, const Route* route);
    void carryUnresolved();
    void addUsingDirectives(const clang::DeclContext& scope, std::vector<const clang::Decl*>& declarations) const;
    std::vector<const clang::Decl*> afterTheirNamespaces(const std::vector<const clang::Decl*>& ordered) const;
    bool isNeeded(const clang::UsingDirectiveDecl& directive) const;
    void complain(clang::SourceLocation at, const Route* route, Message message, llvm::StringRef argument,
                  llvm::StringRef lacking = "");
    void note(const clang::FunctionDecl& function, LibrarySource source);
    void followArguments(const clang::TemplateArgumentList& list);
    void followConstants(llvm::ArrayRef<OuterConstant> constants);
    Slice slice(clang::SourceRange range, const Marks& marks) const;
    SurroundingPragmas pragmasAround(clang::SourceLocation begin) const;
    void loseBefore(clang::SourceLocation begin) const;
    /// The text of a lambda's block or of an expression, with the places where its local classes' methods begin.
    Slice sliceStatement(const clang::Stmt& statement) const;
    /// Declarations of constants, in a row. One that cannot be written is reported.
    Slice sliceConstants(llvm::ArrayRef<OuterConstant> constants) const;
    Declaration slicedLambda(const clang::VarDecl& holder) const;
    Declaration slicedForwarder(const clang::VarDecl& holder) const;
    Declaration slicedBinding(const clang::BindingDecl& binding) const;
    Declaration beginObject(const clang::VarDecl& holder) const;
    void markCall(const clang::VarDecl& holder, Declaration& object) const;
    MarkKind markOf(const clang::VarDecl& holder) const;
    /// Whether the function object that a lambda's variable becomes hands on whatever it is called with.
    bool forwardsAny(const clang::VarDecl& holder) const;
    bool isCalledInConstants(const clang::VarDecl& holder) const;
    std::string exceptionsOf(const clang::FunctionDecl& lambda) const;
    std::string constraintOf(const clang::FunctionDecl& lambda) const;
    Declaration sliced(const clang::Decl& declaration) const;
    void addUsingDeclarations(std::vector<Declaration>& declarations) const;

    clang::ASTContext& context_;
    const SourceText& text_;
    const Includes& includes_;
    std::string root_;
    SystemCalls systemCalls_;
    BodyChecks checks_;
    Nestings nestings_;
    unsigned depth_ = 0;  // of what is being traversed
    SliceFor purpose_;
    std::set<const clang::Decl*> traversed_;
    std::set<const clang::Decl*> asked_;  // the same of what constraints lead to
    bool isConstraint_ = false;           // whether what is being traversed is asked while overloads are chosen
    std::vector<const clang::Decl*> carried_;
    std::set<const clang::Decl*> kernels_;              // of those, the present kernel's
    std::map<std::string, LibrarySource> library_;      // what the present kernel uses
    std::set<const clang::DeclContext*> systemScopes_;  // namespaces of what was used of system headers
    /// Which templates a name may mean, and whether a constraint asks for it.
    std::vector<std::pair<const clang::OverloadExpr*, bool>> unresolved_;
    std::set<std::string> directives_;
    std::set<const clang::FunctionDecl*> callbacks_;    // what has to be the host's as well, as it is written
    std::set<const clang::VarDecl*> constexprLambdas_;  // variables with lambdas that constants are made with
    std::map<const clang::VarDecl*, std::set<const clang::VarDecl*>> lambdaUses_;  // and what others their lambdas use
    llvm::DenseMap<clang::SourceLocation, std::string> roots_;     // what stands before `::` of the user's own
    llvm::DenseMap<clang::SourceLocation, std::string> librarys_;  // and before a library's that the user has as well
    llvm::DenseMap<clang::SourceLocation, Called> globalCalls_;
    std::map<std::string, const clang::FunctionDecl*> usedFromLibrary_;  // by templates, and the user's as well
    std::set<clang::SourceLocation> complained_;
    mutable std::map<std::string, clang::SourceLocation> macros_;  // in slices: where each is first named
    mutable std::map<clang::SourceLocation, std::string> lostPragmas_;
    mutable std::set<clang::SourceLocation> notUtf8_;
    std::set<std::pair<clang::FileID, unsigned>> refusedLines_;  // of calls of libraries' functions
    clang::SourceLocation body_;                                 // of the lambda that is being followed
};

}  // namespace foldwise
