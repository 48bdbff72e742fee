// generator/frontend/ShortCircuits.cpp: finds `||` and `&&` that may as well compute both operands. Of templates it
// looks at the instances, in each of which the same text may call operators of other types, the user's own among them.
#include "ShortCircuits.hpp"

#include "RunTimeVisitor.hpp"
#include "Spelling.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>

namespace foldwise {

using namespace clang;

namespace {

/// The most comparisons and other operations that a right operand may take, `!`, `&&` and `||` included: an estimate of
/// what costs less than a branch. `a == b && i < j` has three. No other limit has been measured.
constexpr int mostPureOperations = 6;

/// Whether a parameter, enumerator or variable certainly has a value wherever it is visible, so that reading it where
/// `||` or `&&` would not have read it is defined. Variables of namespaces and static ones are left out.
bool hasValue(const ValueDecl& declared) {
    if (isa<ParmVarDecl>(declared) || isa<EnumConstantDecl>(declared)) return true;
    const auto* variable = dyn_cast<VarDecl>(&declared);
    return variable && variable->isLocalVarDecl() && !variable->isStaticLocal() && variable->hasInit() &&
           !isa<CXXConstructExpr>(variable->getInit()->IgnoreImplicit());
}

/// Whether a call only tells what kind of floating-point number its argument is, such as a NaN.
bool isClassification(const CallExpr& call) {
    const FunctionDecl* const callee = call.getDirectCallee();
    return callee && callee->getIdentifier() && call.getNumArgs() == 1 &&
           llvm::is_contained({"isnan", "isinf", "isfinite", "signbit"}, callee->getName()) &&
           call.getArg(0)->getType()->isRealFloatingType();
}

/// Counts the operations by which an expression is computed from literals, parameters and variables that have values.
/// Each object is for one expression.
class PureOperations {
  public:
    /// Whether the expression may be computed in any order with others, and where the program would not have computed
    /// it: no operation can fail, has an effect, or reads memory by a pointer or a subscript.
    bool arePureOf(const Expr& expression) { return add(expression); }
    /// Whether, moreover, the operations are few enough to cost less than a branch.
    bool areFewAndPureOf(const Expr& expression) { return add(expression) && count_ <= mostPureOperations; }

  private:
    bool add(const Expr& outer) {
        const Expr& expression = *outer.IgnoreParens();
        if (isa<IntegerLiteral, FloatingLiteral, CXXBoolLiteralExpr, CharacterLiteral>(expression)) return true;
        if (const auto* substituted = dyn_cast<SubstNonTypeTemplateParmExpr>(&expression))
            return add(*substituted->getReplacement());
        if (const auto* name = dyn_cast<DeclRefExpr>(&expression)) return hasValue(*name->getDecl());
        if (const auto* member = dyn_cast<MemberExpr>(&expression))
            return !member->isArrow() && isa<FieldDecl>(member->getMemberDecl()) && add(*member->getBase());
        if (const auto* cast = dyn_cast<CastExpr>(&expression)) return addCast(*cast);
        if (const auto* unary = dyn_cast<UnaryOperator>(&expression)) return addUnary(*unary);
        if (const auto* binary = dyn_cast<BinaryOperator>(&expression)) return addBinary(*binary);
        if (const auto* call = dyn_cast<CallExpr>(&expression)) return addCall(*call);
        return false;
    }
    bool addCall(const CallExpr& call) {
        ++count_;
        if (isClassification(call)) return add(*call.getArg(0));
        if (const auto* conversion = dyn_cast<CXXMemberCallExpr>(&call))  // such as half's to float
            return isa_and_nonnull<CXXConversionDecl>(call.getCalleeDecl()) &&
                   firstName(*call.getDirectCallee()) == "foldwise" && add(*conversion->getImplicitObjectArgument());
        return false;
    }
    bool addCast(const CastExpr& cast) {
        switch (cast.getCastKind()) {
        case CK_LValueToRValue:
        case CK_NoOp:
        case CK_IntegralCast:
        case CK_IntegralToBoolean:
        case CK_IntegralToFloating:
        case CK_FloatingToBoolean:
        case CK_FloatingCast:
        case CK_UserDefinedConversion:
            return !cast.getType().isVolatileQualified() && !cast.getSubExpr()->getType().isVolatileQualified() &&
                   add(*cast.getSubExpr());
        default:
            return false;
        }
    }
    bool addUnary(const UnaryOperator& unary) {
        ++count_;
        const bool isSafe = unary.getOpcode() == UO_LNot || unary.getOpcode() == UO_Plus ||
                            (unary.getOpcode() == UO_Minus && unary.getType()->isRealFloatingType());
        return isSafe && add(*unary.getSubExpr());
    }
    bool addBinary(const BinaryOperator& binary) {
        ++count_;
        const auto isNumber = [](const Expr* operand) {
            return operand->getType()->isArithmeticType() || operand->getType()->isEnumeralType();
        };
        const bool isSafe = binary.isComparisonOp() || binary.isLogicalOp() ||
                            (binary.isAdditiveOp() && binary.getType()->isRealFloatingType());
        return isSafe && isNumber(binary.getLHS()) && isNumber(binary.getRHS()) && add(*binary.getLHS()) &&
               add(*binary.getRHS());
    }

