// tests/unit/generator/emit/Templates_test.cpp: rendering, and loading templates.
#include "emit/Templates.hpp"

#include "TemporaryFolder.hpp"

#include <gtest/gtest.h>

using namespace foldwise;
namespace json = llvm::json;

static std::string render(std::map<std::string, std::string> texts, const json::Value& keys) {
    llvm::Expected<std::string> text = Templates(std::move(texts)).render("t", keys);
    return text ? *text : "error: " + llvm::toString(text.takeError());
}

TEST(Templates, RendersVariablesSectionsAndPartials) {
    const json::Value keys = json::Object{{"name", "f"},
                                          {"yes", true},
                                          {"no", false},
                                          {"items", json::Array{json::Object{{"n", "1"}}, json::Object{{"n", "2"}}}}};
    EXPECT_EQ(render({{"t", "<%name%>(<%#items%><%n%>;<%/items%>)<%#yes%>!<%/yes%><%^no%>?<%/no%>"}}, keys),
              "f(1;2;)!?");
    EXPECT_EQ(render({{"t", "<%#items%><%> p %><%/items%>"}, {"p", "[<%n%>]"}}, keys), "[1][2]");
}

TEST(Templates, APartialOfAllPatternsIsThatOfEachPatternForItsSignatures) {
    const json::Value keys = json::Object{
        {"vectorize", json::Array{}},
        {"reduce", json::Array{json::Object{{"symbol", "sum_float"}}, json::Object{{"symbol", "sum_double"}}}},
        {"forall", json::Array{json::Object{{"symbol", "turn"}}}},
        {"scan", json::Array{}},
        {"blocks", json::Array{}},
        {"scatter", json::Array{}},
        {"guvectorize", json::Array{}},
        {"stencil", json::Array{}}};
    const std::map<std::string, std::string> partials = {
        {"t", "begin\n<%> *_part %>\nend\n"}, {"reduce_part", "r <%symbol%>\n"}, {"forall_part", "f <%symbol%>\n"}};
    EXPECT_EQ(render(partials, keys), "begin\nr sum_float\nr sum_double\nf turn\nend\n");
    EXPECT_EQ(render({{"t", "<%> *_part %>"}, {"reduce_part", "r"}}, keys),
              "error: *_part.mustache:1: there is no template 'forall_part'");
    EXPECT_EQ(render({{"t", "<%> *_part %>"}, {"reduce_part", "<%name%>"}}, keys),
              "error: reduce_part.mustache:1: there is no key 'name' here");
}

TEST(Templates, EscapesNothing) {
    const std::string odd = "a < b && c > \"d\" + '{{x}}' & &amp;";
    EXPECT_EQ(render({{"t", "<%text%>"}}, json::Object{{"text", odd}}), odd);
    EXPECT_EQ(render({{"t", "<%> p %>"}, {"p", "<%text%>"}}, json::Object{{"text", odd}}), odd);
}

TEST(Templates, LeavesTheBracesOfCppAlone) {
    const std::string text = "int x[2][2] = {{0, 1}, {2, 3}}; {{name}} {{#name}}";
    EXPECT_EQ(render({{"t", text}}, json::Object()), text);
    EXPECT_EQ(render({{"t", "<%> p %>"}, {"p", text}}, json::Object()), text);
}

TEST(Templates, ATagInAValueIsText) {
    EXPECT_EQ(render({{"t", "<%text%>"}}, json::Object{{"text", "<%name%>"}}), "<%name%>");
}

TEST(Templates, ASectionTagAloneOnItsLineLeavesNoLine) {
    EXPECT_EQ(render({{"t", "a\n<%#yes%>\nb\n<%/yes%>\nc\n"}}, json::Object{{"yes", true}}), "a\nb\nc\n");
}

TEST(Templates, AMistakeIsAnErrorBeforeAnythingIsRendered) {
    EXPECT_EQ(render({{"t", "<%nmae%>"}}, json::Object{{"name", "f"}}),
              "error: t.mustache:1: there is no key 'nmae' here");
    EXPECT_EQ(render({}, json::Object()), "error: there is no template 't'");
}

TEST(Templates, TheToolHoldsTheFilesOfTheTemplatesFolder) {
    llvm::Expected<Templates> folder = Templates::fromFolder(FOLDWISE_TEMPLATES_DIR);
    ASSERT_TRUE(static_cast<bool>(folder));
    EXPECT_FALSE(folder->texts().empty());
    EXPECT_EQ(Templates::embedded().texts(), folder->texts());
}

TEST(Templates, AFolderCountsOnlyItsTemplates) {
    TemporaryFolder folder;
    folder.write("t.mustache", "text");
    folder.write("README.md", "other");
    llvm::Expected<Templates> templates = Templates::fromFolder(folder.path(""));
    ASSERT_TRUE(static_cast<bool>(templates));
    EXPECT_EQ(templates->texts(), (std::map<std::string, std::string>{{"t", "text"}}));
}

TEST(Templates, AFolderWithoutTemplatesIsAnError) {
    TemporaryFolder folder;
    const auto errorOf = [](const std::string& path) {
        return llvm::toString(Templates::fromFolder(path).takeError());
    };
    EXPECT_EQ(errorOf(folder.path("")), "templates folder '" + folder.path("") + "' holds no .mustache file");
    EXPECT_EQ(errorOf(folder.path("no")), "templates folder '" + folder.path("no") + "': No such file or directory");
}
