// tests/unit/generator/emit/LineDirectives_test.cpp: #line directives, and blank lines in rendered text.
#include "emit/LineDirectives.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

TEST(LineDirectives, SqueezeLeavesOneBlankLine) { EXPECT_EQ(squeezeBlankLines("a\n\n\n\nb\n"), "a\n\nb\n"); }

TEST(LineDirectives, SqueezeLeavesNoneAtTheEnds) {
    EXPECT_EQ(squeezeBlankLines("\n\na\n\n\n"), "a\n");
    EXPECT_EQ(squeezeBlankLines("a"), "a\n");
}

TEST(LineDirectives, SqueezeKeepsAUsersText) {
    const char* text = "a\n#line 3 \"x.cpp\"\n{\n\n\n}\n#line @\nb\n\nc\n";
    EXPECT_EQ(squeezeBlankLines(text), text);
}

TEST(LineDirectives, ResolveGivesTheNextLineItsNumber) {
    EXPECT_EQ(resolveLineDirectives("a\n#line @\nb\n#line @\n", "x.cu"), "a\n#line 3 \"x.cu\"\nb\n#line 5 \"x.cu\"\n");
}

TEST(LineDirectives, NumbersOfNoFileEndWithoutItsName) {
    EXPECT_EQ(resolveLineDirectives("#line 900\na\n#line @\nb\n#line @\n#line 7 \"u.cpp\"\n#line @\n", "x.cu"),
              "#line 900\na\n#line 4\nb\n#line 6 \"x.cu\"\n#line 7 \"u.cpp\"\n#line 8 \"x.cu\"\n");
}

TEST(LineDirectives, ALibrarysTextIsTheUsersToo) {
    const char* text = "a\n# 3 \"x.hpp\" 3\n{\n\n\n}\n#line @\nb\n";
    EXPECT_EQ(squeezeBlankLines(text), text);
    EXPECT_EQ(squeezeBlankLines("# no directive 3\n\n\nb\n"), "# no directive 3\n\nb\n");
}

TEST(LineDirectives, BehindALibrarysTextWarningsAreGivenAgain) {
    EXPECT_EQ(resolveLineDirectives("# 3 \"s.hpp\" 3\na\n#line @\nb\n#line @\n", "x.cu"),
              "# 3 \"s.hpp\" 3\na\n# 4 \"x.cu\"\nb\n#line 6 \"x.cu\"\n");
    EXPECT_EQ(resolveLineDirectives("# 3 \"s.hpp\" 3\n# 4 \"s.hpp\" 3\n#line 7 \"u.cpp\"\n#line 9 \"u.cpp\"\n", "x.cu"),
              "# 3 \"s.hpp\" 3\n# 4 \"s.hpp\" 3\n# 7 \"u.cpp\"\n#line 9 \"u.cpp\"\n");
}

TEST(LineDirectives, ResolveLeavesAllElseAlone) {
    const char* text = "#line 7 \"a.cpp\"\n  #line @\n// #line @\nno end of line";
    EXPECT_EQ(resolveLineDirectives(text, "x.cu"), text);
    EXPECT_EQ(resolveLineDirectives("", "x.cu"), "");
}

TEST(LineDirectives, QuotationMarksAndBackslashesOfNamesAreEscaped) {
    EXPECT_EQ(quotable("a \"b\"\\c\nd\re?.cpp"), "a \\\"b\\\"\\\\c\\nd\\re?.cpp");
    EXPECT_EQ(resolveLineDirectives("#line @\n", "a\"b\\c.cu"), "#line 2 \"a\\\"b\\\\c.cu\"\n");
}
