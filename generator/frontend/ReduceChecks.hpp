// generator/frontend/ReduceChecks.hpp: warnings about reductions that compute something else than they seem to.
#pragma once

#include "ConstantCalls.hpp"
#include "ReduceParts.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

#include <vector>

namespace foldwise {

/// A reduction with one signature's types.
struct TypedReduce {
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
/// is none, and sums that overflow early. Where the compiler cannot tell, nothing is said. Each kernel is warned about
/// each thing once.
class ReduceChecks {
  public:
    ReduceChecks(const clang::VarDecl& kernel, const ReduceParts& parts, clang::ASTContext& context)
        : kernel_(kernel), parts_(parts), context_(context) {}

    void check(const TypedReduce& fold);

  private:
    void checkAssociative(const TypedReduce& fold);
    void checkIdentity(const TypedReduce& fold);
    void checkRoom(const TypedReduce& fold);

    const clang::VarDecl& kernel_;
    const ReduceParts& parts_;
    clang::ASTContext& context_;
    bool isGrouped_ = false, isIdentified_ = false;
};

}  // namespace foldwise
