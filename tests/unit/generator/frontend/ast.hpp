// tests/unit/generator/frontend/ast.hpp: the AST of code in a string, for tests of single steps of the frontend.
#pragma once

#include "frontend/Includes.hpp"
#include "frontend/SourceText.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <map>
#include <string>

namespace foldwise {

/// A translation unit that has been parsed.
struct Ast {
    clang::ASTContext& context;
    const SourceText& text;
    const Includes& includes;

    /// The declaration of a qualified name that a person wrote; of several, the definition or else the first. Names
    /// within functions are not qualified.
    const clang::NamedDecl& named(const std::string& name) const;
    const clang::FunctionDecl& function(const std::string& name) const;
};

/// The folder of headers that count as the C++ library's.
inline constexpr char libraryFolder[] = "/library/include/c++";

/// Parses C++20 and hands it to `test`. `others` are files that it can include: those of the user's by their names, and
/// the library's by names below `libraryFolder`. No other headers are there.
void withAst(const std::string& code, const std::map<std::string, std::string>& others,
             llvm::function_ref<void(const Ast&)> test);
inline void withAst(const std::string& code, llvm::function_ref<void(const Ast&)> test) { withAst(code, {}, test); }

/// "n::f", or the text of what has no name.
std::string nameOf(const clang::Decl& declaration);

}  // namespace foldwise
