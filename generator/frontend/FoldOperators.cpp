// generator/frontend/FoldOperators.cpp: patterns of expressions over two parameters.
#include "FoldOperators.hpp"

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
class Parameters {
  public:
    explicit Parameters(const FunctionDecl& combine)
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

FoldOperator ofBinary(const BinaryOperator& e, const Parameters& parameters) {
    if (!parameters.are(e.getLHS(), e.getRHS())) return FoldOperator::Other;
    switch (e.getOpcode()) {
    case BO_Add:
        return FoldOperator::Sum;
    case BO_Mul:
        return FoldOperator::Product;
    case BO_And:
        return FoldOperator::BitAnd;
    case BO_Or:
        return FoldOperator::BitOr;
    case BO_Xor:
        return FoldOperator::BitXor;
    case BO_LAnd:
        return FoldOperator::LogicalAnd;
    case BO_LOr:
        return FoldOperator::LogicalOr;
    default:
        return FoldOperator::Other;
    }
}

/// `a < b ? b : a` and the like.
FoldOperator ofChoice(const Expr& condition, const Expr& ifTrue, const Expr& ifFalse, const Parameters& parameters) {
    const auto* comparison = dyn_cast<BinaryOperator>(plain(&condition));
    if (!comparison || !comparison->isRelationalOp()) return FoldOperator::Other;
    if (!parameters.are(comparison->getLHS(), comparison->getRHS()) || !parameters.are(&ifTrue, &ifFalse))
        return FoldOperator::Other;
    const bool leftIsLess = comparison->getOpcode() == BO_LT || comparison->getOpcode() == BO_LE;
    const Expr* lesser = leftIsLess ? comparison->getLHS() : comparison->getRHS();
    return Parameters::named(&ifTrue) == Parameters::named(lesser) ? FoldOperator::Minimum : FoldOperator::Maximum;
}

FoldOperator ofFunctionNamed(llvm::StringRef name) {
    return llvm::StringSwitch<FoldOperator>(name)
        .Cases({"min", "fmin", "fminf"}, FoldOperator::Minimum)
        .Cases({"max", "fmax", "fmaxf"}, FoldOperator::Maximum)
        .Default(FoldOperator::Other);
}

FoldOperator ofObjectNamed(llvm::StringRef name) {
    return llvm::StringSwitch<FoldOperator>(name)
        .Case("plus", FoldOperator::Sum)
        .Case("multiplies", FoldOperator::Product)
        .Case("bit_and", FoldOperator::BitAnd)
        .Case("bit_or", FoldOperator::BitOr)
        .Case("bit_xor", FoldOperator::BitXor)
        .Case("logical_and", FoldOperator::LogicalAnd)
        .Case("logical_or", FoldOperator::LogicalOr)
        .Default(FoldOperator::Other);
}

/// Of the standard library's: std::max, fmax, the call operator of std::plus<>.
FoldOperator ofFunction(const FunctionDecl& function) {
    if (const auto* method = dyn_cast<CXXMethodDecl>(&function)) {
        const CXXRecordDecl& object = *method->getParent();
        const bool isStandard = object.isInStdNamespace() && object.getIdentifier();
        return isStandard ? ofObjectNamed(object.getName()) : FoldOperator::Other;
    }
    const bool isStandard = function.isInStdNamespace() || function.isExternC();
    return isStandard && function.getIdentifier() ? ofFunctionNamed(function.getName()) : FoldOperator::Other;
}

/// std::max(a, b), std::plus<>()(a, b).
FoldOperator ofCall(const CallExpr& e, const Parameters& parameters) {
    const FunctionDecl* callee = e.getDirectCallee();
    if (!callee) return FoldOperator::Other;
    const unsigned first = isa<CXXMethodDecl>(callee) ? 1 : 0;  // behind the object
    if (e.getNumArgs() != first + 2 || !parameters.are(e.getArg(first), e.getArg(first + 1)))
        return FoldOperator::Other;
    return ofFunction(*callee);
}

FoldOperator ofExpression(const Expr& e, const Parameters& parameters) {
    const Expr* bare = plain(&e);
    if (const auto* cast = dyn_cast<ExplicitCastExpr>(bare))
        return parameters.haveType(cast->getType()) ? ofExpression(*cast->getSubExpr(), parameters)
                                                    : FoldOperator::Other;
    if (const auto* binary = dyn_cast<BinaryOperator>(bare)) return ofBinary(*binary, parameters);
    if (const auto* choice = dyn_cast<ConditionalOperator>(bare))
        return ofChoice(*choice->getCond(), *choice->getTrueExpr(), *choice->getFalseExpr(), parameters);
    if (const auto* call = dyn_cast<CallExpr>(bare)) return ofCall(*call, parameters);
    return FoldOperator::Other;
}

/// What a statement returns, if it is nothing but a return.
const Expr* returned(const Stmt* statement) {
    if (const auto* block = dyn_cast_or_null<CompoundStmt>(statement); block && block->size() == 1)
        statement = block->body_front();
    const auto* result = dyn_cast_or_null<ReturnStmt>(statement);
    return result ? result->getRetValue() : nullptr;
}

}  // namespace

FoldOperator operatorOf(const FunctionDecl& combine) {
    if (combine.getNumParams() != 2) return FoldOperator::Other;
    for (const ParmVarDecl* parameter : combine.parameters()) {
        if (!isNumber(parameter->getType())) return FoldOperator::Other;
        // What cuts off fractions after each step is no sum.
        if (combine.getReturnType()->isIntegerType() && !parameter->getType().getNonReferenceType()->isIntegerType())
            return FoldOperator::Other;
    }
    if (const FoldOperator own = ofFunction(combine); own != FoldOperator::Other) return own;
    const Parameters parameters(combine);
    if (const Expr* result = returned(combine.getBody())) return ofExpression(*result, parameters);

    // if (a < b) return b; return a;
    const auto* block = dyn_cast_or_null<CompoundStmt>(combine.getBody());
    const auto* choice = block && !block->body_empty() ? dyn_cast<IfStmt>(block->body_front()) : nullptr;
    if (!choice || choice->isConstexpr() || choice->getInit() || choice->getConditionVariable())
        return FoldOperator::Other;
    const bool hasElse = choice->getElse() != nullptr;
    if (block->size() != (hasElse ? 1u : 2u)) return FoldOperator::Other;
    const Expr* ifTrue = returned(choice->getThen());
    const Expr* ifFalse = returned(hasElse ? choice->getElse() : block->body_back());
    if (!ifTrue || !ifFalse) return FoldOperator::Other;
    return ofChoice(*choice->getCond(), *ifTrue, *ifFalse, parameters);
}

}  // namespace foldwise
