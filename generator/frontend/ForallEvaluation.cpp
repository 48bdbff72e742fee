// generator/frontend/ForallEvaluation.cpp: evaluates the expressions in a forall kernel's body for one task or another.
#include "ForallValues.hpp"

#include "Lowering.hpp"
#include "Vocabulary.hpp"

#include <foldwise/detail/limits.hpp>

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <optional>

namespace foldwise {

using namespace clang;

namespace {

using Kind = ForallValue::Kind;

/// A number converted to an integer type, modulo a power of two; unchanged if the type is no integer type.
std::int64_t wrapped(std::int64_t number, QualType type, const ASTContext& context) {
    if (!type->isIntegralOrEnumerationType()) return number;
    if (type->isBooleanType()) return number != 0;
    const unsigned bits = context.getIntWidth(type);
    if (bits >= 64) return number;
    const auto low = static_cast<std::uint64_t>(number) << (64 - bits);
    return type->isSignedIntegerOrEnumerationType() ? static_cast<std::int64_t>(low) >> (64 - bits)
                                                    : static_cast<std::int64_t>(low >> (64 - bits));
}

/// The result of an operator on integers; nothing if it overflows, is undefined, or is not computed here.
std::optional<std::int64_t> computed(BinaryOperatorKind operation, std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    switch (operation) {
    case BO_Add:
        return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case BO_Sub:
        return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case BO_Mul:
        return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case BO_Div:
        return b == 0 || b == -1 ? std::nullopt : std::optional(a / b);
    case BO_Rem:
        return b == 0 || b == -1 ? std::nullopt : std::optional(a % b);
    case BO_Shl:
        return b < 0 || b > 40 || a < 0 || a >> 20 != 0 ? std::nullopt : std::optional(a << b);
    case BO_Shr:
        return b < 0 || b > 63 ? std::nullopt : std::optional(a >> b);
    case BO_And:
        return a & b;
    case BO_Or:
        return a | b;
    case BO_Xor:
        return a ^ b;
    case BO_LT:
        return a < b;
    case BO_GT:
        return a > b;
    case BO_LE:
        return a <= b;
    case BO_GE:
        return a >= b;
    case BO_EQ:
        return a == b;
    case BO_NE:
        return a != b;
    case BO_LAnd:
        return a != 0 && b != 0;
    case BO_LOr:
        return a != 0 || b != 0;
    default:
        return std::nullopt;
    }
}

}  // namespace

/// The evaluation of an expression for one task. Its functions return what is known of an expression of their kind.
class ForallValues::Evaluation {
  public:
    Evaluation(const ForallValues& values, const BlockValues& blockValues, const ForallSetting& setting,
               Assumptions* assumptions)
        : values_(values), blockValues_(blockValues), context_(values.body_.getASTContext()), setting_(setting),
          assumptions_(assumptions) {}

    ForallValue of(const Expr& expression) {
        if (++depth_ > 200) return {};  // deeper than coordinates that users write
        const ForallValue value = compute(ignoreNoOps(expression));
        --depth_;
        return value;
    }

  private:
    static ForallValue number(std::int64_t value, bool usesTask = false, bool usesTurn = false) {
        return {Kind::Number, value, usesTask, usesTurn};
    }
    /// The task's coordinate along an axis of the index, behind so many blocks; unknown if there is no such axis or the
    /// body changes the index.
    ForallValue coordinate(std::int64_t axis, std::int64_t blocksBefore = 0) const {
        if (axis < 0 || axis >= values_.axes_ || !values_.isOnlyRead(values_.index_)) return {};
        const auto at = static_cast<std::size_t>(axis);
        return number(setting_.task[at] + (blocksBefore == 0 ? 0 : blocksBefore * values_.items_[at]), true);
    }

