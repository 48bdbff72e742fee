// tests/unit/generator/frontend/SystemCalls_test.cpp: which functions of the standard library run in device code, found
// through what they call.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;
using Strings = std::vector<std::string>;

/// The include directives of a kernel with this body, or what is wrong with it.
static Strings includesOf(const std::string& headers, const std::string& lambda) {
    const Parsed parsed = parseWithHeaders(headers + "auto f = foldwise::vectorize(" + lambda + ");");
    return parsed.ok ? parsed.unit.includes : Strings{parsed.messages};
}
static std::string messagesOf(const std::string& headers, const std::string& lambda) {
    const Parsed parsed = parseWithHeaders(headers + "auto f = foldwise::vectorize(" + lambda + ");");
    return parsed.ok ? "none" : parsed.messages;
}

TEST(SystemCalls, TheLibrarysConstexprCodeNeedsNothing) {
    EXPECT_EQ(includesOf("#include <algorithm>\n", "[](int x) { return std::clamp(x, 0, 9); }"),
              Strings{"<algorithm>"});
    EXPECT_EQ(includesOf("#include <bit>\n", "[](unsigned x) { return std::countr_zero(x); }"), Strings{"<bit>"});
}

TEST(SystemCalls, HeadersOfFoldwisesComeAlong) {
    EXPECT_EQ(includesOf("#include <complex>\n", "[](float x) { return std::norm(std::complex(x, x) * x); }"),
              (Strings{"<complex>", "<foldwise/device/complex.hpp>"}));
    EXPECT_EQ(includesOf("#include <cmath>\n", "[](float x) { return std::hypot(x, x, x); }"),
              (Strings{"<cmath>", "<foldwise/device/cmath.hpp>"}));
    EXPECT_EQ(includesOf("#include <atomic>\n", "[](int x) { return std::atomic_ref(x).fetch_add(1); }"),
              (Strings{"<atomic>", "<foldwise/device/atomic.hpp>"}));
}

TEST(SystemCalls, WhatAFunctionCallsInTurnCounts) {
    EXPECT_NE(messagesOf("#include <array>\n", "[](int x) { return std::array{x, x}.at(1); }")
                  .find("'std::array<int, 2>::at' does not exist in device code"),
              std::string::npos);
    EXPECT_NE(messagesOf("#include <iterator>\n", "[](int x) { return *std::next(&x, 0); }")
                  .find("'std::next' does not exist"),
              std::string::npos);
}

TEST(SystemCalls, TheTypeDecides) {
    const std::string headers = "#include <array>\n#include <cstdint>\n";
    EXPECT_EQ(messagesOf(headers, "[](int x) { std::array a{x, 1}, b{2, x}; return a < b; }"), "none");
    EXPECT_EQ(messagesOf(headers, "[](std::uint8_t x) { std::array a{x}, b{x}; return a < b; }"), "none");
    EXPECT_NE(messagesOf(headers, "[](float x) { std::array a{x}, b{x}; return a < b; }").find("operator<=>"),
              std::string::npos);
    EXPECT_EQ(messagesOf(headers, "[](float x) { std::array a{x}, b{x}; return a == b; }"), "none");
}

TEST(SystemCalls, SomeHeadersAreReadBeforeTheirBuiltinsCanBeReplaced) {
    const std::string call = "std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end())";
    EXPECT_NE(messagesOf("#include <algorithm>\n#include <array>\n#include <cstdint>\n",
                         "[](std::uint8_t x) { std::array a{x}, b{x}; return " + call + " < 0; }")
                  .find("needs '__builtin_memcmp'"),
              std::string::npos);
}

TEST(SystemCalls, ConstantsOfTheLibraryHaveNoPlace) {
    const std::string headers = "#include <algorithm>\n#include <numbers>\n";
    EXPECT_EQ(messagesOf(headers, "[](float x) { return x * std::numbers::pi_v<float>; }"), "none");
    EXPECT_NE(messagesOf(headers, "[](float x) { return std::max(x, std::numbers::pi_v<float>); }")
                  .find("'std::numbers::pi_v' does not exist in device code"),
              std::string::npos);
}

TEST(SystemCalls, InATemplateOnlyTheInstanceIsLookedAt) {
    const std::string headers = "#include <algorithm>\n#include <numbers>\n";
    EXPECT_TRUE(
        parse(headers +
              "auto f = foldwise::vectorize<float(float)>([](auto x) { return x * std::numbers::pi_v<float>; });")
            .ok);
    EXPECT_FALSE(parse(headers + "auto f = foldwise::vectorize<float(float)>([](auto x) { return std::max(x, "
                                 "std::numbers::pi_v<float>); });")
                     .ok);
}

TEST(SystemCalls, LambdasAreCalledBack) {
    const std::string headers =
        "#include <algorithm>\n#include <array>\ninline bool more(int a, int b) { return a > b; }\n";
    const Parsed parsed =
        parse(headers + "auto f = foldwise::vectorize([](int x) { std::array a{x, 1}; "
                        "std::sort(a.begin(), a.end(), [](int p, int q) { return more(p, q); }); return a[0]; });");
    ASSERT_TRUE(parsed.ok) << parsed.messages;
    EXPECT_EQ(parsed.names(), Strings{"more"});
}
