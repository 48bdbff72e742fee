// generator/frontend/ConstantValues.cpp: evaluates initializers, and finds members of the values.
#include "ConstantValues.hpp"

#include <clang/AST/ExprCXX.h>

namespace foldwise {

using namespace clang;

const Expr& bare(const Expr& expression) {
    const Expr* e = &expression;
    for (;;) {
        const Expr* inner = e->IgnoreUnlessSpelledInSource()->IgnoreParenImpCasts();
        if (const auto* made = dyn_cast<CXXConstructExpr>(inner);
            made && made->getNumArgs() == 1 && made->getConstructor()->isCopyOrMoveConstructor())
            inner = made->getArg(0);
        if (inner == e) return *e;
        e = inner;
    }
}

bool isConstant(const VarDecl& variable) {
    const ASTContext& context = variable.getASTContext();
    if (variable.isUsableInConstantExpressions(context)) return true;
    const Expr* initializer = variable.getAnyInitializer();
    return initializer && context.getBaseElementType(variable.getType()).isConstQualified() &&
           (initializer->isValueDependent() || variable.hasConstantInitialization());
}

std::optional<Constant> valueOf(const Expr& expression, const ASTContext& context) {
    if (std::optional<Constant> value = evaluate(expression, context)) return value;
    const auto* reference = dyn_cast<DeclRefExpr>(&bare(expression));
    const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    const Expr* initializer = variable ? variable->getAnyInitializer() : nullptr;
    if (!initializer || !variable->getType().isConstQualified() || isa<ParmVarDecl>(variable)) return std::nullopt;
    return valueOf(*initializer, context);
}

std::optional<APValue> valueOf(const VarDecl& variable) {
    const Expr* initializer = variable.getAnyInitializer();
    if (!initializer || isa<ParmVarDecl>(variable) || initializer->isValueDependent()) return std::nullopt;
    const bool isFixed = variable.isInitCapture() || variable.isConstexpr() ||
                         variable.getASTContext().getBaseElementType(variable.getType()).isConstQualified();
    if (!isFixed) return std::nullopt;
    if (const APValue* value = variable.evaluateValue(); value && value->hasValue()) return *value;
    const std::optional<Constant> value = valueOf(*initializer, variable.getASTContext());
    return value ? std::optional(value->value) : std::nullopt;
}

/// The part of an object that a path leads to, through bases, members and elements.
static std::optional<APValue> partOf(APValue object, const CXXRecordDecl* record,
                                     llvm::ArrayRef<APValue::LValuePathEntry> path) {
    for (const APValue::LValuePathEntry& step : path) {
        const auto recordOf = [](QualType type) { return type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl(); };
        if (object.isArray()) {
            const std::uint64_t index = step.getAsArrayIndex();
            if (index >= object.getArraySize()) return std::nullopt;
            const bool isGiven = index < object.getArrayInitializedElts();
            object = APValue(isGiven ? object.getArrayInitializedElt(static_cast<unsigned>(index))
                                     : object.getArrayFiller());
            continue;
        }
        if (!object.isStruct() || !record) return std::nullopt;
        const Decl* part = step.getAsBaseOrMember().getPointer();
        if (const auto* field = dyn_cast<FieldDecl>(part)) {
            object = APValue(object.getStructField(field->getFieldIndex()));
            record = recordOf(field->getType());
            continue;
        }
        unsigned number = 0;
        const CXXRecordDecl* found = nullptr;
        for (const CXXBaseSpecifier& base : record->bases()) {
            found = base.getType()->getAsCXXRecordDecl();
            if (found->getCanonicalDecl() == part->getCanonicalDecl()) break;
            ++number;
        }
        if (number == record->getNumBases()) return std::nullopt;
        object = APValue(object.getStructBase(number));
        record = found;
    }
    return object;
}

std::optional<APValue> valueOf(const BindingDecl& binding) {
    const Expr* named = binding.getBinding();
    Expr::EvalResult place;
    if (!named || named->isValueDependent() || !named->EvaluateAsLValue(place, binding.getASTContext()))
        return std::nullopt;
    const auto* variable = dyn_cast_or_null<VarDecl>(place.Val.getLValueBase().dyn_cast<const ValueDecl*>());
    if (!variable || !place.Val.hasLValuePath()) return std::nullopt;
    std::optional<APValue> object = valueOf(*variable);
    if (!object) return std::nullopt;
    return partOf(std::move(*object), variable->getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl(),
                  place.Val.getLValuePath());
}

}  // namespace foldwise
