// tests/unit/runtime/detail/divide_test.cpp: division by multiplication, compared with plain division.
#include <foldwise/detail/divide.hpp>

#include <foldwise/runtime.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

/// Around zero, the divisor's multiples, powers of two and the largest dividend.
template <class Word> static void check(Word divisor, std::mt19937_64& random) {
    const Word end = Word{1} << (8 * sizeof(Word) - 1);  // dividends are less
    const auto by = foldwise::detail::divider<Word>::by(divisor);
    std::vector<Word> dividends{0, 1, 2, end - 1, end - 2, end / 2, divisor - 1, divisor, end - divisor};
    for (int i = 0; i < 200; ++i) {
        const Word any = static_cast<Word>(random() % end), multiple = static_cast<Word>(any - any % divisor);
        dividends.insert(dividends.end(), {any, multiple, static_cast<Word>(multiple + divisor - 1)});
        if (multiple > 0) dividends.push_back(static_cast<Word>(multiple - 1));
    }
    for (Word n : dividends) {
        if (n >= end) continue;
        ASSERT_EQ(by.quotient(n), n / divisor) << n << " / " << divisor;
        Word rest = n;
        ASSERT_EQ(by.split(rest), n % divisor) << n << " % " << divisor;
        ASSERT_EQ(rest, n / divisor);
    }
}

template <class Word> class Divide : public testing::Test {};
using words = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(Divide, words);

TYPED_TEST(Divide, IsDivision) {
    using Word = TypeParam;
    std::mt19937_64 random(5);
    const Word half = Word{1} << (8 * sizeof(Word) - 1);
    for (Word divisor = 1; divisor <= 1000; ++divisor) check(divisor, random);
    for (int bit = 0; bit < static_cast<int>(8 * sizeof(Word)) - 1; ++bit) {
        const Word power = Word{1} << bit;
        for (Word divisor : {power, static_cast<Word>(power + 1), static_cast<Word>(power - 1)})
            if (divisor > 0) check(divisor, random);
    }
    for (int i = 0; i < 2000; ++i) check(static_cast<Word>(1 + random() % (half - 1)), random);
    check(static_cast<Word>(half - 1), random);
    check(half, random);
}
