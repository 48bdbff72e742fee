// generator/frontend/Vocabulary.hpp: recognises the class templates that specs are written with.
#pragma once

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Type.h>

#include <llvm/ADT/StringRef.h>

namespace foldwise {

/// The instance of foldwise's class template `name`, such as view or block, that a type is or refers to; null if it is
/// none.
const clang::ClassTemplateSpecializationDecl* vocabularyType(clang::QualType type, llvm::StringRef name);

inline bool isIndex(clang::QualType type) { return vocabularyType(type, "index") != nullptr; }
inline bool isView(clang::QualType type) { return vocabularyType(type, "view") != nullptr; }
inline bool isSharedArray(clang::QualType type) { return vocabularyType(type, "shared_array") != nullptr; }
inline bool isOwnVariable(clang::QualType type) { return vocabularyType(type, "own_variable") != nullptr; }
inline bool isBlock(clang::QualType type) { return vocabularyType(type, "block") != nullptr; }

}  // namespace foldwise
