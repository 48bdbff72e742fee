// tests/unit/generator/frontend/ast.cpp: runs Clang over files that are only in memory.
#include "ast.hpp"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Tooling/Tooling.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace foldwise {

using namespace clang;

namespace {

class Consumer : public ASTConsumer {
  public:
    Consumer(CompilerInstance& compiler, llvm::function_ref<void(const Ast&)> test)
        : text_(compiler.getPreprocessor()), includes_(compiler.getPreprocessor()), test_(test) {}

    void HandleTranslationUnit(ASTContext& context) override {
        EXPECT_FALSE(context.getDiagnostics().hasErrorOccurred());
        test_({context, text_, includes_});
    }

  private:
    SourceText text_;
    Includes includes_;
    llvm::function_ref<void(const Ast&)> test_;
};

class Action : public ASTFrontendAction {
  public:
    explicit Action(llvm::function_ref<void(const Ast&)> test) : test_(test) {}

    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, llvm::StringRef) override {
        return std::make_unique<Consumer>(compiler, test_);
    }

  private:
    llvm::function_ref<void(const Ast&)> test_;
};

/// Finds the declaration that a name means. Matchers would, too, but their header takes longer than all of this file.
class Named : public DynamicRecursiveASTVisitor {
  public:
    explicit Named(const std::string& name) : name_(name) {
        ShouldVisitTemplateInstantiations = true;
        ShouldVisitImplicitCode = true;
    }

    bool VisitNamedDecl(NamedDecl* declaration) override {
        const auto* function = dyn_cast<FunctionDecl>(declaration);
        if (declaration->isImplicit() || nameOf(*declaration) != name_) return true;
        if (function && function->isTemplateInstantiation()) return true;
        if (!first || (function && function->isThisDeclarationADefinition())) first = declaration;
        return true;
    }

    const NamedDecl* first = nullptr;

  private:
    const std::string& name_;
};

}  // namespace

const NamedDecl& Ast::named(const std::string& name) const {
    Named visitor(name);
    visitor.TraverseAST(context);
    if (!visitor.first) throw std::runtime_error("there is no " + name);
    return *visitor.first;
}

const FunctionDecl& Ast::function(const std::string& name) const { return *named(name).getAsFunction(); }

void withAst(const std::string& code, const std::map<std::string, std::string>& others,
             llvm::function_ref<void(const Ast&)> test) {
    const std::vector<std::string> options{"-std=c++20", "-w", "-nostdinc", std::string("-isystem") + libraryFolder};
    tooling::FileContentMappings files;
    for (const auto& [name, text] : others) files.emplace_back(name, text);
    EXPECT_TRUE(tooling::runToolOnCodeWithArgs(std::make_unique<Action>(test), code, options, "spec.cpp", "foldwise",
                                               std::make_shared<PCHContainerOperations>(), files));
}

std::string nameOf(const Decl& declaration) {
    const auto* named = dyn_cast<NamedDecl>(&declaration);
    const std::string name = named ? named->getQualifiedNameAsString() : "";
    return name.empty() ? declaration.getDeclKindName() : name;
}

}  // namespace foldwise
