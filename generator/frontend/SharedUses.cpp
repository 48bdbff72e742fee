// generator/frontend/SharedUses.cpp: looks at the expressions around each mention of an array in shared memory.
#include "SharedUses.hpp"

#include "BlockPhases.hpp"
#include "Mentions.hpp"
#include "OnlyRead.hpp"
#include "RunTimeVisitor.hpp"
#include "Vocabulary.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSwitch.h>

#include <tuple>
#include <utility>

namespace foldwise {

using namespace clang;

namespace {

using UseKind = SharedUse::Kind;

bool isAtomic(QualType type) {
    const CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
    return record && record->isInStdNamespace() && record->getIdentifier() && record->getName() == "atomic_ref";
}

class UseFinder : public RunTimeVisitor {
  public:
    explicit UseFinder(const FunctionDecl& block)
        : RunTimeVisitor(block.getASTContext()), parents_(block.getBody()), mentions_(block) {
        visitBody(block);
    }
    SharedUses take() { return std::move(found_); }

    bool VisitReturnStmt(ReturnStmt*) override { return noteJump(); }
    bool VisitBreakStmt(BreakStmt*) override { return noteJump(); }
    bool VisitContinueStmt(ContinueStmt*) override { return noteJump(); }
    bool VisitGotoStmt(GotoStmt*) override { return found_.hasJumps = true; }

    bool VisitCXXMemberCallExpr(CXXMemberCallExpr* call) override {
        const FunctionDecl* phase = isInPhase_ ? nullptr : phaseOf(*call);
        if (!phase) return true;
        found_.phases.push_back(around(*call, *phase));
        isInPhase_ = true;
        visitBody(*phase);
        isInPhase_ = false;
        return true;
    }
    /// A lambda in a phase is not known to be called.
    bool TraverseLambdaExpr(LambdaExpr* lambda) override {
        if (!isInPhase_) return true;
        const bool before = std::exchange(isInLambda_, true);
        DynamicRecursiveASTVisitor::TraverseStmt(lambda->getBody());
        isInLambda_ = before;
        return true;
    }
    bool VisitDeclRefExpr(DeclRefExpr* mention) override {
        if (isInPhase_ && isSharedArray(mention->getType()) && isa<VarDecl>(mention->getDecl())) add(*mention);
        return true;
    }

  private:
    bool noteJump() {
        found_.hasJumps |= !isInPhase_;
        return true;
    }

    PhaseOfBlock around(const CXXMemberCallExpr& call, const FunctionDecl& body) const {
        PhaseOfBlock phase{&body, {}};
        for (const Stmt* outer = parents_.written(call); outer; outer = parents_.written(*outer)) {
            if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(outer)) phase.loops.push_back(outer);
            const auto* both = dyn_cast<BinaryOperator>(outer);
            phase.isConditional |=
                isa<IfStmt, SwitchStmt, AbstractConditionalOperator>(outer) || (both && both->isLogicalOp());
        }
        return phase;
    }

    void add(const DeclRefExpr& mention) {
        const Stmt* user = parents_.of(mention);
        while (isa_and_nonnull<ImplicitCastExpr>(user)) user = parents_.of(*user);
        if (const auto* member = dyn_cast_or_null<MemberExpr>(user)) {
            const IdentifierInfo* name = member->getMemberDecl()->getIdentifier();
            if (name && (name->isStr("extent") || name->isStr("size") || name->isStr("rank"))) return;
        }
        const auto* element = dyn_cast_or_null<CXXOperatorCallExpr>(user);
        const bool isElement = element && !element->isTypeDependent() &&
                               element->getArg(0)->IgnoreParenImpCasts() == &mention &&
                               (element->getOperator() == OO_Subscript || element->getOperator() == OO_Call);
        SharedUse use{UseKind::Other, static_cast<unsigned>(found_.phases.size() - 1), &mention, nullptr, &mention};
        if (isElement && !isInLambda_) {
            use.element = element;
            std::tie(use.kind, use.at) = kindOf(*element);
        }
        found_.uses.push_back(use);
    }

