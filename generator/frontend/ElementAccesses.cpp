// generator/frontend/ElementAccesses.cpp: finds the elements that expressions read, assign and update.
#include "ElementAccesses.hpp"

#include <clang/AST/DynamicRecursiveASTVisitor.h>

namespace foldwise {

using namespace clang;

namespace {

bool isAtomic(const Expr& object) {
    const CXXRecordDecl* record = object.IgnoreParenImpCasts()->getType().getNonReferenceType()->getAsCXXRecordDecl();
    return record && record->isInStdNamespace() && record->getIdentifier() && record->getName() == "atomic_ref";
}

/// Whether an expression is a reference to something of which only the value can matter: it is converted to const.
bool isMadeConst(const Expr& e) {
    const auto* cast = dyn_cast<ImplicitCastExpr>(e.IgnoreParens());
    return cast && cast->isGLValue() && cast->getCastKind() == CK_NoOp && cast->getType().isConstQualified();
}

class AccessFinder : public DynamicRecursiveASTVisitor {
  public:
    explicit AccessFinder(const ForallValues& values) : values_(values) {}

    ElementAccesses found;

    bool VisitGotoStmt(GotoStmt*) override { return found.hasGoto = true; }
    bool TraverseLambdaExpr(LambdaExpr*) override { return true; }

    bool VisitBinaryOperator(BinaryOperator* e) override {
        if (e->isAssignmentOp())
            addWrite(*e, e->getOperatorLoc(), *e->getLHS(), e->getRHS(), e->isCompoundAssignmentOp());
        return true;
    }
    bool VisitUnaryOperator(UnaryOperator* e) override {
        if (e->isIncrementDecrementOp()) addWrite(*e, e->getOperatorLoc(), *e->getSubExpr(), nullptr, true);
        return true;
    }
    bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr* e) override {
        if (e->isAssignmentOp()) {
            const bool isPlain = e->getOperator() == OO_Equal;
            addWrite(*e, e->getOperatorLoc(), *e->getArg(0), isPlain ? e->getArg(1) : nullptr, !isPlain);
        } else if (e->getOperator() == OO_PlusPlus || e->getOperator() == OO_MinusMinus) {
            addWrite(*e, e->getOperatorLoc(), *e->getArg(0), nullptr, true);
        }
        return true;
    }
    bool VisitImplicitCastExpr(ImplicitCastExpr* e) override {
        if (e->getCastKind() == CK_LValueToRValue) addReads(*e->getSubExpr());
        return true;
    }
    bool VisitCXXConstructExpr(CXXConstructExpr* e) override {
        for (const Expr* argument : e->arguments())
            if (isMadeConst(*argument)) addReads(*argument);
        return true;
    }
    bool VisitCallExpr(CallExpr* e) override {
        for (const Expr* argument : e->arguments())
            if (isMadeConst(*argument)) addReads(*argument);
        const FunctionDecl* callee = e->getDirectCallee();
        if (callee && callee->isInStdNamespace() && callee->getIdentifier() && callee->getName() == "swap" &&
            e->getNumArgs() == 2)
            for (const Expr* argument : e->arguments()) {
                addReads(*argument);
                addWrite(*e, e->getBeginLoc(), *argument, nullptr, false);
            }
        const auto* member = dyn_cast<CXXMemberCallExpr>(e);
        const Expr* object = member ? member->getImplicitObjectArgument() : nullptr;
        if (object && isMadeConst(*object)) addReads(*object);
        const auto* call = dyn_cast<CXXOperatorCallExpr>(e);
        if (call && isa_and_nonnull<CXXMethodDecl>(call->getDirectCallee())) object = call->getArg(0);
        found.asksAtomics |= object && isAtomic(*object) && !values_.isDiscarded(*e);
        return true;
    }
    bool VisitAtomicExpr(AtomicExpr*) override { return found.asksAtomics = true; }

  private:
    /// The element of a view that an expression is or belongs to, as its member or in an array that it has; null if
    /// none.
    const CXXOperatorCallExpr* elementIn(const Expr& part) const {
        const Expr* e = part.IgnoreParenImpCasts();
        if (const auto* member = dyn_cast<MemberExpr>(e))
            return isa<FieldDecl>(member->getMemberDecl()) && !member->isArrow() ? elementIn(*member->getBase())
                                                                                 : nullptr;
        if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(e)) return elementIn(*subscript->getBase());
        return values_.elementOf(*e);
    }
    void addWrite(const Expr& at, SourceLocation place, const Expr& written, const Expr* value, bool isUpdate) {
        if (const CXXOperatorCallExpr* element = elementIn(written))
            found.writes.push_back({&at, place, element, &written, value,
                                    isUpdate || (value && readsView(*value, ForallValues::viewOf(*element)))});
    }
    /// Adds the elements that an expression may refer to, each where it is named.
    void addReads(const Expr& read) {
        const Expr* e = read.IgnoreParenImpCasts();
        if (const auto* choice = dyn_cast<ConditionalOperator>(e)) {
            addReads(*choice->getTrueExpr());
            addReads(*choice->getFalseExpr());
        } else if (const CXXOperatorCallExpr* element = elementIn(*e)) {
            found.reads.push_back({e, element});
        }
    }

    const ForallValues& values_;
};

}  // namespace

ElementAccesses elementAccesses(const FunctionDecl& body, const ForallValues& values) {
    AccessFinder finder(values);
    finder.TraverseStmt(body.getBody());
    return std::move(finder.found);
}

bool readsView(const Stmt& expression, const ParmVarDecl& view, unsigned depth) {
    if (const auto* reference = dyn_cast<DeclRefExpr>(&expression)) {
        const auto* local = dyn_cast<VarDecl>(reference->getDecl());
        const bool isMade = local && local->isLocalVarDecl() && local->getInit() && depth < 8;
        return local == &view || (isMade && readsView(*local->getInit(), view, depth + 1));
    }
    return llvm::any_of(expression.children(),
                        [&](const Stmt* child) { return child && readsView(*child, view, depth); });
}

}  // namespace foldwise
