// generator/frontend/OnlyRead.cpp: goes outwards from an expression, until it is read or could be written through.
#include "OnlyRead.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/STLExtras.h>

namespace foldwise {

using namespace clang;

namespace {

/// Whether all that is done with a pointer to an array's first element is to take one of the elements.
bool isSubscripted(const CastExpr& pointer, const Parents& parents) {
    const Stmt* user = parents.of(pointer);
    while (isa_and_nonnull<CastExpr>(user)) user = parents.of(*user);
    return isa_and_nonnull<ArraySubscriptExpr>(user);
}

/// Whether an object keeps copies of what it is made of or assigned: a std::pair, std::tuple or std::optional of
/// values, whose functions take references that could be written through.
bool keepsCopies(const CXXRecordDecl& record) {
    const auto* type = dyn_cast<ClassTemplateSpecializationDecl>(&record);
    const bool isHolder = type && type->isInStdNamespace() &&
                          (type->getName() == "pair" || type->getName() == "tuple" || type->getName() == "optional");
    if (!isHolder) return false;
    const auto isValue = [](const TemplateArgument& argument) {
        return argument.getKind() != TemplateArgument::Type || !argument.getAsType()->isReferenceType();
    };
    return llvm::all_of(type->getTemplateArgs().asArray(), [&](const TemplateArgument& argument) {
        return argument.getKind() == TemplateArgument::Pack ? llvm::all_of(argument.pack_elements(), isValue)
                                                            : isValue(argument);
    });
}

bool isVocabularyOrStd(const CXXRecordDecl& record) {
    return record.isInStdNamespace() || record.getQualifiedNameAsString() == "foldwise::index";
}

}  // namespace

bool isOnlyRead(const Expr& expression, const Parents& parents) {
    const Expr* inner = &parents.referring(expression);
    while (const Stmt* user = parents.of(*inner)) {
        const Expr* outer = nullptr;
        if (inner->getType().isConstQualified()) return true;
        if (const auto* conversion = dyn_cast<CastExpr>(user)) {
            if (conversion->getCastKind() == CK_LValueToRValue || conversion->getCastKind() == CK_ToVoid) return true;
            if (conversion->getCastKind() == CK_ArrayToPointerDecay && !isSubscripted(*conversion, parents))
                return false;
            outer = conversion;
        } else if (const auto* member = dyn_cast<MemberExpr>(user)) {
            if (const auto* method = dyn_cast<CXXMethodDecl>(member->getMemberDecl())) return method->isConst();
            outer = member;
        } else if (isa<ArraySubscriptExpr, MaterializeTemporaryExpr>(user)) {
            outer = cast<Expr>(user);
        } else if (const auto* call = dyn_cast<CXXOperatorCallExpr>(user)) {
            const auto* method = dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee());
            if (!method) return false;
            if (call->getArg(0)->IgnoreParens() != inner)
                return call->getOperator() == OO_Equal && keepsCopies(*method->getParent());
            if (method->isConst()) return true;
            // An element of an index or a std::array, which may be read as well.
            if (call->getOperator() != OO_Subscript || !isVocabularyOrStd(*method->getParent())) return false;
            outer = call;
        } else if (const auto* made = dyn_cast<CXXConstructExpr>(user)) {
            return keepsCopies(*made->getConstructor()->getParent());
        } else {
            return parents.isDiscarded(*inner);
        }
        inner = &parents.referring(*outer);
    }
    return false;
}

}  // namespace foldwise
