// bench/babelstream_check.hpp: BabelStream's rule for results: the same steps on single numbers, and how far off arrays
// and dot may be.
#pragma once

#include "babelstream_rules.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace babelstream {

template <class T> struct expected {
    T a = initial_a<T>, b = initial_b<T>, c = initial_c<T>, dot = 0;

    void run(step what, std::int64_t n) {
        switch (what) {
        case step::copy:
            c = a;
            break;
        case step::mul:
            b = scalar<T> * c;
            break;
        case step::add:
            c = a + b;
            break;
        case step::triad:
            a = b + scalar<T> * c;
            break;
        case step::nstream:
            a += b + scalar<T> * c;
            break;
        case step::dot:
            dot = a * b * static_cast<T>(n);
            break;
        }
    }
};

template <class T> bool is_near(T value, T expected, double epsilons) {
    const T largest = std::max(std::abs(value), std::abs(expected));
    return std::abs(value - expected) <= largest * std::numeric_limits<T>::epsilon() * static_cast<T>(epsilons);
}

template <class T> bool is_near_in_arrays(std::span<const T> values, T expected) {
    return std::all_of(values.begin(), values.end(), [&](T value) { return is_near(value, expected, 100); });
}

template <class T> bool is_near_as_dot(T value, T expected) { return is_near(value, expected, 1e7); }

}  // namespace babelstream
