// tests/unit/generator/frontend/Callable_test.cpp: what a kernel calls, and the constants that it holds.
#include "parsed.hpp"

#include <gtest/gtest.h>

#include <algorithm>

using namespace foldwise;

/// The body of kernel f, the last line of the spec being `auto f = foldwise::vectorize` and what is given.
static Body bodyOf(const std::string& before, const std::string& given) {
    const Parsed parsed = parse(before + "\nauto f = foldwise::vectorize" + given + ";");
    EXPECT_TRUE(parsed.ok) << parsed.messages;
    return parsed.ok ? parsed.body("f") : Body();
}
static std::string calleeOf(const std::string& before, const std::string& given) {
    return bodyOf(before, given).callee;
}
static std::string blockOf(const std::string& before, const std::string& given) { return bodyOf(before, given).block; }

TEST(Callable, FunctionsAreCalledByTheirNames) {
    const std::string twice = "namespace a::b { inline float twice(float x) { return 2 * x; } }";
    EXPECT_EQ(calleeOf(twice, "(a::b::twice)"), "::FOLDWISE_BACKEND::a::b::twice");
    EXPECT_EQ(calleeOf(twice, "<double(double)>(&a::b::twice)"), "::FOLDWISE_BACKEND::a::b::twice");
    EXPECT_EQ(calleeOf(twice + " constexpr auto by_pointer = a::b::twice;", "(by_pointer)"),
              "::FOLDWISE_BACKEND::a::b::twice");
    EXPECT_EQ(
        calleeOf("namespace a { inline namespace v1 { namespace { float g(float x) { return x; } } } }", "(a::g)"),
        "::FOLDWISE_BACKEND::a::g");
    EXPECT_EQ(calleeOf("template <class T, int N> T power(T x) { return x * N; }", "(power<float, 3>)"),
              "::FOLDWISE_BACKEND::power<float, 3>");
    EXPECT_EQ(
        calleeOf("template <class T> struct ops { static T half(T x) { return x / 2; } };", "(&ops<float>::half)"),
        "::FOLDWISE_BACKEND::ops<float>::half");
}

TEST(Callable, OneOfOverloadedFunctionsIsCalledWithItsOwnTypes) {
    const std::string both =
        "inline float half(float x) { return x / 2; } inline double half(double x) { return x / 2; }";
    const Body chosen = bodyOf(both, "<double(double)>(half)");
    EXPECT_EQ(chosen.parameters, "(double operand0)");
    EXPECT_EQ(chosen.block, "{ return ::FOLDWISE_BACKEND::half(operand0); }");
    EXPECT_EQ(bodyOf(both, "<float(float)>(static_cast<double (*)(double)>(half))").parameters, "(double operand0)");
    EXPECT_EQ(blockOf("#include <cmath>", "(sqrtf)"), "{ return ::sqrtf(operand0); }");
}

TEST(Callable, ObjectsAreMadeAsTheyAreWritten) {
    const std::string scale = "struct scale { float k; constexpr float operator()(float x) const { return k * x; } };";
    EXPECT_EQ(blockOf(scale, "(scale{2.5f})"), "{ return scale{2.5f}; }");
    EXPECT_TRUE(bodyOf(scale, "(scale{2.5f})").makesObject);
    EXPECT_EQ(blockOf(scale + " const scale tenfold{10};", "(tenfold)"), "{ return tenfold; }");
    EXPECT_EQ(blockOf("constexpr auto by(float k) { return [k](float x) { return k * x; }; }", "(by(3))"),
              "{ return by(3); }");
}

TEST(Callable, LambdasOfVariablesAreFunctionObjects) {
    const Parsed parsed = parse("namespace a { constexpr float k = 2;\n"
                                "constexpr auto scaled = [](auto x) -> float { return k * x; };\n"
                                "const auto shifted = [by = 1.5f](float x) { return x + by; }; }\n"
                                "constexpr auto again = a::scaled;\n"
                                "auto f = foldwise::vectorize<float(float)>(a::scaled);\n"
                                "auto g = foldwise::vectorize<double(double)>(again);\n"
                                "auto h = foldwise::vectorize([](float x) { return a::shifted(a::scaled(x)); });");
    ASSERT_TRUE(parsed.ok) << parsed.messages;
    EXPECT_EQ(parsed.body("f").callee, "::FOLDWISE_BACKEND::a::scaled");
    EXPECT_EQ(parsed.body("g").callee, "::FOLDWISE_BACKEND::a::scaled");
    EXPECT_EQ(parsed.declarations(),
              (std::vector<std::string>{
                  "constexpr float k = 2;",
                  "constexpr struct { auto operator()(auto x) const -> float { return k * x; } } scaled{};",
                  "constexpr struct { auto operator()(float x) const { const float by = 1.5f; return x + by; } } "
                  "shifted{};"}));
}