    /// The assumed value of an expression that has the same value in all tasks. These values are 2 in the first trial,
    /// large and different in the second, 2^20 - 1 in the third, and small primes in the fourth. In a phase the large
    /// ones are further apart than a block has items, all of which are looked at: `s[from + t]` is none of `s[to + t]`.
    ForallValue common(const Expr& e) {
        if (values_.isEnd_) return {};
        const std::string text = values_.text(e);
        std::int64_t sum = 0;
        for (char c : text) sum = (sum * 31 + c) & 0xfff;
        static constexpr std::int64_t small[] = {2, 3, 5, 7}, large[] = {1'000'003, 1'000'033, 1'000'037, 1'000'039};
        constexpr std::int64_t apart = 20'011;
        static_assert(apart > detail::max_block_items);
        const std::int64_t different = values_.block_ ? large[0] + apart * sum : large[sum % 4] + 2 * (sum / 4);
        const std::int64_t value = setting_.trial == 0   ? 2
                                   : setting_.trial == 1 ? different
                                   : setting_.trial == 2 ? (std::int64_t{1} << 20) - 1
                                                         : small[sum % 4];
        if (assumptions_) assumptions_->emplace(text, value);
        ForallValue assumed = number(value);
        assumed.isAssumed = true;
        return assumed;
    }

    /// Adds to `result` what another operand's value depends on.
    ForallValue combined(ForallValue result, const ForallValue& other) const {
        result.usesTask |= other.usesTask;
        result.usesTurn |= other.usesTurn;
        result.isAssumed |= other.isAssumed;
        if (!result.data) result.data = other.data;
        return result;
    }

    /// The value of an operation on `parts` that is not evaluated: only whether it comes from data.
    ForallValue ofParts(llvm::ArrayRef<const Expr*> parts) {
        ForallValue all = number(0);
        bool isData = false;
        for (const Expr* part : parts) {
            const ForallValue value = of(*part);
            if (value.kind == Kind::Unknown) return {};
            isData |= value.kind == Kind::Data;
            all = combined(all, value);
        }
        all.kind = isData ? Kind::Data : Kind::Unknown;
        return all;
    }

    ForallValue compute(const Expr& e) {
        if (e.isValueDependent() || e.isTypeDependent()) return {};
        if (e.getType()->isIntegralOrEnumerationType()) {
            Expr::EvalResult constant;
            if (e.isPRValue() && e.EvaluateAsInt(constant, context_))
                return number(constant.Val.getInt().getExtValue());
        } else if (e.getType()->isRealFloatingType() && e.isPRValue() && e.isEvaluatable(context_)) {
            return number(0);  // its value is not needed: coordinates are integers, and data are only compared with it
        }
        if (const auto* cast = dyn_cast<CastExpr>(&e)) return ofCast(*cast);
        if (const auto* reference = dyn_cast<DeclRefExpr>(&e)) return ofVariable(*reference);
        if (const auto* binary = dyn_cast<BinaryOperator>(&e)) return ofBinary(*binary);
        if (const auto* unary = dyn_cast<UnaryOperator>(&e)) return ofUnary(*unary);
        if (const auto* choice = dyn_cast<ConditionalOperator>(&e)) {
            const ForallValue condition = of(*choice->getCond());
            if (condition.kind == Kind::Number)
                return combined(of(condition.number ? *choice->getTrueExpr() : *choice->getFalseExpr()), condition);
            return ofParts({choice->getCond(), choice->getTrueExpr(), choice->getFalseExpr()});
        }
        if (const auto* made = dyn_cast<CXXConstructExpr>(&e))
            return made->getNumArgs() == 1 ? of(*made->getArg(0)) : ForallValue();
        if (const auto* member = dyn_cast<MemberExpr>(&e)) return ofMember(*member);
        if (const auto* call = dyn_cast<CXXOperatorCallExpr>(&e)) return ofOperator(*call);
        if (const auto* call = dyn_cast<CXXMemberCallExpr>(&e)) return ofMemberCall(*call);
        if (const auto* call = dyn_cast<CallExpr>(&e)) return ofCall(*call);
        if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(&e))
            return ofParts({subscript->getBase(), subscript->getIdx()});
        return {};
    }

    ForallValue ofCast(const CastExpr& cast) {
        ForallValue value = of(*cast.getSubExpr());
        switch (cast.getCastKind()) {
        case CK_IntegralCast:
        case CK_IntegralToBoolean:
            value.number = wrapped(value.number, cast.getType(), context_);
            return value;
        case CK_LValueToRValue:
        case CK_ConstructorConversion:
        case CK_UserDefinedConversion:
        case CK_ArrayToPointerDecay:
        case CK_IntegralToFloating:
        case CK_FloatingCast:
            return value;
        default:
            return value.kind == Kind::Data ? value : ForallValue();
        }
    }

