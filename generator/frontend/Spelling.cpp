// generator/frontend/Spelling.cpp: prints types and names as generated code has to write them.
#include "Spelling.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/QualTypeNames.h>
#include <clang/Lex/Lexer.h>

namespace foldwise {

using namespace clang;

std::string spelling(QualType type, const ASTContext& context) {
    PrintingPolicy policy = context.getPrintingPolicy();
    policy.SuppressTagKeyword = true;
    policy.SuppressUnwrittenScope = true;
    return TypeName::getFullyQualifiedName(type.getUnqualifiedType(), context, policy);
}

std::string sourceOf(const Expr& expression, const ASTContext& context) {
    const CharSourceRange range = CharSourceRange::getTokenRange(expression.getSourceRange());
    return Lexer::getSourceText(range, context.getSourceManager(), context.getLangOpts()).str();
}

std::string quotedResult(QualType type, const ASTContext& context) {
    return type->isVoidType() ? "nothing" : "'" + spelling(type, context) + "'";
}

std::string spellingWithKeywords(QualType type, const ASTContext& context) {
    PrintingPolicy policy = context.getPrintingPolicy();
    policy.SuppressTagKeyword = false;
    policy.SuppressUnwrittenScope = true;
    policy.FullyQualifiedName = true;
    return type.getNonReferenceType().getCanonicalType().getUnqualifiedType().getAsString(policy);
}

std::string firstName(const NamedDecl& declaration) {
    std::string name = declaration.getNameAsString();
    for (const DeclContext* scope = declaration.getDeclContext(); scope; scope = scope->getParent())
        if (const auto* named = dyn_cast<NamedDecl>(scope); named && named->getIdentifier())
            if (const auto* space = dyn_cast<NamespaceDecl>(scope); !space || !space->isInline())
                name = named->getNameAsString();
    return name;
}

const NamedDecl* aliasOf(QualType written) {
    const QualType type = written.getNonReferenceType();
    if (const auto* alias = type->getAs<TypedefType>()) return alias->getDecl();
    const auto* special = type->getAs<TemplateSpecializationType>();
    return special && special->isTypeAlias() ? special->getTemplateName().getAsTemplateDecl() : nullptr;
}

}  // namespace foldwise
