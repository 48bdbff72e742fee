// generator/frontend/NarrowOwn.cpp: looks at what is assigned to items' own variables.
#include "NarrowOwn.hpp"

#include "RunTimeVisitor.hpp"
#include "Spelling.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

namespace foldwise {

using namespace clang;

namespace {

class Assignments : public RunTimeVisitor {
  public:
    Assignments(const ASTContext& context, std::vector<Finding>& findings)
        : RunTimeVisitor(context), context_(context), findings_(findings) {}

    bool VisitBinaryOperator(BinaryOperator* e) override {
        if (!e->isAssignmentOp() || !e->getLHS()->getType()->isIntegerType()) return true;
        const VarDecl* own = ownOf(*e->getLHS());
        const QualType given = givenBy(*e);
        if (own && !given.isNull()) add(*e, *own, given);
        return true;
    }

  private:
    /// The own variable that `x[t]`, or a reference to it, belongs to.
    static const VarDecl* ownOf(const Expr& target) {
        const Expr* e = target.IgnoreParenImpCasts();
        if (const auto* reference = dyn_cast<DeclRefExpr>(e)) {
            const auto* local = dyn_cast<VarDecl>(reference->getDecl());
            const bool refers = local && local->isLocalVarDecl() && local->getType()->isReferenceType();
            return refers && local->getInit() ? ownOf(*local->getInit()) : nullptr;
        }
        const auto* call = dyn_cast<CXXOperatorCallExpr>(e);
        if (!call || call->getOperator() != OO_Subscript) return nullptr;
        const auto* variable = dyn_cast<DeclRefExpr>(call->getArg(0)->IgnoreParenImpCasts());
        const CXXRecordDecl* type =
            variable ? variable->getType().getNonReferenceType()->getAsCXXRecordDecl() : nullptr;
        const bool isOwn = type && type->getQualifiedNameAsString() == "foldwise::own_variable";
        return isOwn ? dyn_cast<VarDecl>(variable->getDecl()) : nullptr;
    }

    /// The floating-point type of what is assigned, or with which an element is updated; null for others.
    static QualType givenBy(const BinaryOperator& e) {
        if (const auto* update = dyn_cast<CompoundAssignOperator>(&e)) {
            const QualType type = update->getComputationResultType();
            return type->isRealFloatingType() ? type : QualType();
        }
        const auto* cast = dyn_cast<ImplicitCastExpr>(e.getRHS()->IgnoreParens());
        if (!cast || cast->getCastKind() != CK_FloatingToIntegral || cast->isPartOfExplicitCast()) return {};
        return cast->getSubExpr()->getType();
    }

    /// "b.own(0.0f)" for `auto x = b.own(0);`, "b.own<float>(n)" for `auto x = b.own(n);`; nothing if it is not made
    /// so.
    std::string instead(const VarDecl& own, QualType type) const {
        const auto* call =
            own.getInit() ? dyn_cast<CXXMemberCallExpr>(own.getInit()->IgnoreUnlessSpelledInSource()) : nullptr;
        const CXXMethodDecl* method = call ? call->getMethodDecl() : nullptr;
        if (!method || !method->getIdentifier() || method->getName() != "own" || call->getNumArgs() != 1) return "";
        const std::string block = sourceOf(*call->getImplicitObjectArgument(), context_);
        const Expr& first = *call->getArg(0)->IgnoreParenImpCasts();
        const std::string text = sourceOf(first, context_);
        const bool isDigits = isa<IntegerLiteral>(first) && text.find_first_not_of("0123456789") == std::string::npos;
        const bool isFloat = context_.hasSameUnqualifiedType(type, context_.FloatTy);
        if (isDigits && (isFloat || context_.hasSameUnqualifiedType(type, context_.DoubleTy)))
            return block + ".own(" + text + (isFloat ? ".0f)" : ".0)");
        return block + ".own<" + spelling(type, context_) + ">(" + text + ")";
    }

    void add(const BinaryOperator& assignment, const VarDecl& own, QualType given) {
        const QualType type = given.getUnqualifiedType();
        std::string text = instead(own, type);
        if (text.empty()) return;
        findings_.push_back(
            {Message::NarrowOwn,
             assignment.getOperatorLoc(),
             {own.getNameAsString(), spelling(assignment.getLHS()->getType().getUnqualifiedType(), context_),
              spelling(type, context_), std::move(text)},
             assignment.getSourceRange(),
             {}});
    }

    const ASTContext& context_;
    std::vector<Finding>& findings_;
};

}  // namespace

void findNarrowOwn(const FunctionDecl& phase, const ASTContext& context, std::vector<Finding>& findings) {
    Assignments(context, findings).visitBody(phase);
}

}  // namespace foldwise