TEST(Callable, CapturesBecomeConstants) {
    // What they are made from may have the name of a parameter: so the lambda is made outside of it.
    const Body hidden = bodyOf("constexpr float k = 2;", "([by = k](float k) { return k * by; })");
    EXPECT_EQ(hidden.block, "{ return [by = k](float k) { return k * by; }; }");
    EXPECT_TRUE(hidden.makesObject);
    // Of a function they are values: its own names mean nothing in a kernel.
    const auto inFunction = [](const std::string& constants, const std::string& lambda) {
        const Parsed parsed = parse("#include <array>\n#include <complex>\n"
                                    "auto f = [] { " +
                                    constants + " return foldwise::vectorize(" + lambda + "); }();");
        return parsed.ok ? parsed.body("f").block : parsed.messages;
    };
    EXPECT_EQ(inFunction("const float k = 0.1f;", "[k](float x) { return k * x; }"),
              "{ const float k = 0.1f; return k * x; }");
    EXPECT_EQ(inFunction("constexpr long long k = -9223372036854775807 - 1;", "[=](long long x) { return k + x; }"),
              "{ constexpr long long k = -9223372036854775807 - 1; return k + x; }");
    EXPECT_EQ(inFunction("constexpr std::array<int, 2> t{1, 2};", "[=](int i) { return t[i % 2]; }"),
              "{ constexpr std::array<int, 2> t = {{1, 2}}; return t[i % 2]; }");
    EXPECT_EQ(inFunction("const std::complex<float> z(1, -2);", "[=](float x) { return x * z.real(); }"),
              "{ const std::complex<float> z = std::complex<float>(1.0f, -2.0f); return x * z.real(); }");
    EXPECT_EQ(inFunction("constexpr int k = 2;", "[](int x) { const int y = k; int k = x; return k + y; }"),
              "{ constexpr std::int32_t k = 2; { const int y = k; int k = x; return k + y; } }");
}

TEST(Callable, CapturesStayWhereConstantsOfTheirValuesWouldNotDo) {
    const auto blockInFunction = [](const std::string& constants, const std::string& lambda) {
        return parse("#include <optional>\nauto g = [] { " + constants + " return foldwise::vectorize(" + lambda +
                     "); }();")
            .body("g")
            .block;
    };
    EXPECT_EQ(blockInFunction("", "[k = 2](int x) { return k + x; }"), "{ const std::int32_t k = 2; return k + x; }");
    EXPECT_EQ(blockInFunction("", "[k = 2](int x) { decltype(k) y = x; return ++y; }"),
              "{ return [k = 2](int x) { decltype(k) y = x; return ++y; }; }");
    EXPECT_EQ(
        blockInFunction("constexpr int n = 3;", "[k = n](int x) { return [k]() mutable { return ++k; }() + x + n; }"),
        "{ constexpr std::int32_t n = 3; return [k = n](int x) { return [k]() mutable { return ++k; }() + x + n; }; }");
    EXPECT_EQ(blockInFunction("", "[o = std::optional<int>(2)](int x) { return *o + x; }"),
              "{ return [o = std::optional<int>(2)](int x) { return *o + x; }; }");
}

TEST(Callable, ObjectsAndLambdasOfTheFunctionAround) {
    const auto blockInFunction = [](const std::string& before, const std::string& given) {
        return parse("struct scale { float k; constexpr float operator()(float x) const { return k * x; } };\n"
                     "auto g = [] { " +
                     before + " return foldwise::vectorize(" + given + "); }();")
            .body("g")
            .block;
    };
    EXPECT_EQ(blockInFunction("constexpr scale s{3};", "s"), "{ constexpr scale s = {3.0f}; return s; }");
    EXPECT_EQ(blockInFunction("constexpr float k = 2;", "scale{k}"), "{ constexpr float k = 2.0f; return scale{k}; }");
    EXPECT_EQ(blockInFunction("constexpr float k = 2; auto h = [k](float x) { return k * x; };",
                              "[=](float x) { return h(x); }"),
              "{ constexpr float k = 2.0f; const auto h = [k](float x) { return k * x; }; return h(x); }");
}

