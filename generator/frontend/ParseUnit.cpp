// generator/frontend/ParseUnit.cpp: runs Clang over specs, and lowers the kernels that it finds.
#include "Backtraces.hpp"
#include "CompilerOptions.hpp"
#include "Diagnostics.hpp"
#include "FindKernels.hpp"
#include "Frontend.hpp"
#include "LowerPatterns.hpp"
#include "NoKernels.hpp"
#include "WrittenDeclarations.hpp"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <set>

namespace foldwise {

using namespace clang;

namespace {

/// What one run of the compiler fills in.
struct Unit {
    UnitSpec spec;
    bool ok = false;
    std::vector<std::string> dependencies;
    std::set<std::string> numbers;  ///< Of the messages.
};

std::string absolute(llvm::StringRef path) {
    llvm::SmallString<128> result(path);
    llvm::sys::fs::make_absolute(result);
    llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
    return result.str().str();
}

/// System headers too: an upgraded compiler or toolkit is a changed input.
class AllDependencies : public DependencyCollector {
  public:
    bool needSystemDependencies() override { return true; }
};

/// Gives __FILE__ in a kernel the name that a file has in what is generated, the same on every machine.
class FileMacro : public PPCallbacks {
  public:
    FileMacro(CompilerInstance& compiler, const FileNaming& naming) : compiler_(compiler), naming_(naming) {}

    void FileChanged(SourceLocation location, FileChangeReason, SrcMgr::CharacteristicKind, FileID) override {
        const PresumedLoc place = compiler_.getSourceManager().getPresumedLoc(location);
        if (place.isInvalid()) return;
        std::string& name = compiler_.getLangOpts().MacroPrefixMap[place.getFilename()];
        if (name.empty()) name = nameOfFile(place.getFilename(), naming_, compiler_.getFileManager());
    }

  private:
    CompilerInstance& compiler_;
    const FileNaming& naming_;
};

/// The name of a type in the generated header, which has no unnamed namespaces.
std::string nameInHeader(const TypeDecl& type) {
    std::string name = "::";
    for (llvm::StringRef outer : namespacesOf(type)) {
        outer.consume_front("inline ");
        name += outer.str() + "::";
    }
    return name + type.getName().str();
}

/// The functions that make kernels, for people: "foldwise::vectorize, foldwise::reduce, foldwise::scatter,
/// foldwise::forall or foldwise::scan".
std::string wordsForKernels() {
    std::string words;
    for (const Pattern pattern : allPatterns) {
        const bool isFirst = pattern == std::begin(allPatterns)[0], isLast = pattern == std::end(allPatterns)[-1];
        words += (llvm::Twine(isFirst ? "" : isLast ? " or " : ", ") + "foldwise::" + keywordOf(pattern)).str();
    }
    return words;
}

class SpecConsumer : public ASTConsumer {
  public:
    SpecConsumer(CompilerInstance& compiler, Unit& unit, const FileNaming& naming, const SourceText& text,
                 const Includes& includes, const SkippedParts& skipped)
        : compiler_(compiler), unit_(unit), naming_(naming), text_(text), includes_(includes), skipped_(skipped) {}

    // Diagnostics are only printed with their source lines while the unit is still open, so all work is done here.
    void HandleTranslationUnit(ASTContext& context) override {
        if (context.getDiagnostics().hasErrorOccurred()) return;
        const SourceManager& sources = context.getSourceManager();
        const std::vector<KernelSite> sites = findKernels(context, includes_);
        if (sites.empty() && !context.getDiagnostics().hasErrorOccurred())
            report(context.getDiagnostics(), placeWithoutKernels(context, skipped_), Message::NoKernels)
                << wordsForKernels();
        Slicer slicer(context, text_, includes_, naming_, SliceFor::Kernels);
        Slicer header(context, text_, includes_, naming_, SliceFor::Header);
        unit_.spec.source =
            pathBelow(naming_.root, sources.getFilename(sources.getLocForStartOfFile(sources.getMainFileID())),
                      sources.getFileManager());
        for (const KernelSite& site : sites) {
            if (std::optional<KernelSpec> kernel = lower(site, slicer, header)) add(*kernel, site, context);
        }
        unit_.spec.declarations = slicer.declarations();
        slicer.checkTexts();
        unit_.spec.includes = slicer.includes();
        unit_.spec.headerDeclarations = header.declarations();
        unit_.spec.headerIncludes = header.includes();
        for (const TypeDecl* type : header.unnamedNamespaceTypes())
            report(context.getDiagnostics(), type->getLocation(), Message::UnnamedNamespaceType)
                << type->getName() << nameInHeader(*type);
        unit_.ok = !context.getDiagnostics().hasErrorOccurred();
    }

