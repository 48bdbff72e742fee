// tests/unit/generator/frontend/EdgeConditions_test.cpp: which conditions have known values for tasks away from edges,
// and which tasks these are.
#include "parsed.hpp"

#include <gtest/gtest.h>

#include <string>

using namespace foldwise;

static ForallSpec edgeForall(const std::string& text, const std::string& signatures = "") {
    const Parsed parsed =
        parse("#include <atomic>\n#include <cstddef>\n#include <cstdint>\n#define WITHIN(k) ((k) >= 1)\n"
              "auto f = foldwise::forall" +
              signatures + "(" + text + ");");
    EXPECT_TRUE(parsed.ok) << parsed.messages;
    return parsed.ok ? parsed.kernel("f").as<ForallSpec>() : ForallSpec();
}

/// The statements with T(...) and F(...) around conditions that are true and false away from edges, and where that is:
/// the begins along each axis, and for each end the axis, the view, its axis and how many tasks before its extent.
static std::string edgesOf(const ForallSpec& spec) {
    std::string text = spec.body.block;
    for (auto mark = spec.body.marks.rbegin(); mark != spec.body.marks.rend(); ++mark) {
        if (mark->kind == MarkKind::TrueInside) text.insert(mark->offset, "T(");
        if (mark->kind == MarkKind::FalseInside) text.insert(mark->offset, "F(");
        if (mark->kind == MarkKind::InsideEnd) text.insert(text.find_last_not_of(" \n", mark->offset - 1) + 1, ")");
    }
    if (spec.signatures.empty()) return "no signature";
    const ForallSignature& signature = spec.signatures.front();
    if (signature.innerBegins.empty()) return "none";
    std::string all = text.substr(2, text.size() - 4) + " from";
    for (const std::uint32_t begin : signature.innerBegins) all += " " + std::to_string(begin);
    for (const InnerEnd& end : signature.innerEnds)
        all += " until " + std::to_string(end.axis) + ": " + std::to_string(end.parameter) + "." +
               std::to_string(end.viewAxis) + " - " + std::to_string(end.less);
    return all;
}

static std::string edges(const std::string& statements) {
    return edgesOf(
        edgeForall("[](foldwise::index<2> at, foldwise::view<const float, 2> x, foldwise::view<float, 2> out,"
                   " long n) { " +
                   statements + " }"));
}

/// Of a condition on i and j, the coordinates.
static std::string edge(const std::string& condition, const std::string& before = "") {
    const std::string opening = "const auto [i, j] = at; " + before + "out(i, j) = ", closing = " ? x(i, j) : 0;";
    const std::string all = edges(opening + condition + closing);
    if (all == "none") return all;
    const std::size_t begin = opening.size(), end = all.find(closing);
    return all.substr(begin, end - begin) + all.substr(end + closing.size());
}

TEST(EdgeConditions, AtTheLowerEdge) {
    EXPECT_EQ(edge("j < 1"), "F(j < 1) from 0 1");
    EXPECT_EQ(edge("j <= 1"), "F(j <= 1) from 0 2");
    EXPECT_EQ(edge("j > 1"), "T(j > 1) from 0 2");
    EXPECT_EQ(edge("j >= 1"), "T(j >= 1) from 0 1");
    EXPECT_EQ(edge("j == 0"), "F(j == 0) from 0 1");
    EXPECT_EQ(edge("j != 0"), "T(j != 0) from 0 1");
    EXPECT_EQ(edge("j - 2 < 0"), "F(j - 2 < 0) from 0 2");
    EXPECT_EQ(edge("0 <= j - 1"), "T(0 <= j - 1) from 0 1");
    EXPECT_EQ(edge("j >= 0"), "T(j >= 0) from 0 0");
    EXPECT_EQ(edge("j == -1"), "F(j == -1) from 0 0");
    EXPECT_EQ(edge("i < 3"), "F(i < 3) from 3 0") << "along any axis";
}

TEST(EdgeConditions, AtTheUpperEdge) {
    EXPECT_EQ(edge("j < x.extent(1)"), "T(j < x.extent(1)) from 0 0 until 1: 0.1 - 0");
    EXPECT_EQ(edge("j <= x.extent(1) - 2"), "T(j <= x.extent(1) - 2) from 0 0 until 1: 0.1 - 1");
    EXPECT_EQ(edge("j + 1 >= x.extent(1)"), "F(j + 1 >= x.extent(1)) from 0 0 until 1: 0.1 - 1");
    EXPECT_EQ(edge("j > x.extent(1) - 2"), "F(j > x.extent(1) - 2) from 0 0 until 1: 0.1 - 1");
    EXPECT_EQ(edge("j == x.extent(1) - 1"), "F(j == x.extent(1) - 1) from 0 0 until 1: 0.1 - 1");
    EXPECT_EQ(edge("j + 1 != out.extent(0)"), "T(j + 1 != out.extent(0)) from 0 0 until 1: 1.0 - 1");
    EXPECT_EQ(edge("x.extent(1) <= j + 2"), "F(x.extent(1) <= j + 2) from 0 0 until 1: 0.1 - 2");
    EXPECT_EQ(edge("j <= x.extent(1) + 3"), "T(j <= x.extent(1) + 3) from 0 0 until 1: 0.1 - 0")
        << "no further than the view, which is on the safe side";
}

