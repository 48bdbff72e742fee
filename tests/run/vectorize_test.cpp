// tests/run/vectorize_test.cpp: generated elementwise kernels against plain loops, on the executor that the environment
// names: sizes, offsets that break alignment, scalars in every place, in place, host ranges and arrays.
#include "trial.hpp"
#include "vectorize.kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace {

using namespace run_tests;

const auto next = [](auto&&... a) { run::next(a...); };

template <class T> class EveryType : public testing::Test {};
using types = testing::Types<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                             std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(EveryType, types);

TYPED_TEST(EveryType, InAndOut) {
    using T = TypeParam;
    many(100, [](unsigned seed) { trial<T, T>(seed, next, [](T x) { return static_cast<T>(x + 1); }); });
}

TYPED_TEST(EveryType, InPlace) {
    using T = TypeParam;
    many(30, [](unsigned seed) {
        generator rng(seed);
        buffer<T> x(rng, any_size(rng));
        const std::vector<T> before(x.all().begin(), x.all().end());
        run::next(std::span<const T>(x.elements()), x.elements());
        for (std::size_t i = 0; i < before.size(); ++i) {
            const bool inside = i >= x.offset() && i < x.offset() + x.elements().size();
            const T want = inside ? static_cast<T>(before[i] + 1) : before[i];
            ASSERT_EQ(x.all()[i], want) << "seed " << seed << ", at " << i;
        }
    });
}

TEST(Widths, NarrowToWide) {
    const auto kernel = [](auto&&... a) { run::widen(a...); };
    const auto triple = [](auto x) { return x * 3; };
    many(100, [&](unsigned seed) { trial<double, std::int8_t>(seed, kernel, triple); });
    many(100, [&](unsigned seed) { trial<std::int64_t, bool>(seed, kernel, triple); });
    many(100, [&](unsigned seed) { trial<float, std::int16_t>(seed, kernel, triple); });
}

TEST(Widths, WideToNarrow) {
    const auto kernel = [](auto&&... a) { run::narrow(a...); };
    const auto positive = [](auto x) { return x > 0; };
    many(100, [&](unsigned seed) { trial<std::int8_t, double>(seed, kernel, positive); });
    many(100, [&](unsigned seed) { trial<bool, std::int64_t>(seed, kernel, positive); });
    many(100, [&](unsigned seed) { trial<std::uint16_t, float>(seed, kernel, positive); });
}

TEST(Widths, FourTypesAtOnce) {
    many(200, [](unsigned seed) {
        trial<float, std::int8_t, double, float, std::uint16_t>(
            seed, [](auto&&... a) { run::mixed(a...); },
            [](std::int8_t a, double b, float c, std::uint16_t d) { return static_cast<float>(a * b + c * d); });
    });
}

TEST(Inputs, Six) {
    many(200, [](unsigned seed) {
        trial<float, float, float, float, float, float, float>(
            seed, [](auto&&... in) { run::six(in...); },
            [](float a, float b, float c, float d, float e, float f) {
                return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f;
            });
    });
}

TEST(Inputs, OverloadsThatDifferInOrderOnly) {
    const auto kernel = [](auto&&... a) { run::order(a...); };
    const auto reference = [](auto a, auto b) { return a - 2 * b; };
    many(100, [&](unsigned seed) { trial<double, double, float>(seed, kernel, reference); });
    many(100, [&](unsigned seed) { trial<double, float, double>(seed, kernel, reference); });
}

template <class... T> using result_of_order = decltype(run::order(std::declval<T>()...));
template <class T> using result_of_next = decltype(run::next(std::declval<T>()));
template <class T, class Value> inline constexpr bool next_gives = std::is_same_v<result_of_next<T>, Value>;

// Single values select the signature that has exactly their types, or else the narrowest that keeps them.
static_assert(next_gives<float, float> && next_gives<const double&, double> && next_gives<bool&, bool>);
static_assert(next_gives<std::vector<std::int8_t>&, foldwise::array<std::int8_t>>);
static_assert(next_gives<long long, std::int64_t> && next_gives<unsigned long long, std::uint64_t>);
static_assert(next_gives<char32_t, std::uint32_t> && next_gives<foldwise::half, float>);
static_assert(!foldwise::is_result<result_of_next<long double>>, "no signature keeps it, and all take it");
static_assert(std::is_same_v<result_of_order<float, double>, double>);
static_assert(std::is_same_v<result_of_order<double, float>, double>);
static_assert(std::is_same_v<result_of_order<std::vector<float>&, int>, foldwise::array<double>>);
static_assert(!foldwise::is_result<result_of_order<int, int>>, "each signature rounds one of them");
static_assert(!foldwise::is_result<result_of_order<double, double>>);

