// tests/unit/generator/frontend/Pragmas_test.cpp: which pragmas are carried along with the code around them.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;
using Strings = std::vector<std::string>;

/// The text of each declaration, with the pragmas around it.
static std::string withPragmas(const std::vector<Declaration>& declarations) {
    std::string all;
    for (const Declaration& declaration : declarations) {
        for (const std::string& pragma : declaration.pragmas.before) all += "<" + pragma + "> ";
        all += declaration.text;
        for (const std::string& pragma : declaration.pragmas.behind) all += " <" + pragma + ">";
        all += "\n";
    }
    return all;
}

TEST(Pragmas, PackingComesAlongAsFarAsItHolds) {
    const Parsed parsed = parse("#define N 2\n#pragma pack(push, outer, N)\nstruct A { char c; float x; };\n"
                                "#pragma pack(1)\nstruct B { char c; float x; };\n#pragma pack(pop, outer)\n"
                                "struct C { char c; float x; };\n_Pragma(\"pack(4)\") struct D { char c; double x; };\n"
                                "#pragma pack()\nstruct E { char c; float x; };\n"
                                "auto f = foldwise::vectorize([](A a, B b, C c, D d, E e) {\n"
                                "    return a.x + b.x + c.x + d.x + e.x; });");
    const std::string expected = "<pack(push, 2)> struct A { char c; float x; }; <pack(pop)>\n"
                                 "<pack(push, 1)> struct B { char c; float x; }; <pack(pop)>\n"
                                 "struct C { char c; float x; };\n"
                                 "<pack(push, 4)> struct D { char c; double x; }; <pack(pop)>\n"
                                 "struct E { char c; float x; };\n";
    EXPECT_EQ(withPragmas(parsed.unit.declarations), expected) << parsed.messages;
    EXPECT_EQ(withPragmas(parsed.unit.headerDeclarations), expected);
    std::vector<unsigned> sizes;
    for (const Operand& input : parsed.kernel("f").as<VectorizeSpec>().signatures.at(0).inputs)
        sizes.push_back(input.type.size);
    EXPECT_EQ(sizes, (std::vector<unsigned>{6, 5, 8, 12, 8}));
}

TEST(Pragmas, PackingAroundALambdaAndInATypeComesAlong) {
    const Parsed parsed =
        parse("struct A { char c;\n#pragma pack(push, 1)\n    struct { char d; float x; } in;\n"
              "#pragma pack(pop)\n};\n#pragma pack(push, 2)\n"
              "auto f = foldwise::vectorize([](A a) { struct L { char c; float x; }; return a.in.x; });\n"
              "#pragma pack(pop)\n");
    EXPECT_EQ(parsed.declarations(), Strings{"struct A { char c;\n#pragma pack(push, 1)\n"
                                             "    struct { char d; float x; } in;\n#pragma pack(pop)\n};"})
        << parsed.messages;
    EXPECT_EQ(parsed.body("f").pragmas.before, Strings{"pack(push, 2)"});
}

TEST(Pragmas, WarningsThatTheUserSwitchesOffStayOff) {
    const Parsed parsed = parse("#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wshadow\"\n"
                                "#pragma GCC diagnostic ignored \"-Wfloat-equal\"\n"
                                "inline bool g(float x) { return x == 1; }\n#pragma GCC diagnostic pop\n"
                                "inline bool h(float x) { return x < 1; }\n"
                                "auto f = foldwise::vectorize([](float x) { return g(x) && h(x); });");
    EXPECT_EQ(
        withPragmas(parsed.unit.declarations),
        "<GCC diagnostic push> <GCC diagnostic ignored \"-Wpragmas\"> <GCC diagnostic ignored \"-Wshadow\"> "
        "<GCC diagnostic ignored \"-Wfloat-equal\"> inline bool g(float x) { return x == 1; } <GCC diagnostic pop>\n"
        "inline bool h(float x) { return x < 1; }\n")
        << parsed.messages;
}

TEST(Pragmas, HintsAboutLoopsComeAlongIntoKernelsOnly) {
    const Parsed parsed = parse("struct P {\n    float x;\n    float sum() const {\n        float s = 0;\n"
                                "#pragma unroll\n        for (int i = 0; i < 4; ++i) s += x;\n"
                                "#pragma GCC ivdep\n        for (int i = 0; i < 4; ++i) s += x;\n"
                                "        _Pragma(\"unroll 2\") for (int i = 0; i < 4; ++i) s += x;\n"
                                "        return s;\n    }\n};\n"
                                "auto f = foldwise::vectorize([](P p) { return p.sum(); });");
    ASSERT_EQ(parsed.unit.declarations.size(), 1u) << parsed.messages;
    ASSERT_EQ(parsed.unit.headerDeclarations.size(), 1u);
    const std::string kernels = parsed.unit.declarations[0].text, header = parsed.unit.headerDeclarations[0].text;
    for (const char* const hint : {"FOLDWISE_UNROLL_FULLY", "FOLDWISE_CPU_PRAGMA", "FOLDWISE_UNROLL(2)"})
        EXPECT_NE(kernels.find(hint), std::string::npos) << hint;
    EXPECT_EQ(header.find("FOLDWISE_"), std::string::npos) << "the callers' header has no such macros:\n" << header;
    EXPECT_EQ(llvm::StringRef(header).count('\n'), llvm::StringRef(kernels).count('\n')) << "lines stay where they are";
}

TEST(Pragmas, VisibilityComesAlongIntoTheHeader) {
    const Parsed parsed = parse("#pragma GCC visibility push(hidden)\nstruct A { float x; };\n"
                                "#pragma GCC visibility pop\nauto f = foldwise::vectorize([](A a) { return a.x; });");
    EXPECT_EQ(withPragmas(parsed.unit.headerDeclarations),
              "<GCC visibility push(hidden)> struct A { float x; }; <GCC visibility pop>\n")
        << parsed.messages;
    EXPECT_EQ(withPragmas(parsed.unit.declarations), "struct A { float x; };\n");
}
