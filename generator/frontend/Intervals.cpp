// generator/frontend/Intervals.cpp: combines the bounds of operands, which are known within a limit or not at all.
#include "Intervals.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace foldwise {

using namespace clang;

namespace {

std::optional<Interval> kept(std::int64_t low, std::int64_t high, bool isFixed) {
    if (low < -furthest || high > furthest) return std::nullopt;
    return Interval{low, high, isFixed};
}

/// The numbers from the least to the greatest of both.
std::optional<Interval> hull(const std::optional<Interval>& a, const std::optional<Interval>& b) {
    if (!a || !b) return std::nullopt;
    return Interval{std::min(a->low, b->low), std::max(a->high, b->high), /*isFixed=*/false};
}

/// Whether a value of an integer type can be so: others wrap around.
bool holds(QualType type, const Interval& values, const ASTContext& context) {
    if (values.low < 0 && type->isUnsignedIntegerOrEnumerationType()) return false;
    const std::optional<Interval> all = Intervals::of(type, context);
    return !all || (all->low <= values.low && values.high <= all->high);
}

/// Unites what a function returns.
class ReturnVisitor : public DynamicRecursiveASTVisitor {
  public:
    explicit ReturnVisitor(const Intervals& intervals) : intervals_(intervals) {}

    bool VisitReturnStmt(ReturnStmt* statement) override {
        const auto one = statement->getRetValue() ? intervals_.of(*statement->getRetValue()) : std::nullopt;
        united_ = isFirst_ ? one : hull(united_, one);
        isFirst_ = false;
        return true;
    }
    /// Lambdas and the methods of local classes return to the function, not from it.
    bool TraverseLambdaExpr(LambdaExpr*) override { return true; }
    bool TraverseCXXRecordDecl(CXXRecordDecl*) override { return true; }

    std::optional<Interval> united() const { return united_; }

  private:
    const Intervals& intervals_;
    std::optional<Interval> united_;
    bool isFirst_ = true;
};

}  // namespace

std::optional<Interval> Intervals::of(QualType type, const ASTContext& context) {
    type = type.getNonReferenceType();
    if (type->isBooleanType()) return Interval{0, 1, /*isFixed=*/false};
    if (!type->isIntegerType() || type->isEnumeralType() || context.getIntWidth(type) > 30) return std::nullopt;
    const std::int64_t count = std::int64_t{1} << context.getIntWidth(type);
    if (type->isUnsignedIntegerType()) return Interval{0, count - 1, /*isFixed=*/false};
    return Interval{-count / 2, count / 2 - 1, /*isFixed=*/false};
}

std::optional<Interval> Intervals::of(const Expr& expression) const {
    const QualType type = expression.getType().getNonReferenceType();
    if (!type->isIntegralOrEnumerationType()) return std::nullopt;
    Expr::EvalResult constant;
    if (!expression.isValueDependent() && expression.EvaluateAsInt(constant, context_)) {
        const llvm::APSInt& value = constant.Val.getInt();
        if (!value.isRepresentableByInt64()) return std::nullopt;
        return kept(value.getExtValue(), value.getExtValue(), /*isFixed=*/true);
    }
    const std::optional<Interval> values = computed(*expression.IgnoreParens());
    if (values && holds(type, *values, context_)) return values;
    return types_ == Types::Bound ? of(type, context_) : std::nullopt;
}

std::optional<Interval> Intervals::computed(const Expr& e) const {
    if (const auto* cast = dyn_cast<CastExpr>(&e)) return of(*cast->getSubExpr());
    if (const auto* full = dyn_cast<FullExpr>(&e)) return of(*full->getSubExpr());
    if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(&e)) return of(*temporary->getSubExpr());
    if (const auto* list = dyn_cast<InitListExpr>(&e); list && list->getNumInits() == 1) return of(*list->getInit(0));
    if (const auto* reference = dyn_cast<DeclRefExpr>(&e)) return ofName(*reference->getDecl());
    if (const auto* choice = dyn_cast<ConditionalOperator>(&e))
        return hull(of(*choice->getTrueExpr()), of(*choice->getFalseExpr()));
    if (const auto* sign = dyn_cast<UnaryOperator>(&e)) {
        const std::optional<Interval> of = this->of(*sign->getSubExpr());
        if (of && sign->getOpcode() == UO_Plus) return of;
        return of && sign->getOpcode() == UO_Minus ? kept(-of->high, -of->low, of->isFixed) : std::nullopt;
    }
    const auto* operation = dyn_cast<BinaryOperator>(&e);
    return operation ? ofBinary(*operation) : std::nullopt;
}

std::optional<Interval> Intervals::ofName(const ValueDecl& declaration) const {
    const auto* variable = dyn_cast<VarDecl>(&declaration);
    if (!variable) return std::nullopt;
    // What names itself in its initializer finds that nothing is known.
    if (const auto [known, isNew] = variables_.try_emplace(variable, std::nullopt); !isNew) return known->second;
    const std::optional<Interval> values = ofVariable_(*variable, *this);
    variables_[variable] = values;
    return values;
}

std::optional<Interval> Intervals::ofBinary(const BinaryOperator& e) const {
    if (e.isComparisonOp() || e.isLogicalOp()) return Interval{0, 1, /*isFixed=*/false};
    const std::optional<Interval> a = of(*e.getLHS()), b = of(*e.getRHS());
    if (!a || !b) return std::nullopt;
    const bool isFixed = a->isFixed && b->isFixed;
    switch (e.getOpcode()) {
    case BO_Add:
        return kept(a->low + b->low, a->high + b->high, isFixed);
    case BO_Sub:
        return kept(a->low - b->high, a->high - b->low, isFixed);
    case BO_Mul: {
        const auto [low, high] = std::minmax({a->low * b->low, a->low * b->high, a->high * b->low, a->high * b->high});
        return kept(low, high, isFixed);
    }
    default:
        return std::nullopt;
    }
}

std::optional<Interval> intervalOfResults(const FunctionDecl& function) {
    const ASTContext& context = function.getASTContext();
    const FunctionDecl* definition = nullptr;
    if (!function.isDefined(definition) || !definition->getBody())
        return Intervals::of(function.getReturnType(), context);
    const auto ofConstant = [](const VarDecl& variable, const Intervals& all) -> std::optional<Interval> {
        const QualType type = variable.getType();
        const bool keeps = !isa<ParmVarDecl>(variable) && type.isConstQualified() && !type.isVolatileQualified();
        return keeps && variable.getInit() ? all.of(*variable.getInit()) : std::nullopt;
    };
    const Intervals intervals(context, Intervals::Types::Bound, ofConstant);
    ReturnVisitor returns(intervals);
    returns.TraverseStmt(definition->getBody());
    return returns.united() ? returns.united() : Intervals::of(function.getReturnType(), context);
}

}  // namespace foldwise
