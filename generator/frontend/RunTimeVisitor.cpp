// generator/frontend/RunTimeVisitor.cpp: tells which parts of a body do not run, and which run more than once.
#include "RunTimeVisitor.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace foldwise {

using namespace clang;

const FunctionDecl* definitionOf(const FunctionDecl& function) {
    const FunctionDecl* definition = nullptr;
    return function.isDefined(definition) && definition->getBody() ? definition : nullptr;
}

RunTimeVisitor::RunTimeVisitor(const ASTContext& context) : context_(context) { ShouldVisitImplicitCode = true; }

void RunTimeVisitor::visitBody(const FunctionDecl& function) {
    if (const auto* constructor = dyn_cast<CXXConstructorDecl>(&function))
        for (const CXXCtorInitializer* initializer : constructor->inits()) TraverseStmt(initializer->getInit());
    TraverseStmt(function.getBody());
}

bool RunTimeVisitor::TraverseVarDecl(VarDecl* variable) {
    return variable->isConstexpr() || variable->isStaticLocal() ||
           DynamicRecursiveASTVisitor::TraverseVarDecl(variable);
}

bool RunTimeVisitor::TraverseIfStmt(IfStmt* s) {
    if (s->isConsteval()) return TraverseStmt(s->isNegatedConsteval() ? s->getThen() : s->getElse());
    if (!s->isConstexpr()) return DynamicRecursiveASTVisitor::TraverseIfStmt(s);
    const auto taken = s->getNondiscardedCase(context_);
    return !taken || TraverseStmt(*taken);
}

bool RunTimeVisitor::TraverseLambdaExpr(LambdaExpr* e) {
    return std::ranges::all_of(e->capture_inits(), [&](Expr* initializer) { return TraverseStmt(initializer); });
}

bool RunTimeVisitor::TraverseForStmt(ForStmt* s) {
    return VisitStmt(s) && VisitForStmt(s) && TraverseStmt(s->getInit()) &&
           inLoop({s->getConditionVariableDeclStmt(), s->getCond(), s->getInc(), s->getBody()});
}

bool RunTimeVisitor::TraverseWhileStmt(WhileStmt* s) {
    return VisitStmt(s) && VisitWhileStmt(s) && inLoop({s->getConditionVariableDeclStmt(), s->getCond(), s->getBody()});
}

bool RunTimeVisitor::TraverseDoStmt(DoStmt* s) {
    return VisitStmt(s) && VisitDoStmt(s) && inLoop({s->getBody(), s->getCond()});
}

bool RunTimeVisitor::TraverseCXXForRangeStmt(CXXForRangeStmt* s) {
    const std::initializer_list<Stmt*> once = {s->getInit(), s->getRangeStmt(), s->getBeginStmt(), s->getEndStmt()};
    return std::ranges::all_of(once, [&](Stmt* part) { return TraverseStmt(part); }) &&
           inLoop({s->getCond(), s->getInc(), s->getLoopVarStmt(), s->getBody()});
}

bool RunTimeVisitor::inLoop(std::initializer_list<Stmt*> parts) {
    ++depth_;
    const bool result = std::ranges::all_of(parts, [&](Stmt* part) { return TraverseStmt(part); });
    --depth_;
    return result;
}

}  // namespace foldwise
