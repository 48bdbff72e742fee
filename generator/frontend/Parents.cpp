// generator/frontend/Parents.cpp: finds parents, past parentheses and the like.
#include "Parents.hpp"

#include <clang/AST/ExprCXX.h>

namespace foldwise {

using namespace clang;

namespace {

/// Whether an expression refers to what one of its parts, which has no parentheses, refers to.
bool refersTo(const Stmt* expression, const Expr& part) {
    const auto isPart = [&](const Expr* e) { return e->isGLValue() && e->IgnoreParens() == &part; };
    if (const auto* choice = dyn_cast_or_null<ConditionalOperator>(expression))
        return choice->isGLValue() && (isPart(choice->getTrueExpr()) || isPart(choice->getFalseExpr()));
    const auto* binary = dyn_cast_or_null<BinaryOperator>(expression);
    return binary && binary->getOpcode() == BO_Comma && isPart(binary->getRHS());
}

}  // namespace

const Stmt* Parents::of(const Stmt& statement) const {
    const Stmt* parent = map_.getParentIgnoreParens(&statement);
    while (isa_and_nonnull<ExprWithCleanups>(parent)) parent = map_.getParentIgnoreParens(parent);
    return parent;
}

const Expr& Parents::referring(const Expr& object) const {
    const Expr* outermost = &object;
    for (const Stmt* user = of(*outermost); refersTo(user, *outermost); user = of(*outermost))
        outermost = cast<Expr>(user);
    return *outermost;
}

bool Parents::isDiscarded(const Expr& expression) const {
    const Stmt* child = &expression;
    const Stmt* user = written(*child);
    for (; isa_and_nonnull<ParenExpr, ExprWithCleanups>(user); user = written(*user)) child = user;
    if (const auto* cast = dyn_cast_or_null<CastExpr>(user)) return cast->getCastKind() == CK_ToVoid;
    if (const auto* comma = dyn_cast_or_null<BinaryOperator>(user))
        return comma->getOpcode() == BO_Comma && child == comma->getLHS();
    if (const auto* branch = dyn_cast_or_null<IfStmt>(user))
        return child == branch->getThen() || child == branch->getElse();
    if (const auto* loop = dyn_cast_or_null<ForStmt>(user)) return child == loop->getBody() || child == loop->getInc();
    if (const auto* loop = dyn_cast_or_null<WhileStmt>(user)) return child == loop->getBody();
    if (const auto* loop = dyn_cast_or_null<CXXForRangeStmt>(user)) return child == loop->getBody();
    return isa_and_nonnull<CompoundStmt>(user) && !isa_and_nonnull<StmtExpr>(written(*user));
}

}  // namespace foldwise
