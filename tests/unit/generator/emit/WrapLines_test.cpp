// tests/unit/generator/emit/WrapLines_test.cpp: where long lines are wrapped.
#include "emit/WrapLines.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

TEST(WrapLines, ShortLinesStay) {
    const char* text = "f(a, b);\n\n    g(a,\n      b);";
    EXPECT_EQ(wrapLines(text, 8), text);
}

TEST(WrapLines, CodeBreaksBehindTheLastCommaThatFits) {
    EXPECT_EQ(wrapLines("  f(aaa, bbb, ccc, ddd);\n", 16), "  f(aaa, bbb,\n      ccc, ddd);\n");
    EXPECT_EQ(wrapLines("f(aaa, bbb, ccc, ddd, eee, fff);", 14), "f(aaa, bbb,\n    ccc, ddd,\n    eee, fff);");
}

TEST(WrapLines, TheOutermostBracketsComeFirst) {
    EXPECT_EQ(wrapLines("f(a[g(1, 2)], b[g(1, 2)], c);", 22), "f(a[g(1, 2)],\n    b[g(1, 2)], c);");
}

TEST(WrapLines, BehindTheParenthesisIfNoCommaFits) {
    EXPECT_EQ(wrapLines("out[i] = name(aaaaaaaaaaaa);", 20), "out[i] = name(\n    aaaaaaaaaaaa);");
}

TEST(WrapLines, NotInAStringOrCharacter) {
    const char* text = "x = \"a, b, c, d, e, f\" ',' ;";
    EXPECT_EQ(wrapLines(text, 10), text);
    EXPECT_EQ(wrapLines("f(\"a\\\", b\", c);", 12), "f(\"a\\\", b\",\n    c);");
}

TEST(WrapLines, CommentsBreakBetweenWords) {
    EXPECT_EQ(wrapLines("    /// one two three four", 18), "    /// one two\n    /// three four");
    EXPECT_EQ(wrapLines("// oneverylongword", 8), "// oneverylongword");
}

TEST(WrapLines, DirectivesAndAUsersTextStay) {
    const char* text = "#include <a, b, c, d>\n#line 3 \"x.cpp\"\nf(a, b, c, d, e);\n#line @\n";
    EXPECT_EQ(wrapLines(text, 10), text);
    EXPECT_EQ(wrapLines(std::string(text) + "f(a, b, c, d);\n", 10), std::string(text) + "f(a, b, c,\n    d);\n");
    const char* librarys = "# 3 \"x.hpp\" 3\nf(a, b, c, d, e);\n#line @\n";
    EXPECT_EQ(wrapLines(librarys, 10), librarys);
}
