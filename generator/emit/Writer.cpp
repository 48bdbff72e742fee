// generator/emit/Writer.cpp: writes temporary files first, and renames them when all are complete.
#include "Writer.hpp"

#include <llvm/ADT/ScopeExit.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Process.h>
#include <llvm/Support/raw_ostream.h>

namespace foldwise {

namespace fs = llvm::sys::fs;

static llvm::Error failure(const std::string& path, std::error_code why) {
    return llvm::createStringError("cannot write '" + path + "': " + why.message());
}

static bool holds(const std::string& path, llvm::StringRef text) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer && (*buffer)->getBuffer() == text;
}

/// Makes a new file beside a path. LLVM's own function would take each % in the path for a digit to choose.
static std::error_code createBeside(const std::string& path, int& descriptor, std::string& temporary) {
    const auto mode = static_cast<unsigned>(fs::all_read | fs::owner_write);
    for (int attempt = 1;; ++attempt) {
        temporary = path + "." + llvm::utohexstr(llvm::sys::Process::GetRandomNumber(), /*LowerCase=*/true, 8);
        const std::error_code why = fs::openFileForWrite(temporary, descriptor, fs::CD_CreateNew, fs::OF_None, mode);
        if (why != std::errc::file_exists || attempt == 128) return why;
    }
}

/// Writes the text beside its destination and returns the temporary's name.
static llvm::Expected<std::string> writeTemporary(const OutputFile& file) {
    if (std::error_code why = fs::create_directories(llvm::sys::path::parent_path(file.path)))
        return failure(file.path, why);
    if (fs::is_directory(file.path)) return failure(file.path, std::make_error_code(std::errc::is_a_directory));
    int descriptor = -1;
    std::string temporary;
    if (std::error_code why = createBeside(file.path, descriptor, temporary)) return failure(file.path, why);
    llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
    stream << file.text;
    stream.close();
    if (std::error_code why = stream.error()) {
        stream.clear_error();
        fs::remove(temporary);
        return failure(file.path, why);
    }
    return temporary;
}

llvm::Error writeFiles(const std::vector<OutputFile>& files, bool touch) {
    std::vector<std::pair<std::string, std::string>> renames;
    llvm::scope_exit clean([&] {
        for (const auto& [temporary, path] : renames) fs::remove(temporary);
    });
    for (const OutputFile& file : files) {
        if (!touch && holds(file.path, file.text)) continue;
        llvm::Expected<std::string> temporary = writeTemporary(file);
        if (!temporary) return temporary.takeError();
        renames.emplace_back(*temporary, file.path);
    }
    for (const auto& [temporary, path] : renames)
        if (std::error_code why = fs::rename(temporary, path)) return failure(path, why);
    clean.release();
    return llvm::Error::success();
}

}  // namespace foldwise
