// generator/model/NameChoice.hpp: chooses names that clash with none where templates write them.
#pragma once

#include "KernelSpec.hpp"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>

#include <set>
#include <string>
#include <vector>

namespace foldwise {

/// The words that a pattern's templates write where they write operands' names and types, too.
struct TemplateWords {
    std::set<std::string> parameters;  ///< Names that no parameter of a launcher can have.
    std::set<std::string> locals;      ///< Names that no operand can have within a kernel, CUDA's variables among them.
    std::set<std::string> types;       ///< Types of templates' own: they hide a user's even behind `struct`.
    std::set<std::string> besideTypes;  ///< All words that hide a user's type where templates write an operand's.
    /// The names that templates make of a kernel's symbol outside of functions, "launch_<symbol>", and of an operand's,
    /// "<symbol>_<parameter>_follows".
    std::vector<std::string> symbols;
};

/// The words of all patterns' launchers and kernels.
const std::set<std::string>& wordsOfLaunchers();
const std::set<std::string>& wordsOfKernels();

/// A pattern's own words and those of all patterns. The result's `besideTypes` are all of these words.
TemplateWords withCommonWords(TemplateWords own);

/// A fold's own words, those of all patterns, and those of fold_steps.mustache, which emits a fold's operations.
TemplateWords withFoldWords(TemplateWords own);

/// The words of a pattern's templates, by its type in the model.
template <class Spec> const TemplateWords& templateWords();
#define FOLDWISE_PATTERN(name, ...) template <> const TemplateWords& templateWords<name##Spec>();
#include "Patterns.def"

const TemplateWords& templateWords(Pattern pattern);

/// The names of an operand. All are the user's own unless that means something else there.
struct OperandNames {
    std::string parameter;  ///< The name in the launcher: what a caller reads.
    std::string local;      ///< The name within the kernel, where more names are taken.
    std::string said;       ///< The name in messages and in Python, where only other operands have names.
    bool operator==(const OperandNames&) const = default;
};

/// The name itself, or else the first of name_, name_2, name_3 and so on that is a new one: two underscores side by
/// side would be the compiler's.
std::string uniqueName(const std::string& name, llvm::function_ref<bool(const std::string&)> isNew);

/// Gives the operands of one signature names that clash neither with each other nor with what templates write there.
class OperandNameChoice {
  public:
    explicit OperandNameChoice(const TemplateWords& words) : words_(words) {}

    OperandNames of(const std::string& name);

  private:
    const TemplateWords& words_;
    std::set<std::string> parameters_, locals_, said_;
};

/// Gives kernels symbols that nothing else in a unit's emitted files has, nor what templates make of them.
class SymbolChoice {
  public:
    explicit SymbolChoice(const UnitSpec& unit);

    /// "rel_diff_float": the kernel's name and `types`, each once. Signatures with the same set of types, such as
    /// (float, double) and (double, float), are told apart by number; and so are f of float and double, and f_float of
    /// double.
    std::string of(const KernelSpec& kernel, const std::vector<const ElementType*>& types,
                   const std::vector<OperandNames>& operands);

  private:
    std::set<std::string> taken_;  // each with its scope
};

/// The names outside of functions that a pattern's templates make of a symbol and of operands, itself among them.
std::vector<std::string> namesMadeOf(const std::string& symbol, const std::vector<OperandNames>& operands,
                                     const TemplateWords& words);

}  // namespace foldwise
