// generator/frontend/NegativeIndices.cpp: looks at the coordinates of each access to an element of a view.
#include "NegativeIndices.hpp"

#include "RunTimeVisitor.hpp"
#include "Spelling.hpp"
#include "Vocabulary.hpp"

#include <clang/AST/ExprCXX.h>

namespace foldwise {

using namespace clang;

namespace {

class NegativeIndices : public RunTimeVisitor {
  public:
    NegativeIndices(const ASTContext& context, std::vector<Finding>& findings)
        : RunTimeVisitor(context), context_(context), findings_(findings) {}

    bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr* e) override {
        if (e->getOperator() != OO_Subscript && e->getOperator() != OO_Call) return true;
        const Expr& view = *e->getArg(0)->IgnoreImplicit();
        if (!isView(view.getType())) return true;
        unsigned axis = 0;
        for (unsigned i = 1; i < e->getNumArgs(); ++i) {
            const Expr& given = *e->getArg(i)->IgnoreUnlessSpelledInSource();
            const auto* place = dyn_cast<CXXConstructExpr>(&given);
            if (!place || !isIndex(place->getType())) {
                look(given, axis++, view);
                continue;
            }
            for (const Expr* coordinate : place->arguments()) look(*coordinate, axis++, view);
        }
        return true;
    }

  private:
    std::string textOf(const Expr& e) const { return sourceOf(e, context_); }

    bool isNegativeConstant(const Expr& e) const {
        if (e.isValueDependent() || !e.getType()->isIntegerType()) return false;
        const std::optional<llvm::APSInt> value = e.getIntegerConstantExpr(context_);
        return value && value->isNegative();
    }

    /// A coordinate of a place, a place along one axis, or a variable that is one to begin with.
    static bool isPlace(const Expr& e) {
        const Expr* given = e.IgnoreUnlessSpelledInSource();
        if (isIndex(given->getType())) return true;
        if (const auto* mention = dyn_cast<DeclRefExpr>(given)) {
            if (const auto* binding = dyn_cast<BindingDecl>(mention->getDecl()))
                return isIndex(cast<VarDecl>(binding->getDecomposedDecl())->getType());
            const auto* variable = dyn_cast<VarDecl>(mention->getDecl());
            return variable && variable->isLocalVarDecl() && variable->getInit() && isPlace(*variable->getInit());
        }
        const auto* call = dyn_cast<CXXOperatorCallExpr>(given);
        return call && call->getOperator() == OO_Subscript && isIndex(call->getArg(0)->getType());
    }

    /// `(i - k) % n` of a place i, whose sign is that of i - k.
    static const BinaryOperator* wrapped(const Expr& e) {
        const auto* remainder = dyn_cast<BinaryOperator>(&e);
        if (!remainder || remainder->getOpcode() != BO_Rem || !remainder->getType()->isSignedIntegerType())
            return nullptr;
        const auto* difference = dyn_cast<BinaryOperator>(remainder->getLHS()->IgnoreParenImpCasts());
        const bool isBackwards =
            difference && difference->getOpcode() == BO_Sub && isPlace(*difference->getLHS()->IgnoreParenImpCasts());
        return isBackwards ? remainder : nullptr;
    }

    /// What a coordinate is computed by: itself, or what a constant that it names is initialized with.
    static const Expr& computed(const Expr& coordinate) {
        const Expr& e = *coordinate.IgnoreParenImpCasts();
        const auto* mention = dyn_cast<DeclRefExpr>(&e);
        const auto* variable = mention ? dyn_cast<VarDecl>(mention->getDecl()) : nullptr;
        const bool isConstant =
            variable && variable->isLocalVarDecl() && variable->getType().isConstQualified() && variable->getInit();
        return isConstant ? *variable->getInit()->IgnoreParenImpCasts() : e;
    }

    void look(const Expr& coordinate, unsigned axis, const Expr& view) {
        const Expr& e = *coordinate.IgnoreParenImpCasts();
        if (const BinaryOperator* remainder = wrapped(computed(coordinate))) {
            const auto& difference = *cast<BinaryOperator>(remainder->getLHS()->IgnoreParenImpCasts());
            if (isNegativeConstant(*difference.getRHS()->IgnoreParenImpCasts())) return;
            const Expr& count = *remainder->getRHS()->IgnoreImpCasts();
            const std::string positive = "(" + textOf(difference) + " + " + textOf(count) + ") % " + textOf(count);
            add(*remainder, " at the edge, because % has the sign of its left side: write " + positive +
                                ", or a foldwise::stencil with foldwise::edge::wrap");
            return;
        }
        const auto* difference = dyn_cast<BinaryOperator>(&e);
        const bool isNegative =
            isNegativeConstant(e) || (difference && difference->getOpcode() == BO_Sub &&
                                      isNegativeConstant(*difference->getLHS()->IgnoreParenImpCasts()) &&
                                      isPlace(*difference->getRHS()->IgnoreParenImpCasts()));
        if (!isNegative) return;
        const std::string extent = textOf(view) + ".extent(" + std::to_string(axis) + ")";
        add(e, ", and indices do not count from the end: the last one here is " + extent + " - 1");
    }

    void add(const Expr& e, std::string why) {
        findings_.push_back(
            {Message::NegativeIndex, e.getBeginLoc(), {textOf(e), std::move(why)}, e.getSourceRange(), {}});
    }

    const ASTContext& context_;
    std::vector<Finding>& findings_;
};

}  // namespace

void findNegativeIndices(const FunctionDecl& function, const ASTContext& context, std::vector<Finding>& findings) {
    NegativeIndices(context, findings).visitBody(function);
}

}  // namespace foldwise
