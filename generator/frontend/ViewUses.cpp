// generator/frontend/ViewUses.cpp: finds out what a task does with a view from the expressions around each
// reference to it.
#include "ViewUses.hpp"

#include "AtomicSums.hpp"
#include "ForallValues.hpp"
#include "LoopTrips.hpp"
#include "Lowering.hpp"
#include "Parents.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/STLExtras.h>

#include <map>
#include <optional>

namespace foldwise {

using namespace clang;

namespace {

/// What tasks do with a view if one of its uses is `a` and another one is `b`.
Access merged(Access a, Access b) {
    if (a == Access::None) return b;
    return b == Access::None || a == b ? a : Access::ReadWrite;
}

/// A reference to a parameter or variable.
struct Mention {
    const DeclRefExpr* expression;
    bool isReached;  ///< Whether no return or goto is before it in the source, so that every task reaches it.
};

/// The mentions of each parameter and variable of a body, in the order of the source.
class Mentions : public DynamicRecursiveASTVisitor {
  public:
    explicit Mentions(const FunctionDecl& body) { TraverseStmt(body.getBody()); }

    bool VisitDeclRefExpr(DeclRefExpr* reference) override {
        of_[reference->getDecl()].push_back({reference, isReached_});
        return true;
    }
    bool VisitReturnStmt(ReturnStmt*) override { return leave(); }
    bool VisitGotoStmt(GotoStmt*) override { return leave(); }

    /// A return in a lambda within the body does not leave the body.
    bool TraverseLambdaExpr(LambdaExpr* lambda) override {
        const bool before = isReached_;
        const bool goesOn = DynamicRecursiveASTVisitor::TraverseLambdaExpr(lambda);
        isReached_ = before;
        return goesOn;
    }
    /// Local classes cannot refer to parameters or variables of the body.
    bool TraverseCXXRecordDecl(CXXRecordDecl*) override { return true; }

    const std::vector<Mention>& of(const ValueDecl& declaration) const {
        static const std::vector<Mention> none;
        const auto found = of_.find(&declaration);
        return found == of_.end() ? none : found->second;
    }

  private:
    bool leave() {
        isReached_ = false;
        return true;
    }

    std::map<const ValueDecl*, std::vector<Mention>> of_;
    bool isReached_ = true;
};

/// What a body does with the views that are its parameters.
class BodyUses {
  public:
    explicit BodyUses(const FunctionDecl& body)
        : body_(body), index_(*body.getParamDecl(0)), axes_(indexRank(body)), mentions_(body), parents_(body.getBody()),
          values_(body) {}

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
    const Expr& ignoreConversions(const Expr& expression) const;
    bool keepsCoordinates(const CastExpr& cast) const;
    std::optional<std::vector<std::uint32_t>> followedBy(const CXXOperatorCallExpr& subscript) const;
    std::optional<std::vector<std::uint32_t>> axesOf(const CXXOperatorCallExpr& subscript) const;
    std::optional<std::uint32_t> axisOf(const Expr& coordinate) const;
    std::optional<std::uint32_t> axisOfVariable(const ValueDecl& variable) const;
    bool isInOwnRow(const CXXOperatorCallExpr& element) const;
    bool isWholeIndex(const Expr& expression) const;
    bool isOnlyRead(const ValueDecl& variable) const;
    bool isInLoop(const Stmt& statement) const;
    bool isConditional(const Stmt& statement) const;
    bool isAlwaysRun(const Expr& expression) const;
    bool isAlwaysAccessed(const Expr& part, bool isReached) const;
    bool isAlwaysAccessedThrough(const DeclStmt& reference, const Expr& part, bool isReached) const;
    bool mayOrderOthers(const Use& use) const;
    std::vector<std::uint32_t> movesOf(const CXXOperatorCallExpr& element) const;
    void addReach(const CXXOperatorCallExpr& element, std::vector<std::uint32_t>& reach) const;
    bool comesFromData(const Stmt& expression, llvm::SmallPtrSetImpl<const ValueDecl*>& seen) const;
    bool hasDataPlace(const CXXOperatorCallExpr& element) const;