TEST(Inputs, SingleValuesGiveAValue) {
    EXPECT_EQ(run::next(1.5f), 2.5f);
    EXPECT_EQ(run::next(1e300, foldwise::cpu()), 1e300);
    EXPECT_EQ(run::next(1.5f, foldwise::simulator()), 2.5f);
    EXPECT_EQ(run::order(1.0f, 1e300), -2e300);
    EXPECT_EQ(run::order(std::int16_t{3}, 1e300), -2e300) << "float keeps 16 bits";
    EXPECT_EQ(run::mixed(std::int8_t{2}, 0.5, 3.0f, std::uint16_t{5}), 16.0f);
    EXPECT_EQ(run::mixed(2, 0.5f, 3, 5), 16.0f) << "one signature takes what fits";
    const run::interval widest = run::widest(run::interval{1, 2}, run::interval{2, 7});
    EXPECT_EQ(widest.high, 7);
    std::vector<double> out(3);
    run::order(1e300, 1.0f, out);
    EXPECT_EQ(out, std::vector<double>(3, 1e300));
}

TEST(Inputs, ValuesThatElementsCannotHoldAreNamed) {
    const auto refused = [](auto call, const std::string& text) {
        try {
            call();
            ADD_FAILURE() << "no error: " << text;
        } catch (const foldwise::value_error& e) {
            EXPECT_EQ(e.what(), text);
        }
    };
    const std::string of_mixed = "run::mixed: a is ";
    const std::string bytes = ", and its elements are integers from -128 to 127";
    refused([] { (void)run::mixed(128, 1.0, 1.0f, std::uint16_t{1}); }, of_mixed + "128" + bytes);
    refused([] { (void)run::mixed(-129, 1.0, 1.0f, std::uint16_t{1}); }, of_mixed + "-129" + bytes);
    refused([] { (void)run::mixed(2.5, 1.0, 1.0f, std::uint16_t{1}); }, of_mixed + "2.5" + bytes);
    std::vector<float> x(3), out(3, 7);
    refused([&] { run::body(x, 1e39, out); },
            "run::body: y is 9.9999999999999994e+38, and its elements are numbers from -3.4028234663852886e+38 to "
            "3.4028234663852886e+38");
    EXPECT_EQ(out, std::vector<float>(3, 7)) << "nothing has been written";
    run::body(x, 0.1, out);
}

TEST(Inputs, OfATypeWhoseHeaderIncludesTheRuntime) {
    foldwise::array<run::interval> a = foldwise::to_device(std::vector<run::interval>{{1, 2}, {5, 8}});
    run::widest(run::all_of(a.data(), 2), run::interval{2, 7}, a);
    const std::vector<run::interval> got = a.to_host();
    EXPECT_EQ(got[0].low, 1);
    EXPECT_EQ(got[0].high, 7);
    EXPECT_EQ(got[1].low, 2);
    EXPECT_EQ(got[1].high, 8);
}

TEST(Inputs, None) {
    many(50, [](unsigned seed) {
        trial<std::int32_t>(
            seed, [](auto&&... out) { run::answer(out...); }, [] { return 42; });
    });
    const std::vector<std::int32_t> made = run::answer(foldwise::shape{3, 5}).to_host();
    EXPECT_EQ(made, std::vector<std::int32_t>(15, 42));
}

TEST(Body, ControlFlowHelpersMacros) {
    const auto bell = [](float x) { return std::exp(-0.5f * x * x); };
    many(200, [&](unsigned seed) {
        trial<float, float, float>(
            seed, [](auto&&... a) { run::body(a...); },
            [&](float x, float y) {
                float sum = 0;
                for (int i = 0; i < 4 && x <= 100; ++i)
                    sum += i % 2 == 0 ? bell(x) + bell(y) : std::fmin(std::fmax(x * y, -1.0f), 1.0f);
                return static_cast<int>(y) == 0 ? sum : static_cast<int>(y) == 1 ? -sum : sum * 2;
            });
    });
}

TEST(Names, SameNameInAnotherNamespace) {
    EXPECT_EQ(run::next(std::vector<std::int32_t>{5}).to_host().at(0), 6);
    EXPECT_EQ(run::inner::next(std::vector<std::int32_t>{5}).to_host().at(0), 4);
    EXPECT_EQ(global_negate(std::vector<double>{5}).to_host().at(0), -5);
}

TEST(Results, AreWhereTheInputsAre) {
    const std::vector<double> x{1, 2, 3};
    EXPECT_EQ(global_negate(x).place().kind, foldwise::memory::host);
    const foldwise::array<double> on_device = foldwise::to_device(x);
    const foldwise::array<double> z = global_negate(on_device);
    EXPECT_EQ(z.place().kind, on_device.place().kind);
    EXPECT_EQ(z.shape(), foldwise::shape{3});
    EXPECT_EQ(z.to_host(), (std::vector<double>{-1, -2, -3}));
}

TEST(Bodies, MayAssert) {
    const std::vector<float> x{0.5f, 4};
    EXPECT_EQ(run::inverse(x).to_host(), (std::vector<float>{2, 0.25f}));
}

TEST(Errors, AreFoundBeforeAnythingIsWritten) {
    std::vector<double> x{1, 2, 3}, four(4, 9), two(2, 9);
    EXPECT_THROW(global_negate(x, four), foldwise::shape_error);
    EXPECT_THROW(global_negate(x, two), foldwise::shape_error);
    EXPECT_EQ(four, std::vector<double>(4, 9));
    const std::span<double> whole(four);
    EXPECT_THROW(global_negate(whole.first(3), whole.last(3)), foldwise::overlap_error);
    EXPECT_EQ(four, std::vector<double>(4, 9));
}

}  // namespace
