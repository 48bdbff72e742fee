// tests/unit/generator/frontend/Slicer_test.cpp: which of the user's code is carried along with a lambda.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;
using Strings = std::vector<std::string>;

static Strings namesOf(const std::string& text) {
    const Parsed parsed = parse(text);
    return parsed.ok ? parsed.names() : Strings{parsed.messages};
}
static Strings textsOf(const std::string& text) {
    const Parsed parsed = parse(text);
    return parsed.ok ? parsed.declarations() : Strings{parsed.messages};
}

TEST(Slicer, CarriesNothingThatIsNotReached) {
    EXPECT_EQ(namesOf("constexpr int unused = 1;\ninline float also_unused(float x) { return x; }\nstruct Unused {};\n"
                      "auto f = foldwise::vectorize([](float x) { return x; });"),
              Strings{});
}

TEST(Slicer, CarriesHelpersAndTheirHelpersInTheOrderOfTheSource) {
    EXPECT_EQ(namesOf("inline float inner(float x) { return x; }\ninline float between(float x) { return x; }\n"
                      "inline float outer(float x) { return inner(x); }\n"
                      "auto f = foldwise::vectorize([](float x) { return outer(x); });"),
              (Strings{"inner", "outer"}));
}

TEST(Slicer, CarriesAHelperOnceForManyKernels) {
    EXPECT_EQ(
        namesOf("inline float h(float x) { return x; }\nauto f = foldwise::vectorize([](float x) { return h(x); });\n"
                "auto g = foldwise::vectorize<float(float), double(double)>([](auto x) { return h(x); });"),
        Strings{"h"});
}

TEST(Slicer, FunctionsBecomeInline) {
    EXPECT_EQ(
        textsOf("float h(float x) { return x; }\n[[nodiscard]] float g(float x) { return x; }\n"
                "auto f = foldwise::vectorize([](float x) { return g(h(x)); });"),
        (Strings{"inline float h(float x) { return x; }", "[[nodiscard]] inline float g(float x) { return x; }"}));
}

TEST(Slicer, AForwardDeclarationComesAlong) {
    EXPECT_EQ(textsOf("inline bool odd(int n);\ninline bool even(int n) { return n == 0 || odd(n - 1); }\n"
                      "inline bool odd(int n) { return n != 0 && even(n - 1); }\n"
                      "auto f = foldwise::vectorize([](int n) { return even(n); });"),
              (Strings{"inline bool odd(int n);", "inline bool even(int n) { return n == 0 || odd(n - 1); }",
                       "inline bool odd(int n) { return n != 0 && even(n - 1); }"}));
}

TEST(Slicer, QualifiesFoldwisesNamesWhereTheyMeanTheSameBehindANamespace) {
    const std::string directive = "using namespace foldwise;\n";
    EXPECT_EQ(textsOf(directive + "struct Next : index<1> { index own; Next() : index{1}, own{2} {} };\n"
                                  "auto f = vectorize([](int x) { return x + Next().own[0]; });"),
              (Strings{"using namespace foldwise;",
                       "struct Next : foldwise::index<1> { index own; Next() : index{1}, own{2} {} };"}));
    EXPECT_EQ(
        textsOf(directive + "struct Own : random { using random::random; };\n"
                            "auto f = vectorize([](int x) { return x + int(Own(1, 2).below(3)); });"),
        (Strings{"using namespace foldwise;", "struct Own : foldwise::random { using foldwise::random::random; };"}));
    EXPECT_EQ(textsOf(directive + "inline int h(int x) { index<1> i{x}; i.~index<1>(); i.~index(); return x; }\n"
                                  "auto f = vectorize([](int x) { return h(x); });"),
              (Strings{"using namespace foldwise;",
                       "inline int h(int x) { foldwise::index<1> i{x}; i.~index<1>(); i.~index(); return x; }"}));
    EXPECT_EQ(
        textsOf(directive + "template <template <int> class I> int first() { return I<1>{7}[0]; }\n"
                            "inline int h() { return first<index>(); }\n"
                            "auto f = vectorize([](int x) { return x + h(); });"),
        (Strings{"using namespace foldwise;", "template <template <int> class I> int first() { return I<1>{7}[0]; }",
                 "inline int h() { return first<foldwise::index>(); }"}));
}

