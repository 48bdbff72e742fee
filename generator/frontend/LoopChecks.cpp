// generator/frontend/LoopChecks.cpp: looks for loops without a visible bound, for 64-bit divisions in loops, for arrays
// in local memory, because of their size or of an index that is not constant after unrolling, and for arrays of
// variable size.
#include "LoopChecks.hpp"

#include "Loops.hpp"
#include "RunTimeVisitor.hpp"
#include "Spelling.hpp"

#include <clang/AST/ExprCXX.h>

namespace foldwise {

using namespace clang;

/// A thread has at most 255 registers of 32 bits on every GPU since compute capability 3.5 ("Technical Specifications
/// per Compute Capability", CUDA C++ Programming Guide).
static constexpr std::int64_t bytesOfRegisters = 255 * 4;

/// The size of an array up to which an index becomes a choice among registers. It was found with nvcc 13.0 for sm_90,
/// as were the numbers in docs/diagnostics.md.
static constexpr std::int64_t bytesToChooseFrom = 4 * 4;

/// The local variable that an expression such as a, m.a or a[i] denotes, or denotes a part of; null if there is none.
static const VarDecl* localArray(const Expr& expression) {
    const Expr* e = expression.IgnoreParenImpCasts();
    if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(e)) return localArray(*subscript->getBase());
    if (const auto* member = dyn_cast<MemberExpr>(e))
        return member->isArrow() ? nullptr : localArray(*member->getBase());
    if (const auto* call = dyn_cast<CXXOperatorCallExpr>(e); call && call->getOperator() == OO_Subscript)
        return localArray(*call->getArg(0));
    const auto* reference = dyn_cast<DeclRefExpr>(e);
    const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    if (!variable || !variable->hasLocalStorage()) return nullptr;
    const QualType type = variable->getType();
    return type->isReferenceType() || type->isPointerType() ? nullptr : variable;
}

namespace {

/// Visits the body of one function and adds to `findings`.
class LoopChecks : public RunTimeVisitor {
  public:
    LoopChecks(const FunctionDecl& function, CallPath path, const ASTContext& context, std::vector<Finding>& findings)
        : RunTimeVisitor(context), isCalledInLoop_(path.isCalledInLoop), context_(context),
          unrolling_(function, path.isLambda, context), findings_(findings) {}

    bool VisitForStmt(ForStmt* s) override { return visitLoop(*s); }
    bool VisitWhileStmt(WhileStmt* s) override { return visitLoop(*s); }
    bool VisitDoStmt(DoStmt* s) override { return visitLoop(*s); }

    bool VisitBinaryOperator(BinaryOperator* e) override {
        switch (e->getOpcode()) {
        case BO_Div:
        case BO_Rem:
            return visitDivision(*e, e->getType());
        case BO_DivAssign:
        case BO_RemAssign:
            return visitDivision(*e, cast<CompoundAssignOperator>(e)->getComputationResultType());
        default:
            return true;
        }
    }

    bool VisitVarDecl(VarDecl* variable) override {
        const QualType type = variable->getType();
        if (!variable->hasLocalStorage() || type->isReferenceType() || type->isIncompleteType()) return true;
        if (type->isVariableArrayType()) {
            const std::string element = spelling(context_.getBaseElementType(type).getUnqualifiedType(), context_);
            findings_.push_back(
                {Message::VariableArray, variable->getLocation(), {variable->getNameAsString(), element}, {}, {}});
            return true;
        }
        const std::int64_t bytes = bytesOf(*variable);
        if (bytes > bytesOfRegisters)
            add(*variable, variable->getLocation(), {},
                "its " + std::to_string(bytes) + " bytes are more than a thread's registers hold");
        return true;
    }
    bool VisitArraySubscriptExpr(ArraySubscriptExpr* e) override { return visitIndex(*e->getBase(), *e->getIdx()); }
    bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr* e) override {
        const auto* method = dyn_cast_or_null<CXXMethodDecl>(e->getDirectCallee());
        const bool isArrays = e->getOperator() == OO_Subscript && method && method->getParent()->isInStdNamespace() &&
                              method->getParent()->getName() == "array";
        return !isArrays || visitIndex(*e->getArg(0), *e->getArg(1));
    }

  private:
    std::int64_t bytesOf(const VarDecl& variable) const {
        return context_.getTypeSizeInChars(variable.getType()).getQuantity();
    }
    bool visitLoop(const Stmt& loop) {
        if (!isCounted(loop, context_)) findings_.push_back({Message::UnboundedLoop, loop.getBeginLoc(), {}, {}, {}});
        return true;
    }
    bool visitDivision(const BinaryOperator& division, QualType type) {
        const bool isWide = type->isIntegerType() && context_.getTypeSize(type) >= 64;
        if (isWide && (isCalledInLoop_ || isInLoop()) && !unrolling_.makesConstant(*division.getRHS()))
            findings_.push_back({Message::WideDivision,
                                 division.getOperatorLoc(),
                                 {division.getOpcodeStr().str()},
                                 division.getSourceRange(),
                                 {}});
        return true;
    }
    bool visitIndex(const Expr& array, const Expr& index) {
        const VarDecl* variable = localArray(array);
        const bool isRepeated = isCalledInLoop_ || isInLoop();  // an index outside of loops is a choice, too
        if (variable && isRepeated && bytesOf(*variable) > bytesToChooseFrom && !unrolling_.makesConstant(index))
            add(*variable, index.getBeginLoc(), index.getSourceRange(), "this index is only known when the loop runs");
        return true;
    }
    void add(const VarDecl& variable, SourceLocation at, SourceRange range, std::string why) {
        if (!arrays_.insert(&variable).second) return;  // the first reason is enough
        findings_.push_back({Message::LocalArray, at, {variable.getNameAsString(), std::move(why)}, range, {}});
    }

    bool isCalledInLoop_;
    const ASTContext& context_;
    Unrolling unrolling_;
    llvm::DenseSet<const VarDecl*> arrays_;
    std::vector<Finding>& findings_;
};

}  // namespace

void findInLoops(const FunctionDecl& function, CallPath path, const ASTContext& context,
                 std::vector<Finding>& findings) {
    LoopChecks(function, path, context, findings).visitBody(function);
}

}  // namespace foldwise
