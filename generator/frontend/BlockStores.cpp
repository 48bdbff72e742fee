// generator/frontend/BlockStores.cpp: follows the coordinates of what phases write, and the conditions around it.
#include "BlockStores.hpp"

#include "AtomicCalls.hpp"
#include "BlockPhases.hpp"
#include "Mentions.hpp"
#include "OnlyRead.hpp"
#include "Parents.hpp"
#include "Spelling.hpp"
#include "Vocabulary.hpp"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/STLExtras.h>

#include <optional>
#include <set>
#include <string>
#include <utility>

namespace foldwise {

using namespace clang;

namespace {

/// Whether something is the same for all items of a block, or in all blocks.
class Sameness {
  public:
    enum class Among { Items, Blocks };
    Sameness(Among among, const FunctionDecl& body, const Mentions& mentions, const Parents& parents)
        : among_(among), body_(body), mentions_(mentions), parents_(parents) {}

    bool of(const Stmt* statement, unsigned depth = 0) const {
        class References : public DynamicRecursiveASTVisitor {
          public:
            std::vector<const DeclRefExpr*> all;
            bool isClear = true;
            bool VisitDeclRefExpr(DeclRefExpr* reference) override {
                all.push_back(reference);
                return true;
            }
            bool VisitLambdaExpr(LambdaExpr*) override { return isClear = false; }
            bool VisitCXXThisExpr(CXXThisExpr*) override { return isClear = false; }
        };
        if (!statement) return true;
        References references;
        references.TraverseStmt(const_cast<Stmt*>(statement));
        return references.isClear &&
               llvm::all_of(references.all, [&](const DeclRefExpr* one) { return isSame(*one, depth); });
    }

  private:
    static constexpr unsigned deepest = 16;  // of variables that are made from one another

    bool isSame(const DeclRefExpr& reference, unsigned depth) const {
        const ValueDecl& declared = *reference.getDecl();
        if (isa<FunctionDecl, EnumConstantDecl>(declared)) return true;
        if (const auto* binding = dyn_cast<BindingDecl>(&declared))
            return isUnchanged(declared) && of(binding->getBinding(), depth + 1);
        const auto* variable = dyn_cast<VarDecl>(&declared);
        if (!variable || depth > deepest) return false;
        if (!variable->hasLocalStorage()) return variable->getType().isConstQualified();
        if (isView(variable->getType())) return asksExtent(reference);
        if (isOwnVariable(variable->getType()) || isSharedArray(variable->getType())) return false;
        if (isa<ParmVarDecl>(variable)) {
            const bool isItem = variable->getDeclContext() != &body_, isBlock = variable == body_.getParamDecl(0);
            if (among_ == Among::Items ? isItem : isBlock) return false;
            return isBlock || isUnchanged(declared);
        }
        return variable->getInit() && isUnchanged(declared, loopOf(*variable)) && of(variable->getInit(), depth + 1) &&
               isLoopSame(*variable, depth);
    }

    /// The header of a loop whose variable this is, which may change it.
    const ForStmt* loopOf(const VarDecl& variable) const {
        for (const Mention& mention : mentions_.of(variable))
            for (const Stmt* outer = mention.expression; outer; outer = parents_.written(*outer))
                if (const auto* loop = dyn_cast<ForStmt>(outer)) {
                    const auto* init = dyn_cast_or_null<DeclStmt>(loop->getInit());
                    if (init && llvm::is_contained(init->decls(), &variable)) return loop;
                }
        return nullptr;
    }
    /// Whether a loop's variable, if it is one, takes the same values.
    bool isLoopSame(const VarDecl& variable, unsigned depth) const {
        const ForStmt* loop = loopOf(variable);
        if (!loop) return true;
        const auto isOther = [&](const Expr* part) {
            class Others : public DynamicRecursiveASTVisitor {
              public:
                std::vector<const DeclRefExpr*> all;
                bool VisitDeclRefExpr(DeclRefExpr* one) override {
                    all.push_back(one);
                    return true;
                }
            };
            Others others;
            if (part) others.TraverseStmt(const_cast<Expr*>(part));
            return llvm::all_of(others.all, [&](const DeclRefExpr* one) {
                return one->getDecl() == &variable || isSame(*one, depth + 1);
            });
        };
        return isOther(loop->getCond()) && isOther(loop->getInc());
    }

