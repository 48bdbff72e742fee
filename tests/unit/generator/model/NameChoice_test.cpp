// tests/unit/generator/model/NameChoice_test.cpp: the symbols of kernels and the names of operands in emitted files,
// which clash neither with each other nor with the words that templates write. An expected OperandNames is the name in
// the launcher and then the one in the kernel.
#include "model/NameChoice.hpp"

#include "emit/Templates.hpp"
#include "model/KernelPlan.hpp"

#include "samples.hpp"

#include <gtest/gtest.h>
#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <set>

using namespace foldwise;

/// The plans of a kernel rel_diff with these signatures.
static std::vector<SignaturePlan> plansOf(std::vector<VectorizeSignature> signatures) {
    UnitSpec unit;
    unit.kernels = {vectorizeKernel(std::move(signatures))};
    return planUnit(unit).front();
}

/// The plan of a kernel rel_diff with only this signature.
static SignaturePlan planOf(const VectorizeSignature& signature) { return plansOf({signature}).front(); }

TEST(NameChoice, ASymbolNamesTheKernelAndEachInputTypeOnce) {
    EXPECT_EQ(planOf(vectorizeSignature({floatType(), floatType()}, boolType())).symbol, "rel_diff_float");
    EXPECT_EQ(planOf(vectorizeSignature({floatType(), int8Type()}, boolType())).symbol, "rel_diff_float_int8");
}

TEST(NameChoice, ASymbolWithoutInputTypesEndsInKernel) {
    EXPECT_EQ(planOf(vectorizeSignature({}, floatType())).symbol, "rel_diff_kernel");
}

TEST(NameChoice, SymbolsOfOneKernelAreUnique) {
    const auto plans = plansOf({vectorizeSignature({floatType(), doubleType()}, floatType()),
                                vectorizeSignature({floatType(), doubleType(), floatType()}, floatType()),
                                vectorizeSignature({floatType(), doubleType(), doubleType()}, floatType())});
    ASSERT_EQ(plans.size(), 3u);
    EXPECT_EQ(plans[0].symbol, "rel_diff_float_double");
    EXPECT_EQ(plans[1].symbol, "rel_diff_float_double_2");
    EXPECT_EQ(plans[2].symbol, "rel_diff_float_double_3");
}

TEST(NameChoice, SymbolsInOneNamespaceAreUniqueAndDifferFromKernelsNames) {
    UnitSpec unit;
    for (const char* name : {"f", "f_float", "f_double"}) {
        unit.kernels.push_back(vectorizeKernel({vectorizeSignature({floatType(), doubleType()}, floatType())}));
        unit.kernels.back().name = name;
    }
    unit.kernels[0].as<VectorizeSpec>().signatures.push_back(vectorizeSignature({floatType()}, floatType()));
    unit.kernels[1].as<VectorizeSpec>().signatures = {vectorizeSignature({doubleType()}, floatType())};
    const auto plans = planUnit(unit);
    EXPECT_EQ(plans[0][0].symbol, "f_float_double");
    EXPECT_EQ(plans[0][1].symbol, "f_float_2");
    EXPECT_EQ(plans[1][0].symbol, "f_float_double_2");
    unit.kernels[1].namespaces = {"elsewhere"};
    EXPECT_EQ(planUnit(unit)[1][0].symbol, "f_float_double");
}

TEST(NameChoice, NamesMadeOfSymbolsAreUnique) {
    UnitSpec unit;
    for (const char* name : {"f", "launch_f", "fold_f"}) {
        unit.kernels.push_back(vectorizeKernel({vectorizeSignature({floatType()}, floatType())}));
        unit.kernels.back().name = name;
    }
    unit.kernels[0] = reduceKernel({reduceSignature(floatType(), floatType(), floatType())});
    unit.kernels[0].name = "f";
    const auto symbols = [&] {
        std::vector<std::string> all;
        for (const auto& plans : planUnit(unit)) all.push_back(plans.front().symbol);
        return all;
    };
    EXPECT_EQ(symbols(), (std::vector<std::string>{"f_float", "launch_f_float_2", "fold_f_float_2"}));

    const auto declare = [&](std::vector<std::string> namespaces, const char* name) {
        unit.declarations.emplace_back();
        unit.declarations.back().namespaces = std::move(namespaces);
        unit.declarations.back().name = name;
    };
    std::vector<std::string> within = unit.kernels[0].namespaces;
    declare({"elsewhere"}, "f_float");
    EXPECT_EQ(symbols()[0], "f_float");
    within.push_back("inline v1");
    declare(within, "f_float_steps");
    EXPECT_EQ(symbols()[0], "f_float_2");
    within.back().clear();  // unnamed
    declare(within, "join_f_float_2");
    EXPECT_EQ(symbols()[0], "f_float_3");

    unit.declarations.clear();
    unit.kernels[1] = unit.kernels[0];  // for its combine, templates make the name f_combine
    unit.kernels[0] = vectorizeKernel({vectorizeSignature({floatType()}, floatType())});
    unit.kernels[0].name = "f";
    unit.kernels[0].as<VectorizeSpec>().signatures.front().inputs.front().type.identifier = "combine";
    EXPECT_EQ(symbols()[0], "f_combine_2");
}

