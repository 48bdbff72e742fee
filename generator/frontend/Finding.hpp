// generator/frontend/Finding.hpp: what a check of a body reports about one place.
#pragma once

#include "Diagnostics.hpp"

#include <clang/AST/Expr.h>

#include <string>
#include <vector>

namespace foldwise {

struct Finding {
    Message message;
    clang::SourceLocation at;
    std::vector<std::string> arguments;  ///< %0, %1, ...; the first tells findings at one place apart.
    clang::SourceRange range;            ///< To underline; may be invalid.
    clang::FixItHint fixIt;              ///< May be null.
    std::vector<unsigned> choices = {};  ///< For the message's %select, behind its arguments.
    clang::SourceLocation before = {};   ///< What draws the same numbers; may be invalid.
};

/// A finding at an operator, whose arguments are its expression as the source has it and these types.
Finding operatorFinding(Message message, const clang::BinaryOperator& expression, llvm::ArrayRef<clang::QualType> types,
                        const clang::ASTContext& context);

}  // namespace foldwise
