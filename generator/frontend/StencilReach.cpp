// generator/frontend/StencilReach.cpp: computes the range of each offset by interval arithmetic.
#include "StencilReach.hpp"

#include "Loops.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include <algorithm>
#include <limits>

namespace foldwise {

using namespace clang;

namespace {

/// What is known of a function's variables: values of the integers, and which array each around is.
struct Known {
    llvm::DenseMap<const VarDecl*, Interval> numbers;
    llvm::DenseMap<const VarDecl*, std::string> arrays;
};

class OffsetFinder : public DynamicRecursiveASTVisitor {
  public:
    OffsetFinder(const FunctionDecl& function, Known known, StencilOffsets& found,
                 llvm::SmallVectorImpl<const FunctionDecl*>& callers)
        : context_(function.getASTContext()), known_(std::move(known)), found_(found), callers_(callers),
          changes_(*function.getBody(), context_) {
        callers_.push_back(&function);
    }
    ~OffsetFinder() override { callers_.pop_back(); }

    bool TraverseForStmt(ForStmt* loop) override {
        const std::optional<Counted> counted = countedBy(*loop);
        if (counted) known_.numbers[counted->counter] = counted->values;
        return DynamicRecursiveASTVisitor::TraverseForStmt(loop);
    }

    bool TraverseCXXOperatorCallExpr(CXXOperatorCallExpr* call) override {
        const std::string* array = call->getNumArgs() > 0 ? arrayIn(*call->getArg(0)) : nullptr;
        const bool isCall = call->getOperator() == OO_Call, isSubscript = call->getOperator() == OO_Subscript;
        if (!array || (!isCall && !isSubscript)) return DynamicRecursiveASTVisitor::TraverseCXXOperatorCallExpr(call);
        llvm::SmallVector<const Expr*, 4> offsets;
        for (unsigned i = 1; i < call->getNumArgs(); ++i) offsets.push_back(call->getArg(i));
        if (isSubscript) offsets = coordinatesIn(*call->getArg(1));
        const std::uint32_t rank = rankOf(call->getArg(0)->getType());
        std::uint64_t reads = 1;
        FixedLook look{*array, {}};
        for (std::uint32_t axis = 0; axis < rank; ++axis) {
            const Expr* offset = axis < offsets.size() ? offsets[axis] : nullptr;
            Offset one{offset ? offset->getExprLoc() : call->getExprLoc(), *array, axis, std::nullopt};
            if (offset) one.values = valuesOf(*offset);
            if (one.values) reads *= static_cast<std::uint64_t>(one.values->high - one.values->low + 1);
            reads = std::min<std::uint64_t>(reads, furthest);
            if (one.values && one.values->isFixed) look.along.push_back(*one.values);
            found_.offsets.push_back(std::move(one));
        }
        found_.reads = std::min<std::uint64_t>(found_.reads + reads, furthest);
        if (look.along.size() == rank)
            found_.looks.push_back(std::move(look));
        else
            found_.areFixed = false;
        for (unsigned i = 1; i < call->getNumArgs(); ++i) TraverseStmt(call->getArg(i));
        return true;
    }

    bool TraverseCallExpr(CallExpr* call) override {
        const FunctionDecl* callee = call->getDirectCallee();
        const FunctionDecl* definition = nullptr;
        const bool canFollow = callee && callee->isDefined(definition) && definition->getBody() &&
                               !llvm::is_contained(callers_, definition) &&
                               definition->getNumParams() >= call->getNumArgs();
        Known own;
        for (unsigned i = 0; i < call->getNumArgs(); ++i) {
            const Expr& argument = *call->getArg(i);
            const std::string* array = arrayIn(argument);
            if (array && !canFollow) lose(argument, *array);
            if (!canFollow) continue;
            const ParmVarDecl* parameter = definition->getParamDecl(i);
            if (array)
                own.arrays[parameter] = *array;
            else if (const std::optional<Interval> values = valuesOf(argument))
                own.numbers[parameter] = *values;
            if (!array) TraverseStmt(const_cast<Expr*>(&argument));
        }
        if (canFollow && !own.arrays.empty()) {
            OffsetFinder inner(*definition, std::move(own), found_, callers_);
            inner.TraverseStmt(definition->getBody());
        } else if (!canFollow) {
            for (Expr* argument : call->arguments())
                if (!arrayIn(*argument)) TraverseStmt(argument);
        }
        return true;
    }

    bool VisitDeclRefExpr(DeclRefExpr* reference) override {
        if (const std::string* array = arrayIn(*reference)) lose(*reference, *array);
        return true;
    }

  private:
    struct Counted {
        const VarDecl* counter;
        Interval values;
    };

    void lose(const Expr& at, const std::string& array) {
        found_.areFixed = false;
        if (found_.lost.isValid()) return;
        found_.lost = at.getExprLoc();
        found_.lostArray = array;
    }

    /// The array that an expression names, if it is no more than that, or a copy of it.
    const std::string* arrayIn(const Expr& expression) const {
        const Expr* e = expression.IgnoreImplicit()->IgnoreParenImpCasts();
        if (const auto* copy = dyn_cast<CXXConstructExpr>(e);
            copy && copy->getNumArgs() == 1 && isAround(copy->getType()))
            e = copy->getArg(0)->IgnoreImplicit()->IgnoreParenImpCasts();
        const auto* reference = dyn_cast<DeclRefExpr>(e);
        const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
        const auto found = known_.arrays.find(variable);
        return variable && found != known_.arrays.end() ? &found->second : nullptr;
    }

