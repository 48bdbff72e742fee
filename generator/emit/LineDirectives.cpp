// generator/emit/LineDirectives.cpp
#include "LineDirectives.hpp"

#include <llvm/ADT/StringExtras.h>

namespace foldwise {

std::string resolveLineDirectives(llvm::StringRef text, llvm::StringRef file) {
    std::string out;
    std::size_t number = 1;
    while (!text.empty()) {
        auto [line, rest] = text.split('\n');
        const bool ended = line.size() < text.size();
        if (line == "#line @") out += "#line " + std::to_string(number + 1) + " \"" + file.str() + "\"";
        else out += line;
        if (ended) out += '\n';
        ++number;
        text = rest;
    }
    return out;
}

}  // namespace foldwise
