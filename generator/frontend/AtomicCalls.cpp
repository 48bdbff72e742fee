// generator/frontend/AtomicCalls.cpp: words what std::atomic_ref does in place of an operator.
#include "AtomicCalls.hpp"

#include "Spelling.hpp"

#include <clang/AST/DeclTemplate.h>

namespace foldwise {

using namespace clang;

llvm::StringRef atomicName(const Expr& write) {
    if (const auto* unary = dyn_cast<UnaryOperator>(&write)) return unary->isIncrementOp() ? "fetch_add" : "fetch_sub";
    const auto* binary = dyn_cast<BinaryOperator>(&write);
    switch (binary ? binary->getOpcode() : BO_Comma) {
    case BO_Assign:
        return "store";
    case BO_AddAssign:
        return "fetch_add";
    case BO_SubAssign:
        return "fetch_sub";
    case BO_AndAssign:
        return "fetch_and";
    case BO_OrAssign:
        return "fetch_or";
    case BO_XorAssign:
        return "fetch_xor";
    default:
        return "";
    }
}

std::string atomicCall(const Expr& target, llvm::StringRef name, const Expr* value, const ASTContext& context) {
    const QualType type = target.getType();
    const std::uint64_t bits = type->isArithmeticType() ? context.getTypeSize(type) : 0;
    if (name.empty() || (bits != 32 && bits != 64)) return "";
    const std::string operand = value ? sourceOf(*value, context) : "1";
    const std::string call = ("std::atomic_ref(" + sourceOf(target, context) + ")." + name + "(" + operand + ")").str();
    return call.size() <= 80 && call.find('\n') == std::string::npos ? call : "";
}

std::string headerOfAtomics(ASTContext& context) {
    const TranslationUnitDecl& unit = *context.getTranslationUnitDecl();
    for (const NamedDecl* space : unit.lookup(&context.Idents.get("std")))
        if (const auto* std = dyn_cast<NamespaceDecl>(space))
            if (!std->lookup(&context.Idents.get("atomic_ref")).empty()) return "";
    return ", with #include <atomic>";
}

}  // namespace foldwise
