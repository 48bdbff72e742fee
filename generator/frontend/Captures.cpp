// generator/frontend/Captures.cpp: looks at captures, their uses, and their values.
#include "Captures.hpp"

#include "ConstantText.hpp"
#include "ConstantValues.hpp"
#include "FindKernels.hpp"
#include "LocalNames.hpp"

#include <clang/AST/DynamicRecursiveASTVisitor.h>

namespace foldwise {

using namespace clang;

namespace {

/// Finds uses of init-captures that a constant's would not be.
class CaptureUses : public DynamicRecursiveASTVisitor {
  public:
    explicit CaptureUses(const CXXRecordDecl& lambda) {
        for (const LambdaCapture& one : lambda.captures())
            if (one.capturesVariable() && one.getCapturedVar()->isInitCapture()) captured_.insert(one.getCapturedVar());
    }

    bool areCaptured = false;  ///< Whether something was found that only captures allow.
    bool areNamed = false;     ///< Whether a capture is named at all.

    bool VisitDeclRefExpr(DeclRefExpr* e) override {
        areNamed |= captured_.contains(e->getDecl());
        return true;
    }
    bool VisitDecltypeTypeLoc(DecltypeTypeLoc type) override {
        const auto* named = dyn_cast<DeclRefExpr>(type.getUnderlyingExpr());
        areCaptured |= named && captured_.contains(named->getDecl());
        return true;
    }
    bool VisitLambdaExpr(LambdaExpr* inner) override {
        if (inner->getCallOperator()->isConst() || inner->getCallOperator()->isStatic()) return true;
        for (const LambdaCapture& one : inner->captures())
            areCaptured |= one.capturesVariable() && captured_.contains(one.getCapturedVar());
        return true;
    }

  private:
    llvm::SmallPtrSet<const ValueDecl*, 4> captured_;
};

}  // namespace

const FieldDecl* mutableMember(const CXXRecordDecl& record) {
    const auto inClass = [](QualType type) -> const FieldDecl* {
        const CXXRecordDecl* inner = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
        return inner && inner->hasDefinition() ? mutableMember(*inner) : nullptr;
    };
    for (const CXXBaseSpecifier& base : record.bases())
        if (const FieldDecl* found = inClass(base.getType())) return found;
    for (const FieldDecl* field : record.fields()) {
        if (field->isMutable()) return field;
        if (const FieldDecl* found = inClass(field->getType())) return found;
    }
    return nullptr;
}

std::optional<Unfixed> unfixedCapture(const CXXRecordDecl& lambda) {
    for (const LambdaCapture& one : lambda.captures()) {
        if (!one.capturesVariable() || one.getCaptureKind() != LCK_ByCopy) return Unfixed{&one, "by reference"};
        const auto* variable = dyn_cast<VarDecl>(one.getCapturedVar());
        if (variable && kernelSite(*variable)) return Unfixed{&one, "that is another kernel"};
        const CXXRecordDecl* type = one.getCapturedVar()->getType()->getAsCXXRecordDecl();
        const bool changes = !lambda.getLambdaCallOperator()->isConst() || (type && mutableMember(*type));
        if (changes) return Unfixed{&one, "that it changes"};
    }
    return std::nullopt;
}

bool needsItsCaptures(const CXXRecordDecl& lambda) {
    CXXMethodDecl& operation = *lambda.getLambdaCallOperator();
    CaptureUses before(lambda);
    if (const TypeSourceInfo* type = operation.getTypeSourceInfo()) before.TraverseTypeLoc(type->getTypeLoc());
    if (const Expr* constraint = operation.getTrailingRequiresClause().ConstraintExpr)
        before.TraverseStmt(const_cast<Expr*>(constraint));
    CaptureUses within(lambda);
    within.TraverseStmt(operation.getBody());
    return before.areNamed || within.areCaptured;
}

std::optional<std::vector<OuterConstant>> capturesAsConstants(const CXXRecordDecl& lambda) {
    std::vector<OuterConstant> constants;
    if (needsItsCaptures(lambda)) return std::nullopt;
    for (const LambdaCapture& one : lambda.captures()) {
        const auto* variable = one.capturesVariable() ? dyn_cast<VarDecl>(one.getCapturedVar()) : nullptr;
        std::optional<APValue> value = variable ? valueOf(*variable) : std::nullopt;
        if (one.isPackExpansion() || !value) return std::nullopt;
        if (!constantText(*value, variable->getType(), variable->getASTContext())) return std::nullopt;
        constants.push_back({variable, std::move(*value)});
    }
    return constants;
}

bool ConstantsAround::add(const VarDecl& variable) {
    const auto isSame = [&](const OuterConstant& one) { return one.variable == &variable; };
    if (llvm::any_of(constants_, isSame)) return true;
    const Expr* initializer = variable.getAnyInitializer();
    if (initializer && !isa<ParmVarDecl>(variable) && !initializer->isValueDependent())
        if (const auto* lambda = dyn_cast<LambdaExpr>(&bare(*initializer))) return addLambda(variable, *lambda);
    return addCapture(variable);
}

bool ConstantsAround::addCapture(const VarDecl& variable) {
    std::optional<APValue> value = valueOf(variable);
    if (value) constants_.push_back({&variable, std::move(*value)});
    return value.has_value();
}

bool ConstantsAround::addLambda(const VarDecl& variable, const LambdaExpr& lambda) {
    const CXXRecordDecl& record = *lambda.getLambdaClass();
    if (unfixedCapture(record) || !lambda.getCallOperator()->isConst()) return false;
    LocalNames locals;
    locals.openNamespacesAround(record);
    locals.TraverseStmt(const_cast<LambdaExpr*>(&lambda));
    if (locals.other()) return false;
    for (const VarDecl* named : locals.found())
        if (named == &variable || !add(*named)) return false;
    constants_.push_back({&variable, APValue(), &lambda});
    return true;
}

}  // namespace foldwise
