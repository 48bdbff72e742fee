// generator/frontend/ParallelCores.cpp: looks for loops over core dimensions whose iterations are independent.
#include "ParallelCores.hpp"

#include "CoreLoops.hpp"
#include "Loops.hpp"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>

#include <optional>

namespace foldwise {

using namespace clang;

namespace {

/// Visits a body, and finds the core dimensions along which items can be divided: loops over them are independent, and
/// nothing depends on their extents or on where a part begins.
class ParallelSearch : public DynamicRecursiveASTVisitor {
  public:
    ParallelSearch(const FunctionDecl& body, const CoreLayout& layout)
        : body_(body), layout_(layout), core_(body, layout), parallel(layout.dimensions.size(), false) {
        for (unsigned i = 0; i < parallel.size(); ++i)
            parallel[i] = layout.dimensions[i].size == 0 && isOfAllOutputs(i);
    }

    /// A loop over a dimension. Nested loops over the same dimension, or iterations that depend on others, prevent
    /// dividing it.
    bool TraverseForStmt(ForStmt* loop) override {
        const std::optional<CoreLoop> whole = core_.loopOver(*loop);
        if (!whole || !whole->dimension) return DynamicRecursiveASTVisitor::TraverseForStmt(loop);
        const bool isInside =
            llvm::any_of(loops_, [&](const CoreLoop& one) { return one.dimension == whole->dimension; });
        if (isInside || leavesSomething(*loop->getBody(), *whole->variable)) parallel[*whole->dimension] = false;
        loops_.push_back(*whole);
        TraverseStmt(loop->getBody());  // not its condition, which may use the extent
        loops_.pop_back();
        return true;
    }
    /// An element of an operand. Its coordinate along a dimension that is divided has to be the variable of a loop over
    /// it.
    bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr* e) override {
        const std::optional<unsigned> of = e->getNumArgs() > 0 ? core_.operand(*e->getArg(0)) : std::nullopt;
        if (!of || e->getNumArgs() != layout_.operands[*of].size() + 1) return true;
        seen_.insert(e->getArg(0)->IgnoreUnlessSpelledInSource());
        for (unsigned axis = 0; axis < layout_.operands[*of].size(); ++axis) {
            const unsigned dimension = layout_.operands[*of][axis];
            const Expr* coordinate = e->getArg(axis + 1)->IgnoreUnlessSpelledInSource();
            if (isTurnOf(dimension, namedBy(*coordinate)))
                seen_.insert(coordinate);
            else
                parallel[dimension] = false;
        }
        return true;
    }
    /// A constant with the extent of a dimension, as in `const auto n = x.extent(0);`, which loops may use.
    bool VisitVarDecl(VarDecl* variable) override {
        const Expr* value = variable->hasInit() ? variable->getInit()->IgnoreUnlessSpelledInSource() : nullptr;
        const auto* call = dyn_cast_if_present<CXXMemberCallExpr>(value);
        const std::optional<unsigned> dimension = call ? core_.extentOf(*call) : std::nullopt;
        if (!dimension || !variable->getType().isConstQualified()) return true;
        extents_[variable] = *dimension;
        seen_.insert(call);
        return true;
    }
    /// Another use of an extent, which prevents dividing the dimension.
    bool VisitCXXMemberCallExpr(CXXMemberCallExpr* e) override {
        const std::optional<unsigned> dimension = core_.extentOf(*e);
        if (!dimension) return true;
        if (!seen_.contains(e)) parallel[*dimension] = false;  // a part has another extent
        seen_.insert(e->getImplicitObjectArgument()->IgnoreUnlessSpelledInSource());
        return true;
    }
    /// Another use of an operand, an extent, or a loop's variable, which prevents dividing their dimensions.
    bool VisitDeclRefExpr(DeclRefExpr* e) override {
        if (seen_.contains(e)) return true;
        if (const std::optional<unsigned> of = core_.operand(*e))
            for (const std::uint32_t dimension : layout_.operands[*of]) parallel[dimension] = false;
        if (const auto extent = extents_.find(e->getDecl()); extent != extents_.end()) parallel[extent->second] = false;
        for (const CoreLoop& one : loops_)  // it begins at 0 in each part
            if (one.variable == e->getDecl()) parallel[*one.dimension] = false;
        return true;
    }
    /// A lambda within the body, which prevents dividing all dimensions: each call may change what it captures.
    bool VisitLambdaExpr(LambdaExpr*) override {
        llvm::fill(parallel, false);
        return true;
    }

  private:
    /// Whether all outputs have a dimension, and no operand has it twice.
    bool isOfAllOutputs(unsigned dimension) const {
        for (std::size_t i = 0; i < layout_.operands.size(); ++i) {
            const auto times = llvm::count(layout_.operands[i], dimension);
            if (times > 1 || (times == 0 && i >= layout_.inputs)) return false;
        }
        return true;
    }

    /// Whether a coordinate is the variable of an enclosing loop over a dimension.
    bool isTurnOf(unsigned dimension, const ValueDecl* coordinate) const {
        return llvm::any_of(
            loops_, [&](const CoreLoop& one) { return one.dimension == dimension && one.variable == coordinate; });
    }

    /// Whether an iteration of a loop may change a variable that outlives it. Elements of operands do not count.
    bool leavesSomething(const Stmt& turn, const VarDecl& variable) const {
        struct Variables : DynamicRecursiveASTVisitor {
            bool VisitDeclRefExpr(DeclRefExpr* e) override {
                if (const auto* one = dyn_cast<VarDecl>(e->getDecl())) named.insert(one);
                return true;
            }
            bool VisitVarDecl(VarDecl* one) override {
                own.insert(one);
                return true;
            }
            llvm::SmallPtrSet<const VarDecl*, 8> named, own;
        } variables;
        variables.TraverseStmt(const_cast<Stmt*>(&turn));
        const Changes changes(turn, body_.getASTContext());
        return llvm::any_of(variables.named, [&](const VarDecl* one) {
            const bool isOwn = one == &variable || (variables.own.contains(one) && !one->isStaticLocal());
            return !isOwn && !isView(*one) && !changes.of(*one).empty();
        });
    }

    /// Whether a variable is an operand with core dimensions.
    bool isView(const VarDecl& variable) const {
        const auto* parameter = dyn_cast<ParmVarDecl>(&variable);
        return parameter && parameter->getDeclContext() == &body_ &&
               !layout_.operands[parameter->getFunctionScopeIndex()].empty();
    }

    const FunctionDecl& body_;
    const CoreLayout& layout_;
    CoreLoops core_;
    llvm::SmallVector<CoreLoop, 4> loops_;
    llvm::SmallDenseMap<const ValueDecl*, unsigned, 4> extents_;  // variables with the extent of a dimension
    llvm::SmallPtrSet<const Expr*, 16> seen_;  // references that do no harm; an expression is visited before its parts

  public:
    std::vector<bool> parallel;
};

}  // namespace

std::vector<bool> findParallel(const FunctionDecl& body, const CoreLayout& layout) {
    Stmt* all = body.getBody();
    if (!all || endsEarly(*all)) return std::vector<bool>(layout.dimensions.size(), false);
    ParallelSearch search(body, layout);
    search.TraverseStmt(all);
    return search.parallel;
}

}  // namespace foldwise
