// generator/frontend/Includes.cpp: records include directives.
#include "Includes.hpp"

#include <clang/Lex/HeaderSearch.h>
#include <clang/Lex/PPCallbacks.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/Path.h>

#include <memory>
#include <tuple>

namespace foldwise {

using clang::FileID;
using clang::SourceLocation;

/// Whether an include directive stands for an -include option.
static bool isForced(const clang::SourceManager& sources, SourceLocation hash) {
    return sources.isWrittenInBuiltinFile(hash) || sources.isWrittenInCommandLineFile(hash);
}

class Includes::Recorder : public clang::PPCallbacks {
  public:
    explicit Recorder(Includes& includes) : includes_(includes) {}

    void InclusionDirective(SourceLocation hash, const clang::Token&, llvm::StringRef name, bool angled,
                            clang::CharSourceRange, clang::OptionalFileEntryRef file, llvm::StringRef, llvm::StringRef,
                            const clang::Module*, bool, clang::SrcMgr::CharacteristicKind) override {
        std::string shorter;
        if (file && isForced(includes_.sources_, hash) && llvm::sys::path::is_absolute(name))
            name = shorter = includes_.nameInSearchFolders(*file, angled);
        latest_ = ((angled ? "<" : "\"") + name + (angled ? ">" : "\"")).str();
        if (file && includes_.isUsersCode(hash)) includes_.writtenFor_.try_emplace(&file->getFileEntry(), latest_);
    }

    void FileChanged(SourceLocation location, FileChangeReason reason, clang::SrcMgr::CharacteristicKind,
                     FileID) override {
        if (reason == EnterFile) includes_.enteredBy_.try_emplace(includes_.sources_.getFileID(location), latest_);
    }

