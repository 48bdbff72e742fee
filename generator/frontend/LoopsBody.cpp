// generator/frontend/LoopsBody.cpp: rewrites the text of loops.
#include "LoopsBody.hpp"

#include "Spelling.hpp"

#include <llvm/ADT/StringExtras.h>

#include <utility>

namespace foldwise {

using namespace clang;

namespace {

/// A statement with its semicolon.
std::string statementText(const Stmt& statement, Slicer& slicer) {
    const std::string text = slicer.sliceText(statement.getSourceRange());
    return text + (llvm::StringRef(text).ends_with(";") || llvm::StringRef(text).ends_with("}") ? " " : "; ");
}

/// Where a part of a text is, from an offset on. Lines of the part may be indented otherwise.
std::optional<std::pair<std::size_t, std::size_t>> placeOfPart(llvm::StringRef text, llvm::StringRef part,
                                                               std::size_t from = 0) {
    for (std::size_t begin = from; begin < text.size(); ++begin) {
        if (text[begin] != part[0]) continue;
        std::size_t at = begin, k = 0;
        while (k < part.size()) {
            if (llvm::isSpace(part[k])) {
                ++k;
            } else if (at < text.size() && llvm::isSpace(text[at])) {
                ++at;
            } else if (at < text.size() && text[at] == part[k]) {
                ++at;
                ++k;
            } else {
                break;
            }
        }
        if (k == part.size()) return std::pair(begin, at);
    }
    return std::nullopt;
}

/// What is written in a text in place of a part of it. Nothing if the part is not there once.
std::optional<std::string> replacedOnce(std::string text, const std::string& part, llvm::StringRef by) {
    const auto place = placeOfPart(text, part);
    if (!place || placeOfPart(text, part, place->first + 1)) return std::nullopt;
    return text.replace(place->first, place->second - place->first, by.str());
}

/// The call of in_order() or in_step() that stands for a loop, whose line is indented by `indent`.
std::optional<std::string> inOrder(const FoldingLoop& loop, const std::string& indent, Slicer& slicer,
                                   const ASTContext& context) {
    std::string first, then;
    for (const Stmt* statement : loop.first) first += statementText(*statement, slicer);
    for (const Stmt* statement : loop.then) then += statementText(*statement, slicer);
    std::string term = loop.variable ? loop.variable->getNameAsString() : "foldwise_term";
    if (loop.term) {
        const std::string text = slicer.sliceText(loop.term->getSourceRange());
        const std::optional<std::string> replaced = replacedOnce(then, text, term);
        if (!replaced) return std::nullopt;
        then = *replaced;
        first += "return " + text + "; ";
    } else {
        first += "return " + term + "; ";
    }
    const std::string type = spelling(loop.counter->getType().getCanonicalType().getUnqualifiedType(), context);
    const std::string next = "\n" + indent + "    ";
    const std::string parameter = "[[maybe_unused]] const " + type + " " + loop.counter->getNameAsString();
    return std::string("foldwise_loops.template ") + (loop.isInStep ? "in_step<" : "in_order<") + type + ", " +
           (loop.isInclusive ? "true" : "false") + ">(" + next + slicer.sliceText(loop.begin->getSourceRange()) + ", " +
           slicer.sliceText(loop.end->getSourceRange()) + "," + next + "[&](" + parameter + ") { " + first + "}," +
           next + "[&](" + parameter + ", const auto& " + term + ") { " + then + "})";
}

}  // namespace

std::optional<Body> loopsBody(const Body& body, const std::vector<FoldingLoop>& loops, Slicer& slicer,
                              const ASTContext& context) {
    if (loops.empty()) return std::nullopt;
    const auto lines = [](llvm::StringRef text) { return text.count('\n'); };
    Body result = body;
    result.marks.clear();  // of divisions, which checked builds look at: these do not call it
    result.block.clear();
    result.parameters = "(const auto& foldwise_loops, " + body.parameters.substr(1);
    std::size_t from = 0;
    for (const FoldingLoop& loop : loops) {
        const auto place = placeOfPart(body.block, slicer.sliceText(loop.statement->getSourceRange()), from);
        if (!place) return std::nullopt;
        const std::string before = body.block.substr(from, place->first - from);
        const std::string line = before.substr(before.rfind('\n') + 1);
        const std::optional<std::string> call =
            inOrder(loop, line.substr(0, line.find_first_not_of(' ')), slicer, context);
        if (!call) return std::nullopt;
        std::size_t end = place->second;
        if (body.block[end - 1] != '}' || body.block[end] == ';') ++end;  // the semicolon of a body without braces
        if (body.block[end] == '\n') ++end;
        // What follows is on its lines again.
        const std::size_t next = body.place.line + lines(body.parameters) + lines(body.resultType) +
                                 lines(llvm::StringRef(body.block).take_front(end));
        result.block += before + *call + ";\n#line " + std::to_string(next) + "\n";
        from = end;
    }
    result.block += body.block.substr(from);
    return result;
}

}  // namespace foldwise
