// generator/frontend/Decisions.hpp: decides for each declaration that a kernel refers to whether it is carried along.
#pragma once

#include "../model/KernelSpec.hpp"
#include "Includes.hpp"
#include "References.hpp"
#include "Refusals.hpp"
#include "SystemCalls.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace foldwise {

/// What the user's code is sliced for.
enum class SliceFor {
    Kernels,  ///< All of the user's code comes along, and what cannot be in a kernel is refused.
    Header,   ///< Types for the kernels' callers: those of the spec come along, those of the user's headers are
              ///< included.
};

namespace decision {

/// There is nothing to do for a declaration: it comes along with the text around it, as local variables do.
struct None {
    bool operator==(const None&) const = default;
};

/// The text of a declaration comes along.
struct Carry {
    bool operator==(const Carry&) const = default;
};

/// Headers bring a declaration.
struct Include {
    std::set<std::string> headers;                      ///< Directives: "<cmath>".
    std::vector<const clang::DeclContext*> namespaces;  ///< The library's namespaces around the declaration.
    std::optional<LibraryUse> library;                  ///< What `--explain` lists of it, if it is a function.
    std::vector<const clang::FunctionDecl*> callbacks;  ///< The user's functions that it calls.
    bool operator==(const Include&) const = default;
};

}  // namespace decision

/// What becomes of one declaration.
using Decision = std::variant<decision::None, decision::Carry, decision::Include, Refused>;

/// Decides what becomes of declarations. Each answer depends on the declaration alone, not on what was asked before.
class Decisions {
  public:
    Decisions(const Includes& includes, SystemCalls& systemCalls, SliceFor purpose)
        : includes_(includes), systemCalls_(systemCalls), purpose_(purpose) {}

    /// What becomes of a declaration that something is computed with.
    Decision of(const clang::NamedDecl& declaration) const;

    /// What becomes of a function that is only mentioned: it has to be declared, no more.
    Decision ofMentioned(const clang::FunctionDecl& function) const;

    /// Why a global variable cannot be an object in memory. Nothing if it can.
    std::optional<Refused> asObject(const clang::ValueDecl& variable) const;

    /// Why the standard library cannot call a function of the user's in a kernel. Nothing if it can.
    std::optional<Refused> asCallback(const clang::FunctionDecl& function, const Callees& callees) const;

    /// Why a declaration cannot be carried out of the namespace that it is in. Nothing if it can. `member` is what that
    /// namespace has: the declaration, or the class around it.
    std::optional<Refused> outOfNamespace(const clang::NamedDecl& declaration, const clang::Decl& member) const;

    bool isUsers(const clang::Decl& declaration) const { return includes_.isUsersCode(declaration.getLocation()); }
    const Includes& includes() const { return includes_; }
    SliceFor purpose() const { return purpose_; }

  private:
    Decision ofFunction(const clang::FunctionDecl& function) const;
    Decision ofVariable(const clang::VarDecl& variable) const;
    std::optional<std::string> hostClass(clang::QualType type) const;
    bool needsHost(const clang::CXXRecordDecl& record) const;
    Decision ofBinding(const clang::BindingDecl& binding) const;
    Decision ofLibrarys(const clang::NamedDecl& declaration) const;
    decision::Include included(const clang::NamedDecl& declaration) const;

    const Includes& includes_;
    SystemCalls& systemCalls_;
    SliceFor purpose_;
};

}  // namespace foldwise
