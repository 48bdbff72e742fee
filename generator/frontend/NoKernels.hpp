// generator/frontend/NoKernels.hpp: where a reader of a file without kernels should look.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/Lex/Preprocessor.h>

#include <memory>
#include <vector>

namespace foldwise {

/// The parts of the main file that conditions of the preprocessor leave out.
class SkippedParts {
  public:
    explicit SkippedParts(clang::Preprocessor& preprocessor);

    const std::vector<clang::SourceRange>& all() const { return *all_; }

  private:
    std::shared_ptr<std::vector<clang::SourceRange>> all_;
};

/// In a file without kernels, the place of what could have become one: a call of foldwise::vectorize or the like whose
/// result is no variable's, such a word in what the preprocessor leaves out, or else the first declaration; the
/// beginning of a file without any.
clang::SourceLocation placeWithoutKernels(clang::ASTContext& context, const SkippedParts& skipped);

}  // namespace foldwise
