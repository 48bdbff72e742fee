// generator/frontend/LocalNames.cpp: finds the namespaces that functions use.
#include "LocalNames.hpp"

namespace foldwise {

using namespace clang;

namespace {

/// The namespaces that a function uses, outside of a lambda in it.
class UsingDirectives : public DynamicRecursiveASTVisitor {
  public:
    explicit UsingDirectives(const CXXRecordDecl& lambda) : lambda_(lambda) {}

    llvm::SmallVector<const DeclContext*, 2> found;

    bool VisitUsingDirectiveDecl(UsingDirectiveDecl* directive) override {
        found.push_back(directive->getNominatedNamespace()->getPrimaryContext());
        return true;
    }
    bool TraverseLambdaExpr(LambdaExpr* e) override {
        return e->getLambdaClass() == &lambda_ || DynamicRecursiveASTVisitor::TraverseLambdaExpr(e);
    }

  private:
    const CXXRecordDecl& lambda_;
};

}  // namespace

void LocalNames::openNamespacesAround(const CXXRecordDecl& lambda) {
    for (const DeclContext* scope = lambda.getDeclContext(); !scope->isFileContext(); scope = scope->getParent())
        if (const auto* function = dyn_cast<FunctionDecl>(scope)) {
            UsingDirectives directives(lambda);
            directives.TraverseStmt(function->getBody());
            opened_.insert(directives.found.begin(), directives.found.end());
        }
}

}  // namespace foldwise
