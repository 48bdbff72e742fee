// generator/frontend/Types.cpp: decides which types kernels can work on.
#include "Types.hpp"

#include "HostArrays.hpp"
#include "Spelling.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace foldwise {

using namespace clang;

/// The arguments of a class template, those of its packs among them.
static std::vector<TemplateArgument> argumentsOf(const ClassTemplateSpecializationDecl& special) {
    std::vector<TemplateArgument> all;
    for (const TemplateArgument& argument : special.getTemplateArgs().asArray()) {
        if (argument.getKind() == TemplateArgument::Pack)
            all.insert(all.end(), argument.pack_begin(), argument.pack_end());
        else
            all.push_back(argument);
    }
    return all;
}

std::vector<const TagDecl*> globalTags(QualType type) {
    std::vector<const TagDecl*> tags;
    const TagDecl* tag = type.getNonReferenceType()->getBaseElementTypeUnsafe()->getAsTagDecl();
    if (!tag) return tags;
    const DeclContext* scope = tag->getDeclContext();
    while (const auto* space = dyn_cast<NamespaceDecl>(scope)) {
        if (!space->isInline() && !space->isAnonymousNamespace()) break;
        scope = scope->getParent();
    }
    if (scope->isTranslationUnit()) tags.push_back(tag);
    if (const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(tag))
        for (const TemplateArgument& argument : argumentsOf(*special))
            if (argument.getKind() == TemplateArgument::Type)
                for (const TagDecl* inner : globalTags(argument.getAsType())) tags.push_back(inner);
    return tags;
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
    case BuiltinType::Char32:
        return type.getName(context.getPrintingPolicy()).str();
    // One of long and long long is std::int64_t; the other is a type of its own.
    case BuiltinType::LongLong:
    case BuiltinType::ULongLong:
    case BuiltinType::Long:
    case BuiltinType::ULong:
        if (context.getCanonicalType(context.getIntTypeForBitwidth(size * 8, type.isSignedInteger())).getTypePtr() !=
            &type)
            return type.getName(context.getPrintingPolicy()).str();
        [[fallthrough]];
    default:
        return (type.isUnsignedInteger() ? "std::uint" : "std::int") + std::to_string(size * 8) + "_t";
    }
}

/// A type's name for use inside another name: "vec3" for demo::vec3, "array_float_3" for std::array<float, 3>.
static std::string identifierOf(QualType type, const ASTContext& context) {
    std::string name;
    if (const auto* special = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl())) {
        name = special->getName();
        for (const TemplateArgument& argument : argumentsOf(*special)) {
            if (argument.getKind() == TemplateArgument::Type)
                name.append("_").append(identifierOf(argument.getAsType(), context));
            if (argument.getKind() == TemplateArgument::Integral)
                name.append("_").append(llvm::toString(argument.getAsIntegral(), 10));
        }
    } else if (const TagDecl* tag = type->getAsTagDecl()) {
        name = tag->getName();
    } else {
        name = spelling(type, context);
    }
    for (char& c : name)
        if (!llvm::isAlnum(c)) c = '_';
    return name;
}

static bool isStdComplex(const CXXRecordDecl& record) {
    return record.isInStdNamespace() && record.getIdentifier() && record.getName() == "complex";
}

static std::string whyNot(QualType type, const ASTContext& context, Tuples tuples);

/// What a class of the user's does itself where others are copied as bytes, as the rest of a sentence, or nothing.
static std::string ownCopying(const CXXRecordDecl& record) {
    if (record.isInStdNamespace()) return "";
    const CXXDestructorDecl* destructor = record.getDestructor();
    if (destructor && destructor->isUserProvided()) return ", because it has a destructor of its own";
    if (llvm::any_of(record.ctors(), [](const CXXConstructorDecl* one) {
            return one->isUserProvided() && one->isCopyOrMoveConstructor();
        }))
        return ", because it has a copy or move constructor of its own";
    return "";
}