    static std::uint32_t rankOf(QualType type) {
        const auto* record = cast<ClassTemplateSpecializationDecl>(type.getNonReferenceType()->getAsCXXRecordDecl());
        return static_cast<std::uint32_t>(record->getTemplateArgs()[1].getAsIntegral().getZExtValue());
    }

    /// What a foldwise::index is made of where it is subscribed with. Empty if that is not seen.
    static llvm::SmallVector<const Expr*, 4> coordinatesIn(const Expr& subscript) {
        const Expr* e = subscript.IgnoreImplicit()->IgnoreParenImpCasts();
        while (const auto* cast = dyn_cast<CastExpr>(e))
            e = cast->getSubExpr()->IgnoreImplicit()->IgnoreParenImpCasts();
        if (e->getType()->isIntegerType()) return {e};
        const auto* made = dyn_cast<CXXConstructExpr>(e);
        if (!made || made->getNumArgs() == 0) return {};
        if (made->getNumArgs() == 1 && !made->getArg(0)->IgnoreParenImpCasts()->getType()->isIntegerType())
            return coordinatesIn(*made->getArg(0));
        return {made->arg_begin(), made->arg_end()};
    }

    /// The counter of `for (int i = a; i < b; i += c)` and its values, of which `a` and `b` are known to be bounded.
    std::optional<Counted> countedBy(const ForStmt& loop) const {
        const auto* begin = dyn_cast_or_null<DeclStmt>(loop.getInit());
        const auto* test = dyn_cast_or_null<BinaryOperator>(loop.getCond() ? loop.getCond()->IgnoreParens() : nullptr);
        const auto* counter = begin && begin->isSingleDecl() ? dyn_cast<VarDecl>(begin->getSingleDecl()) : nullptr;
        if (!counter || !counter->getInit() || !test || !test->isComparisonOp() || !loop.getInc()) return std::nullopt;
        if (variableIn(*test->getLHS()) != counter || !Changes(*loop.getBody(), context_).of(*counter).empty())
            return std::nullopt;
        const int direction = directionOf(*loop.getInc(), *counter);
        const std::optional<Interval> first = valuesOf(*counter->getInit()), bound = valuesOf(*test->getRHS());
        if (!first || !bound) return std::nullopt;
        const bool isFixed = first->isFixed && bound->isFixed;
        const BinaryOperatorKind op = test->getOpcode();
        if (direction == 1 && (op == BO_LT || op == BO_LE || op == BO_NE))
            return Counted{counter, {first->low, std::max(first->low, bound->high - (op == BO_LE ? 0 : 1)), isFixed}};
        if (direction == -1 && (op == BO_GT || op == BO_GE || op == BO_NE))
            return Counted{counter, {std::min(first->high, bound->low + (op == BO_GE ? 0 : 1)), first->high, isFixed}};
        return std::nullopt;
    }

    /// 1 or -1 for a step up or down, 0 if it is neither.
    int directionOf(const Expr& increment, const VarDecl& counter) const {
        const Expr* e = increment.IgnoreParenImpCasts();
        if (const auto* step = dyn_cast<UnaryOperator>(e); step && step->isIncrementDecrementOp())
            return variableIn(*step->getSubExpr()) == &counter ? (step->isIncrementOp() ? 1 : -1) : 0;
        const auto* step = dyn_cast<CompoundAssignOperator>(e);
        if (!step || variableIn(*step->getLHS()) != &counter) return 0;
        const std::optional<Interval> by = valuesOf(*step->getRHS());
        const int sign = !by ? 0 : by->low > 0 ? 1 : by->high < 0 ? -1 : 0;
        return step->getOpcode() == BO_AddAssign ? sign : step->getOpcode() == BO_SubAssign ? -sign : 0;
    }

    /// What an integer can be. Nothing if that is not seen to be bounded by constants.
    std::optional<Interval> valuesOf(const Expr& expression) const {
        const auto ofVariable = [this](const VarDecl& variable, const Intervals& all) {
            return valuesOf(variable, all);
        };
        return Intervals(context_, Intervals::Types::Ignore, ofVariable).of(expression);
    }

    /// The values of a loop's counter, a parameter, or a variable that keeps its first value; nothing for others.
    std::optional<Interval> valuesOf(const VarDecl& variable, const Intervals& all) const {
        if (const auto found = known_.numbers.find(&variable); found != known_.numbers.end())
            return isa<ParmVarDecl>(variable) && !changes_.of(variable).empty() ? std::nullopt
                                                                                : std::optional(found->second);
        const bool keeps = variable.isLocalVarDecl() && changes_.of(variable).empty() && variable.getInit();
        return keeps ? all.of(*variable.getInit()) : std::nullopt;
    }

    ASTContext& context_;
    Known known_;
    StencilOffsets& found_;
    llvm::SmallVectorImpl<const FunctionDecl*>& callers_;  // those on the way here, itself among them
    const Changes changes_;
};

}  // namespace

bool isAround(QualType type) {
    const CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
    return record && record->getQualifiedNameAsString() == "foldwise::around";
}

StencilOffsets stencilOffsets(const FunctionDecl& body) {
    StencilOffsets found;
    const FunctionDecl* definition = nullptr;
    if (!body.isDefined(definition) || !definition->getBody()) return found;
    Known known;
    for (const ParmVarDecl* parameter : definition->parameters())
        if (isAround(parameter->getType())) known.arrays[parameter] = parameter->getNameAsString();
    llvm::SmallVector<const FunctionDecl*, 8> callers;
    OffsetFinder(*definition, std::move(known), found, callers).TraverseStmt(definition->getBody());
    return found;
}

}  // namespace foldwise
