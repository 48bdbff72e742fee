// generator/frontend/CombineOperators.cpp: matches expressions of two parameters.
#include "CombineOperators.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSwitch.h>

#include <array>

namespace foldwise {

using namespace clang;

namespace {

/// An expression without what the compiler or a conversion of the result adds to it.
const Expr* plain(const Expr* e) {
    for (;;) {
        const Expr* inner = e->IgnoreImplicit()->IgnoreParenImpCasts();
        if (const auto* conversion = dyn_cast<CXXMemberCallExpr>(inner);
            conversion && isa_and_nonnull<CXXConversionDecl>(conversion->getMethodDecl()))
            inner = conversion->getImplicitObjectArgument();
        else if (const auto* made = dyn_cast<CXXConstructExpr>(inner); made && made->getNumArgs() == 1)
            inner = made->getArg(0);
        if (inner == e) return e;
        e = inner;
    }
}

bool isNumber(QualType type) {
    type = type.getNonReferenceType();
    if (type->isArithmeticType()) return true;
    const CXXRecordDecl* record = type->getAsCXXRecordDecl();
    const std::string name = record ? record->getQualifiedNameAsString() : "";
    return name == "foldwise::half" || name == "foldwise::bfloat16";
}

/// A combine's parameters, told apart where they are used.
class TwoParameters {
  public:
    explicit TwoParameters(const FunctionDecl& combine)
        : first_(combine.getParamDecl(0)), second_(combine.getParamDecl(1)) {}

    /// Whether the two expressions are the two parameters, in either order.
    bool are(const Expr* a, const Expr* b) const {
        const ValueDecl *x = named(a), *y = named(b);
        return (x == first_ && y == second_) || (x == second_ && y == first_);
    }

    bool haveType(QualType type) const {
        const ASTContext& context = first_->getASTContext();
        return llvm::all_of(std::array{first_, second_}, [&](const ValueDecl* parameter) {
            return context.hasSameUnqualifiedType(parameter->getType().getNonReferenceType(), type);
        });
    }

    static const ValueDecl* named(const Expr* e) {
        const auto* reference = dyn_cast<DeclRefExpr>(plain(e));
        return reference ? reference->getDecl() : nullptr;
    }