/// Which patterns a template belongs to, seen from one pattern: to that pattern if its name begins with the pattern's
/// or one of the pattern's templates includes it. A template with no pattern's name that none of these includes belongs
/// to all patterns.
enum class Owner { Pattern, AllPatterns, OtherPatterns };
/// The owner of template `name`, seen from `pattern`.
static Owner ownerOf(const std::string& name, Pattern pattern, const Templates& templates) {
    const auto isOf = [](Pattern one, llvm::StringRef text) { return text.starts_with((keywordOf(one) + "_").str()); };
    const auto includes = [&](Pattern one) {
        return llvm::any_of(templates.texts(), [&](const auto& text) {
            return isOf(one, text.first) && llvm::StringRef(text.second).contains("<%> " + name + " %>");
        });
    };
    if (isOf(pattern, name)) return Owner::Pattern;
    if (llvm::any_of(allPatterns, [&](Pattern one) { return isOf(one, name); })) return Owner::OtherPatterns;
    if (llvm::none_of(allPatterns, includes)) return Owner::AllPatterns;
    return includes(pattern) ? Owner::Pattern : Owner::OtherPatterns;
}

TEST(NameChoice, NamesMadeOfSymbolsAreThoseThatTemplatesWrite) {
    const std::regex made("[A-Za-z_]*<%symbol%>(?:[A-Za-z_]|<%parameter%>)*");
    const Templates templates = Templates::embedded();
    for (const Pattern pattern : allPatterns) {
        std::set<std::string> written;
        for (const auto& [name, text] : templates.texts()) {
            if (ownerOf(name, pattern, templates) == Owner::OtherPatterns) continue;
            for (std::sregex_iterator found(text.begin(), text.end(), made), end; found != end; ++found)
                written.insert(found->str());
        }
        const std::vector<std::string> names =
            namesMadeOf("<%symbol%>", {{"<%parameter%>", "", ""}}, templateWords(pattern));
        EXPECT_EQ(written, std::set<std::string>(names.begin(), names.end())) << keywordOf(pattern).str();
    }
}

/// The names that a pattern's templates write, without qualifying them, where they also write operands' names by `key`.
static std::set<std::string> wordsBeside(const std::string& key, Pattern pattern) {
    static const std::set<std::string> keywords = {
        "auto",        "bool",   "const",     "constexpr", "else",     "extern", "false",  "for",
        "if",          "int",    "namespace", "nullptr",   "operator", "return", "sizeof", "static",
        "static_cast", "struct", "template",  "true",      "typename", "using",  "void",   "class"};
    const auto without = [](const std::string& text, const char* what, const char* instead) {
        return std::regex_replace(text, std::regex(what), instead);
    };
    std::set<std::string> words;
    const Templates templates = Templates::embedded();
    for (auto [name, text] : templates.texts()) {
        if (ownerOf(name, pattern, templates) != Owner::Pattern) continue;
        if (!llvm::StringRef(text).contains("<%" + key + "%>")) continue;
        text = without(text, "//[^\n]*|\"[^\"\n]*\"|\\[\\[\\w+\\]\\]|<%[#^/>][^%]*%>", " ");
        text = without(text, "<%\\w+%>", "@");
        text = without(text, "\\btemplate (?!<)", ".");             // before a member of a dependent type
        text = without(text, "(\\.|->|::)\\s*[A-Za-z_]\\w*", " ");  // what belongs to something
        text = without(text, "[A-Za-z_]\\w*\\s*::|\\w*@[\\w@]*", " ");
        const std::regex word("[A-Za-z_]\\w*");
        for (std::sregex_iterator found(text.begin(), text.end(), word), end; found != end; ++found)
            if (!keywords.contains(found->str()) && !llvm::StringRef(found->str()).starts_with("FOLDWISE_") &&
                !llvm::StringRef(found->str()).starts_with("__"))
                words.insert(found->str());
    }
    return words;
}