/// Why arrays of a class are not supported, or nothing.
static std::string whyNot(const CXXRecordDecl& record, QualType type, const ASTContext& context, Tuples tuples) {
    if (!record.hasDefinition()) return "it is declared and not defined here";
    if (record.isLambda()) return "it is a lambda";
    if (record.getParentFunctionOrMethod()) return "it is declared inside a function, where a caller cannot name it";
    if (record.isPolymorphic()) return "it has virtual functions";
    if (record.getQualifiedNameAsString() == "foldwise::view") return "it is a view, not a value";
    if (const std::vector<QualType> members = outputTypes(type); tuples == Tuples::AreValues && !members.empty()) {
        for (QualType member : members) {
            const std::string reason =
                member->isReferenceType() ? "it is a reference" : whyNot(member, context, tuples);
            if (!reason.empty()) return "its member '" + spelling(member, context) + "' cannot be stored: " + reason;
        }
        return "";
    }
    if (!type.isTriviallyCopyableType(context)) {
        const std::optional<MemberPath> member = memberNotBytes(record, context);
        const bool isTuple = !outputTypes(type).empty();
        return "it is not trivially copyable" +
               (member ? ", because its member '" + member->name + "' is a '" + spelling(member->type, context) + "'"
                       : ownCopying(record)) +
               ", and elements are copied as bytes to where a kernel runs" +
               (isTuple ? "; a struct with these members is, and so is each member as a parameter of its own" : "");
    }
    if (record.isEmpty()) return "it holds nothing";
    return "";
}

static std::string whyNot(QualType type, const ASTContext& context, Tuples tuples) {
    if (type->isPointerType()) return "a kernel is given arrays as operands, not pointers";
    if (type->isArrayType()) return "std::array is the type for elements that are arrays";
    if (const CXXRecordDecl* record = type->getAsCXXRecordDecl()) return whyNot(*record, type, context, tuples);
    if (type->isEnumeralType()) return "";
    if (type->isAnyComplexType())
        return "it is the complex type of C, as an imaginary literal such as 1j is: write std::complex, of <complex>, "
               "and std::complex<float>(0, 1) for 1j";
    const auto* builtin = dyn_cast<BuiltinType>(type);
    if (!builtin || !(builtin->isInteger() || builtin->isFloatingPoint())) return "it is not a type of values";
    if (context.getTypeSizeInChars(type).getQuantity() > 8) return "it is wider than 64 bits";
    if (builtin->getKind() == BuiltinType::Float16 || builtin->getKind() == BuiltinType::Half ||
        builtin->getKind() == BuiltinType::BFloat16)
        return "foldwise::half and foldwise::bfloat16 are the types for 16-bit floats";
    return "";
}

/// Appends the members of a value that is named `name`; whether code outside of it can name all of them.
static bool addFields(QualType type, const std::string& name, std::vector<std::string>& fields) {
    const CXXRecordDecl* record = type->getAsCXXRecordDecl();
    if (!record) return fields.push_back(name), true;
    const bool isLibrary = record->isInStdNamespace() || record->getQualifiedNameAsString().starts_with("foldwise::");
    if (isLibrary && !name.empty()) return fields.push_back(name), true;
    if (isLibrary || record->isUnion() || record->getNumBases() > 0) return false;
    return llvm::all_of(record->fields(), [&](const FieldDecl* field) {
        return !field->isBitField() && field->getIdentifier() && field->getAccess() == AS_public &&
               addFields(field->getType(), (name.empty() ? "" : name + ".") + field->getName().str(), fields);
    });
}

std::optional<ElementType> elementType(QualType written, const ASTContext& context, std::string& reason,
                                       Tuples tuples) {
    const QualType type = written.getNonReferenceType().getCanonicalType().getUnqualifiedType();
    reason = whyNot(type, context, tuples);
    if (!reason.empty()) return std::nullopt;

    ElementType element;
    element.name = spelling(type, context);
    element.identifier = identifierOf(type, context);
    element.size = static_cast<std::uint32_t>(context.getTypeSizeInChars(type).getQuantity());
    element.alignment = static_cast<std::uint32_t>(context.getTypeAlignInChars(type).getQuantity());
    if (const CXXRecordDecl* record = type->getAsCXXRecordDecl()) {
        const bool is16BitFloat = element.name == "foldwise::half" || element.name == "foldwise::bfloat16";
        element.kind = is16BitFloat                 ? TypeKind::Floating
                       : isStdComplex(*record)      ? TypeKind::Complex
                       : !outputTypes(type).empty() ? TypeKind::Tuple
                                                    : TypeKind::Structure;
        if (element.kind == TypeKind::Structure && !addFields(type, "", element.fields)) element.fields.clear();
    } else if (type->isEnumeralType()) {
        element.kind = TypeKind::Enumeration;
    } else if (type->isBooleanType()) {
        element.kind = TypeKind::Boolean;
    } else if (type->isFloatingType()) {
        element.kind = TypeKind::Floating;
    } else {
        const auto& builtin = *type->castAs<BuiltinType>();
        element.kind = TypeKind::Integer;
        element.name = integerName(builtin, element.size, context);
        element.identifier = (builtin.isUnsignedInteger() ? "uint" : "int") + std::to_string(element.size * 8);
    }
    return element;
}

