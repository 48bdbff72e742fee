// generator/frontend/OverwrittenCores.cpp: looks for loops that assign all elements of an output.
#include "OverwrittenCores.hpp"

#include "CoreLoops.hpp"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>

#include <optional>

namespace foldwise {

using namespace clang;

namespace {

/// The left and right side of `a = b`, of numbers or of class types.
std::optional<std::pair<const Expr*, const Expr*>> assignment(const Stmt& statement) {
    const auto* e = dyn_cast<Expr>(&statement);
    if (!e) return std::nullopt;
    e = e->IgnoreUnlessSpelledInSource();
    if (const auto* numbers = dyn_cast<BinaryOperator>(e); numbers && numbers->getOpcode() == BO_Assign)
        return std::pair{numbers->getLHS(), numbers->getRHS()};
    if (const auto* objects = dyn_cast<CXXOperatorCallExpr>(e); objects && objects->getOperator() == OO_Equal)
        return std::pair{objects->getArg(0), objects->getArg(1)};
    return std::nullopt;
}

/// The parameters that a statement may read: those that it names other than to assign an element or to ask for an
/// extent.
class Reads : public DynamicRecursiveASTVisitor {
  public:
    bool VisitStmt(Stmt* s) override {
        if (const auto assigned = assignment(*s)) {
            const Expr* target = assigned->first->IgnoreUnlessSpelledInSource();
            if (const auto* element = dyn_cast<CXXOperatorCallExpr>(target)) target = element->getArg(0);
            harmless_.insert(target->IgnoreUnlessSpelledInSource());
        }
        if (const auto* call = dyn_cast<CXXMemberCallExpr>(s); call && call->getMethodDecl() &&
                                                               call->getMethodDecl()->getDeclName().isIdentifier() &&
                                                               call->getMethodDecl()->getName() == "extent")
            harmless_.insert(call->getImplicitObjectArgument()->IgnoreUnlessSpelledInSource());
        if (const auto* reference = dyn_cast<DeclRefExpr>(s); reference && !harmless_.contains(reference))
            found.insert(reference->getDecl());
        return true;
    }
    llvm::SmallPtrSet<const ValueDecl*, 8> found;

  private:
    llvm::SmallPtrSet<const Stmt*, 16> harmless_;  // a statement is visited before its parts
};

class OverwriteSearch {
  public:
    OverwriteSearch(const FunctionDecl& body, const CoreLayout& layout)
        : body_(body), layout_(layout), core_(body, layout), overwritten(body.getNumParams(), false),
          read_(body.getNumParams(), false) {}

    void look() {
        const auto* all = dyn_cast_if_present<CompoundStmt>(body_.getBody());
        if (!all || endsEarly(*all)) return;
        for (const Stmt* one : all->body()) {
            Reads reads;
            reads.TraverseStmt(const_cast<Stmt*>(one));
            for (unsigned i = 0; i < body_.getNumParams(); ++i)
                if (reads.found.contains(body_.getParamDecl(i))) read_[i] = true;
            lookAt(*one);
        }
    }

  private:
    void lookAt(const Stmt& statement) {
        if (const auto* several = dyn_cast<CompoundStmt>(&statement)) {
            for (const Stmt* one : several->body()) lookAt(*one);
        } else if (const auto* loop = dyn_cast<ForStmt>(&statement)) {
            const std::optional<CoreLoop> whole = core_.loopOver(*loop);
            if (!whole) return;
            loops_.push_back(*whole);
            lookAt(*loop->getBody());
            loops_.pop_back();
        } else if (const auto assigned = assignment(statement)) {
            const Expr* target = assigned->first->IgnoreUnlessSpelledInSource();
            for (auto i = static_cast<unsigned>(layout_.inputs); i < body_.getNumParams(); ++i)
                if (!read_[i] && assignsAll(*target, i)) overwritten[i] = true;
            lookAt(*assigned->second);  // a = b = c
        }
    }

    /// Whether the loops around it assign all elements of a parameter by this.
    bool assignsAll(const Expr& target, unsigned parameter) const {
        const auto& dimensions = layout_.operands[parameter];
        if (dimensions.empty()) return loops_.empty() && namedBy(target) == body_.getParamDecl(parameter);
        const auto* element = dyn_cast<CXXOperatorCallExpr>(&target);
        if (!element || namedBy(*element->getArg(0)) != body_.getParamDecl(parameter) ||
            element->getNumArgs() != dimensions.size() + 1 || loops_.size() != dimensions.size())
            return false;
        llvm::SmallPtrSet<const VarDecl*, 4> used;
        for (std::size_t axis = 0; axis < dimensions.size(); ++axis) {
            const ValueDecl* coordinate = namedBy(*element->getArg(static_cast<unsigned>(axis + 1)));
            const auto* own = llvm::find_if(loops_, [&](const CoreLoop& one) { return one.variable == coordinate; });
            if (own == loops_.end() || !used.insert(own->variable).second || !covers(*own, dimensions[axis]))
                return false;
        }
        return true;
    }

    bool covers(const CoreLoop& loop, unsigned dimension) const {
        if (loop.dimension) return *loop.dimension == dimension;
        return layout_.dimensions[dimension].size > 0 && loop.count == layout_.dimensions[dimension].size;
    }

    const FunctionDecl& body_;
    const CoreLayout& layout_;
    CoreLoops core_;
    llvm::SmallVector<CoreLoop, 4> loops_;

  public:
    std::vector<bool> overwritten;

  private:
    std::vector<bool> read_;
};

}  // namespace

std::vector<bool> findOverwritten(const FunctionDecl& body, const CoreLayout& layout) {
    OverwriteSearch search(body, layout);
    search.look();
    return search.overwritten;
}

}  // namespace foldwise
