// bench/babelstream_rules.hpp: what BabelStream's kernels work on.
#pragma once

#include <cstdint>

namespace babelstream {

enum class step { copy, mul, add, triad, dot, nstream };

template <class T> struct arrays {
    T *a, *b, *c;
    std::int64_t n;
};

template <class T> inline constexpr T scalar = T(0.4);
template <class T> inline constexpr T initial_a = T(0.1);
template <class T> inline constexpr T initial_b = T(0.2);
template <class T> inline constexpr T initial_c = T(0);

}  // namespace babelstream
