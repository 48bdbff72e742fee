// generator/frontend/IntegerDivision.cpp: searches each conversion to a floating-point type for divisions of integers.
#include "IntegerDivision.hpp"

#include "RunTimeVisitor.hpp"
#include "Spelling.hpp"

#include <optional>

namespace foldwise {

using namespace clang;

namespace {

class IntegerDivisions : public RunTimeVisitor {
  public:
    IntegerDivisions(QualType asked, const ASTContext& context, std::vector<Finding>& findings)
        : RunTimeVisitor(context), asked_(asked), context_(context), findings_(findings) {}

    bool VisitImplicitCastExpr(ImplicitCastExpr* e) override {
        if (e->getCastKind() == CK_IntegralToFloating && !e->isPartOfExplicitCast())
            end(*e->getSubExpr(), e->getType());
        return true;
    }
    bool VisitReturnStmt(ReturnStmt* s) override {
        const Expr* value = s->getRetValue();
        if (value && !asked_.isNull() && asked_->isRealFloatingType() && value->getType()->isIntegerType())
            end(*value, asked_);
        return true;
    }

  private:
    /// Goes through sums, products and choices, which are what their operands are.
    void end(const Expr& value, QualType type) {
        const Expr* e = value.IgnoreParens();
        if (const auto* cast = dyn_cast<ImplicitCastExpr>(e)) return end(*cast->getSubExpr(), type);
        if (const auto* unary = dyn_cast<UnaryOperator>(e)) {
            if (unary->getOpcode() == UO_Minus || unary->getOpcode() == UO_Plus) end(*unary->getSubExpr(), type);
            return;
        }
        if (const auto* choice = dyn_cast<ConditionalOperator>(e)) {
            end(*choice->getTrueExpr(), type);
            return end(*choice->getFalseExpr(), type);
        }
        const auto* binary = dyn_cast<BinaryOperator>(e);
        if (!binary) return;
        if (binary->getOpcode() == BO_Div) return add(*binary, type);
        if (!binary->isAdditiveOp() && !binary->isMultiplicativeOp()) return;
        if (binary->getOpcode() == BO_Rem) return;
        end(*binary->getLHS(), type);
        end(*binary->getRHS(), type);
    }

    std::optional<llvm::APSInt> valueOf(const Expr& e) const {
        return e.isValueDependent() ? std::nullopt : e.getIntegerConstantExpr(context_);
    }

    void add(const BinaryOperator& division, QualType type) {
        if (!division.getType()->isIntegerType()) return;
        const std::optional<llvm::APSInt> dividend = valueOf(*division.getLHS()), divisor = valueOf(*division.getRHS());
        if (dividend && divisor && *divisor != 0 && (*dividend % *divisor) == 0) return;
        findings_.push_back(operatorFinding(Message::IntegerDivision, division, {type}, context_));
    }

    QualType asked_;
    const ASTContext& context_;
    std::vector<Finding>& findings_;
};

}  // namespace

void findIntegerDivisions(const FunctionDecl& function, QualType asked, const ASTContext& context,
                          std::vector<Finding>& findings) {
    IntegerDivisions(asked, context, findings).visitBody(function);
}

}  // namespace foldwise
