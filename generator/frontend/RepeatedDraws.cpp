// generator/frontend/RepeatedDraws.cpp: compares the arguments of the generators that a function makes.
#include "RepeatedDraws.hpp"

#include "Mentions.hpp"
#include "OnlyRead.hpp"
#include "Parents.hpp"
#include "RunTimeVisitor.hpp"
#include "Spelling.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/FoldingSet.h>

namespace foldwise {

using namespace clang;

namespace {

/// The variables and parameters that an expression mentions, if it does nothing but compute with them.
class Arguments : public DynamicRecursiveASTVisitor {
  public:
    std::vector<const ValueDecl*> variables;
    bool isClear = true;

    bool VisitDeclRefExpr(DeclRefExpr* e) override {
        if (isa<VarDecl, BindingDecl>(e->getDecl())) variables.push_back(e->getDecl());
        return true;
    }
    bool VisitCallExpr(CallExpr* e) override {
        // Subscripts of an index, and its conversion; other functions may return what they like.
        const auto* method = dyn_cast_or_null<CXXMethodDecl>(e->getDirectCallee());
        const bool isOfIndex = method && method->getParent()->getQualifiedNameAsString() == "foldwise::index";
        return isClear = isClear && isOfIndex && (method->isConst() || method->getOverloadedOperator() == OO_Subscript);
    }
    bool VisitLambdaExpr(LambdaExpr*) override { return isClear = false; }
    bool VisitCXXThisExpr(CXXThisExpr*) override { return isClear = false; }
};

/// Where a generator begins.
struct Draw {
    const Expr* at;
    llvm::FoldingSetNodeID arguments;
    std::vector<const ValueDecl*> variables;
};

class Draws : public RunTimeVisitor {
  public:
    Draws(const FunctionDecl& function, const ASTContext& context)
        : RunTimeVisitor(context), context_(context), mentions_(function), parents_(function.getBody()) {}

    std::vector<Draw> found;

    bool VisitCXXConstructExpr(CXXConstructExpr* e) override {
        const CXXConstructorDecl& constructor = *e->getConstructor();
        if (constructor.getParent()->getQualifiedNameAsString() == "foldwise::random" &&
            !constructor.isCopyOrMoveConstructor())
            add(*e, 0, {e->getArgs(), e->getNumArgs()});
        return true;
    }
    bool VisitCallExpr(CallExpr* e) override {
        const FunctionDecl* callee = e->getDirectCallee();
        if (callee && callee->getQualifiedNameAsString() == "foldwise::random::at")
            add(*e, 1, {e->getArgs(), e->getNumArgs()});
        return true;
    }

    /// The loop around a generator in which its arguments are the same in each turn; null if there is none.
    const Stmt* sameInLoop(const Draw& draw) const {
        for (const Stmt* inner = draw.at; inner; inner = parents_.written(*inner)) {
            const Stmt* outer = parents_.written(*inner);
            if (isa_and_nonnull<WhileStmt, DoStmt, CXXForRangeStmt>(outer) ||
                (isa_and_nonnull<ForStmt>(outer) && cast<ForStmt>(outer)->getInit() != inner))
                return llvm::none_of(draw.variables, [&](const ValueDecl* one) { return isDeclaredIn(*one, *outer); })
                           ? outer
                           : nullptr;
        }
        return nullptr;
    }

    /// Whether `first` runs whenever what encloses both does, as far as conditions and loops go, before `second`.
    bool runsBefore(const Draw& first, const Draw& second) const {
        llvm::SmallPtrSet<const Stmt*, 16> around;
        for (const Stmt* s = second.at; s; s = parents_.written(*s)) around.insert(s);
        const Stmt* inner = first.at;
        for (const Stmt* outer = parents_.written(*inner); outer; outer = parents_.written(*inner)) {
            if (around.contains(outer)) return isFirst(*outer, *inner);
            if (!isa<CompoundStmt, DeclStmt, Expr, ReturnStmt>(outer) || isa<AbstractConditionalOperator>(outer) ||
                isLogical(*outer))
                return false;
            inner = outer;
        }
        return false;
    }

  private:
    static bool isLogical(const Stmt& statement) {
        const auto* both = dyn_cast<BinaryOperator>(&statement);
        return both && both->isLogicalOp();
    }
    /// Whether a part of what encloses two generators always runs: no branch, and nothing of a loop.
    static bool isFirst(const Stmt& outer, const Stmt& part) {
        if (const auto* branch = dyn_cast<IfStmt>(&outer))
            return &part == branch->getCond() || &part == branch->getInit();
        if (const auto* choice = dyn_cast<AbstractConditionalOperator>(&outer)) return &part == choice->getCond();
        if (const auto* both = dyn_cast<BinaryOperator>(&outer); both && both->isLogicalOp())
            return &part == both->getLHS();
        if (const auto* loop = dyn_cast<ForStmt>(&outer)) return &part == loop->getInit();
        return isa<CompoundStmt, DeclStmt, Expr, ReturnStmt>(outer);
    }
    bool isDeclaredIn(const ValueDecl& variable, const Stmt& loop) const {
        const SourceManager& sources = context_.getSourceManager();
        return !isa<ParmVarDecl>(variable) &&
               sources.isPointWithin(variable.getLocation(), loop.getBeginLoc(), loop.getEndLoc());
    }

    void add(const Expr& at, unsigned kind, llvm::ArrayRef<const Expr*> given) {
        Arguments arguments;
        Draw draw{&at, {}, {}};
        draw.arguments.AddInteger(kind);
        for (const Expr* argument : given) {
            arguments.TraverseStmt(const_cast<Expr*>(argument));
            if (!isa<CXXDefaultArgExpr>(argument))
                argument->IgnoreParenImpCasts()->Profile(draw.arguments, context_, /*Canonical=*/true);
        }
        const bool isUnchanged = llvm::all_of(arguments.variables, [&](const ValueDecl* one) {
            return llvm::all_of(mentions_.of(*one),
                                [&](const Mention& mention) { return isOnlyRead(*mention.expression, parents_); });
        });
        draw.variables = std::move(arguments.variables);
        if (arguments.isClear && isUnchanged) found.push_back(std::move(draw));
    }

    const ASTContext& context_;
    Mentions mentions_;
    Parents parents_;
};

}  // namespace

void findRepeatedDraws(const FunctionDecl& function, const ASTContext& context, std::vector<Finding>& findings) {
    Draws draws(function, context);
    draws.visitBody(function);
    const auto add = [&](const Draw& draw, bool isInLoop, SourceLocation before) {
        findings.push_back({Message::RepeatedDraws,
                            draw.at->getBeginLoc(),
                            {sourceOf(*draw.at, context)},
                            draw.at->getSourceRange(),
                            {},
                            {isInLoop ? 1u : 0u},
                            before});
    };
    for (auto draw = draws.found.begin(); draw != draws.found.end(); ++draw) {
        const auto before = std::find_if(draws.found.begin(), draw, [&](const Draw& other) {
            return other.arguments == draw->arguments && draws.runsBefore(other, *draw);
        });
        if (before != draw)
            add(*draw, false, before->at->getBeginLoc());
        else if (draws.sameInLoop(*draw))
            add(*draw, true, {});
    }
}

}  // namespace foldwise
