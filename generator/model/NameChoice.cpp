// generator/model/NameChoice.cpp: keeps sets of names that are taken.
#include "NameChoice.hpp"

#include "KernelPlan.hpp"

#include <llvm/ADT/STLExtras.h>

namespace foldwise {

namespace {

std::string unique(const std::string& name, const std::set<std::string>& words, std::set<std::string>& used) {
    return uniqueName(name, [&](const std::string& one) { return !words.contains(one) && used.insert(one).second; });
}

/// "a::b::" for names that are looked up there: also those of unnamed and inline namespaces.
std::string scopeOf(const std::vector<std::string>& namespaces) {
    std::string scope;
    for (llvm::StringRef space : namespaces)
        if (!space.empty() && !space.starts_with("inline ")) scope += (space + "::").str();
    return scope;
}

/// "launch_f" of "launch_<symbol>".
std::string replaced(llvm::StringRef text, llvm::StringRef key, const std::string& value) {
    const auto [before, after] = text.split(key);
    return (before + value + after).str();
}

}  // namespace

const std::set<std::string>& wordsOfLaunchers() {
    static const std::set<std::string> words = {"executor", "foldwise", "place", "shape", "std"};
    return words;
}

const std::set<std::string>& wordsOfKernels() {
    static const std::set<std::string> words = {
        "Instance", "at",      "blockDim", "blockIdx", "call",     "code",    "compute",  "count",    "device",
        "foldwise", "formula", "gridDim",  "i",        "instance", "k",       "lane",     "operands", "position",
        "range",    "results", "space",    "std",      "stream",   "strides", "threadIdx"};
    return words;
}

TemplateWords withCommonWords(TemplateWords own) {
    own.parameters.insert(wordsOfLaunchers().begin(), wordsOfLaunchers().end());
    own.locals.insert(wordsOfKernels().begin(), wordsOfKernels().end());
    own.besideTypes = own.parameters;
    own.besideTypes.insert(own.locals.begin(), own.locals.end());
    own.besideTypes.insert("Arguments");
    return own;
}

TemplateWords withFoldWords(TemplateWords own) {
    own.locals.insert({"accumulator", "combine", "commutes", "finish", "finishes", "folded", "has_identity", "identity",
                       "map", "members", "narrow_sum", "narrowest", "result", "steps"});
    own.types.insert({"accumulator", "instance", "narrow_sum", "result", "steps"});
    own.symbols.insert(own.symbols.end(), {"launch_<symbol>", "launch_<symbol>_is_per_thread", "<symbol>_elements",
                                           "<symbol>_operands", "<symbol>_steps"});
    return withCommonWords(std::move(own));
}

const TemplateWords& templateWords(Pattern pattern) {
    switch (pattern) {
#define FOLDWISE_PATTERN(name, ...)                                                                                    \
    case Pattern::name:                                                                                                \
        return templateWords<name##Spec>();
#include "Patterns.def"
    }
    llvm_unreachable("every pattern is in the table");
}

std::string uniqueName(const std::string& name, llvm::function_ref<bool(const std::string&)> isNew) {
    if (isNew(name)) return name;
    const std::string stem = llvm::StringRef(name).ends_with("_") ? name : name + "_";
    if (stem != name && isNew(stem)) return stem;
    unsigned number = 2;
    while (!isNew(stem + std::to_string(number))) ++number;
    return stem + std::to_string(number);
}

OperandNames OperandNameChoice::of(const std::string& name) {
    const std::string local = llvm::StringRef(name).ends_with("_pack") ? name + "_" : name;
    return {unique(name, words_.parameters, parameters_), unique(local, words_.locals, locals_),
            unique(name, {}, said_)};
}

SymbolChoice::SymbolChoice(const UnitSpec& unit) {
    for (const Declaration& declaration : unit.declarations)
        taken_.insert(scopeOf(declaration.namespaces) + declaration.name);
    for (const KernelSpec& kernel : unit.kernels) {
        const std::string scope = scopeOf(kernel.namespaces);
        taken_.insert(scope + kernel.name);
        std::visit(
            [&](const auto& pattern) {
                for (const NamedBody& function : functionsOf(kernel, pattern, unit))
                    taken_.insert(scope + function.name);
            },
            kernel.pattern);
    }
}

std::string SymbolChoice::of(const KernelSpec& kernel, const std::vector<const ElementType*>& types,
                             const std::vector<OperandNames>& operands) {
    const std::string scope = scopeOf(kernel.namespaces);
    std::vector<std::string> identifiers;
    for (const ElementType* type : types)
        if (!llvm::is_contained(identifiers, type->identifier)) identifiers.push_back(type->identifier);
    if (identifiers.empty()) identifiers.push_back("kernel");
    std::string first = kernel.name;
    for (const std::string& identifier : identifiers) first.append("_").append(identifier);

    const TemplateWords& words = templateWords(patternOf(kernel));
    const auto isTaken = [&](const std::string& name) { return taken_.contains(scope + name); };
    std::string symbol = first;
    for (unsigned n = 2; llvm::any_of(namesMadeOf(symbol, operands, words), isTaken); ++n)
        symbol = first + "_" + std::to_string(n);
    for (const std::string& name : namesMadeOf(symbol, operands, words)) taken_.insert(scope + name);
    return symbol;
}

std::vector<std::string> namesMadeOf(const std::string& symbol, const std::vector<OperandNames>& operands,
                                     const TemplateWords& words) {
    static constexpr llvm::StringLiteral symbolKey = "<symbol>", parameterKey = "<parameter>";
    std::vector<std::string> names = {symbol};
    for (llvm::StringRef word : words.symbols) {
        const std::string name = replaced(word, symbolKey, symbol);
        if (!word.contains(parameterKey))
            names.push_back(name);
        else
            for (const OperandNames& operand : operands)
                names.push_back(replaced(name, parameterKey, operand.parameter));
    }
    return names;
}

}  // namespace foldwise
