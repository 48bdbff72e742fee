// tests/unit/generator/frontend/LowerReduce_test.cpp: the model of reductions: their signatures, and the accumulators'
// types.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

static const std::string plus = "[](auto a, auto b) { return a + b; }, foldwise::identity(0)";

/// The kernel `f = foldwise::reduce<types>(parts)`.
static ReduceSpec reduction(const std::string& types, const std::string& parts, const std::string& before = "") {
    return parse(before + "\nauto f = foldwise::reduce<" + types + ">(" + parts + ");").kernel("f").as<ReduceSpec>();
}

TEST(LowerReduce, AnElementTypeIsTheWholeSignature) {
    const ReduceSpec kernel = reduction("float, int", plus);
    ASSERT_EQ(kernel.signatures.size(), 2u);
    const ReduceSignature& floats = kernel.signatures[0];
    EXPECT_EQ(floats.text, "float(float x)");
    ASSERT_EQ(floats.inputs.size(), 1u);
    EXPECT_EQ(floats.inputs[0].name, "x");
    EXPECT_EQ(floats.output.name, "out");
    EXPECT_EQ(floats.indexRank, 0u);
    EXPECT_EQ(floats.fold.accumulator.name, "float");
    EXPECT_FALSE(floats.fold.mapConverts || floats.fold.combineConverts || floats.fold.finishConverts);
    EXPECT_EQ(kernel.signatures[1].text, "std::int32_t(std::int32_t x)");
}

TEST(LowerReduce, AnAccumulatorMayBeWiderThanItsElements) {
    const ReduceSignature wide = reduction("long(signed char)", plus).signatures[0];
    EXPECT_EQ(wide.text, "std::int64_t(std::int8_t x)");
    EXPECT_EQ(wide.fold.accumulator.name, "std::int64_t");
    EXPECT_TRUE(wide.fold.mapConverts);
    EXPECT_FALSE(wide.fold.combineConverts);
    EXPECT_TRUE(reduction("short", plus).signatures[0].fold.combineConverts) << "the sum of two shorts is an int";
}

/// The type that sums or products of a signature wrap around in.
static std::string wrapsIn(const std::string& types, const std::string& combine) {
    return reduction(types, combine + ", foldwise::no_identity").signatures[0].fold.wrapsIn;
}

TEST(LowerReduce, SumsAndProductsOfSignedIntegersWrapAround) {
    EXPECT_EQ(wrapsIn("int", "[](int a, int b) { return a + b; }"), "std::int32_t");
    EXPECT_EQ(wrapsIn("int", "[](auto a, auto b) { return a * b; }"), "std::int32_t");
    EXPECT_EQ(wrapsIn("long(int)", "[](auto a, auto b) { return a + b; }"), "std::int64_t");
    EXPECT_EQ(wrapsIn("long(int)", "[](int a, int b) { return a + b; }"), "std::int32_t");
    EXPECT_EQ(wrapsIn("long long", "[](auto a, auto b) { return a + b; }"), "long long");
    EXPECT_EQ(wrapsIn("unsigned short", "[](auto a, auto b) { return a * b; }"), "std::uint16_t") << "computed in int";
}

TEST(LowerReduce, WhatCannotOverflowOrIsNoSumCallsCombine) {
    EXPECT_EQ(wrapsIn("short", "[](auto a, auto b) { return a + b; }"), "") << "computed in int, and fits";
    EXPECT_EQ(wrapsIn("unsigned short", "[](auto a, auto b) { return a + b; }"), "");
    EXPECT_EQ(wrapsIn("unsigned", "[](auto a, auto b) { return a + b; }"), "");
    EXPECT_EQ(wrapsIn("float", "[](auto a, auto b) { return a + b; }"), "");
    EXPECT_EQ(wrapsIn("int", "[](auto a, auto b) { return a < b ? b : a; }"), "");
    EXPECT_EQ(wrapsIn("int", "[](int a, int b) -> short { return a + b; }"), "") << "bits are cut off each time";
}

