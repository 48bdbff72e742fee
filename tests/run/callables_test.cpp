// tests/run/callables_test.cpp: kernels that call what the user has named give what those calls give on the host, on
// the executor that the environment names.
#include "callables.kernels.hpp"
#include "callables_sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace {

template <class T> std::vector<T> numbers(std::size_t n = 1000) {
    std::vector<T> all(n);
    for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<T>(static_cast<double>(i % 97) / 2 - 20);
    return all;
}

template <class Kernel, class Call, class... T> void same(Kernel kernel, Call call, const std::vector<T>&... in) {
    const auto got = kernel(in...).to_host();
    std::size_t i = 0;
    ((i = std::max(i, in.size())), ...);
    ASSERT_EQ(got.size(), i);
    for (i = 0; i < got.size(); ++i)
        ASSERT_EQ(got[i], static_cast<std::decay_t<decltype(got[i])>>(call(in[i]...))) << "at " << i;
}

#define KERNEL(name) [](const auto&... x) { return run::name(x...); }

TEST(Functions, AreCalledByName) {
    same(KERNEL(twice), callables::twice, numbers<float>());
    same(KERNEL(twice_in_double), callables::twice, numbers<float>());
    same(KERNEL(larger), callables::larger<std::int64_t>, numbers<std::int64_t>(), numbers<std::int64_t>());
    same(KERNEL(area), callables::circle::area, numbers<double>());
    same(KERNEL(mixed), callables::ops<float>::mixed, numbers<float>(), numbers<float>());
}

TEST(Functions, OverloadsAreThoseThatWereChosen) {
    same(
        KERNEL(overloaded_int), [](std::int32_t x) { return x + 1; }, numbers<std::int32_t>());
    same(
        KERNEL(overloaded_double), [](float x) { return static_cast<double>(x) / 2; }, numbers<float>());
}

TEST(Functions, SeveralOutputsAndAnIndex) {
    const std::vector<float> x = numbers<float>();
    const auto [fractions, wholes] = run::split(x);
    const std::vector<float> got = fractions.to_host();
    const std::vector<std::int32_t> whole = wholes.to_host();
    for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_EQ(std::make_tuple(got[i], whole[i]), callables::split(x[i])) << "at " << i;

    const std::vector<std::int64_t> n = numbers<std::int64_t>();
    const auto placed = run::place(n).to_host();
    for (std::size_t i = 0; i < n.size(); ++i)
        ASSERT_EQ(placed[i], callables::place(static_cast<std::int64_t>(i), n[i])) << "at " << i;
}

TEST(Objects, KeepTheirValues) {
    same(KERNEL(scaled), callables::scale{2.5f}, numbers<float>());
    same(KERNEL(mapped), callables::affine{2, 1}, numbers<double>());
    same(KERNEL(mapped), callables::affine{2, 1}, numbers<std::int32_t>());
    same(KERNEL(cubed), callables::power<3>{}, numbers<float>());
    same(KERNEL(cubed), callables::power<3>{}, numbers<std::int64_t>());
    same(KERNEL(by_base), callables::scale{0.5f}, numbers<float>());
    same(KERNEL(tenfold_kernel), callables::scale{10}, numbers<float>());
    same(KERNEL(difference), std::minus<>{}, numbers<float>(), numbers<float>());
    same(KERNEL(difference), std::minus<>{}, numbers<std::int32_t>(), numbers<std::int32_t>());
}

TEST(Lambdas, OfVariables) {
    same(
        KERNEL(incremented), [](float x) { return x + 1; }, numbers<float>());
    same(
        KERNEL(incremented), [](std::int32_t x) { return x + 1; }, numbers<std::int32_t>());
    same(
        KERNEL(incremented_again), [](double x) { return x + 1; }, numbers<double>());
    same(
        KERNEL(halves), [](float x) { return 0.5f * x; }, numbers<float>());
    same(
        KERNEL(triples), [](float x) { return 3 * x; }, numbers<float>());
    same(
        KERNEL(combined), [](float x) { return 0.5f * (x + 1) + 3 * x + 5; }, numbers<float>());
}

