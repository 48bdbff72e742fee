// generator/frontend/FindKernels.cpp: a walk over the main file's variables.
#include "FindKernels.hpp"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

namespace foldwise {

using namespace clang;

namespace {

class KernelVisitor : public DynamicRecursiveASTVisitor {
  public:
    explicit KernelVisitor(std::vector<KernelSite>& sites) : sites_(sites) {}

    bool VisitVarDecl(VarDecl* variable) override {
        const std::optional<KernelSite> site = kernelSite(*variable);
        // Those that a kernel's own lambda captures are told with it.
        if (site && !(variable->isInitCapture() && isInKernel_)) sites_.push_back(*site);
        return true;
    }
    bool TraverseVarDecl(VarDecl* variable) override {
        const bool outer = isInKernel_;
        isInKernel_ |= kernelSite(*variable).has_value();
        const bool result = DynamicRecursiveASTVisitor::TraverseVarDecl(variable);
        isInKernel_ = outer;
        return result;
    }

  private:
    std::vector<KernelSite>& sites_;
    bool isInKernel_ = false;
};

}  // namespace

std::optional<KernelSite> kernelSite(const VarDecl& variable) {
    const CXXRecordDecl* record = variable.getType()->getAsCXXRecordDecl();
    const auto* type = dyn_cast_or_null<ClassTemplateSpecializationDecl>(record);
    if (!type || isa<ParmVarDecl>(variable)) return std::nullopt;
    const auto* space = dyn_cast<NamespaceDecl>(type->getDeclContext());
    if (!space || space->getQualifiedNameAsString() != "foldwise") return std::nullopt;
    const llvm::StringRef typeName = type->getName();
#define FOLDWISE_PATTERN(name, keyword, word, ...)                                                                     \
    if (typeName == #word) return KernelSite{&variable, type, Pattern::name};
#include "../model/Patterns.def"
    return std::nullopt;
}

std::vector<KernelSite> findKernels(ASTContext& context) {
    std::vector<KernelSite> sites;
    KernelVisitor visitor(sites);
    const SourceManager& sources = context.getSourceManager();
    for (Decl* declaration : context.getTranslationUnitDecl()->decls())
        if (sources.isInMainFile(sources.getExpansionLoc(declaration->getLocation())))
            visitor.TraverseDecl(declaration);
    return sites;
}

}  // namespace foldwise