TEST(LowerReduce, InputsAreNamedAsMapNamesThem) {
    const std::string dot = "foldwise::map([](float left, double right) { return left * right; }), " + plus;
    const ReduceSignature signature = reduction("double(float, double)", dot).signatures[0];
    EXPECT_EQ(signature.text, "double(float left, double right)");
    EXPECT_EQ(signature.inputs.size(), 2u);
    EXPECT_FALSE(signature.fold.mapConverts);
}

TEST(LowerReduce, MapMayTakeAnIndex) {
    const ReduceSignature flat =
        reduction("long(int)", "foldwise::map([](foldwise::index<1> i, int x) { return i * x; }), " + plus)
            .signatures[0];
    EXPECT_EQ(flat.indexRank, 1u);
    EXPECT_EQ(flat.text, "std::int64_t(std::int32_t x)");
    const ReduceSignature cube =
        reduction("long(int)", "foldwise::map([](foldwise::index<3> at, int x) { return at[2] * x; }), " + plus)
            .signatures[0];
    EXPECT_EQ(cube.indexRank, 3u);
}

TEST(LowerReduce, WithAFinishTheSignatureNamesTheResult) {
    const std::string before = "struct moments { double n, sum; };";
    const ReduceSignature mean =
        reduction("float(double)",
                  "foldwise::map([](double x) { return moments{1, x}; }), "
                  "[](moments a, moments b) { return moments{a.n + b.n, a.sum + b.sum}; }, "
                  "foldwise::identity(moments{0, 0}), foldwise::finish([](moments m) { return m.sum / m.n; })",
                  before)
            .signatures[0];
    EXPECT_EQ(mean.text, "float(double x)");
    EXPECT_EQ(mean.fold.accumulator.name, "moments");
    EXPECT_EQ(mean.fold.accumulator.size, 16u);
    EXPECT_TRUE(mean.fold.finishConverts);
    const ReduceSignature root = reduction("float", "foldwise::map([](float x) { return 1.0 * x; }), " + plus +
                                                        ", foldwise::finish([](auto a) { return a / 2; })")
                                     .signatures[0];
    EXPECT_EQ(root.fold.accumulator.name, "double") << "what map's and the result's types have in common";
}

TEST(LowerReduce, TuplesAreOneAccumulatorAndOneResult) {
    const ReduceSpec kernel =
        reduction("std::pair<vec, int>(vec)",
                  "foldwise::map([](vec v) { return std::make_tuple(v, 1); }), [](auto a, auto) { return a; }, "
                  "foldwise::no_identity, "
                  "foldwise::finish([](auto t) { return std::make_pair(std::get<0>(t), 2); })",
                  "#include <tuple>\n#include <utility>\nstruct vec { float x, y; };");
    const ReduceSignature& signature = kernel.signatures[0];
    EXPECT_EQ(signature.fold.accumulator.name, "std::tuple<vec, int>");
    EXPECT_EQ(signature.fold.accumulator.identifier, "tuple_vec_int");
    EXPECT_EQ(signature.fold.accumulator.kind, TypeKind::Tuple);
    EXPECT_EQ(signature.output.type.name, "std::pair<vec, int>");
    EXPECT_EQ(signature.output.type.kind, TypeKind::Tuple);
    EXPECT_EQ(signature.text, "std::pair<vec, int>(vec v)");
}

TEST(LowerReduce, PartsAreBodiesOfTheirOwn) {
    const ReduceSpec kernel = reduction("double(float)", "foldwise::map([](auto x) -> double { return x * x; }), " +
                                                             plus + ", foldwise::finish([](double a) { return a; })");
    EXPECT_EQ(kernel.parts.combine.parameters, "(auto a, auto b)");
    EXPECT_EQ(kernel.parts.map->parameters, "(auto x)");
    EXPECT_EQ(kernel.parts.map->resultType, "double");
    EXPECT_EQ(kernel.parts.finish->parameters, "(double a)");
    EXPECT_EQ(kernel.parts.identityValue->parameters, "()");
    EXPECT_EQ(kernel.parts.identityValue->place.line, 3u);
}

