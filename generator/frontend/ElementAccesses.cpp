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
        if (object && isAtomic(*object)) {
            found.asksAtomics |= !values_.isDiscarded(*e);
            addRewrite(*e, *object);
            addUpdate(*e, *object);
        }
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
    /// The element that a std::atomic_ref is for: one that is made here, or a local variable.
    const CXXOperatorCallExpr* elementOfAtomic(const Expr& object) const {
        const Expr* e = object.IgnoreUnlessSpelledInSource();
        if (const auto* reference = dyn_cast<DeclRefExpr>(e)) {
            const auto* local = dyn_cast<VarDecl>(reference->getDecl());
            return local && local->isLocalVarDecl() && local->getInit() ? elementOfAtomic(*local->getInit()) : nullptr;
        }
        if (const auto* cast = dyn_cast<CXXFunctionalCastExpr>(e)) return elementOfAtomic(*cast->getSubExpr());
        const auto* made = dyn_cast<CXXConstructExpr>(e);
        if (!made || made->getNumArgs() == 0 || !isAtomic(*made)) return nullptr;
        return isAtomic(*made->getArg(0)) ? elementOfAtomic(*made->getArg(0)) : elementIn(*made->getArg(0));
    }
    /// What a call does to a std::atomic_ref: "load", also if it is converted to its value, or "store", also if it is
    /// assigned one. Empty for other calls.
    static llvm::StringRef atomicCall(const CallExpr& call) {
        const auto* method = dyn_cast_or_null<CXXMethodDecl>(call.getDirectCallee());
        if (!method) return "";
        if (isa<CXXConversionDecl>(method)) return "load";
        if (method->getOverloadedOperator() == OO_Equal) return "store";
        const bool isNamed = method->getIdentifier() && (method->getName() == "load" || method->getName() == "store");
        return isNamed ? method->getName() : "";
    }
    /// Whether an expression is the value that a load found in an element, or a local variable that keeps it.
    bool isLoaded(const Expr& expression, const CXXOperatorCallExpr& element) const {
        const Expr* e = expression.IgnoreUnlessSpelledInSource();
        if (const auto* reference = dyn_cast<DeclRefExpr>(e)) {
            const auto* local = dyn_cast<VarDecl>(reference->getDecl());
            if (local && local->isLocalVarDecl() && local->getInit() && isAtomic(*reference)) {
                const CXXOperatorCallExpr* loaded = elementOfAtomic(*reference);
                return loaded && values_.text(*loaded) == values_.text(element);
            }
            return local && local->isLocalVarDecl() && local->getInit() && isLoaded(*local->getInit(), element);
        }
        const auto* call = dyn_cast<CXXMemberCallExpr>(e);
        const Expr* object = call ? call->getImplicitObjectArgument() : nullptr;
        if (!object || !isAtomic(*object) || atomicCall(*call) != "load") return false;
        const CXXOperatorCallExpr* loaded = elementOfAtomic(*object);
        return loaded && values_.text(*loaded) == values_.text(element);
    }
    bool usesLoaded(const Stmt& expression, const CXXOperatorCallExpr& element, unsigned depth = 0) const {
        const auto* e = dyn_cast<Expr>(&expression);
        if (e && isLoaded(*e, element)) return true;
        if (const auto* reference = dyn_cast<DeclRefExpr>(&expression)) {
            const auto* local = dyn_cast<VarDecl>(reference->getDecl());
            const bool isMade = local && local->isLocalVarDecl() && local->getInit() && depth < 8;
            return isMade && usesLoaded(*local->getInit(), element, depth + 1);
        }
        return llvm::any_of(expression.children(),
                            [&](const Stmt* child) { return child && usesLoaded(*child, element, depth); });
    }
    /// The operation that stores a value at once: "fetch_add(1)" for `old + 1`.
    std::string atOnce(const Expr& value, const CXXOperatorCallExpr& element) const {
        const auto* sum = dyn_cast<BinaryOperator>(value.IgnoreParenImpCasts());
        const bool isSum = sum && (sum->getOpcode() == BO_Add || sum->getOpcode() == BO_Sub);
        if (!isSum) return "";
        const bool isFirst = isLoaded(*sum->getLHS(), element);
        if (!isFirst && (sum->getOpcode() == BO_Sub || !isLoaded(*sum->getRHS(), element))) return "";
        const Expr& other = isFirst ? *sum->getRHS() : *sum->getLHS();
        if (usesLoaded(other, element)) return "";
        return (sum->getOpcode() == BO_Add ? "fetch_add(" : "fetch_sub(") + values_.text(other) + ")";
    }
    void addRewrite(const CallExpr& call, const Expr& object) {
        if (atomicCall(call) != "store") return;
        const bool isOperator = isa<CXXOperatorCallExpr>(call);
        if (call.getNumArgs() < (isOperator ? 2u : 1u)) return;
        const Expr& value = *call.getArg(isOperator ? 1 : 0);
        const CXXOperatorCallExpr* element = elementOfAtomic(object);
        if (!element || !usesLoaded(value, *element)) return;
        found.rewrites.push_back({{&call, call.getExprLoc(), element, element, &value, true}, atOnce(value, *element)});
    }
    void addUpdate(const CallExpr& call, const Expr& object) {
        const CXXOperatorCallExpr* element = elementOfAtomic(object);
        if (element && atomicCall(call).empty() && values_.isDiscarded(call)) found.updates.push_back({&call, element});
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

bool readsView(const Stmt& expression, const VarDecl& view, unsigned depth) {
    if (const auto* reference = dyn_cast<DeclRefExpr>(&expression)) {
        const auto* local = dyn_cast<VarDecl>(reference->getDecl());
        const bool isMade = local && local->isLocalVarDecl() && local->getInit() && depth < 8;
        return local == &view || (isMade && readsView(*local->getInit(), view, depth + 1));
    }
    return llvm::any_of(expression.children(),
                        [&](const Stmt* child) { return child && readsView(*child, view, depth); });
}

}  // namespace foldwise