TEST(Slicer, AFunctionThatATemplateCallsBesidesTheUsersStaysUnqualified) {
    const std::string calls = "template <class I> auto g(I i, int x) { return at(i, x); }";
    const std::string users = "inline int at(int i, int x) { return i + x; }";
    const std::string f =
        "\nauto f = foldwise::vectorize([](int x) { return g(1, x) + g(foldwise::index<1>{1}, x).value; });";
    EXPECT_EQ(textsOf("namespace n {\n" + users + "\n" + calls + f + "}"), (Strings{users, calls}));
    EXPECT_EQ(textsOf("using namespace foldwise;\n" + users + "\n" + calls + f),
              (Strings{"using ::foldwise::at;", "using namespace foldwise;", users, calls}));
}

TEST(Slicer, CarriesConstantsAndWhatTheyAreMadeOf) {
    EXPECT_EQ(namesOf("constexpr int two = 2;\nconst int four = two * two;\nconstexpr float table[] = {1, 2};\n"
                      "auto f = foldwise::vectorize([](int x) { return x * four + table[0]; });"),
              (Strings{"two", "four", "table"}));
}

TEST(Slicer, AnInitializerInParenthesesIsWhole) {
    EXPECT_EQ(textsOf("template <class T> struct Box { T v; constexpr explicit Box(T x) : v(x) {} };\n"
                      "constexpr int a(3), b((1 + a));\nconstexpr char c('(');\nconstexpr Box<int> d(4);\n"
                      "template <class T> constexpr T e(5);\n"
                      "auto f = foldwise::vectorize([](int x) { return x + a + b + c + d.v + e<int>; });"),
              (Strings{"template <class T> struct Box { T v; constexpr explicit Box(T x) : v(x) {} };",
                       "constexpr int a(3), b((1 + a));", "constexpr char c('(');", "constexpr Box<int> d(4);",
                       "template <class T> constexpr T e(5);"}));
}

TEST(Slicer, DeclaratorsOfOneLineAreOneText) {
    EXPECT_EQ(textsOf("constexpr float low = 0, high = 1;\n"
                      "auto f = foldwise::vectorize([](float x) { return x < low ? low : x > high ? high : x; });"),
              Strings{"constexpr float low = 0, high = 1;"});
}

TEST(Slicer, CarriesTypesAliasesAndEnumerations) {
    EXPECT_EQ(
        namesOf(
            "struct P { float x; float twice() const { return 2 * x; } };\nusing Q = P;\nenum Colour { red, green };\n"
            "auto f = foldwise::vectorize([](float x) { return Q{x}.twice() + static_cast<float>(green); });"),
        (Strings{"P", "Q", "Colour"}));
}

TEST(Slicer, CarriesMethodsDefinedOutside) {
    EXPECT_EQ(
        textsOf("struct P { float x; float twice() const; };\nfloat P::twice() const { return 2 * x; }\n"
                "auto f = foldwise::vectorize([](float x) { return P{x}.twice(); });"),
        (Strings{"struct P { float x; float twice() const; };", "inline float P::twice() const { return 2 * x; }"}));
}

TEST(Slicer, ATemplateComesOnceForAllItsInstances) {
    EXPECT_EQ(textsOf("template <class T> T twice(T x) { return 2 * x; }\n"
                      "auto f = foldwise::vectorize<float(float), double(double)>([](auto x) { return twice(x); });"),
              Strings{"template <class T> T twice(T x) { return 2 * x; }"});
    EXPECT_EQ(namesOf("template <class T> struct Box { T v; };\n"
                      "auto f = foldwise::vectorize([](float x) { Box<Box<float>> b{{x}}; return b.v.v; });"),
              Strings{"Box"});
}

