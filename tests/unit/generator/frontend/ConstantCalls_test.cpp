// tests/unit/generator/frontend/ConstantCalls_test.cpp: calls that Clang evaluates.
#include "frontend/ConstantCalls.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Frontend/ASTUnit.h>
#include <clang/Tooling/Tooling.h>
#include <gtest/gtest.h>

using namespace foldwise;
using namespace clang;

namespace {

/// C++20 without headers, and its variables.
class Code {
  public:
    explicit Code(const std::string& text) : ast_(tooling::buildASTFromCodeWithArgs(text, {"-std=c++20", "-w"})) {
        EXPECT_FALSE(ast_->getDiagnostics().hasErrorOccurred());
    }

    ASTContext& context() { return ast_->getASTContext(); }
    const VarDecl& variable(const std::string& name) {
        const auto found = context().getTranslationUnitDecl()->lookup(&context().Idents.get(name));
        EXPECT_TRUE(found.isSingleResult()) << name;
        return *cast<VarDecl>(found.front());
    }
    const CXXMethodDecl& lambda(const std::string& name) {
        return *variable(name).getType()->getAsCXXRecordDecl()->getLambdaCallOperator();
    }
    std::optional<Constant> value(const std::string& name) { return evaluate(*variable(name).getInit(), context()); }

    /// What a lambda returns for the values of these variables, as text; "?" if that is not known.
    std::string call(const std::string& name, const std::vector<std::string>& arguments) {
        std::vector<Constant> values;
        for (const std::string& argument : arguments) values.push_back(*value(argument));
        return text(foldwise::call(lambda(name), values, context()));
    }
    std::string text(const std::optional<Constant>& constant) { return constant ? print(*constant, context()) : "?"; }