TEST(Lambdas, CaptureConstants) {
    same(
        KERNEL(captured), [](double x) { return 2.5 * x + 3; }, numbers<double>());
    same(
        KERNEL(shadowed), [](float x) { return (2 * x + 1) * (2 * x + 1); }, numbers<float>());
    std::vector<std::int32_t> indices(1000);
    std::iota(indices.begin(), indices.end(), 0);
    const float weights[] = {0.25f, 0.5f, 1};
    same(
        KERNEL(table), [&](std::int32_t i, float x) { return weights[i % 3] * x; }, indices, numbers<float>());
    same(
        KERNEL(from_function), [](float x) { return x * 3 + 1.5f * 0.1f + 1e-7f; }, numbers<float>());
    same(
        KERNEL(made), [](float x) { return 1.5f * x; }, numbers<float>());
}

TEST(Lambdas, CapturesMeanWhatTheyMeanInTheirPlace) {
    const std::vector<float> x = numbers<float>();
    same(
        KERNEL(hidden_by_parameter), [](float one) { return 3 * one; }, x);
    same(
        KERNEL(hidden_by_capture), [](float one) { return 3 * one + 1.5f; }, x);
    same(
        KERNEL(of_its_own_name), [](float one) { return 6 * one; }, x);
    same(
        KERNEL(in_braces), [](float one) { return 3 * one + 4; }, x);
    same(
        KERNEL(of_a_class), [](float one) { return 2.5f * one; }, x);
    same(
        KERNEL(of_a_lambda), [](float one) { return 2 * one + 1; }, x);
}

TEST(Lambdas, ThatFunctionsReturn) {
    const std::vector<float> x = numbers<float>();
    same(
        KERNEL(kept_and_passed), [](float one) { return 1.25f * one; }, x);
    same(
        KERNEL(kept_and_called), [](float one) { return 1.25f * one + 0.5f * one; }, x);
    same(
        KERNEL(bound), [](float one) { return 2 * one; }, x);
}

TEST(Lambdas, AreFoundAsVariablesAre) {
    const std::vector<float> x = numbers<float>();
    same(
        KERNEL(lengths), [](float one) { return 100 * one + one + 1; }, x);
    same(
        KERNEL(counted), [](std::int8_t one) { return static_cast<float>(one) + 1; }, numbers<std::int8_t>());
    same(
        KERNEL(counted_again), [](float one) { return 100.0f * static_cast<float>(static_cast<int>(one)); }, x);
    same(
        KERNEL(asked), [](float one) { return one; }, x);
    same(
        KERNEL(constants), [](float one) { return 9 * one + 4; }, x);
    same(
        KERNEL(increased), [](float one) { return 3 * (one + 1); }, x);
    same(
        KERNEL(same_again), [](float one) { return one; }, x);
    same(
        KERNEL(constants_of_constants), [](float one) { return 4 * one; }, x);
}

TEST(Functions, OfTemplatesKeepTheirArguments) {
    const std::vector<float> x = numbers<float>();
    same(KERNEL(by_unsigned), callables::by_sign<3u>, x);
    same(KERNEL(by_pi), callables::times<3.14159265358979>, numbers<double>());
    same(KERNEL(by_tenth), callables::times<0.1f>, numbers<double>());
    same(KERNEL(by_constant), callables::times_constant<callables::constant{3.14159265358979}>, numbers<double>());
    same(KERNEL(by_count), callables::times_count<callables::vec, int>, x);
}

TEST(Library, ComparesBytes) {
    std::vector<std::uint8_t> all(256);
    std::iota(all.begin(), all.end(), std::uint8_t{0});
    same(
        KERNEL(of_bytes),
        [](std::uint8_t x) {
            const std::array<std::uint8_t, 3> a{7, x, 200}, b{7, 100, x};
            return (a < b) + 2 * (a == b);
        },
        all);
}

TEST(Functions, OverloadsThatDifferByAReferenceAreThoseThatWereChosen) {
    same(
        KERNEL(by_reference), [](float x) { return 2 * x; }, numbers<float>());
    same(
        KERNEL(by_value), [](float x) { return x + 1; }, numbers<float>());
    same(
        KERNEL(forwarded), [](float x) { return x + 1; }, numbers<float>());
}

TEST(Templates, AreSpecializedAsInTheSpec) {
    same(
        KERNEL(weighed), [](float x) { return x * 2.5f + 3 + 1; }, numbers<float>());
    same(
        KERNEL(constrained),
        [](float x) {
            return callables::halved_if_divisible(x) + 100 * callables::halved_if_divisible(static_cast<int>(x));
        },
        numbers<float>());
    EXPECT_EQ(callables::halved_if_divisible(3.0f), 1.5f);
}

