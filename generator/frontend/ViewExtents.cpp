// generator/frontend/ViewExtents.cpp: reads calls of extent().
#include "ViewExtents.hpp"

#include "Lowering.hpp"

#include <clang/AST/ExprCXX.h>

namespace foldwise {

using namespace clang;

std::optional<ViewAxis> extentOf(const Expr& expression, const ASTContext& context) {
    const auto* call = dyn_cast<CXXMemberCallExpr>(&expression);
    if (!call || call->getNumArgs() != 1 || !isFixedView(call->getObjectType())) return std::nullopt;
    const auto* object = dyn_cast<DeclRefExpr>(call->getImplicitObjectArgument()->IgnoreParenImpCasts());
    const auto* view = object ? dyn_cast<VarDecl>(object->getDecl()) : nullptr;
    const IdentifierInfo* name = call->getMethodDecl()->getIdentifier();
    Expr::EvalResult axis;
    if (!view || !name || !name->isStr("extent") || !call->getArg(0)->EvaluateAsInt(axis, context)) return std::nullopt;
    return ViewAxis{view, static_cast<unsigned>(axis.Val.getInt().getZExtValue())};
}

}  // namespace foldwise