    bool isUnchanged(const ValueDecl& variable, const ForStmt* loop = nullptr) const {
        return llvm::all_of(mentions_.of(variable), [&](const Mention& mention) {
            for (const Stmt* outer = mention.expression; loop && outer; outer = parents_.written(*outer))
                if (outer == loop->getInc()) return true;
            return isOnlyRead(*mention.expression, parents_);
        });
    }

    bool asksExtent(const DeclRefExpr& view) const {
        const Stmt* parent = parents_.of(view);
        while (isa_and_nonnull<ImplicitCastExpr>(parent)) parent = parents_.of(*parent);
        const auto* member = dyn_cast_or_null<MemberExpr>(parent);
        const IdentifierInfo* name = member ? member->getMemberDecl()->getIdentifier() : nullptr;
        return name && (name->isStr("extent") || name->isStr("size") || name->isStr("rank") || name->isStr("has"));
    }

    const Among among_;
    const FunctionDecl& body_;
    const Mentions& mentions_;
    const Parents& parents_;
};

class Finder : public DynamicRecursiveASTVisitor {
  public:
    explicit Finder(const FunctionDecl& body)
        : body_(body), mentions_(body), parents_(body.getBody()),
          amongItems_(Sameness::Among::Items, body, mentions_, parents_),
          amongBlocks_(Sameness::Among::Blocks, body, mentions_, parents_) {
        found.areOfAllItems.resize(body.getNumParams() - 1);
        TraverseStmt(body.getBody());
        llvm::erase_if(found.reads, [&](const BlockRead& read) {
            return !placed_.contains(read.view) || askedOfItems_.contains(read.view);
        });
    }
    BlockAccesses found;

    bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr* element) override {
        if (element->getOperator() != OO_Subscript && element->getOperator() != OO_Call) return true;
        const auto* array = dyn_cast<DeclRefExpr>(element->getArg(0)->IgnoreParenImpCasts());
        const auto* variable = array ? dyn_cast<VarDecl>(array->getDecl()) : nullptr;
        if (!variable || variable->getDeclContext() != &body_) return true;
        const bool isShared = isSharedArray(variable->getType());
        if (!isShared && !isView(variable->getType())) return true;
        if (const std::optional<Write> write = written(*element)) addStore(*element, *variable, isShared, *write);
        if (!isShared && isOnlyRead(*element, parents_)) addRead(*element, *variable);
        if (!isShared && llvm::any_of(llvm::drop_begin(element->arguments()),
                                      [&](const Expr* coordinate) { return asksPlace(*coordinate); }))
            placed_.insert(variable->getNameAsString());
        if (!isShared && isOfEachItem(*element))
            found.areOfAllItems[cast<ParmVarDecl>(variable)->getFunctionScopeIndex() - 1] = true;
        return true;
    }
    bool VisitCXXMemberCallExpr(CXXMemberCallExpr* call) override {
        const auto* view = dyn_cast<DeclRefExpr>(call->getImplicitObjectArgument()->IgnoreParenImpCasts());
        if (!view || !isOfView(*call, {"has"})) return true;
        const bool isPlaced = llvm::any_of(call->arguments(), [&](const Expr* one) { return asksPlace(*one); });
        (isPlaced ? placed_ : askedOfItems_).insert(view->getDecl()->getNameAsString());
        return true;
    }
    bool VisitBinaryOperator(BinaryOperator* e) override {
        if (!e->isRelationalOp()) return true;
        for (const auto& [place, extent] : {std::pair(e->getLHS(), e->getRHS()), std::pair(e->getRHS(), e->getLHS())}) {
            const auto* call = dyn_cast<CXXMemberCallExpr>(extent->IgnoreParenImpCasts());
            const auto* view =
                call ? dyn_cast<DeclRefExpr>(call->getImplicitObjectArgument()->IgnoreParenImpCasts()) : nullptr;
            if (view && isOfView(*call, {"extent", "size"}) && asksPlace(*place))
                placed_.insert(view->getDecl()->getNameAsString());
        }
        return true;
    }
    /// Captures are looked at where the body uses them.
    bool TraverseLambdaExpr(LambdaExpr* lambda) override { return TraverseStmt(lambda->getBody()); }

