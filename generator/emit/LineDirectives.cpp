// generator/emit/LineDirectives.cpp: works on whole lines of rendered text.
#include "LineDirectives.hpp"

#include <llvm/ADT/StringExtras.h>

#include <utility>

namespace foldwise {

std::string quotable(llvm::StringRef text) {
    std::string out;
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : std::string(1, c);
    }
    return out;
}

std::string squeezeBlankLines(llvm::StringRef text) {
    std::string out;
    bool inUsersText = false, blank = false;
    for (llvm::StringRef line : llvm::split(text.rtrim(), '\n')) {
        if (line.starts_with("#line ")) inUsersText = line != "#line @";
        if (line.empty() && !inUsersText) {
            blank = !out.empty();
            continue;
        }
        if (std::exchange(blank, false)) out += '\n';
        out += line.str() + "\n";
    }
    return out;
}

std::string resolveLineDirectives(llvm::StringRef text, llvm::StringRef file) {
    std::string out;
    std::size_t number = 1;
    while (!text.empty()) {
        auto [line, rest] = text.split('\n');
        const bool ended = line.size() < text.size();
        if (line == "#line @")
            out += "#line " + std::to_string(number + 1) + " \"" + quotable(file) + "\"";
        else
            out += line;
        if (ended) out += '\n';
        ++number;
        text = rest;
    }
    return out;
}

}  // namespace foldwise
