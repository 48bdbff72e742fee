// generator/frontend/CountOperations.cpp: walks over bodies and adds up their operations.
#include "CountOperations.hpp"

#include "BlockPhases.hpp"

#include "LoopTrips.hpp"
#include "Nesting.hpp"
#include "RunTimeVisitor.hpp"
#include "SystemCalls.hpp"
#include "Types.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/StringSwitch.h>

#include <map>
#include <utility>

namespace foldwise {

using namespace clang;

namespace {

/// What a function of <cmath> or <bit> costs, whatever its type.
enum class MathCost {
    Free,      ///< A change of sign, or nothing at all.
    Absolute,  ///< Free for floats.
    Bits,      ///< Works on the number's bits.
    Add,
    FusedMultiplyAdd,
    Compare,
    Round,
    Divide,
    Root,
    Function,  ///< A polynomial, or an approximation and its correction.
    CountBits,
};

}  // namespace

/// The cost of a function by its name in <cmath>, or by the part of a compiler built-in's name behind "__builtin_".
static std::optional<MathCost> mathCost(llvm::StringRef name) {
    return llvm::StringSwitch<std::optional<MathCost>>(name)
        .Cases({"fabs", "expect", "assume", "unreachable", "huge_val", "inf", "nan", "nans", "is_constant_evaluated",
                "bit_cast", "constant_p"},
               MathCost::Free)
        .Cases({"abs", "labs", "llabs"}, MathCost::Absolute)
        .Cases({"copysign", "signbit", "frexp", "ldexp", "scalbn", "scalbln", "ilogb", "logb", "nextafter", "modf",
                "bswap16", "bswap32", "bswap64", "fpclassify"},
               MathCost::Bits)
        .Cases({"fdim"}, MathCost::Add)
        .Cases({"fma"}, MathCost::FusedMultiplyAdd)
        .Cases({"fmin", "fmax", "isnan", "isinf", "isfinite", "isnormal", "isgreater", "isgreaterequal", "isless",
                "islessequal", "islessgreater", "isunordered"},
               MathCost::Compare)
        .Cases({"floor", "ceil", "trunc", "round", "rint", "nearbyint", "lrint", "llrint", "lround", "llround"},
               MathCost::Round)
        .Cases({"fmod", "remainder", "remquo"}, MathCost::Divide)
        .Cases({"sqrt", "cbrt", "hypot"}, MathCost::Root)
        .Cases(
            {"acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cos", "cosh", "erf", "erfc", "exp", "exp2"},
            MathCost::Function)
        .Cases({"exp10", "expm1", "j0",     "j1",   "jn",  "lgamma", "log",    "log10", "log1p", "log2", "pow",
                "powi",  "sin",   "sincos", "sinh", "tan", "tanh",   "tgamma", "y0",    "y1",    "yn"},
               MathCost::Function)
        .Cases({"clz", "ctz", "ffs", "popcount", "parity"}, MathCost::CountBits)
        .Default(std::nullopt);
}

/// The cost of a function that is declared in a library and takes numbers; nothing for a user's function of such a
/// name.
static std::optional<MathCost> mathCost(const FunctionDecl& function) {
    // std::move and its like, which Clang knows and gives no body.
    const QualType result = function.getReturnType();
    if (function.getBuiltinID() != 0 && (result->isReferenceType() || result->isPointerType())) return MathCost::Free;
    const bool takesNumbers = llvm::all_of(function.parameters(), [](const ParmVarDecl* parameter) {
        return parameter->getType().getNonReferenceType()->isScalarType();
    });
    if (!takesNumbers) return std::nullopt;
    const std::string plain = plainName(function);
    llvm::StringRef name = plain;
    const bool isLibrarys = name.consume_front("std::") || function.getBuiltinID() != 0 || function.isExternC();
    name.consume_front("__builtin_");
    if (!isLibrarys) return std::nullopt;
    if (const std::optional<MathCost> cost = mathCost(name)) return cost;
    for (llvm::StringRef suffix : {"f", "ll", "l"})
        if (name.ends_with(suffix))
            if (const std::optional<MathCost> cost = mathCost(name.drop_back(suffix.size()))) return cost;
    return std::nullopt;
}

/// On the device one instruction converts them; on the host, whose text stands in the header, many do.
static bool is16BitFloat(QualType type) {
    const CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
    return record && (plainName(*record) == "foldwise::half" || plainName(*record) == "foldwise::bfloat16");
}

/// What a conversion between numbers costs; nothing if none is needed.
static std::optional<Operation> conversion(QualType from, QualType to, const ASTContext& context) {
    if (context.hasSameUnqualifiedType(from, to)) return std::nullopt;
    const auto isNumber = [](QualType type) { return type->isArithmeticType() || is16BitFloat(type); };
    if (!isNumber(from) || !isNumber(to)) return std::nullopt;
    if (from->isIntegerType() && to->isIntegerType()) return std::nullopt;  // registers are wide enough, or a move
    const bool is64 = context.getTypeSize(from) > 32 || context.getTypeSize(to) > 32;
    return is64 ? Operation::Convert64 : Operation::Convert;
}

namespace {

/// What is counted of each function, once for all its calls.
class Counter {
  public:
    Counter(const ASTContext& context, llvm::function_ref<Place(SourceLocation)> placeOf)
        : context_(context), placeOf_(placeOf) {}

