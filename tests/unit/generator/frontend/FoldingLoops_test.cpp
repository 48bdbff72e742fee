// tests/unit/generator/frontend/FoldingLoops_test.cpp: which loops others than a task's thread run, and which it runs
// itself.
#include "parsed.hpp"

#include <gtest/gtest.h>

#include <string>

using namespace foldwise;

static ForallSpec forallOf(const std::string& statements, const std::string& before = "") {
    const Parsed parsed = parse("#include <algorithm>\n#include <cmath>\n#include <cstdio>\n" + before +
                                "\nauto f = foldwise::forall([](foldwise::index<1> i, foldwise::view<const float, 2> x,"
                                " foldwise::view<const int, 1> first, foldwise::view<float, 1> out, long n) {\n" +
                                statements + "\n});");
    EXPECT_TRUE(parsed.ok) << parsed.messages;
    return parsed.ok ? parsed.kernel("f").as<ForallSpec>() : ForallSpec();
}

/// The text of the body whose loops others run, or "none".
static std::string loopsText(const std::string& statements, const std::string& before = "") {
    const ForallSpec spec = forallOf(statements, before);
    return spec.loopsBody ? spec.loopsBody->block : "none";
}

static bool isRun(const std::string& loop, const std::string& before = "") {
    return loopsText("float s = 0; int w = 0;\n" + loop + "\nout[i] = s + w;", before) != "none";
}

TEST(FoldingLoops, TheTermIsAFunction) {
    EXPECT_EQ(loopsText("float s = 0;\n  for (long k = 0; k < n; ++k)\n    s += x(i[0], k) * 2;\n  out[i] = s;"),
              R"({
float s = 0;
  foldwise_loops.template in_order<long, false>(
      0, n,
      [&]([[maybe_unused]] const long k) { return x(i[0], k) * 2; },
      [&]([[maybe_unused]] const long k, const auto& foldwise_term) { s += foldwise_term; });
#line 10
  out[i] = s;
})");
}

TEST(FoldingLoops, WhatIsComputedBeforeGoesAlong) {
    EXPECT_EQ(loopsText("float s = 9; int w = 0;\n  for (int k = 0; k <= 7; k++) {\n    const float d = x(i[0], k);\n"
                        "    if (d < s) {\n      s = d;\n      w = k;\n    }\n  }\n  out[i] = s + w;"),
              R"({
float s = 9; int w = 0;
  foldwise_loops.template in_order<int, true>(
      0, 7,
      [&]([[maybe_unused]] const int k) { const float d = x(i[0], k); return d; },
      [&]([[maybe_unused]] const int k, const auto& d) { if (d < s) {
  s = d;
  w = k;
} });
#line 15
  out[i] = s + w;
})");
}

TEST(FoldingLoops, ManyForms) {
    EXPECT_TRUE(isRun("for (long k = 0; k < n; ++k) s += x(i[0], k);"));
    EXPECT_TRUE(isRun("for (int k = first[i]; k < first(i[0] + 1); k++) s = std::max(s, x(0, k));"));
    EXPECT_TRUE(
        isRun("for (unsigned k = 0; k < 9u; ++k) { float d = 0; for (int j = 0; j < 3; ++j) d += x(k, j); s += d; }"));
    EXPECT_TRUE(isRun("for (long k = 0; k < n; ++k) { const float d = x(i[0], k); s += d; s *= d; }"));
    EXPECT_TRUE(isRun("for (long k = 0; k < n; ++k) s += twice(x(i[0], k));",
                      "inline float twice(float v) { float w = v; w += v; return w; }"));
    EXPECT_TRUE(isRun("while (w < 3) { for (long k = 0; k < n; ++k) s += x(i[0], k); ++w; }"));
    EXPECT_TRUE(isRun("if (i[0] > 3) for (long k = 0; k < n; ++k) s += x(i[0], k);"));
}

