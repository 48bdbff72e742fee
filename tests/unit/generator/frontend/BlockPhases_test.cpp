// tests/unit/generator/frontend/BlockPhases_test.cpp: what items do with views, and what a block shares.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

/// The signature of a kernel whose lambda has this text after the block.
static BlocksSignature blockOf(const std::string& parameters, const std::string& text) {
    const Parsed parsed = parse("using foldwise::block; using foldwise::index; using foldwise::view;\n"
                                "inline float add(float a, float c) { return a + c; }\n"
                                "inline void hand(view<float, 1>) {}\n"
                                "auto f = foldwise::blocks<64>([](block<1> b" +
                                parameters + ") {" + text + "});");
    EXPECT_TRUE(parsed.ok) << parsed.messages;
    return parsed.ok ? parsed.kernel("f").as<BlocksSpec>().signatures[0] : BlocksSignature();
}

/// "r", "w" or "rw" for the first parameter.
static std::string useIn(const std::string& statement) {
    const BlocksSignature signature =
        blockOf(", view<float, 1> x, view<float, 1> y", "b.each([&](index<1> t) { " + statement + " });");
    const BlocksParameter& view = signature.parameters.at(0);
    return std::string(view.isRead ? "r" : "") + (view.isWritten ? "w" : "");
}

TEST(BlockPhases, ViewsAreReadAndWritten) {
    EXPECT_EQ(useIn("y[t] = x[t];"), "r");
    EXPECT_EQ(useIn("x[t] = y[t];"), "w");
    EXPECT_EQ(useIn("x(t) = 1;"), "w");
    EXPECT_EQ(useIn("x[t] += y[t];"), "rw");
    EXPECT_EQ(useIn("x[t]++;"), "rw");
    EXPECT_EQ(useIn("y[t] = add(x[t], 1);"), "r");
    EXPECT_EQ(useIn("float& element = x[t]; element = 1;"), "rw");
    EXPECT_EQ(useIn("hand(x);"), "rw");
    EXPECT_EQ(useIn("if (x.has(t)) y[t] = static_cast<float>(x.extent(0));"), "");
}

TEST(BlockPhases, AViewOfConstElementsIsRead) {
    const BlocksSignature signature = blockOf(", view<const float, 1> x, view<float, 1> y",
                                              "const float first = x[0]; b.each([&](index<1> t) { y[t] = first; });");
    EXPECT_TRUE(signature.parameters[0].isRead);
    EXPECT_FALSE(signature.parameters[0].isWritten);
}

TEST(BlockPhases, PhasesFoldsAndScansAreCounted) {
    const BlocksSignature signature =
        blockOf(", view<float, 1> x", "auto a = b.own(0.0f); auto c = b.own(0.0);"
                                      "b.each([&](index<1> t) { x[t] = a[t]; });"
                                      "const float sum = b.fold(a, add);"
                                      "auto upto = b.inclusive_scan(c, [](double p, double q) { return p + q; });"
                                      "b.once([&] { x[0] = sum; });");
    EXPECT_EQ(signature.phases, 4u);
    EXPECT_EQ(signature.exchanged, 8u) << "the larger of two values";
    EXPECT_EQ(signature.owned, 12u) << "both of an item's variables";
}

TEST(BlockPhases, SharedArraysHaveTheirExtents) {
    const BlocksSignature signature =
        blockOf(", view<const int, 2> x, int n",
                "auto first = b.shared<float, 8, 9>(); const int two = 2 * n; auto second = b.shared<char>(two + 1);"
                "auto third = b.shared<double>(x.extent(1)); b.each([&](index<1>) {});");
    ASSERT_EQ(signature.shared.size(), 3u);
    EXPECT_EQ(signature.shared[0].name, "first");
    EXPECT_EQ(signature.shared[0].extents, (std::vector<std::uint64_t>{8, 9}));
    EXPECT_EQ(signature.shared[0].count, "8 * 9");
    EXPECT_TRUE(signature.shared[1].extents.empty());
    EXPECT_EQ(signature.shared[1].count, "static_cast<long>(((2 * foldwise::detail::value_of<int>(call, 1)) + 1))");
    EXPECT_EQ(signature.shared[2].count, "call.arguments[0].extents[1]");
}

