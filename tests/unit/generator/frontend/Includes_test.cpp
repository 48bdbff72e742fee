// tests/unit/generator/frontend/Includes_test.cpp: which directives a kernel needs.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;
using Strings = std::vector<std::string>;

static Strings includesOf(const std::string& text, const std::map<std::string, std::string>& others = {}) {
    const Parsed parsed = parseWithHeaders(text, others);
    return parsed.ok ? parsed.unit.includes : Strings{parsed.messages};
}

TEST(Includes, NamesTheHeaderOfWhatIsUsed) {
    EXPECT_EQ(
        includesOf("#include <algorithm>\n#include <cmath>\n#include <numbers>\n"
                   "auto f = foldwise::vectorize([](float x) { return std::sin(x) * std::numbers::pi_v<float>; });"),
        (Strings{"<cmath>", "<numbers>"}));
}

TEST(Includes, NamesNothingThatIsNotUsed) {
    EXPECT_EQ(includesOf("#include <cmath>\nauto f = foldwise::vectorize([](float x) { return x; });"), Strings{});
}

TEST(Includes, FindsWhatAHeaderOfTheUsersIncludes) {
    EXPECT_EQ(includesOf("#include \"h.hpp\"\nauto f = foldwise::vectorize([](float x) { return h(x); });",
                         {{"h.hpp", "#include <cmath>\ninline float h(float x) { return std::exp(x); }\n"}}),
              Strings{"<cmath>"});
}

TEST(Includes, FindsTheHeadersOfConceptsTypesAndMacros) {
    EXPECT_EQ(includesOf("#include <concepts>\nauto f = foldwise::vectorize<float(float)>([](std::floating_point auto "
                         "x) { return x; });"),
              Strings{"<concepts>"});
    EXPECT_EQ(
        includesOf("#include <cmath>\nauto f = foldwise::vectorize([](float x) { return x < 1 ? INFINITY : x; });"),
        Strings{});  // a macro leaves nothing but what it stood for
}
