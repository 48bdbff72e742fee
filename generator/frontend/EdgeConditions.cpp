// generator/frontend/EdgeConditions.cpp: follows the operands of comparisons back to coordinates, constants and
// extents.
#include "EdgeConditions.hpp"

#include "IndexAxes.hpp"
#include "RunTimeVisitor.hpp"
#include "ViewExtents.hpp"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <optional>

namespace foldwise {

using namespace clang;

namespace {

/// How far from the first or last task a condition may change its value to be one at an edge.
constexpr std::int64_t widestEdge = 16;

/// A coordinate of the index, an extent, or nothing, and a constant that is added to it.
struct ShiftedPlace {
    enum class Of { Nothing, Coordinate, Extent };
    Of of = Of::Nothing;
    std::int64_t shift = 0;
    std::uint32_t axis = 0;       ///< Of a coordinate: the index's; of an extent: the view's.
    std::uint32_t parameter = 0;  ///< The view that has the extent.
};

class EdgeVisitor : public RunTimeVisitor {
  public:
    EdgeConditions found;

    explicit EdgeVisitor(const FunctionDecl& body)
        : RunTimeVisitor(body.getASTContext()), body_(body), context_(body.getASTContext()), mentions_(body),
          parents_(body.getBody()), axes_(body, mentions_, parents_) {
        if (!axes_.isIndexOnlyRead()) return;
        found.begins.resize(axes_.rank());
        visitBody(body);
        if (found.conditions.empty()) found.begins.clear();
    }

    bool VisitBinaryOperator(BinaryOperator* comparison) override {
        if (!comparison->isRelationalOp() && !comparison->isEqualityOp()) return true;
        if (comparison->getBeginLoc().isMacroID() || comparison->getEndLoc().isMacroID()) return true;
        std::optional<ShiftedPlace> left = placeOf(*comparison->getLHS()), right = placeOf(*comparison->getRHS());
        BinaryOperatorKind operation = comparison->getOpcode();
        if (!left || !right) return true;
        if (right->of == ShiftedPlace::Of::Coordinate) {
            std::swap(left, right);
            if (comparison->isRelationalOp()) operation = BinaryOperator::reverseComparisonOp(operation);
        }
        if (left->of == ShiftedPlace::Of::Coordinate && right->of != ShiftedPlace::Of::Coordinate)
            add(comparison->getSourceRange(), *left, operation, *right);
        return true;
    }

  private:
    /// Whether numbers of a type are what they seem to be: no sum of a coordinate and a small constant wraps.
    bool isPlain(QualType type) const {
        return type->isSignedIntegerType() && context_.getIntWidth(type) >= 32 && context_.getIntWidth(type) <= 64;
    }

