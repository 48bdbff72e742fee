// generator/frontend/ForallValues.cpp: what the body of a forall kernel's lambda does with its variables and its index.
#include "ForallValues.hpp"

#include "Lowering.hpp"
#include "OnlyRead.hpp"
#include "Spelling.hpp"
#include "Vocabulary.hpp"

#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include <optional>

namespace foldwise {

using namespace clang;

namespace {

/// Collects the references to each parameter and variable of a body.
class MentionsFinder : public DynamicRecursiveASTVisitor {
  public:
    explicit MentionsFinder(std::map<const ValueDecl*, std::vector<const DeclRefExpr*>>& found) : found_(found) {}
    bool VisitDeclRefExpr(DeclRefExpr* e) override {
        found_[e->getDecl()].push_back(e);
        return true;
    }

  private:
    std::map<const ValueDecl*, std::vector<const DeclRefExpr*>>& found_;
};

}  // namespace

const Expr& ForallValues::ignoreNoOps(const Expr& expression) {
    const Expr* e = expression.IgnoreParens();
    if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(e)) return ignoreNoOps(*temporary->getSubExpr());
    if (const auto* full = dyn_cast<FullExpr>(e)) return ignoreNoOps(*full->getSubExpr());
    if (const auto* bound = dyn_cast<CXXBindTemporaryExpr>(e)) return ignoreNoOps(*bound->getSubExpr());
    if (const auto* cast = dyn_cast<CastExpr>(e); cast && cast->getCastKind() == CK_NoOp)
        return ignoreNoOps(*cast->getSubExpr());
    if (const auto* parameter = dyn_cast<SubstNonTypeTemplateParmExpr>(e))
        return ignoreNoOps(*parameter->getReplacement());
    return *e;
}

ForallValues::ForallValues(const FunctionDecl& body)
    : body_(body), index_(*body.getParamDecl(0)), axes_(indexRank(body)), parents_(body.getBody()) {
    MentionsFinder(mentions_).TraverseStmt(body.getBody());
}

ForallValues::ForallValues(const FunctionDecl& phase, const FunctionDecl& block, llvm::ArrayRef<std::uint64_t> extents)
    : body_(phase), index_(*phase.getParamDecl(0)), axes_(indexRank(phase)), block_(&block),
      items_(extents.begin(), extents.end()), parents_(block.getBody()) {
    MentionsFinder(mentions_).TraverseStmt(block.getBody());
}

const CXXOperatorCallExpr* ForallValues::elementOf(const Expr& expression) const {
    const Expr& e = ignoreNoOps(expression);
    if (const auto* reference = dyn_cast<DeclRefExpr>(&e)) {
        const auto* variable = dyn_cast<VarDecl>(reference->getDecl());
        const bool refers = variable && variable->isLocalVarDecl() && variable->getType()->isLValueReferenceType();
        return refers && variable->getInit() ? elementOf(*variable->getInit()) : nullptr;
    }
    if (const auto* unary = dyn_cast<UnaryOperator>(&e); unary && unary->getOpcode() == UO_Deref) {
        const auto* pointer = dyn_cast<DeclRefExpr>(unary->getSubExpr()->IgnoreParenImpCasts());
        const auto* variable = pointer ? dyn_cast<VarDecl>(pointer->getDecl()) : nullptr;
        if (!variable || !variable->isLocalVarDecl() || !variable->getInit() || !isOnlyRead(*variable)) return nullptr;
        const auto* address = dyn_cast<UnaryOperator>(&ignoreNoOps(*variable->getInit()));
        return address && address->getOpcode() == UO_AddrOf ? elementOf(*address->getSubExpr()) : nullptr;
    }
    const auto* call = dyn_cast<CXXOperatorCallExpr>(&e);
    if (!call || (call->getOperator() != OO_Subscript && call->getOperator() != OO_Call)) return nullptr;
    const auto* array = dyn_cast<DeclRefExpr>(call->getArg(0)->IgnoreParenImpCasts());
    if (!array) return nullptr;
    const bool isArray = isa<ParmVarDecl>(array->getDecl())
                             ? isView(array->getType())
                             : isSharedArray(array->getType()) && isa<VarDecl>(array->getDecl()) &&
                                   !array->getDecl()->getType()->isReferenceType();
    return isArray ? call : nullptr;
}

const VarDecl& ForallValues::viewOf(const CXXOperatorCallExpr& element) {
    return *cast<VarDecl>(cast<DeclRefExpr>(element.getArg(0)->IgnoreParenImpCasts())->getDecl());
}

std::optional<std::int64_t> ForallValues::blocksBeforeIndex(const Expr& expression) const {
    const Expr& e = ignoreNoOps(expression);
    if (const auto* made = dyn_cast<CXXConstructExpr>(&e); made && made->getNumArgs() == 1 && isIndex(made->getType()))
        return blocksBeforeIndex(*made->getArg(0));
    if (const auto* cast = dyn_cast<CastExpr>(&e); cast && isIndex(cast->getType()))
        return blocksBeforeIndex(*cast->getSubExpr());
    if (const auto* call = dyn_cast<CXXMemberCallExpr>(&e)) {
        const CXXMethodDecl* method = call->getMethodDecl();
        const bool isPosition = method && method->getIdentifier() && method->getName() == "at" &&
                                call->getNumArgs() == 1 && isBlock(*call->getImplicitObjectArgument());
        return isPosition && blocksBeforeIndex(*call->getArg(0)) ? std::optional(blocksBefore_) : std::nullopt;
    }
    const auto* reference = dyn_cast<DeclRefExpr>(&e);
    if (!reference) return std::nullopt;
    if (reference->getDecl() == &index_) return 0;
    const auto* local = dyn_cast<VarDecl>(reference->getDecl());
    const bool isMade =
        local && local->isLocalVarDecl() && isIndex(local->getType()) && local->getInit() && isOnlyRead(*local);
    return isMade ? blocksBeforeIndex(*local->getInit()) : std::nullopt;
}