std::string elementName(QualType type, const ASTContext& context) {
    std::string reason;
    const std::optional<ElementType> element = elementType(type, context, reason);
    return element ? element->name : spelling(type, context);
}

std::vector<QualType> outputTypes(QualType result) {
    const auto* record =
        dyn_cast_or_null<ClassTemplateSpecializationDecl>(result.getNonReferenceType()->getAsCXXRecordDecl());
    if (!record || !record->isInStdNamespace() || !(record->getName() == "tuple" || record->getName() == "pair"))
        return {};
    std::vector<QualType> types;
    for (const TemplateArgument& argument : argumentsOf(*record)) types.push_back(argument.getAsType());
    return types;
}

/// Appends the numbers of a value that is named `name`; whether all of them can be named.
static bool addMembers(QualType type, const std::string& name, std::size_t most, std::vector<std::string>& members) {
    if (const auto* array = dyn_cast_or_null<ConstantArrayType>(type->getAsArrayTypeUnsafe())) {
        const std::uint64_t size = array->getZExtSize();
        for (std::uint64_t i = 0; i < size; ++i)
            if (!addMembers(array->getElementType(), name + "[" + std::to_string(i) + "]", most, members)) return false;
        return true;
    }
    const CXXRecordDecl* record = type->getAsCXXRecordDecl();
    if (!record || !record->isAggregate() ||
        record->isInStdNamespace()) {  // a number, or a class that is as good as one
        if (!type->isScalarType() && !record) return false;
        members.push_back(name);
        return members.size() <= most;
    }
    if (record->isUnion() || record->getNumBases() > 0) return false;
    for (const FieldDecl* field : record->fields())
        if (field->isBitField() || !field->getIdentifier() ||
            !addMembers(field->getType(), (name.empty() ? "" : name + ".") + field->getName().str(), most, members))
            return false;
    return true;
}

std::vector<std::string> membersOf(QualType type, std::size_t most) {
    std::vector<std::string> members;
    const CXXRecordDecl* record = type->getAsCXXRecordDecl();
    const bool hasNames = record && record->isAggregate() && !record->isInStdNamespace();
    if (!hasNames || !addMembers(type.getUnqualifiedType(), "", most, members)) members.clear();
    return members;
}

bool holdsPointer(QualType type) {
    type = type.getNonReferenceType();
    if (type->isPointerType()) return true;
    if (const ArrayType* array = type->getAsArrayTypeUnsafe()) return holdsPointer(array->getElementType());
    const CXXRecordDecl* record = type->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition()) return false;
    return llvm::any_of(record->fields(), [](const FieldDecl* member) { return holdsPointer(member->getType()); }) ||
           llvm::any_of(record->bases(), [](const CXXBaseSpecifier& base) { return holdsPointer(base.getType()); });
}

std::optional<Loss> lossOf(QualType from, QualType to, const ASTContext& context) {
    from = from.getNonReferenceType().getCanonicalType().getUnqualifiedType();
    to = to.getNonReferenceType().getCanonicalType().getUnqualifiedType();
    const auto isInteger = [](QualType type) {
        return type->isIntegerType() && !type->isBooleanType() && !type->isEnumeralType();
    };
    const bool isNarrower = !from->isDependentType() && !to->isDependentType() && from->isArithmeticType() &&
                            to->isArithmeticType() && context.getTypeSize(to) < context.getTypeSize(from);
    if (from->isRealFloatingType() && isInteger(to)) return Loss::Fraction;
    if (from->isRealFloatingType() && to->isRealFloatingType() && isNarrower) return Loss::Digits;
    if (isInteger(from) && isInteger(to) && isNarrower) return Loss::Range;
    return std::nullopt;
}

}  // namespace foldwise