TEST(LowerReduce, WhatPartsReachComesAlong) {
    const Parsed parsed = parse("constexpr float start() { return 0; }\n"
                                "inline float square(float x) { return x * x; }\n"
                                "inline float add(float a, float b) { return a + b; }\n"
                                "inline float half(float a) { return a / 2; }\n"
                                "inline float unused(float a) { return a; }\n"
                                "auto f = foldwise::reduce<float>(foldwise::map([](float x) { return square(x); }),\n"
                                "    [](float a, float b) { return add(a, b); }, foldwise::identity(start()),\n"
                                "    foldwise::finish([](float a) { return half(a); }));");
    ASSERT_TRUE(parsed.ok) << parsed.messages;
    EXPECT_EQ(parsed.names(), (std::vector<std::string>{"start", "square", "add", "half"}));
}

TEST(LowerReduce, CountsWhatIsDoneForEachElement) {
    const ReduceSignature norm = reduction("float", "foldwise::map([](float x) { return x * x; }), " + plus +
                                                        ", foldwise::finish([](float a) { return a / 2; })")
                                     .signatures[0];
    ASSERT_EQ(norm.operations.counts.size(), 2u) << "finish is called once";
    for (const OperationCount& one : norm.operations.counts) EXPECT_EQ(one.count, 1u);
}

TEST(LowerReduce, CallersGetTheTypesOfResultsAndOfInitialValues) {
    const Parsed parsed = parse("struct pair { float a, b; };\n"
                                "auto f = foldwise::reduce<float(float)>(\n"
                                "    foldwise::map([](float x) { return pair{x, x}; }),\n"
                                "    [](pair p, pair q) { return pair{p.a + q.a, p.b + q.b}; },\n"
                                "    foldwise::finish([](pair p) { return p.a; }), foldwise::no_identity);");
    ASSERT_TRUE(parsed.ok) << parsed.messages;
    ASSERT_EQ(parsed.unit.headerDeclarations.size(), 1u);
    EXPECT_EQ(parsed.unit.headerDeclarations[0].name, "pair");
}

TEST(LowerReduce, RefusesAtTheUsersLine) {
    const auto refused = [](const std::string& types, const std::string& parts) {
        const Parsed parsed =
            parse("struct pair { float a, b; };\nauto f = foldwise::reduce<" + types + ">(" + parts + ");");
        EXPECT_FALSE(parsed.ok);
        EXPECT_NE(parsed.messages.find("spec.kernels.cpp:3:"), std::string::npos) << parsed.messages;
        const std::size_t begin = parsed.messages.find("[FW");
        return begin == std::string::npos ? parsed.messages : parsed.messages.substr(begin, 7);
    };
    const std::string identity = ", foldwise::identity(0)";
    EXPECT_EQ(refused("float", "[](float a) { return a; }" + identity), "[FW030]");
    EXPECT_EQ(refused("float", "[](pair a, pair) { return a; }, foldwise::no_identity"), "[FW033]");
    EXPECT_EQ(refused("float", "[](float a, float b) { return pair{a, b}; }" + identity), "[FW034]");
    EXPECT_EQ(refused("pair", "[](pair a, pair) { return a; }" + identity), "[FW034]");
    EXPECT_EQ(refused("pair", "[](pair a, pair) { return a; }, foldwise::lowest"), "[FW032]");
    EXPECT_EQ(refused("float(float, float)", plus), "[FW032]");
    EXPECT_EQ(refused("", "[](float a, float b) { return a + b; }" + identity), "[FW032]");
    EXPECT_EQ(refused("float, float(float)", plus), "[FW003]");
}

/// The numbers of an accumulator that is `a`, written as a struct of these members.
static std::vector<std::string> membersOf(const std::string& members, const std::string& before = "") {
    return reduction("acc", "[](acc a, acc) { return a; }, foldwise::no_identity",
                     "#include <array>\n#include <complex>\n" + before + "struct acc { " + members + " };")
        .signatures[0]
        .fold.members;
}

TEST(LowerReduce, AStructsNumbersAreNamed) {
    using names = std::vector<std::string>;
    EXPECT_EQ(membersOf("int n; float mean, squares;"), (names{"n", "mean", "squares"}));
    EXPECT_EQ(membersOf("struct { float v; long at; } least; bool any;"), (names{"least.v", "least.at", "any"}));
    EXPECT_EQ(membersOf("float low[2]; short at[1][2];"), (names{"low[0]", "low[1]", "at[0][0]", "at[0][1]"}));
    EXPECT_EQ(membersOf("std::complex<float> z; foldwise::half h; std::array<int, 2> both;"), (names{"z", "h", "both"}))
        << "a class whose members are its own is copied as a whole";
    EXPECT_EQ(membersOf("bool all[16];").size(), 16u);
}

