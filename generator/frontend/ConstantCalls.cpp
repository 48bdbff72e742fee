// generator/frontend/ConstantCalls.cpp: builds calls that are not in the source, and has Clang's evaluator compute
// them.
#include "ConstantCalls.hpp"

#include "Types.hpp"

#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <cmath>

namespace foldwise {

using namespace clang;

std::optional<Constant> evaluate(const Expr& expression, const ASTContext& context) {
    Expr::EvalResult result;
    if (expression.isValueDependent() || !expression.EvaluateAsRValue(result, context, /*InConstantContext=*/true))
        return std::nullopt;
    if (result.HasSideEffects || result.HasUndefinedBehavior || !result.Val.hasValue()) return std::nullopt;
    return Constant{expression.getType().getNonReferenceType(), result.Val};
}

/// An expression that has this value.
static Expr* expressionFor(const Constant& value, QualType parameter, ASTContext& context) {
    auto* inner = new (context) OpaqueValueExpr(SourceLocation(), value.type, VK_PRValue);
    Expr* constant = ConstantExpr::Create(context, inner, value.value);
    if (!parameter->isReferenceType()) return constant;
    return new (context) MaterializeTemporaryExpr(parameter.getNonReferenceType(), constant,
                                                  /*BoundToLvalueReference=*/parameter->isLValueReferenceType());
}

/// The object that a method is called on; null if it is not known.
static Expr* objectFor(const CXXMethodDecl& method, const Constant* object, ASTContext& context) {
    const CXXRecordDecl& record = *method.getParent();
    const QualType type = context.getCanonicalTagType(&record);
    if (object && context.hasSameUnqualifiedType(object->type, type))
        return expressionFor({type, object->value}, context.getLValueReferenceType(type), context);
    if (!record.isEmpty()) return nullptr;
    return new (context) MaterializeTemporaryExpr(type, new (context) ImplicitValueInitExpr(type),
                                                  /*BoundToLvalueReference=*/false);
}

std::optional<Constant> call(const FunctionDecl& function, llvm::ArrayRef<Constant> arguments, ASTContext& context,
                             const Constant* object) {
    if (!function.isConstexpr() || !function.isDefined() || function.getNumParams() != arguments.size())
        return std::nullopt;
    auto* name = DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(),
                                     const_cast<FunctionDecl*>(&function), /*RefersToEnclosingVariableOrCapture=*/false,
                                     SourceLocation(), function.getType(), VK_LValue);
    auto* callee = ImplicitCastExpr::Create(context, context.getPointerType(function.getType()),
                                            CK_FunctionToPointerDecay, name, nullptr, VK_PRValue, FPOptionsOverride());
    llvm::SmallVector<Expr*, 4> all;
    const auto* method = dyn_cast<CXXMethodDecl>(&function);
    const bool isOperator = method && method->isImplicitObjectMemberFunction();
    if (isOperator) {
        all.push_back(objectFor(*method, object, context));
        if (!all.front()) return std::nullopt;
    }
    for (unsigned i = 0; i < arguments.size(); ++i) {
        const QualType parameter = function.getParamDecl(i)->getType();
        const std::optional<Constant> argument = convert(arguments[i], parameter.getNonReferenceType(), context);
        if (!argument) return std::nullopt;
        all.push_back(expressionFor(*argument, parameter, context));
    }
    const QualType type = function.getReturnType();
    const QualType result = type.getNonReferenceType();
    const ExprValueKind kind = Expr::getValueKindForType(type);
    const Expr* called =
        isOperator ? CXXOperatorCallExpr::Create(context, OO_Call, callee, all, result, kind, SourceLocation(),
                                                 FPOptionsOverride())
                   : CallExpr::Create(context, callee, all, result, kind, SourceLocation(), FPOptionsOverride());
    return evaluate(*called, context);
}