TEST(Slicer, SpecializationsComeWithTheirTemplate) {
    EXPECT_EQ(textsOf("template <class T> T twice(T x) { return 2 * x; }\n"
                      "template <> inline float twice<float>(float x) { return x + x; }\n"
                      "auto f = foldwise::vectorize([](float x) { return twice(x); });"),
              (Strings{"template <class T> T twice(T x) { return 2 * x; }",
                       "template <> inline float twice<float>(float x) { return x + x; }"}));
    EXPECT_EQ(textsOf("template <class T> struct size { static constexpr int v = 1; };\n"
                      "template <> struct size<float> { static constexpr int v = 4; };\n"
                      "auto f = foldwise::vectorize([](float x) { return x * size<float>::v; });"),
              (Strings{"template <class T> struct size { static constexpr int v = 1; };",
                       "template <> struct size<float> { static constexpr int v = 4; };"}));
}

TEST(Slicer, CarriesConceptsOfParameters) {
    EXPECT_EQ(namesOf("template <class T> concept Small = sizeof(T) < 8;\n"
                      "auto f = foldwise::vectorize<float(float)>([](Small auto x) { return x; });"),
              Strings{"Small"});
    EXPECT_EQ(namesOf("template <class T> concept Small = sizeof(T) < 8;\n"
                      "auto f = foldwise::vectorize<float(float)>([]<Small T>(T x) { return x; });"),
              Strings{"Small"});
}

TEST(Slicer, CarriesDeductionGuides) {
    EXPECT_EQ(textsOf("template <class T> struct Box { T v; };\ntemplate <class T> Box(T) -> Box<T>;\n"
                      "auto f = foldwise::vectorize([](float x) { Box b{x}; return b.v; });"),
              (Strings{"template <class T> struct Box { T v; };", "template <class T> Box(T) -> Box<T>;"}));
}

TEST(Slicer, CarriesOnlyTheOverloadsThatAreCalled) {
    EXPECT_EQ(textsOf("inline float h(float x) { return x; }\ninline int h(int x) { return x; }\n"
                      "auto f = foldwise::vectorize<float(float)>([](auto x) { return h(x); });"),
              Strings{"inline float h(float x) { return x; }"});
}

TEST(Slicer, CarriesWhatADiscardedBranchNames) {
    EXPECT_EQ(namesOf("namespace n { template <class T> T rare(T x) { return x; } }\n"
                      "auto f = foldwise::vectorize<float(float)>([](auto x) {\n"
                      "    if constexpr (sizeof(x) == 8) return n::rare(x); else return x; });"),
              Strings{"rare"});
}

TEST(Slicer, CarriesTheNamesThatNamesAreFoundBy) {
    const std::string util = "namespace util { inline float h(float x) { return x; } struct P { float x; }; }\n";
    EXPECT_EQ(textsOf(util + "using util::h;\nauto f = foldwise::vectorize([](float x) { return h(x); });"),
              (Strings{"inline float h(float x) { return x; }", "using util::h;"}));
    EXPECT_EQ(textsOf(util + "using util::P;\nauto f = foldwise::vectorize([](float x) { return P{x}.x; });"),
              (Strings{"struct P { float x; };", "using util::P;"}));
    // Of several names, those that kernels need: others may be of headers that kernels do without.
    EXPECT_EQ(textsOf(util + "using foldwise::map, util::P, util::h, foldwise::vectorize;\n"
                             "auto f = vectorize([](float x) { return h(P{x}.x); });"),
              (Strings{"inline float h(float x) { return x; }", "struct P { float x; };", "using util::h;",
                       "using util::P;"}));
    EXPECT_EQ(textsOf(util + "namespace u = util;\nauto f = foldwise::vectorize([](float x) { return u::h(x); });"),
              (Strings{"inline float h(float x) { return x; }", "namespace u = util;"}));
    EXPECT_EQ(textsOf(util + "using namespace util;\nauto f = foldwise::vectorize([](float x) { return h(x); });"),
              (Strings{"inline float h(float x) { return x; }", "using namespace util;"}));
    EXPECT_EQ(textsOf("#include <cmath>\nusing std::sqrt;\nauto f = foldwise::vectorize<float(float)>([](auto x) { "
                      "return sqrt(x); });"),
              Strings{"using std::sqrt;"});
    EXPECT_EQ(textsOf(util + "using namespace util;\nauto f = foldwise::vectorize([](float x) { return x; });"),
              Strings{});
}