  private:
    const ValueDecl* first_;
    const ValueDecl* second_;
};

CombineOperator ofBinary(const BinaryOperator& e, const TwoParameters& parameters) {
    if (!parameters.are(e.getLHS(), e.getRHS())) return CombineOperator::Other;
    switch (e.getOpcode()) {
    case BO_Add:
        return CombineOperator::Sum;
    case BO_Mul:
        return CombineOperator::Product;
    case BO_And:
        return CombineOperator::BitAnd;
    case BO_Or:
        return CombineOperator::BitOr;
    case BO_Xor:
        return CombineOperator::BitXor;
    case BO_LAnd:
        return CombineOperator::LogicalAnd;
    case BO_LOr:
        return CombineOperator::LogicalOr;
    default:
        return CombineOperator::Other;
    }
}

/// `a < b ? b : a` and the like.
CombineOperator ofChoice(const Expr& condition, const Expr& ifTrue, const Expr& ifFalse,
                         const TwoParameters& parameters) {
    const auto* comparison = dyn_cast<BinaryOperator>(plain(&condition));
    if (!comparison || !comparison->isRelationalOp()) return CombineOperator::Other;
    if (!parameters.are(comparison->getLHS(), comparison->getRHS()) || !parameters.are(&ifTrue, &ifFalse))
        return CombineOperator::Other;
    const bool leftIsLess = comparison->getOpcode() == BO_LT || comparison->getOpcode() == BO_LE;
    const Expr* lesser = leftIsLess ? comparison->getLHS() : comparison->getRHS();
    return TwoParameters::named(&ifTrue) == TwoParameters::named(lesser) ? CombineOperator::Minimum
                                                                         : CombineOperator::Maximum;
}

CombineOperator ofFunctionNamed(llvm::StringRef name) {
    return llvm::StringSwitch<CombineOperator>(name)
        .Cases({"min", "fmin", "fminf"}, CombineOperator::Minimum)
        .Cases({"max", "fmax", "fmaxf"}, CombineOperator::Maximum)
        .Default(CombineOperator::Other);
}

CombineOperator ofObjectNamed(llvm::StringRef name) {
    return llvm::StringSwitch<CombineOperator>(name)
        .Case("plus", CombineOperator::Sum)
        .Case("multiplies", CombineOperator::Product)
        .Case("bit_and", CombineOperator::BitAnd)
        .Case("bit_or", CombineOperator::BitOr)
        .Case("bit_xor", CombineOperator::BitXor)
        .Case("logical_and", CombineOperator::LogicalAnd)
        .Case("logical_or", CombineOperator::LogicalOr)
        .Default(CombineOperator::Other);
}

/// The operator that a function of the standard library computes: std::max, fmax, or std::plus<>'s call operator.
CombineOperator ofFunction(const FunctionDecl& function) {
    if (const auto* method = dyn_cast<CXXMethodDecl>(&function)) {
        const CXXRecordDecl& object = *method->getParent();
        const bool isStandard = object.isInStdNamespace() && object.getIdentifier();
        return isStandard ? ofObjectNamed(object.getName()) : CombineOperator::Other;
    }
    const bool isStandard = function.isInStdNamespace() || function.isExternC();
    return isStandard && function.getIdentifier() ? ofFunctionNamed(function.getName()) : CombineOperator::Other;
}

/// std::max(a, b), std::plus<>()(a, b).
CombineOperator ofCall(const CallExpr& e, const TwoParameters& parameters) {
    const FunctionDecl* callee = e.getDirectCallee();
    if (!callee) return CombineOperator::Other;
    const unsigned first = isa<CXXMethodDecl>(callee) ? 1 : 0;  // behind the object
    if (e.getNumArgs() != first + 2 || !parameters.are(e.getArg(first), e.getArg(first + 1)))
        return CombineOperator::Other;
    return ofFunction(*callee);
}

CombineOperator ofExpression(const Expr& e, const TwoParameters& parameters) {
    const Expr* bare = plain(&e);
    if (const auto* cast = dyn_cast<ExplicitCastExpr>(bare))
        return parameters.haveType(cast->getType()) ? ofExpression(*cast->getSubExpr(), parameters)
                                                    : CombineOperator::Other;
    if (const auto* binary = dyn_cast<BinaryOperator>(bare)) return ofBinary(*binary, parameters);
    if (const auto* choice = dyn_cast<ConditionalOperator>(bare))
        return ofChoice(*choice->getCond(), *choice->getTrueExpr(), *choice->getFalseExpr(), parameters);
    if (const auto* call = dyn_cast<CallExpr>(bare)) return ofCall(*call, parameters);
    return CombineOperator::Other;
}

/// What a statement returns, if it is nothing but a return.
const Expr* returned(const Stmt* statement) {
    if (const auto* block = dyn_cast_or_null<CompoundStmt>(statement); block && block->size() == 1)
        statement = block->body_front();
    const auto* result = dyn_cast_or_null<ReturnStmt>(statement);
    return result ? result->getRetValue() : nullptr;
}

}  // namespace

CombineOperator operatorOf(const FunctionDecl& combine) {
    if (combine.getNumParams() != 2) return CombineOperator::Other;
    for (const ParmVarDecl* parameter : combine.parameters()) {
        if (!isNumber(parameter->getType())) return CombineOperator::Other;
        // What cuts off fractions after each step is no sum.
        if (combine.getReturnType()->isIntegerType() && !parameter->getType().getNonReferenceType()->isIntegerType())
            return CombineOperator::Other;
    }
    if (const CombineOperator own = ofFunction(combine); own != CombineOperator::Other) return own;
    const TwoParameters parameters(combine);
    if (const Expr* result = returned(combine.getBody())) return ofExpression(*result, parameters);

    // if (a < b) return b; return a;
    const auto* block = dyn_cast_or_null<CompoundStmt>(combine.getBody());
    const auto* choice = block && !block->body_empty() ? dyn_cast<IfStmt>(block->body_front()) : nullptr;
    if (!choice || choice->isConstexpr() || choice->getInit() || choice->getConditionVariable())
        return CombineOperator::Other;
    const bool hasElse = choice->getElse() != nullptr;
    if (block->size() != (hasElse ? 1u : 2u)) return CombineOperator::Other;
    const Expr* ifTrue = returned(choice->getThen());
    const Expr* ifFalse = returned(hasElse ? choice->getElse() : block->body_back());
    if (!ifTrue || !ifFalse) return CombineOperator::Other;
    return ofChoice(*choice->getCond(), *ifTrue, *ifFalse, parameters);
}

}  // namespace foldwise
