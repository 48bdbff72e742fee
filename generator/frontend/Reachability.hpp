// generator/frontend/Reachability.hpp: finds the declarations that kernels reach, and from where each was reached.
#pragma once

#include "../model/KernelSpec.hpp"
#include "Callable.hpp"
#include "Decisions.hpp"
#include "GlobalNames.hpp"
#include "LambdaVariables.hpp"
#include "Nesting.hpp"
#include "References.hpp"
#include "Refusals.hpp"

#include <llvm/ADT/MapVector.h>

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace foldwise {

/// What all kernels of a unit have reached so far.
struct Reached {
    /// The declarations to carry along, as they were written, in the order in which they were reached, and the
    /// reference that each was reached by first; null for what a kernel refers to itself.
    llvm::MapVector<const clang::Decl*, const Route*> declarations;
    std::set<std::string> headers;                          ///< Directives that bring what is not carried along.
    std::set<const clang::DeclContext*> libraryNamespaces;  ///< Namespaces of libraries from which something is used.
    std::set<const clang::FunctionDecl*> hostFunctions;     ///< Functions that have to exist on the host as well.
    LambdaUses lambdas;                                     ///< Where lambdas of global variables are named.
    std::vector<Refusal> refusals;                          ///< What cannot be in kernels, in the order it was found.
    std::deque<Route> routes;                               ///< All routes that others point to.
};

/// What one kernel has reached.
struct KernelReached {
    std::set<const clang::Decl*> declarations;
    std::map<std::string, LibrarySource> library;  ///< Functions and classes of the standard library.
};

/// Searches the user's code for what kernels refer to, directly and by way of other declarations. It goes on into the
/// text of whatever is decided to be carried along.
class Reachability {
  public:
    Reachability(const Decisions& decisions, const GlobalNames& names) : decisions_(decisions), names_(names) {}

    /// Starts a kernel. Bodies that other kernels have reached are searched again, for this kernel's own list.
    void beginKernel();

    /// Reaches all that the body of a lambda (instantiated, if it is generic) refers to.
    void reachBody(const clang::FunctionDecl& body);

    /// Reaches what a kernel is given to call. `body` is its function with the types of one signature.
    void reach(const Callable& callable, const clang::FunctionDecl& body);

    /// Reaches what an expression at namespace scope refers to.
    void reach(const clang::Expr& expression) { reach(expression, Way()); }

    /// Reaches a type, and the types that its template arguments name.
    void reach(clang::QualType type) { reach(type, Way()); }

    /// Reaches a declaration that is named at a place.
    void reach(const clang::NamedDecl& declaration, clang::SourceLocation at) { use(declaration, at, Way()); }

    const Reached& reached() const { return reached_; }
    const KernelReached& ofKernel() const { return kernel_; }
    const GlobalNames& names() const { return names_; }
    const Decisions& decisions() const { return decisions_; }

    /// The refusals since the last call.
    std::vector<Refusal> takeRefusals() { return std::exchange(reached_.refusals, {}); }

  private:
    /// How the search has come to where it is.
    struct Way {
        const Route* route = nullptr;  ///< The latest reference; null at the kernel itself.
        bool isConstraint = false;  ///< Whether a constraint asks, with which the compiler decides between overloads.
    };

    /// What the kernel's search has been through.
    struct Walked {
        std::set<const clang::Decl*> declarations;
        std::set<const clang::Decl*> constraints;  ///< The declarations that constraints have led to.
    };

    void meet(const reference::Use& use, Way way);
    void meet(const reference::Mention& mention, Way way);
    void meet(const reference::Object& object, Way way);
    void meet(const reference::FoundBy& found, Way way);
    void meet(const reference::FunctionName& name, Way way);
    void meet(const reference::Unqualified& name, Way way);
    void meet(const reference::GlobalScope& scope, Way way);
    void meet(const reference::Unresolved& unresolved, Way way);
    void meet(const reference::LambdaName& lambda, Way way);
    void meet(const reference::Construct& construct, Way way);
    void meet(const reference::ClangsTrait& trait, Way way);

    void reach(const clang::Expr& expression, Way way);
    void reach(clang::QualType type, Way way);
    void reachArguments(const clang::TemplateArgumentList& list);
    void reachConstants(llvm::ArrayRef<OuterConstant> constants, Way way);
    void reachUnresolved(Way way);

    void use(const clang::NamedDecl& declaration, clang::SourceLocation at, Way way);
    void useFunction(const clang::FunctionDecl& function, clang::SourceLocation at, Way way);
    void useVariable(const clang::VarDecl& variable, Way way);
    void useBinding(const clang::BindingDecl& binding, Way way);
    void useBases(const clang::ClassTemplateSpecializationDecl& record, clang::SourceLocation at, Way way);
    void useCallback(const clang::FunctionDecl& function, clang::SourceLocation at, Way way);
    void include(const decision::Include& included, clang::SourceLocation at, Way way);
    void refuse(clang::SourceLocation at, Way way, Refused why);

    void carry(const clang::Decl& declaration, Way way);
    void carryText(const clang::Decl& member, Way way);
    void carryFoundBy(const clang::NamedDecl& found, Way way);
    void carryGuides(const clang::ClassTemplateDecl& classTemplate, Way way);
    void walk(const clang::Decl& declaration, Way way);
    void walk(const std::vector<Reference>& references, Way way);
    Way step(clang::SourceLocation at, Way way);

    Decisions decisions_;
    GlobalNames names_;
    Nestings nestings_;
    unsigned depth_ = 0;                                                   // levels of nesting around the search
    std::vector<std::pair<const clang::OverloadExpr*, bool>> unresolved_;  // and whether a constraint names them
    Walked walked_;
    Reached reached_;
    KernelReached kernel_;
};

}  // namespace foldwise
