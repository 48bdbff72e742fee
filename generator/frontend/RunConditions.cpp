// generator/frontend/RunConditions.cpp: looks at the statements around a part of a body.
#include "RunConditions.hpp"

#include "LoopTrips.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/STLExtras.h>

namespace foldwise {

using namespace clang;

static bool isLoop(const Stmt& statement) { return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(statement); }

bool RunConditions::isInLoop(const Stmt& statement) const {
    for (const Stmt* s = parents_.written(statement); s; s = parents_.written(*s))
        if (isLoop(*s)) return true;
    return false;
}

bool RunConditions::isConditional(const Stmt& statement) const {
    const Stmt* child = &statement;
    for (const Stmt* s = parents_.written(*child); s; child = s, s = parents_.written(*s)) {
        if (const auto* choice = dyn_cast<AbstractConditionalOperator>(s); choice && child != choice->getCond())
            return true;
        if (const auto* branch = dyn_cast<IfStmt>(s); branch && child != branch->getCond()) return true;
        if (const auto* both = dyn_cast<BinaryOperator>(s); both && both->isLogicalOp() && child == both->getRHS())
            return true;
        if (isa<SwitchStmt, LambdaExpr>(s)) return true;
    }
    return false;
}

/// Whether some of a loop's turns may end before they are through: by `break`, `continue`, `return` or `goto`.
static bool isCutShort(const Stmt* s) {
    if (!s || isa<LambdaExpr>(s)) return false;
    if (isa<BreakStmt, ContinueStmt, ReturnStmt, GotoStmt, IndirectGotoStmt>(s)) return true;
    return llvm::any_of(s->children(), [](const Stmt* child) { return isCutShort(child); });
}

/// Whether a loop certainly runs one of its parts: its body if that is known to have a turn.
static bool runsPart(const Stmt& loop, const Stmt& part, const ASTContext& context) {
    if (const auto* counted = dyn_cast<ForStmt>(&loop)) {
        if (&part == counted->getInit() || &part == counted->getCond()) return true;
        return !isCutShort(counted->getBody()) && tripsOf(*counted, context).value_or(0) > 0;
    }
    if (const auto* over = dyn_cast<CXXForRangeStmt>(&loop)) {
        if (&part == over->getInit() || &part == over->getRangeStmt()) return true;
        return &part == over->getBody() && !isCutShort(over->getBody()) && tripsOf(*over, context).value_or(0) > 0;
    }
    if (const auto* whileLoop = dyn_cast<WhileStmt>(&loop)) return &part == whileLoop->getCond();
    return !isCutShort(cast<DoStmt>(loop).getBody());
}

bool RunConditions::isAlwaysRun(const Expr& expression) const {
    if (isConditional(expression)) return false;
    const Stmt* child = &expression;
    for (const Stmt* s = parents_.written(*child); s; child = s, s = parents_.written(*s)) {
        if (isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, CXXTypeidExpr>(s)) return false;
        if (isLoop(*s) && !runsPart(*s, *child, body_.getASTContext())) return false;
    }
    return child == body_.getBody();  // what is in a type, as in decltype, has other parents
}

}  // namespace foldwise