TEST(Constants, OfStructuredBindings) {
    same(
        KERNEL(unpacked), [](float x) { return x * 0.5f + 4 + 3 * 0.25f - 2; }, numbers<float>());
}

TEST(Lambdas, TakeListsInBraces) {
    same(
        KERNEL(braced), [](float x) { return 2 * x * 2 + (3 * x * 3 + 1) + (3 * x * x + 5); }, numbers<float>());
}

TEST(Lambdas, AreHandedOn) {
    same(
        KERNEL(handed_on), [](float x) { return (0.0f + x + 1 + 2) + (x + 1.5f + 1.5f) + 6 * (0.5f * x) + (x + 1); },
        numbers<float>());
}

TEST(Lambdas, TakeWhatTheFunctionAroundThemHas) {
    same(KERNEL(from_object), callables::scale{3}, numbers<float>());
    same(
        KERNEL(from_lambda), [](float x) { return 3 * x + 3; }, numbers<float>());
    same(
        KERNEL(with_state), [](float x) { return 4 * x * 0.5f; }, numbers<float>());
}

TEST(Names, OfTypesMayBeThoseOfOperands) {
    const std::vector<float> x = numbers<float>();
    const std::vector<std::int32_t> n = numbers<std::int32_t>();
    const std::vector<float> products = named_as_types(x, n).to_host();
    std::vector<level> levels;
    for (const float one : x) levels.push_back({one});
    const std::vector<level> next = named_as_classes(levels, lane::right).to_host();
    for (std::size_t i = 0; i < x.size(); ++i) {
        ASSERT_EQ(products[i], x[i] * static_cast<float>(n[i])) << "at " << i;
        ASSERT_EQ(next[i].value, x[i] + 1) << "at " << i;
    }
    EXPECT_EQ(sum_of_levels(levels).value, std::accumulate(x.begin(), x.end(), 0.0f));
    raised(levels.size(), levels, lane::right);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(levels[i].value, x[i] + 1) << "at " << i;
}

TEST(Functions, FoldwisesNamesAreFoundByAUsingDirective) {
    const std::vector<float> x = numbers<float>();
    std::vector<unqualified::halved> out(x.size());
    unqualified::reversed(x.size(), x, out);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(float(out[i].value), x[x.size() - 1 - i]) << "at " << i;
}

TEST(Reductions, OfFunctionsAndObjects) {
    const std::vector<std::int64_t> n = numbers<std::int64_t>();
    EXPECT_EQ(run::sum(n), std::accumulate(n.begin(), n.end(), std::int64_t{0}));
    const std::vector<float> x = numbers<float>();
    EXPECT_EQ(run::sum(x), std::accumulate(x.begin(), x.end(), 0.0f));  // exact, as they are halves
    EXPECT_EQ(run::product(std::vector<std::int64_t>{3, -5, 7, 11}), -1155);
    EXPECT_EQ(run::any_bits(std::vector<std::uint32_t>{1, 4, 32}), 37u);
    EXPECT_EQ(run::largest(x), *std::max_element(x.begin(), x.end()));
    EXPECT_EQ(run::norm(std::vector{1.0, 2.0, 3.0}), 14);
    EXPECT_EQ(run::mixed_sum(std::vector{1.0f, 2.0f}), 9);
    EXPECT_EQ(run::sum_of_triples(std::vector{1.0f, 2.0f}), 9);
}

TEST(Tasks, OfFunctionsAndObjects) {
    const std::vector<float> x = numbers<float>();
    std::vector<float> out(x.size());
    run::reversed(x.size(), x, out);
    EXPECT_TRUE(std::equal(x.rbegin(), x.rend(), out.begin(), out.end()));
    run::shifted(out.size(), out);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(out[i], x[x.size() - 1 - i] + 1.5f) << "at " << i;
    std::vector<std::int32_t> levels(300);
    run::lit(levels.size(), levels);
    EXPECT_EQ(std::count(levels.begin(), levels.end(), 7), 300);
}

TEST(Text, OfStringViews) {
    const std::vector<callables::name> names = {{"alpha"}, {"beta"}, {"gamma"}, {"aardvar"},
                                                {"zebra"}, {""},     {"phial"}};
    std::vector<callables::name> all;
    std::vector<std::int32_t> places;
    for (std::int32_t i = 0; i < 210; ++i) {
        all.push_back(names[static_cast<std::size_t>(i) % names.size()]);
        places.push_back(i);
    }
    same(KERNEL(classified), callables::classified, all, places);
}

}  // namespace
