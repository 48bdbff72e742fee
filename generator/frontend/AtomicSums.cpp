// generator/frontend/AtomicSums.cpp: reads atomic additions from the expressions around the element.
#include "AtomicSums.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

namespace foldwise {

using namespace clang;

namespace {

/// The name of the type of an object that an expression makes, `std::atomic_ref` in `std::atomic_ref(x)`, if no macro
/// has written it.
SourceRange nameOfType(const CXXConstructExpr& made, const Stmt* parent) {
    SourceLocation begin = made.getBeginLoc(), end = made.getParenOrBraceRange().getBegin();
    if (const auto* cast = dyn_cast_or_null<CXXFunctionalCastExpr>(parent)) {
        begin = cast->getBeginLoc();
        if (cast->getLParenLoc().isValid()) end = cast->getLParenLoc();
    } else if (!isa<CXXTemporaryObjectExpr>(made)) {
        return {};
    }
    return begin.isFileID() && end.isFileID() ? SourceRange(begin, end) : SourceRange();
}

/// The order that a call of a member function of std::atomic_ref asks for.
AdditionOrder orderOf(const CallExpr& call, const ASTContext& context) {
    if (call.getNumArgs() < 2 || isa<CXXDefaultArgExpr>(call.getArg(1))) return AdditionOrder::Default;
    const Expr& order = *call.getArg(1);
    Expr::EvalResult value;
    if (order.isValueDependent() || !order.EvaluateAsInt(value, context)) return AdditionOrder::Other;
    return value.Val.getInt() == 0 ? AdditionOrder::Relaxed : AdditionOrder::Other;  // std::memory_order::relaxed
}

}  // namespace

std::optional<AtomicSum> atomicSum(const Stmt& element, const Parents& parents, const ASTContext& context) {
    const Stmt* child = &element;
    const Stmt* parent = parents.of(element);
    const auto* made = dyn_cast_or_null<CXXConstructExpr>(parent);
    const CXXRecordDecl* type = made ? made->getConstructor()->getParent() : nullptr;
    if (!type || !type->isInStdNamespace() || !type->getIdentifier() || type->getName() != "atomic_ref")
        return std::nullopt;
    const SourceRange name = nameOfType(*made, parents.of(*made));
    for (; isa_and_nonnull<CXXConstructExpr, CastExpr, MaterializeTemporaryExpr, CXXBindTemporaryExpr>(parent);
         parent = parents.of(*parent))
        child = parent;
    if (isMember(parent, "fetch_add", "fetch_sub")) {
        const auto* call = dyn_cast_or_null<CXXMemberCallExpr>(parents.of(*parent));
        if (!call || call->getCallee()->IgnoreParens() != parent || !parents.isDiscarded(*call)) return std::nullopt;
        return AtomicSum{name, orderOf(*call, context)};
    }
    const auto* call = dyn_cast_or_null<CXXOperatorCallExpr>(parent);
    if (!call || call->getArg(0)->IgnoreParens() != child || !parents.isDiscarded(*call)) return std::nullopt;
    switch (call->getOperator()) {
    case OO_PlusEqual:
    case OO_MinusEqual:
    case OO_PlusPlus:
    case OO_MinusMinus:
        return AtomicSum{name, AdditionOrder::Default};
    default:
        return std::nullopt;
    }
}

}  // namespace foldwise