    ForallValue ofVariable(const DeclRefExpr& reference) {
        const ValueDecl& declared = *reference.getDecl();
        if (&declared == &values_.index_) return values_.axes_ == 1 ? coordinate(0) : ForallValue();
        if (const auto* binding = dyn_cast<BindingDecl>(&declared)) return ofBinding(*binding);
        const auto* variable = dyn_cast<VarDecl>(&declared);
        if (!variable) return {};
        if (const auto turn = setting_.turns.find(variable); turn != setting_.turns.end())
            return number(turn->second, false, true);
        if (const auto known = blockValues_.find(variable); known != blockValues_.end()) {
            if (!known->second) return common(reference);
            if (assumptions_) assumptions_->emplace(values_.text(reference), *known->second);
            return number(*known->second);
        }
        if (changing_.contains(variable)) return number(0);  // a cycle: the other values that it is assigned decide
        if (variable->hasGlobalStorage()) return variable->getType().isConstQualified() ? number(0) : ForallValue();
        if (!values_.isOnlyRead(*variable)) return isOfBlock(*variable) ? common(reference) : ofChanged(*variable);
        if (isa<ParmVarDecl>(variable)) return common(reference);
        const ForallValue initial = variable->getInit() ? of(*variable->getInit()) : ForallValue();
        return initial.kind != Kind::Number && isOfBlock(*variable) ? common(reference) : initial;
    }
    /// Whether it is a number that belongs to the block in which the body is a phase, and so is the same for all items.
    bool isOfBlock(const VarDecl& variable) const {
        return values_.block_ && variable.getDeclContext() == values_.block_ &&
               !variable.getType()->isReferenceType() && variable.getType()->isIntegralOrEnumerationType();
    }
    /// The value of a variable that is assigned again, such as an upper limit if it is too large: only whether it comes
    /// from data.
    ForallValue ofChanged(const VarDecl& variable) {
        const auto assigned = values_.assignedTo(variable);
        if (!assigned || !variable.getInit() || !changing_.insert(&variable).second) return {};
        std::vector<const Expr*> parts{variable.getInit()};
        parts.insert(parts.end(), assigned->begin(), assigned->end());
        const ForallValue all = ofParts(parts);
        changing_.erase(&variable);
        return all;
    }
    ForallValue ofBinding(const BindingDecl& binding) {
        const auto* all = dyn_cast_or_null<DecompositionDecl>(binding.getDecomposedDecl());
        if (!all || !all->getInit()) return {};
        for (const BindingDecl* other : all->bindings())
            if (!values_.isOnlyRead(*other)) return {};
        const std::optional<std::int64_t> before = values_.blocksBeforeIndex(*all->getInit());
        if (!before) {
            const ForallValue whole = of(*all->getInit());
            return whole.kind == Kind::Data ? whole : ForallValue();
        }
        return coordinate(llvm::find(all->bindings(), &binding) - all->bindings().begin(), *before);
    }

    ForallValue ofBinary(const BinaryOperator& e) {
        if (e.isAssignmentOp() || e.isCommaOp()) return {};
        const ForallValue left = of(*e.getLHS()), right = of(*e.getRHS());
        if (values_.isEnd_ && e.isRelationalOp())
            if (const std::optional<ForallValue> isBefore = ofEndInValue(e, left, right)) return *isBefore;
        if (e.isLogicalOp()) {
            const bool deciding = e.getOpcode() == BO_LOr;
            for (const ForallValue& one : {left, right})
                if (one.kind == Kind::Number && (one.number != 0) == deciding) return one;
        }
        if (left.kind == Kind::Unknown || right.kind == Kind::Unknown) return {};
        ForallValue result = combined(left, right);
        result.kind = left.kind == Kind::Data || right.kind == Kind::Data ? Kind::Data : Kind::Number;
        if (!e.getLHS()->getType()->isIntegralOrEnumerationType() ||
            !e.getRHS()->getType()->isIntegralOrEnumerationType())
            // Floating-point values are not computed, since coordinates are integers, but data are followed through
            // them.
            return result.kind == Kind::Data || e.getType()->isRealFloatingType() ? result : ForallValue();
        const std::optional<std::int64_t> number = computed(e.getOpcode(), left.number, right.number);
        if (!number && result.kind == Kind::Number) return {};
        result.number = wrapped(number.value_or(0), e.getType(), context_);
        return result;
    }
    ForallValue ofUnary(const UnaryOperator& e) {
        if (!e.isArithmeticOp()) return {};
        ForallValue value = of(*e.getSubExpr());
        if (value.kind == Kind::Number && e.getType()->isRealFloatingType()) return value;
        if (value.kind == Kind::Number && !e.getSubExpr()->getType()->isIntegralOrEnumerationType()) return {};
        if (e.getOpcode() == UO_Minus)
            value.number = static_cast<std::int64_t>(-static_cast<std::uint64_t>(value.number));
        else if (e.getOpcode() == UO_Not)
            value.number = ~value.number;
        else if (e.getOpcode() == UO_LNot)
            value.number = value.number == 0;
        value.number = wrapped(value.number, e.getType(), context_);
        return value;
    }

