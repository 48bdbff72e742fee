// generator/frontend/FoldChecks.hpp: warnings about reductions whose results are probably not what the user meant.
#pragma once

#include "ConstantCalls.hpp"
#include "FindParts.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

#include <vector>

namespace foldwise {

/// A reduction with one signature's types.
struct TypedFold {
    std::vector<clang::QualType> elements;
    clang::QualType mapped;  ///< What map makes of them.
    clang::QualType accumulator;
    clang::QualType result;
    const clang::FunctionDecl* map = nullptr;  ///< Null: elements are combined as they are.
    const clang::FunctionDecl* combine = nullptr;
    const clang::FunctionDecl* finish = nullptr;  ///< Null: the accumulator is the result.
    std::optional<Constant> mapObject;            ///< What map's call operator is called on, if it has a value.
    std::optional<Constant> combineObject;
};

/// Finds, by trying a few values with the compiler's evaluator, a combine that is not associative and an identity that
/// is none; and, by types, sums that overflow early, fractions that are lost, and parameters of its parts that hold
/// less than what they are given. Where the compiler cannot tell, nothing is said. Each kernel is warned about each
/// thing once.
class FoldChecks {
  public:
    FoldChecks(const KernelSite& site, const FoundParts& parts, clang::ASTContext& context)
        : kernel_(*site.variable), pattern_(site.pattern), parts_(parts), context_(context) {}

    void check(const TypedFold& fold);

  private:
    void checkAssociative(const TypedFold& fold);
    void checkCommutative(const TypedFold& fold);
    void checkIdentity(const TypedFold& fold);
    void checkRoom(const TypedFold& fold);
    void checkPrecision(const TypedFold& fold);
    bool warnIfNarrow(const clang::ParmVarDecl& parameter, clang::QualType given, const std::string& signature = "");

    const clang::VarDecl& kernel_;
    const Pattern pattern_;
    const FoundParts& parts_;
    clang::ASTContext& context_;
    bool isGrouped_ = false, isTurned_ = false, isIdentified_ = false, isPrecise_ = true;
};

}  // namespace foldwise
