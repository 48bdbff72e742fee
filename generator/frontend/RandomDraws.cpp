// generator/frontend/RandomDraws.cpp: searches bodies for foldwise::random::at.
#include "RandomDraws.hpp"

#include "RunTimeVisitor.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/SmallPtrSet.h>

namespace foldwise {

using namespace clang;

namespace {

class Walk : public RunTimeVisitor {
  public:
    explicit Walk(const ASTContext& context) : RunTimeVisitor(context) {}

    void enter(const FunctionDecl& function) {
        const FunctionDecl* definition = definitionOf(function);
        if (found_ || !definition || !entered_.insert(definition).second) return;
        found_ = definition->getQualifiedNameAsString() == "foldwise::random::at";
        if (!found_) visitBody(*definition);
    }
    bool hasFound() const { return found_; }

    bool VisitCallExpr(CallExpr* e) override {
        if (const FunctionDecl* callee = e->getDirectCallee()) enter(*callee);
        return !found_;
    }
    bool VisitCXXConstructExpr(CXXConstructExpr* e) override {
        enter(*e->getConstructor());
        return !found_;
    }

  private:
    llvm::SmallPtrSet<const FunctionDecl*, 16> entered_;
    bool found_ = false;
};

}  // namespace

bool drawsByNumber(const FunctionDecl& body) {
    Walk walk(body.getASTContext());
    walk.enter(body);
    return walk.hasFound();
}

}  // namespace foldwise
