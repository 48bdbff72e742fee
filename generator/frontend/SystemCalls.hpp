// generator/frontend/SystemCalls.hpp: tells whether functions of system headers can run in device code, and which
// headers of Foldwise's they need.
#pragma once

#include "../model/KernelSpec.hpp"
#include "DeviceLibrary.hpp"
#include "Includes.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace foldwise {

/// Whether a function is one of the compiler's, such as __builtin_clz, and not also one of a library, such as fopen.
bool isCompilersOwn(const clang::FunctionDecl& function);

/// "std::complex::operator+=": without template arguments and inline namespaces.
std::string plainName(const clang::NamedDecl& declaration);

/// Judges the functions of system headers by the table in DeviceLibrary.def, and those that it does not name by what
/// they call in turn.
///
/// That nvcc accepts a call says little: a constexpr function may call anything, and where it calls what the device
/// has not, nvcc compiles it to nothing, without a word.
class SystemCalls {
  public:
    struct Verdict {
        LibrarySource source = LibrarySource::Standard;     ///< Whose code it is there, if it can run.
        std::string missing;                                ///< What device code lacks; empty if it can run.
        std::set<std::string> headers;                      ///< The directives that bring what it needs.
        std::vector<const clang::FunctionDecl*> usersCode;  ///< What it calls back.
    };

    SystemCalls(const clang::ASTContext& context, const Includes& includes) : context_(context), includes_(includes) {}

    const Verdict& of(const clang::FunctionDecl& function);

    /// Whether an expression needs a global variable to be an object in memory, not just its value.
    static bool needsObject(const clang::DeclRefExpr& reference);
    static bool needsObject(const clang::MemberExpr& reference);

    /// The header of Foldwise's that stands for a class or variable; empty if there is none.
    static std::string headerOf(const clang::NamedDecl& declaration);

  private:
    class Walk;

    Verdict judge(const clang::FunctionDecl& function);

    const clang::ASTContext& context_;
    const Includes& includes_;
    std::map<const clang::FunctionDecl*, Verdict> verdicts_;
};

}  // namespace foldwise
