// generator/frontend/SourceText.cpp: records the preprocessor's tokens and writes ranges of them as text again.
#include "SourceText.hpp"

#include "HeaderMacros.hpp"

#include <clang/Lex/Lexer.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace foldwise {

using clang::SourceLocation;

SourceText::SourceText(clang::Preprocessor& preprocessor)
    : preprocessor_(preprocessor), sources_(preprocessor.getSourceManager()) {
    preprocessor.setTokenWatcher([this](const clang::Token& token) {
        if (token.isAnnotation() || token.getLocation().isInvalid()) return;
        positions_.try_emplace(token.getLocation(), tokens_.size());
        tokens_.push_back({token.getLocation(), token.getLength(), token.hasLeadingSpace()});
    });
}

std::size_t SourceText::find(SourceLocation location) const {
    if (auto found = positions_.find(location); found != positions_.end()) return found->second;
    // The parser splits `>>`; the second half then lies inside a token.
    auto after = llvm::partition_point(tokens_, [&](const Token& token) {
        return token.location == location || sources_.isBeforeInTranslationUnit(token.location, location);
    });
    return static_cast<std::size_t>(after - tokens_.begin()) - (after == tokens_.begin() ? 0 : 1);
}

std::string SourceText::spelling(const Token& token) const {
    const SourceLocation spelled = sources_.getSpellingLoc(token.location);
    return std::string(sources_.getCharacterData(spelled), token.length);
}

bool SourceText::isReplaced(std::size_t token) const {
    const std::string name = spelling(tokens_[token]);
    const HeaderMacro macro = headerMacro(name);
    if (macro == HeaderMacro::None || preprocessor_.isMacroDefined(name)) return false;
    return macro == HeaderMacro::Object || (token + 1 < tokens_.size() && spelling(tokens_[token + 1]) == "(");
}

/// Whether text consists of white space and comments.
static bool isTrivia(llvm::StringRef text) {
    while (!text.empty()) {
        if (llvm::isSpace(text.front()))
            text = text.drop_front();
        else if (text.starts_with("//"))
            text = text.drop_until([](char c) { return c == '\n'; });
        else if (text.consume_front("/*"))
            text = text.substr(std::min(text.find("*/"), text.size() - 2) + 2);
        else
            return false;
    }
    return true;
}

std::string SourceText::gap(const Token& before, const Token& after) const {
    const clang::CharSourceRange left = sources_.getExpansionRange(before.location);
    const clang::CharSourceRange right = sources_.getExpansionRange(after.location);
    if (left.getBegin() == right.getBegin()) return after.leadingSpace ? " " : "";  // within one macro's expansion

    const auto [leftFile, leftBegin] = sources_.getDecomposedLoc(left.getEnd());
    const auto [rightFile, rightBegin] = sources_.getDecomposedLoc(right.getBegin());
    if (leftFile != rightFile) return "\n";
    const std::size_t end =
        left.getBegin() == left.getEnd() && before.location.isFileID()
            ? leftBegin + before.length
            : leftBegin + clang::Lexer::MeasureTokenLength(left.getEnd(), sources_, clang::LangOptions());
    if (end > rightBegin) return " ";
    const llvm::StringRef between = sources_.getBufferData(leftFile).slice(end, rightBegin);
    if (isTrivia(between)) return between.str();
    // Preprocessor directives, what they exclude, macros that are nothing: keep the count of lines and the indentation.
    const std::size_t lastLine = between.rfind('\n');
    return std::string(static_cast<std::size_t>(between.count('\n')), '\n') +
           (lastLine == llvm::StringRef::npos ? " " : between.substr(lastLine + 1).take_while(llvm::isSpace).str());
}

std::size_t SourceText::closed(std::size_t first, std::size_t last) const {
    int open = 0;
    for (std::size_t i = first; i < tokens_.size() && (i <= last || open > 0); ++i) {
        if (tokens_[i].length != 1) continue;
        const char c = *sources_.getCharacterData(sources_.getSpellingLoc(tokens_[i].location));
        open += c == '(' ? 1 : c == ')' ? -1 : 0;
        last = std::max(last, i);
    }
    return last;
}

