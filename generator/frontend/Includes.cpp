// generator/frontend/Includes.cpp: records include directives.
#include "Includes.hpp"

#include <clang/Lex/PPCallbacks.h>

#include <memory>

namespace foldwise {

using clang::FileID;
using clang::SourceLocation;

class Includes::Recorder : public clang::PPCallbacks {
  public:
    explicit Recorder(Includes& includes) : includes_(includes) {}

    void InclusionDirective(SourceLocation hash, const clang::Token&, llvm::StringRef name, bool angled,
                            clang::CharSourceRange, clang::OptionalFileEntryRef file, llvm::StringRef, llvm::StringRef,
                            const clang::Module*, bool, clang::SrcMgr::CharacteristicKind) override {
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

Includes::Includes(clang::Preprocessor& preprocessor) : sources_(preprocessor.getSourceManager()) {
    preprocessor.addPPCallbacks(std::make_unique<Recorder>(*this));
}

FileID Includes::fileOf(SourceLocation location) const {
    return sources_.getFileID(sources_.getExpansionLoc(location));
}

bool Includes::isFoldwises(FileID file) const {
    const auto entered = enteredBy_.find(file);  // no directive enters the spec itself
    return entered != enteredBy_.end() && llvm::StringRef(entered->second).substr(1).starts_with("foldwise/");
}

bool Includes::isSystems(FileID file) const {
    const auto [found, isNew] = isSystems_.try_emplace(file, false);
    if (isNew && !isFoldwises(file)) {
        const SourceLocation start = sources_.getLocForStartOfFile(file);
        found->second = sources_.isInSystemHeader(start) || sources_.isWrittenInBuiltinFile(start);
    }
    return found->second;
}

bool Includes::isUsersCode(SourceLocation location) const {
    if (location.isInvalid()) return false;
    const FileID file = fileOf(location);
    return !isSystems(file) && !isFoldwises(file);
}

std::string Includes::directiveFor(SourceLocation location) const {
    if (location.isInvalid()) return "";
    FileID file = fileOf(location);
    if (isFoldwises(file)) return enteredBy_.lookup(file);
    if (!isSystems(file)) return "";
    for (;;) {
        // What the user asked for by name, even if another header had brought it already.
        const auto written = writtenFor_.find(sources_.getFileEntryForID(file));
        if (written != writtenFor_.end()) return written->second;
        const SourceLocation from = sources_.getIncludeLoc(file);
        if (from.isInvalid()) return "";
        const FileID includer = sources_.getFileID(from);
        if (!isSystems(includer)) return enteredBy_.lookup(file);
        file = includer;
    }
}

std::string Includes::directiveInSpec(SourceLocation location) const {
    for (FileID file = fileOf(location); file != sources_.getMainFileID();) {
        const SourceLocation from = sources_.getIncludeLoc(file);
        if (from.isInvalid()) return "";
        const FileID includer = sources_.getFileID(from);
        if (includer == sources_.getMainFileID()) return enteredBy_.lookup(file);
        file = includer;
    }
    return "";
}

}  // namespace foldwise
