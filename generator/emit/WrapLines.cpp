// generator/emit/WrapLines.cpp: wraps lines by brackets and quotes, without knowledge of C++.
#include "WrapLines.hpp"

#include "LineDirectives.hpp"

#include <llvm/ADT/StringExtras.h>

namespace foldwise {

/// Where the line is best broken, so that what stays has at most `width` columns; npos if nowhere. What follows is a
/// line of its own from there on.
static std::size_t breakInCode(llvm::StringRef line, std::size_t width) {
    std::size_t best = llvm::StringRef::npos;
    int depth = 0, bestDepth = 0;
    char quote = 0;
    for (std::size_t i = 0; i + 1 < line.size() && i < width; ++i) {
        const char c = line[i];
        if (quote) {
            if (c == '\\')
                ++i;
            else if (c == quote)
                quote = 0;
            continue;
        }
        if (c == '"' || c == '\'') quote = c;
        if (c == ')' || c == ']' || c == '}') --depth;
        if (c == '(' || c == '[' || c == '{') ++depth;
        const bool isComma = c == ',' && line[i + 1] == ' ';
        const bool isOpening = c == '(' && line[i + 1] != ')';
        if (!isComma && !isOpening) continue;
        const bool isInner = best != llvm::StringRef::npos && depth > bestDepth;
        const bool isWorse = best != llvm::StringRef::npos && isOpening && depth == bestDepth;
        if (isInner || isWorse) continue;
        best = i + 1;
        bestDepth = depth;
    }
    return best;
}

static std::size_t breakInComment(llvm::StringRef line, std::size_t start, std::size_t width) {
    const std::size_t blank = line.take_front(width + 1).rfind(' ');
    return blank == llvm::StringRef::npos || blank <= start ? llvm::StringRef::npos : blank;
}

static std::string wrapLine(llvm::StringRef line, std::size_t width) {
    const std::string indent(line.size() - line.ltrim(' ').size(), ' ');
    const llvm::StringRef words = line.ltrim(' ');
    const bool isComment = words.starts_with("//");
    const llvm::StringRef marks = words.take_until([](char c) { return c != '/'; });
    const std::string lead = isComment ? indent + marks.str() + " " : indent + "    ";
    std::string out;
    std::string rest = line.str();
    while (rest.size() > width) {
        const std::size_t at = isComment ? breakInComment(rest, lead.size(), width) : breakInCode(rest, width);
        if (at == llvm::StringRef::npos) break;
        out += rest.substr(0, at) + "\n";
        rest = lead + llvm::StringRef(rest).drop_front(at).ltrim(' ').str();
    }
    return out + rest;
}

std::string wrapLines(llvm::StringRef text, std::size_t width) {
    std::string out;
    bool inUsersText = false;
    while (!text.empty()) {
        auto [line, rest] = text.split('\n');
        inUsersText = isUsersTextBehind(line, inUsersText);
        const bool stays = line.size() <= width || inUsersText || line.starts_with("#");
        out += stays ? line.str() : wrapLine(line, width);
        if (line.size() < text.size()) out += '\n';
        text = rest;
    }
    return out;
}

}  // namespace foldwise
