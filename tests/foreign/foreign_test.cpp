// tests/foreign/foreign_test.cpp: the kernels of functions.def against the libraries' own functions on the host.
#include "foreign.kernels.hpp"
#include "libraries.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace {

template <class T> std::vector<T> samples(unsigned seed) {
    std::vector<T> values;
    for (const int edge : {0, 1, -1, 2, -2, 7, -7}) values.push_back(static_cast<T>(edge));
    std::mt19937 rng(seed);
    while (values.size() < 1000) {
        const auto random = static_cast<std::int32_t>(rng());
        if constexpr (std::is_integral_v<T>)
            values.push_back(static_cast<T>(random));
        else
            values.push_back(static_cast<T>(random % 32768) / 256);
    }
    return values;
}

template <class T> void expect_same(T got, T want) {
    if constexpr (std::is_integral_v<T>)
        EXPECT_EQ(got, want);
    else
        EXPECT_NEAR(got, want, 4e-4 * (1 + std::abs(want)));  // contraction to fused multiply-add
}

template <class Out, class... In, class Kernel> void compare(Kernel kernel, Out (*reference)(In...)) {
    unsigned seed = 0;
    const std::tuple<std::vector<In>...> inputs{samples<In>(++seed)...};
    const std::vector<Out> got = std::apply(kernel, inputs).to_host();
    for (std::size_t i = 0; i < got.size() && !testing::Test::HasFailure(); ++i) {
        SCOPED_TRACE(i);
        expect_same<Out>(got[i], std::apply([&](const auto&... in) { return reference(in[i]...); }, inputs));
    }
    ASSERT_EQ(got.size(), 1000u);
}

}  // namespace

#define WORKS(name, signature, parameters, ...)                                                                        \
    TEST(foreign, name) {                                                                                              \
        compare([](const auto&... in) { return foreign::name(in...); },                                                \
                std::type_identity_t<std::add_pointer_t<signature>>([] parameters { return __VA_ARGS__; }));           \
    }
#include "functions.def"