    Operations of(const FunctionDecl& function);

  private:
    class Walk;

    const ASTContext& context_;
    llvm::function_ref<Place(SourceLocation)> placeOf_;
    std::map<const FunctionDecl*, Operations> known_;
    std::vector<const FunctionDecl*> open_;  // those being counted, outermost first
    Nestings nestings_;
    unsigned depth_ = 0;  // of those being counted
};

/// Visits one body. What it finds goes to the operations on top: those of the body, or of one trip of a loop.
class Counter::Walk : public RunTimeVisitor {
  public:
    Walk(Counter& counter, Operations& found)
        : RunTimeVisitor(counter.context_), counter_(counter), context_(counter.context_), found_(&found) {}

    bool TraverseStmt(Stmt* s) override {
        const auto* e = dyn_cast_or_null<Expr>(s);
        return !s || (e && isConstant(*e)) || DynamicRecursiveASTVisitor::TraverseStmt(s);
    }

    bool TraverseIfStmt(IfStmt* s) override {
        const std::optional<bool> taken = constantCondition(s->getCond());
        if (!TraverseStmt(s->getInit()) || !TraverseStmt(s->getConditionVariableDeclStmt())) return false;
        if (!taken) return TraverseStmt(s->getCond()) && TraverseStmt(s->getThen()) && TraverseStmt(s->getElse());
        return TraverseStmt(*taken ? s->getThen() : s->getElse());
    }
    bool TraverseConditionalOperator(ConditionalOperator* e) override {
        if (const std::optional<bool> taken = constantCondition(e->getCond()))
            return TraverseStmt(*taken ? e->getTrueExpr() : e->getFalseExpr());
        return TraverseStmt(e->getCond()) && TraverseStmt(e->getTrueExpr()) && TraverseStmt(e->getFalseExpr());
    }
    bool TraverseForStmt(ForStmt* s) override {
        const std::optional<std::uint64_t> trips = tripsOf(*s, context_);
        if (trips) return loop(*s, trips, {s->getBody()});
        return TraverseStmt(s->getInit()) && loop(*s, trips, {s->getCond(), s->getInc(), s->getBody()});
    }
    bool TraverseCXXForRangeStmt(CXXForRangeStmt* s) override {
        const std::optional<std::uint64_t> trips = tripsOf(*s, context_);
        if (!TraverseStmt(s->getInit()) || !TraverseStmt(s->getRangeStmt())) return false;
        if (trips) return loop(*s, trips, {s->getLoopVarStmt(), s->getBody()});
        return loop(*s, trips, {s->getCond(), s->getInc(), s->getLoopVarStmt(), s->getBody()});
    }
    bool TraverseWhileStmt(WhileStmt* s) override { return loop(*s, std::nullopt, {s->getCond(), s->getBody()}); }
    bool TraverseDoStmt(DoStmt* s) override {
        if (constantCondition(s->getCond()) == false) return TraverseStmt(s->getBody());  // how macros are written
        return loop(*s, std::nullopt, {s->getBody(), s->getCond()});
    }

    bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr* e) override { return TraverseStmt(e->getExpr()); }
    bool VisitCXXDefaultInitExpr(CXXDefaultInitExpr* e) override { return TraverseStmt(e->getExpr()); }

    bool VisitBinaryOperator(BinaryOperator* e) override {
        BinaryOperatorKind operation = e->getOpcode();
        QualType type = e->getLHS()->getType();
        if (const auto* compound = dyn_cast<CompoundAssignOperator>(e)) {
            operation = BinaryOperator::getOpForCompoundAssignment(operation);
            convert(type, compound->getComputationLHSType());
            convert(compound->getComputationResultType(), type);
            type = compound->getComputationResultType();
        }
        count(operation, type, e->getRHS());
        return true;
    }
    bool VisitUnaryOperator(UnaryOperator* e) override {
        if (e->isIncrementDecrementOp())
            count(BO_Add, e->getType(), nullptr);
        else if ((e->getOpcode() == UO_Minus || e->getOpcode() == UO_Not) && e->getType()->isIntegerType())
            count(BO_Sub, e->getType(), nullptr);  // a float's sign costs nothing: instructions negate as they read
        return true;
    }
    bool VisitCastExpr(CastExpr* e) override {
        switch (e->getCastKind()) {
        case CK_IntegralToFloating:
        case CK_FloatingToIntegral:
        case CK_FloatingCast:
            convert(e->getSubExpr()->getType(), e->getType());
            break;
        case CK_FloatingToBoolean:
            count(BO_NE, e->getSubExpr()->getType(), nullptr);
            break;
        default:
            break;
        }
        return true;
    }
    bool VisitCallExpr(CallExpr* e) override {
        // What a block calls for each item.
        const auto* member = dyn_cast<CXXMemberCallExpr>(e);
        if (const FunctionDecl* step = member ? calledForItems(*member) : nullptr) call(*step);
        if (const FunctionDecl* callee = e->getDirectCallee()) call(*callee);
        return true;
    }
    bool VisitCXXConstructExpr(CXXConstructExpr* e) override {
        call(*e->getConstructor());
        return true;
    }

  private:
    /// Answers are kept: those for the terms of a long sum follow from each other, and computing each anew would take
    /// time with the square of their number.
    bool isConstant(const Expr& e) {
        if (!e.isPRValue() || e.isValueDependent() || !e.getType()->isArithmeticType()) return false;
        if (const auto known = constants_.find(&e); known != constants_.end()) return known->second;
        const bool is = computeIsConstant(e);
        constants_.try_emplace(&e, is);
        return is;
    }
    bool computeIsConstant(const Expr& e) {
        if (const auto* parentheses = dyn_cast<ParenExpr>(&e)) return isConstant(*parentheses->getSubExpr());
        if (const auto* cast = dyn_cast<CastExpr>(&e);
            cast && cast->getSubExpr()->isPRValue() && cast->getSubExpr()->getType()->isArithmeticType())
            return isConstant(*cast->getSubExpr());
        if (const auto* unary = dyn_cast<UnaryOperator>(&e); unary && unary->isArithmeticOp())
            return isConstant(*unary->getSubExpr());
        if (const auto* binary = dyn_cast<BinaryOperator>(&e);
            binary && (binary->isMultiplicativeOp() || binary->isAdditiveOp() || binary->isShiftOp() ||
                       binary->isBitwiseOp() || binary->isComparisonOp()))
            return isConstant(*binary->getLHS()) && isConstant(*binary->getRHS());
        Expr::EvalResult result;
        return e.EvaluateAsRValue(result, context_) && !result.HasSideEffects;
    }
    std::optional<bool> constantCondition(const Expr* condition) const {
        bool result = false;
        if (!condition || condition->isValueDependent() || !condition->EvaluateAsBooleanCondition(result, context_))
            return std::nullopt;
        return result;
    }

