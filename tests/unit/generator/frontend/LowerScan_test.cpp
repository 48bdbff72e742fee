// tests/unit/generator/frontend/LowerScan_test.cpp: the model of scans, which have the parts of reductions.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

/// The kernel `f = foldwise::scan<types>(parts)`.
static ScanSpec scanOf(const std::string& types, const std::string& parts) {
    return parse("auto f = foldwise::scan<" + types + ">(" + parts + ");").kernel("f").as<ScanSpec>();
}

TEST(LowerScan, ResultsAreWhatEachPrefixMakes) {
    const ScanSpec kernel = scanOf("float, double(int)", "[](auto a, auto b) { return a + b; }, foldwise::identity(0)");
    ASSERT_EQ(kernel.signatures.size(), 2u);
    EXPECT_EQ(kernel.signatures[0].text, "float(float x)");
    EXPECT_EQ(kernel.signatures[1].text, "double(std::int32_t x)");
    EXPECT_EQ(kernel.signatures[1].output.name, "out");
    EXPECT_EQ(kernel.signatures[1].output.type.name, "double");
    EXPECT_EQ(kernel.signatures[1].fold.accumulator.name, "double");
    EXPECT_TRUE(kernel.signatures[1].fold.hasIdentity);
}

TEST(LowerScan, FinishMakesTheResult) {
    const ScanSignature signature =
        scanOf("bool(int)",
               "foldwise::map([](int x) { return long{x}; }), [](long a, long b) { return a > b ? a : b; }, "
               "foldwise::no_identity, foldwise::finish([](long a) { return a > 0; })")
            .signatures[0];
    EXPECT_EQ(signature.fold.accumulator.name, "std::int64_t");
    EXPECT_EQ(signature.output.type.name, "bool");
    EXPECT_FALSE(signature.fold.hasIdentity);
}

TEST(LowerScan, AMapWithAnIndexNeedsNoElements) {
    const ScanSignature signature =
        scanOf("long()", "foldwise::map([](foldwise::index<2> at) { return at[0] + at[1]; }), "
                         "[](long a, long b) { return a + b; }, foldwise::identity(0)")
            .signatures[0];
    EXPECT_EQ(signature.indexRank, 2u);
    EXPECT_TRUE(signature.inputs.empty());
}