TEST(EdgeConditions, Several) {
    EXPECT_EQ(edge("(i < 1 || i + 1 >= x.extent(0) || j < 2 || !(j + 2 < x.extent(1)) || j < 1)"),
              "(F(i < 1) || F(i + 1 >= x.extent(0)) || F(j < 2) || !(T(j + 2 < x.extent(1))) || F(j < 1))"
              " from 1 2 until 0: 0.0 - 1 until 1: 0.1 - 2");
    EXPECT_EQ(edge("(j < x.extent(1) && j < x.extent(1) && j < out.extent(1))"),
              "(T(j < x.extent(1)) && T(j < x.extent(1)) && T(j < out.extent(1)))"
              " from 0 0 until 1: 0.1 - 0 until 1: 1.1 - 0");
}

TEST(EdgeConditions, ByWayOfConstants) {
    EXPECT_EQ(edge("j + r >= n1", "const int r = 2; const auto n1 = x.extent(1); "),
              "F(j + r >= n1) from 0 0 until 1: 0.1 - 2");
    EXPECT_EQ(edge("j > last", "const std::int64_t last{x.extent(1) - 1}; "), "F(j > last) from 0 0 until 1: 0.1 - 0");
    EXPECT_EQ(edge("left < 0", "long left = j - 1; "), "F(left < 0) from 0 1") << "never changed";
    EXPECT_EQ(edge("k < n1 - 1", "const int k = j, n1 = x.extent(1); "), "T(k < n1 - 1) from 0 0 until 1: 0.1 - 1");
    EXPECT_EQ(edges("if (at[1] == 0) return; out[at] = x[at];"),
              "if (F(at[1] == 0)) return; out[at] = x[at]; from 0 1");
    EXPECT_EQ(edgesOf(edgeForall("[](foldwise::index<1> i, foldwise::view<float, 1> y) { y[i] = i < 1 ? 0 : y[i]; }")),
              "y[i] = F(i < 1) ? 0 : y[i]; from 1");
}

TEST(EdgeConditions, WhatIsNotAtAnEdge) {
    EXPECT_EQ(edge("j < 1000"), "none");
    EXPECT_EQ(edge("j < n"), "none") << "nobody knows where that is";
    EXPECT_EQ(edge("j < x.extent(1) / 2"), "none");
    EXPECT_EQ(edge("2 * j < 1"), "none");
    EXPECT_EQ(edge("i < j"), "none");
    EXPECT_EQ(edge("x.extent(1) < 3"), "none");
    EXPECT_EQ(edge("1 - j < 0"), "none");
    EXPECT_EQ(edge("x(i, j) < 1"), "none");
}

TEST(EdgeConditions, WhatWraps) {
    EXPECT_EQ(edge("std::size_t(j) - 1 < 5"), "none");
    EXPECT_EQ(edge("j < std::size_t(1)"), "none");
    EXPECT_EQ(edge("k < 1", "const std::int8_t k = j; "), "none");
    EXPECT_EQ(edge("int(j + 1) < 2"), "none");
    EXPECT_EQ(edge("k < 2", "const unsigned k = j; "), "none");
}

TEST(EdgeConditions, WhatChanges) {
    EXPECT_EQ(edge("k < 1", "long k = j; k += 2; "), "none");
    EXPECT_EQ(edge("k < 1", "long k = j; auto add = [&k] { ++k; }; add(); "), "none");
    EXPECT_EQ(edge("i + 0 < 1", "at[0] = 3; "), "none");
    EXPECT_EQ(edges("auto other = at; other[1] += 1; if (other[1] < 1) return; out[at] = 0;"), "none");
    EXPECT_EQ(edges("for (long j = at[1]; j < out.extent(1); ++j) out(at[0], j) = 0;"), "none");
    EXPECT_EQ(edges("x = x.slice(1, 1, 3); if (at[1] < x.extent(1)) out[at] = 0;"), "none");
    EXPECT_EQ(edges("const auto y = x.slice(1, 1, 3); if (at[1] < y.extent(1)) out[at] = 0;"), "none");
    EXPECT_EQ(edge("m < 1", "const long m = m + j; "), "none");
}

TEST(EdgeConditions, OtherVariablesOfTheSameName) {
    EXPECT_EQ(edges("const long j = at[1]; for (long j = 0; j < 3; ++j) out[at] = j < 1; out[at] += j < 1;"),
              "const long j = at[1]; for (long j = 0; j < 3; ++j) out[at] = j < 1; out[at] += F(j < 1); from 0 1");
    EXPECT_EQ(edges("auto is = [](long j) { return j < 1; }; const long j = at[1]; out[at] = is(2) || j < 2;"),
              "auto is = [](long j) { return j < 1; }; const long j = at[1]; out[at] = is(2) || F(j < 2); from 0 2");
}

TEST(EdgeConditions, WhereTheTextIsNotTheLambdasOwn) {
    EXPECT_EQ(edge("WITHIN(j)"), "none");
    EXPECT_EQ(edges("auto is = [&] { return at[1] < 1; }; out[at] = is();"), "none");
    EXPECT_EQ(edgesOf(edgeForall("[](foldwise::index<1> i, foldwise::view<float, 1> sums) {"
                                 " if (i[0] > 0) std::atomic_ref(sums[0]) += 1; }")),
              "none")
        << "own sums have the marks";
}

TEST(EdgeConditions, SignaturesThatDiffer) {
    const auto of = [](const std::string& limit) {
        return edgesOf(edgeForall(
            "[](foldwise::index<1> i, auto x) { x[i] = i[0] < 1 && i[0] - decltype(x[0] + 0)(1) < " + limit + "; }",
            "<void(foldwise::view<int, 1>), void(foldwise::view<unsigned long, 1>)>"));
    };
    EXPECT_EQ(of("4"), "none") << "of unsigned numbers, the second condition has another value";
    EXPECT_EQ(of("x[i]"), "x[i] = F(i[0] < 1) && i[0] - decltype(x[0] + 0)(1) < x[i]; from 1");
}
