// generator/frontend/WidenedProducts.cpp: searches each conversion to a wider integer type for products.
#include "WidenedProducts.hpp"

#include "RunTimeVisitor.hpp"
#include "Spelling.hpp"

namespace foldwise {

using namespace clang;

namespace {

class WidenedProducts : public RunTimeVisitor {
  public:
    WidenedProducts(QualType asked, const ASTContext& context, std::vector<Finding>& findings)
        : RunTimeVisitor(context), asked_(asked), context_(context), findings_(findings) {}

    bool VisitImplicitCastExpr(ImplicitCastExpr* e) override {
        if (e->getCastKind() == CK_IntegralCast && !e->isPartOfExplicitCast()) end(*e->getSubExpr(), e->getType());
        return true;
    }
    bool VisitReturnStmt(ReturnStmt* s) override {
        const Expr* value = s->getRetValue();
        if (value && !asked_.isNull() && asked_->isIntegerType() && value->getType()->isIntegerType())
            end(*value, asked_);
        return true;
    }

  private:
    /// Goes through sums and choices, which are as wide as their operands.
    void end(const Expr& value, QualType type) {
        if (value.getType()->isDependentType() || context_.getIntWidth(value.getType()) != 32 ||
            context_.getIntWidth(type) != 64)
            return;
        const Expr* e = value.IgnoreParens();
        if (const auto* choice = dyn_cast<ConditionalOperator>(e)) {
            end(*choice->getTrueExpr(), type);
            return end(*choice->getFalseExpr(), type);
        }
        const auto* binary = dyn_cast<BinaryOperator>(e);
        if (!binary) return;
        if (binary->getOpcode() == BO_Mul) return add(*binary, type);
        if (!binary->isAdditiveOp()) return;
        end(*binary->getLHS(), type);
        end(*binary->getRHS(), type);
    }

    /// Whether an operand may be any number of 32 bits.
    bool isAny(const Expr& operand) const {
        const Expr& e = *operand.IgnoreParenImpCasts();
        return e.getType()->isIntegerType() && context_.getIntWidth(e.getType()) >= 32 && !e.isValueDependent() &&
               !e.getIntegerConstantExpr(context_);
    }

    void add(const BinaryOperator& product, QualType type) {
        if (!isAny(*product.getLHS()) || !isAny(*product.getRHS())) return;
        findings_.push_back(operatorFinding(Message::WidenedProduct, product, {product.getType(), type}, context_));
    }

    QualType asked_;
    const ASTContext& context_;
    std::vector<Finding>& findings_;
};

}  // namespace

void findWidenedProducts(const FunctionDecl& function, QualType asked, const ASTContext& context,
                         std::vector<Finding>& findings) {
    WidenedProducts(asked, context, findings).visitBody(function);
}

}  // namespace foldwise