TEST(Slicer, KeepsNamespaces) {
    const Parsed parsed =
        parse("namespace a { inline namespace v1 { namespace { inline float h(float x) { return x; } } } }\n"
              "auto f = foldwise::vectorize([](float x) { return a::h(x); });");
    ASSERT_EQ(parsed.unit.declarations.size(), 1u) << parsed.messages;
    EXPECT_EQ(parsed.unit.declarations[0].namespaces, (Strings{"a", "inline v1"}));
}

TEST(Slicer, FunctionsWithCLinkageLoseIt) {
    EXPECT_EQ(textsOf("extern \"C\" { float h(float x) { return x; } float unused(float x) { return x; } }\n"
                      "auto f = foldwise::vectorize([](float x) { return h(x); });"),
              Strings{"inline float h(float x) { return x; }"});
}

TEST(Slicer, MarksFunctionsMethodsAndConstants) {
    const Parsed parsed =
        parse("struct P { float x; float get() const { return x; } P() = default; };\nconstexpr int c = 1;\n"
              "template <class T> T h(T x) { struct L { int m() { return c; } }; return x + L{}.m(); }\n"
              "auto f = foldwise::vectorize([](float x) { P p; p.x = h(x); return p.get(); });");
    ASSERT_EQ(parsed.unit.declarations.size(), 3u) << parsed.messages;
    const auto marked = [&](std::size_t i) {
        std::string text = parsed.unit.declarations[i].text;
        const std::vector<Mark>& marks = parsed.unit.declarations[i].marks;
        for (auto mark = marks.rbegin(); mark != marks.rend(); ++mark)
            text.insert(mark->offset, mark->kind == MarkKind::Callback ? "@@" : "@");
        return text;
    };
    EXPECT_EQ(marked(0), "struct P { float x; @float get() const { return x; } P() = default; };");
    EXPECT_EQ(marked(1), "@constexpr int c = 1;");
    EXPECT_EQ(marked(2), "template <class T> @T h(T x) { struct L { @int m() { return c; } }; return x + L{}.m(); }");
}

TEST(Slicer, TheUsersGlobalFunctionsDoNotHideALibrarys) {
    const std::string helper = "#include <cstdlib>\ninline float abs(float x) { return x + 1; }\n";
    EXPECT_EQ(parse(helper + "auto f = foldwise::vectorize([](float x, int i) {"
                             " return abs(x) + abs(i) + ::abs(x) + ::abs(i) + std::abs(x); });")
                  .body("f")
                  .block,
              "{ return abs(x) + ::abs(i) + ::FOLDWISE_BACKEND::abs(x) + ::abs(i) + std::abs(x); }");
    // Not known, when the first kernel is written, of one that calls the user's.
    const Parsed later = parse(helper + "auto f = foldwise::vectorize([](int i) { return abs(i); });\n"
                                        "auto g = foldwise::vectorize([](float x) { return abs(x); });");
    EXPECT_EQ(later.body("f").block, "{ return ::abs(i); }");
    EXPECT_EQ(later.body("g").block, "{ return abs(x); }");
    EXPECT_EQ(parse("#include <cstdlib>\nauto f = foldwise::vectorize([](int i) { return abs(i); });").body("f").block,
              "{ return abs(i); }");
}

TEST(Slicer, ATemplateMayCallTheUsersFunctionAndALibrarys) {
    const std::string calls = "template <class T> T root(T x) { return sqrt(x); }\n"
                              "auto f = foldwise::vectorize([](float x, int i) { return root(x) + root(i); });";
    EXPECT_EQ(textsOf("#include <cmath>\nusing namespace std;\ninline float sqrt(int x) { return x; }\n" + calls),
              (Strings{"using ::std::sqrt;", "using namespace std;", "inline float sqrt(int x) { return x; }",
                       "template <class T> T root(T x) { return sqrt(x); }"}));
}

