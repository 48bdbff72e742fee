// generator/frontend/Places.cpp: relative paths and lines.
#include "Places.hpp"

#include <clang/Basic/FileManager.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/Path.h>

namespace foldwise {

using namespace clang;

std::string nameOfFile(llvm::StringRef file, llvm::StringRef root, FileManager& files) {
    llvm::SmallString<128> path(file);
    files.makeAbsolutePath(path);
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    llvm::StringRef relative = path;
    if (!relative.consume_front(root) || !(root.ends_with('/') || relative.starts_with("/")))
        relative = llvm::sys::path::filename(path);
    return llvm::json::fixUTF8(relative.ltrim('/'));
}

Place Places::of(SourceLocation location) const {
    location = sources_.getExpansionLoc(location);
    return {nameOfFile(sources_.getFilename(location), root_, sources_.getFileManager()),
            sources_.getExpansionLineNumber(location)};
}

}  // namespace foldwise