bool ForallValues::isBlock(const Expr& expression) const {
    const auto* reference = dyn_cast<DeclRefExpr>(expression.IgnoreParenImpCasts());
    return reference && block_ && reference->getDecl() == block_->getParamDecl(0);
}

bool ForallValues::isOwn(const CXXOperatorCallExpr& element) const {
    return element.getNumArgs() == 2 && blocksBeforeIndex(*element.getArg(1)) == 0 && isOnlyRead(index_);
}

std::optional<std::vector<std::int64_t>> ForallValues::wholePlace(const CXXOperatorCallExpr& element,
                                                                  const ForallSetting::Task& task) const {
    const std::optional<std::int64_t> before =
        element.getNumArgs() == 2 ? blocksBeforeIndex(*element.getArg(1)) : std::nullopt;
    if (!before || !isOnlyRead(index_)) return std::nullopt;
    std::vector<std::int64_t> place(task.begin(), task.begin() + axes_);
    for (unsigned axis = 0; *before != 0 && axis < axes_; ++axis) place[axis] += *before * items_[axis];
    return place;
}

bool ForallValues::isWithin(const Stmt& statement, const Stmt& outer) const {
    for (const Stmt* s = &statement; s; s = parents_.written(*s))
        if (s == &outer) return true;
    return false;
}

bool ForallValues::isOnlyRead(const ValueDecl& variable, const Stmt* except) const {
    if (variable.getType().getNonReferenceType().isConstQualified()) return true;
    const auto mentioned = mentions_.find(&variable);
    if (mentioned == mentions_.end()) return true;
    return llvm::all_of(mentioned->second, [&](const DeclRefExpr* mention) {
        if (except && isWithin(*mention, *except)) return true;
        return foldwise::isOnlyRead(*mention, parents_);
    });
}

bool ForallValues::changesIn(const VarDecl& variable, const Stmt& statement) const {
    const auto mentioned = mentions_.find(&variable);
    return mentioned != mentions_.end() && llvm::any_of(mentioned->second, [&](const DeclRefExpr* mention) {
               return isWithin(*mention, statement) && !foldwise::isOnlyRead(*mention, parents_);
           });
}

bool ForallValues::hasAlias(const VarDecl& variable) const {
    const auto mentioned = mentions_.find(&variable);
    return mentioned != mentions_.end() && llvm::any_of(mentioned->second, [&](const DeclRefExpr* mention) {
               if (foldwise::isOnlyRead(*mention, parents_)) return false;
               for (const Stmt* outer = mention; outer; outer = parents_.written(*outer))
                   if (isa<LambdaExpr>(outer)) return true;
               const Stmt* user = parents_.of(*mention);
               const auto* assignment = dyn_cast_or_null<BinaryOperator>(user);
               const auto* step = dyn_cast_or_null<UnaryOperator>(user);
               const auto* call = dyn_cast_or_null<CallExpr>(user);
               const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
               const bool isSwap =
                   callee && callee->isInStdNamespace() && callee->getIdentifier() && callee->getName() == "swap";
               const bool isFollowed =
                   (assignment && assignment->isAssignmentOp()) || (step && step->isIncrementDecrementOp()) || isSwap;
               return !isFollowed || !isDiscarded(*cast<Expr>(user));
           });
}

std::optional<std::vector<const Expr*>> ForallValues::assignedTo(const VarDecl& variable) const {
    std::vector<const Expr*> values;
    const auto mentioned = mentions_.find(&variable);
    if (!variable.isLocalVarDecl() || mentioned == mentions_.end()) return std::nullopt;
    for (const DeclRefExpr* mention : mentioned->second) {
        const Stmt* parent = parentOf(*mention);
        if (const auto* assignment = dyn_cast_or_null<BinaryOperator>(parent);
            assignment && assignment->getOpcode() == BO_Assign && assignment->getLHS()->IgnoreParens() == mention) {
            values.push_back(assignment->getRHS());
            continue;
        }
        const auto* read = dyn_cast_or_null<ImplicitCastExpr>(parentOf(parents_.referring(*mention)));
        if (!read || (read->getCastKind() != CK_LValueToRValue && !read->getType().isConstQualified()))
            return std::nullopt;
    }
    // `k = k + 1` can go on without end, which `k = std::min(k, 9)` does not.
    for (const Expr* value : values) {
        const auto* call = dyn_cast<CallExpr>(value->IgnoreParenImpCasts());
        const FunctionDecl* function = call ? call->getDirectCallee() : nullptr;
        if (function && function->isInStdNamespace()) continue;
        if (llvm::any_of(mentioned->second, [&](const DeclRefExpr* mention) { return isWithin(*mention, *value); }))
            return std::nullopt;
    }
    return values;
}

std::string ForallValues::text(const Expr& expression) const { return sourceOf(expression, body_.getASTContext()); }

}  // namespace foldwise
