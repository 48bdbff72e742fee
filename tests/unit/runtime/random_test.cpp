// tests/unit/runtime/random_test.cpp: the words of foldwise::random against Random123's and cuRAND's, and the formulas
// that make numbers of them.
#include <foldwise/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace {

using foldwise::bfloat16;
using foldwise::half;
using foldwise::random;

constexpr std::uint64_t all_bits = ~std::uint64_t{0};

template <std::size_t N> std::array<std::uint32_t, N> words(random draw) {
    std::array<std::uint32_t, N> drawn;
    for (std::uint32_t& word : drawn) word = draw.bits();
    return drawn;
}

// kat_vectors of Random123 1.14, "philox4x32 10".
TEST(Random, HasRandom123sWords) {
    EXPECT_EQ(words<4>(random(0, 0)), (std::array{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
    EXPECT_EQ(words<4>(random(all_bits, all_bits, all_bits)),
              (std::array{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}));
    EXPECT_EQ(words<4>(random(0x299f31d0a4093822u, 0x0370734413198a2eu, 0x85a308d3243f6a88u)),
              (std::array{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}));
}

// What curand_init(seed, subsequence, offset) and curand() of CUDA 13.0 give.
TEST(Random, HasCurandsWords) {
    EXPECT_EQ(words<9>(random(42, 7, 5)), (std::array{0x0d09deb5u, 0xeaac8166u, 0x698984a0u, 0x6c98929fu, 0x00135acdu,
                                                      0x72572bb0u, 0x4cf04c73u, 0x059b12c8u, 0xcd241e76u}));
    random third(1234567890123u, 0x100000002u);  // offset 3
    for (int k = 0; k < 3; ++k) third.bits();
    EXPECT_EQ(words<9>(third), (std::array{0x047e4230u, 0x5381d8c1u, 0xb053405fu, 0x6967e3a0u, 0x410b5343u, 0x596f1140u,
                                           0xe3131294u, 0x9e2decb8u, 0x46fe50cdu}));
    EXPECT_EQ(words<9>(random(all_bits, all_bits, 0x3fffffffffffffffu)),
              (std::array{0x8c5f4338u, 0x4a57523du, 0x7e300cb1u, 0x411fcefdu, 0xc6c2f643u, 0x593202a0u, 0x1edab3f5u,
                          0xfef481e0u, 0xfd61fbd9u}));
}

// What curand_normal() and curand_normal_double() give there on the host.
TEST(Random, HasCurandsNormalNumbers) {
    random single(42, 7, 5);
    for (const float expected : {-1.21972322f, 2.11348248f, 0.610306799f, -1.18311203f})
        EXPECT_NEAR(single.normal(), expected, 1e-6f);
    random twice(42, 7, 5);
    for (const double expected : {0.19121209532144598, -0.37067440840472266, 0.17413340921411752, 1.2576448565738363})
        EXPECT_NEAR(twice.normal<double>(), expected, 1e-14);
}

TEST(Random, ContinuesWithTheNextBlock) {
    random draw(5, 6, 7);
    for (int k = 0; k < 4; ++k) draw.bits();
    EXPECT_EQ(words<4>(draw), words<4>(random(5, 6, 8)));
}

TEST(Random, CarriesFromTheLastBlockToTheNextStream) {
    random draw(5, 6, all_bits);
    for (int k = 0; k < 4; ++k) draw.bits();
    EXPECT_EQ(words<4>(draw), words<4>(random(5, 7, 0)));
}

TEST(Random, CopiesContinueIndependently) {
    random first(1, 2);
    first.bits();
    random second = first;
    EXPECT_EQ(words<5>(first), words<5>(second));
    first.bits();
    EXPECT_NE(first.bits(), second.bits());
}

TEST(Random, IsComputedWhileCompiling) {
    static_assert(random(0, 0).bits() == 0x6627e8d5u);
    static_assert(random::at(0, 2).bits() == 0xbc57ac4cu);
    static_assert(random(0, 0).uniform() == static_cast<float>(0x6627e8u) / 0x1000000);
    static_assert(random(0, 0).below(10) == 3);
}

TEST(Random, UniformNumbersAreTheUpperBits) {
    for (std::uint64_t stream = 0; stream < 1000; ++stream) {
        const auto [first, second] = words<2>(random(3, stream));
        EXPECT_EQ(random(3, stream).uniform(), std::ldexp(static_cast<float>(first >> 8), -24));
        EXPECT_EQ(random(3, stream).uniform<half>(), std::ldexp(static_cast<float>(first >> 21), -11));
        EXPECT_EQ(random(3, stream).uniform<bfloat16>(), std::ldexp(static_cast<float>(first >> 24), -8));
        const double high = static_cast<double>(first >> 5) / 0x1p27, low = static_cast<double>(second >> 6) / 0x1p53;
        EXPECT_EQ(random(3, stream).uniform<double>(), high + low);
    }
}

TEST(Random, TheLargestUniformNumbersAreBelowOne) {
    using namespace foldwise::detail;
    EXPECT_EQ(unit_of<float>(0xffffffffu), 1 - 0x1p-24f);
    EXPECT_EQ(unit_of<half>(0xffffffffu), 1 - 0x1p-11f);
    EXPECT_EQ(unit_of<bfloat16>(0xffffffffu), 1 - 0x1p-8f);
    EXPECT_EQ(unit_of(0xffffffffu, 0xffffffffu), 1 - 0x1p-53);
    EXPECT_EQ(unit_of<float>(0xffu), 0);
    EXPECT_EQ(unit_of(0x1fu, 0x3fu), 0);
}

/// The distance from an exact value, in units in the last place of its rounding to a float.
double ulps(float got, long double exact) {
    const float nearest = std::fabs(static_cast<float>(exact));
    return static_cast<double>(std::fabs(got - exact) / (std::nextafter(nearest, INFINITY) - nearest));
}

TEST(Random, FunctionsOfUniformFloatsAreAccurate) {
    using namespace foldwise::detail;
    std::mt19937 engine(1);
    const auto rng = [&] { return static_cast<std::uint32_t>(engine()); };
    double logarithm = 0, sine = 0, cosine = 0;
    for (int k = 0; k < 300'000; ++k) {
        // Any words, small ones, their complements, and those near quarter turns.
        std::uint32_t word = rng();
        if (k % 4 == 1) word >>= rng() % 32;
        if (k % 4 == 2) word = ~(word >> rng() % 32);
        if (k % 4 == 3) word = (word & 0xc0000000u) + (rng() >> rng() % 32) - (rng() >> rng() % 32);
        if (const float u = positive_unit_of(word); u < 1)
            logarithm = std::max(logarithm, ulps(logarithm_of_unit(u), std::log(static_cast<long double>(u))));
        const auto [s, c] = sine_and_cosine_of_turn(word);
        const long double angle = (word + 0.5L) * 0x1p-31L * 3.14159265358979323846264338327950288L;
        sine = std::max(sine, ulps(s, std::sin(angle)));
        cosine = std::max(cosine, ulps(c, std::cos(angle)));
    }
    EXPECT_LE(logarithm, 1.2);
    EXPECT_LE(sine, 2.5);
    EXPECT_LE(cosine, 2.5);
    EXPECT_EQ(logarithm_of_unit(1), 0);
    EXPECT_EQ(positive_root_of(0), 0);
}

TEST(Random, ExtremeWordsMakeFiniteNumbers) {
    using namespace foldwise::detail;
    for (const std::uint32_t first : {0u, 1u, 0x7fffffffu, 0xffffffffu}) {
        EXPECT_TRUE(std::isfinite(exponential_of(positive_unit_of(first))));
        EXPECT_GE(exponential_of(positive_unit_of(first)), 0);
        for (const std::uint32_t second : {0u, 1u, 0x7fffffffu, 0xffffffffu}) {
            EXPECT_TRUE(std::isfinite(normals_of(first, second).first));
            EXPECT_TRUE(std::isfinite(normals_of(first, second).second));
            EXPECT_TRUE(std::isfinite(normals_of(first, first, second, second).first));
            EXPECT_TRUE(std::isfinite(exponential_of(positive_unit_of(joined_bits(first, second)))));
        }
    }
}

TEST(Random, BothNumbersOfAPairAreUsed) {
    random draw(9, 1);
    draw.normal();
    draw.normal();
    EXPECT_EQ(draw.bits(), words<3>(random(9, 1))[2]);  // two words for two floats
    draw = random(9, 1);
    draw.normal<double>();
    draw.normal<double>();
    EXPECT_EQ(draw.bits(), words<5>(random(9, 1))[4]);  // four words for two doubles
}

TEST(Random, PairsOfEachPrecisionAreKeptApart) {
    random draw(9, 1), single(9, 1), twice(9, 1);
    single.bits(), single.bits();  // the two words of the first floats
    twice.bits(), twice.bits();
    const auto first = draw.normal();
    const auto other = draw.normal<double>();
    EXPECT_EQ(other, twice.normal<double>());
    random again(9, 1);
    EXPECT_EQ(first, again.normal());
    EXPECT_EQ(draw.normal(), again.normal());
    EXPECT_EQ(draw.normal<double>(), twice.normal<double>());
}

/// Draw i of a stream must be what i + 1 calls end with.
template <class Draw> void expect_same_draws(const Draw& draw) {
    for (const std::uint64_t stream : {std::uint64_t{0}, std::uint64_t{77}}) {
        random sequence(11, stream);
        for (std::uint64_t i = 0; i < 100; ++i) EXPECT_EQ(draw(random::at(11, i, stream)), draw(sequence)) << i;
    }
}

TEST(RandomAt, IsADrawOfTheSequence) {
    expect_same_draws([](auto&& from) { return from.bits(); });
    expect_same_draws([](auto&& from) { return from.uniform(); });
    expect_same_draws([](auto&& from) { return from.template uniform<double>(); });
    expect_same_draws([](auto&& from) { return from.template uniform<half>(); });
    expect_same_draws([](auto&& from) { return from.template uniform<bfloat16>(); });
    expect_same_draws([](auto&& from) { return from.normal(); });
    expect_same_draws([](auto&& from) { return from.template normal<double>(); });
    expect_same_draws([](auto&& from) { return from.template normal<half>(); });
    expect_same_draws([](auto&& from) { return from.exponential(); });
    expect_same_draws([](auto&& from) { return from.template exponential<double>(); });
}

TEST(Random, ProductsOf64BitNumbers) {
    std::mt19937_64 rng(1);
    for (int trial = 0; trial < 10'000; ++trial) {
        const std::uint64_t a = rng() >> rng() % 64, b = rng() >> rng() % 64;
        __extension__ const auto exact = static_cast<unsigned __int128>(a) * b;
        const foldwise::detail::wide_product product = foldwise::detail::product_of(a, b);
        EXPECT_EQ(product.low, static_cast<std::uint64_t>(exact));
        EXPECT_EQ(product.high, static_cast<std::uint64_t>(exact >> 64));
    }
    const foldwise::detail::wide_product largest = foldwise::detail::product_of(all_bits, all_bits);
    EXPECT_EQ(largest.high, all_bits - 1);
    EXPECT_EQ(largest.low, 1u);
}

// Lemire's method takes the words w for which w * n, modulo 2^32, is not below 2^32 modulo n: as many for each result.
TEST(Random, BelowRejectsTheWordsThatAreTooMany) {
    for (const std::uint32_t n : {3u, 7u, 0x55555556u, 0x80000001u, 0xffffffffu}) {
        const auto biased = static_cast<std::uint32_t>((std::uint64_t{1} << 32) % n);
        std::mt19937 rng(n);
        for (int trial = 0; trial < 1000; ++trial) {
            // Words on both sides of the boundary: w * n = k * 2^32 + (biased - 1, biased or biased + 1) or more.
            const std::uint64_t k = rng() % n;
            const auto near = static_cast<std::uint32_t>(((k << 32) + biased + n - 1) / n + rng() % 3 - 1);
            std::vector<std::uint32_t> given = {near, 0x7fffffffu};
            std::size_t taken = 0;
            const auto result = foldwise::detail::below(n, [&] { return given.at(taken++); });
            const bool is_rejected = static_cast<std::uint32_t>(std::uint64_t{near} * n) < biased;
            EXPECT_EQ(taken, is_rejected ? 2u : 1u) << n << " " << near;
            EXPECT_EQ(result, std::uint64_t{given[taken - 1]} * n >> 32);
        }
    }
}

TEST(Random, BelowIsBelow) {
    random draw(4, 4);
    for (int trial = 0; trial < 1000; ++trial) {
        EXPECT_LT(draw.below(6u), 6u);
        EXPECT_EQ(draw.below(1), 0);
        const std::int8_t small = draw.below(std::int8_t{100});
        EXPECT_TRUE(small >= 0 && small < 100);
        const std::int64_t large = draw.below(std::int64_t{1} << 40);
        EXPECT_TRUE(large >= 0 && large < std::int64_t{1} << 40);
        EXPECT_LT(draw.below(all_bits), all_bits);
    }
    EXPECT_EQ(draw.below(0), 0);
    EXPECT_EQ(draw.below(-5), 0);
    EXPECT_EQ(draw.below(std::numeric_limits<std::int64_t>::min()), 0);
}

TEST(Random, ServesTheStandardLibrarysDistributions) {
    static_assert(std::uniform_random_bit_generator<random>);
    random draw(1, 2);
    EXPECT_LE(std::uniform_int_distribution<int>(1, 6)(draw), 6);
}

}  // namespace
