// generator/frontend/RunTimeVisitor.hpp: visits the parts of a function that run at run time.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/StmtCXX.h>

#include <initializer_list>

namespace foldwise {

/// The definition of a function that has a body, or null.
const clang::FunctionDecl* definitionOf(const clang::FunctionDecl& function);

/// Visits the body of a function that is no template any more. It leaves out what the compiler only looks at or
/// computes itself, and the bodies of lambdas and local classes, which are functions of their own.
class RunTimeVisitor : public clang::DynamicRecursiveASTVisitor {
  public:
    explicit RunTimeVisitor(const clang::ASTContext& context);

    /// Visits a constructor's initializers first.
    void visitBody(const clang::FunctionDecl& function);

    bool TraverseTypeLoc(clang::TypeLoc, bool) override { return true; }
    bool TraverseNestedNameSpecifierLoc(clang::NestedNameSpecifierLoc) override { return true; }
    bool TraverseTemplateArgumentLoc(const clang::TemplateArgumentLoc&) override { return true; }
    bool TraverseConstantExpr(clang::ConstantExpr*) override { return true; }
    bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) override { return true; }
    bool TraverseCXXNoexceptExpr(clang::CXXNoexceptExpr*) override { return true; }
    bool TraverseRequiresExpr(clang::RequiresExpr*) override { return true; }
    bool TraverseConceptSpecializationExpr(clang::ConceptSpecializationExpr*) override { return true; }
    bool TraverseStaticAssertDecl(clang::StaticAssertDecl*) override { return true; }
    bool TraverseCXXRecordDecl(clang::CXXRecordDecl*) override { return true; }
    bool TraverseVarDecl(clang::VarDecl* variable) override;
    bool TraverseIfStmt(clang::IfStmt* s) override;
    bool TraverseLambdaExpr(clang::LambdaExpr* e) override;
    bool TraverseForStmt(clang::ForStmt* s) override;
    bool TraverseWhileStmt(clang::WhileStmt* s) override;
    bool TraverseDoStmt(clang::DoStmt* s) override;
    bool TraverseCXXForRangeStmt(clang::CXXForRangeStmt* s) override;

  protected:
    /// Whether what is being visited may run more than once.
    bool isInLoop() const { return depth_ > 0; }

  private:
    bool inLoop(std::initializer_list<clang::Stmt*> parts);

    const clang::ASTContext& context_;
    unsigned depth_ = 0;
};

}  // namespace foldwise
