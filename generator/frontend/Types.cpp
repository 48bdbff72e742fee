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

/// An arithmetic type without the aliases that only the user's file knows: "float" for `using real = float`.
static QualType withoutUsersAliases(QualType type, const ASTContext& context) {
    const SourceManager& sources = context.getSourceManager();
    while (const auto* alias = type->getAs<TypedefType>()) {
        if (sources.isInSystemHeader(alias->getDecl()->getLocation()) && alias->getDecl()->isInStdNamespace()) break;
        type = alias->desugar();
    }
    return type.getUnqualifiedType();
}

std::optional<ElementType> elementType(QualType written, const ASTContext& context, std::string& reason) {
    const QualType type = written.getNonReferenceType().getUnqualifiedType();
    const QualType canonical = type.getCanonicalType();
    const auto* builtin = dyn_cast<BuiltinType>(canonical);
    if (canonical->isPointerType()) reason = "a kernel is given arrays as operands, not pointers";
    else if (!builtin || !(builtin->isInteger() || builtin->isFloatingPoint())) reason = "it is not an arithmetic type";
    else if (context.getTypeSizeInChars(canonical).getQuantity() > 8) reason = "it is wider than 64 bits";
    if (!reason.empty()) return std::nullopt;

    ElementType element;
    element.name = spelling(withoutUsersAliases(type, context), context);
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
        element.identifier = (builtin->isUnsignedInteger() ? "uint" : "int") + std::to_string(element.size * 8);
    }
    return element;
}

}  // namespace foldwise
