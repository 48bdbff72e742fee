// tests/unit/generator/frontend/CheckedOperations_test.cpp: which divisions and shifts of a body are marked, and where.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

namespace {

const std::string before = R"(
#include <cstdint>
struct bits {
    unsigned a : 5, b : 5;
};
struct tight {
    char c;
    int n;
} __attribute__((packed));
struct path {
    path operator/(path) const { return {}; }
};
enum step { small = 1 };
constexpr int half(int x) { return x / 2; }
#define SHARE(a, b) ((a) / (b))
)";

/// The body with `{` where a left operand begins, `{=` where that is assigned to, `}` at the operator and `+` where a
/// bit-field stands.
std::string marked(const std::string& body) {
    const Parsed parsed = parse(before +
                                "auto k = foldwise::forall([](foldwise::index<1> i, foldwise::view<int, 1> x, "
                                "int n, unsigned u, std::int64_t wide, float f, bits s) {" +
                                body + "});\n");
    if (!parsed.ok) return parsed.messages;
    const Body& lambda = parsed.body("k");
    std::string text = lambda.block;
    for (auto mark = lambda.marks.rbegin(); mark != lambda.marks.rend(); ++mark) {
        const char* const sign = mark->kind == MarkKind::Checked    ? "{"
                                 : mark->kind == MarkKind::Assigned ? "{="
                                 : mark->kind == MarkKind::BitField ? "+"
                                                                    : "}";
        text.insert(mark->offset, sign);
    }
    return text.substr(1, text.size() - 2);
}

TEST(CheckedOperations, IntegersDivisionsAndShifts) {
    EXPECT_EQ(marked("x[i] = n / x[i] + n % u;"), "x[i] = {n }/ x[i] + {n }% u;");
    EXPECT_EQ(marked("x[i] = 1 << n >> 2;"), "x[i] = {1 }<< n >> 2;");
    EXPECT_EQ(marked("wide /= n, n %= x[i], u <<= n, n >>= n;"), "{=wide }/= n, {=n }%= x[i], {=u }<<= n, {=n }>>= n;");
    EXPECT_EQ(marked("x[i] = -n * 2 / n / n;"), "x[i] = {{-n * 2 }/ n }/ n;");
    EXPECT_EQ(marked("x[i] = small / n + true / n + 'a' / i;"), "x[i] = {small }/ n + {true }/ n + {'a' }/ i;");
    EXPECT_EQ(marked("x[i] = SHARE(n, u);"), "x[i] = ({(n) }/ (u));");
    EXPECT_EQ(marked("x[i] = [&](int a, int b = 6 / 2) { return a / b; }(n);"),
              "x[i] = [&](int a, int b = 6 / 2) { return {a }/ b; }(n);");
}

TEST(CheckedOperations, WhatNoNumberGoesWrongWithIsLeftAlone) {
    for (const char* const body :
         {"x[i] = n / 3 + n % -2 + n;", "x[i] = n << 31 >> 0;", "x[i] = static_cast<int>(wide << 63);",
          "u = u / 0xffffffffu;", "f = f / 0 + 1 / f; f /= n;", "path p; p = p / path{};"})
        EXPECT_EQ(marked(body), body);
    EXPECT_EQ(marked("x[i] = n / 0 + n / -1;"), "x[i] = {n }/ 0 + {n }/ -1;");
    EXPECT_EQ(marked("x[i] = n << 32; wide = wide >> 64;"), "x[i] = {n }<< 32; wide = {wide }>> 64;");
}

TEST(CheckedOperations, WhatTheCompilerComputesIsLeftAlone) {
    for (const char* const body :
         {"int a[8 / half(2)] = {}; x[i] = a[0];", "switch (n) { case 8 / half(4): x[i] = 1; }",
          "constexpr int c = 8 / half(4); x[i] = c;", "static_assert(8 / half(4) == 4);",
          "if constexpr (8 / half(4) == 4) x[i] = 1;", "x[i] = static_cast<int>(sizeof(n / n));",
          "decltype(n / n) m = 1; x[i] = m;", "x[i] = noexcept(n / n);"})
        EXPECT_EQ(marked(body), body);
}

TEST(CheckedOperations, ConstraintsAndExceptionSpecificationsAreLeftAlone) {
    for (const char* const body : {"x[i] = [](auto y) noexcept(8 / sizeof(y) > 1) { return y; }(n);",
                                   "x[i] = [](auto y) requires (8 / sizeof(y) > 1) { return y; }(n);",
                                   "x[i] = []<class T> requires (8 / sizeof(T) > 1) (T y) { return y; }(n);"})
        EXPECT_EQ(marked(body), body);

    const std::string kernel = "auto k = foldwise::vectorize([](int x) { return f(x) + S<int>().g(x); });";
    const Parsed parsed = parse("template <class T> requires (8 / sizeof(T) > 1) struct S { T g(T x); };\n"
                                "template <class T> requires (8 / sizeof(T) > 1) T S<T>::g(T x) { return x; }\n"
                                "template <class T> requires (8 / sizeof(T) > 1) T h(T x) { return x; }\n"
                                "template <class T> T f(T x) requires (8 / sizeof(T) > 1) { return h(x) / x; }\n" +
                                kernel);
    ASSERT_EQ(parsed.unit.declarations.size(), 4u) << parsed.messages;
    std::size_t checked = 0;
    for (const Declaration& declaration : parsed.unit.declarations)
        for (const Mark& mark : declaration.marks)
            if (mark.kind == MarkKind::Checked) {
                EXPECT_EQ(declaration.text.substr(mark.offset), "h(x) / x; }") << "the only one that a kernel runs";
                ++checked;
            }
    EXPECT_EQ(checked, 1u);
}

TEST(CheckedOperations, BitFieldsAreAsWideAsTheyAre) {
    EXPECT_EQ(marked("x[i] = -n / s.a;"), "x[i] = {-n }/ +s.a;");
    EXPECT_EQ(marked("x[i] = static_cast<int>(s.a / u) + s.a % s.b;"),
              "x[i] = static_cast<int>({+s.a }/ u) + {+s.a }% +s.b;");
    EXPECT_EQ(marked("x[i] = s.a / n / n;"), "x[i] = {{+s.a }/ n }/ n;");
    EXPECT_EQ(marked("n <<= s.a;"), "{=n }<<= +s.a;");
    // What refers to it cannot be assigned to.
    EXPECT_EQ(marked("s.a /= u;"), "s.a /= u;");
}

TEST(CheckedOperations, MembersOfPackedClassesAreNotAssignedThroughReferences) {
    EXPECT_EQ(marked("tight t{1, 2}; t.n /= n; x[i] = t.n / n;"), "tight t{1, 2}; t.n /= n; x[i] = {t.n }/ n;");
}

}  // namespace
