// generator/frontend/LocalNames.cpp: finds the namespaces that functions use.
#include "LocalNames.hpp"

namespace foldwise {

using namespace clang;

namespace {

/// The namespaces that a function uses, outside of a lambda in it.
class UsingDirectives : public DynamicRecursiveASTVisitor {
  public:
    explicit UsingDirectives(const CXXRecordDecl* lambda) : lambda_(lambda) {}

    llvm::SmallVector<const DeclContext*, 2> found;

    bool VisitUsingDirectiveDecl(UsingDirectiveDecl* directive) override {
        found.push_back(directive->getNominatedNamespace()->getPrimaryContext());
        return true;
    }
    bool TraverseLambdaExpr(LambdaExpr* e) override {
        return e->getLambdaClass() == lambda_ || DynamicRecursiveASTVisitor::TraverseLambdaExpr(e);
    }

  private:
    const CXXRecordDecl* lambda_;
};

/// The namespaces that a context and the functions around it use, outside of the lambda `without`.
llvm::SmallVector<const DeclContext*, 2> namespacesUsed(const DeclContext* scope, const CXXRecordDecl* without) {
    UsingDirectives directives(without);
    for (; !scope->isFileContext(); scope = scope->getParent())
        if (const auto* function = dyn_cast<FunctionDecl>(scope)) directives.TraverseStmt(function->getBody());
    return directives.found;
}

}  // namespace

void LocalNames::openNamespacesAround(const CXXRecordDecl& lambda) {
    const auto used = namespacesUsed(lambda.getDeclContext(), &lambda);
    opened_.insert(used.begin(), used.end());
}

void LocalNames::openNamespacesIn(const CXXRecordDecl& lambda) {
    const auto used = namespacesUsed(lambda.getLambdaCallOperator(), nullptr);
    opened_.insert(used.begin(), used.end());
}

}  // namespace foldwise
