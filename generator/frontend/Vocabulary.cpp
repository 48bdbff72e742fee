// generator/frontend/Vocabulary.cpp: compares a template's name and namespace, since users have templates of such
// names.
#include "Vocabulary.hpp"

namespace foldwise {

using namespace clang;

const ClassTemplateSpecializationDecl* vocabularyType(QualType type, llvm::StringRef name) {
    const auto* special =
        dyn_cast_or_null<ClassTemplateSpecializationDecl>(type.getNonReferenceType()->getAsCXXRecordDecl());
    const auto* space = special ? dyn_cast<NamespaceDecl>(special->getDeclContext()) : nullptr;
    return space && special->getName() == name && space->getQualifiedNameAsString() == "foldwise" ? special : nullptr;
}

}  // namespace foldwise
