// generator/frontend/CheckedOperations.cpp: walks over the user's code as it is written, without instances of
// templates.
#include "CheckedOperations.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/ExprConcepts.h>
#include <llvm/ADT/SmallPtrSet.h>

namespace foldwise {

using namespace clang;

namespace {

enum class Hazard { None, Division, Shift };

Hazard hazardOf(BinaryOperatorKind kind) {
    switch (kind) {
    case BO_Div:
    case BO_Rem:
    case BO_DivAssign:
    case BO_RemAssign:
        return Hazard::Division;
    case BO_Shl:
    case BO_Shr:
    case BO_ShlAssign:
    case BO_ShrAssign:
        return Hazard::Shift;
    default:
        return Hazard::None;
    }
}

/// Collects the operations of a declaration or body. What the compiler computes, or only looks at, is passed over.
class OperationVisitor : public DynamicRecursiveASTVisitor {
  public:
    explicit OperationVisitor(const ASTContext& context) : context_(context) {}

    std::vector<CheckedOperation> found;

    bool TraverseTypeLoc(TypeLoc, bool = true) override { return true; }
    bool TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc) override { return true; }
    bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc&) override { return true; }
    bool TraverseTypeConstraint(const TypeConstraint*) override { return true; }
    bool TraverseConstantExpr(ConstantExpr*) override { return true; }
    bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr*) override { return true; }
    bool TraverseCXXNoexceptExpr(CXXNoexceptExpr*) override { return true; }
    bool TraverseRequiresExpr(RequiresExpr*) override { return true; }
    bool TraverseConceptSpecializationExpr(ConceptSpecializationExpr*) override { return true; }
    bool TraverseConceptDecl(ConceptDecl*) override { return true; }
    bool TraverseStaticAssertDecl(StaticAssertDecl*) override { return true; }
    bool TraverseEnumConstantDecl(EnumConstantDecl*) override { return true; }
    bool TraverseNonTypeTemplateParmDecl(NonTypeTemplateParmDecl*) override { return true; }
    bool TraverseVarDecl(VarDecl* variable) override {
        return variable->isConstexpr() || variable->isFileVarDecl() ||
               DynamicRecursiveASTVisitor::TraverseVarDecl(variable);
    }
    bool TraverseFieldDecl(FieldDecl* field) override {
        return field->isBitField() || DynamicRecursiveASTVisitor::TraverseFieldDecl(field);
    }
    bool TraverseFunctionDecl(FunctionDecl* function) override {
        return function->isConsteval() || DynamicRecursiveASTVisitor::TraverseFunctionDecl(function);
    }
    bool TraverseIfStmt(IfStmt* s) override {
        if (!s->isConstexpr()) return DynamicRecursiveASTVisitor::TraverseIfStmt(s);
        return TraverseStmt(s->getThen()) && (!s->getElse() || TraverseStmt(s->getElse()));
    }
    bool dataTraverseStmtPre(Stmt* s) override { return !skipped_.contains(s); }

    // These are visited before the constraints that they have.
    bool VisitTemplateDecl(TemplateDecl* d) override { return skipConstraint(d->getTemplateParameters()); }
    bool VisitClassTemplatePartialSpecializationDecl(ClassTemplatePartialSpecializationDecl* d) override {
        return skipConstraint(d->getTemplateParameters());
    }
    bool VisitVarTemplatePartialSpecializationDecl(VarTemplatePartialSpecializationDecl* d) override {
        return skipConstraint(d->getTemplateParameters());
    }
    bool VisitLambdaExpr(LambdaExpr* e) override {
        return skipConstraint(e->getTemplateParameterList()) && VisitFunctionDecl(e->getCallOperator()) &&
               skip(e->getCallOperator()->getType()->castAs<FunctionProtoType>()->getNoexceptExpr());
    }
    bool VisitFunctionDecl(FunctionDecl* d) override { return skip(d->getTrailingRequiresClause().ConstraintExpr); }
    bool VisitDeclaratorDecl(DeclaratorDecl* d) override { return skipOuterConstraints(*d); }
    bool VisitTagDecl(TagDecl* d) override { return skipOuterConstraints(*d); }

    bool VisitBinaryOperator(BinaryOperator* expression) override {
        note(expression->getOpcode(), *expression->getLHS(), *expression->getRHS(), expression->getOperatorLoc());
        return true;
    }
    /// Notes an operator in a template whose operands have dependent types, where an overloaded operator is visible.
    bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr* call) override {
        if (call->isTypeDependent() && call->isInfixBinaryOp())
            note(BinaryOperator::getOverloadedOpcode(call->getOperator()), *call->getArg(0), *call->getArg(1),
                 call->getOperatorLoc());
        return true;
    }

  private:
    bool skip(const Expr* expression) {
        if (expression) skipped_.insert(expression);
        return true;
    }
    bool skipConstraint(const TemplateParameterList* list) { return skip(list ? list->getRequiresClause() : nullptr); }
    /// Skips the constraints of the class templates that a member defined outside of them repeats.
    template <class Member> bool skipOuterConstraints(const Member& member) {
        for (unsigned i = 0; i < member.getNumTemplateParameterLists(); ++i)
            skipConstraint(member.getTemplateParameterList(i));
        return true;
    }
    static bool mayBeInteger(const Expr& operand) {
        return operand.isTypeDependent() || operand.getType()->isIntegralOrUnscopedEnumerationType();
    }

    /// Whether a divisor or distance is a constant with which no number goes wrong.
    bool isHarmless(Hazard hazard, const Expr& left, const Expr& right) const {
        if (right.isValueDependent() || right.isTypeDependent()) return false;
        Expr::EvalResult result;
        if (!right.EvaluateAsInt(result, context_)) return false;
        const llvm::APSInt value = result.Val.getInt();
        if (hazard == Hazard::Division) return value != 0 && !(value.isSigned() && value.isAllOnes());
        if (left.isTypeDependent()) return !value.isNegative() && value < 32;
        return !value.isNegative() && value < context_.getTypeSize(left.getType());
    }

    /// Whether an operand may be a member of a packed class, which no reference can be bound to.
    static bool isPacked(const Expr& operand) {
        const Expr* object = operand.IgnoreParenImpCasts();
        while (const auto* member = dyn_cast<MemberExpr>(object)) {
            const ValueDecl& field = *member->getMemberDecl();
            const auto* record = dyn_cast<RecordDecl>(field.getDeclContext());
            if (field.hasAttr<PackedAttr>()) return true;
            if (record && (record->hasAttr<PackedAttr>() || record->hasAttr<MaxFieldAlignmentAttr>())) return true;
            object = member->getBase()->IgnoreParenImpCasts();
        }
        return false;
    }

    void note(BinaryOperatorKind kind, const Expr& left, const Expr& right, SourceLocation sign) {
        const Hazard hazard = hazardOf(kind);
        if (hazard == Hazard::None || !mayBeInteger(left) || !mayBeInteger(right)) return;
        const bool assigns = BinaryOperator::isCompoundAssignmentOp(kind);
        if ((assigns && (left.refersToBitField() || isPacked(left))) || isHarmless(hazard, left, right)) return;
        found.push_back({left.getBeginLoc(), sign, assigns, {}});
        for (const Expr* operand : {&left, &right})
            if (operand->IgnoreParenImpCasts()->refersToBitField())
                found.back().bitFields.push_back(operand->getBeginLoc());
    }

    const ASTContext& context_;
    llvm::SmallPtrSet<const Stmt*, 4> skipped_;  // constraints and exception specifications
};

}  // namespace

std::vector<CheckedOperation> checkedOperations(const Decl& declaration, const ASTContext& context) {
    OperationVisitor visitor(context);
    visitor.TraverseDecl(const_cast<Decl*>(&declaration));
    return std::move(visitor.found);
}

std::vector<CheckedOperation> checkedOperations(const Stmt& body, const ASTContext& context) {
    OperationVisitor visitor(context);
    visitor.TraverseStmt(const_cast<Stmt*>(&body));
    return std::move(visitor.found);
}

}  // namespace foldwise
