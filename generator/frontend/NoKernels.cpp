// generator/frontend/NoKernels.cpp: searches a file without kernels for what comes close to one.
#include "NoKernels.hpp"

#include "../model/KernelSpec.hpp"

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/PPCallbacks.h>
#include <llvm/ADT/STLExtras.h>

namespace foldwise {

using namespace clang;

namespace {

class Recorder : public PPCallbacks {
  public:
    Recorder(const SourceManager& sources, std::shared_ptr<std::vector<SourceRange>> all)
        : sources_(sources), all_(std::move(all)) {}

    void SourceRangeSkipped(SourceRange range, SourceLocation) override {
        if (sources_.isInMainFile(range.getBegin())) all_->push_back(range);
    }

  private:
    const SourceManager& sources_;
    std::shared_ptr<std::vector<SourceRange>> all_;
};

/// Finds the first mention of a function that makes kernels.
class FirstMention : public DynamicRecursiveASTVisitor {
  public:
    SourceLocation place;

    bool VisitDeclRefExpr(DeclRefExpr* e) override {
        const auto* function = dyn_cast<FunctionDecl>(e->getDecl());
        const auto* space = function ? dyn_cast<NamespaceDecl>(function->getDeclContext()) : nullptr;
        if (!space || !function->getIdentifier() || space->getQualifiedNameAsString() != "foldwise") return true;
        const llvm::StringRef name = function->getName();
        if (llvm::none_of(allPatterns, [&](Pattern pattern) { return keywordOf(pattern) == name; })) return true;
        place = e->getBeginLoc();
        return false;
    }
};

/// The first "foldwise::" with a word for kernels behind it in a part of the file.
SourceLocation wordIn(SourceRange part, const ASTContext& context) {
    const SourceManager& sources = context.getSourceManager();
    const llvm::StringRef text =
        Lexer::getSourceText(CharSourceRange::getCharRange(part), sources, context.getLangOpts());
    constexpr llvm::StringRef space = "foldwise::";
    for (std::size_t at = text.find(space); at != llvm::StringRef::npos; at = text.find(space, at + 1)) {
        const llvm::StringRef rest = text.substr(at + space.size());
        const llvm::StringRef word = rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
        if (llvm::any_of(allPatterns, [&](Pattern pattern) { return keywordOf(pattern) == word; }))
            return part.getBegin().getLocWithOffset(static_cast<int>(at));
    }
    return {};
}

}  // namespace

SkippedParts::SkippedParts(Preprocessor& preprocessor) : all_(std::make_shared<std::vector<SourceRange>>()) {
    preprocessor.addPPCallbacks(std::make_unique<Recorder>(preprocessor.getSourceManager(), all_));
}

SourceLocation placeWithoutKernels(ASTContext& context, const SkippedParts& skipped) {
    const SourceManager& sources = context.getSourceManager();
    SourceLocation first;
    for (Decl* declaration : context.getTranslationUnitDecl()->decls()) {
        if (!sources.isInMainFile(sources.getExpansionLoc(declaration->getLocation()))) continue;
        FirstMention mention;
        mention.TraverseDecl(declaration);
        if (mention.place.isValid()) return mention.place;
        if (first.isInvalid()) first = declaration->getLocation();
    }
    for (const SourceRange& part : skipped.all())
        if (const SourceLocation word = wordIn(part, context); word.isValid()) return word;
    return first.isValid() ? first : sources.getLocForStartOfFile(sources.getMainFileID());
}

}  // namespace foldwise