TEST(Callable, LambdasOfVariablesTakeWhatTheyTook) {
    const Parsed parsed =
        parse("class closed { float v_; public: constexpr closed(float v) : v_(v) {} constexpr float v() const { "
              "return v_; } };\n"
              "struct pair { float a, b; };\n"
              "constexpr auto area = [k = 2](pair p, float by = 3) noexcept { return k * p.a * p.b * by; };\n"
              "constexpr auto made = [c = closed(2)](const pair& p, int n = 1) noexcept { return c.v() * p.a * n; };\n"
              "constexpr auto whole = [c = closed(2)](const float (&a)[2]) { return c.v() * a[0]; };\n"
              "constexpr auto any = [c = closed(2)](auto x) { return c.v() * x; };\n"
              "constexpr auto one = [](int x) { return x + 1; };\n"
              "constexpr auto two = [](int x) { return one(one(x)); };\n"
              "constexpr int four(int x) { return two(two(x)); }\n"
              "auto f = foldwise::vectorize([](float x) { const float t[2] = {x, x};\n"
              "return area({x, 2}) + made({x, x}) + any(x) + four(0) + whole(t); });");
    ASSERT_TRUE(parsed.ok) << parsed.messages;
    const std::vector<std::string> all = parsed.declarations();
    const auto has = [&](const std::string& text) { return std::find(all.begin(), all.end(), text) != all.end(); };
    EXPECT_TRUE(
        has("constexpr struct { auto operator()(pair p, float by = 3) const noexcept { const std::int32_t k = 2; "
            "return k * p.a * p.b * by; } } area{};"));
    EXPECT_TRUE(
        has("constexpr struct { decltype(auto) operator()(const pair & operand0, std::int32_t operand1 = 1) const "
            "noexcept { return [c = closed(2)](const pair& p, int n = 1) noexcept { return c.v() * p.a * n; }"
            "(static_cast<const pair &>(operand0), static_cast<std::int32_t&&>(operand1)); } } made{};"));
    EXPECT_TRUE(
        has("constexpr struct { template <class... Operands> decltype(auto) operator()(Operands&&... operands) "
            "const { return [c = closed(2)](auto x) { return c.v() * x; }(static_cast<Operands&&>(operands)...); "
            "} } any{};"));
    EXPECT_TRUE(has("constexpr struct { template <class... Operands> decltype(auto) operator()(Operands&&... operands) "
                    "const { return [c = closed(2)](const float (&a)[2]) { return c.v() * a[0]; }"
                    "(static_cast<Operands&&>(operands)...); } } whole{};"));
    EXPECT_TRUE(has("constexpr struct { constexpr auto operator()(int x) const { return x + 1; } } one{};"));
    EXPECT_TRUE(has("constexpr struct { constexpr auto operator()(int x) const { return one(one(x)); } } two{};"));
}

TEST(Callable, AliasesAreLeftOutWhereTheyAreComputedOrHidden) {
    const Parsed parsed = parse("inline float twice(float x) { return 2 * x; }\nusing real = decltype(twice(1));\n"
                                "using again = real;\nusing x = float;\nusing range = float;\nusing fine = float;\n"
                                "auto f = foldwise::vectorize<real(again, x, range, fine)>("
                                "[](auto x, auto, auto, auto) { return x; });");
    ASSERT_TRUE(parsed.ok) << parsed.messages;
    for (const Declaration& declaration : parsed.unit.headerDeclarations)
        EXPECT_EQ(declaration.text.find("twice"), std::string::npos) << declaration.text;
    EXPECT_EQ(parsed.signature("f").text, "float(float x, float operand1, float operand2, fine operand3)");
}

TEST(Callable, ClassesWithTheNamesOfOperandsAreSaidToBeClasses) {
    const Parsed parsed =
        parse("#include <array>\nstruct x { float v; }; enum class lane { a }; namespace n { struct x { int v; }; }\n"
              "auto f = foldwise::vectorize([](struct x x, std::array<lane, 2>, n::x) { return x; });\n"
              "auto g = foldwise::vectorize([](x one) { return one; });");
    ASSERT_TRUE(parsed.ok) << parsed.messages;
    EXPECT_EQ(parsed.signature("f").text,
              "struct x(struct x x, struct std::array<enum lane, 2> operand1, n::x operand2)");
    EXPECT_EQ(parsed.signature("g").text, "x(x one)");
}

TEST(Callable, AliasesOfSignaturesAreTheCallersToo) {
    const Parsed parsed =
        parse("#include <array>\nnamespace geo { using real = float; using quat = std::array<real, 4>;\n"
              "template <int N> using vec = std::array<real, N>; struct S { typedef quat rotation; }; }\n"
              "auto f = foldwise::vectorize<geo::quat(geo::S::rotation, geo::vec<2>)>("
              "[](auto a, auto) { return a; });\n"
              "auto g = foldwise::vectorize([](geo::real x) { return x; });");
    ASSERT_TRUE(parsed.ok) << parsed.messages;
    std::string header;
    for (const Declaration& declaration : parsed.unit.headerDeclarations) header += declaration.text + "\n";
    EXPECT_EQ(header, "using real = float;\nusing quat = std::array<real, 4>;\n"
                      "template <int N> using vec = std::array<real, N>;\nstruct S { typedef quat rotation; };\n");
    EXPECT_EQ(parsed.signature("f").text, "geo::quat(geo::S::rotation a, geo::vec<2> operand1)");
    EXPECT_EQ(parsed.kernel("f").as<VectorizeSpec>().signatures[0].inputs[0].type.name, "std::array<float, 4>");
    EXPECT_EQ(parsed.signature("g").text.substr(0, 5), "geo::");
}

TEST(Callable, AliasesWithinTemplatesAreNobodysWords) {
    const Parsed parsed =
        parse("template <class T> struct made { template <int> using same = T; using plain = T;\n"
              "using type = T(same<0>, plain); };\n"
              "auto f = foldwise::vectorize<made<float>::type>([](auto a, auto b) { return a * b; });");
    ASSERT_TRUE(parsed.ok) << parsed.messages;
    EXPECT_EQ(parsed.signature("f").text, "float(float a, float b)");
}
