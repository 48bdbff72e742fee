// generator/frontend/ViewUses.cpp: finds out what a task does with a view from the expressions around each
// reference to it.
#include "ViewUses.hpp"

#include "AtomicSums.hpp"
#include "ForallValues.hpp"
#include "IndexAxes.hpp"
#include "LoopTrips.hpp"
#include "Lowering.hpp"
#include "Mentions.hpp"
#include "Parents.hpp"
#include "RunConditions.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/STLExtras.h>

#include <optional>

namespace foldwise {

using namespace clang;

namespace {

/// What tasks do with a view if one of its uses is `a` and another one is `b`.
Access merged(Access a, Access b) {
    if (a == Access::None) return b;
    return b == Access::None || a == b ? a : Access::ReadWrite;
}

/// What a body does with the views that are its parameters.
class BodyUses {
  public:
    explicit BodyUses(const FunctionDecl& body)
        : body_(body), mentions_(body), parents_(body.getBody()), index_(body, mentions_, parents_),
          runs_(body, parents_), values_(body) {}

    ViewUse of(const ParmVarDecl& view) const;
    void findSumNames(std::vector<ViewUse>& all) const;

  private:
    /// What a single reference does with a view.
    struct Use {
        Access access = Access::ReadWrite;
        const Stmt* store = nullptr;                   ///< The assignment, if the whole element is assigned.
        const CXXOperatorCallExpr* element = nullptr;  ///< The subscript; null if it is another kind of expression.
        bool isHandedOn = false;                       ///< Whether the view is passed to code that is not analysed.
        std::optional<AtomicSum> sum = std::nullopt;   ///< If the element is added to, and nobody asks for the result.
        bool isValue = false;  ///< Whether the element is read or assigned without its address being taken.
    };

    const Stmt* parentOf(const Stmt& statement) const { return parents_.of(statement); }
    Use useOf(const Expr& view) const;
    bool asksStride(const Expr& view) const;
    Use useOfElement(const CXXOperatorCallExpr& element) const;
    std::optional<std::vector<std::uint32_t>> axesOf(const CXXOperatorCallExpr& subscript) const;
    bool isInOwnRow(const CXXOperatorCallExpr& element) const;
    bool isAlwaysAccessed(const Expr& part, bool isReached) const;
    bool isAlwaysAccessedThrough(const DeclStmt& reference, const Expr& part, bool isReached) const;
    bool mayOrderOthers(const Use& use) const;
    std::vector<std::uint32_t> movesOf(const CXXOperatorCallExpr& element) const;
    void addReach(const CXXOperatorCallExpr& element, std::vector<std::uint32_t>& reach) const;
    bool comesFromData(const Stmt& expression, llvm::SmallPtrSetImpl<const ValueDecl*>& seen) const;
    bool hasDataPlace(const CXXOperatorCallExpr& element) const;

