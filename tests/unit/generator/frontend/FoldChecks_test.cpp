// tests/unit/generator/frontend/FoldChecks_test.cpp: which reductions are warned about, and which are not.
#include "parsed.hpp"

#include <gtest/gtest.h>
#include <llvm/ADT/StringRef.h>

using namespace foldwise;

namespace {

const std::string none, notAssociative = "-Wnot-associative", wrongIdentity = "-Wwrong-identity",
                        narrowSum = "-Wnarrow-sum";

struct FoldCase {
    std::string types, parts, warning;
};

/// Expects one warning or none for each reduction of these types and parts; `before` is the text before them.
void expectWarnings(const std::vector<FoldCase>& cases, const std::string& before = "") {
    std::string text = "#include <cstdint>\nusing namespace foldwise;\n" + before + "\n";
    for (std::size_t i = 0; i < cases.size(); ++i)
        text += "auto f" + std::to_string(i) + " = reduce<" + cases[i].types + ">(" + cases[i].parts + ");\n";
    const Parsed parsed = parse(text);
    ASSERT_TRUE(parsed.ok) << parsed.messages;
    std::vector<std::string> found(cases.size());
    llvm::StringRef rest = parsed.messages;
    while (!rest.empty()) {
        const auto [line, others] = rest.split('\n');
        rest = others;
        const std::size_t named = line.find("kernel 'f"), option = line.find("-W");
        unsigned number = 0;
        if (named == llvm::StringRef::npos || option == llvm::StringRef::npos) continue;
        llvm::StringRef digits = line.substr(named + 9);
        ASSERT_FALSE(digits.consumeInteger(10, number)) << line.str();
        found[number] += line.substr(option, line.find(']', option) - option);
    }
    for (std::size_t i = 0; i < cases.size(); ++i)
        EXPECT_EQ(found[i], cases[i].warning) << cases[i].types << ": " << cases[i].parts;
}

TEST(FoldChecks, TheGroupingDoesNotMatter) {
    expectWarnings({{"float", "[](float a, float b) { return a - b; }, no_identity", notAssociative},
                    {"int", "[](int a, int b) { return 2 * a + b; }, no_identity", notAssociative},
                    {"bool", "[](bool a, bool b) { return !(a || b); }, no_identity", notAssociative},
                    {"float", "[](float a, float b) { return (a + b) / 2; }, no_identity", notAssociative},
                    {"int", "[](int a, int b) { return a * b + a + b; }, identity(0)", none},
                    {"int", "[](int a, int) { return a; }, no_identity", none},
                    {"unsigned",
                     "[](unsigned a, unsigned b) { while (b) { unsigned c = a % b; a = b; b = c; } "
                     "return a; }, identity(0u)",
                     none}});
}

TEST(FoldChecks, RoundingIsNotTakenForIt) {
    expectWarnings({{"float", "[](float a, float b) { return a + b + 0.1f; }, no_identity", none},
                    {"float", "[](float a, float b) { return (a + b) / (1 + a * b / 9e9f); }, identity(0)", none}});
}

TEST(FoldChecks, AKernelIsWarnedOnce) {
    expectWarnings({{"float, double, int", "[](auto a, auto b) { return a - b; }, no_identity", notAssociative},
                    {"float, double, int", "[](auto a, auto b) { return a * b; }, identity(0)", wrongIdentity}});
}

TEST(FoldChecks, AnIdentityLeavesWhatItIsCombinedWith) {
    expectWarnings({{"double", "[](double a, double b) { return a + b; }, identity(0)", none},
                    {"double", "[](double a, double b) { return a + b; }, identity(1)", wrongIdentity},
                    {"int", "[](auto a, auto b) { return a < b ? b : a; }, lowest", none},
                    {"int", "[](auto a, auto b) { return a < b ? b : a; }, highest", wrongIdentity},
                    {"bool", "[](bool a, bool b) { return a && b; }, identity(false)", wrongIdentity},
                    {"std::uint8_t", "[](auto a, auto b) { return a < b ? a : b; }, highest", none},
                    // On either side.
                    {"int", "[](int a, int) { return a; }, identity(0)", wrongIdentity},
                    {"int", "[](int, int b) { return b; }, identity(0)", wrongIdentity}});
}

TEST(FoldChecks, TriesWhatMapMakes) {
    expectWarnings(
        {{"peak(float)", "with_place, higher, identity(peak{-1e9f, -1})", none},
         {"peak(float)", "with_place, higher, identity(peak{1e9f, -1})", wrongIdentity},
         {"float(float, float)",
          "map([](float x, float y) { return x * y; }), [](float a, float b) { return a + b; }, "
          "identity(2)",
          wrongIdentity},
         // No element is mapped to a positive number.
         {"int", "map([](int x) { return -x; }), [](int a, int b) { return a < b ? a : b; }, identity(0)", none}},
        "struct peak { float value; long at; };\n"
        "constexpr auto with_place = map([](index<1> i, float x) { return peak{x, i}; });\n"
        "constexpr auto higher = combine([](peak a, peak b) { return b.value > a.value ? b : a; "
        "});");
}

TEST(FoldChecks, WhatTheCompilerCannotTellIsNotWarnedAbout) {
    expectWarnings({{"float", "[](float a, float b) { return twice(a) - b; }, identity(7)", none},
                    {"std::int32_t", "[](int a, int b) { return a * b * 2'000'000'000; }, identity(3)", none}},
                   "inline float twice(float x) { return 2 * x; }");
}

TEST(FoldChecks, SumsNeedRoom) {
    const std::string plus = "[](auto a, auto b) { return a + b; }, identity(0)";
    expectWarnings({{"std::int8_t", plus, narrowSum},
                    {"std::uint16_t", plus, narrowSum},
                    {"std::int32_t(std::int8_t)", plus, none},
                    {"std::int32_t", plus, none},
                    {"float(std::int8_t)", plus, none},
                    {"std::int8_t", "[](auto a, auto b) { return a < b ? b : a; }, lowest", none},
                    {"std::int8_t", "[](auto a, auto b) { return a ^ b; }, identity(0)", none}});
}

}  // namespace
