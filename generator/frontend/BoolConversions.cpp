// generator/frontend/BoolConversions.cpp: walks over the user's code, and over the instances of its templates.
#include "BoolConversions.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/STLExtras.h>

namespace foldwise {

using namespace clang;

namespace {

class ConversionVisitor : public DynamicRecursiveASTVisitor {
  public:
    ConversionVisitor() { ShouldVisitTemplateInstantiations = true; }

    std::vector<SourceRange> found;

    bool TraverseTypeLoc(TypeLoc, bool = true) override { return true; }
    bool VisitCastExpr(CastExpr* cast) override {
        const Expr& operand = *cast->getSubExpr()->IgnoreImpCasts();  // beside a float, a bool is an int first
        const SourceRange range = operand.getSourceRange();
        if (cast->getCastKind() == CK_IntegralToFloating &&
            operand.getType()->isSpecificBuiltinType(BuiltinType::Bool) && range.isValid() &&
            !llvm::is_contained(found, range))
            found.push_back(range);
        return true;
    }
    bool VisitLambdaExpr(LambdaExpr* lambda) override {
        traverseInstances(*lambda->getCallOperator());
        return true;
    }

    /// The bodies that a template's function has been given.
    void traverseInstances(const FunctionDecl& pattern) {
        const FunctionTemplateDecl* of = pattern.getDescribedFunctionTemplate();
        if (!of) return;
        for (const FunctionDecl* instance : of->specializations()) TraverseStmt(instance->getBody());
    }
};

}  // namespace

std::vector<SourceRange> boolConversions(const Decl& declaration) {
    ConversionVisitor visitor;
    visitor.TraverseDecl(const_cast<Decl*>(&declaration));
    return std::move(visitor.found);
}

std::vector<SourceRange> boolConversions(const Stmt& body) {
    ConversionVisitor visitor;
    visitor.TraverseStmt(const_cast<Stmt*>(&body));
    return std::move(visitor.found);
}

std::vector<SourceRange> boolConversionsInBody(const FunctionDecl& function) {
    ConversionVisitor visitor;
    visitor.TraverseStmt(function.getBody());
    visitor.traverseInstances(function);
    return std::move(visitor.found);
}

}  // namespace foldwise