TEST(Slicer, EachKernelHasItsOwnList) {
    const Parsed parsed =
        parse("#include <algorithm>\n#include <cmath>\n"
              "namespace n { inline float twice(float x); constexpr float two = 2;\n"
              "template <class T> T scaled(T x) { return two * x; }\n"
              "inline float twice(float x) { return scaled(x); } struct S { float v; }; }\n"
              "using n::twice;\n"
              "auto f = foldwise::vectorize([](float x) { return twice(std::exp(x)); });\n"
              "auto g = foldwise::vectorize([](n::S s) { return n::scaled(s.v) + std::hypot(s.v, 1.0f)"
              " + std::min(s.v, 2.0f); });\n"
              "auto h = foldwise::vectorize([](float x) { return x; });");
    ASSERT_TRUE(parsed.ok) << parsed.messages;
    const std::string file = "dir/spec.kernels.cpp";
    const Carried two{CarriedKind::Constant, "n::two", {file, 4}},
        scaled{CarriedKind::Function, "n::scaled", {file, 5}};
    EXPECT_EQ(parsed.kernel("f").carried,
              (std::vector<Carried>{two, scaled, {CarriedKind::Function, "n::twice", {file, 6}}}));
    EXPECT_EQ(parsed.kernel("f").library, (std::vector<LibraryUse>{{"std::exp", LibrarySource::Cuda}}));
    EXPECT_EQ(parsed.kernel("g").carried, (std::vector<Carried>{two, scaled, {CarriedKind::Type, "n::S", {file, 6}}}));
    EXPECT_EQ(parsed.kernel("g").library,
              (std::vector<LibraryUse>{{"std::hypot", LibrarySource::Cuda}, {"std::min", LibrarySource::Standard}}));
    EXPECT_TRUE(parsed.kernel("h").carried.empty());
    EXPECT_TRUE(parsed.kernel("h").library.empty());
}

TEST(Slicer, TellsTheWayToAMistakeInAHelper) {
    const Parsed parsed = parse("int counter = 0;\ninline int h(int x) { return x + counter; }\n"
                                "auto f = foldwise::vectorize([](int x) { return h(x); });");
    EXPECT_FALSE(parsed.ok);
    EXPECT_NE(parsed.messages.find("'counter' is a variable that can change"), std::string::npos) << parsed.messages;
    EXPECT_NE(parsed.messages.find("note: called from here"), std::string::npos) << parsed.messages;
}

TEST(Slicer, AMistakeInALibrarysLambdaIsToldWhereTheKernelNamesIt) {
    const Parsed parsed =
        parse("#include \"library.hpp\"\n"
              "auto other = foldwise::vectorize([](float x) { return x; });\n"
              "auto noisy = foldwise::vectorize(library::noisy);",
              {{"library.hpp", "#pragma GCC system_header\n#include <cstdlib>\n"
                               "namespace library {\n"
                               "inline constexpr auto noisy = [](float x) { return x + std::rand(); };\n}"}});
    EXPECT_FALSE(parsed.ok);
    EXPECT_NE(parsed.messages.find("spec.kernels.cpp:4:34: error: 'rand' does not exist"), std::string::npos)
        << parsed.messages;
    EXPECT_EQ(parsed.messages.find("error:"), parsed.messages.rfind("error:")) << "once\n" << parsed.messages;
}

TEST(Slicer, TypesOfTemplateParametersComeWithAnEarlierDeclaration) {
    EXPECT_EQ(textsOf("enum precision { low, high };\ntemplate <class T, precision P = high> struct V;\n"
                      "template <class T, precision P> struct V { T x; V(T); template <precision Q> T as() const; };\n"
                      "template <class T, precision P> V<T, P>::V(T t) : x(t) {}\n"
                      "template <class T, precision P> template <precision Q> T V<T, P>::as() const { return x; }\n"
                      "auto f = foldwise::vectorize([](float x) { return V<float>(x).as<low>(); });"),
              (Strings{"enum precision { low, high };", "template <class T, precision P = high> struct V;",
                       "template <class T, precision P> struct V { T x; V(T); template <precision Q> T as() const; };",
                       "template <class T, precision P> inline V<T, P>::V(T t) : x(t) {}",
                       "template <class T, precision P> template <precision Q> T V<T, P>::as() const { return x; }"}));
}

TEST(Slicer, AUsingDeclarationOfATypeComesWithTheType) {
    EXPECT_EQ(namesOf("namespace a { struct none { float x; }; }\nnamespace b { using a::none;\n"
                      "template <class T = none> float get(T t) { return t.x; } }\n"
                      "auto f = foldwise::vectorize([](float x) { return b::get(b::none{x}); });"),
              (Strings{"none", "none", "get"}));
}

