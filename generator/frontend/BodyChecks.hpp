// generator/frontend/BodyChecks.hpp: warnings about kernels whose code is valid C++, but slow on a GPU or probably not
// what the user meant.
#pragma once

#include "Finding.hpp"
#include "Includes.hpp"
#include "Nesting.hpp"
#include "SystemCalls.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace foldwise {

/// Goes through a kernel's lambda and all functions of the user's that it calls while it runs, and warns of each place
/// once, however many signatures reach it.
class BodyChecks {
  public:
    BodyChecks(clang::ASTContext& context, const Includes& includes, SystemCalls& systemCalls)
        : context_(context), includes_(includes), systemCalls_(systemCalls) {}

    /// Checks a lambda's call operator (instantiated, if it is generic). `asked` is what the kernel's signature makes
    /// of its result; null if it names none. `madeAt` is where the kernel is declared, if a function has made its
    /// lambda; else it is invalid.
    void check(const clang::FunctionDecl& lambda, clang::QualType asked, clang::SourceLocation madeAt);

  private:
    /// A function on the way from the lambda, and the call in the one before that leads to it.
    struct Step {
        const clang::FunctionDecl* function;
        clang::SourceLocation call;
        const Step* previous;
        bool isInLoop;
        bool isPhase = false;  ///< Of a block, which is written where it is called.
    };
    struct Call {
        const clang::FunctionDecl* callee;
        clang::SourceLocation at;
        bool isInLoop;
        bool isPhase = false;
    };
    class Body;

    void enter(const Step& step);
    void follow(const Call& call, const Step& from);
    void warnOfRecursion(const Step& first, const Call& back, const Step& from);
    void warn(const Finding& finding, const Step& step);
    bool isNew(const Finding& finding);

    clang::ASTContext& context_;
    const Includes& includes_;
    SystemCalls& systemCalls_;
    clang::QualType asked_;
    clang::SourceLocation madeAt_;
    Nestings nestings_;
    unsigned depth_ = 0;                                             // of what is entered
    std::string signature_;                                          // of the lambda
    std::string typedSignature_;                                     // the same with std::int32_t for int
    bool isOfDoubles_ = false;                                       // whether there is double in it
    std::set<std::pair<const clang::FunctionDecl*, bool>> entered_;  // and whether from within a loop
    std::set<std::tuple<Message, clang::SourceLocation, std::string>> told_;
};

}  // namespace foldwise
