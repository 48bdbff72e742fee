// generator/emit/Facts.hpp: text in two columns, labels and values, for --explain.
#pragma once

#include "../model/KernelPlan.hpp"

#include <llvm/ADT/StringRef.h>

#include <string>
#include <vector>

namespace foldwise {

/// Collects lines of at most 100 columns, unless one word is longer.
class Facts {
  public:
    void heading(llvm::StringRef text);
    void gap();

    /// Wraps at blanks; further lines stand below the first, `hanging` columns further in.
    void fact(llvm::StringRef label, llvm::StringRef value, std::size_t hanging = 0);

    /// The label stands before the first value alone.
    void facts(llvm::StringRef label, const std::vector<std::string>& values);

    std::string take() { return std::move(text_); }

  private:
    std::string text_;
};

/// One line for each row, with its cells below those of the other rows.
std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows);

/// One line for each operand: its name, its type and the size of an element.
std::vector<std::string> operandLines(const std::vector<Operand>& operands);

/// The index that a lambda takes first, if it takes one: the place of an element.
void explainIndex(const Signature& signature, Facts& facts);

/// How many elements a thread takes: as many as fill accesses of a word, "loads and stores".
void explainWidth(const SignaturePlan& plan, llvm::StringRef accesses, Facts& facts);

}  // namespace foldwise
