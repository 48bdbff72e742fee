// generator/frontend/LambdaVariables.cpp: finds what the function objects that replace lambdas need.
#include "LambdaVariables.hpp"

#include "Callable.hpp"
#include "Captures.hpp"
#include "Spelling.hpp"
#include "Types.hpp"

namespace foldwise {

using namespace clang;

bool LambdaUses::isCalledInConstants(const VarDecl& variable) const {
    std::vector<const VarDecl*> waiting(inConstants.begin(), inConstants.end());
    std::set<const VarDecl*> seen(inConstants);
    while (!waiting.empty()) {
        const auto uses = within.find(waiting.back());
        waiting.pop_back();
        if (uses == within.end()) continue;
        for (const VarDecl* used : uses->second)
            if (seen.insert(used).second) waiting.push_back(used);
    }
    return seen.contains(&variable);
}

std::optional<std::vector<std::string>> parameterTypes(const CXXMethodDecl& call, const ASTContext& context) {
    std::vector<std::string> types;
    if (call.getDescribedFunctionTemplate()) return std::nullopt;
    for (const ParmVarDecl* parameter : call.parameters()) {
        const QualType type = parameter->getType(), value = type.getNonReferenceType();
        const TagDecl* tag = value->getAsTagDecl();
        if (tag && (tag->getParentFunctionOrMethod() || !tag->getIdentifier())) return std::nullopt;
        // The parameter's name would have to stand within such a type.
        if (value->isArrayType() || value->isFunctionType() || value->isAnyPointerType() ||
            value->isMemberPointerType())
            return std::nullopt;
        // Default arguments are part of the text of the function that the lambda is in.
        if (parameter->hasDefaultArg() && call.getParent()->getParentFunctionOrMethod()) return std::nullopt;
        types.push_back(type->isReferenceType() ? spelling(type, context) : elementName(type, context));
    }
    return types;
}

bool forwardsAny(const VarDecl& variable) {
    const CXXRecordDecl& lambda = *variable.getType()->getAsCXXRecordDecl();
    const bool isOwnText = isa<LambdaExpr>(heldLambda(variable)) && capturesAsConstants(lambda);
    return !isOwnText && !parameterTypes(*lambda.getLambdaCallOperator(), variable.getASTContext());
}

}  // namespace foldwise
