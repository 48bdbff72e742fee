// generator/frontend/NegativeIndices.cpp: looks at the coordinates of each element that a function asks a view for.
#include "NegativeIndices.hpp"

#include "RunTimeVisitor.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/Lex/Lexer.h>

namespace foldwise {

using namespace clang;

namespace {

bool isOf(QualType type, llvm::StringRef name) {
    const CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
    return record && record->getQualifiedNameAsString() == name;
}

class NegativeIndices : public RunTimeVisitor {
  public:
    NegativeIndices(const ASTContext& context, std::vector<Finding>& findings)
        : RunTimeVisitor(context), context_(context), findings_(findings) {}

    bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr* e) override {
        if (e->getOperator() != OO_Subscript && e->getOperator() != OO_Call) return true;
        const Expr& view = *e->getArg(0)->IgnoreImplicit();
        if (!isOf(view.getType(), "foldwise::view")) return true;
        unsigned axis = 0;
        for (unsigned i = 1; i < e->getNumArgs(); ++i) {
            const Expr& given = *e->getArg(i)->IgnoreUnlessSpelledInSource();
            const auto* place = dyn_cast<CXXConstructExpr>(&given);
            if (!place || !isOf(place->getType(), "foldwise::index")) {
                look(given, axis++, view);
                continue;
            }
            for (const Expr* coordinate : place->arguments()) look(*coordinate, axis++, view);
        }
        return true;
    }

  private:
    std::string textOf(const Expr& e) const {
        return Lexer::getSourceText(CharSourceRange::getTokenRange(e.getSourceRange()), context_.getSourceManager(),
                                    context_.getLangOpts())
            .str();
    }

    bool isNegativeConstant(const Expr& e) const {
        if (e.isValueDependent() || !e.getType()->isIntegerType()) return false;
        const std::optional<llvm::APSInt> value = e.getIntegerConstantExpr(context_);
        return value && value->isNegative();
    }

    /// A coordinate of a place, or a place along one axis.
    static bool isPlace(const Expr& e) {
        const Expr* given = e.IgnoreUnlessSpelledInSource();
        if (isOf(given->getType(), "foldwise::index")) return true;
        const auto* call = dyn_cast<CXXOperatorCallExpr>(given);
        return call && call->getOperator() == OO_Subscript && isOf(call->getArg(0)->getType(), "foldwise::index");
    }

    void look(const Expr& coordinate, unsigned axis, const Expr& view) {
        const Expr& e = *coordinate.IgnoreParenImpCasts();
        const auto* difference = dyn_cast<BinaryOperator>(&e);
        const bool isNegative =
            isNegativeConstant(e) || (difference && difference->getOpcode() == BO_Sub &&
                                      isNegativeConstant(*difference->getLHS()->IgnoreParenImpCasts()) &&
                                      isPlace(*difference->getRHS()->IgnoreParenImpCasts()));
        if (!isNegative) return;
        const std::string extent = textOf(view) + ".extent(" + std::to_string(axis) + ")";
        findings_.push_back({Message::NegativeIndex, e.getBeginLoc(), {textOf(e), extent}, e.getSourceRange(), {}});
    }

    const ASTContext& context_;
    std::vector<Finding>& findings_;
};

}  // namespace

void findNegativeIndices(const FunctionDecl& function, const ASTContext& context, std::vector<Finding>& findings) {
    NegativeIndices(context, findings).visitBody(function);
}

}  // namespace foldwise
