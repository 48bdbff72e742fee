// generator/frontend/ElementwiseTasks.cpp: looks for mentions of the index, of variables that have its coordinates, and
// of views, outside the subscripts of elements.
#include "ElementwiseTasks.hpp"

#include "IndexAxes.hpp"
#include "Mentions.hpp"
#include "Parents.hpp"
#include "Vocabulary.hpp"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/STLExtras.h>

namespace foldwise {

using namespace clang;

namespace {

/// Looks for uses of the index and of views other than in the subscripts of elements, and stops at the first.
class OtherUses : public DynamicRecursiveASTVisitor {
  public:
    explicit OtherUses(const FunctionDecl& body)
        : body_(body), mentions_(body), parents_(body.getBody()), index_(body, mentions_, parents_) {}

    /// Skips the subscripts of elements.
    bool TraverseCXXOperatorCallExpr(CXXOperatorCallExpr* e) override {
        const bool isSubscript = e->getOperator() == OO_Subscript || e->getOperator() == OO_Call;
        const auto* view = isSubscript ? dyn_cast<DeclRefExpr>(e->getArg(0)->IgnoreParenImpCasts()) : nullptr;
        if (view && isa<ParmVarDecl>(view->getDecl()) && isView(view->getType()) && index_.followedBy(*e)) return true;
        return DynamicRecursiveASTVisitor::TraverseCXXOperatorCallExpr(e);
    }
    /// Skips the initialisers of variables that hold a coordinate of the index: their uses are what counts.
    bool TraverseVarDecl(VarDecl* d) override {
        const bool isCoordinate = d->isLocalVarDecl() && !d->getType()->isReferenceType() && d->getInit() &&
                                  index_.isOnlyRead(*d) && index_.axisOf(*d->getInit());
        return isCoordinate || DynamicRecursiveASTVisitor::TraverseVarDecl(d);
    }
    bool TraverseDecompositionDecl(DecompositionDecl* d) override {
        const bool areCoordinates =
            d->getInit() && index_.isWholeIndex(*d->getInit()) &&
            llvm::all_of(d->bindings(), [&](const BindingDecl* one) { return index_.isOnlyRead(*one); });
        return areCoordinates || DynamicRecursiveASTVisitor::TraverseDecompositionDecl(d);
    }
    bool VisitDeclRefExpr(DeclRefExpr* e) override {
        const bool isParameter = e->getDecl()->getDeclContext() == &body_ && isa<ParmVarDecl>(e->getDecl());
        return !(isParameter && isView(e->getType())) && !index_.isWholeIndex(*e) && !index_.axisOf(*e);
    }
    bool VisitLambdaExpr(LambdaExpr*) override { return false; }

    bool areNone() { return index_.isIndexOnlyRead() && TraverseStmt(body_.getBody()); }

  private:
    const FunctionDecl& body_;
    Mentions mentions_;
    Parents parents_;
    IndexAxes index_;
};

}  // namespace

bool isElementwise(const FunctionDecl& body) { return OtherUses(body).areNone(); }

}  // namespace foldwise
