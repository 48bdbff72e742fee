// tests/unit/generator/emit/TemplateChecker_test.cpp: errors in templates that Mustache ignores.
#include "emit/TemplateChecker.hpp"

#include <gtest/gtest.h>

using namespace foldwise;
namespace json = llvm::json;

static const json::Object keys{
    {"name", "f"},           {"yes", true},
    {"no", false},           {"number", 42},
    {"none", json::Array()}, {"items", json::Array{json::Object{{"item", "a"}}, json::Object{{"item", "b"}}}}};

static std::string check(const std::string& text, std::map<std::string, std::string> partials = {}) {
    partials["t"] = text;
    llvm::Error wrong = checkTemplate(partials, "t", json::Object(keys));
    return wrong ? llvm::toString(std::move(wrong)) : "";
}

TEST(TemplateChecker, AcceptsKeysThatExist) {
    EXPECT_EQ(check("<%name%> <%#yes%>a<%/yes%><%^no%>b<%/no%><%! a remark %>"), "");
    EXPECT_EQ(check("<%#items%><%item%><%/items%><%^none%>none<%/none%>"), "");
    EXPECT_EQ(check("<%> p %>", {{"p", "<%name%>"}}), "");
}

TEST(TemplateChecker, NamesTemplateAndLineOfAnUnknownKey) {
    EXPECT_EQ(check("a\n<%nmae%>\n"), "t.mustache:2: there is no key 'nmae' here");
    EXPECT_EQ(check("<%#itmes%><%/itmes%>"), "t.mustache:1: there is no key 'itmes' here");
    EXPECT_EQ(check("<%%>"), "t.mustache:1: there is no key '' here");
}

TEST(TemplateChecker, LooksOnlyAtTheImmediateContext) {
    EXPECT_EQ(check("<%#items%><%name%><%/items%>"), "t.mustache:1: there is no key 'name' here");
    EXPECT_EQ(check("<%item%>"), "t.mustache:1: there is no key 'item' here");
}

TEST(TemplateChecker, LooksIntoPartialsWithTheContextOfTheirPlace) {
    EXPECT_EQ(check("<%#items%><%> p %><%/items%>", {{"p", "\n<%name%>"}}),
              "p.mustache:2: there is no key 'name' here");
    EXPECT_EQ(check("<%#items%><%> p %><%/items%>", {{"p", "<%item%>"}}), "");
}

TEST(TemplateChecker, DoesNotLookAtWhatIsNotRendered) {
    EXPECT_EQ(check("<%#no%><%anything%><%/no%><%^yes%><%anything%><%/yes%><%#none%><%anything%><%/none%>"), "");
}

TEST(TemplateChecker, RefusesAnUnknownPartial) {
    EXPECT_EQ(check("\n<%> nobody %>"), "t.mustache:2: there is no template 'nobody'");
}

TEST(TemplateChecker, RefusesAnUnknownTemplate) {
    EXPECT_EQ(llvm::toString(checkTemplate({}, "t", json::Object())), "there is no template 't'");
}

TEST(TemplateChecker, RefusesATemplateThatIncludesItself) {
    EXPECT_EQ(check("<%> t %>"), "template 't' includes itself (in template 't')");
    EXPECT_EQ(check("<%> p %>", {{"p", "<%> q %>"}, {"q", "<%> p %>"}}),
              "template 'p' includes itself (in template 'q')");
    EXPECT_EQ(check("<%> p %><%> p %>", {{"p", ""}}), "");  // twice in a row is no recursion
}

TEST(TemplateChecker, RefusesUnbalancedSections) {
    EXPECT_EQ(check("<%#yes%>"), "t.mustache:1: section 'yes' is not closed");
    EXPECT_EQ(check("\n<%/yes%>"), "t.mustache:2: 'yes' closes no open section");
    EXPECT_EQ(check("<%#yes%><%#items%><%/yes%><%/items%>"), "t.mustache:1: 'yes' closes no open section");
}

TEST(TemplateChecker, RefusesATagThatDoesNotEnd) {
    EXPECT_EQ(check("a\nb <% name"), "t.mustache:2: '<%' without '%>'");
}

TEST(TemplateChecker, RefusesABlankAtTheEndOfALine) {
    EXPECT_EQ(check("a\nb \n"), "t.mustache:2: a blank at the end of the line");
    EXPECT_EQ(check("a\t"), "t.mustache:1: a blank at the end of the line");
}

TEST(TemplateChecker, RefusesThreeBraces) {
    EXPECT_EQ(check("\nint x[1][1][1] = {{{0}}};"), "t.mustache:2: '{{{' would be taken for a tag: put a blank in");
    EXPECT_EQ(check("int x[1][1] = {{0}};"), "");
}

TEST(TemplateChecker, RefusesValuesThatMustacheWouldBend) {
    EXPECT_EQ(check("<%number%>"), "t.mustache:1: 'number' is not a string");
    EXPECT_EQ(check("<%yes%>"), "t.mustache:1: 'yes' is not a string");
    EXPECT_EQ(check("<%items%>"), "t.mustache:1: 'items' is not a string");
    EXPECT_EQ(check("<%#name%><%/name%>"), "t.mustache:1: 'name' is neither a boolean nor an array");
    EXPECT_EQ(check("<%#number%><%/number%>"), "t.mustache:1: 'number' is neither a boolean nor an array");
}