    std::optional<ShiftedPlace> placeOf(const Expr& outer, unsigned depth = 0) const {
        constexpr unsigned deepest = 32;  // a constant may be initialised with itself
        const Expr& expression = *outer.IgnoreParens();
        if (depth == deepest || !isPlain(expression.getType())) return std::nullopt;
        if (const std::optional<std::uint32_t> axis = axes_.axisOf(expression))
            return *axis < axes_.rank() ? std::optional(ShiftedPlace{.of = ShiftedPlace::Of::Coordinate, .axis = *axis})
                                        : std::nullopt;
        Expr::EvalResult known;
        if (!expression.isValueDependent() && expression.EvaluateAsInt(known, context_))
            return small(ShiftedPlace{}, known.Val.getInt().getExtValue());
        if (const auto* conversion = dyn_cast<CastExpr>(&expression)) return placeOf(*conversion, depth);
        if (const auto* list = dyn_cast<InitListExpr>(&expression))
            return list->getNumInits() == 1 ? placeOf(*list->getInit(0), depth + 1) : std::nullopt;
        if (const auto* binary = dyn_cast<BinaryOperator>(&expression)) return placeOf(*binary, depth);
        if (const auto* reference = dyn_cast<DeclRefExpr>(&expression)) {
            const auto* variable = dyn_cast<VarDecl>(reference->getDecl());
            const bool isValue = variable && variable->isLocalVarDecl() && variable->hasLocalStorage() &&
                                 !variable->getType()->isReferenceType() && variable->hasInit();
            return isValue && axes_.isOnlyRead(*variable) ? placeOf(*variable->getInit(), depth + 1) : std::nullopt;
        }
        return extentAt(expression);
    }
    std::optional<ShiftedPlace> placeOf(const CastExpr& conversion, unsigned depth) const {
        const Expr& operand = *conversion.getSubExpr();
        const CastKind kind = conversion.getCastKind();
        if (kind != CK_LValueToRValue && kind != CK_NoOp && kind != CK_IntegralCast) return std::nullopt;
        const std::optional<ShiftedPlace> place = placeOf(operand, depth + 1);
        // 32 bits suffice for a coordinate or extent, but perhaps not for a sum.
        const bool isNarrower = kind == CK_IntegralCast &&
                                context_.getIntWidth(conversion.getType()) < context_.getIntWidth(operand.getType());
        return place && isNarrower && place->shift != 0 ? std::nullopt : place;
    }
    std::optional<ShiftedPlace> placeOf(const BinaryOperator& sum, unsigned depth) const {
        if (!sum.isAdditiveOp()) return std::nullopt;
        const std::optional<ShiftedPlace> left = placeOf(*sum.getLHS(), depth + 1);
        const std::optional<ShiftedPlace> right = left ? placeOf(*sum.getRHS(), depth + 1) : std::nullopt;
        if (!right) return std::nullopt;
        const bool isDifference = sum.getOpcode() == BO_Sub;
        if (right->of == ShiftedPlace::Of::Nothing) return small(*left, isDifference ? -right->shift : right->shift);
        return left->of == ShiftedPlace::Of::Nothing && !isDifference ? small(*right, left->shift) : std::nullopt;
    }
    std::optional<ShiftedPlace> extentAt(const Expr& expression) const {
        const std::optional<ViewAxis> extent = extentOf(expression, context_);
        const auto* view = extent ? dyn_cast<ParmVarDecl>(extent->view) : nullptr;
        if (!view || view->getDeclContext() != &body_ || view->getFunctionScopeIndex() == 0 || !axes_.isOnlyRead(*view))
            return std::nullopt;
        return ShiftedPlace{
            .of = ShiftedPlace::Of::Extent, .axis = extent->axis, .parameter = view->getFunctionScopeIndex() - 1};
    }
    /// The place plus a constant, unless that is large.
    static std::optional<ShiftedPlace> small(ShiftedPlace place, std::int64_t shift) {
        constexpr std::int64_t most = std::int64_t{1} << 20;
        if (shift < -most || shift > most) return std::nullopt;
        place.shift += shift;
        return place;
    }

    /// Of `coordinate < edge`, where this is 0 or the extent of a view, plus a constant.
    void add(SourceRange range, const ShiftedPlace& coordinate, BinaryOperatorKind operation,
             const ShiftedPlace& edge) {
        const bool isLower = edge.of == ShiftedPlace::Of::Nothing;
        const bool isBefore = operation == BO_LT || operation == BO_LE || operation == (isLower ? BO_EQ : BO_NE);
        const bool isBehind = operation == BO_LE || operation == BO_GT || (isLower && operation == BO_EQ) ||
                              (isLower && operation == BO_NE);
        // The first coordinate for which the condition has another value than for the one before.
        const std::int64_t change = edge.shift - coordinate.shift + (isBehind ? 1 : 0);
        if (change < -widestEdge || change > widestEdge) return;
        found.conditions.push_back({range, isLower ? !isBefore : isBefore});
        if (isLower) {
            std::uint32_t& begin = found.begins[coordinate.axis];
            begin = std::max(begin, static_cast<std::uint32_t>(std::max<std::int64_t>(change, 0)));
            return;
        }
        const InnerEnd end{coordinate.axis, edge.parameter, edge.axis,
                           static_cast<std::uint32_t>(std::max<std::int64_t>(-change, 0))};
        if (!llvm::is_contained(found.ends, end)) found.ends.push_back(end);
    }

    const FunctionDecl& body_;
    const ASTContext& context_;
    Mentions mentions_;
    Parents parents_;
    IndexAxes axes_;
};

}  // namespace

EdgeConditions edgeConditions(const FunctionDecl& body) { return EdgeVisitor(body).found; }

}  // namespace foldwise