    ForallValue ofMember(const MemberExpr& e) {
        if (!isa<FieldDecl>(e.getMemberDecl())) return {};
        const auto* reference = dyn_cast<DeclRefExpr>(&ignoreNoOps(*e.getBase()));
        if (reference && isa<ParmVarDecl>(reference->getDecl()))
            return values_.isOnlyRead(*reference->getDecl()) ? common(e) : ForallValue();
        const ForallValue base = of(*e.getBase());
        return base.kind == Kind::Data ? base : ForallValue();
    }

    ForallValue ofOperator(const CXXOperatorCallExpr& call) {
        if (const CXXOperatorCallExpr* element = values_.elementOf(call)) return ofElement(*element);
        const std::optional<std::int64_t> before =
            call.getOperator() == OO_Subscript ? values_.blocksBeforeIndex(*call.getArg(0)) : std::nullopt;
        if (!before) return {};
        const ForallValue axis = of(*call.getArg(1));
        return axis.kind == Kind::Number && !axis.usesTask ? coordinate(axis.number, *before) : ForallValue();
    }
    /// The value of a view's element: data, unless all tasks read the same element.
    ForallValue ofElement(const CXXOperatorCallExpr& element) {
        bool isCommon = true;
        for (unsigned i = 1; i < element.getNumArgs(); ++i) {
            const ForallValue place = of(*element.getArg(i));
            isCommon = isCommon && place.kind == Kind::Number && !place.usesTask && !place.usesTurn;
        }
        if (isCommon) return common(element);
        return {Kind::Data, 0, false, false, &element};
    }

