// generator/frontend/Places.cpp: makes names of files and numbers of lines.
#include "Places.hpp"

#include <clang/Basic/FileManager.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/Path.h>

namespace foldwise {

using namespace clang;

/// The absolute path, without dots.
static llvm::SmallString<128> normalized(llvm::StringRef file, FileManager& files) {
    llvm::SmallString<128> path(file);
    files.makeAbsolutePath(path);
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    return path;
}

std::string nameOfFile(llvm::StringRef file, const FileNaming& naming, FileManager& files) {
    return naming.areAbsolute ? llvm::json::fixUTF8(normalized(file, files)) : pathBelow(naming.root, file, files);
}

std::string pathBelow(llvm::StringRef root, llvm::StringRef file, FileManager& files) {
    const llvm::SmallString<128> path = normalized(file, files);
    llvm::StringRef relative = path;
    if (!relative.consume_front(root) || !(root.ends_with('/') || relative.starts_with("/")))
        relative = llvm::sys::path::filename(path);
    return llvm::json::fixUTF8(relative.ltrim('/'));
}

Place Places::of(SourceLocation location) const {
    location = sources_.getExpansionLoc(location);
    return {nameOfFile(sources_.getFilename(location), naming_, sources_.getFileManager()),
            sources_.getExpansionLineNumber(location)};
}

}  // namespace foldwise