std::optional<Constant> convert(const Constant& from, QualType type, const ASTContext& context) {
    type = type.getUnqualifiedType();
    if (context.hasSameUnqualifiedType(from.type, type)) return Constant{type, from.value};
    const APValue& value = from.value;
    if (!type->isArithmeticType() || !(value.isInt() || value.isFloat())) return std::nullopt;
    if (type->isBooleanType()) {
        const bool isTrue = value.isInt() ? value.getInt().getBoolValue() : value.getFloat().isNonZero();
        return Constant{type, APValue(context.MakeIntValue(isTrue, type))};
    }
    if (type->isIntegerType()) {
        const bool isUnsigned = type->isUnsignedIntegerOrEnumerationType();
        llvm::APSInt number(static_cast<unsigned>(context.getIntWidth(type)), isUnsigned);
        if (value.isInt()) {
            number = value.getInt().extOrTrunc(number.getBitWidth());
            number.setIsUnsigned(isUnsigned);
        } else {
            bool isExact = false;
            if (value.getFloat().convertToInteger(number, llvm::APFloat::rmTowardZero, &isExact) ==
                llvm::APFloat::opInvalidOp)
                return std::nullopt;
        }
        return Constant{type, APValue(number)};
    }
    if (!type->isRealFloatingType()) return std::nullopt;
    llvm::APFloat number(context.getFloatTypeSemantics(type));
    if (value.isInt()) {
        number.convertFromAPInt(value.getInt(), value.getInt().isSigned(), llvm::APFloat::rmNearestTiesToEven);
    } else {
        bool losesInfo = false;
        number = value.getFloat();
        number.convert(context.getFloatTypeSemantics(type), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    }
    return Constant{type, APValue(number)};
}

std::optional<Constant> keptAs(const Constant& number, QualType type, const ASTContext& context) {
    const std::optional<Constant> converted = convert(number, type, context);
    if (!converted || !converted->value.isInt()) return converted;
    const std::optional<Constant> back = convert(*converted, number.type, context);
    const std::optional<bool> isSame = back ? same(back->value, number.value) : std::nullopt;
    const bool changesSign =
        number.value.isInt() && number.value.getInt().isNegative() && converted->value.getInt().isUnsigned();
    return isSame.value_or(false) && !changesSign ? converted : std::nullopt;
}

std::vector<Constant> sampleNumbers(QualType type, const ASTContext& context) {
    // Exact in every type, and so are the sums and products of three of them.
    static constexpr int numbers[] = {2, 5, 1, 3};
    std::vector<Constant> samples;
    if (type->isBooleanType()) {
        for (bool value : {false, true}) samples.push_back({type, APValue(context.MakeIntValue(value, type))});
    } else if (type->isRealFloatingType() || (type->isIntegerType() && !type->isEnumeralType())) {
        for (int number : numbers)
            if (std::optional<Constant> sample = convert(
                    {context.IntTy, APValue(context.MakeIntValue(static_cast<unsigned>(number), context.IntTy))}, type,
                    context))
                samples.push_back(*sample);
    }
    return samples;
}

std::vector<Constant> sampleClass(QualType type, const ASTContext& context) {
    constexpr std::size_t most = 16;  // of the first members' numbers with each other
    const CXXRecordDecl* record = type->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition() || record->isUnion() || record->getNumVBases() > 0) return {};
    const auto bases = static_cast<unsigned>(record->getNumBases());
    const auto fields = static_cast<unsigned>(std::distance(record->field_begin(), record->field_end()));
    std::vector<Constant> samples{{type, APValue(APValue::UninitStruct(), bases, fields)}};
    const auto multiply = [&](QualType part, unsigned number, bool isBase) {
        std::vector<Constant> values =
            part->getAsCXXRecordDecl() ? sampleClass(part, context) : sampleNumbers(part.getCanonicalType(), context);
        if (!part->getAsCXXRecordDecl())
            if (values.size() > 2) values.erase(values.begin() + 2, values.end());
        if (samples.size() * values.size() > most) values.erase(values.begin() + 1, values.end());
        std::vector<Constant> all;
        for (const Constant& sample : samples)
            for (const Constant& value : values) {
                all.push_back(sample);
                APValue& whole = all.back().value;
                (isBase ? whole.getStructBase(number) : whole.getStructField(number)) = value.value;
            }
        samples = std::move(all);
    };
    unsigned number = 0;
    for (const CXXBaseSpecifier& base : record->bases()) multiply(base.getType(), number++, true);
    for (const FieldDecl* field : record->fields()) multiply(field->getType(), field->getFieldIndex(), false);
    return samples;
}

Constant limitOf(QualType type, bool greatest, const ASTContext& context) {
    if (type->isRealFloatingType())
        return {type, APValue(llvm::APFloat::getInf(context.getFloatTypeSemantics(type), /*Negative=*/!greatest))};
    const auto width = type->isBooleanType() ? 1 : static_cast<unsigned>(context.getIntWidth(type));
    const bool isUnsigned = type->isUnsignedIntegerType();
    llvm::APSInt limit =
        greatest ? llvm::APSInt::getMaxValue(width, isUnsigned) : llvm::APSInt::getMinValue(width, isUnsigned);
    return {type, APValue(limit.extOrTrunc(static_cast<unsigned>(context.getIntWidth(type))))};
}

