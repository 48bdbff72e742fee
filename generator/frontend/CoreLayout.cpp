// generator/frontend/CoreLayout.cpp: parses layouts.
#include "CoreLayout.hpp"

#include <foldwise/detail/limits.hpp>

#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace foldwise {

namespace {

class LayoutReader {
  public:
    explicit LayoutReader(llvm::StringRef text) : text_(text) {}

    std::variant<CoreLayout, LayoutMistake> read() {
        if (next() != '-' && !readOperands()) return mistake_;
        layout_.inputs = layout_.operands.size();
        if (!text_.substr(at_).starts_with("->")) {
            fail("expected ',' or '->'");
            return mistake_;
        }
        at_ += 2;
        if (!readOperands()) return mistake_;
        if (next() != '\0') {
            fail("expected ',' or the end");
            return mistake_;
        }
        if (layout_.dimensions.size() <= static_cast<std::size_t>(detail::max_core_dimensions)) return layout_;
        fail("it has " + std::to_string(layout_.dimensions.size()) + " different dimensions, and there is room for " +
             std::to_string(detail::max_core_dimensions));
        return mistake_;
    }

  private:
    /// The next character that is no blank, or zero at the end.
    char next() {
        while (at_ < text_.size() && llvm::isSpace(text_[at_])) ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool take(char wanted) {
        if (next() != wanted) return false;
        ++at_;
        return true;
    }
    bool fail(std::string text) { return failAt(at_, std::move(text)); }
    bool failAt(std::size_t at, std::string text) {
        mistake_ = {at, std::move(text)};
        return false;
    }

    bool readOperands() {
        do {
            if (!readOperand()) return false;
        } while (take(','));
        return true;
    }

    bool readOperand() {
        if (!take('(')) return fail("expected '(', with which the core dimensions of an operand begin");
        std::vector<std::uint32_t> dimensions;
        if (!take(')')) {
            do {
                if (!readDimension(dimensions)) return false;
            } while (take(','));
            if (next() == '?') return fail("dimensions that may be missing are not supported");
            if (!take(')')) return fail("expected ',' or ')'");
        }
        if (dimensions.size() > static_cast<std::size_t>(max_rank))
            return fail("an operand has " + std::to_string(dimensions.size()) +
                        " core dimensions, and arrays have up to " + std::to_string(max_rank) + " axes");
        layout_.operands.push_back(std::move(dimensions));
        return true;
    }

    bool readDimension(std::vector<std::uint32_t>& dimensions) {
        const char first = next();
        const std::size_t begin = at_;
        const bool isNumber = llvm::isDigit(first);
        if (!isNumber && !llvm::isAlpha(first) && first != '_')
            return fail("expected the name of a dimension, or a number");
        while (at_ < text_.size() && (llvm::isAlnum(text_[at_]) || text_[at_] == '_')) ++at_;
        const llvm::StringRef word = text_.slice(begin, at_);
        CoreDimension dimension;
        if (!isNumber)
            dimension.name = word.str();
        else if (word.getAsInteger(10, dimension.size) || dimension.size == 0)
            return failAt(begin, "'" + word.str() + "' is neither a name nor a number from 1 to 4294967295");
        const auto found = std::ranges::find(layout_.dimensions, dimension);
        dimensions.push_back(static_cast<std::uint32_t>(found - layout_.dimensions.begin()));
        if (found == layout_.dimensions.end()) layout_.dimensions.push_back(std::move(dimension));
        return true;
    }

    llvm::StringRef text_;
    std::size_t at_ = 0;
    CoreLayout layout_;
    LayoutMistake mistake_{};
};

}  // namespace

std::variant<CoreLayout, LayoutMistake> readLayout(llvm::StringRef text) { return LayoutReader(text).read(); }

}  // namespace foldwise
