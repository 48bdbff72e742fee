// generator/frontend/Effects.cpp: reads what code changes.
#include "Effects.hpp"

#include "Lowering.hpp"
#include "RunTimeVisitor.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/STLExtras.h>

namespace foldwise {

using namespace clang;

namespace {

/// The variable that an assignment changes, with all or a part of it; null for what is none of the function's own.
const VarDecl* ownVariable(const Expr& target) {
    const Expr* inner = target.IgnoreParens();
    while (true) {
        if (const auto* member = dyn_cast<MemberExpr>(inner); member && !member->isArrow())
            inner = member->getBase()->IgnoreParens();
        else if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(inner))
            inner = subscript->getBase()->IgnoreParenImpCasts();
        else
            break;
    }
    const auto* reference = dyn_cast<DeclRefExpr>(inner);
    const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    const bool isOwn = variable && variable->hasLocalStorage() && !variable->getType()->isReferenceType() &&
                       !variable->getType()->isPointerType();
    return isOwn ? variable : nullptr;
}

/// Whether what has the type is a value, or leads to constant objects.
bool isForReading(QualType type) {
    if (type->isReferenceType() || type->isPointerType()) return type->getPointeeType().isConstQualified();
    return true;
}
bool takesValues(const FunctionDecl& function) {
    return !function.isVariadic() && llvm::all_of(function.parameters(), [](const ParmVarDecl* parameter) {
        const QualType type = parameter->getType();
        return isForReading(type) || type->isRValueReferenceType();
    });
}

bool isFoldwises(const FunctionDecl& function) {
    for (const DeclContext* scope = function.getDeclContext(); scope; scope = scope->getParent())
        if (const auto* space = dyn_cast<NamespaceDecl>(scope); space && space->getName() == "foldwise")
            return space->getDeclContext()->getRedeclContext()->isTranslationUnit();
    return false;
}

}  // namespace

bool everyPart(const Stmt* statement, llvm::function_ref<bool(const Stmt&)> visit) {
    if (!statement) return true;
    return visit(*statement) &&
           llvm::all_of(statement->children(), [&](const Stmt* part) { return everyPart(part, visit); });
}

bool mentions(const Stmt* statement, llvm::function_ref<bool(const VarDecl&)> isMeant) {
    return !everyPart(statement, [&](const Stmt& part) {
        const auto* reference = dyn_cast<DeclRefExpr>(&part);
        const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
        return !variable || !isMeant(*variable);
    });
}

bool mentions(const Stmt* statement, const Variables& variables) {
    return mentions(statement, [&](const VarDecl& variable) { return variables.contains(&variable); });
}

bool isElement(const Stmt& statement) {
    const auto* call = dyn_cast<CXXOperatorCallExpr>(&statement);
    return call && (call->getOperator() == OO_Subscript || call->getOperator() == OO_Call) &&
           isFixedView(call->getArg(0)->getType());
}

Effects::Effects(const Stmt* statement, unsigned depth) : depth_(depth) {
    areKnown = everyPart(statement, [&](const Stmt& part) { return look(part); });
}

bool Effects::look(const Stmt& part) {
    switch (part.getStmtClass()) {
    case Stmt::GotoStmtClass:
    case Stmt::IndirectGotoStmtClass:
    case Stmt::LabelStmtClass:
    case Stmt::LambdaExprClass:
    case Stmt::StmtExprClass:
    case Stmt::GCCAsmStmtClass:
    case Stmt::CXXThrowExprClass:
    case Stmt::CXXNewExprClass:
    case Stmt::CXXDeleteExprClass:
    case Stmt::CXXTryStmtClass:
    case Stmt::AtomicExprClass:
        return false;
    default:
        break;
    }
    if (const auto* binary = dyn_cast<BinaryOperator>(&part))
        return !binary->isAssignmentOp() || change(*binary->getLHS());
    if (const auto* unary = dyn_cast<UnaryOperator>(&part))
        return unary->getOpcode() != UO_AddrOf && (!unary->isIncrementDecrementOp() || change(*unary->getSubExpr()));
    if (const auto* call = dyn_cast<CallExpr>(&part)) return lookAtCall(*call);
    if (const auto* made = dyn_cast<CXXConstructExpr>(&part)) return takesValues(*made->getConstructor());
    if (const auto* declarations = dyn_cast<DeclStmt>(&part))
        return llvm::all_of(declarations->decls(), [&](const Decl* one) { return declare(*one); });
    return true;
}

bool Effects::declare(const Decl& one) {
    const auto* variable = dyn_cast<VarDecl>(&one);
    if (!variable) return isa<TypedefNameDecl, StaticAssertDecl, UsingDecl, UsingDirectiveDecl>(one);
    declared.insert(variable);
    const QualType type = variable->getType();
    return variable->hasLocalStorage() && !type->isVariablyModifiedType() && isForReading(type);
}

bool Effects::change(const Expr& target) {
    if (isElement(*target.IgnoreParens())) return storesElements = true;
    const VarDecl* variable = ownVariable(target);
    if (variable) changed.insert(variable);
    return variable && !isFixedView(variable->getType());
}

bool Effects::lookAtCall(const CallExpr& call) {
    const FunctionDecl* function = call.getDirectCallee();
    if (!function) return false;
    if (const auto* operation = dyn_cast<CXXOperatorCallExpr>(&call); operation && operation->isAssignmentOp())
        return change(*call.getArg(0));
    if (isElement(call)) return true;
    const auto* method = dyn_cast<CXXMethodDecl>(function);
    const bool isOfLibrary = function->isInStdNamespace() || isFoldwises(*function);
    // at[0] and array[k], whose element is at most assigned, which is looked at there.
    if (const auto* operation = dyn_cast<CXXOperatorCallExpr>(&call);
        operation && operation->getOperator() == OO_Subscript && isOfLibrary)
        return true;
    if (method && method->isInstance() && !method->isConst()) return false;
    if (!takesValues(*function)) return false;
    const FunctionDecl* definition = definitionOf(*function);
    return isOfLibrary || !definition || isQuiet(*definition);
}

/// Whether a function of the user's has known effects and stores no elements. Recursion is not followed.
bool Effects::isQuiet(const FunctionDecl& function) const {
    constexpr unsigned deepest = 16;
    if (depth_ == deepest) return false;
    const Effects effects(function.getBody(), depth_ + 1);
    return effects.areKnown && !effects.storesElements;
}

}  // namespace foldwise
