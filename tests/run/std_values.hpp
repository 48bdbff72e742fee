// tests/run/std_values.hpp: numbers for which functions are often wrong, and the distance between results.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string_view>
#include <type_traits>
#include <vector>

namespace std_values {

inline bool on_gpu() {
    const char* executor = std::getenv("FOLDWISE_EXECUTOR");
    return executor && std::string_view(executor) == "cuda";
}

/// Zeros, subnormal and huge numbers, neighbours of 1, the ends of exp's range, infinities and NaN, of both signs.
template <class T> std::vector<T> edges() {
    using limits = std::numeric_limits<T>;
    std::vector<T> values;
    for (const T x : {T(0),
                      limits::denorm_min(),
                      limits::min() / 2,
                      limits::min(),
                      T(1e-20),
                      T(1e-5),
                      T(0.3),
                      T(0.5),
                      1 - limits::epsilon(),
                      T(1),
                      1 + limits::epsilon(),
                      T(1.5),
                      T(2),
                      T(2.5),
                      T(3),
                      T(10),
                      T(37.5),
                      T(88.7),
                      T(104),
                      T(709.7),
                      T(745.2),
                      T(1e5),
                      T(8388609.5),
                      T(1e10),
                      limits::max() / 2,
                      limits::max(),
                      limits::infinity(),
                      limits::quiet_NaN()}) {
        values.push_back(x);
        values.push_back(-x);
    }
    return values;
}

/// The edges, and numbers from small intervals and from many magnitudes.
template <class T> std::vector<T> many(unsigned seed = 1) {
    std::vector<T> values = edges<T>();
    std::mt19937 rng(seed);
    std::uniform_real_distribution<double> near(-4, 4), wide(-120, 120), exponent(-30, 30);
    for (int i = 0; i < 300; ++i) values.push_back(static_cast<T>(near(rng)));
    for (int i = 0; i < 100; ++i) values.push_back(static_cast<T>(wide(rng)));
    for (int i = 0; i < 200; ++i) values.push_back(static_cast<T>((rng() % 2 ? 1 : -1) * std::exp2(exponent(rng))));
    return values;
}

/// How many numbers of type T lie between two; one of a NaN and another number is as far as can be.
template <class T> double distance(T got, T want) {
    if (std::isnan(got) || std::isnan(want)) return std::isnan(got) == std::isnan(want) ? 0 : 1e30;
    using bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    const auto place = [](T x) {
        const bits b = std::bit_cast<bits>(x);
        return b < 0 ? -static_cast<double>(b & std::numeric_limits<bits>::max()) : static_cast<double>(b);
    };
    const bits a = std::bit_cast<bits>(got), b = std::bit_cast<bits>(want);
    if ((a < 0) == (b < 0)) return static_cast<double>(a > b ? a - b : b - a);
    return std::abs(place(got) - place(want));
}

template <class T> bool identical(T got, T want) {
    if (std::isnan(got) || std::isnan(want)) return std::isnan(got) == std::isnan(want);
    return got == want && std::signbit(got) == std::signbit(want);
}

}  // namespace std_values