/// What stands on a place's line before it.
static llvm::StringRef leadOf(SourceLocation place, const clang::SourceManager& sources) {
    const auto [file, offset] = sources.getDecomposedExpansionLoc(place);
    const llvm::StringRef before = sources.getBufferData(file).take_front(offset);
    return before.substr(before.rfind('\n') + 1);
}

static bool isBlank(char c) { return c == ' ' || c == '\t'; }

/// The white space that lines of the user's text lose when it is written from the first column on. What begins within
/// a line, as lambdas among arguments do, is aligned with the bracket that ends it, if that begins a line.
static llvm::StringRef indentationOf(SourceLocation first, SourceLocation last, const clang::SourceManager& sources) {
    const llvm::StringRef lead = leadOf(first, sources), end = leadOf(last, sources);
    const llvm::StringRef indentation = lead.take_while(isBlank);
    const bool endsAlone =
        llvm::all_of(end, isBlank) && llvm::StringRef(")]}>").contains(*sources.getCharacterData(last));
    return indentation != lead && endsAlone ? end : indentation;
}

/// The text without the white space, or what a line has of it, at the begin of each line but the first.
static std::string shifted(llvm::StringRef text, llvm::StringRef indentation) {
    std::string result;
    for (llvm::StringRef line : llvm::split(text, '\n')) {
        if (line.begin() != text.begin()) {
            result += '\n';
            const auto [kept, end] = std::mismatch(line.begin(), line.end(), indentation.begin(), indentation.end());
            line = line.drop_front(static_cast<std::size_t>(kept - line.begin()));
        }
        result += line;
    }
    return result;
}

SourceText::Slice SourceText::slice(clang::SourceRange range, const Places& places) const {
    Slice result;
    const std::size_t first = find(range.getBegin()), last = closed(first, find(range.getEnd()));
    result.begin = sources_.getExpansionLoc(range.getBegin());
    const llvm::StringRef indentation = indentationOf(range.getBegin(), tokens_[last].location, sources_);
    for (std::size_t i = first; i <= last && i < tokens_.size(); ++i) {
        if (i > first) {
            std::string between = gap(tokens_[i - 1], tokens_[i]);
            llvm::erase(between, '\r');
            result.text += shifted(between, indentation);
        }
        const SourceLocation location = tokens_[i].location;
        if (places.marks.contains(location))
            result.marks.emplace_back(location, static_cast<std::uint32_t>(result.text.size()));
        result.text += places.insertions.lookup(location);
        std::string token = spelling(tokens_[i]);
        result.text += token;
        if (isReplaced(i)) result.macros.emplace_back(location, std::move(token));
    }
    return result;
}

SourceLocation SourceText::beginOfAttributes(SourceLocation begin) const {
    std::size_t first = find(begin);
    while (first > 0) {
        // From [[...]] or alignas(...) back to what opens the bracket, whatever is nested in it.
        std::size_t at = first;
        int depth = 0;
        do {
            const std::string token = spelling(tokens_[--at]);
            depth += (token == "]" || token == ")") - (token == "[" || token == "(");
        } while (depth > 0 && at > 0);
        if (depth != 0 || at + 1 == first) break;
        const std::string opening = spelling(tokens_[at]);
        if (opening == "[" && spelling(tokens_[at + 1]) == "[")
            first = at;
        else if (opening == "(" && at > 0 && spelling(tokens_[at - 1]) == "alignas")
            first = at - 1;
        else
            break;
    }
    return tokens_[first].location;
}

std::string SourceText::after(SourceLocation token) const {
    const std::size_t next = find(token) + 1;
    return next < tokens_.size() ? spelling(tokens_[next]) : "";
}

}  // namespace foldwise
