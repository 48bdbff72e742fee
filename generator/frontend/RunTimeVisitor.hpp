// generator/frontend/RunTimeVisitor.hpp: goes through what one function does when it runs.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/ExprConcepts.h>
#include <clang/AST/RecursiveASTVisitor.h>

namespace foldwise {

/// A RecursiveASTVisitor over the body of a function that is no template any more. It leaves out what the compiler only
/// looks at or computes itself, and the bodies of lambdas and local classes, which are functions of their own.
template <class Derived> class RunTimeVisitor : public clang::RecursiveASTVisitor<Derived> {
    using Base = clang::RecursiveASTVisitor<Derived>;

  public:
    explicit RunTimeVisitor(const clang::ASTContext& context) : context_(context) {}

    void visitBody(const clang::FunctionDecl& function) {
        if (const auto* constructor = clang::dyn_cast<clang::CXXConstructorDecl>(&function))
            for (const clang::CXXCtorInitializer* initializer : constructor->inits())
                Base::getDerived().TraverseStmt(initializer->getInit());
        Base::getDerived().TraverseStmt(function.getBody());
    }

    static bool shouldVisitImplicitCode() { return true; }

    bool TraverseTypeLoc(clang::TypeLoc, bool = true) { return true; }
    bool TraverseNestedNameSpecifierLoc(clang::NestedNameSpecifierLoc) { return true; }
    bool TraverseTemplateArgumentLoc(const clang::TemplateArgumentLoc&) { return true; }
    bool TraverseConstantExpr(clang::ConstantExpr*) { return true; }
    bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) { return true; }
    bool TraverseCXXNoexceptExpr(clang::CXXNoexceptExpr*) { return true; }
    bool TraverseRequiresExpr(clang::RequiresExpr*) { return true; }
    bool TraverseConceptSpecializationExpr(clang::ConceptSpecializationExpr*) { return true; }
    bool TraverseStaticAssertDecl(clang::StaticAssertDecl*) { return true; }
    bool TraverseCXXRecordDecl(clang::CXXRecordDecl*) { return true; }
    bool TraverseVarDecl(clang::VarDecl* variable) {
        return variable->isConstexpr() || variable->isStaticLocal() || Base::TraverseVarDecl(variable);
    }
    bool TraverseIfStmt(clang::IfStmt* s) {
        if (s->isConsteval())
            return Base::getDerived().TraverseStmt(s->isNegatedConsteval() ? s->getThen() : s->getElse());
        if (!s->isConstexpr()) return Base::TraverseIfStmt(s);
        const auto taken = s->getNondiscardedCase(context_);
        return !taken || Base::getDerived().TraverseStmt(*taken);
    }
    bool TraverseLambdaExpr(clang::LambdaExpr* e) {
        for (clang::Expr* initializer : e->capture_inits())
            if (!Base::getDerived().TraverseStmt(initializer)) return false;
        return true;
    }

    bool TraverseForStmt(clang::ForStmt* s) {
        return Base::getDerived().WalkUpFromForStmt(s) && Base::getDerived().TraverseStmt(s->getInit()) &&
               inLoop({s->getConditionVariableDeclStmt(), s->getCond(), s->getInc(), s->getBody()});
    }
    bool TraverseWhileStmt(clang::WhileStmt* s) {
        return Base::getDerived().WalkUpFromWhileStmt(s) &&
               inLoop({s->getConditionVariableDeclStmt(), s->getCond(), s->getBody()});
    }
    bool TraverseDoStmt(clang::DoStmt* s) {
        return Base::getDerived().WalkUpFromDoStmt(s) && inLoop({s->getBody(), s->getCond()});
    }
    bool TraverseCXXForRangeStmt(clang::CXXForRangeStmt* s) {
        for (clang::Stmt* once :
             {s->getInit(), static_cast<clang::Stmt*>(s->getRangeStmt()), static_cast<clang::Stmt*>(s->getBeginStmt()),
              static_cast<clang::Stmt*>(s->getEndStmt())})
            if (!Base::getDerived().TraverseStmt(once)) return false;
        return inLoop({s->getCond(), s->getInc(), s->getLoopVarStmt(), s->getBody()});
    }

  protected:
    bool isInLoop() const { return depth_ > 0; }

  private:
    bool inLoop(std::initializer_list<clang::Stmt*> parts) {
        ++depth_;
        bool result = true;
        for (clang::Stmt* part : parts) result = result && Base::getDerived().TraverseStmt(part);
        --depth_;
        return result;
    }

    const clang::ASTContext& context_;
    unsigned depth_ = 0;
};

}  // namespace foldwise
