// generator/frontend/ConstantText.cpp: writes numbers with all their digits, and aggregates in braces.
#include "ConstantText.hpp"

#include "Spelling.hpp"
#include "Types.hpp"

#include <clang/AST/DeclTemplate.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>

namespace foldwise {

using namespace clang;

static std::string floatText(const llvm::APFloat& value, QualType type) {
    const std::string suffix = type->isSpecificBuiltinType(BuiltinType::Float) ? "f" : "";
    if (value.isInfinity()) return (value.isNegative() ? "-" : "") + ("__builtin_huge_val" + suffix) + "()";
    if (value.isNaN()) return (value.isNegative() ? "-__builtin_nan" : "__builtin_nan") + suffix + "(\"\")";
    std::string text;
    for (unsigned precision = 1; precision <= 17; ++precision) {  // as few digits as make the same number
        llvm::SmallString<32> digits;
        value.toString(digits, precision);
        text = digits.str().str();
        if (llvm::APFloat(value.getSemantics(), text).bitwiseIsEqual(value)) break;
    }
    if (text.find_first_of(".Ee") == std::string::npos) text += ".0";
    return text + suffix;
}

static std::string integerText(const llvm::APSInt& value, QualType type) {
    if (type->isBooleanType()) return value.getBoolValue() ? "true" : "false";
    if (value.isSigned() && value.isMinSignedValue() && value.getBitWidth() >= 32)
        return std::to_string(value.getExtValue() + 1) + " - 1";  // no literal has a sign
    return llvm::toString(value, 10) + (value.isUnsigned() && value.getBitWidth() == 64 ? "u" : "");
}

static std::optional<std::string> braced(llvm::ArrayRef<std::optional<std::string>> elements) {
    std::string text;
    llvm::ListSeparator comma;
    for (const std::optional<std::string>& element : elements) {
        if (!element) return std::nullopt;
        text += (llvm::StringRef(comma) + *element).str();
    }
    return "{" + text + "}";
}

static std::optional<std::string> arrayText(const APValue& value, QualType type, const ASTContext& context) {
    const QualType element = context.getAsArrayType(type)->getElementType();
    std::vector<std::optional<std::string>> elements;
    for (unsigned i = 0; i < value.getArrayInitializedElts(); ++i)
        elements.push_back(constantText(value.getArrayInitializedElt(i), element, context));
    for (unsigned i = value.getArrayInitializedElts(); i < value.getArraySize(); ++i)
        elements.push_back(constantText(value.getArrayFiller(), element, context));
    return braced(elements);
}

static std::optional<std::string> recordText(const APValue& value, const CXXRecordDecl& record,
                                             const ASTContext& context) {
    if (!record.isAggregate()) return std::nullopt;
    std::vector<std::optional<std::string>> members;
    unsigned number = 0;
    for (const CXXBaseSpecifier& base : record.bases())
        members.push_back(constantText(value.getStructBase(number++), base.getType(), context));
    for (const FieldDecl* field : record.fields())
        if (!field->isUnnamedBitField())
            members.push_back(constantText(value.getStructField(field->getFieldIndex()), field->getType(), context));
    return braced(members);
}

std::optional<std::string> constantText(const APValue& value, QualType type, const ASTContext& context) {
    type = type.getCanonicalType().getUnqualifiedType();
    // A function's own type has no name outside of it.
    if (const TagDecl* tag = type->getAsTagDecl(); tag && tag->getParentFunctionOrMethod()) return std::nullopt;
    if (value.isFloat() && value.getFloat().isNaN()) {  // another has no text
        const llvm::APFloat usual =
            llvm::APFloat::getQNaN(value.getFloat().getSemantics(), value.getFloat().isNegative());
        if (!value.getFloat().bitwiseIsEqual(usual)) return std::nullopt;
    }
    if (value.isFloat() && !type->isSpecificBuiltinType(BuiltinType::LongDouble))
        return floatText(value.getFloat(), type);
    if (value.isInt() && type->isEnumeralType())
        return "static_cast<" + spelling(type, context) + ">(" + integerText(value.getInt(), type) + ")";
    if (value.isInt()) return integerText(value.getInt(), type);
    if (value.isArray()) return arrayText(value, type, context);
    const CXXRecordDecl* record = type->getAsCXXRecordDecl();
    if (!record) return std::nullopt;
    if (record->isInStdNamespace() && record->getName() == "complex" && value.isStruct()) {
        const APValue& parts = value.getStructField(0);
        const QualType part = cast<ClassTemplateSpecializationDecl>(record)->getTemplateArgs()[0].getAsType();
        if (!parts.isComplexFloat()) return std::nullopt;
        return spelling(type, context) + "(" + floatText(parts.getComplexFloatReal(), part) + ", " +
               floatText(parts.getComplexFloatImag(), part) + ")";
    }
    return value.isStruct() ? recordText(value, *record, context) : std::nullopt;
}

std::optional<std::string> constantDeclaration(llvm::StringRef name, const APValue& value, QualType type,
                                               const ASTContext& context, bool isConstexpr) {
    const std::optional<std::string> text = constantText(value, type, context);
    if (!text) return std::nullopt;
    std::string extents;
    while (const auto* array = context.getAsConstantArrayType(type)) {
        extents += "[" + std::to_string(array->getSize().getZExtValue()) + "]";
        type = array->getElementType();
    }
    return ((isConstexpr ? "constexpr " : "const ") +
            elementName(type.getCanonicalType().getUnqualifiedType(), context) + " " + name + extents + " = " + *text +
            ";")
        .str();
}

}  // namespace foldwise
