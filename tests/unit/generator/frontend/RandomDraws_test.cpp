// tests/unit/generator/frontend/RandomDraws_test.cpp: which kernels draw random numbers by the element's number.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

/// Whether the first signature of `auto f = foldwise::vectorize(what);` draws random numbers by the element's number.
static bool draws(const std::string& what, const std::string& before = "") {
    const Parsed parsed = parse("#include <cstdint>\n" + before + "\nauto f = foldwise::vectorize(" + what + ");");
    return std::get<VectorizeSpec>(parsed.kernel("f").pattern).signatures.front().drawsByNumber;
}

TEST(RandomDraws, AreFoundInALambdaAndInWhatItCalls) {
    EXPECT_TRUE(draws("[](foldwise::index<1> i, std::uint32_t s) { return foldwise::random::at(s, i).uniform(); }"));
    EXPECT_TRUE(draws("[](foldwise::index<1> i) { return 2 * twice(i).first; }",
                      "struct drawn { float first; explicit drawn(std::uint64_t i) : "
                      "first(foldwise::random::at(1, i).normal()) {} };"
                      "inline drawn twice(foldwise::index<1> i) { return drawn(static_cast<std::uint64_t>(2 * i)); }"));
}

TEST(RandomDraws, OfAStreamForEachElementShareNothing) {
    EXPECT_FALSE(draws("[](foldwise::index<1> i, std::uint32_t s) { return foldwise::random(s, i).uniform(); }"));
    EXPECT_FALSE(draws("[](foldwise::index<1> i, float x) { return x + static_cast<float>(i); }"));
}

TEST(RandomDraws, NeedTheElementsNumber) {
    EXPECT_FALSE(draws("[](std::uint64_t i) { return foldwise::random::at(1, i).uniform(); }"));
    EXPECT_FALSE(draws("[](foldwise::index<2> at) { return foldwise::random::at(1, at[0]).uniform(); }"));
}
