// generator/frontend/Mentions.cpp: visits the references of a body, and the returns and gotos that may skip them.
#include "Mentions.hpp"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>

namespace foldwise {

using namespace clang;

namespace {

class MentionsVisitor : public DynamicRecursiveASTVisitor {
  public:
    explicit MentionsVisitor(std::map<const ValueDecl*, std::vector<Mention>>& found) : found_(found) {}

    bool VisitDeclRefExpr(DeclRefExpr* reference) override {
        found_[reference->getDecl()].push_back({reference, isReached_});
        return true;
    }
    bool VisitReturnStmt(ReturnStmt*) override { return leave(); }
    bool VisitGotoStmt(GotoStmt*) override { return leave(); }

    /// A return or goto in a lambda within the body skips nothing of the body itself.
    bool TraverseLambdaExpr(LambdaExpr* lambda) override {
        const bool before = isReached_;
        const bool goesOn = DynamicRecursiveASTVisitor::TraverseLambdaExpr(lambda);
        isReached_ = before;
        return goesOn;
    }
    /// Local classes cannot use the values of parameters and automatic variables of the body.
    bool TraverseCXXRecordDecl(CXXRecordDecl*) override { return true; }

  private:
    bool leave() {
        isReached_ = false;
        return true;
    }

    std::map<const ValueDecl*, std::vector<Mention>>& found_;
    bool isReached_ = true;  ///< Whether no return or goto has been visited.
};

}  // namespace

Mentions::Mentions(const FunctionDecl& body) { MentionsVisitor(of_).TraverseStmt(body.getBody()); }

const std::vector<Mention>& Mentions::of(const ValueDecl& declaration) const {
    static const std::vector<Mention> none;
    const auto found = of_.find(&declaration);
    return found == of_.end() ? none : found->second;
}

}  // namespace foldwise
