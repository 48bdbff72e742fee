// generator/emit/LineDirectives.cpp: goes through rendered text line by line, and distinguishes the user's lines from
// generated ones.
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

/// What every line directive begins with, and the line for which the directive of a generated line is written.
static constexpr llvm::StringLiteral lineWord = "#line ", linesOwn = "#line @";

/// Whether a line is `# N "file" 3`, behind which text from a system header begins.
static bool beginsSystemText(llvm::StringRef line) {
    return line.consume_front("# ") && llvm::isDigit(line.empty() ? '\0' : line.front()) && line.ends_with("\" 3");
}

bool isUsersTextBehind(llvm::StringRef line, bool isUsersText) {
    if (line == linesOwn) return false;
    return isUsersText || line.starts_with(lineWord) || beginsSystemText(line);
}

std::string squeezeBlankLines(llvm::StringRef text) {
    std::string out;
    bool inUsersText = false, blank = false;
    for (llvm::StringRef line : llvm::split(text.rtrim(), '\n')) {
        inUsersText = isUsersTextBehind(line, inUsersText);
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
    bool inSystemText = false, renamed = true;
    while (!text.empty()) {
        auto [line, rest] = text.split('\n');
        const bool ended = line.size() < text.size();
        if (line.starts_with(lineWord)) {
            // Only `# N "file"` ends a system header's text; `#line` would not.
            out += std::exchange(inSystemText, false) ? "# " : lineWord;
            if (line != linesOwn)
                out += line.drop_front(lineWord.size());
            else if (renamed)
                out += std::to_string(number + 1) + " \"" + quotable(file) + "\"";
            else
                out += std::to_string(number + 1);
            renamed = line == linesOwn || line.contains('"');
        } else {
            out += line;
            inSystemText |= beginsSystemText(line);
        }
        if (ended) out += '\n';
        ++number;
        text = rest;
    }
    return out;
}

}  // namespace foldwise
