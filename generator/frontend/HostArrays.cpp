// generator/frontend/HostArrays.cpp: recognises arrays on the host by their types' names.
#include "HostArrays.hpp"

#include "../model/ElementType.hpp"
#include "Spelling.hpp"
#include "Types.hpp"

#include <clang/AST/DeclTemplate.h>

#include <llvm/ADT/STLExtras.h>

namespace foldwise {

using namespace clang;

std::optional<HostArray> hostArrayOf(QualType type) {
    const bool isReadOnly = !type->isReferenceType() || type->getPointeeType().isConstQualified();
    type = type.getNonReferenceType();
    if (const QualType pointee = type->isPointerType() ? type->getPointeeType() : QualType(); !pointee.isNull())
        return HostArray{pointee.getUnqualifiedType(), pointee.isConstQualified()};
    const auto* special = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
    if (!special || !special->isInStdNamespace() || !special->getIdentifier()) return std::nullopt;
    const llvm::StringRef owners[] = {"vector", "deque", "list", "valarray", "basic_string"};
    const llvm::StringRef references[] = {"span", "basic_string_view"};
    const llvm::StringRef name = special->getName();
    const bool isOwner = llvm::is_contained(owners, name);
    if (!isOwner && !llvm::is_contained(references, name)) return std::nullopt;
    const QualType element = special->getTemplateArgs()[0].getAsType();
    const bool isConst = isOwner ? isReadOnly : element.isConstQualified() || name != "span";
    return HostArray{element.getUnqualifiedType(), isConst};
}

std::optional<MemberPath> memberNotBytes(const CXXRecordDecl& record, const ASTContext& context) {
    if (record.isInStdNamespace() || !record.hasDefinition()) return std::nullopt;
    for (const FieldDecl* member : record.fields()) {
        const QualType type = member->getType();
        const QualType one = context.getBaseElementType(type);
        if (one.isTriviallyCopyableType(context) || one->isReferenceType()) continue;
        std::optional<MemberPath> inner;
        if (const CXXRecordDecl* of = one->getAsCXXRecordDecl()) inner = memberNotBytes(*of, context);
        if (inner) inner->name = member->getNameAsString() + "." + inner->name;
        return inner ? inner : MemberPath{member->getNameAsString(), type};
    }
    for (const CXXBaseSpecifier& base : record.bases())
        if (const CXXRecordDecl* of = base.getType()->getAsCXXRecordDecl())
            if (std::optional<MemberPath> inner = memberNotBytes(*of, context)) return inner;
    return std::nullopt;
}

std::string hostMember(QualType type, const ASTContext& context) {
    const CXXRecordDecl* record = type->getAsCXXRecordDecl();
    const std::optional<MemberPath> member = record ? memberNotBytes(*record, context) : std::nullopt;
    return member ? " (its member '" + member->name + "' is a '" + spelling(member->type, context) + "')" : "";
}

std::string insteadOfHostArray(QualType parameter, bool takesViews, const ASTContext& context) {
    std::optional<HostArray> array = hostArrayOf(parameter);
    const CXXRecordDecl* record = parameter.getNonReferenceType()->getAsCXXRecordDecl();
    const bool isMember = !array && record;
    if (isMember)
        if (const std::optional<MemberPath> member = memberNotBytes(*record, context))
            array = hostArrayOf(member->type);
    std::string reason;
    const std::optional<ElementType> element =
        array ? elementType(array->element, context, reason) : std::optional<ElementType>();
    if (!element) return "";
    const std::string view =
        "foldwise::" + viewText(element->text(), /*rank=*/1, array->isConst || isMember || !takesViews);
    if (isMember) return "; pass that array as an operand of its own, which the lambda takes as a " + view;
    if (takesViews) return "; write " + view;
    return "; take '" + element->text() + "' for one element of an array, or a " + view + " for a whole array";
}

}  // namespace foldwise
