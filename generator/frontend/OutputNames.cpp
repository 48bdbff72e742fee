// generator/frontend/OutputNames.cpp: names outputs after the expressions in return statements.
#include "OutputNames.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/STLExtras.h>

namespace foldwise {

using namespace clang;

namespace {

/// The return statements of a body, without those of lambdas in it.
class Returns : public DynamicRecursiveASTVisitor {
  public:
    std::vector<const Expr*> values;

    bool TraverseLambdaExpr(LambdaExpr*) override { return true; }
    bool VisitReturnStmt(ReturnStmt* statement) override {
        values.push_back(statement->getRetValue());
        return true;
    }
};

/// What a tuple's or pair's members are made of: the arguments of its constructor or of std::make_tuple, or what its
/// braces hold. Empty if the expression is none of these.
llvm::SmallVector<const Expr*> membersOf(const Expr* value, std::size_t count) {
    while (value) {
        value = value->IgnoreUnlessSpelledInSource();
        if (const auto* cast = dyn_cast<CXXFunctionalCastExpr>(value)) {
            value = cast->getSubExpr();
            continue;
        }
        if (const auto* list = dyn_cast<InitListExpr>(value); list && list->getNumInits() == count)
            return {list->inits().begin(), list->inits().end()};
        if (const auto* made = dyn_cast<CXXConstructExpr>(value); made && made->getNumArgs() == count)
            return {made->arguments().begin(), made->arguments().end()};
        if (const auto* call = dyn_cast<CallExpr>(value); call && call->getNumArgs() == count) {
            const FunctionDecl* function = call->getDirectCallee();
            const bool makes = function && function->isInStdNamespace() && function->getIdentifier() &&
                               (function->getName() == "make_tuple" || function->getName() == "make_pair");
            if (makes) return {call->arguments().begin(), call->arguments().end()};
        }
        return {};
    }
    return {};
}

/// The name of a local variable or data member; empty for other expressions.
std::string nameOf(const Expr* member) {
    member = member->IgnoreUnlessSpelledInSource()->IgnoreParenCasts()->IgnoreUnlessSpelledInSource();
    if (const auto* field = dyn_cast<MemberExpr>(member))
        return isa<FieldDecl>(field->getMemberDecl()) ? field->getMemberDecl()->getNameAsString() : "";
    const auto* reference = dyn_cast<DeclRefExpr>(member);
    if (!reference || isa<ParmVarDecl>(reference->getDecl())) return "";
    const bool isLocal = reference->getDecl()->getParentFunctionOrMethod() != nullptr;
    return isLocal && isa<VarDecl, BindingDecl>(reference->getDecl()) ? reference->getDecl()->getNameAsString() : "";
}

}  // namespace

std::vector<std::string> outputNames(const FunctionDecl& body, std::size_t count) {
    Returns returns;
    if (const Stmt* block = body.getBody()) returns.TraverseStmt(const_cast<Stmt*>(block));
    std::vector<std::string> names(count);
    for (const Expr* value : returns.values) {
        const llvm::SmallVector<const Expr*> members = membersOf(value, count);
        for (std::size_t i = 0; i < count; ++i) {
            const std::string name = i < members.size() ? nameOf(members[i]) : "";
            names[i] = value == returns.values.front() || names[i] == name ? name : "";
        }
    }
    const std::vector<std::string> found = names;
    for (std::size_t i = 0; i < count; ++i) {
        const bool isParameters = llvm::any_of(
            body.parameters(), [&](const ParmVarDecl* parameter) { return parameter->getName() == found[i]; });
        if (found[i].empty() || isParameters || llvm::count(found, found[i]) > 1) names[i] = "out" + std::to_string(i);
    }
    return names;
}

}  // namespace foldwise