    ForallValue ofMemberCall(const CXXMemberCallExpr& call) {
        const CXXMethodDecl* method = call.getMethodDecl();
        if (!method) return {};
        const Expr& object = *call.getImplicitObjectArgument();
        if (isa<CXXConversionDecl>(method)) return of(object);
        if (values_.isBlock(object)) return ofBlock(call, *method);
        if (isSharedArray(object.getType()) && method->getIdentifier())
            if (const std::optional<std::int64_t> extent = extentOf(object, method->getName(), call))
                return number(*extent);
        if (isView(object.getType()) && values_.isEnd_) return ofEnd(call, *method);
        if ((isView(object.getType()) || isSharedArray(object.getType())) && method->getIdentifier() &&
            (method->getName() == "extent" || method->getName() == "size" || method->getName() == "stride"))
            return common(call);
        if (isView(object.getType()) && method->getIdentifier() && method->getName() == "has")
            return values_.isInside_ ? number(1) : ofHas(call);
        return {};
    }
    /// Whether a view has an element: views are long, so that it has each but for those before its beginning.
    ForallValue ofHas(const CXXMemberCallExpr& call) {
        ForallValue all = number(1);
        for (const Expr* argument : call.arguments()) {
            const ForallValue place = of(*argument);
            if (place.kind == Kind::Unknown && !isIndex(argument->getType())) return {};
            if (place.kind == Kind::Number && place.number < 0) all.number = 0;
            if (place.kind == Kind::Data) all.kind = Kind::Data;
            all = combined(all, place);
        }
        return all;
    }
    /// The extent of a view that ends behind the block's first item, or whether it has an element.
    ForallValue ofEnd(const CXXMemberCallExpr& call, const CXXMethodDecl& method) {
        const ClassTemplateSpecializationDecl* view =
            vocabularyType(call.getImplicitObjectArgument()->getType(), "view");
        if (!method.getIdentifier() || view->getTemplateArgs()[1].getAsIntegral() != values_.axes_) return {};
        const auto end = [&](std::size_t axis) { return values_.blocksBefore_ * values_.items_[axis] + 1; };
        ForallValue result;
        if (method.getName() == "extent" && call.getNumArgs() == 1) {
            const ForallValue axis = of(*call.getArg(0));
            if (axis.kind != Kind::Number || axis.number < 0 || axis.number >= values_.axes_) return {};
            result = number(end(static_cast<std::size_t>(axis.number)));
        } else if (method.getName() == "size" && values_.axes_ == 1) {
            result = number(end(0));
        } else if (method.getName() == "has" && call.getNumArgs() == 1) {
            const std::vector<ForallValue> place = coordinatesOf(*call.getArg(0));
            if (place.size() != values_.axes_) return {};
            result = number(1);
            for (std::size_t axis = 0; axis < place.size(); ++axis) {
                if (place[axis].kind != Kind::Number) return {};
                result.number &= place[axis].number >= 0 && place[axis].number < end(axis);
                result = combined(result, place[axis]);
            }
        } else {
            return {};
        }
        result.isAssumed = true;
        return result;
    }
    /// The comparison of an item's place in the call's shape with a value, which is where views end; nothing for
    /// others.
    std::optional<ForallValue> ofEndInValue(const BinaryOperator& e, const ForallValue& left,
                                            const ForallValue& right) const {
        const auto isValue = [&](const Expr& side) {
            const auto* reference = dyn_cast<DeclRefExpr>(side.IgnoreParenImpCasts());
            const auto* value = reference ? dyn_cast<ParmVarDecl>(reference->getDecl()) : nullptr;
            return value && value->getDeclContext() == values_.block_ &&
                   value->getType()->isIntegralOrEnumerationType() && values_.isOnlyRead(*value);
        };
        const bool isFirst = isValue(*e.getRHS());
        const ForallValue& place = isFirst ? left : right;
        if (!(isFirst || isValue(*e.getLHS())) || place.kind != Kind::Number || !place.usesTask) return std::nullopt;
        for (unsigned axis = 0; axis < values_.axes_; ++axis) {
            const std::int64_t first = values_.blocksBefore_ * values_.items_[axis];
            if (place.number != first + setting_.task[axis]) continue;
            const std::int64_t end = first + 1;
            ForallValue result =
                number(*computed(e.getOpcode(), isFirst ? place.number : end, isFirst ? end : place.number),
                       /*usesTask=*/true);
            result.isAssumed = true;
            return result;
        }
        return std::nullopt;
    }
    /// The coordinates of an index: of an item's, or of one that is made from a number for each axis.
    std::vector<ForallValue> coordinatesOf(const Expr& index) {
        std::vector<ForallValue> all;
        if (const std::optional<std::int64_t> before = values_.blocksBeforeIndex(index)) {
            for (unsigned axis = 0; axis < values_.axes_; ++axis) all.push_back(coordinate(axis, *before));
        } else if (const auto* made = dyn_cast<CXXConstructExpr>(index.IgnoreUnlessSpelledInSource())) {
            for (const Expr* argument : made->arguments()) all.push_back(of(*argument));
        } else {
            all.push_back(of(index));
        }
        return all;
    }
    /// What a block says of itself.
    ForallValue ofBlock(const CXXMemberCallExpr& call, const CXXMethodDecl& method) {
        if (!method.getIdentifier() || call.getNumArgs() != 1) return {};
        if (method.getName() == "at") {
            ForallValue place = values_.axes_ == 1 ? of(*call.getArg(0)) : ForallValue();
            place.number += values_.blocksBefore_ * values_.items_.front();
            return place;
        }
        if (method.getName() == "number") return number(values_.blocksBefore_);
        const ForallValue axis = of(*call.getArg(0));
        const bool isKnown = axis.kind == Kind::Number && axis.number >= 0 && axis.number < values_.axes_;
        if (method.getName() == "origin" && values_.blocksBefore_ == 0) return number(0);
        if (!isKnown || (method.getName() != "extent" && method.getName() != "origin")) return {};
        const std::int64_t items = values_.items_[static_cast<std::size_t>(axis.number)];
        return number(method.getName() == "extent" ? items : values_.blocksBefore_ * items);
    }
    /// The extent or size of an array in shared memory, if that is a part of its type.
    std::optional<std::int64_t> extentOf(const Expr& array, llvm::StringRef asked, const CXXMemberCallExpr& call) {
        const ClassTemplateSpecializationDecl* type = vocabularyType(array.getType(), "shared_array");
        const auto extents = type->getTemplateArgs()[1].pack_elements();
        if (extents.empty() || (asked != "extent" && asked != "size")) return std::nullopt;
        const ForallValue axis = asked == "extent" && call.getNumArgs() == 1 ? of(*call.getArg(0)) : ForallValue();
        if (asked == "extent" && (axis.kind != Kind::Number || axis.isAssumed || axis.usesTask || axis.number < 0 ||
                                  axis.number >= static_cast<std::int64_t>(extents.size())))
            return std::nullopt;
        if (asked == "extent") return extents[static_cast<std::size_t>(axis.number)].getAsIntegral().getExtValue();
        std::int64_t size = 1;
        for (const TemplateArgument& extent : extents) size *= extent.getAsIntegral().getExtValue();
        return size;
    }
    /// The result of a function that can write to none of its arguments: data if an argument is.
    ForallValue ofCall(const CallExpr& call) {
        const FunctionDecl* function = call.getDirectCallee();
        if (!function) return {};
        for (const ParmVarDecl* parameter : function->parameters()) {
            const QualType type = parameter->getType();
            if (type->isPointerType() || isView(type) || isSharedArray(type) || isIndex(type) ||
                (type->isReferenceType() && !type->getPointeeType().isConstQualified()))
                return {};
        }
        const bool isStd = function->isInStdNamespace() && function->getIdentifier() && call.getNumArgs() == 2;
        if (isStd && (function->getName() == "min" || function->getName() == "max") &&
            call.getType().getNonReferenceType()->isIntegralOrEnumerationType()) {
            const ForallValue a = of(*call.getArg(0)), b = of(*call.getArg(1));
            if (a.kind == Kind::Number && b.kind == Kind::Number)
                return combined((a.number < b.number) == (function->getName() == "min") ? a : b,
                                (a.number < b.number) == (function->getName() == "min") ? b : a);
        }
        return ofParts(std::vector<const Expr*>(call.arg_begin(), call.arg_end()));
    }