  private:
    std::optional<KernelSpec> lower(const KernelSite& site, Slicer& slicer, Slicer& header) {
        const VarDecl& variable = *site.variable;
        // Outside of functions there is nothing that a lambda could capture, so that this is told alone.
        if (!variable.isFileVarDecl() || variable.isStaticDataMember()) {
            report(variable.getASTContext().getDiagnostics(), variable.getLocation(), Message::NotAtNamespaceScope)
                << variable.getName() << 0 << "";
            return std::nullopt;
        }
        switch (site.pattern) {
#define FOLDWISE_PATTERN(name, ...)                                                                                    \
    case Pattern::name:                                                                                                \
        return lower##name(site, compiler_.getSema(), slicer, header);
#include "../model/Patterns.def"
        }
        llvm_unreachable("every pattern is in the table");
    }

    void add(KernelSpec& kernel, const KernelSite& site, ASTContext& context) {
        for (const KernelSpec& other : unit_.spec.kernels)
            if (other.qualifiedName() == kernel.qualifiedName())
                report(context.getDiagnostics(), site.variable->getLocation(), Message::TwoKernels) << kernel.name;
        unit_.spec.kernels.push_back(std::move(kernel));
    }

    CompilerInstance& compiler_;
    Unit& unit_;
    const FileNaming& naming_;
    const SourceText& text_;
    const Includes& includes_;
    const SkippedParts& skipped_;
};

class SpecAction : public ASTFrontendAction {
  public:
    SpecAction(Unit& unit, const FileNaming& naming, const WarningOptions& warnings)
        : unit_(unit), naming_(naming), warnings_(warnings) {}

  protected:
    bool BeginSourceFileAction(CompilerInstance& compiler) override {
        apply(warnings_, compiler.getDiagnostics());
        text_ = std::make_unique<SourceText>(compiler.getPreprocessor());
        includes_ = std::make_unique<Includes>(compiler.getPreprocessor());
        skipped_ = std::make_unique<SkippedParts>(compiler.getPreprocessor());
        Backtraces::shorten(compiler.getDiagnostics(), *includes_, unit_.numbers);
        compiler.getPreprocessor().addPPCallbacks(std::make_unique<FileMacro>(compiler, naming_));
        dependencies_ = std::make_shared<AllDependencies>();
        dependencies_->attachToPreprocessor(compiler.getPreprocessor());
        return true;
    }

    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, llvm::StringRef) override {
        return std::make_unique<SpecConsumer>(compiler, unit_, naming_, *text_, *includes_, *skipped_);
    }

    void EndSourceFileAction() override {
        for (const std::string& file : dependencies_->getDependencies()) unit_.dependencies.push_back(absolute(file));
    }

  private:
    Unit& unit_;
    const FileNaming& naming_;
    const WarningOptions& warnings_;
    std::unique_ptr<SourceText> text_;
    std::unique_ptr<Includes> includes_;
    std::unique_ptr<SkippedParts> skipped_;
    std::shared_ptr<AllDependencies> dependencies_;
};

class SpecActionFactory : public tooling::FrontendActionFactory {
  public:
    SpecActionFactory(Unit& unit, const FileNaming& naming, const WarningOptions& warnings)
        : unit_(unit), naming_(naming), warnings_(warnings) {}
    std::unique_ptr<FrontendAction> create() override {
        return std::make_unique<SpecAction>(unit_, naming_, warnings_);
    }

