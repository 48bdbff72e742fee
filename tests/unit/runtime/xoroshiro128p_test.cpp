// tests/unit/runtime/xoroshiro128p_test.cpp: the numbers of numba.cuda.random, whose formulas were computed in Python.
#include <foldwise/xoroshiro128p.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

using foldwise::xoroshiro128p;

struct known {
    std::uint64_t seed, stream;
    std::array<std::uint64_t, 4> bits;
    double uniform;
    float rounded;
};

constexpr known known_answers[] = {
    {1,
     0,
     {0x22145bd91204b982u, 0x60c88516f644812eu, 0x3b056fab69fc74ddu, 0x75dde50d5f276a45u},
     0.1331231503445619,
     0.13312314450740814f},
    {1,
     1,
     {0xe05863863b1a0286u, 0x35d4f476e08d5559u, 0x6b48e8d378de8c7bu, 0x14a696847e78f7adu},
     0.8763487055503916,
     0.8763487339019775f},
    {1,
     2,
     {0xdeffd0157988eac6u, 0x7440e460bf94758fu, 0xddda649adfadbc1eu, 0x984222403d112948u},
     0.8710908939770295,
     0.8710908889770508f},
    {1,
     1000,
     {0xfb03212177c7afb1u, 0x60623637fea4fb2fu, 0x503dbf5ceda16e19u, 0x2dedd9564a39d87fu},
     0.9805165011128155,
     0.9805164933204651f},
    {0x0123456789abcdefu,
     1000,
     {0x412bda38e9651720u, 0xac6e6f8ac26135eeu, 0x48e2213e6dca29e0u, 0xedc28d17a53f2552u},
     0.2545753849930359,
     0.25457537174224854f},
};

TEST(Xoroshiro128p, HasNumbasNumbers) {
    for (const known& one : known_answers) {
        xoroshiro128p draw(one.seed, one.stream);
        for (const std::uint64_t bits : one.bits) EXPECT_EQ(draw.bits(), bits) << one.stream;
        EXPECT_EQ(xoroshiro128p(one.seed, one.stream).uniform<double>(), one.uniform);
        EXPECT_EQ(xoroshiro128p(one.seed, one.stream).uniform(), one.rounded);
    }
}

TEST(Xoroshiro128p, NormalNumbersDiscardTheSecond) {
    xoroshiro128p draw(7, 3), uniform = draw;
    for (int k = 0; k < 100; ++k) {
        const double u1 = uniform.uniform<double>(), u2 = uniform.uniform<double>();
        EXPECT_NEAR(draw.normal<double>(), std::sqrt(-2 * std::log(u1)) * std::cos(2 * M_PI * u2), 1e-14);
    }
    EXPECT_EQ(draw, uniform);
}

TEST(Xoroshiro128p, StreamsAreAJumpApart) {
    xoroshiro128p next(99);
    for (std::uint64_t stream = 0; stream < 300; ++stream) {
        EXPECT_EQ(next, xoroshiro128p(99, stream));
        next.jump();
    }
}

// A stream's number is the sum of the numbers of jumps, whatever its bits are.
TEST(Xoroshiro128p, LargeStreams) {
    const std::uint64_t far = 0x8000000000000123u;
    xoroshiro128p draw(5, far - 3);
    for (int k = 0; k < 3; ++k) draw.jump();
    EXPECT_EQ(draw, xoroshiro128p(5, far));
}

TEST(Xoroshiro128p, SeedsAnArray) {
    std::vector<xoroshiro128p> states(50, xoroshiro128p(0));
    xoroshiro128p::seed(states, 12, 1'000'000);
    for (std::size_t i = 0; i < states.size(); ++i) EXPECT_EQ(states[i], xoroshiro128p(12, 1'000'000 + i));
    xoroshiro128p::seed({}, 12);
}

TEST(Xoroshiro128p, IsTheElementOfAnArray) {
    static_assert(sizeof(xoroshiro128p) == 16);
    static_assert(std::is_trivially_copyable_v<xoroshiro128p>);
    static_assert(!std::is_default_constructible_v<xoroshiro128p>, "a state of zeros would draw zeros for ever");
    static_assert(xoroshiro128p(1).bits() == 0x22145bd91204b982u);
}

}  // namespace