    const ForallValues& values_;
    const BlockValues& blockValues_;
    const ASTContext& context_;
    const ForallSetting& setting_;
    Assumptions* assumptions_;
    unsigned depth_ = 0;
    llvm::SmallPtrSet<const VarDecl*, 4> changing_;  ///< The variables whose assigned values are being evaluated.
};

ForallValue ForallValues::of(const Expr& expression, const ForallSetting& setting, Assumptions* assumptions) const {
    return Evaluation(*this, blockValues_, setting, assumptions).of(expression);
}

std::optional<std::int64_t> ForallValues::knownBetween(const Expr& expression, const BlockValues& variables) const {
    const ForallValue value = Evaluation(*this, variables, {}, nullptr).of(expression);
    const bool isKnown = value.kind == Kind::Number && !value.isAssumed && !value.usesTask;
    return isKnown && expression.getType()->isIntegralOrEnumerationType() ? std::optional(value.number) : std::nullopt;
}

std::optional<std::int64_t> ForallValues::assigned(const Expr& assignment, const BlockValues& variables) const {
    const ASTContext& context = body_.getASTContext();
    if (const auto* step = dyn_cast<UnaryOperator>(&assignment)) {
        const std::optional<std::int64_t> before = knownBetween(*step->getSubExpr(), variables);
        const std::optional<std::int64_t> after =
            before ? computed(step->isIncrementOp() ? BO_Add : BO_Sub, *before, 1) : std::nullopt;
        return after ? std::optional(wrapped(*after, step->getType(), context)) : std::nullopt;
    }
    const auto& given = *cast<BinaryOperator>(&assignment);
    const std::optional<std::int64_t> right = knownBetween(*given.getRHS(), variables);
    if (given.getOpcode() == BO_Assign || !right) return right;
    const std::optional<std::int64_t> left = knownBetween(*given.getLHS(), variables);
    if (!left || !cast<CompoundAssignOperator>(given).getComputationResultType()->isIntegerType()) return std::nullopt;
    const std::optional<std::int64_t> result =
        computed(BinaryOperator::getOpForCompoundAssignment(given.getOpcode()), *left, *right);
    return result ? std::optional(wrapped(*result, given.getType(), context)) : std::nullopt;
}

}  // namespace foldwise
