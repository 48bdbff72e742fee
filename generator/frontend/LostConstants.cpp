// generator/frontend/LostConstants.cpp: compares the conversions of constants with those of the template that they are
// an instance of.
#include "LostConstants.hpp"

#include "RunTimeVisitor.hpp"
#include "Spelling.hpp"
#include "Types.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallString.h>

#include <optional>

namespace foldwise {

using namespace clang;

namespace {

/// Where a template converts something to a type that follows from its arguments.
class DependentCasts : public DynamicRecursiveASTVisitor {
  public:
    explicit DependentCasts(const FunctionDecl& pattern) { TraverseStmt(pattern.getBody()); }
    llvm::DenseSet<SourceLocation> all;

    bool VisitExplicitCastExpr(ExplicitCastExpr* e) override { return add(e->getBeginLoc(), e->getTypeAsWritten()); }
    bool VisitCXXUnresolvedConstructExpr(CXXUnresolvedConstructExpr* e) override {
        return add(e->getBeginLoc(), e->getTypeAsWritten());
    }

  private:
    bool add(SourceLocation at, QualType type) {
        if (type->isDependentType()) all.insert(at);
        return true;
    }
};

/// The template that a function is an instance of, or within an instance of; null if there is none.
const FunctionDecl* patternOf(const FunctionDecl& function) {
    for (const FunctionDecl* f = &function; f;) {
        const FunctionDecl* pattern = f->getTemplateInstantiationPattern();
        if (pattern && pattern->getBody()) return pattern;
        const auto* method = dyn_cast<CXXMethodDecl>(f);
        const DeclContext* around = method ? method->getParent()->getParentFunctionOrMethod() : nullptr;
        f = dyn_cast_or_null<FunctionDecl>(around);
    }
    return nullptr;
}

class LostConstants : public RunTimeVisitor {
  public:
    LostConstants(const FunctionDecl& pattern, const std::string& signature, const ASTContext& context,
                  std::vector<Finding>& findings)
        : RunTimeVisitor(context), dependent_(pattern), signature_(signature), context_(context), findings_(findings) {}

    bool VisitExplicitCastExpr(ExplicitCastExpr* e) override {
        const Expr* given = dependent_.all.contains(e->getBeginLoc()) ? convertedBy(*e) : nullptr;
        if (given) look(*e, *given);
        return true;
    }
    bool VisitVarDecl(VarDecl* variable) override { return lookAtGiven(variable->getInit()); }
    bool VisitReturnStmt(ReturnStmt* s) override { return lookAtGiven(s->getRetValue()); }
    bool VisitBinaryOperator(BinaryOperator* e) override {
        return e->getOpcode() != BO_Assign || lookAtGiven(e->getRHS());
    }
    bool VisitCallExpr(CallExpr* e) override {
        for (const Expr* argument : e->arguments()) {
            const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(argument->IgnoreParens());
            lookAtGiven(temporary ? temporary->getSubExpr() : argument);
        }
        return true;
    }

  private:
    /// Whether a type is a template's parameter, or decltype of something.
    bool followsFromTemplate(QualType type) const {
        for (;;) {
            if (isa<SubstTemplateTypeParmType, DecltypeType>(type.getTypePtr())) return true;
            const QualType next = type.getSingleStepDesugaredType(context_);
            if (next == type) return false;
            type = next;
        }
    }
    /// A constant that is converted where it is stored, returned or passed to a function. Of literals Clang itself says
    /// so.
    bool lookAtGiven(const Expr* value) {
        const auto* cast = value ? dyn_cast<ImplicitCastExpr>(value->IgnoreParens()) : nullptr;
        if (!cast || cast->getCastKind() != CK_FloatingToIntegral || !followsFromTemplate(cast->getType())) return true;
        const Expr* bare = cast->getSubExpr()->IgnoreParenImpCasts();
        if (const auto* sign = dyn_cast<UnaryOperator>(bare)) bare = sign->getSubExpr()->IgnoreParenImpCasts();
        if (!isa<FloatingLiteral>(bare)) look(*cast, *cast->getSubExpr());
        return true;
    }

    /// The constant that a cast converts to an integer; null if it does something else.
    static const Expr* convertedBy(const ExplicitCastExpr& cast) {
        const Expr* e = &cast;
        while (const auto* conversion = dyn_cast<CastExpr>(e)) {
            if (conversion->getCastKind() == CK_FloatingToIntegral) return conversion->getSubExpr();
            if (e != &cast && isa<ExplicitCastExpr>(e)) return nullptr;
            e = conversion->getSubExpr()->IgnoreParens();
            if (const auto* list = dyn_cast<InitListExpr>(e); list && list->getNumInits() == 1) e = list->getInit(0);
        }
        return nullptr;
    }

    void look(const CastExpr& cast, const Expr& given) {
        llvm::APFloat value(0.0);
        if (!cast.getType()->isIntegerType() || given.isValueDependent() || !given.EvaluateAsFloat(value, context_) ||
            !value.isFinite() || value.isInteger())
            return;
        llvm::APSInt whole(64, /*isUnsigned=*/false);
        bool isExact = false;
        if (value.convertToInteger(whole, llvm::APFloat::rmTowardZero, &isExact) == llvm::APFloat::opInvalidOp) return;
        llvm::SmallString<24> digits;
        whole.toString(digits, 10);
        const std::string constant = sourceOf(*given.IgnoreParenImpCasts(), context_);
        findings_.push_back({Message::LostConstant,
                             cast.getExprLoc(),
                             {sourceOf(cast, context_), digits.str().str(), signature_,
                              elementName(cast.getType().getUnqualifiedType(), context_), constant},
                             cast.getSourceRange(),
                             {}});
    }

    const DependentCasts dependent_;
    const std::string& signature_;
    const ASTContext& context_;
    std::vector<Finding>& findings_;
};

}  // namespace

void findLostConstants(const FunctionDecl& function, const std::string& signature, const ASTContext& context,
                       std::vector<Finding>& findings) {
    if (const FunctionDecl* pattern = patternOf(function))
        LostConstants(*pattern, signature, context, findings).visitBody(function);
}

}  // namespace foldwise
