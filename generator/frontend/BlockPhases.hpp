// generator/frontend/BlockPhases.hpp: what the lambda of a `blocks` kernel does in its phases and between them.
#pragma once

#include "Diagnostics.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>

#include <cstdint>
#include <string>
#include <vector>

namespace foldwise {

/// What is wrong with a block's code, with the message's arguments.
struct BlockMistake {
    clang::SourceLocation at;
    Message message;
    std::vector<std::string> arguments;
    std::vector<unsigned> choices = {};  ///< The choices for the message's %select, behind its arguments.
    std::vector<std::string> last = {};  ///< The arguments behind these.
};

/// `auto tile = b.shared<float, 32, 33>();`, or with the number of elements in parentheses.
struct SharedDeclaration {
    const clang::VarDecl* variable;
    clang::QualType element;
    std::vector<std::uint64_t> extents;  ///< Empty if there is a count.
    const clang::Expr* count = nullptr;
};

/// What items do with a view.
struct BlockViewUse {
    bool isRead = false, isWritten = false;
};

struct BlockPhases {
    std::vector<BlockMistake> mistakes;     ///< In the order of the source.
    std::vector<SharedDeclaration> shared;  ///< In the order of the source.
    std::vector<BlockViewUse> views;        ///< One for each parameter after the block.
    std::uint32_t exchanged = 0;            ///< The size of the largest value that a fold or scan works on.
    std::uint32_t exchangedAlignment = 0;   ///< The largest alignment of such values.
    std::uint32_t owned = 0;                ///< The size of an item's own variables, one behind the other.
    std::uint32_t phases = 0;               ///< Calls of each, once, fold and the scans.
    std::uint32_t itemCalls = 0;            ///< Calls that concernsItems().
};

/// Looks at a body whose first parameter is its block. Everything that differs between items is confined to phases:
/// what is outside of them works on parameters, constants and the results of folds alone, so that all threads of a
/// block come to the same barriers.
BlockPhases blockPhases(const clang::FunctionDecl& body);

/// Whether a call is one of a block's functions that work on items, or on variables of their own.
bool concernsItems(const clang::CXXMemberCallExpr& call);

/// What a call of one of a block's functions calls for each item: a phase, or what combines values. Null for others.
const clang::FunctionDecl* calledForItems(const clang::CXXMemberCallExpr& call);

/// The call operator of the lambda that a block's each() or once() is given where it is called; null for other calls.
const clang::FunctionDecl* phaseOf(const clang::CXXMemberCallExpr& call);

/// The call operators of the lambdas that a block's each() is given where it is called, in the order of the source.
std::vector<const clang::FunctionDecl*> phasesOfItems(const clang::FunctionDecl& body);

/// The axes of the foldwise::block that a lambda takes first; 0 if it takes none.
std::uint32_t blockRank(const clang::FunctionDecl& lambda);

}  // namespace foldwise