TEST(Slicer, AUsingDirectiveStandsAfterWhatOpensItsNamespace) {
    EXPECT_EQ(textsOf("namespace later {}\nusing namespace later;\nnamespace later { constexpr int n = 1; }\n"
                      "auto f = foldwise::vectorize([](int x) { return x + n; });"),
              (Strings{"constexpr int n = 1;", "using namespace later;"}));
}

TEST(Slicer, StaticMembersOfPartialSpecializationsAreWhole) {
    EXPECT_EQ(textsOf("template <class T, T v> struct I;\n"
                      "template <bool v> struct I<bool, v> { static const bool value = v; };\n"
                      "template <bool v> bool const I<bool, v>::value;\n"
                      "auto f = foldwise::vectorize([](int x) { return x + I<bool, true>::value; });"),
              (Strings{"template <class T, T v> struct I;",
                       "template <bool v> struct I<bool, v> { static const bool value = v; };",
                       "template <bool v> bool const I<bool, v>::value;"}));
}

TEST(Slicer, WhatIsNotEvaluatedNeedsNoBody) {
    EXPECT_EQ(
        textsOf("template <class T> T made();\n"
                "auto f = foldwise::vectorize([](float x) { return x + sizeof(made<decltype(made<int>())>()); });"),
        Strings{"template <class T> T made();"});
}

/// Which declarations are the host's as well, by their marks; templates with `<>`.
static Strings callbacksOf(const std::string& spec) {
    const Parsed parsed = parse(spec);
    EXPECT_TRUE(parsed.ok) << parsed.messages;
    Strings found;
    for (const Declaration& declaration : parsed.unit.declarations)
        for (const Mark& mark : declaration.marks)
            if (mark.kind == MarkKind::Callback || mark.kind == MarkKind::CallbackTemplate)
                found.push_back(declaration.name + (mark.kind == MarkKind::Callback ? "" : "<>"));
    return found;
}

TEST(Slicer, WhatTheLibraryCallsIsTheHostsAsWell) {
    EXPECT_EQ(callbacksOf("#include <algorithm>\nstruct P { float x; };\ninline float key(P p) { return p.x; }\n"
                          "inline bool operator<(P a, P b) { return key(a) < key(b); }\n"
                          "auto f = foldwise::vectorize([](P a, P b) { return std::max(a, b); });"),
              Strings{"operator<"});
    EXPECT_EQ(callbacksOf("#include <algorithm>\ntemplate <class T> struct P { T x; };\n"
                          "template <class T> bool operator<(P<T> a, P<T> b) { return a.x < b.x; }\n"
                          "auto f = foldwise::vectorize([](P<float> a, P<float> b) { return std::max(a, b); });"),
              Strings{"operator<<>"});
}

TEST(Slicer, ADeducedResultThatADeclarationAsksForIsTheHostsAsWell) {
    EXPECT_EQ(callbacksOf("inline float half(float x) { return x / 2; }\n"
                          "inline auto halved(float x) { return half(x); }\nusing result = decltype(halved(1));\n"
                          "inline float third(float x) { return x / 3; }\nusing other = decltype(third(1));\n"
                          "auto f = foldwise::vectorize([](float x) { return result(x) + other(x) + halved(x); });"),
              Strings{"halved"});
    EXPECT_EQ(callbacksOf("template <class T> auto made() { return T{}; }\nusing result = decltype(made<float>());\n"
                          "auto f = foldwise::vectorize([](float x) { return result(x); });"),
              Strings{"made<>"});
}