    std::pair<UseKind, const Expr*> kindOf(const CXXOperatorCallExpr& element) const {
        if (isOnlyRead(element, parents_)) return {UseKind::Read, &element};
        const Expr& referring = parents_.referring(element);
        const Stmt* user = parents_.of(referring);
        if (const auto* assignment = dyn_cast_or_null<BinaryOperator>(user);
            assignment && assignment->isAssignmentOp() && assignment->getLHS()->IgnoreParens() == &referring)
            return {assignment->isCompoundAssignmentOp() ? UseKind::Update : UseKind::Store, assignment};
        if (const auto* step = dyn_cast_or_null<UnaryOperator>(user); step && step->isIncrementDecrementOp())
            return {UseKind::Update, step};
        if (const auto* made = dyn_cast_or_null<CXXConstructExpr>(user); made && isAtomic(made->getType()))
            if (const Expr* call = updateBy(*made)) return {UseKind::Update, call};
        return {UseKind::Other, &element};
    }

    /// A call that updates an element by a std::atomic_ref which is made for it, where nothing else is done with that;
    /// null if there is none such.
    const Expr* updateBy(const CXXConstructExpr& made) const {
        const Stmt* user = parents_.of(made);
        while (isa_and_nonnull<CastExpr, MaterializeTemporaryExpr>(user) ||
               (isa_and_nonnull<CXXConstructExpr>(user) && isAtomic(cast<Expr>(user)->getType())))
            user = parents_.of(*user);
        const auto* declaration = dyn_cast_or_null<DeclStmt>(user);
        if (!declaration) return user ? updateIn(*user) : nullptr;
        const auto* variable = declaration->isSingleDecl() ? dyn_cast<VarDecl>(declaration->getSingleDecl()) : nullptr;
        if (!variable) return nullptr;
        const Expr* first = nullptr;
        for (const Mention& mention : mentions_.of(*variable)) {
            user = parents_.of(*mention.expression);
            while (isa_and_nonnull<ImplicitCastExpr>(user)) user = parents_.of(*user);
            const Expr* call = user ? updateIn(*user) : nullptr;
            if (!call) return nullptr;
            if (!first) first = call;
        }
        return first;
    }
    /// The call of a std::atomic_ref's operator or member function that is or has this; null if it does not ask for the
    /// old value.
    const Expr* updateIn(const Stmt& user) const {
        if (const auto* member = dyn_cast<MemberExpr>(&user)) {
            const auto* call = dyn_cast_or_null<CXXMemberCallExpr>(parents_.of(*member));
            const auto* method = dyn_cast<CXXMethodDecl>(member->getMemberDecl());
            return call && method && asksOldValue(*method) ? call : nullptr;
        }
        const auto* call = dyn_cast<CXXOperatorCallExpr>(&user);
        return call && call->getOperator() != OO_Equal && isAtomic(call->getArg(0)->IgnoreImpCasts()->getType())
                   ? call
                   : nullptr;
    }
    static bool asksOldValue(const CXXMethodDecl& method) {
        if (isa<CXXConversionDecl>(method)) return true;
        if (!method.getIdentifier()) return false;
        return method.getName() == "load" || method.getName().starts_with("fetch_") ||
               method.getName().starts_with("compare_exchange_");
    }

    SharedUses found_;
    const Parents parents_;
    const Mentions mentions_;
    bool isInPhase_ = false, isInLambda_ = false;
};

}  // namespace

bool SharedUses::mayPrecede(const SharedUse& first, const SharedUse& second) const {
    const auto& loops = phases[second.phase].loops;
    return first.phase <= second.phase ||
           llvm::any_of(phases[first.phase].loops, [&](const Stmt* loop) { return llvm::is_contained(loops, loop); });
}

SharedUses sharedUses(const FunctionDecl& block) { return UseFinder(block).take(); }

}  // namespace foldwise