    int count_ = 0;
};

/// Collects the operators of what runs at run time, and of the instances of templates.
class ShortCircuitVisitor : public RunTimeVisitor {
  public:
    explicit ShortCircuitVisitor(const ASTContext& context) : RunTimeVisitor(context), context_(context) {
        ShouldVisitTemplateInstantiations = true;
    }

    /// The operators that are needless. An outer operator stands before those within it, which may begin where it does.
    std::vector<ShortCircuit> found() const {
        std::vector<ShortCircuit> result;
        for (const Noted& one : noted_)
            if (one.isNeedless) result.push_back({one.sign, one.bools});
        return result;
    }

    bool TraverseLambdaExpr(LambdaExpr* lambda) override {
        for (Expr* const initializer : lambda->capture_inits()) TraverseStmt(initializer);
        visitInstances(*lambda->getCallOperator());
        return true;
    }
    bool TraverseCXXRecordDecl(CXXRecordDecl* record) override {
        return DynamicRecursiveASTVisitor::TraverseCXXRecordDecl(record);
    }

    /// Visits a function's body, or the bodies of a template's instances.
    void visitInstances(const FunctionDecl& function) {
        if (const FunctionTemplateDecl* of = function.getDescribedFunctionTemplate())
            for (const FunctionDecl* instance : of->specializations()) TraverseStmt(instance->getBody());
        else
            TraverseStmt(function.getBody());
    }

    bool VisitBinaryOperator(BinaryOperator* binary) override {
        if (!binary->isLogicalOp()) return true;
        mayBeNumber(binary->getLHS());
        mayBeNumber(binary->getRHS());
        if (!binary->isTypeDependent() && !binary->isValueDependent())
            note(binary->getOperatorLoc(), isNeedless(*binary),
                 numbers_.contains(binary) ? SourceRange() : binary->getSourceRange());
        return true;
    }
    bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr* call) override {
        if (!call->isTypeDependent()) note(call->getOperatorLoc(), false, {});
        return true;
    }
    bool VisitUnaryOperator(UnaryOperator* unary) override {
        return unary->getOpcode() != UO_LNot || mayBeNumber(unary->getSubExpr());
    }
    bool VisitExplicitCastExpr(ExplicitCastExpr* cast) override {
        return !cast->getType()->isSpecificBuiltinType(BuiltinType::Bool) || mayBeNumber(cast->getSubExpr());
    }
    bool VisitConditionalOperator(ConditionalOperator* choice) override { return mayBeNumber(choice->getCond()); }
    bool VisitIfStmt(IfStmt* s) override { return mayBeNumber(s->getCond()); }
    bool VisitWhileStmt(WhileStmt* s) override { return mayBeNumber(s->getCond()); }
    bool VisitDoStmt(DoStmt* s) override { return mayBeNumber(s->getCond()); }
    bool VisitForStmt(ForStmt* s) override { return mayBeNumber(s->getCond()); }
    bool VisitVarDecl(VarDecl* variable) override {
        const bool isBool = variable->getType()->isSpecificBuiltinType(BuiltinType::Bool);
        const auto* written = variable->getTypeSourceInfo();
        return !isBool || !written || written->getType()->getContainedAutoType() ||
               variable->getInitStyle() != VarDecl::CInit || mayBeNumber(variable->getInit());
    }

