// generator/frontend/CoreLoops.cpp: recognises loops over core dimensions.
#include "CoreLoops.hpp"

#include "Loops.hpp"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/StmtCXX.h>

namespace foldwise {

using namespace clang;

const ValueDecl* namedBy(const Expr& e) {
    const auto* reference = dyn_cast<DeclRefExpr>(e.IgnoreUnlessSpelledInSource());
    return reference ? reference->getDecl() : nullptr;
}

namespace {

class EarlyEnd : public DynamicRecursiveASTVisitor {
  public:
    bool VisitStmt(Stmt* s) override {
        found |= isa<ReturnStmt, BreakStmt, ContinueStmt, GotoStmt, IndirectGotoStmt, CXXThrowExpr>(s);
        return !found;
    }
    bool found = false;
};

bool stepsByOne(const Expr* step, const VarDecl& variable) {
    const auto* unary = dyn_cast_if_present<UnaryOperator>(step);
    return unary && unary->isIncrementOp() && namedBy(*unary->getSubExpr()) == &variable;
}

}  // namespace

bool endsEarly(const Stmt& statement) {
    EarlyEnd visitor;
    visitor.TraverseStmt(const_cast<Stmt*>(&statement));
    return visitor.found;
}

std::optional<CoreLoop> CoreLoops::loopOver(const ForStmt& loop) const {
    const auto* init = dyn_cast_if_present<DeclStmt>(loop.getInit());
    const auto* variable = init && init->isSingleDecl() ? dyn_cast<VarDecl>(init->getSingleDecl()) : nullptr;
    const auto* test = dyn_cast_if_present<BinaryOperator>(loop.getCond());
    if (!variable || !variable->hasInit() || constant(*variable->getInit()) != 0 || !test ||
        (test->getOpcode() != BO_LT && test->getOpcode() != BO_NE) || namedBy(*test->getLHS()) != variable ||
        !stepsByOne(loop.getInc(), *variable) || !Changes(*loop.getBody(), body_.getASTContext()).of(*variable).empty())
        return std::nullopt;
    if (const auto count = constant(*test->getRHS()); count && *count >= 0)
        return CoreLoop{variable, std::nullopt, static_cast<std::uint64_t>(*count)};
    if (const auto dimension = extent(*test->getRHS())) return CoreLoop{variable, dimension};
    return std::nullopt;
}

std::optional<unsigned> CoreLoops::operand(const Expr& e) const {
    const ValueDecl* named = namedBy(e);
    for (unsigned i = 0; named && i < body_.getNumParams(); ++i)
        if (named == body_.getParamDecl(i)) return i;
    return std::nullopt;
}

std::optional<std::int64_t> CoreLoops::constant(const Expr& e) const {
    Expr::EvalResult result;
    if (e.isValueDependent() || !e.getType()->isIntegerType() || !e.EvaluateAsInt(result, body_.getASTContext()))
        return std::nullopt;
    return result.Val.getInt().tryExtValue();
}

/// The core dimension whose extent an expression is: `x.extent(1)` or a constant variable with that value.
std::optional<unsigned> CoreLoops::extent(const Expr& e) const {
    const Expr* inner = e.IgnoreUnlessSpelledInSource();
    if (const auto* variable = dyn_cast_if_present<VarDecl>(namedBy(*inner));
        variable && variable->getType().isConstQualified() && variable->hasInit())
        return extent(*variable->getInit());
    const auto* call = dyn_cast<CXXMemberCallExpr>(inner);
    return call ? extentOf(*call) : std::nullopt;
}

std::optional<unsigned> CoreLoops::extentOf(const CXXMemberCallExpr& call) const {
    if (call.getNumArgs() != 1 || !call.getMethodDecl() || !call.getMethodDecl()->getDeclName().isIdentifier() ||
        call.getMethodDecl()->getName() != "extent")
        return std::nullopt;
    const std::optional<unsigned> of = operand(*call.getImplicitObjectArgument());
    const std::optional<std::int64_t> axis = constant(*call.getArg(0));
    if (!of || !axis || *axis < 0 || static_cast<std::size_t>(*axis) >= layout_.operands[*of].size())
        return std::nullopt;
    return layout_.operands[*of][static_cast<std::size_t>(*axis)];
}

}  // namespace foldwise
