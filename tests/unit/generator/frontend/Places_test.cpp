// tests/unit/generator/frontend/Places_test.cpp: the names of files in generated code, and what __FILE__ becomes.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;
using Strings = std::vector<std::string>;

TEST(Places, AreRelativeToTheRoot) {
    const Parsed parsed = parse("#include \"sub/h.hpp\"\nauto f = foldwise::vectorize([](float x) { return h(x); });",
                                {{"sub/h.hpp", "#pragma once\n\ninline float h(float x) { return x; }\n"}});
    ASSERT_EQ(parsed.unit.declarations.size(), 1u) << parsed.messages;
    EXPECT_EQ(parsed.unit.declarations[0].place, (Place{"dir/sub/h.hpp", 3}));
    EXPECT_EQ(parsed.kernel("f").place, (Place{"dir/spec.kernels.cpp", 3}));
}

TEST(Places, AFileOutsideTheRootIsKnownByItsNameAlone) {
    TemporaryFolder folder;
    folder.write("root2/h.hpp", "inline float h(float x) { return x; }\n");
    const std::string spec =
        folder.write("root/a.cpp", "#include <foldwise/spec.hpp>\n#include \"../root2/h.hpp\"\n"
                                   "auto f = foldwise::vectorize([](float x) { return h(x); });\n");
    const FrontendResult result = parseSpecs({{spec}, folder.path("root"), "", {"-I" FOLDWISE_INCLUDE_DIR}});
    ASSERT_TRUE(result.ok);
    EXPECT_EQ(result.units[0].declarations[0].place, (Place{"h.hpp", 1}));
    EXPECT_EQ(result.units[0].source, "a.cpp");
}

TEST(Places, AndTheFilesMacroAreAbsoluteWhereThatIsAskedFor) {
    TemporaryFolder folder;
    const std::string header = folder.write("outside/h.hpp", "inline int h(int x) { return x + __FILE__[0]; }\n");
    const std::string spec =
        folder.write("root/dir/a.cpp", "#include <foldwise/spec.hpp>\n#include \"../../outside/h.hpp\"\n"
                                       "auto f = foldwise::vectorize([](int x) { return h(x) + __FILE__[0]; });\n");
    const FrontendResult result =
        parseSpecs({{spec}, folder.path("root"), "", {"-I" FOLDWISE_INCLUDE_DIR}, {}, /*absolutePaths=*/true});
    ASSERT_TRUE(result.ok);
    const UnitSpec& unit = result.units[0];
    EXPECT_EQ(unit.source, "dir/a.cpp") << "outputs keep their folders";
    EXPECT_EQ(unit.declarations[0].place, (Place{header, 1}));
    EXPECT_EQ(unit.declarations[0].text, "inline int h(int x) { return x + \"" + header + "\"[0]; }");
    EXPECT_EQ(unit.kernels[0].place, (Place{spec, 3}));
    EXPECT_EQ(unit.kernels[0].as<VectorizeSpec>().body.block, "{ return h(x) + \"" + spec + "\"[0]; }");
}

TEST(Places, FilesMacroIsAsGeneratedCodeNamesTheFile) {
    TemporaryFolder folder;
    folder.write("outside/sub/a.hpp", "inline int a(int x) { return x + __FILE__[0]; }\n");
    folder.write("outside/b.hpp", "inline int b(int x) { return x + __FILE__[0]; }\n");
    folder.write("root/in/c.hpp", "inline int c(int x) { return x + __FILE__[0]; }\n");
    const std::string forced = folder.write("forced.hpp", "inline int d(int x) { return x + __FILE__[0]; }\n");
    const std::string spec = folder.write(
        "root/s.cpp",
        "#include <foldwise/spec.hpp>\n#include \"sub/a.hpp\"\n#include \"../outside/b.hpp\"\n#include \"in/c.hpp\"\n"
        "auto f = foldwise::vectorize([](int x) { return a(x) + b(x) + c(x) + d(x) + __FILE__[0]; });\n");
    for (const std::string& option : {"-I" + folder.path("outside"), "-I" + folder.path("outside/"),
                                      "--include-directory=" + folder.path("outside")}) {
        const FrontendResult result =
            parseSpecs({{spec}, folder.path("root"), "", {option, "-include", forced, "-I" FOLDWISE_INCLUDE_DIR}});
        ASSERT_TRUE(result.ok) << option;
        std::vector<std::string> texts;
        for (const Declaration& declaration : result.units[0].declarations) texts.push_back(declaration.text);
        EXPECT_EQ(texts, (Strings{"inline int d(int x) { return x + \"forced.hpp\"[0]; }",
                                  "inline int a(int x) { return x + \"a.hpp\"[0]; }",
                                  "inline int b(int x) { return x + \"b.hpp\"[0]; }",
                                  "inline int c(int x) { return x + \"in/c.hpp\"[0]; }"}))
            << option;
        EXPECT_EQ(result.units[0].kernels[0].as<VectorizeSpec>().body.block,
                  "{ return a(x) + b(x) + c(x) + d(x) + \"s.cpp\"[0]; }");
    }
}