  private:
    struct Noted {
        SourceLocation sign;
        bool isNeedless;  ///< In all instances that have been visited.
        SourceRange bools;
    };

    /// Notes what one instance says of an operator; an operator is needless only if it is so in every instance.
    void note(SourceLocation sign, bool isNeedless, SourceRange bools) {
        const auto known = llvm::find_if(noted_, [&](const Noted& one) { return one.sign == sign; });
        if (known == noted_.end()) {
            noted_.push_back({sign, isNeedless, bools});
            return;
        }
        known->isNeedless &= isNeedless;
        if (bools.isValid()) known->bools = bools;
    }

    /// Notes that an int does as well as a bool where this condition stands: it is converted to bool there. Returns
    /// true, so that the visit goes on.
    bool mayBeNumber(const Expr* condition) {
        if (condition) numbers_.insert(condition->IgnoreParenImpCasts());
        return true;
    }

    bool isNeedless(const BinaryOperator& binary) const {
        const SourceLocation location = binary.getOperatorLoc();
        if (location.isMacroID()) return false;
        const char sign = *context_.getSourceManager().getCharacterData(location);
        if (sign != '|' && sign != '&') return false;  // `or` and `and`
        const auto isBool = [](const Expr& operand) {
            return operand.IgnoreParenImpCasts()->getType()->isBooleanType();
        };
        const Expr &left = *binary.getLHS(), &right = *binary.getRHS();
        return isBool(left) && isBool(right) && isOneOperand(left) && isOneOperand(right) &&
               (!left.HasSideEffects(context_) || PureOperations().arePureOf(left)) &&
               PureOperations().areFewAndPureOf(right);
    }

    /// Whether an operand that is a bool, as it is written, is one of `|` and `&`, too, which bind tighter.
    bool isOneOperand(const Expr& operand) const {
        const Expr* const written = operand.IgnoreImplicit();
        if (const auto* binary = dyn_cast<BinaryOperator>(written); binary && binary->isLogicalOp())
            return isNeedless(*binary);
        const auto* call = dyn_cast<CXXOperatorCallExpr>(written);
        return !call || !call->isInfixBinaryOp() || call->isComparisonOp();
    }

    const ASTContext& context_;
    std::vector<Noted> noted_;
    llvm::SmallPtrSet<const Expr*, 16> numbers_;  ///< The conditions for which an int does.
};

}  // namespace

std::vector<ShortCircuit> needlessShortCircuits(const Decl& declaration, const ASTContext& context) {
    ShortCircuitVisitor visitor(context);
    visitor.TraverseDecl(const_cast<Decl*>(&declaration));
    return visitor.found();
}

std::vector<ShortCircuit> needlessShortCircuits(const Stmt& body, const ASTContext& context) {
    ShortCircuitVisitor visitor(context);
    visitor.TraverseStmt(const_cast<Stmt*>(&body));
    return visitor.found();
}

std::vector<ShortCircuit> needlessShortCircuitsInBody(const FunctionDecl& function) {
    ShortCircuitVisitor visitor(function.getASTContext());
    visitor.visitInstances(function);
    return visitor.found();
}

}  // namespace foldwise
