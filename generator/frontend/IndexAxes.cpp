// generator/frontend/IndexAxes.cpp: follows conversions, copies and structured bindings back to the index.
#include "IndexAxes.hpp"

#include "OnlyRead.hpp"

#include "ForallValues.hpp"
#include "Lowering.hpp"

#include <llvm/ADT/STLExtras.h>

namespace foldwise {

using namespace clang;

IndexAxes::IndexAxes(const FunctionDecl& body, const Mentions& mentions, const Parents& parents)
    : context_(body.getASTContext()), index_(*body.getParamDecl(0)), rank_(indexRank(body)), mentions_(mentions),
      parents_(parents) {}

/// Whether a cast leaves coordinates as they are. Casts to a signed integer of 32 bits do: coordinates that it cannot
/// represent are taken to be beyond any view.
bool IndexAxes::keepsCoordinates(const CastExpr& cast) const {
    const QualType type = cast.getType();
    switch (cast.getCastKind()) {
    case CK_LValueToRValue:
    case CK_NoOp:
    case CK_ConstructorConversion:
    case CK_UserDefinedConversion:
        return true;
    case CK_IntegralCast:
        return context_.getIntWidth(type) >= (type->isSignedIntegerType() ? 32 : 64);
    default:
        return false;
    }
}

/// Whether a class is foldwise::index.
static bool isIndex(const CXXRecordDecl* type) { return type && type->getQualifiedNameAsString() == "foldwise::index"; }

/// The expression within parentheses and conversions that change no coordinates, those to and from index among them.
const Expr& IndexAxes::ignoreConversions(const Expr& expression) const {
    const Expr* inner = expression.IgnoreParens();
    if (const auto* cast = dyn_cast<CastExpr>(inner); cast && keepsCoordinates(*cast))
        return ignoreConversions(*cast->getSubExpr());
    if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(inner))
        return ignoreConversions(*temporary->getSubExpr());
    if (const auto* converted = dyn_cast<CXXMemberCallExpr>(inner);
        converted && isa_and_nonnull<CXXConversionDecl>(converted->getMethodDecl()) &&
        isIndex(converted->getRecordDecl()))
        return ignoreConversions(*converted->getImplicitObjectArgument());
    if (const auto* made = dyn_cast<CXXConstructExpr>(inner);
        made && made->getNumArgs() == 1 && isIndex(made->getConstructor()->getParent()))
        return ignoreConversions(*made->getArg(0));
    return *inner;
}

bool IndexAxes::isWholeIndex(const Expr& expression) const {
    const auto* reference = dyn_cast<DeclRefExpr>(&ignoreConversions(expression));
    return reference && reference->getDecl() == &index_;
}

bool IndexAxes::isOnlyRead(const ValueDecl& variable) const {
    if (variable.getType().getNonReferenceType().isConstQualified()) return true;
    return llvm::all_of(mentions_.of(variable),
                        [&](const Mention& mention) { return foldwise::isOnlyRead(*mention.expression, parents_); });
}

/// The axis of the index whose coordinate a local variable has, as `r` in `auto [r, c] = at;` and in
/// `const auto r = at[0];`; nothing for other variables.
std::optional<std::uint32_t> IndexAxes::axisOfVariable(const ValueDecl& variable) const {
    if (!isOnlyRead(variable)) return std::nullopt;
    if (const auto* binding = dyn_cast<BindingDecl>(&variable)) {
        const auto* all = dyn_cast_or_null<DecompositionDecl>(binding->getDecomposedDecl());
        if (!all || !all->getInit() || !isWholeIndex(*all->getInit())) return std::nullopt;
        for (const BindingDecl* other : all->bindings()) {
            if (!isOnlyRead(*other)) return std::nullopt;
        }
        return static_cast<std::uint32_t>(llvm::find(all->bindings(), binding) - all->bindings().begin());
    }
    const auto* local = dyn_cast<VarDecl>(&variable);
    const bool isValue = local && local->isLocalVarDecl() && !local->getType()->isReferenceType() && local->getInit();
    return isValue ? axisOf(*local->getInit()) : std::nullopt;
}

std::optional<std::uint32_t> IndexAxes::axisOf(const Expr& coordinate) const {
    const Expr& inner = ignoreConversions(coordinate);
    if (isWholeIndex(inner)) return rank_ == 1 ? std::optional<std::uint32_t>(0) : std::nullopt;
    if (const auto* reference = dyn_cast<DeclRefExpr>(&inner)) return axisOfVariable(*reference->getDecl());
    const auto* call = dyn_cast<CXXOperatorCallExpr>(&inner);
    if (!call || call->getOperator() != OO_Subscript || !isWholeIndex(*call->getArg(0))) return std::nullopt;
    const auto* number = dyn_cast<IntegerLiteral>(call->getArg(1)->IgnoreParenImpCasts());
    if (!number) return std::nullopt;
    return static_cast<std::uint32_t>(number->getValue().getZExtValue());
}

std::optional<std::vector<std::uint32_t>> IndexAxes::followedBy(const CXXOperatorCallExpr& subscript) const {
    std::vector<std::uint32_t> axes;
    if (subscript.getNumArgs() == 2 && isWholeIndex(*subscript.getArg(1))) {
        for (std::uint32_t axis = 0; axis < rank_; ++axis) axes.push_back(axis);
        return axes;
    }
    for (unsigned i = 1; i < subscript.getNumArgs(); ++i) {
        const std::optional<std::uint32_t> axis = axisOf(*subscript.getArg(i));
        if (!axis || *axis >= rank_ || llvm::is_contained(axes, *axis)) return std::nullopt;
        axes.push_back(*axis);
    }
    return axes;
}

}  // namespace foldwise