Constant originIndex(QualType type, const ASTContext& context) {
    const auto* record = cast<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
    const auto axes = static_cast<unsigned>(record->getTemplateArgs()[0].getAsIntegral().getZExtValue());
    APValue index(APValue::UninitStruct(), /*NumBases=*/0, /*NumFields=*/1);
    APValue& coordinates = index.getStructField(0);
    coordinates = APValue(APValue::UninitArray(), axes, axes);
    for (unsigned axis = 0; axis < axes; ++axis)
        coordinates.getArrayInitializedElt(axis) =
            APValue(context.MakeIntValue(0, context.getIntTypeForBitwidth(64, 1)));
    return {type.getNonReferenceType().getUnqualifiedType(), index};
}

static std::optional<bool> sameFloat(const llvm::APFloat& a, const llvm::APFloat& b, double tolerance) {
    if (a.isNaN() || b.isNaN()) return std::nullopt;
    if (a.compare(b) == llvm::APFloat::cmpEqual) return true;
    if (!a.isFinite() || !b.isFinite()) return false;
    const auto asDouble = [](llvm::APFloat value) {
        bool losesInfo = false;
        value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
        return value.convertToDouble();
    };
    const double x = asDouble(a), y = asDouble(b);
    return std::abs(x - y) <= tolerance * std::max(std::abs(x), std::abs(y));
}

std::optional<bool> same(const APValue& a, const APValue& b, double tolerance) {
    if (a.getKind() != b.getKind()) return std::nullopt;
    if (a.isInt()) return a.getInt() == b.getInt();
    if (a.isFloat()) return sameFloat(a.getFloat(), b.getFloat(), tolerance);
    std::optional<bool> all = true;
    const auto also = [&](const APValue& x, const APValue& y) {
        const std::optional<bool> one = same(x, y, tolerance);
        if (all && *all) all = one;
    };
    if (a.isStruct()) {
        for (unsigned i = 0; i < a.getStructNumBases(); ++i) also(a.getStructBase(i), b.getStructBase(i));
        for (unsigned i = 0; i < a.getStructNumFields(); ++i) also(a.getStructField(i), b.getStructField(i));
        return all;
    }
    if (a.isArray() && !a.hasArrayFiller() && !b.hasArrayFiller()) {
        for (unsigned i = 0; i < a.getArrayInitializedElts(); ++i)
            also(a.getArrayInitializedElt(i), b.getArrayInitializedElt(i));
        return all;
    }
    return std::nullopt;
}

/// The data members of a class and its bases, those of bases first.
static void addMembers(const APValue& value, const CXXRecordDecl& record, std::vector<Constant>& members) {
    unsigned number = 0;
    for (const CXXBaseSpecifier& base : record.bases())
        addMembers(value.getStructBase(number++), *base.getType()->getAsCXXRecordDecl(), members);
    for (const FieldDecl* field : record.fields())
        members.push_back({field->getType(), value.getStructField(field->getFieldIndex())});
}

/// "(2, (1, 0.5))" for a pair or tuple; nothing for other values.
static std::string tupleText(const Constant& constant, const ASTContext& context) {
    const std::size_t count = outputTypes(constant.type).size();
    if (count == 0 || !constant.value.isStruct()) return "";
    const CXXRecordDecl& record = *constant.type->getAsCXXRecordDecl();
    std::vector<Constant> members;
    addMembers(constant.value, record, members);
    if (members.size() != count) return "";
    // libstdc++'s tuple has its last member in its innermost base.
    if (record.getName() == "tuple") std::reverse(members.begin(), members.end());
    std::string text;
    for (const Constant& member : members) text += (text.empty() ? "" : ", ") + print(member, context);
    return "(" + text + ")";
}

std::string print(const Constant& constant, const ASTContext& context) {
    const APValue& value = constant.value;
    if (const std::string tuple = tupleText(constant, context); !tuple.empty()) return tuple;
    if (value.isFloat()) {
        llvm::SmallString<32> text;
        value.getFloat().toString(text, /*FormatPrecision=*/6);
        return text.str().str();
    }
    return value.getAsString(context, constant.type);
}

}  // namespace foldwise
