// generator/frontend/SourceText.cpp: records the preprocessor's tokens, and writes ranges of them as text.
#include "SourceText.hpp"

#include "HeaderMacros.hpp"

#include <clang/Lex/Lexer.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/JSON.h>

#include <algorithm>

namespace foldwise {

using clang::SourceLocation;

SourceText::SourceText(clang::Preprocessor& preprocessor)
    : preprocessor_(preprocessor), sources_(preprocessor.getSourceManager()),
      pragmas_(preprocessor, [this] { return tokens_.size(); }) {
    preprocessor.setTokenWatcher([this](const clang::Token& token) {
        if (token.isAnnotation() || token.getLocation().isInvalid()) return;
        if (pragmas_.isWithinDirective(token.getLocation())) return;
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

/// The text, and what is not UTF-8 in it replaced: comments may be in any encoding.
static std::string asUtf8(std::string text) {
    llvm::replace(text, '\0', ' ');
    return llvm::json::isUTF8(text) ? text : llvm::json::fixUTF8(text);
}

/// Whether something stands in a pragma's place.
static bool isCarried(const Pragma& pragma, const SourceText::Places& places) {
    return pragma.fate == Pragma::Fate::Carried && !(places.withoutLoopHints && pragma.isLoopHint());
}

std::string SourceText::linesOf(llvm::StringRef between, SourceLocation begin, llvm::ArrayRef<Pragma> pragmas,
                                const Places& places) const {
    const auto [file, first] = sources_.getDecomposedLoc(begin);
    const std::size_t lastLine = between.rfind('\n');
    std::vector<std::string> lines(between.count('\n') + 1);
    lines.back() =
        lastLine == llvm::StringRef::npos ? " " : between.substr(lastLine + 1).take_while(llvm::isSpace).str();
    for (const Pragma& pragma : pragmas) {
        if (!isCarried(pragma, places) || !pragma.isDirective) continue;
        const llvm::StringRef before = between.take_front(sources_.getFileOffset(pragma.location) - first);
        lines[before.count('\n')] = before.substr(before.rfind('\n') + 1).str() + pragma.carried;
    }
    return llvm::join(lines, "\n");
}

std::string SourceText::gap(std::size_t token, const Places& places) const {
    const Token &before = tokens_[token - 1], &after = tokens_[token];
    std::string operators;
    for (const Pragma& pragma : pragmas_.before(token))
        if (isCarried(pragma, places) && !pragma.isDirective) operators += pragma.asOperator() + " ";
    const clang::CharSourceRange left = sources_.getExpansionRange(before.location);
    const clang::CharSourceRange right = sources_.getExpansionRange(after.location);
    if (left.getBegin() == right.getBegin())  // within one macro's expansion
        return (after.leadingSpace || !operators.empty() ? " " : "") + operators;

    const auto [leftFile, leftBegin] = sources_.getDecomposedLoc(left.getEnd());
    const auto [rightFile, rightBegin] = sources_.getDecomposedLoc(right.getBegin());
    if (leftFile != rightFile) return "\n" + operators;
    const std::size_t end =
        left.getBegin() == left.getEnd() && before.location.isFileID()
            ? leftBegin + before.length
            : leftBegin + clang::Lexer::MeasureTokenLength(left.getEnd(), sources_, clang::LangOptions());
    if (end > rightBegin) return " " + operators;
    const llvm::StringRef between = sources_.getBufferData(leftFile).slice(end, rightBegin);
    if (isTrivia(between)) return asUtf8(between.str()) + operators;
    const SourceLocation begin = sources_.getLocForStartOfFile(leftFile).getLocWithOffset(static_cast<int>(end));
    return linesOf(between, begin, pragmas_.before(token), places) + operators;
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

/// Writes what JSON, and so the model, cannot hold of a literal as octal escapes, which end after three digits whatever
/// follows. Says whether it could: a raw string has no escapes, and a backslash before such a byte means no known one.
static bool escapeBytes(std::string& token) {
    const bool isUtf8 = llvm::json::isUTF8(token);
    if (isUtf8 && !llvm::is_contained(token, '\0')) return true;
    const llvm::StringRef prefix = llvm::StringRef(token).take_until([](char c) { return c == '"' || c == '\''; });
    if (prefix.size() == token.size() || prefix.ends_with("R")) return false;
    std::string escaped;
    bool isEscape = false;
    for (const char c : token) {
        const bool isByte = c == '\0' || (!isUtf8 && !llvm::isASCII(c));
        if (isByte && isEscape) return false;
        isEscape = c == '\\' && !isEscape;
        if (!isByte) {
            escaped += c;
            continue;
        }
        const auto value = static_cast<unsigned char>(c);
        escaped += {'\\', static_cast<char>('0' + value / 64), static_cast<char>('0' + value / 8 % 8),
                    static_cast<char>('0' + value % 8)};
    }
    token = std::move(escaped);
    return true;
}

SourceText::Slice SourceText::slice(clang::SourceRange range, const Places& places) const {
    Slice result;
    const std::size_t first = find(range.getBegin()), last = closed(first, find(range.getEnd()));
    result.begin = sources_.getExpansionLoc(range.getBegin());
    const llvm::StringRef indentation = indentationOf(range.getBegin(), tokens_[last].location, sources_);
    for (std::size_t i = first; i <= last && i < tokens_.size(); ++i) {
        if (i > first) {
            std::string between = gap(i, places);
            llvm::erase(between, '\r');
            result.text += shifted(between, indentation);
            for (const Pragma& pragma : pragmas_.before(i))
                if (pragma.fate == Pragma::Fate::Lost) result.lost.push_back(&pragma);
        }
        const SourceLocation location = tokens_[i].location;
        if (places.marks.contains(location))
            result.marks.emplace_back(location, static_cast<std::uint32_t>(result.text.size()));
        result.text += places.insertions.lookup(location);
        std::string token = spelling(tokens_[i]);
        if (!escapeBytes(token)) result.notUtf8.push_back(location);
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

std::size_t SourceText::endOfAttribute(std::size_t first) const {
    const auto at = [&](std::size_t i) { return i < tokens_.size() ? spelling(tokens_[i]) : ""; };
    std::size_t last = first;
    if (at(first) == "__attribute__" || at(first) == "__attribute" || at(first) == "alignas")
        ++last;
    else if (at(first) != "[" || at(first + 1) != "[")
        return first - 1;
    for (int depth = 0; last < tokens_.size(); ++last) {
        const std::string token = spelling(tokens_[last]);
        depth += (token == "[" || token == "(") - (token == "]" || token == ")");
        if (depth == 0) return last;
    }
    return first - 1;
}

SourceLocation SourceText::endOfAttributes(clang::SourceRange range) const {
    std::size_t last = closed(find(range.getBegin()), find(range.getEnd()));
    const std::size_t end = last;
    for (std::size_t next = last; (next = endOfAttribute(last + 1)) != last;) last = next;
    return last == end ? range.getEnd() : tokens_[last].location;
}

bool SourceText::isWithinBlock(std::size_t from, std::size_t to) const {
    int depth = 0;
    for (std::size_t i = from; i < to && depth >= 0; ++i) {
        if (tokens_[i].length != 1) continue;
        const char c = *sources_.getCharacterData(sources_.getSpellingLoc(tokens_[i].location));
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    }
    return depth >= 0;
}

std::vector<const Pragma*> SourceText::lostBefore(SourceLocation token) const {
    const std::size_t at = find(token);
    const PragmaState& state = pragmas_.stateAt(at);
    std::vector<const Pragma*> lost;
    for (const std::size_t number : state.lost) lost.push_back(&pragmas_[number]);
    for (const std::size_t number : state.lostInBlock)
        if (isWithinBlock(pragmas_[number].next, at)) lost.push_back(&pragmas_[number]);
    return lost;
}

SourceLocation SourceText::next(SourceLocation token) const {
    const std::size_t next = find(token) + 1;
    return next < tokens_.size() ? tokens_[next].location : SourceLocation();
}

std::string SourceText::before(SourceLocation token) const {
    const std::size_t at = find(token);
    return at > 0 ? spelling(tokens_[at - 1]) : "";
}

std::string SourceText::after(SourceLocation token) const {
    const std::size_t next = find(token) + 1;
    return next < tokens_.size() ? spelling(tokens_[next]) : "";
}

}  // namespace foldwise