  private:
    /// Whether an expression asks a block where it is, or a variable that was made so. What elements have is not looked
    /// into.
    static bool asksPlace(const Stmt& expression, unsigned depth = 0) {
        if (const auto* call = dyn_cast<CXXMemberCallExpr>(&expression)) {
            const IdentifierInfo* name = call->getMethodDecl() ? call->getMethodDecl()->getIdentifier() : nullptr;
            if (isBlock(call->getObjectType()))
                return name && (name->isStr("at") || name->isStr("origin") || name->isStr("number"));
            if (isView(call->getObjectType())) return false;
        }
        const auto* element = dyn_cast<CXXOperatorCallExpr>(&expression);
        if (element && isView(element->getArg(0)->IgnoreParenImpCasts()->getType())) return false;
        if (const auto* reference = dyn_cast<DeclRefExpr>(&expression)) {
            const ValueDecl* declared = reference->getDecl();
            if (const auto* binding = dyn_cast<BindingDecl>(declared)) declared = binding->getDecomposedDecl();
            const auto* local = dyn_cast_or_null<VarDecl>(declared);
            const bool isMade = local && local->isLocalVarDecl() && local->getInit() && depth < 8;
            return isMade && asksPlace(*local->getInit(), depth + 1);
        }
        return llvm::any_of(expression.children(),
                            [&](const Stmt* child) { return child && asksPlace(*child, depth); });
    }

    /// Whether an expression is a phase's item, or in one axis its coordinate.
    static bool isItem(const Expr& expression, const ParmVarDecl& item, unsigned depth = 0) {
        const Expr& e = *expression.IgnoreUnlessSpelledInSource();
        if (const auto* coordinate = dyn_cast<CXXOperatorCallExpr>(&e))
            return coordinate->getOperator() == OO_Subscript && isItem(*coordinate->getArg(0), item, depth) &&
                   vocabularyType(item.getType(), "index")->getTemplateArgs()[0].getAsIntegral() == 1;
        const auto* reference = dyn_cast<DeclRefExpr>(&e);
        const auto* local = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
        if (!local || local == &item) return local;
        return depth < 8 && local->isLocalVarDecl() && local->getInit() && isItem(*local->getInit(), item, depth + 1);
    }
    /// Whether an expression is a phase's item's coordinate along an axis: `t[1]`, or one of `auto [r, c] = t`.
    static bool isCoordinate(const Expr& expression, const ParmVarDecl& item, unsigned axis) {
        const Expr& e = *expression.IgnoreUnlessSpelledInSource();
        if (const auto* coordinate = dyn_cast<CXXOperatorCallExpr>(&e)) {
            const auto* number = coordinate->getNumArgs() == 2
                                     ? dyn_cast<IntegerLiteral>(coordinate->getArg(1)->IgnoreParenImpCasts())
                                     : nullptr;
            return coordinate->getOperator() == OO_Subscript && number && number->getValue() == axis &&
                   isItem(*coordinate->getArg(0), item);
        }
        const auto* reference = dyn_cast<DeclRefExpr>(&e);
        const auto* binding = reference ? dyn_cast<BindingDecl>(reference->getDecl()) : nullptr;
        const auto* all = binding ? dyn_cast_or_null<DecompositionDecl>(binding->getDecomposedDecl()) : nullptr;
        return all && all->getInit() && axis < all->bindings().size() && all->bindings()[axis] == binding &&
               isItem(*all->getInit(), item);
    }

    void addRead(const CXXOperatorCallExpr& element, const VarDecl& view) {
        const LambdaExpr* phase = nullptr;
        const auto holds = [&](const Expr& condition, bool isHeld) {
            return !asksPlace(condition) || keepsInside(condition, isHeld);
        };
        if (!isForAll(element, phase, holds) || !phase) return;
        const ParmVarDecl* item = itemOf(*phase);
        if (!item || item->getName().empty() || !isUnchanged(*item)) return;
        const unsigned coordinates = element.getNumArgs() - 1;
        bool isOwn = coordinates == 1 ? isItem(*element.getArg(1), *item) : coordinates == blockRank(body_);
        for (unsigned axis = 0; isOwn && coordinates > 1 && axis < coordinates; ++axis)
            isOwn = isCoordinate(*element.getArg(axis + 1), *item, axis);
        if (!isOwn) return;
        found.reads.push_back({element.getExprLoc(), element.getSourceRange(), sourceOf(element, body_.getASTContext()),
                               view.getNameAsString(), item->getNameAsString()});
    }