    const FunctionDecl& body_;  ///< The call operator of the kernel's lambda.
    Mentions mentions_;
    Parents parents_;
    IndexAxes index_;
    RunConditions runs_;
    ForallValues values_;
};

/// The parent of a reference to a view, if it is a subscript of the view; otherwise null.
const CXXOperatorCallExpr* subscriptOf(const Stmt* parent, const Stmt& view) {
    const auto* call = dyn_cast_or_null<CXXOperatorCallExpr>(parent);
    if (!call || (call->getOperator() != OO_Subscript && call->getOperator() != OO_Call)) return nullptr;
    return call->getArg(0)->IgnoreParens() == &view ? call : nullptr;
}

/// Whether the parent of a reference to a view asks for its extents or strides, and so accesses no elements.
bool asksOnlyShape(const Stmt* parent) { return isMember(parent, "extent", "stride", "size", "rank"); }

/// Whether the parent of a reference to a view converts it to a view<const T, N>, through which nothing is written.
bool makesReadOnlyView(const Stmt* parent) {
    const auto* made = dyn_cast_or_null<CXXConstructExpr>(parent);
    const auto* type = made ? dyn_cast<ClassTemplateSpecializationDecl>(made->getConstructor()->getParent()) : nullptr;
    return type && type->getName() == "view" && type->getTemplateArgs()[0].getAsType().isConstQualified();
}

/// What a reference does with the view that it refers to.
BodyUses::Use BodyUses::useOf(const Expr& view) const {
    const Stmt* child = &view;
    const Stmt* parent = parentOf(view);
    // Casts to const for a member function, and temporaries that hold slices.
    for (; isa_and_nonnull<ImplicitCastExpr, MaterializeTemporaryExpr>(parent); parent = parentOf(*parent))
        child = parent;
    if (asksOnlyShape(parent)) return {Access::None};
    if (makesReadOnlyView(parent)) return {Access::Read};
    if (isMember(parent, "slice")) {
        const auto* const slice = dyn_cast_or_null<CXXMemberCallExpr>(parentOf(*parent));
        // A slice counts coordinates from its own first element, so nothing is said of which element is accessed.
        if (!slice) return {.isHandedOn = true};
        const Use use = useOf(*slice);
        return {.access = use.access, .isHandedOn = use.isHandedOn};
    }
    const CXXOperatorCallExpr* subscript = subscriptOf(parent, *child);
    if (!subscript) return {.isHandedOn = true};
    Use use = useOfElement(*subscript);
    use.element = subscript;
    return use;
}

/// Whether a reference asks for a stride of its view, which a view of a single element does not have.
bool BodyUses::asksStride(const Expr& view) const {
    const Stmt* parent = parentOf(view);
    while (isa_and_nonnull<ImplicitCastExpr>(parent)) parent = parentOf(*parent);
    return isMember(parent, "stride");
}

/// Whether a call assigns to an object of a class by copying its bytes.
bool isPlainAssignment(const CXXOperatorCallExpr& call, const Stmt& target) {
    if (call.getOperator() != OO_Equal || call.getArg(0)->IgnoreParens() != &target) return false;
    const auto* method = dyn_cast_or_null<CXXMethodDecl>(call.getDirectCallee());
    return method && method->isTrivial();
}

/// What the expressions around a view's element do with it.
BodyUses::Use BodyUses::useOfElement(const CXXOperatorCallExpr& element) const {
    const Expr* target = &element;
    const Stmt* parent = parentOf(*target);
    // Writing a member leaves the others as they are.
    bool isPart = false;
    while (const auto* member = dyn_cast_or_null<MemberExpr>(parent)) {
        if (!isa<FieldDecl>(member->getMemberDecl())) break;
        isPart = true;
        target = member;
        parent = parentOf(*member);
    }
    if (const auto* assignment = dyn_cast_or_null<BinaryOperator>(parent);
        assignment && assignment->isAssignmentOp() && assignment->getLHS()->IgnoreParens() == target)
        return assignment->isCompoundAssignmentOp() || isPart
                   ? Use{.store = isPart ? nullptr : assignment, .isValue = true}
                   : Use{.access = Access::Write, .store = assignment, .isValue = true};
    if (const auto* call = dyn_cast_or_null<CXXOperatorCallExpr>(parent); call && isPlainAssignment(*call, *target))
        return isPart ? Use{.isValue = true} : Use{.access = Access::Write, .store = call, .isValue = true};
    // If a conditional operator selects one of several elements, a read reads at most this one; which of them an
    // assignment changes is not known.
    if (const auto* cast = dyn_cast_or_null<ImplicitCastExpr>(parentOf(parents_.referring(*target)))) {
        if (cast->getCastKind() == CK_LValueToRValue) return {.access = Access::Read, .isValue = true};
        // A function takes a reference to this element alone; a reference that is kept could lead to its neighbours.
        const bool isCallee = isa_and_nonnull<CXXConstructExpr, CallExpr, MemberExpr>(parentOf(*cast));
        if (cast->getType().isConstQualified()) return {.access = Access::Read, .isValue = isCallee};
        return {};
    }
    if (element.getType().isConstQualified() && isa_and_nonnull<CallExpr, CXXConstructExpr>(parent))
        return {.access = Access::Read, .isValue = true};
    // Of a const element, only member functions can be called that leave it as it is.
    if (const auto* member = dyn_cast_or_null<MemberExpr>(parentOf(parents_.referring(*target)));
        member && !isa<FieldDecl>(member->getMemberDecl()))
        return element.getType().isConstQualified() ? Use{.access = Access::Read, .isValue = true} : Use{};
    return isPart ? Use{} : Use{.sum = atomicSum(*target, parents_, body_.getASTContext())};
}

/// Whether what a task does with an element could be ordered by atomic additions to others: whether it could be atomic
/// itself. What is not, only the task itself may notice.
bool BodyUses::mayOrderOthers(const Use& use) const {
    return use.access != Access::None && use.access != Access::Read && !use.isValue && !use.sum;
}

/// Finds out for each view whether all that tasks do with it is to add to it, and in a way that lets them add
/// elsewhere.
void BodyUses::findSumNames(std::vector<ViewUse>& all) const {
    bool areOrdered = false;  // whether tasks could notice that an addition in the default order does not order
    std::vector<std::vector<Use>> uses(all.size());
    std::vector<bool> hasStrides(all.size());  // whether tasks ask for strides, which memory of a thread's own has not
    for (std::size_t i = 0; i < all.size(); ++i) {
        const ParmVarDecl& view = *body_.getParamDecl(static_cast<unsigned>(i) + 1);
        if (!isFixedView(view.getType())) continue;
        for (const Mention& mention : mentions_.of(view)) {
            uses[i].push_back(useOf(*mention.expression));
            areOrdered |= mayOrderOthers(uses[i].back());
            hasStrides[i] = hasStrides[i] || asksStride(*mention.expression);
        }
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!all[i].isSummed || hasStrides[i]) continue;
        const bool canMove = llvm::all_of(uses[i], [&](const Use& use) {
            return !use.sum || (use.sum->name.isValid() && (use.sum->order == AdditionOrder::Relaxed ||
                                                            (use.sum->order == AdditionOrder::Default && !areOrdered)));
        });
        for (const Use& use : uses[i])
            if (canMove && use.sum) all[i].sumNames.push_back(use.sum->name);
    }
}

/// A task for which coordinates are computed as an example. Its own coordinates all differ.
const ForallSetting somewhere{.task = {50, 60, 70, 80}};

/// For each of an element's coordinates, the axis of the index along which it grows by one from task to task, or the
/// index's rank if there is none.
std::vector<std::uint32_t> BodyUses::movesOf(const CXXOperatorCallExpr& element) const {
    std::vector<std::uint32_t> moves;
    if (element.getNumArgs() == 2 && index_.isWholeIndex(*element.getArg(1))) {
        for (std::uint32_t axis = 0; axis < index_.rank(); ++axis) moves.push_back(axis);
        return moves;
    }
    for (unsigned i = 1; i < element.getNumArgs(); ++i) {
        std::uint32_t found = index_.rank();
        const ForallValue here = values_.of(*element.getArg(i), somewhere);
        for (std::uint32_t axis = 0; axis < index_.rank() && here.kind == ForallValue::Kind::Number; ++axis) {
            ForallSetting next = somewhere;
            ++next.task[axis];
            const ForallValue there = values_.of(*element.getArg(i), next);
            if (there.kind == ForallValue::Kind::Number && there.number - here.number == 1) found = axis;
        }
        moves.push_back(found);
    }
    return moves;
}

/// Updates `reach`, the largest distance between an element and the task's own coordinates along each axis of the
/// index, by one element. Distances that are too large for tiles, or that only a call knows, are left out.
void BodyUses::addReach(const CXXOperatorCallExpr& element, std::vector<std::uint32_t>& reach) const {
    static constexpr std::int64_t most = 8;
    const std::vector<std::uint32_t> moves = movesOf(element);
    if (element.getNumArgs() == 2 && moves.size() > 1) return;  // in[at]
    for (unsigned i = 1; i < element.getNumArgs(); ++i) {
        const std::uint32_t axis = moves[i - 1];
        if (axis >= index_.rank()) continue;
        const ForallValue coordinate = values_.of(*element.getArg(i), somewhere);
        const std::int64_t distance = std::abs(coordinate.number - somewhere.task[axis]);
        if (distance > most || coordinate.isAssumed) continue;
        if (reach.empty() && distance > 0) reach.resize(index_.rank());
        if (distance > 0) reach[axis] = std::max(reach[axis], static_cast<std::uint32_t>(distance));
    }
}

/// As IndexAxes::followedBy(), but nothing unless each axis of the index is there.
std::optional<std::vector<std::uint32_t>> BodyUses::axesOf(const CXXOperatorCallExpr& subscript) const {
    std::optional<std::vector<std::uint32_t>> axes = index_.followedBy(subscript);
    return axes && axes->size() == index_.rank() ? axes : std::nullopt;
}

/// Whether an element's first coordinate is that of the task's index, and its address is not taken.
bool BodyUses::isInOwnRow(const CXXOperatorCallExpr& element) const {
    const Stmt* parent = parentOf(element);
    while (isa_and_nonnull<MemberExpr>(parent)) parent = parentOf(*parent);
    if (const auto* unary = dyn_cast_or_null<UnaryOperator>(parent); unary && unary->getOpcode() == UO_AddrOf)
        return false;
    const bool isWhole = element.getNumArgs() == 2 && index_.isWholeIndex(*element.getArg(1));
    return isWhole || (element.getNumArgs() > 1 && index_.axisOf(*element.getArg(1)) == 0u);
}

/// Whether every task reads or writes something of an element: `part` refers to it, or to a part of it. `isReached`:
/// whether no return is before that.
bool BodyUses::isAlwaysAccessed(const Expr& part, bool isReached) const {
    const Expr* target = &part;
    const Stmt* user = parentOf(parents_.referring(*target));
    for (;; user = parentOf(parents_.referring(*target))) {
        if (const auto* member = dyn_cast_or_null<MemberExpr>(user);
            member && isa<FieldDecl>(member->getMemberDecl())) {
            target = member;
            continue;
        }
        if (const auto* item = dyn_cast_or_null<ArraySubscriptExpr>(user)) {
            if (item->getBase()->IgnoreParens() != target) return false;
            target = item;
            continue;
        }
        const auto* cast = dyn_cast_or_null<ImplicitCastExpr>(user);
        if (!cast) break;
        if (cast->getCastKind() == CK_LValueToRValue) return isReached && runs_.isAlwaysRun(part);
        if (cast->getCastKind() == CK_ArrayToPointerDecay && !isa_and_nonnull<ArraySubscriptExpr>(parentOf(*cast)))
            return false;
        target = cast;
    }
    const auto isTarget = [&](const Expr* e) { return e->IgnoreParens() == &parents_.referring(*target); };
    bool isAccess = false;
    if (const auto* assignment = dyn_cast_or_null<BinaryOperator>(user))
        isAccess = assignment->isAssignmentOp() && isTarget(assignment->getLHS());
    else if (const auto* unary = dyn_cast_or_null<UnaryOperator>(user))
        isAccess = unary->isIncrementDecrementOp();
    else if (const auto* call = dyn_cast_or_null<CXXOperatorCallExpr>(user))
        isAccess = isa_and_nonnull<CXXMethodDecl>(call->getDirectCallee()) && isTarget(call->getArg(0));
    else if (const auto* member = dyn_cast_or_null<MemberExpr>(user))
        isAccess = isa<CXXMethodDecl>(member->getMemberDecl()) && member->getMemberDecl()->isCXXInstanceMember();
    else if (const auto* declared = dyn_cast_or_null<DeclStmt>(user))
        return isAlwaysAccessedThrough(*declared, *target, isReached);
    return isAccess && isReached && runs_.isAlwaysRun(part);
}

/// The same, where a reference is made to a part of an element: by `auto& q = p[i];` or a loop over it.
bool BodyUses::isAlwaysAccessedThrough(const DeclStmt& reference, const Expr& part, bool isReached) const {
    if (!runs_.isAlwaysRun(part)) return false;  // c ? x[i] : y[i]
    const auto isUsed = [&](const VarDecl& variable) {
        return llvm::any_of(mentions_.of(variable), [&](const Mention& mention) {
            return isAlwaysAccessed(*mention.expression, mention.isReached);
        });
    };
    if (const auto* loop = dyn_cast_or_null<CXXForRangeStmt>(parents_.written(reference));
        loop && &reference == loop->getRangeStmt()) {
        const VarDecl& variable = *loop->getLoopVariable();
        if (variable.getType()->isReferenceType()) return isUsed(variable);
        return isReached && tripsOf(*loop, body_.getASTContext()).value_or(0) > 0;
    }
    for (const Decl* declared : reference.decls()) {
        const auto* variable = dyn_cast<VarDecl>(declared);
        if (!variable || !variable->getType()->isReferenceType() || !variable->getInit()) continue;
        if (variable->getInit()->IgnoreParens() == &parents_.referring(part) && isUsed(*variable)) return true;
    }
    return false;
}

/// Whether an expression has elements of views in it, or local variables that are made from some.
bool BodyUses::comesFromData(const Stmt& expression, llvm::SmallPtrSetImpl<const ValueDecl*>& seen) const {
    if (const auto* reference = dyn_cast<DeclRefExpr>(&expression)) {
        const ValueDecl& declared = *reference->getDecl();
        if (!seen.insert(&declared).second) return false;
        const auto* binding = dyn_cast<BindingDecl>(&declared);
        const auto* made = dyn_cast_or_null<VarDecl>(binding ? binding->getDecomposedDecl() : &declared);
        if (!made || !made->isLocalVarDecl()) return false;
        if (made->getInit() && comesFromData(*made->getInit(), seen)) return true;
        return llvm::any_of(mentions_.of(declared), [&](const Mention& mention) {
            const auto* assignment = dyn_cast_or_null<BinaryOperator>(parentOf(*mention.expression));
            return assignment && assignment->isAssignmentOp() && comesFromData(*assignment->getRHS(), seen);
        });
    }
    if (const auto* call = dyn_cast<CXXOperatorCallExpr>(&expression)) {
        const auto* view = dyn_cast<DeclRefExpr>(call->getArg(0)->IgnoreParenImpCasts());
        const bool isElement = call->getOperator() == OO_Subscript || call->getOperator() == OO_Call;
        if (isElement && view && view->getDecl() != body_.getParamDecl(0) && isa<ParmVarDecl>(view->getDecl()))
            return true;
    }
    return llvm::any_of(expression.children(), [&](const Stmt* child) { return child && comesFromData(*child, seen); });
}

/// Whether some coordinate of an element is computed from elements of views.
bool BodyUses::hasDataPlace(const CXXOperatorCallExpr& element) const {
    llvm::SmallPtrSet<const ValueDecl*, 8> seen;
    for (unsigned i = 1; i < element.getNumArgs(); ++i)
        if (comesFromData(*element.getArg(i), seen)) return true;
    return false;
}

/// What a body does with one of its views: the properties of all references together.
ViewUse BodyUses::of(const ParmVarDecl& view) const {
    ViewUse all;
    all.ownRows = index_.isIndexOnlyRead();
    all.isSummed = true;
    bool isOwn = index_.isIndexOnlyRead();
    for (const Mention& mention : mentions_.of(view)) {
        const Use use = useOf(*mention.expression);
        all.access = merged(all.access, use.access);
        all.isHandedOn |= use.isHandedOn;
        all.isSummed = all.isSummed && (use.access == Access::None || (use.sum && use.element));
        if (all.moves.empty() && use.element && index_.isIndexOnlyRead()) all.moves = movesOf(*use.element);
        all.hasDataPlaces |= use.element && hasDataPlace(*use.element);
        all.isInLoops |= use.access != Access::None && runs_.isInLoop(*mention.expression);
        if (use.access != Access::None) all.ownRows = all.ownRows && use.element && isInOwnRow(*use.element);
        // Every task reaches a statement that is directly in the body.
        const bool isCertain = use.store && mention.isReached && parentOf(*use.store) == body_.getBody();
        if (asksStride(*mention.expression)) isOwn = false;
        if (use.access != Access::None) {
            const auto axes = use.element && use.isValue && isOwn ? index_.followedBy(*use.element) : std::nullopt;
            isOwn = axes && (all.own.empty() || all.own == *axes);
            if (isOwn) all.own = *axes;
            all.isAssigned |= isOwn && isCertain;
        }
        if (reads(use.access)) all.isReadSometimes |= !mention.isReached || runs_.isConditional(*mention.expression);
        if (use.access == Access::Read && use.element && index_.isIndexOnlyRead()) addReach(*use.element, all.reach);
        if (!use.element || !all.follows.empty() || !index_.isIndexOnlyRead()) continue;
        const bool isAccess = use.store || use.sum || (reads(use.access) && use.isValue);
        const bool isTouched = (isAccess && mention.isReached && runs_.isAlwaysRun(*mention.expression)) ||
                               isAlwaysAccessed(*use.element, mention.isReached);
        if (!isTouched) continue;
        if (const auto axes = axesOf(*use.element)) all.follows = *axes;
    }
    if (all.access == Access::None) all.ownRows = all.isSummed = false;
    isOwn = isOwn && !all.own.empty();
    if (isOwn && all.own.size() < index_.rank()) {
        if (all.access == Access::Read) all.shared = all.own;
        isOwn = false;
    }
    if (!isOwn) all.own.clear();
    all.isAssigned = all.isAssigned && isOwn;
    return all;
}

}  // namespace

std::vector<ViewUse> viewUses(const FunctionDecl& body) {
    const BodyUses uses(body);
    std::vector<ViewUse> all;
    for (const ParmVarDecl* parameter : body.parameters().drop_front()) all.push_back(uses.of(*parameter));
    uses.findSumNames(all);
    return all;
}

}  // namespace foldwise
