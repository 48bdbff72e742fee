// generator/InstalledFiles.cpp: finds the prefix from the tool's folder, by relative paths that CMake has determined.
#include "InstalledFiles.hpp"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace foldwise {

namespace sys = llvm::sys;

/// A folder of the prefix that the tool is installed to.
static llvm::SmallString<128> folderOfPrefix(const char* tool, llvm::StringRef fromTool) {
    static const char anchor = 0;  // lies in the executable
    const std::string executable = sys::fs::getMainExecutable(tool, const_cast<char*>(&anchor));
    llvm::SmallString<128> folder(sys::path::parent_path(executable));
    sys::path::append(folder, fromTool);
    sys::path::remove_dots(folder, /*remove_dot_dot=*/true);
    return folder;
}

std::string diagnosticsPage(const char* tool) {
    llvm::SmallString<128> page = folderOfPrefix(tool, FOLDWISE_DOCUMENTATION);
    sys::path::append(page, "diagnostics.md");
    return sys::fs::exists(page) ? page.str().str() : "";
}

std::string headersFolder(const char* tool) {
    const llvm::SmallString<128> folder = folderOfPrefix(tool, FOLDWISE_HEADERS);
    return sys::fs::exists(folder + "/foldwise/spec.hpp") ? folder.str().str() : "";
}

std::string clangFolder(const char* tool) {
    const llvm::SmallString<128> folder = folderOfPrefix(tool, FOLDWISE_CLANG);
    return sys::fs::exists(folder + "/include/stddef.h") ? folder.str().str() : "";
}

}  // namespace foldwise