TEST(LowerReduce, AStructThatCannotBeTakenApartIsKeptAsAWhole) {
    EXPECT_TRUE(membersOf("bool all[17];").empty());
    EXPECT_TRUE(membersOf("int low : 3; int high : 29;").empty());
    EXPECT_TRUE(membersOf("union { int n; float x; }; float sum;").empty());
    EXPECT_TRUE(membersOf("float sum; private: float rest;").empty());
    EXPECT_TRUE(reduction("float", plus).signatures[0].fold.members.empty());
    EXPECT_TRUE(reduction("std::complex<float>", plus, "#include <complex>").signatures[0].fold.members.empty());
}

TEST(LowerReduce, SumsOfNarrowIntegersInWideOnesAreNarrow) {
    const auto areNarrow = [](const std::string& types, const std::string& map) {
        const std::string mapped = map.empty() ? "" : "foldwise::map([](" + map + "), ";
        return reduction(types,
                         mapped + "foldwise::combine([](auto a, auto b) { return a + b; }), foldwise::identity(0)")
            .signatures[0]
            .fold.sumsAreNarrow;
    };
    const std::string ofFloat = "std::int64_t(float)", ofByte = "std::int64_t(std::uint8_t)";
    const std::string ofTwo = "std::int64_t(std::uint16_t, std::uint16_t)";
    const std::string two = "std::uint16_t x, std::uint16_t y) ", byte = "std::uint8_t x) ";
    const std::vector<std::pair<std::string, std::string>> narrow = {
        {"std::int64_t(std::int16_t)", ""},
        {"std::uint64_t(std::uint8_t)", ""},
        {"std::int64_t(bool)", ""},
        {ofFloat, "float x) { return x > 0; }"},
        {ofFloat, "float x) -> std::int64_t { return x > 0 ? 1 : -1; }"},
        {ofFloat, "float x) { return static_cast<std::int16_t>(x); }"},
        {ofTwo, two + "{ return x - y; }"},
        {ofByte, byte + "{ return x * x; }"},
        {ofByte, byte + "{ const int y = -x; const auto z = y + y; return z; }"},
        {ofByte, byte + "{ const auto f = [](int y) { return y * 70000; }; return f(x) > 9; }"}};
    for (const auto& [types, map] : narrow) EXPECT_TRUE(areNarrow(types, map)) << types << ' ' << map;
    const std::vector<std::pair<std::string, std::string>> wide = {
        {"std::int64_t(std::int32_t)", ""},
        {"std::int32_t(std::int16_t)", ""},
        {"double(std::int16_t)", ""},
        {ofFloat, "float x) { return static_cast<int>(x); }"},
        {ofTwo, "int x, int y) { return x - y; }"},
        {ofTwo, two + "{ return x + y; }"},
        {"std::int64_t(std::int16_t)", "std::int16_t x) { return x * x; }"},
        {ofByte, byte + "{ return x - 1u; }"},
        {ofByte, byte + "{ int y = x; y *= 1000000; return y; }"},
        {ofByte, byte + "{ if (x > 9) return 70000; return 0; }"},
        {ofByte, byte + "{ const int y = y + 1; return y; }"},
        {ofByte, byte + "{ const auto f = [](int y) { return y * 70000; }; return x > 9 ? f(x) : 0; }"}};
    for (const auto& [types, map] : wide) EXPECT_FALSE(areNarrow(types, map)) << types << ' ' << map;
}

TEST(LowerReduce, OnlySumsAreNarrow) {
    const std::string types = "std::int64_t(std::int16_t)";
    EXPECT_FALSE(reduction(types, "[](auto a, auto b) { return a * b; }, foldwise::identity(1)")
                     .signatures[0]
                     .fold.sumsAreNarrow);
    EXPECT_FALSE(
        reduction(types, "[](int a, int b) { return a + b; }, foldwise::identity(0)").signatures[0].fold.sumsAreNarrow);
}