    /// What writes to an element.
    struct Write {
        bool isUpdate = false;  ///< Whether what is there goes into it.
        std::string atomic;     ///< What adds to the element in place of it, or does the same; empty if nothing does.
    };

    /// What assigns to an element, or to a member of it; nothing if nothing does.
    std::optional<Write> written(const Expr& element) const {
        const Expr* target = &element;
        const Stmt* user = parents_.of(*target);
        for (; isa_and_nonnull<MemberExpr, ArraySubscriptExpr>(user); user = parents_.of(*target))
            target = cast<Expr>(user);
        if (const auto* assignment = dyn_cast_or_null<BinaryOperator>(user)) {
            const bool isTarget = assignment->isAssignmentOp() && assignment->getLHS()->IgnoreParens() == target;
            return isTarget ? std::optional(Write{assignment->isCompoundAssignmentOp(), added(*target, *assignment)})
                            : std::nullopt;
        }
        if (const auto* step = dyn_cast_or_null<UnaryOperator>(user))
            return step->isIncrementDecrementOp()
                       ? std::optional(Write{true, atomicCall(*target, atomicName(*step), nullptr, context())})
                       : std::nullopt;
        const auto* call = dyn_cast_or_null<CXXOperatorCallExpr>(user);
        if (!call || !call->isAssignmentOp() || call->getArg(0)->IgnoreParens() != target) return std::nullopt;
        return Write{call->getOperator() != OO_Equal, ""};
    }
    const ASTContext& context() const { return body_.getASTContext(); }

    /// The call of std::atomic_ref that does what an assignment does, or adds what it stores, unless that is a
    /// constant.
    std::string added(const Expr& target, const BinaryOperator& assignment) const {
        const Expr& value = *assignment.getRHS();
        if (assignment.isCompoundAssignmentOp()) return atomicCall(target, atomicName(assignment), &value, context());
        return value.isEvaluatable(context()) ? "" : atomicCall(target, "fetch_add", &value, context());
    }

    void addStore(const CXXOperatorCallExpr& element, const VarDecl& array, bool isShared, const Write& write) {
        const Sameness& same = isShared ? amongItems_ : amongBlocks_;
        const LambdaExpr* phase = nullptr;
        const auto holds = [&](const Expr& condition, bool isHeld) {
            return same.of(&condition) || (!isShared && keepsInside(condition, isHeld));
        };
        if (!isForAll(element, phase, holds) || !phase) return;
        if (!llvm::all_of(llvm::drop_begin(element.arguments()),
                          [&](const Expr* coordinate) { return same.of(coordinate); }))
            return;
        const ParmVarDecl* item = itemOf(*phase);
        if (isShared && !item) return;  // which runs once
        found.stores.push_back({element.getExprLoc(), element.getSourceRange(), array.getNameAsString(),
                                item ? item->getNameAsString() : "", isShared, write.isUpdate, write.atomic});
    }

    /// Whether each item comes to an element, which is that at `b.at(t)`.
    bool isOfEachItem(const CXXOperatorCallExpr& element) const {
        const LambdaExpr* phase = nullptr;
        if (element.getNumArgs() != 2 || !isForAll(element, phase, [](const Expr&, bool) { return false; }) || !phase)
            return false;
        const ParmVarDecl* item = itemOf(*phase);
        const Expr* coordinate = element.getArg(1)->IgnoreUnlessSpelledInSource();
        if (const auto* reference = dyn_cast<DeclRefExpr>(coordinate)) {
            const auto* local = dyn_cast<VarDecl>(reference->getDecl());
            if (!local || !local->isLocalVarDecl() || !local->getInit() || !isUnchanged(*local)) return false;
            coordinate = local->getInit()->IgnoreUnlessSpelledInSource();
        }
        const auto* call = dyn_cast<CXXMemberCallExpr>(coordinate);
        if (!item || !call || call->getNumArgs() != 1 || !call->getMethodDecl()->getIdentifier() ||
            call->getMethodDecl()->getName() != "at")
            return false;
        const auto* block = dyn_cast<DeclRefExpr>(call->getImplicitObjectArgument()->IgnoreParenImpCasts());
        const auto* own = dyn_cast<DeclRefExpr>(call->getArg(0)->IgnoreUnlessSpelledInSource());
        return block && block->getDecl() == body_.getParamDecl(0) && own && own->getDecl() == item &&
               isUnchanged(*item);
    }
    bool isUnchanged(const ValueDecl& variable) const {
        return llvm::all_of(mentions_.of(variable),
                            [&](const Mention& one) { return isOnlyRead(*one.expression, parents_); });
    }
    static const ParmVarDecl* itemOf(const LambdaExpr& phase) {
        const CXXMethodDecl& call = *phase.getCallOperator();
        return call.getNumParams() == 1 ? call.getParamDecl(0) : nullptr;
    }

