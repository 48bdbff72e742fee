// generator/frontend/Types.cpp: which types kernels can work on, and what they are called.
#include "Types.hpp"

#include <clang/AST/QualTypeNames.h>
#include <clang/Basic/SourceManager.h>

namespace foldwise {

using namespace clang;

std::string spelling(QualType type, const ASTContext& context) {
    PrintingPolicy policy = context.getPrintingPolicy();
    policy.SuppressTagKeyword = true;
    policy.SuppressUnwrittenScope = true;
    return TypeName::getFullyQualifiedName(type.getUnqualifiedType(), context, policy);
}

/// The fixed-width name of an integer type, or its own for those that are more than a number, such as char.
static std::string integerName(const BuiltinType& type, std::uint32_t size, const ASTContext& context) {
    switch (type.getKind()) {
    case BuiltinType::Char_S:
    case BuiltinType::Char_U:
    case BuiltinType::WChar_S:
    case BuiltinType::WChar_U:
    case BuiltinType::Char8:
    case BuiltinType::Char16:
    case BuiltinType::Char32: return type.getName(context.getPrintingPolicy()).str();
    // One of long and long long is std::int64_t; the other is a type of its own.
    case BuiltinType::LongLong:
    case BuiltinType::ULongLong:
    case BuiltinType::Long:
    case BuiltinType::ULong:
        if (context.getCanonicalType(context.getIntTypeForBitwidth(size * 8, type.isSignedInteger())).getTypePtr() != &type)
            return type.getName(context.getPrintingPolicy()).str();
        [[fallthrough]];
    default: return (type.isUnsignedInteger() ? "std::uint" : "std::int") + std::to_string(size * 8) + "_t";
    }
}

std::optional<ElementType> elementType(QualType written, const ASTContext& context, std::string& reason) {
    const QualType canonical = written.getNonReferenceType().getCanonicalType().getUnqualifiedType();
    const auto* builtin = dyn_cast<BuiltinType>(canonical);
    if (canonical->isPointerType()) reason = "a kernel is given arrays as operands, not pointers";
    else if (!builtin || !(builtin->isInteger() || builtin->isFloatingPoint())) reason = "it is not an arithmetic type";
    else if (context.getTypeSizeInChars(canonical).getQuantity() > 8) reason = "it is wider than 64 bits";
    if (!reason.empty()) return std::nullopt;

    ElementType element;
    element.name = spelling(canonical, context);
    element.size = static_cast<std::uint32_t>(context.getTypeSizeInChars(canonical).getQuantity());
    element.alignment = static_cast<std::uint32_t>(context.getTypeAlignInChars(canonical).getQuantity());
    if (builtin->getKind() == BuiltinType::Bool) {
        element.kind = TypeKind::Boolean;
        element.identifier = "bool";
    } else if (builtin->isFloatingPoint()) {
        element.kind = TypeKind::Floating;
        element.identifier = element.size == 8 ? "double" : element.size == 4 ? "float" : "float16";
    } else {
        element.kind = TypeKind::Integer;
        element.name = integerName(*builtin, element.size, context);
        element.identifier = (builtin->isUnsignedInteger() ? "uint" : "int") + std::to_string(element.size * 8);
    }
    return element;
}

}  // namespace foldwise
