// tests/unit/generator/frontend/ParseUnit_test.cpp: the frontend as a whole.
#include "parsed.hpp"

#include <gtest/gtest.h>
#include <llvm/ADT/STLExtras.h>

using namespace foldwise;

static const std::string kernel =
    "#include <foldwise/spec.hpp>\n#include \"h.hpp\"\nauto f = foldwise::vectorize([](float x) { return x; });\n";
static const std::vector<std::string> arguments = {"-I" FOLDWISE_INCLUDE_DIR};

TEST(ParseUnit, TheSourceIsRelativeToTheRoot) {
    EXPECT_EQ(parse("auto f = foldwise::vectorize([](float x) { return x; });").unit.source, "dir/spec.kernels.cpp");
}

TEST(ParseUnit, WithoutARootItIsTheSourcesOwnFolder) {
    TemporaryFolder folder;
    folder.write("dir/h.hpp", "");
    const FrontendResult result = parseSpecs({{folder.write("dir/a.cpp", kernel)}, "", "", arguments});
    ASSERT_TRUE(result.ok);
    EXPECT_EQ(result.units[0].source, "a.cpp");
}

TEST(ParseUnit, DependenciesAreAbsoluteSortedAndUnique) {
    TemporaryFolder folder;
    const std::string header = folder.write("h.hpp", ""), a = folder.write("a.cpp", kernel),
                      b = folder.write("b.cpp", kernel);
    const FrontendResult result = parseSpecs({{b, a}, "", "", arguments});
    ASSERT_TRUE(result.ok);
    for (const std::string& file : {header, a, b, std::string(FOLDWISE_INCLUDE_DIR "/foldwise/spec.hpp")})
        EXPECT_EQ(llvm::count(result.dependencies, file), 1) << file;
    EXPECT_TRUE(llvm::is_sorted(result.dependencies));
    for (const std::string& file : result.dependencies) EXPECT_TRUE(llvm::StringRef(file).starts_with("/")) << file;
    EXPECT_EQ(result.units[0].source, "b.cpp") << "units are in the order of the sources";
}

TEST(ParseUnit, OneWrongSpecIsEnough) {
    TemporaryFolder folder;
    folder.write("h.hpp", "");
    const std::string good = folder.write("good.cpp", kernel), bad = folder.write("bad.cpp", "int x = y;\n");
    testing::internal::CaptureStderr();
    EXPECT_FALSE(parseSpecs({{bad, good}, "", "", arguments}).ok);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("use of undeclared identifier 'y'"), std::string::npos);
}

TEST(ParseUnit, TheUsersArgumentsWin) {
    TemporaryFolder folder;
    const std::string spec = folder.write(
        "a.cpp", "#include <foldwise/spec.hpp>\n#if __cplusplus <= 202002L || VALUE != 3\n#error no\n#endif\n"
                 "auto f = foldwise::vectorize([](float x) { return x; });\n");
    EXPECT_TRUE(parseSpecs({{spec}, "", "", {"-std=c++23", "-DVALUE=3", "-I" FOLDWISE_INCLUDE_DIR}}).ok);
}

TEST(ParseUnit, ArgumentsMayComeFromACompilationDatabase) {
    TemporaryFolder folder;
    const std::string spec = folder.write("a.cpp", "#ifndef VALUE\n#error no\n#endif\n#include <foldwise/spec.hpp>\n"
                                                   "auto f = foldwise::vectorize([](float x) { return x; });\n");
    folder.write("build/compile_commands.json",
                 "[{\"directory\": \"" + folder.path("") + "\", \"file\": \"" + spec +
                     "\", \"command\": \"c++ -DVALUE -Wall -I" FOLDWISE_INCLUDE_DIR " -c " + spec + "\"}]");
    EXPECT_TRUE(parseSpecs({{spec}, "", folder.path("build"), {}}).ok);
}

TEST(ParseUnit, AForcedHeaderIsIncludedByTheHeaderThatNeedsItsTypes) {
    TemporaryFolder folder;
    const std::string beside = folder.write("forced.hpp", "#pragma once\nstruct forced { int a; };\n");
    const std::string spec = folder.write(
        "a.cpp", "#include <foldwise/spec.hpp>\nauto f = foldwise::vectorize([](forced x) { return x; });\n");
    for (const std::string& name : {beside, std::string("forced.hpp")}) {
        const FrontendResult result =
            parseSpecs({{spec}, "", "", {"-include", name, "-I" + folder.path(""), "-I" FOLDWISE_INCLUDE_DIR}});
        ASSERT_TRUE(result.ok);
        ASSERT_EQ(result.units[0].headerIncludes.size(), 1u);
        EXPECT_EQ(result.units[0].headerIncludes[0].substr(1, 10), "forced.hpp");
        EXPECT_TRUE(result.units[0].headerDeclarations.empty()) << "who includes it has the type already";
    }
}
