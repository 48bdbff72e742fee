// generator/frontend/LostWrites.cpp: looks at the expressions around each reference to a parameter.
#include "LostWrites.hpp"

#include "Parents.hpp"
#include "RunTimeVisitor.hpp"

#include <clang/AST/ExprCXX.h>

#include <llvm/ADT/MapVector.h>

namespace foldwise {

using namespace clang;

namespace {

/// Whether a parameter's value is a number or the user's own struct: a copy. Views and the like lead elsewhere.
bool isCopied(const ParmVarDecl& parameter) {
    const QualType type = parameter.getType();
    if (type->isReferenceType() || type->isPointerType() || type.isConstQualified()) return false;
    const CXXRecordDecl* record = type->getAsCXXRecordDecl();
    if (!record) return type->isArithmeticType() || type->isEnumeralType();
    const std::string name = record->getQualifiedNameAsString();
    return !llvm::StringRef(name).starts_with("foldwise::") || name == "foldwise::half" || name == "foldwise::bfloat16";
}

class LostWrites : public RunTimeVisitor {
  public:
    LostWrites(const FunctionDecl& body, const ASTContext& context)
        : RunTimeVisitor(context), parents_(body.getBody()) {}

    struct Mentions {
        const DeclRefExpr* firstWrite = nullptr;
        bool isRead = false;
    };
    llvm::MapVector<const ParmVarDecl*, Mentions> found;

    bool VisitDeclRefExpr(DeclRefExpr* e) override {
        const auto* parameter = dyn_cast<ParmVarDecl>(e->getDecl());
        if (!parameter || !isCopied(*parameter)) return true;
        Mentions& all = found[parameter];
        if (!isWritten(*e))
            all.isRead = true;
        else if (!all.firstWrite)
            all.firstWrite = e;
        return true;
    }
    /// What lambdas within do is not looked at.
    bool TraverseLambdaExpr(LambdaExpr* e) override {
        for (const LambdaCapture& capture : e->captures())
            if (capture.capturesVariable())
                if (const auto* parameter = dyn_cast<ParmVarDecl>(capture.getCapturedVar()))
                    found[parameter].isRead = true;
        return RunTimeVisitor::TraverseLambdaExpr(e);
    }

  private:
    /// Whether a parameter, or a part of it, is assigned or stepped here, and nothing else.
    bool isWritten(const DeclRefExpr& mention) const {
        const Expr* target = &mention;
        const Stmt* user = parents_.of(*target);
        while (const auto* member = dyn_cast_or_null<MemberExpr>(user)) {
            if (!isa<FieldDecl>(member->getMemberDecl())) return false;
            target = member;
            user = parents_.of(*member);
        }
        const auto isTarget = [&](const Expr* e) { return e->IgnoreParens() == target; };
        if (const auto* binary = dyn_cast_or_null<BinaryOperator>(user))
            return binary->isAssignmentOp() && isTarget(binary->getLHS()) && parents_.isDiscarded(*binary);
        if (const auto* unary = dyn_cast_or_null<UnaryOperator>(user))
            return unary->isIncrementDecrementOp() && parents_.isDiscarded(*unary);
        const auto* call = dyn_cast_or_null<CXXOperatorCallExpr>(user);
        return call && call->isAssignmentOp() && isTarget(call->getArg(0)) && parents_.isDiscarded(*call);
    }

    Parents parents_;
};

}  // namespace

void findLostWrites(const FunctionDecl& body, const ASTContext& context, std::vector<Finding>& findings) {
    LostWrites visitor(body, context);
    visitor.visitBody(body);
    for (const auto& [parameter, mentions] : visitor.found)
        if (mentions.firstWrite && !mentions.isRead)
            findings.push_back({Message::LostWrite,
                                mentions.firstWrite->getLocation(),
                                {parameter->getNameAsString()},
                                mentions.firstWrite->getSourceRange(),
                                {}});
}

}  // namespace foldwise
