// tests/unit/runtime/device/pack_test.cpp: elements are the same however they are loaded and stored.
#define FOLDWISE_SIMULATOR 1
#include <foldwise/bfloat16.hpp>
#include <foldwise/device/pack.hpp>
#include <foldwise/half.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using foldwise::device_code::arrival;

/// Loads neighbours in each way that there is.
template <class T, int N> void expect_the_same() {
    alignas(16) T from[N];
    for (int k = 0; k < N; ++k) from[k] = static_cast<T>(static_cast<float>(3 * k - 7));
    arrival<T, N> together, apart, repeated;
    together.load(from);
    for (int k = 0; k < N; ++k) apart.set(k, from[k]);
    repeated.repeat(from[N - 1]);
    for (arrival<T, N>* one : {&together, &apart, &repeated}) one->settle();
    for (int k = 0; k < N; ++k) {
        EXPECT_EQ(static_cast<float>(T(together[k])), static_cast<float>(from[k])) << N << " together, " << k;
        EXPECT_EQ(static_cast<float>(T(apart[k])), static_cast<float>(from[k])) << N << " apart, " << k;
        EXPECT_EQ(static_cast<float>(T(repeated[k])), static_cast<float>(from[N - 1])) << N << " repeated, " << k;
    }
}

}  // namespace

TEST(Arrival, ElementsAreTheSameHoweverTheyWereLoaded) {
    expect_the_same<std::int8_t, 16>();
    expect_the_same<std::int8_t, 4>();
    expect_the_same<std::uint8_t, 8>();
    expect_the_same<std::int16_t, 8>();
    expect_the_same<std::uint16_t, 2>();
    expect_the_same<foldwise::half, 8>();
    expect_the_same<foldwise::bfloat16, 4>();
    expect_the_same<float, 4>();
    expect_the_same<double, 2>();
    expect_the_same<std::int8_t, 1>();
    expect_the_same<std::int16_t, 1>();
    expect_the_same<std::int8_t, 3>();
}