  private:
    Includes& includes_;
    std::string latest_;
};

Includes::Includes(clang::Preprocessor& preprocessor)
    : sources_(preprocessor.getSourceManager()), headers_(preprocessor.getHeaderSearchInfo()) {
    preprocessor.addPPCallbacks(std::make_unique<Recorder>(*this));
}

/// The directive as it is written, without the quotes or angle brackets: the shortest name by which a search folder or
/// the spec's own has a file; its full path if none has.
std::string Includes::nameInSearchFolders(clang::FileEntryRef file, bool& isAngled) const {
    const auto main = sources_.getFileEntryRefForID(sources_.getMainFileID());
    return headers_.suggestPathToFileForDiagnostics(file, main ? main->getName() : "", &isAngled);
}

/// The directive by which a file is entered; empty for the spec itself. Those in a precompiled header are not
/// processed again: a file that comes with one has the directive that names it.
llvm::StringRef Includes::directiveInto(FileID file) const {
    const auto [found, isNew] = enteredBy_.try_emplace(file);
    if (isNew && sources_.isLoadedFileID(file)) {
        if (const auto entry = sources_.getFileEntryRefForID(file)) {
            bool isAngled = false;
            const std::string name = nameInSearchFolders(*entry, isAngled);
            found->second = isAngled ? "<" + name + ">" : "\"" + name + "\"";
        }
    }
    return found->second;
}

FileID Includes::fileOf(SourceLocation location) const {
    return sources_.getFileID(sources_.getExpansionLoc(location));
}

bool Includes::isFoldwises(FileID file) const { return directiveInto(file).substr(1).starts_with("foldwise/"); }

/// Whether a system header is the compiler's, the C++ or the C library's or CUDA's, judged by where these lie on Unix;
/// nothing else tells <sys/types.h> from <glm/common.hpp>, which one search directory holds. All of a system header's
/// other folders are libraries like one of the user's own.
static bool isStandards(llvm::StringRef path) {
    for (const llvm::StringRef folder : {"/include/c++/", "/lib/clang/", "/lib/gcc/", "/cuda/", "/cuda-"})
        if (path.contains(folder)) return true;
    const std::size_t root = path.rfind("/usr/include/");
    if (root == llvm::StringRef::npos) return false;
    path = path.substr(root).substr(llvm::StringLiteral("/usr/include/").size());
    auto [folder, rest] = path.split('/');
    if (folder.contains("-linux-")) std::tie(folder, rest) = rest.split('/');  // named after the machine
    if (rest.empty()) return true;                                             // a file of the directory itself
    static constexpr llvm::StringLiteral standards[] = {"arpa", "asm",   "asm-generic", "bits",    "c++",
                                                        "gnu",  "linux", "net",         "netinet", "sys"};
    return llvm::is_contained(standards, folder);
}

bool Includes::isSystems(FileID file) const {
    const auto [found, isNew] = isSystems_.try_emplace(file, false);
    if (isNew && !isFoldwises(file)) {
        const SourceLocation start = sources_.getLocForStartOfFile(file);
        llvm::SmallString<128> path(sources_.getFilename(start));
        llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
        found->second =
            sources_.isWrittenInBuiltinFile(start) || (sources_.isInSystemHeader(start) && isStandards(path));
    }
    return found->second;
}

bool Includes::isFoldwises(SourceLocation location) const {
    return location.isValid() && isFoldwises(fileOf(location));
}

bool Includes::isCudas(SourceLocation location) const {
    if (location.isInvalid() || !isSystems(fileOf(location))) return false;
    const llvm::StringRef path = sources_.getFilename(sources_.getExpansionLoc(location));
    return path.contains("/cuda/") || path.contains("/cuda-");
}

bool Includes::isUsersCode(SourceLocation location) const {
    if (location.isInvalid()) return false;
    const FileID file = fileOf(location);
    return !isSystems(file) && !isFoldwises(file);
}

bool Includes::isLibrarys(SourceLocation location) const {
    return isUsersCode(location) && sources_.isInSystemHeader(location);
}

/// The directive that users write for what Foldwise itself includes from inside a library, for the sake of time
/// (foldwise/detail/throw_error.hpp).
static llvm::StringRef publicName(llvm::StringRef directive) {
    return directive == "<bits/stl_function.h>" ? "<functional>" : directive;
}

std::string Includes::directiveFor(SourceLocation location) const {
    if (location.isInvalid()) return "";
    FileID file = fileOf(location);
    if (isFoldwises(file)) return directiveInto(file).str();
    if (!isSystems(file)) return "";
    for (;;) {
        // What the user asked for by name, even if another header had brought it already.
        const auto written = writtenFor_.find(sources_.getFileEntryForID(file));
        if (written != writtenFor_.end()) return written->second;
        const SourceLocation from = sources_.getIncludeLoc(file);
        if (from.isInvalid()) return "";
        const FileID includer = sources_.getFileID(from);
        if (!isSystems(includer)) return publicName(directiveInto(file)).str();
        file = includer;
    }
}

/// "<cstring>" for "<string.h>": what comes from a header of C's may be named in std, as by `using std::memcpy;`, and
/// C++'s own header puts it there. Empty for other directives.
static std::string headerInStd(llvm::StringRef directive) {
    static const llvm::StringSet<> headersOfC = {"ctype",  "float",  "inttypes", "limits", "stddef",
                                                 "stdint", "stdlib", "string",   "time",   "wchar"};
    const bool isOne = directive.consume_front("<") && directive.consume_back(".h>") && headersOfC.contains(directive);
    return isOne ? ("<c" + directive + ">").str() : "";
}

std::vector<std::string> Includes::directivesFor(SourceLocation location) const {
    std::vector<std::string> directives;
    if (std::string directive = directiveFor(location); !directive.empty()) {
        if (std::string inStd = headerInStd(directive); !inStd.empty()) directives.push_back(std::move(inStd));
        directives.push_back(std::move(directive));
    }
    return directives;
}

std::string Includes::directiveInSpec(SourceLocation location) const {
    for (FileID file = fileOf(location); file != sources_.getMainFileID();) {
        const SourceLocation from = sources_.getIncludeLoc(file);
        if (from.isInvalid()) return "";
        const FileID includer = sources_.getFileID(from);
        if (includer == sources_.getMainFileID() || isForced(sources_, from)) return directiveInto(file).str();
        file = includer;
    }
    return "";
}

}  // namespace foldwise
