// generator/emit/Facts.cpp: wraps and aligns the two columns.
#include "Facts.hpp"

#include <llvm/Support/Unicode.h>

#include <algorithm>

namespace foldwise {

namespace {

constexpr std::size_t columns = 100, indent = 2, labelWidth = 14;

std::size_t widthOf(llvm::StringRef cell) {
    return static_cast<std::size_t>(llvm::sys::unicode::columnWidthUTF8(cell));
}

}  // namespace

void Facts::heading(llvm::StringRef text) { text_ += std::string(indent, ' ') + text.str() + "\n"; }

void Facts::gap() { text_ += "\n"; }

void Facts::fact(llvm::StringRef label, llvm::StringRef value, std::size_t hanging) {
    const std::size_t begin = 2 * indent + labelWidth;
    std::string line = std::string(2 * indent, ' ') + label.str();
    line.resize(std::max(begin, line.size() + 1), ' ');
    bool isEmpty = true;
    const auto flush = [&] {
        text_ += llvm::StringRef(line).rtrim().str() + "\n";
        line.assign(begin + hanging, ' ');
        isEmpty = true;
    };
    // Blanks in a row align a value's own columns: they stay.
    for (std::size_t at = 0; at < value.size();) {
        const std::size_t end = value.find(' ', value.find_first_not_of(' ', at));
        const llvm::StringRef word = value.slice(at, end);
        if (!isEmpty && line.size() + word.size() > columns) flush();
        line += isEmpty ? word.ltrim() : word;
        isEmpty = false;
        at = std::min(end, value.size());
    }
    flush();
}

void Facts::facts(llvm::StringRef label, const std::vector<std::string>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) fact(i == 0 ? label : "", values[i]);
}

std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], widthOf(row[i]));
    }
    std::vector<std::string> lines;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
            line += row[i] + std::string(i + 1 < row.size() ? widths[i] - widthOf(row[i]) + 2 : 0, ' ');
        lines.push_back(std::move(line));
    }
    return lines;
}

std::vector<std::string> operandLines(const std::vector<Operand>& operands) {
    std::vector<std::vector<std::string>> rows;
    for (const Operand& operand : operands) {
        const std::uint32_t size = operand.type.size;
        const std::string bytes = std::to_string(size) + (size == 1 ? " byte" : " bytes");
        if (operand.isWhole())
            rows.push_back({operand.name, viewText(operand.type.name, operand.rank),
                            "the whole array, " + bytes + " per element"});
        else
            rows.push_back({operand.name, operand.type.name, bytes});
    }
    return aligned(rows);
}

void explainIndex(const Signature& signature, Facts& facts) {
    if (signature.indexRank == 0) return;
    facts.fact("index", "foldwise::index<" + std::to_string(signature.indexRank) + ">, the element's place");
}

void explainWidth(const SignaturePlan& plan, llvm::StringRef accesses, Facts& facts) {
    const unsigned width = plan.cuda.width;
    facts.fact("per thread", std::to_string(width) + (width == 1 ? " element" : " elements") +
                                 ": so many of the widest operand fill " + std::to_string(plan.cuda.word) + "-byte " +
                                 accesses.str());
}

}  // namespace foldwise
