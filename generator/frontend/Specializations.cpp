// generator/frontend/Specializations.cpp: searches the specializations of a template.
#include "Specializations.hpp"

#include <clang/AST/DeclTemplate.h>
#include <llvm/ADT/STLExtras.h>

namespace foldwise {

using namespace clang;

using Found = llvm::SmallVector<const NamedDecl*, 4>;

/// Whether a template argument is a value, or a type that is built in or of the user's.
static bool isBuiltInOrUsers(const TemplateArgument& argument, const Includes& includes) {
    if (argument.getKind() == TemplateArgument::Pack)
        return llvm::all_of(argument.pack_elements(),
                            [&](const TemplateArgument& one) { return isBuiltInOrUsers(one, includes); });
    if (argument.getKind() != TemplateArgument::Type) return true;
    const TagDecl* tag = argument.getAsType()->getAsTagDecl();
    return !tag || includes.isUsersCode(tag->getLocation());
}

template <class Partial, class Template> static Found metOf(const Template& generic, const Includes& includes) {
    Found found;
    for (const auto* special : generic.specializations()) {
        if (special->getSpecializationKind() == TSK_ExplicitSpecialization) {
            if (llvm::all_of(special->getTemplateArgs().asArray(),
                             [&](const TemplateArgument& one) { return isBuiltInOrUsers(one, includes); }))
                found.push_back(special);
        } else if (const auto* from = llvm::dyn_cast_if_present<Partial*>(special->getInstantiatedFrom())) {
            if (!llvm::is_contained(found, from)) found.push_back(from);
        }
    }
    return found;
}

Found specializationsMet(const Decl& declaration, const Includes& includes) {
    if (const auto* classes = dyn_cast<ClassTemplateDecl>(&declaration))
        return metOf<ClassTemplatePartialSpecializationDecl>(*classes, includes);
    if (const auto* variables = dyn_cast<VarTemplateDecl>(&declaration))
        return metOf<VarTemplatePartialSpecializationDecl>(*variables, includes);
    return {};
}

}  // namespace foldwise
