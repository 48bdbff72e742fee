// generator/frontend/GlobalNames.hpp: qualifies names that the global namespace of generated files may have twice: of
// the user's code and of libraries.
#pragma once

#include "Includes.hpp"
#include "Refusals.hpp"
#include "SourceText.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/DenseMap.h>

#include <map>
#include <optional>
#include <string>

namespace foldwise {

/// Decides by which qualified names the user's global code is found once it is carried into a namespace, and what
/// becomes of names that the user and a library both have there.
class GlobalNames {
  public:
    GlobalNames(clang::ASTContext& context, const Includes& includes, const SourceText& text)
        : context_(context), includes_(includes), text_(text) {}

    /// Notes a name of namespace foldwise without the namespace. In generated files, which include more headers than
    /// the spec, a global name would make it ambiguous, as `index` of <strings.h> does.
    void addUnqualified(const clang::NamedDecl& declaration, clang::SourceLocation at);

    /// Notes a `::` at the beginning of a name.
    void addScope(clang::SourceLocation colons);

    /// Notes a function's name. If it cannot be found from where kernels are, says why.
    std::optional<Refused> addFunction(const clang::DeclRefExpr& name);

    /// What has to be inserted in front of tokens of the user's text where it is carried into the namespace of kernels:
    /// namespaces.
    llvm::DenseMap<clang::SourceLocation, std::string> insertions() const;

    /// What has to be inserted where the text stays in the namespaces that it is in.
    const llvm::DenseMap<clang::SourceLocation, std::string>& insertionsInHeader() const { return foldwises_; }

    /// The library's functions, by name, that some template calls as well as the user's function of the same name.
    /// Using-declarations have to bring them.
    const std::map<std::string, const clang::FunctionDecl*>& usingDeclarations() const { return usingDeclarations_; }

  private:
    /// What one name in the text calls. In a template it may call both.
    struct Called {
        const clang::FunctionDecl* library = nullptr;
        const clang::FunctionDecl* users = nullptr;
    };

    bool isUsersFunction(clang::DeclarationName name) const;

    clang::ASTContext& context_;
    const Includes& includes_;
    const SourceText& text_;
    llvm::DenseMap<clang::SourceLocation, std::string> users_;      // in front of `::` that leads to the user's code
    llvm::DenseMap<clang::SourceLocation, std::string> libraries_;  // in front of a library's functions
    llvm::DenseMap<clang::SourceLocation, std::string> foldwises_;  // in front of unqualified names of Foldwise's
    llvm::DenseMap<clang::SourceLocation, Called> calls_;
    std::map<std::string, const clang::FunctionDecl*> usingDeclarations_;
};

}  // namespace foldwise