  private:
    std::unique_ptr<ASTUnit> ast_;
};

TEST(ConstantCalls, OfLambdasAreEvaluated) {
    Code code("constexpr int two = 2, five = 5; constexpr float half = 0.5f;\n"
              "struct pair { int a; float b; }; constexpr pair p{7, 0.25f};\n"
              "constexpr int sign(int x) { return x < 0 ? -1 : 1; }\n"
              "auto minus = [](int a, int b) { return a - b; };\n"
              "auto scaled = [](const float& x) { return x * 3; };\n"
              "auto signs = [](int a, int b) { int sum = 0; for (int i = a; i <= b; ++i) sum += sign(i - 3); return "
              "sum; };\n"
              "auto turned = [](pair q) { return pair{q.a + 1, -q.b}; };\n"
              "auto member = [](const pair& q) -> const float& { return q.b; };");
    EXPECT_EQ(code.call("minus", {"two", "five"}), "-3");
    EXPECT_EQ(code.call("minus", {"five", "two"}), "3");
    EXPECT_EQ(code.call("scaled", {"half"}), "1.5");
    EXPECT_EQ(code.call("signs", {"two", "five"}), "2");
    EXPECT_EQ(code.call("turned", {"p"}), "{8, -2.500000e-01}");
    EXPECT_EQ(code.call("scaled", {"two"}), "6") << "numbers convert";
    EXPECT_EQ(code.call("turned", {"two"}), "?") << "to no struct";
    EXPECT_EQ(code.call("minus", {"two"}), "?");
}

TEST(ConstantCalls, WhatIsNotConstantIsNotKnown) {
    Code code("constexpr int one = 1, most = 2147483647; int changing = 1;\n"
              "int opaque(int x);\n"
              "inline int ordinary(int x) { return x; }\n"
              "auto calls = [](int a) { return opaque(a); };\n"
              "auto calls_inline = [](int a) { return ordinary(a); };\n"
              "auto reads = [](int a) { return a + changing; };\n"
              "auto overflows = [](int a) { return a + 1; };\n"
              "auto divides = [](int a) { return a / (a - 1); };\n"
              "auto runs = [](int a) { while (a) a = a + 1 - 1; return a; };");
    for (const char* name : {"calls", "calls_inline", "reads", "divides", "runs"})
        EXPECT_EQ(code.call(name, {"one"}), "?") << name;
    EXPECT_EQ(code.call("overflows", {"one"}), "2");
    EXPECT_EQ(code.call("overflows", {"most"}), "?");
}

TEST(ConstantCalls, NumbersConvertAsInC) {
    Code code("constexpr double d = 3.9, big = 1e10; constexpr int n = -2; constexpr bool b = true;\n"
              "constexpr unsigned char c = 200; struct pair { int a; }; constexpr pair p{1};");
    ASTContext& context = code.context();
    const auto converted = [&](const char* name, QualType type) {
        return code.text(convert(*code.value(name), type, context));
    };
    EXPECT_EQ(converted("d", context.IntTy), "3");
    EXPECT_EQ(converted("big", context.IntTy), "?") << "the behaviour is undefined";
    EXPECT_EQ(converted("n", context.UnsignedCharTy), "254");
    EXPECT_EQ(converted("c", context.SignedCharTy), "-56");
    EXPECT_EQ(converted("n", context.FloatTy), "-2");
    EXPECT_EQ(converted("n", context.BoolTy), "true");
    EXPECT_EQ(converted("b", context.DoubleTy), "1");
    EXPECT_EQ(converted("d", context.FloatTy.withConst()), "3.9");
    EXPECT_EQ(converted("p", context.IntTy), "?");
    EXPECT_EQ(converted("n", code.variable("p").getType()), "?");
    EXPECT_EQ(converted("p", code.variable("p").getType()), "{1}");
}

TEST(ConstantCalls, SamplesAreDifferentNumbers) {
    Code code("enum class color { red }; constexpr color c = color::red; struct s {}; constexpr s nothing;");
    ASTContext& context = code.context();
    for (QualType type : {context.SignedCharTy, context.UnsignedLongTy, context.FloatTy, context.DoubleTy}) {
        const std::vector<Constant> samples = sampleNumbers(type, context);
        ASSERT_GE(samples.size(), 3u);
        for (std::size_t i = 0; i < samples.size(); ++i) {
            EXPECT_TRUE(context.hasSameType(samples[i].type, type));
            for (std::size_t k = 0; k < i; ++k) EXPECT_EQ(same(samples[i].value, samples[k].value), false);
        }
    }
    EXPECT_EQ(sampleNumbers(context.BoolTy, context).size(), 2u);
    EXPECT_TRUE(sampleNumbers(code.variable("c").getType(), context).empty());
    EXPECT_TRUE(sampleNumbers(code.variable("nothing").getType(), context).empty());
}

TEST(ConstantCalls, LimitsIncludeInfinities) {
    Code code("");
    ASTContext& context = code.context();
    const auto limits = [&](QualType type) {
        return code.text(limitOf(type, false, context)) + " " + code.text(limitOf(type, true, context));
    };
    EXPECT_EQ(limits(context.SignedCharTy), "-128 127");
    EXPECT_EQ(limits(context.UnsignedShortTy), "0 65535");
    EXPECT_EQ(limits(context.LongTy), "-9223372036854775808 9223372036854775807");
    EXPECT_EQ(limits(context.FloatTy), "-Inf +Inf");
    EXPECT_EQ(limits(context.BoolTy), "false true");
}

TEST(ConstantCalls, AnIndexBeginsAtTheOrigin) {
    Code code("template <int N> struct index { long axes[N]; };\n"
              "constexpr index<3> third{{0, 0, 0}};\n"
              "auto sum = [](index<3> at) { return at.axes[0] + at.axes[1] + at.axes[2]; };");
    const QualType type = code.variable("third").getType();
    const Constant origin = originIndex(type, code.context());
    EXPECT_EQ(same(origin.value, code.value("third")->value), true);
    EXPECT_EQ(code.text(call(code.lambda("sum"), {origin}, code.context())), "0");
}

TEST(ConstantCalls, ValuesAreTheSameUpToATolerance) {
    Code code("struct pair { float a; int b; };\n"
              "constexpr pair x{1, 2}, near{1.00001f, 2}, far{1, 3};\n"
              "constexpr float one = 1, next = 1.00001f, nan = __builtin_nanf(\"\"), zero = 0, minus = -0.0f;\n"
              "constexpr float inf = __builtin_inff(), huge = 3e38f; constexpr int two = 2; constexpr int n = 0;\n"
              "constexpr const int* pointer = &n;");
    const auto are = [&](const char* a, const char* b, double tolerance = 0) {
        return same(code.value(a)->value, code.value(b)->value, tolerance);
    };
    EXPECT_EQ(are("one", "one"), true);
    EXPECT_EQ(are("one", "next"), false);
    EXPECT_EQ(are("one", "next", 1e-4), true);
    EXPECT_EQ(are("zero", "minus"), true);
    EXPECT_EQ(are("inf", "huge", 1e-4), false);
    EXPECT_EQ(are("inf", "inf"), true);
    EXPECT_EQ(are("nan", "nan"), std::nullopt);
    EXPECT_EQ(are("one", "two"), std::nullopt) << "of two types";
    EXPECT_EQ(are("pointer", "pointer"), std::nullopt);
    EXPECT_EQ(are("x", "near"), false);
    EXPECT_EQ(are("x", "near", 1e-4), true);
    EXPECT_EQ(are("x", "far", 1e-4), false);
}

}  // namespace