  private:
    Unit& unit_;
    const FileNaming& naming_;
    const WarningOptions& warnings_;
};

/// Puts arguments where the user's win: before them, or, for a folder of headers, behind all others.
tooling::ArgumentsAdjuster defaults(const std::string& headersFolder, const std::string& clangFolder) {
    return [headersFolder, clangFolder](const tooling::CommandLineArguments& given, llvm::StringRef) {
        tooling::CommandLineArguments arguments = given;
        std::vector<std::string> first = {"-xc++",
                                          "-std=c++20",
                                          "-fparse-all-comments",
                                          "-Wno-unknown-warning-option",
                                          "-Werror=return-type",  // what a kernel computes then is anything
                                          "-Werror=infinite-recursion",
                                          "-Wno-nan-infinity-disabled",  // -ffast-math, which spec.hpp outlives
                                          "-Wno-stack-exhausted",        // it has more than Clang counts on
                                          "-Wno-macro-redefined",  // CUDA's headers have other words for __device__
                                          "-Qunused-arguments",
                                          "-ftemplate-backtrace-limit=0",  // Backtraces.cpp chooses from it
                                          "-DFOLDWISE_GENERATOR"};
        // Clang looks for its own headers beside the executable, where they are only for clang itself.
        if (llvm::none_of(given, [](llvm::StringRef a) { return a.starts_with("-resource-dir"); }))
            first.push_back("-resource-dir=" + (clangFolder.empty() ? FOLDWISE_CLANG_RESOURCE_DIR : clangFolder));
        arguments.insert(arguments.begin() + 1, first.begin(), first.end());
        // A kernel is used by what is generated from it, and a lambda's type gives it internal linkage.
        // FW110 says what to do about an array without a fixed size. An inferred command has "--" before the file, and
        // nothing behind that is an option.
        arguments.insert(llvm::find(arguments, "--"),
                         {"-Wno-unused-variable", "-Wno-unused-const-variable", "-Wno-vla"});
        if (!headersFolder.empty()) arguments.insert(llvm::find(arguments, "--"), {"-idirafter", headersFolder});
        return arguments;
    };
}

/// Keeps those options of a compile command that decide what a spec means. Warnings, analysers and the like concern the
/// command's own compiler, whose options may differ from Clang's.
tooling::ArgumentsAdjuster meaningful() {
    return [](const tooling::CommandLineArguments& given, llvm::StringRef file) {
        const llvm::ArrayRef<std::string> options = llvm::ArrayRef(given).drop_front();
        llvm::Expected<std::vector<std::string>> kept =
            meaningfulOptions(options.take_while([](llvm::StringRef option) { return option != "--"; }));
        if (!kept) {
            llvm::consumeError(kept.takeError());
            return given;  // Clang itself says which option it does not have
        }
        kept->insert(kept->begin(), given.front());
        kept->insert(kept->end(), {"--", file.str()});
        return *kept;
    };
}

std::unique_ptr<tooling::CompilationDatabase> database(const FrontendOptions& options) {
    if (options.buildFolder.empty())
        return std::make_unique<tooling::FixedCompilationDatabase>(".", options.clangArguments);
    std::string error;
    auto found = tooling::CompilationDatabase::loadFromDirectory(options.buildFolder, error);
    return found ? tooling::inferMissingCompileCommands(std::move(found)) : nullptr;
}

}  // namespace

FrontendResult parseSpecs(const FrontendOptions& options) {
    FrontendResult result;
    const auto commands = database(options);
    std::set<std::string> dependencies;
    result.ok = true;
    for (const std::string& source : options.sources) {
        const std::string file = absolute(source);
        const FileNaming naming{options.root.empty() ? llvm::sys::path::parent_path(file).str()
                                                     : absolute(options.root),
                                options.absolutePaths};
        tooling::ClangTool tool(*commands, {file});
        tool.setPrintErrorMessage(false);
        if (!options.buildFolder.empty()) tool.appendArgumentsAdjuster(meaningful());
        tool.appendArgumentsAdjuster(defaults(options.headersFolder, options.clangFolder));
        Unit unit;
        SpecActionFactory factory(unit, naming, options.warnings);
        result.ok = tool.run(&factory) == 0 && unit.ok && result.ok;
        dependencies.insert(unit.dependencies.begin(), unit.dependencies.end());
        result.numbers.merge(unit.numbers);
        result.units.push_back(std::move(unit.spec));
    }
    result.dependencies.assign(dependencies.begin(), dependencies.end());
    return result;
}

}  // namespace foldwise
