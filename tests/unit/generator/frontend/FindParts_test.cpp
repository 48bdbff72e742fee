// tests/unit/generator/frontend/FindParts_test.cpp: which argument of foldwise::reduce is what.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

static const std::string adding = "[](float a, float b) { return a + b; }";

/// Parses a spec with `auto f = foldwise::reduce<float>(parts)` on line 3.
static Parsed parseParts(const std::string& parts) {
    return parse("using namespace foldwise;\nauto f = reduce<float>(" + parts + ");");
}

static void expectParts(const std::string& parts, const std::string& map, const std::string& finish,
                        IdentityKind identity, const std::string& value) {
    SCOPED_TRACE(parts);
    const Parsed parsed = parseParts(parts);
    ASSERT_TRUE(parsed.ok) << parsed.messages;
    const ReduceSpec& kernel = parsed.kernel("f").as<ReduceSpec>();
    const FoldParts& found = kernel.parts;
    EXPECT_EQ(found.combine.block, "{ return a + b; }");
    EXPECT_EQ(found.map ? found.map->block : "", map);
    EXPECT_EQ(found.finish ? found.finish->block : "", finish);
    EXPECT_EQ(found.identity, identity);
    EXPECT_EQ(found.identityValue ? found.identityValue->block : "", value);
    EXPECT_EQ(kernel.signatures[0].fold.hasIdentity, identity != IdentityKind::None);
}

static void expectRefused(const std::string& parts, const std::string& message) {
    SCOPED_TRACE(parts);
    const Parsed parsed = parseParts(parts);
    EXPECT_FALSE(parsed.ok);
    EXPECT_NE(parsed.messages.find("spec.kernels.cpp:3:"), std::string::npos) << parsed.messages;
    EXPECT_NE(parsed.messages.find(message), std::string::npos) << parsed.messages;
}

TEST(FindParts, ComeInAnyOrder) {
    const std::string map = "map([](float x) { return x * x; })", finish = "finish([](float a) { return a / 2; })";
    const std::string square = "{ return x * x; }", half = "{ return a / 2; }";
    expectParts(adding + ", identity(0)", "", "", IdentityKind::Value, "{ return 0; }");
    expectParts("identity(0), combine(" + adding + ")", "", "", IdentityKind::Value, "{ return 0; }");
    expectParts(map + ", " + adding + ", identity(0), " + finish, square, half, IdentityKind::Value, "{ return 0; }");
    expectParts(finish + ", commutative, identity(0), combine(" + adding + "), " + map, square, half,
                IdentityKind::Value, "{ return 0; }");
}

TEST(FindParts, IdentitiesAreValuesLimitsOrNone) {
    expectParts(adding + ", identity(1.0f - 1)", "", "", IdentityKind::Value, "{ return 1.0f - 1; }");
    expectParts(adding + ", no_identity", "", "", IdentityKind::None, "");
    expectParts("lowest, " + adding, "", "", IdentityKind::Lowest, "");
    expectParts(adding + ", highest", "", "", IdentityKind::Highest, "");
}

TEST(FindParts, MayBeNamedBefore) {
    const Parsed parsed = parse("constexpr auto plus = [](float a, float b) { return a + b; };\n"
                                "constexpr auto combining = foldwise::combine(plus);\n"
                                "auto f = foldwise::reduce<float>(plus, foldwise::no_identity);\n"
                                "auto g = foldwise::reduce<float>(combining, foldwise::no_identity);");
    ASSERT_TRUE(parsed.ok) << parsed.messages;
    EXPECT_EQ(parsed.body("f").callee, "::FOLDWISE_BACKEND::plus");
    EXPECT_EQ(parsed.body("g").callee, "::FOLDWISE_BACKEND::plus");
}

TEST(FindParts, AreFunctionsAndObjectsToo) {
    const Parsed parsed = parse("#include <functional>\n"
                                "inline float twice(float x) { return 2 * x; }\n"
                                "inline float plus(float a, float b) { return a + b; }\n"
                                "auto f = foldwise::reduce<float>(foldwise::finish(twice), std::plus<>{},\n"
                                "                                 foldwise::map(&twice), foldwise::no_identity);\n"
                                "auto g = foldwise::reduce<float>(plus, foldwise::no_identity);");
    ASSERT_TRUE(parsed.ok) << parsed.messages;
    const ReduceSpec& kernel = parsed.kernel("f").as<ReduceSpec>();
    const FoldParts& parts = kernel.parts;
    EXPECT_TRUE(parts.combine.makesObject);
    EXPECT_EQ(parts.combine.block, "{ return std::plus<>{}; }");
    EXPECT_EQ(parts.map->callee, "::FOLDWISE_BACKEND::twice");
    EXPECT_EQ(parts.finish->callee, "::FOLDWISE_BACKEND::twice");
    EXPECT_EQ(kernel.signatures[0].fold.operation, CombineOperator::Sum);
    EXPECT_EQ(parsed.body("g").callee, "::FOLDWISE_BACKEND::plus");
    EXPECT_EQ(parsed.kernel("g").as<ReduceSpec>().signatures[0].fold.operation, CombineOperator::Sum);
}

TEST(FindParts, AreNeitherMissingNorGivenTwice) {
    const std::string map = "map([](float x) { return x; })", finish = "finish([](float a) { return a; })";
    expectRefused(map + ", identity(0)", "'f' has no combine");
    expectRefused(adding, "'f' has no identity");
    expectRefused(adding + ", identity(0), combine(" + adding + ")", "'f' is given two parts for combine");
    expectRefused(map + ", " + adding + ", " + map + ", identity(0)", "'f' is given two parts for map");
    expectRefused(adding + ", " + finish + ", " + finish + ", identity(0)", "'f' is given two parts for finish");
    expectRefused(adding + ", identity(0), highest", "'f' has two identities");
    expectRefused(adding + ", no_identity, no_identity", "'f' has two identities");
}

TEST(FindParts, NothingElseIsOne) {
    expectRefused(adding + ", 0", "'f' is given '0', which is no part: write foldwise::identity(0)");
    expectRefused("\"plus\", identity(0)", "'f' is given 'const char *', which is none of");
}
