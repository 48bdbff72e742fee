// generator/frontend/FindKernels.cpp: walks over the main file's variables, and reports those for which nothing is
// generated though they look like kernels: parts of folds, variable templates, and kernels of included files.
#include "FindKernels.hpp"

#include "Diagnostics.hpp"

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
        if (const std::string part = partOf(*variable); !part.empty() && !variable->isReferenced())
            report(variable->getASTContext().getDiagnostics(), variable->getLocation(), Message::PartAlone)
                << variable->getName() << part << (part == "map" ? 0 : 1);
        // A kernel in an init-capture of another kernel's lambda is reported with that one.
        if (site && !(variable->isInitCapture() && isInKernel_)) sites_.push_back(*site);
        return true;
    }
    bool VisitVarTemplateDecl(VarTemplateDecl* variable) override {
        const bool isUsed = variable->spec_begin() != variable->spec_end();
        if (const std::string made = madeIn(*variable->getTemplatedDecl()); !made.empty() && !isUsed)
            report(variable->getASTContext().getDiagnostics(), variable->getLocation(), Message::NotAtNamespaceScope)
                << variable->getName() << 1 << insteadOfTemplate(made, *variable);
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
    /// Which part of a fold a variable of a namespace is: "map", "combine", "finish" or "identity"; else empty.
    static std::string partOf(const VarDecl& variable) {
        const Expr* made = variable.isFileVarDecl() ? variable.getInit() : nullptr;
        const auto* call = made ? dyn_cast<CallExpr>(made->IgnoreUnlessSpelledInSource()) : nullptr;
        const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
        const auto* space = callee ? dyn_cast<NamespaceDecl>(callee->getDeclContext()) : nullptr;
        if (!space || !callee->getIdentifier() || space->getQualifiedNameAsString() != "foldwise") return "";
        const llvm::StringRef parts[] = {"map", "combine", "finish", "identity"};
        return llvm::is_contained(parts, callee->getName()) ? callee->getName().str() : "";
    }

    /// The function of Foldwise whose call initialises a variable template, such as "vectorize"; empty unless it is one
    /// that makes kernels. A call that depends on template parameters has no callee yet, only a name.
    static std::string madeIn(const VarDecl& variable) {
        const Expr* initializer = variable.getInit();
        const auto* call = initializer ? dyn_cast<CallExpr>(initializer->IgnoreImplicit()) : nullptr;
        const auto* callee = call ? dyn_cast<UnresolvedLookupExpr>(call->getCallee()->IgnoreImplicit()) : nullptr;
        if (!callee || callee->decls().empty()) return "";
        const auto* space = dyn_cast<NamespaceDecl>((*callee->decls_begin())->getDeclContext());
        const std::string name = callee->getName().getAsString();
        const bool makesKernels =
            llvm::any_of(allPatterns, [&](Pattern pattern) { return keywordOf(pattern) == name; });
        return makesKernels && space && space->getQualifiedNameAsString() == "foldwise" ? name : "";
    }

    /// What to declare in place of a variable template that the function `made` of Foldwise initialises, for the
    /// message.
    static std::string insteadOfTemplate(const std::string& made, const VarTemplateDecl& variable) {
        const TemplateParameterList& parameters = *variable.getTemplateParameters();
        const bool isForTypes = parameters.size() == 1 && isa<TemplateTypeParmDecl>(parameters.getParam(0));
        const std::string word = "foldwise::" + made, layout = made == "guvectorize" ? "\"(n)->()\", " : "";
        if (made == "blocks")
            return "a variable for each instance, of a function template, as in foldwise::blocks<256>(body<" +
                   std::string(isForTypes ? "float" : "256") + ">)";
        if (!isForTypes)
            return "a variable for each instance, of a function template, as in " + word + "(" + layout + "body<2>)";
        if (made == "guvectorize" || made == "stencil")
            return "a variable, with the types in front, as in " + word + "<float, double>(...)";
        if (made == "forall")
            return "a variable, with a signature for each type, as in " + word +
                   "<void(foldwise::view<float, 1>), void(foldwise::view<double, 1>)>(...)";
        return "a variable, with a signature for each type, as in " + word + "<float(float), double(double)>(...)";
    }

    std::vector<KernelSite>& sites_;
    bool isInKernel_ = false;  ///< Whether the walk is within a kernel's variable.
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

/// Warns of the kernels that a namespace of an included file declares, as nothing is generated for them.
static void reportIncluded(const Decl& declaration) {
    if (const auto* variable = dyn_cast<VarDecl>(&declaration); variable && kernelSite(*variable))
        report(variable->getASTContext().getDiagnostics(), variable->getLocation(), Message::IncludedKernel)
            << variable->getQualifiedNameAsString();
    if (isa<NamespaceDecl, LinkageSpecDecl>(declaration))
        for (const Decl* member : cast<DeclContext>(declaration).decls()) reportIncluded(*member);
}

std::vector<KernelSite> findKernels(ASTContext& context, const Includes& includes) {
    std::vector<KernelSite> sites;
    KernelVisitor visitor(sites);
    const SourceManager& sources = context.getSourceManager();
    for (Decl* declaration : context.getTranslationUnitDecl()->decls()) {
        const SourceLocation at = sources.getExpansionLoc(declaration->getLocation());
        if (sources.isInMainFile(at))
            visitor.TraverseDecl(declaration);
        else if (includes.isUsersOwn(at))
            reportIncluded(*declaration);
    }
    return sites;
}

}  // namespace foldwise