TEST(FoldingLoops, WhatAThreadHasToItself) {
    EXPECT_FALSE(isRun("for (long k = 0; k < n; ++k) s += k;")) << "nothing is read";
    EXPECT_FALSE(isRun("for (long k = 0; k < n; ++k) { if (x(i[0], k) < 0) break; s += x(i[0], k); }")) << "leaves";
    EXPECT_FALSE(isRun("for (long k = 0; k < n; ++k) { if (k == 3) continue; s += x(i[0], k); }"));
    EXPECT_FALSE(isRun("for (long k = 0; k < n; ++k) if (k != i[0]) s += x(i[0], k);")) << "reads under a condition";
    EXPECT_FALSE(isRun("for (long k = 0; k < n; ++k) s += s > 0 ? x(i[0], k) : 0;"));
    EXPECT_FALSE(isRun("for (long k = 0; k < n; ++k) s = x(i[0], s > 0 ? k : 0);")) << "which element hangs on s";
    EXPECT_FALSE(isRun("for (long k = 0; k < n; k += 2) s += x(i[0], k);"));
    EXPECT_FALSE(isRun("for (long k = n; k > 0; --k) s += x(i[0], k);"));
    EXPECT_FALSE(isRun("for (long k = 0; k < n; ++k) { s += x(i[0], k); --n; }")) << "the end moves";
    EXPECT_FALSE(isRun("for (long k = 0; k < n; ++k) { s += x(i[0], k); ++k; }"));
    EXPECT_FALSE(isRun("for (long k = 0; k < n; ++k) out[i] = x(i[0], k);")) << "writes elements";
    EXPECT_FALSE(isRun("long k = 0; for (; k < n; ++k) s += x(i[0], k);"));
    EXPECT_FALSE(isRun("float* p = &s; for (long k = 0; k < n; ++k) *p += x(i[0], k);"));
    EXPECT_FALSE(isRun("for (long k = 0; k < n; ++k) { s += x(i[0], k); w += x(i[0], k) > 0; }")) << "two terms";
    EXPECT_FALSE(isRun("#pragma unroll 4\nfor (long k = 0; k < n; ++k) s += x(i[0], k);")) << "a hint is for a loop";
}

TEST(FoldingLoops, EveryLaneRunsTheTask) {
    const std::string loop = "for (long k = 0; k < n; ++k) s += x(i[0], k);";
    EXPECT_FALSE(isRun(loop + "std::printf(\"%f\", s);")) << "once for each lane";
    EXPECT_FALSE(isRun(loop + "tell(s);", "inline void tell(float v) { std::printf(\"%f\", v); }"));
    EXPECT_FALSE(isRun(loop + "out[i] += s;")) << "adds once for each lane";
    EXPECT_FALSE(isRun(loop + "std::atomic_ref(out(0)).fetch_add(s);", "#include <atomic>"));
}

TEST(FoldingLoops, LoopsAlongWhatTasksHaveToThemselves) {
    const auto isLooped = [](const std::string& loop) {
        const ForallSpec spec = forallOf("float s = 0;\n" + loop + "\nout[i] = s;");
        return !spec.signatures.empty() && spec.signatures.front().parameters.front().isLooped;
    };
    EXPECT_TRUE(isLooped("for (long k = 0; k < n; ++k) s += x(i[0], k);"));
    EXPECT_TRUE(isLooped("const auto [r] = i; for (long k = 0; k <= r; ++k) s += x(r, k);"));
    EXPECT_TRUE(isLooped("for (int k = first[i]; k < first(i[0] + 1); k++) s += x(0, k);"));
    EXPECT_TRUE(isLooped("for (long k = 0; k < n; ++k) s += x(0, i[0] + k);"));
    EXPECT_FALSE(isLooped("for (long k = 0; k < n; ++k) s += x(0, k);")) << "all tasks read the same";
    EXPECT_FALSE(isLooped("for (long k = 0; k < n; ++k) s += x(k, i[0]);")) << "neighbours read neighbours";
    EXPECT_FALSE(isLooped("for (long k = 0; k < n; ++k) s += x(i[0], first(k));")) << "anywhere";
}