TEST(Slicer, AttributesBehindADeclarationComeAlong) {
    EXPECT_EQ(
        textsOf("#define PACKED __attribute__((packed))\nstruct A { char c; float x; } PACKED;\n"
                "enum E { one } __attribute__((packed));\n"
                "template <class T> struct W { char c; T x; } __attribute__((packed)) __attribute__((aligned(2)));\n"
                "typedef struct { char c; float x; } __attribute__((packed)) T;\n"
                "typedef float four __attribute__((vector_size(16)));\n"
                "auto f = foldwise::vectorize([](A a, E e, W<float> w, T t) {\n"
                "    four v{a.x, w.x, t.x, 0}; return v[e]; });"),
        (Strings{"struct A { char c; float x; } __attribute__((packed));", "enum E { one } __attribute__((packed));",
                 "template <class T> struct W { char c; T x; } __attribute__((packed)) __attribute__((aligned(2)));",
                 "typedef struct { char c; float x; } __attribute__((packed)) T;",
                 "typedef float four __attribute__((vector_size(16)));"}));
}

TEST(Slicer, CarriesVariableTemplatesWithTheirSpecializations) {
    EXPECT_EQ(textsOf("template <class T> constexpr int rank = 0;\ntemplate <class T> constexpr int rank<T*> = 1;\n"
                      "template <> constexpr int rank<float> = 2;\ntemplate <> constexpr int rank<double> = 3;\n"
                      "auto f = foldwise::vectorize([](float x) { return x + rank<float> + rank<int*>; });"),
              (Strings{"template <class T> constexpr int rank = 0;", "template <class T> constexpr int rank<T*> = 1;",
                       "template <> constexpr int rank<float> = 2;"}));
}

TEST(Slicer, CarriesWhatConstraintsAskFor) {
    const std::string traits = "template <class T> inline constexpr bool is_real = false;\n"
                               "template <> inline constexpr bool is_real<float> = true;\n"
                               "template <class T> struct kind { static constexpr bool is_small = false; };\n"
                               "template <> struct kind<float> { static constexpr bool is_small = true; };\n"
                               "template <class T> inline constexpr bool is_small = kind<T>::is_small;\n";
    const Strings all = {"is_real", "is_real", "kind", "kind", "is_small"};
    const auto with = [&](const std::string& more, Strings names) {
        names.insert(names.begin(), all.begin(), all.end());
        EXPECT_EQ(namesOf(traits + more + "auto f = foldwise::vectorize([](float x) { return same(x); });"), names);
    };
    with("template <class T> concept small_real = is_real<T> && is_small<T>;\n"
         "template <small_real T> T same(T x) { return x; }\n",
         {"small_real", "same"});
    with("template <class T> requires(is_real<T> && is_small<T>) T same(T x) { return x; }\n", {"same"});
    with("auto same(auto x) requires(is_real<decltype(x)> && is_small<decltype(x)>) { return x; }\n", {"same"});
    with("template <bool> struct only {};\ntemplate <> struct only<true> { using type = float; };\n"
         "template <class T> typename only<is_real<T> && is_small<T>>::type same(T x) { return x; }\n",
         {"only", "only", "same"});
}

TEST(Slicer, LeavesSpecializationsThatNoConstraintMeets) {
    EXPECT_EQ(namesOf("#include <string>\n"
                      "template <class T> struct kind { static constexpr bool is_small = false; };\n"
                      "template <> struct kind<std::string> { static std::string name() { return \"string\"; } };\n"
                      "template <class T> struct kind<T*> { static std::string name() { return \"pointer\"; } };\n"
                      "template <> struct kind<float> { static constexpr bool is_small = true; };\n"
                      "template <class T> requires(kind<T>::is_small) T same(T x) { return x; }\n"
                      "auto f = foldwise::vectorize([](float x) { return same(x); });"),
              (Strings{"kind", "kind", "same"}));
}

TEST(Slicer, NamesOfStructuredBindingsAreConstants) {
    EXPECT_EQ(textsOf("#include <array>\n#include <tuple>\nstruct base { int n; }; struct pair : base { };\n"
                      "constexpr float both[] = {0.5f, 2};\nnamespace n { const auto [a] = pair{{3}}; }\n"
                      "const auto [b, c] = std::tuple(1.5f, std::array{1, 2});\nconst auto& [d, e] = both;\n"
                      "auto f = foldwise::vectorize([](float x) { return x * n::a + b * c[1] + e; });"),
              (Strings{"constexpr std::int32_t a = 3;", "constexpr float b = 1.5f;",
                       "constexpr std::array<int, 2> c = {{1, 2}};", "constexpr float e = 2.0f;"}));
}