    /// Whether a condition, or its opposite where it is not to be held, only keeps items from leaving a view, as
    /// `x.has(b.at(t))` does, so that it holds in all blocks but perhaps some at the ends.
    bool keepsInside(const Expr& condition, bool isHeld) const {
        const Expr& bare = *condition.IgnoreUnlessSpelledInSource();
        if (const auto* opposite = dyn_cast<UnaryOperator>(&bare))
            return opposite->getOpcode() == UO_LNot && keepsInside(*opposite->getSubExpr(), !isHeld);
        if (const auto* call = dyn_cast<CXXMemberCallExpr>(&bare))
            return isHeld && isOfView(*call, {"has"}) &&
                   llvm::all_of(call->arguments(), [&](const Expr* one) { return isPlace(*one); });
        const auto* both = dyn_cast<BinaryOperator>(&bare);
        if (!both) return false;
        const auto holds = [&](const Expr& one) { return amongBlocks_.of(&one) || keepsInside(one, isHeld); };
        if (both->getOpcode() == (isHeld ? BO_LAnd : BO_LOr)) return holds(*both->getLHS()) && holds(*both->getRHS());
        if (!both->isRelationalOp()) return false;
        const bool isRising = (both->getOpcode() == BO_LT || both->getOpcode() == BO_LE) == isHeld;
        const Expr& less = isRising ? *both->getLHS() : *both->getRHS();
        const Expr& more = isRising ? *both->getRHS() : *both->getLHS();
        return isPlace(less) ? isExtent(more) : isPlace(more) && isa<IntegerLiteral>(less.IgnoreParenImpCasts());
    }
    /// Whether an expression is an item's place among those of all blocks, `b.at(t)`, or follows from it.
    bool isPlace(const Expr& expression, unsigned depth = 0) const {
        const Expr& bare = *expression.IgnoreUnlessSpelledInSource();
        if (const auto* call = dyn_cast<CXXMemberCallExpr>(&bare)) {
            const IdentifierInfo* name = call->getMethodDecl() ? call->getMethodDecl()->getIdentifier() : nullptr;
            return name && name->isStr("at") && isBlock(call->getObjectType());
        }
        if (const auto* step = dyn_cast<BinaryOperator>(&bare))
            return step->isAdditiveOp() && ((isPlace(*step->getLHS(), depth) && amongBlocks_.of(step->getRHS())) ||
                                            (isPlace(*step->getRHS(), depth) && amongBlocks_.of(step->getLHS())));
        if (const auto* axis = dyn_cast<CXXOperatorCallExpr>(&bare))
            return axis->getOperator() == OO_Subscript && isPlace(*axis->getArg(0), depth);
        const auto* reference = dyn_cast<DeclRefExpr>(&bare);
        if (!reference || depth > 2) return false;
        const ValueDecl* declared = reference->getDecl();
        if (!isUnchanged(*declared)) return false;
        if (const auto* binding = dyn_cast<BindingDecl>(declared)) declared = binding->getDecomposedDecl();
        const auto* local = dyn_cast_or_null<VarDecl>(declared);
        return local && local->isLocalVarDecl() && local->getInit() && isPlace(*local->getInit(), depth + 1);
    }
    /// Whether an expression is what a view has along an axis, or a constant distance from it.
    static bool isExtent(const Expr& expression) {
        const Expr& bare = *expression.IgnoreParenImpCasts();
        if (const auto* call = dyn_cast<CXXMemberCallExpr>(&bare)) return isOfView(*call, {"extent", "size"});
        const auto* step = dyn_cast<BinaryOperator>(&bare);
        return step && step->isAdditiveOp() && isExtent(*step->getLHS()) &&
               isa<IntegerLiteral>(step->getRHS()->IgnoreParenImpCasts());
    }
    /// Whether a call is of one of these functions of a view.
    static bool isOfView(const CXXMemberCallExpr& call, llvm::ArrayRef<llvm::StringRef> names) {
        const IdentifierInfo* name = call.getMethodDecl() ? call.getMethodDecl()->getIdentifier() : nullptr;
        return name && llvm::is_contained(names, name->getName()) && isView(call.getObjectType());
    }