/// Whether the generator says that, of a lambda with this text.
static bool tells(const std::string& number, const std::string& text) {
    const Parsed parsed = parse(
        "#include <optional>\n#include <tuple>\nusing foldwise::block; using foldwise::index; using foldwise::view;\n"
        "auto f = foldwise::blocks<64>([](block<1> b, view<float, 1> x, int n) {" +
        text + "});");
    EXPECT_EQ(parsed.ok, number.empty()) << parsed.messages;
    return number.empty() || parsed.messages.find(number) != std::string::npos;
}

TEST(BlockPhases, WhatDiffersBetweenItemsIsInPhases) {
    EXPECT_TRUE(tells("", "for (int k = 0; k < n; ++k) b.each([&](index<1> t) { x[t] = 0; });"));
    EXPECT_TRUE(tells("", "if (b.number(0) > n) return; b.each([&](index<1> t) { x[t] = 0; });"));
    EXPECT_TRUE(tells("FW092", "if (x[0] > 0) b.each([&](index<1> t) { x[t] = 0; });"));
    EXPECT_TRUE(tells("FW092", "while (x(1) > 0) b.each([&](index<1> t) { x[t] = 0; });"));
    EXPECT_TRUE(tells("FW092", "auto s = b.shared<int, 4>(); n = s[0]; b.each([&](index<1> t) { x[t] = 0; });"));
    EXPECT_TRUE(tells("FW096", "int* p = &n; b.each([&](index<1> t) { n = 3; x[t] = 0; });"));
}

TEST(BlockPhases, OneOfSeveralVariablesMayBeRead) {
    const std::string text = "int m = 2; int few[2] = {1, 2};";
    const auto phase = [&](const std::string& body) { return text + "b.each([&](index<1> t) {" + body + "});"; };
    EXPECT_TRUE(tells("", phase("x[t] = n > 3 ? n : m;")));
    EXPECT_TRUE(tells("", phase("x[t] = (n > 3 ? (n) : m > 4 ? m : n) + (m, n);")));
    EXPECT_TRUE(tells("", phase("x[t] = (n > 3 ? few : few)[1];")));
    EXPECT_TRUE(tells("", phase("const int& one = n > 3 ? n : m; x[t] = one;")));
    EXPECT_TRUE(tells("FW096", phase("(n > 3 ? n : m) = 1; x[t] = 0;")));
    EXPECT_TRUE(tells("FW096", phase("++(x[t] > 3 ? m : n); x[t] = 0;")));
    EXPECT_TRUE(tells("FW096", phase("int& one = n > 3 ? n : m; one = 1; x[t] = 0;")));
    EXPECT_TRUE(tells("FW096", phase("(x[t] = 0, n) = 4;")));
}

TEST(BlockPhases, PairsHaveCopiesOfVariables) {
    const auto phase = [](const std::string& text) { return "int m = 3; b.each([&](index<1> t) { " + text + " });"; };
    EXPECT_TRUE(tells("", phase("auto&& [p, q] = std::pair<int, int>{n + 1, m}; x[t] = static_cast<float>(p + q);")));
    EXPECT_TRUE(tells("", phase("x[t] = static_cast<float>(std::get<1>(std::tuple<int, int>{n + 1, m}));")));
    EXPECT_TRUE(tells("", phase("std::optional<int> kept; if (n > 3) kept = m; x[t] = kept ? 1 : 0;")));
    EXPECT_TRUE(tells("", phase("std::pair<int, int> kept; kept = {m, n}; x[t] = 0;")));
    EXPECT_TRUE(tells("FW096", phase("std::pair<int, int&> both(n + 1, m); both.second = 1; x[t] = 0;")));
}

TEST(BlockPhases, OwnVariablesAreTheItems) {
    const std::string own = "auto mine = b.own(0);";
    EXPECT_TRUE(tells("", own + "b.each([&](index<1> t) { mine[t] = 1; mine[t] += mine[t]; });"));
    EXPECT_TRUE(tells("", own + "b.each([&](const index<1>& item) { mine[item] = n; });"));
    EXPECT_TRUE(tells("FW094", own + "b.each([&](index<1> t) { mine[t + 1] = 1; });"));
    EXPECT_TRUE(tells("FW094", own + "b.each([&](index<1> t) { mine[n] = 1; x[t] = 0; });"));
    EXPECT_TRUE(tells("FW094", own + "b.each([&](index<1> t) { ++t[0]; mine[t] = 1; });"));
}