    const FunctionDecl& body_;  ///< The call operator of the kernel's lambda.
    const ParmVarDecl& index_;  ///< Its first parameter, the task's index.
    std::uint32_t axes_;        ///< The rank of the index.
    Mentions mentions_;
    Parents parents_;
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
        if (!isa<FieldDecl>(member->getMemberDecl())) return {};
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
    if (element.getNumArgs() == 2 && isWholeIndex(*element.getArg(1))) {
        for (std::uint32_t axis = 0; axis < axes_; ++axis) moves.push_back(axis);
        return moves;
    }
    for (unsigned i = 1; i < element.getNumArgs(); ++i) {
        std::uint32_t found = axes_;
        const ForallValue here = values_.of(*element.getArg(i), somewhere);
        for (std::uint32_t axis = 0; axis < axes_ && here.kind == ForallValue::Kind::Number; ++axis) {
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
/// index, by one element. Distances that are too large for tiles are left out.
void BodyUses::addReach(const CXXOperatorCallExpr& element, std::vector<std::uint32_t>& reach) const {
    static constexpr std::int64_t most = 8;
    const std::vector<std::uint32_t> moves = movesOf(element);
    if (element.getNumArgs() == 2 && moves.size() > 1) return;  // in[at]
    for (unsigned i = 1; i < element.getNumArgs(); ++i) {
        const std::uint32_t axis = moves[i - 1];
        if (axis >= axes_) continue;
        const std::int64_t distance = std::abs(values_.of(*element.getArg(i), somewhere).number - somewhere.task[axis]);
        if (distance > most) continue;
        if (reach.empty() && distance > 0) reach.resize(axes_);
        if (distance > 0) reach[axis] = std::max(reach[axis], static_cast<std::uint32_t>(distance));
    }
}

/// Whether a cast leaves coordinates as they are. Casts to a signed integer of 32 bits do: coordinates that it cannot
/// represent are taken to be beyond any view.
bool BodyUses::keepsCoordinates(const CastExpr& cast) const {
    const QualType type = cast.getType();
    switch (cast.getCastKind()) {
    case CK_LValueToRValue:
    case CK_NoOp:
    case CK_ConstructorConversion:
    case CK_UserDefinedConversion:
        return true;
    case CK_IntegralCast:
        return body_.getASTContext().getIntWidth(type) >= (type->isSignedIntegerType() ? 32 : 64);
    default:
        return false;
    }
}

/// Whether a class is foldwise::index.
bool isIndex(const CXXRecordDecl* type) { return type && type->getQualifiedNameAsString() == "foldwise::index"; }

/// The expression within parentheses and conversions that change no coordinates, those to and from index among them.
const Expr& BodyUses::ignoreConversions(const Expr& expression) const {
    const Expr* inner = expression.IgnoreParens();
    if (const auto* cast = dyn_cast<CastExpr>(inner); cast && keepsCoordinates(*cast))
        return ignoreConversions(*cast->getSubExpr());
    if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(inner))
        return ignoreConversions(*temporary->getSubExpr());
    if (const auto* converted = dyn_cast<CXXMemberCallExpr>(inner);
        converted && isa_and_nonnull<CXXConversionDecl>(converted->getMethodDecl()) &&
        isIndex(converted->getRecordDecl()))
        return ignoreConversions(*converted->getImplicitObjectArgument());
    if (const auto* made = dyn_cast<CXXConstructExpr>(inner);
        made && made->getNumArgs() == 1 && isIndex(made->getConstructor()->getParent()))
        return ignoreConversions(*made->getArg(0));
    return *inner;
}

/// Whether an expression is the task's index, rather than one of its coordinates.
bool BodyUses::isWholeIndex(const Expr& expression) const {
    const auto* reference = dyn_cast<DeclRefExpr>(&ignoreConversions(expression));
    return reference && reference->getDecl() == &index_;
}

/// Whether nothing changes a variable after its initialisation.
bool BodyUses::isOnlyRead(const ValueDecl& variable) const {
    if (variable.getType().getNonReferenceType().isConstQualified()) return true;
    return llvm::all_of(mentions_.of(variable), [&](const Mention& mention) {
        const Stmt* parent = parentOf(parents_.referring(*mention.expression));
        if (const auto* cast = dyn_cast_or_null<ImplicitCastExpr>(parent))
            return cast->getCastKind() == CK_LValueToRValue || cast->getType().isConstQualified();
        // Of at[axis], a reference that is read at once.
        const auto* call = dyn_cast_or_null<CXXOperatorCallExpr>(parent);
        if (!call || call->getOperator() != OO_Subscript) return false;
        const auto* read = dyn_cast_or_null<ImplicitCastExpr>(parentOf(parents_.referring(*call)));
        return read && read->getCastKind() == CK_LValueToRValue;
    });
}

/// The axis of the index whose coordinate a local variable has, as `r` in `auto [r, c] = at;` and in
/// `const auto r = at[0];`; nothing for other variables.
std::optional<std::uint32_t> BodyUses::axisOfVariable(const ValueDecl& variable) const {
    if (!isOnlyRead(variable)) return std::nullopt;
    if (const auto* binding = dyn_cast<BindingDecl>(&variable)) {
        const auto* all = dyn_cast_or_null<DecompositionDecl>(binding->getDecomposedDecl());
        if (!all || !all->getInit() || !isWholeIndex(*all->getInit())) return std::nullopt;
        for (const BindingDecl* other : all->bindings()) {
            if (!isOnlyRead(*other)) return std::nullopt;
        }
        return static_cast<std::uint32_t>(llvm::find(all->bindings(), binding) - all->bindings().begin());
    }
    const auto* local = dyn_cast<VarDecl>(&variable);
    const bool isValue = local && local->isLocalVarDecl() && !local->getType()->isReferenceType() && local->getInit();
    return isValue ? axisOf(*local->getInit()) : std::nullopt;
}

/// The axis of the index whose coordinate an expression is; nothing for other expressions.
std::optional<std::uint32_t> BodyUses::axisOf(const Expr& coordinate) const {
    const Expr& inner = ignoreConversions(coordinate);
    if (isWholeIndex(inner)) return axes_ == 1 ? std::optional<std::uint32_t>(0) : std::nullopt;
    if (const auto* reference = dyn_cast<DeclRefExpr>(&inner)) return axisOfVariable(*reference->getDecl());
    const auto* call = dyn_cast<CXXOperatorCallExpr>(&inner);
    if (!call || call->getOperator() != OO_Subscript || !isWholeIndex(*call->getArg(0))) return std::nullopt;
    const auto* number = dyn_cast<IntegerLiteral>(call->getArg(1)->IgnoreParenImpCasts());
    if (!number) return std::nullopt;
    return static_cast<std::uint32_t>(number->getValue().getZExtValue());
}

/// For each coordinate of an element, the axis of the index whose coordinate it is; nothing unless all are of different
/// axes.
std::optional<std::vector<std::uint32_t>> BodyUses::followedBy(const CXXOperatorCallExpr& subscript) const {
    std::vector<std::uint32_t> axes;
    if (subscript.getNumArgs() == 2 && isWholeIndex(*subscript.getArg(1))) {
        for (std::uint32_t axis = 0; axis < axes_; ++axis) axes.push_back(axis);
        return axes;
    }
    for (unsigned i = 1; i < subscript.getNumArgs(); ++i) {
        const std::optional<std::uint32_t> axis = axisOf(*subscript.getArg(i));
        if (!axis || *axis >= axes_ || llvm::is_contained(axes, *axis)) return std::nullopt;
        axes.push_back(*axis);
    }
    return axes;
}

/// As followedBy(), but nothing unless each axis of the index is there.
std::optional<std::vector<std::uint32_t>> BodyUses::axesOf(const CXXOperatorCallExpr& subscript) const {
    std::optional<std::vector<std::uint32_t>> axes = followedBy(subscript);
    return axes && axes->size() == axes_ ? axes : std::nullopt;
}

/// Whether an element's first coordinate is that of the task's index, and its address is not taken.
bool BodyUses::isInOwnRow(const CXXOperatorCallExpr& element) const {
    const Stmt* parent = parentOf(element);
    while (isa_and_nonnull<MemberExpr>(parent)) parent = parentOf(*parent);
    if (const auto* unary = dyn_cast_or_null<UnaryOperator>(parent); unary && unary->getOpcode() == UO_AddrOf)
        return false;
    const bool isWhole = element.getNumArgs() == 2 && isWholeIndex(*element.getArg(1));
    return isWhole || (element.getNumArgs() > 1 && axisOf(*element.getArg(1)) == 0u);
}

bool isLoop(const Stmt& statement) { return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(statement); }

/// Whether a statement is in a loop of the body.
bool BodyUses::isInLoop(const Stmt& statement) const {
    for (const Stmt* s = parents_.written(statement); s; s = parents_.written(*s))
        if (isLoop(*s)) return true;
    return false;
}

/// Whether a statement is run only under a condition within the body.
bool BodyUses::isConditional(const Stmt& statement) const {
    const Stmt* child = &statement;
    for (const Stmt* s = parents_.written(*child); s; child = s, s = parents_.written(*s)) {
        if (const auto* choice = dyn_cast<AbstractConditionalOperator>(s); choice && child != choice->getCond())
            return true;
        if (const auto* branch = dyn_cast<IfStmt>(s); branch && child != branch->getCond()) return true;
        if (const auto* both = dyn_cast<BinaryOperator>(s); both && both->isLogicalOp() && child == both->getRHS())
            return true;
        if (isa<SwitchStmt, LambdaExpr>(s)) return true;
    }
    return false;
}

/// Whether some of a loop's turns may end before they are through: by `break`, `continue`, `return` or `goto`.
bool isCutShort(const Stmt* s) {
    if (!s || isa<LambdaExpr>(s)) return false;
    if (isa<BreakStmt, ContinueStmt, ReturnStmt, GotoStmt, IndirectGotoStmt>(s)) return true;
    return llvm::any_of(s->children(), [](const Stmt* child) { return isCutShort(child); });
}

/// Whether a loop certainly runs one of its parts: its body if that is known to have a turn.
bool runsPart(const Stmt& loop, const Stmt& part, const ASTContext& context) {
    if (const auto* counted = dyn_cast<ForStmt>(&loop)) {
        if (&part == counted->getInit() || &part == counted->getCond()) return true;
        return !isCutShort(counted->getBody()) && tripsOf(*counted, context).value_or(0) > 0;
    }
    if (const auto* over = dyn_cast<CXXForRangeStmt>(&loop)) {
        if (&part == over->getInit() || &part == over->getRangeStmt()) return true;
        return &part == over->getBody() && !isCutShort(over->getBody()) && tripsOf(*over, context).value_or(0) > 0;
    }
    if (const auto* whileLoop = dyn_cast<WhileStmt>(&loop)) return &part == whileLoop->getCond();
    return !isCutShort(cast<DoStmt>(loop).getBody());
}

/// Whether every task that has not returned before an expression evaluates it.
bool BodyUses::isAlwaysRun(const Expr& expression) const {
    if (isConditional(expression)) return false;
    const Stmt* child = &expression;
    for (const Stmt* s = parents_.written(*child); s; child = s, s = parents_.written(*s)) {
        if (isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, CXXTypeidExpr>(s)) return false;
        if (isLoop(*s) && !runsPart(*s, *child, body_.getASTContext())) return false;
    }
    return child == body_.getBody();  // what is in a type, as in decltype, has other parents
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
        if (cast->getCastKind() == CK_LValueToRValue) return isReached && isAlwaysRun(part);
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
    return isAccess && isReached && isAlwaysRun(part);
}

/// The same, where a reference is made to a part of an element: by `auto& q = p[i];` or a loop over it.
bool BodyUses::isAlwaysAccessedThrough(const DeclStmt& reference, const Expr& part, bool isReached) const {
    if (!isAlwaysRun(part)) return false;  // c ? x[i] : y[i]
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
        if (isElement && view && view->getDecl() != &index_ && isa<ParmVarDecl>(view->getDecl())) return true;
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
    all.ownRows = isOnlyRead(index_);
    all.isSummed = true;
    bool isOwn = isOnlyRead(index_);
    for (const Mention& mention : mentions_.of(view)) {
        const Use use = useOf(*mention.expression);
        all.access = merged(all.access, use.access);
        all.isHandedOn |= use.isHandedOn;
        all.isSummed = all.isSummed && (use.access == Access::None || (use.sum && use.element));
        if (all.moves.empty() && use.element && isOnlyRead(index_)) all.moves = movesOf(*use.element);
        all.hasDataPlaces |= use.element && hasDataPlace(*use.element);
        all.isInLoops |= use.access != Access::None && isInLoop(*mention.expression);
        if (use.access != Access::None) all.ownRows = all.ownRows && use.element && isInOwnRow(*use.element);
        // Every task reaches a statement that is directly in the body.
        const bool isCertain = use.store && mention.isReached && parentOf(*use.store) == body_.getBody();
        if (asksStride(*mention.expression)) isOwn = false;
        if (use.access != Access::None) {
            const auto axes = use.element && use.isValue && isOwn ? followedBy(*use.element) : std::nullopt;
            isOwn = axes && (all.own.empty() || all.own == *axes);
            if (isOwn) all.own = *axes;
            all.isAssigned |= isOwn && isCertain;
        }
        if (reads(use.access)) all.isReadSometimes |= !mention.isReached || isConditional(*mention.expression);
        if (use.access == Access::Read && use.element && isOnlyRead(index_)) addReach(*use.element, all.reach);
        if (!use.element || !all.follows.empty() || !isOnlyRead(index_)) continue;
        const bool isAccess = use.store || use.sum || (reads(use.access) && use.isValue);
        const bool isTouched = (isAccess && mention.isReached && isAlwaysRun(*mention.expression)) ||
                               isAlwaysAccessed(*use.element, mention.isReached);
        if (!isTouched) continue;
        if (const auto axes = axesOf(*use.element)) all.follows = *axes;
    }
    if (all.access == Access::None) all.ownRows = all.isSummed = false;
    isOwn = isOwn && !all.own.empty();
    if (isOwn && all.own.size() < axes_) {
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