    /// Whether nothing but conditions of which `holds` stand around a statement of a phase, which is written to
    /// `phase`, and it is left early only where their opposites do. `holds` is also told which of the two is meant.
    template <class Holds> bool isForAll(const Stmt& statement, const LambdaExpr*& phase, const Holds& holds) const {
        const Stmt* inner = &statement;
        for (const Stmt* outer = parents_.written(*inner); outer; inner = outer, outer = parents_.written(*inner)) {
            const Expr* condition = nullptr;
            bool isHeld = true;  // the second branch of a choice is where its condition does not hold
            if (const auto* lambda = dyn_cast<LambdaExpr>(outer)) {
                if (phase || leavesUnless(holds, *lambda->getBody())) return false;
                phase = lambda;
            } else if (const auto* choice = dyn_cast<IfStmt>(outer)) {
                condition = choice->getCond();
                isHeld = inner != choice->getElse();
            } else if (const auto* loop = dyn_cast<ForStmt>(outer)) {
                condition = inner == loop->getInit() ? nullptr : loop->getCond();
            } else if (const auto* either = dyn_cast<AbstractConditionalOperator>(outer)) {
                condition = either->getCond();
                isHeld = inner != either->getFalseExpr();
            } else if (const auto* both = dyn_cast<BinaryOperator>(outer)) {
                condition = both->isLogicalOp() ? both->getLHS() : nullptr;
                isHeld = both->getOpcode() != BO_LOr;
            } else if (isa<WhileStmt, DoStmt, CXXForRangeStmt, SwitchStmt>(outer)) {
                return false;
            }
            if (condition && condition != inner && !holds(*condition, isHeld)) return false;
        }
        return !leaves(*body_.getBody());
    }

    /// Whether a phase's body is left before its end, but for statements like `if (!x.has(b.at(t))) return;` of whose
    /// condition the opposite holds.
    template <class Holds> static bool leavesUnless(const Holds& holds, const Stmt& body) {
        return llvm::any_of(body.children(), [&](const Stmt* child) {
            const auto* choice = dyn_cast_or_null<IfStmt>(child);
            const bool isGuard =
                choice && !choice->getElse() && isReturn(*choice->getThen()) && holds(*choice->getCond(), false);
            return child && !isGuard && leaves(*child);
        });
    }
    static bool isReturn(const Stmt& statement) {
        const auto* block = dyn_cast<CompoundStmt>(&statement);
        return isa<ReturnStmt>(statement) || (block && block->size() == 1 && isa<ReturnStmt>(block->body_front()));
    }

    /// Whether a statement is left before its end: by a return, or as loops are; but for those of lambdas in it.
    static bool leaves(const Stmt& statement) {
        if (isa<ReturnStmt, GotoStmt, BreakStmt, ContinueStmt>(statement)) return true;
        return !isa<LambdaExpr>(statement) &&
               llvm::any_of(statement.children(), [](const Stmt* child) { return child && leaves(*child); });
    }

    const FunctionDecl& body_;
    const Mentions mentions_;
    const Parents parents_;
    const Sameness amongItems_, amongBlocks_;
    std::set<std::string> placed_;        // views of which elements at places among those of all blocks are asked for
    std::set<std::string> askedOfItems_;  // views that are asked whether they have elements at other places
};

}  // namespace

BlockAccesses blockAccesses(const FunctionDecl& body) { return std::move(Finder(body).found); }

}  // namespace foldwise
