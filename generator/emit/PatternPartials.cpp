// generator/emit/PatternPartials.cpp: finds the tags of such partials, and writes the partials that they include.
#include "PatternPartials.hpp"

#include "../model/KernelSpec.hpp"

#include <set>

namespace foldwise {

void addPatternPartials(std::map<std::string, std::string>& texts) {
    std::set<std::string> wanted;  // "_functions"
    for (const auto& [name, text] : texts) {
        llvm::StringRef rest = text;
        for (std::size_t at = 0; (at = rest.find("<%>")) != llvm::StringRef::npos;) {
            rest = rest.drop_front(at + 3);
            llvm::StringRef included = rest.take_until([](char c) { return c == '%'; }).trim();
            if (included.consume_front("*")) wanted.insert(included.str());
        }
    }
    for (const std::string& suffix : wanted) {
        std::string text;
        for (const Pattern pattern : allPatterns) {
            const std::string keyword = keywordOf(pattern).str();
            // On one line: what is included ends its own lines.
            text += "<%#" + keyword + "%><%> " + keyword + suffix + " %><%/" + keyword + "%>";
        }
        texts.emplace("*" + suffix, std::move(text));
    }
}

}  // namespace foldwise