TEST(FoldingLoops, LoopsThatEndAtExtents) {
    const auto ends = [](const std::string& statements) {
        const ForallSpec spec = forallOf("float s = 0;\n" + statements + "\nout[i] = s;");
        std::string all;
        for (const ForallParameter& parameter : spec.signatures.at(0).parameters)
            for (const std::uint32_t axis : parameter.loopAxes)
                all += parameter.name + "." + std::to_string(axis) + " ";
        return all;
    };
    EXPECT_EQ(ends("for (long k = 0; k < x.extent(1); ++k) s += x(0, k);"), "x.1 ");
    EXPECT_EQ(ends("for (int k = 0; k < first.extent(0); ++k) s += x(i[0], first(k));"), "first.0 ");
    EXPECT_EQ(ends("for (long k = 0; k < x.extent(1); ++k) s += x(0, k);\n"
                   "for (long k = 0; k < x.extent(0); ++k) s -= x(k, 0);\n"
                   "for (long k = 0; k < x.extent(1); ++k) s += x(1, k);"),
              "x.1 x.0 ");
    EXPECT_EQ(ends("const auto m = x.extent(1); for (int k = 0; k < m; ++k) s += x(0, k);"), "x.1 ");
    EXPECT_EQ(ends("const long m = x.extent(0), e = m; for (long k = 0; k < e; ++k) s += x(k, 0);"), "x.0 ");
    EXPECT_EQ(ends("const long m{x.extent(1)}; for (long k = 0; k < m; ++k) s += x(0, k);"), "x.1 ");
    EXPECT_EQ(ends("const long m = x.extent(1) - 1; for (long k = 0; k < m; ++k) s += x(0, k);"), "");
    EXPECT_EQ(ends("long m = x.extent(1); ++m; for (long k = 0; k < m; ++k) s += x(0, k - 1);"), "") << "one more";
    EXPECT_EQ(ends("for (long k = 0; k < n; ++k) s += x(0, k);"), "") << "it may be long";
    EXPECT_EQ(ends("for (long k = 0; k < x.extent(1); ++k) s += x(0, k);\nfor (long k = 0; k < n; ++k) s += x(1, k);"),
              "");
    EXPECT_EQ(ends("for (long k = 0; k < x.extent(n); ++k) s += x(0, k);"), "") << "of whatever axis";
    EXPECT_EQ(ends("for (long k = -n; k < x.extent(1); ++k) s += x(0, k + n);"), "") << "it may begin far before";
    EXPECT_EQ(ends("for (long k = 0; k <= x.extent(1); ++k) s += x(0, k - 1);"), "") << "one more";
    EXPECT_EQ(ends("for (int c = 0; c < 64; ++c) for (long k = 0; k < x.extent(1); ++k) s += x(c, k);"), "")
        << "64 times as many";
    EXPECT_EQ(ends("for (long k = 0; k < x.extent(1); ++k) s += std::sin(std::exp(std::tan(x(0, k))));"), "")
        << "each turn takes long";
    EXPECT_EQ(ends("for (long k = 0; k < x.extent(1); ++k) out[k] = s;"), "") << "none that lanes run";
}

TEST(FoldingLoops, InStepIfAllTasksRunThemAlike) {
    const auto isInStep = [](const std::string& statements) {
        const ForallSpec spec = forallOf("float s = 0;\n" + statements + "\nout[i] = s;");
        const bool has = spec.loopsBody && spec.loopsBody->block.find(".template in_step<") != std::string::npos;
        EXPECT_EQ(!spec.signatures.empty() && spec.signatures.front().hasLoopInStep, has) << statements;
        return has;
    };
    EXPECT_TRUE(isInStep("for (long k = 0; k < n; ++k) s += x(0, k);"));
    EXPECT_TRUE(isInStep("for (long k = 0; k < x.extent(1); ++k) s += x(i[0], k) * first(k);"));
    EXPECT_TRUE(isInStep("const long m = 2 * n; for (long k = m; k <= 2 * m; ++k) s = std::max(s, x(0, k));"));
    EXPECT_TRUE(isInStep("for (int k = 0; k < 9; ++k) s += x(i[0], k);\nfor (long k = 0; k < n; ++k) s += x(0, k);"));
    EXPECT_FALSE(isInStep("for (long k = 0; k < n; ++k) s += x(i[0], k);")) << "nothing is shared";
    EXPECT_FALSE(isInStep("const long r = i[0]; for (long k = 0; k < n; ++k) s += x(r, k);")) << "nothing is shared";
    EXPECT_FALSE(isInStep("for (long k = 0; k <= i[0]; ++k) s += x(0, k);")) << "of different lengths";
    EXPECT_FALSE(isInStep("for (long k = 0; k < first(0); ++k) s += x(0, k);")) << "what is read may change";
    EXPECT_FALSE(isInStep("n = i[0]; for (long k = 0; k < n; ++k) s += x(0, k);"));
    EXPECT_FALSE(isInStep("long m = n; for (long k = 0; k < m; ++k) s += x(0, k);"));
    EXPECT_FALSE(isInStep("if (i[0] > 3) for (long k = 0; k < n; ++k) s += x(0, k);")) << "not all come to it";
    EXPECT_FALSE(isInStep("if (i[0] > 3) return;\nfor (long k = 0; k < n; ++k) s += x(0, k);"));
    EXPECT_FALSE(isInStep("for (int j = 0; j < 2; ++j) { s += 1; for (long k = 0; k < n; ++k) s += x(0, k); }"))
        << "more than once";
}
