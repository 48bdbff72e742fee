// tests/unit/generator/frontend/FindKernels_test.cpp: which variables are kernels.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;
using Strings = std::vector<std::string>;

static Strings kernelsOf(const std::string& text, const std::map<std::string, std::string>& others = {}) {
    const Parsed parsed = parse(text, others);
    if (!parsed.ok) return {parsed.messages};
    Strings names;
    for (const KernelSpec& kernel : parsed.unit.kernels) names.push_back(kernel.qualifiedName());
    return names;
}

TEST(FindKernels, FindsThemInAllNamespacesInTheirOrder) {
    EXPECT_EQ(kernelsOf("auto f = foldwise::vectorize([](float x) { return x; });\n"
                        "namespace b { auto f = foldwise::vectorize([](float x) { return x; }); }\n"
                        "namespace a::c { namespace { auto f = foldwise::vectorize([](float x) { return x; }); } }\n"
                        "namespace b { auto g = foldwise::vectorize([](float x) { return x; }); }"),
              (Strings{"f", "b::f", "a::c::f", "b::g"}));
}

TEST(FindKernels, AKernelMayBeConstInlineStaticOrInitialisedOtherwise) {
    EXPECT_EQ(kernelsOf("const auto a = foldwise::vectorize([](float x) { return x; });\n"
                        "inline constexpr auto b = foldwise::vectorize([](float x) { return x; });\n"
                        "static auto c{foldwise::vectorize([](float x) { return x; })};\n"
                        "[[maybe_unused]] auto d(foldwise::vectorize([](float x) { return x; }));"),
              (Strings{"a", "b", "c", "d"}));
}

TEST(FindKernels, ThoseOfAHeaderAreNotThisFiles) {
    EXPECT_EQ(kernelsOf("#include \"h.hpp\"\nauto f = foldwise::vectorize([](float x) { return x; });",
                        {{"h.hpp", "inline auto g = foldwise::vectorize([](float x) { return x; });\n"}}),
              Strings{"f"});
}

TEST(FindKernels, AKernelIsNoUnusedVariable) {
    EXPECT_EQ(parse("auto f = foldwise::vectorize([](float x) { return x; });\n"
                    "const auto g = foldwise::vectorize([](float x) { return x; });")
                  .messages,
              "");
}
