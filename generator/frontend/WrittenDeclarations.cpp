// generator/frontend/WrittenDeclarations.cpp: finds the declarations in the source behind those of Clang's AST.
#include "WrittenDeclarations.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

namespace foldwise {

using namespace clang;

const Decl& written(const Decl& declaration) {
    if (const auto* function = dyn_cast<FunctionDecl>(&declaration)) {
        if (const FunctionDecl* pattern = function->getTemplateInstantiationPattern()) return *pattern;
    } else if (const auto* record = dyn_cast<CXXRecordDecl>(&declaration)) {
        if (const CXXRecordDecl* pattern = record->getTemplateInstantiationPattern()) return *pattern;
        if (const CXXRecordDecl* definition = record->getDefinition()) return *definition;
    } else if (const auto* variable = dyn_cast<VarDecl>(&declaration)) {
        if (const VarDecl* pattern = variable->getTemplateInstantiationPattern()) return *pattern;
    }
    return declaration;
}

const Decl* namespaceMember(const Decl& declaration) {
    const Decl* member = &declaration;
    while (!member->getLexicalDeclContext()->isFileContext() &&
           !isa<LinkageSpecDecl>(member->getLexicalDeclContext())) {
        const DeclContext* outer = member->getLexicalDeclContext();
        if (outer->isFunctionOrMethod()) return nullptr;
        member = &written(*Decl::castFromDeclContext(outer));
    }
    if (const auto* function = dyn_cast<FunctionDecl>(member)) {
        if (const FunctionTemplateDecl* described = function->getDescribedFunctionTemplate()) return described;
    } else if (const auto* variable = dyn_cast<VarDecl>(member)) {
        if (const VarTemplateDecl* described = variable->getDescribedVarTemplate()) return described;
    } else if (const auto* record = dyn_cast<CXXRecordDecl>(member)) {
        if (const ClassTemplateDecl* described = record->getDescribedClassTemplate()) return described;
    } else if (const auto* alias = dyn_cast<TypeAliasDecl>(member)) {
        if (const TypeAliasTemplateDecl* described = alias->getDescribedAliasTemplate()) return described;
    }
    return member;
}

std::vector<std::string> namespacesOf(const Decl& declaration) {
    std::vector<std::string> namespaces;
    for (const DeclContext* context = declaration.getDeclContext(); context; context = context->getParent())
        if (const auto* space = dyn_cast<NamespaceDecl>(context); space && !space->isAnonymousNamespace())
            namespaces.insert(namespaces.begin(), (space->isInline() ? "inline " : "") + space->getNameAsString());
    return namespaces;
}

const NamespaceDecl* outermostNamespace(const Decl& declaration) {
    const NamespaceDecl* outermost = nullptr;
    for (const DeclContext* context = declaration.getDeclContext(); context; context = context->getParent())
        if (const auto* space = dyn_cast<NamespaceDecl>(context)) outermost = space;
    return outermost;
}

std::vector<const Decl*> writtenTogether(const Decl& member) {
    const auto* tag = dyn_cast<TagDecl>(&member);
    if (!isa<VarDecl, TypedefNameDecl>(member) && !(tag && tag->isEmbeddedInDeclarator())) return {&member};
    const SourceManager& sources = member.getASTContext().getSourceManager();
    std::vector<const Decl*> together;
    for (const Decl* other : member.getLexicalDeclContext()->decls()) {
        if (other->isImplicit() || isa<NamespaceDecl, LinkageSpecDecl, EmptyDecl>(other)) continue;
        if (&written(*other) != other && isa<VarDecl>(other)) continue;  // an instance, which lies where its pattern is
        const bool apart = sources.isBeforeInTranslationUnit(other->getEndLoc(), member.getBeginLoc()) ||
                           sources.isBeforeInTranslationUnit(member.getEndLoc(), other->getBeginLoc());
        if (!apart) together.push_back(other);
    }
    return together;
}

}  // namespace foldwise
