// generator/frontend/TypedItems.cpp: lowers kernels whose types are listed, as in guvectorize<float>.
#include "Lowering.hpp"
#include "Spelling.hpp"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <llvm/ADT/SmallPtrSet.h>

namespace foldwise {

using namespace clang;

namespace {

/// The function whose address is taken.
class NamedFunction : public DynamicRecursiveASTVisitor {
  public:
    bool VisitDeclRefExpr(DeclRefExpr* e) override {
        if (auto* named = dyn_cast<FunctionDecl>(e->getDecl())) function = named;
        return function == nullptr;
    }
    const FunctionDecl* function = nullptr;
};

}  // namespace

std::vector<const FunctionDecl*> Lowering::typedItems(const Callable& callable, llvm::StringRef example) const {
    std::vector<const FunctionDecl*> all;
    llvm::SmallPtrSet<const Type*, 8> seen;
    for (const ClassTemplateSpecializationDecl* base : basesNamed(type_, "typed_item")) {
        const QualType type = base->getTemplateArgs()[1].getAsType();
        if (!isNew(type, seen)) return {};
        NamedFunction finder;
        for (const CXXMethodDecl* method : base->methods()) {
            const FunctionDecl* definition = nullptr;
            if (method->getIdentifier() && method->getName() == "instantiate" && method->isDefined(definition))
                finder.TraverseDecl(const_cast<FunctionDecl*>(definition));
        }
        if (!finder.function) {
            complain(placeOf(type), Message::NotForTypes) << name() << spelling(type, context_);
            return {};
        }
        all.push_back(finder.function);
    }
    if (!all.empty()) return all;
    if (const FunctionDecl* only = callable.onlyCall()) return {only};
    complain(variable_.getLocation(), Message::GenericWithoutTypes)
        << name() << example << (callable.record->isLambda() ? 0 : 1) << 0;
    return {};
}

}  // namespace foldwise