/// The elements of `these` that are not among `those`.
static std::vector<std::string> difference(const std::set<std::string>& these, const std::set<std::string>& those) {
    std::vector<std::string> found;
    std::ranges::set_difference(these, those, std::back_inserter(found));
    return found;
}

TEST(NameChoice, OperandsAreRenamedForEachWordOfTheTemplatesAndForNoOther) {
    // Words in functions that have no operands, and "_pack", which templates append to operands' names.
    const std::set<std::string> elsewhere = {"CUstream_st", "_pack",  "a",      "b",    "begin",
                                             "block",       "length", "second", "there"};
    for (const Pattern pattern : allPatterns) {
        const std::set<std::string> locals = wordsBeside("name", pattern),
                                    parameters = wordsBeside("parameter", pattern);
        const TemplateWords& words = templateWords(pattern);
        const auto within = [](std::set<std::string> all, const std::set<std::string>& more) {
            all.insert(more.begin(), more.end());
            return all;
        };
        const std::vector<std::string> none;
        EXPECT_EQ(difference(locals, within(words.locals, elsewhere)), none) << keywordOf(pattern).str();
        EXPECT_EQ(difference(words.locals, within(locals, wordsOfKernels())), none) << keywordOf(pattern).str();
        EXPECT_EQ(difference(parameters, words.parameters), none) << keywordOf(pattern).str();
        EXPECT_EQ(difference(words.parameters, within(parameters, wordsOfLaunchers())), none)
            << keywordOf(pattern).str();
        EXPECT_EQ(difference(words.types, within(locals, {"instance"})), none) << keywordOf(pattern).str();
    }
}

TEST(NameChoice, OperandsKeepTheirNames) {
    const SignaturePlan plan = planOf(vectorizeSignature({floatType(), floatType()}, floatType()));
    EXPECT_EQ(plan.operands,
              (std::vector<OperandNames>{{"x0", "x0", "x0"}, {"x1", "x1", "x1"}, {"out", "out", "out"}}));
}

TEST(NameChoice, TheOutputIsRenamedIfAnInputIsNamedOut) {
    VectorizeSignature signature = vectorizeSignature({floatType(), floatType()}, floatType());
    signature.inputs[0].name = "out";
    signature.inputs[1].name = "out_";
    const SignaturePlan plan = planOf(signature);
    EXPECT_EQ(plan.operands, (std::vector<OperandNames>{
                                 {"out", "out", "out"}, {"out_", "out_", "out_"}, {"out_2", "out_2", "out_2"}}));
}

/// The names that are chosen for the only input of a kernel, which the user has named `name`.
static OperandNames namesOf(const char* name) {
    VectorizeSignature signature = vectorizeSignature({floatType()}, floatType());
    signature.inputs[0].name = name;
    return planOf(signature).operands.front();
}

TEST(NameChoice, NamesThatTheKernelsTemplatesWriteAreReplacedInTheKernel) {
    for (const std::string name :
         {"Instance", "at",   "blockIdx", "call",     "code",  "count",   "device", "formula", "i",         "instance",
          "k",        "lane", "operands", "position", "range", "results", "space",  "stream",  "threadIdx", "x_pack"})
        EXPECT_EQ(namesOf(name.c_str()), (OperandNames{name, name + "_", name}));
}

TEST(NameChoice, NamesThatTheLaunchersTemplatesWriteAreReplacedInTheLauncher) {
    for (const std::string name : {"executor", "place", "shape"})
        EXPECT_EQ(namesOf(name.c_str()), (OperandNames{name + "_", name, name}));
    for (const std::string name : {"foldwise", "std"})
        EXPECT_EQ(namesOf(name.c_str()), (OperandNames{name + "_", name + "_", name}));
}