    /// Counts the operations of a loop: those of all trips or, if their number is not known, those of one trip as a
    /// Repetition.
    bool loop(const Stmt& s, std::optional<std::uint64_t> trips, llvm::ArrayRef<Stmt*> trip) {
        Operations each;
        Operations* outer = std::exchange(found_, &each);
        for (Stmt* part : trip) TraverseStmt(part);
        found_ = outer;
        if (trips)
            found_->add(each, *trips);
        else if (!each.empty())
            found_->add(Repetition{RepetitionKind::Loop, counter_.placeOf_(s.getBeginLoc()), 1, std::move(each)});
        return true;
    }

    void count(BinaryOperatorKind operation, QualType type, const Expr* right, std::uint64_t times = 1) {
        type = type.getNonReferenceType().getCanonicalType();
        if (const auto* complex = dyn_cast<ComplexType>(type))
            return countComplex(operation, complex->getElementType());
        if (type->isRealFloatingType())
            countFloating(operation, context_.getTypeSize(type) > 32, times);
        else if (type->isIntegralOrEnumerationType())
            countInteger(operation, context_.getTypeSize(type) > 32, right);
    }
    void countFloating(BinaryOperatorKind operation, bool isDouble, std::uint64_t times) {
        const auto add = [&](Operation single, Operation twice) { found_->add(isDouble ? twice : single, times); };
        if (BinaryOperator::isComparisonOp(operation))
            add(Operation::Float32Compare, Operation::Float64Compare);
        else if (operation == BO_Add || operation == BO_Sub)
            add(Operation::Float32Add, Operation::Float64Add);
        else if (operation == BO_Mul)
            add(Operation::Float32Multiply, Operation::Float64Multiply);
        else if (operation == BO_Div)
            add(Operation::Float32Divide, Operation::Float64Divide);
    }
    void countInteger(BinaryOperatorKind operation, bool is64, const Expr* right) {
        const Operation plain = is64 ? Operation::Integer64 : Operation::Integer;
        if (operation == BO_Div || operation == BO_Rem) {
            // By a constant: a multiplication and a shift.
            if (right && isConstant(*right)) return found_->add(plain, 2);
            found_->add(is64 ? Operation::Integer64Divide : Operation::IntegerDivide);
        } else if (BinaryOperator::isComparisonOp(operation) || BinaryOperator::isAdditiveOp(operation) ||
                   BinaryOperator::isShiftOp(operation) || BinaryOperator::isBitwiseOp(operation) ||
                   operation == BO_Mul) {
            found_->add(plain);
        }
    }
    /// By the formulas of the C standard's annex G for numbers that are finite.
    void countComplex(BinaryOperatorKind operation, QualType part) {
        const bool isDouble = context_.getTypeSize(part) > 32;
        switch (operation) {
        case BO_Mul:
            countFloating(BO_Mul, isDouble, 4);
            return countFloating(BO_Add, isDouble, 2);
        case BO_Div:
            countFloating(BO_Mul, isDouble, 6);
            countFloating(BO_Add, isDouble, 3);
            return countFloating(BO_Div, isDouble, 2);
        default:
            return countFloating(operation, isDouble, 2);
        }
    }
    void convert(QualType from, QualType to) {
        if (const std::optional<Operation> operation = conversion(from, to, context_)) found_->add(*operation);
    }

    /// Whether a function says where an element is: addresses are not counted.
    static bool isOfPlaces(const CXXMethodDecl& method) {
        const std::string type = method.getParent()->getQualifiedNameAsString();
        return llvm::is_contained({"foldwise::view", "foldwise::around", "foldwise::index", "foldwise::block",
                                   "foldwise::shared_array", "foldwise::own_variable"},
                                  type);
    }

