// generator/frontend/Finding.cpp: words what findings have in common.
#include "Finding.hpp"

#include "Spelling.hpp"

namespace foldwise {

using namespace clang;

Finding operatorFinding(Message message, const BinaryOperator& expression, llvm::ArrayRef<QualType> types,
                        const ASTContext& context) {
    Finding finding{
        message, expression.getOperatorLoc(), {sourceOf(expression, context)}, expression.getSourceRange(), {}};
    for (const QualType type : types) finding.arguments.push_back(spelling(type.getUnqualifiedType(), context));
    return finding;
}

}  // namespace foldwise