    void call(const FunctionDecl& function) {
        if (function.isTrivial()) return;
        const auto* method = dyn_cast<CXXMethodDecl>(&function);
        if (method && isOfPlaces(*method)) return;
        if (method && is16BitFloat(context_.getCanonicalTagType(method->getParent())) &&
            isa<CXXConstructorDecl, CXXConversionDecl>(method))
            return found_->add(Operation::Convert);
        if (const std::optional<MathCost> cost = mathCost(function)) {
            countMath(*cost, function);
        } else if (const FunctionDecl* definition = definitionOf(function)) {
            callBody(*definition);
        } else if (!function.isDefaulted()) {  // the compiler's own moves
            found_->add(Operation::Call);
        }
    }
    void callBody(const FunctionDecl& definition) {
        if (llvm::is_contained(counter_.open_, &definition))
            found_->add(Repetition{RepetitionKind::Recursion, counter_.placeOf_(definition.getLocation()), 1, {}});
        else
            found_->add(counter_.of(definition));
    }
    /// The type that a function of <cmath> computes in.
    QualType computedIn(const FunctionDecl& function) const {
        const QualType result = function.getReturnType().getNonReferenceType();
        if (result->isRealFloatingType() || function.getNumParams() == 0) return result;
        return function.getParamDecl(0)->getType().getNonReferenceType();
    }
    void countMath(MathCost cost, const FunctionDecl& function) {
        const QualType type = computedIn(function);
        const bool is64 = context_.getTypeSize(type) > 32;
        const auto add = [&](Operation single, Operation twice) { found_->add(is64 ? twice : single); };
        switch (cost) {
        case MathCost::Free:
            return;
        case MathCost::Absolute:
            if (type->isIntegerType()) found_->add(is64 ? Operation::Integer64 : Operation::Integer);
            return;
        case MathCost::Bits:
            return add(Operation::Integer, Operation::Integer64);
        case MathCost::Add:
            return count(BO_Add, type, nullptr);
        case MathCost::FusedMultiplyAdd:
            count(BO_Mul, type, nullptr);
            return count(BO_Add, type, nullptr);
        case MathCost::Compare:
            return count(BO_LT, type, nullptr);
        case MathCost::Round:
            return add(Operation::Convert, Operation::Convert64);
        case MathCost::Divide:
            return add(Operation::Float32Divide, Operation::Float64Divide);
        case MathCost::Root:
            return add(Operation::Float32Root, Operation::Float64Root);
        case MathCost::Function:
            return add(Operation::Float32Function, Operation::Float64Function);
        case MathCost::CountBits:
            return found_->add(Operation::BitCount, is64 ? 2 : 1);
        }
    }

    Counter& counter_;
    const ASTContext& context_;
    Operations* found_;
    llvm::DenseMap<const Expr*, bool> constants_;
};

Operations Counter::of(const FunctionDecl& function) {
    if (const auto known = known_.find(&function); known != known_.end()) return known->second;
    const Descent descent(nestings_, function, depth_);
    if (!descent.hasRoom()) return {};  // the slicer says so
    open_.push_back(&function);
    Operations found;
    Walk(*this, found).visitBody(function);
    open_.pop_back();
    // One that calls itself through another is counted anew from elsewhere: here it is cut where it came from.
    if (open_.empty() || found.repeated.empty()) known_.try_emplace(&function, found);
    return found;
}

}  // namespace

Operations countConversions(QualType returned, QualType result, const ASTContext& context) {
    std::vector<QualType> from = outputTypes(returned), to = outputTypes(result);
    if (to.empty()) from = {returned}, to = {result};
    Operations found;
    for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i)
        if (const std::optional<Operation> operation =
                conversion(from[i].getNonReferenceType(), to[i].getNonReferenceType(), context))
            found.add(*operation);
    return found;
}

Operations countOperations(const FunctionDecl& body, llvm::function_ref<Place(SourceLocation)> placeOf) {
    return Counter(body.getASTContext(), placeOf).of(body);
}

}  // namespace foldwise
