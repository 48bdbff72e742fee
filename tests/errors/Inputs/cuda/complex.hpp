// tests/errors/Inputs/cuda/complex.hpp: complex numbers as Thrust has them, in a header that says itself that it is a
// system's. Those that it includes are, too, from their first line on.
#pragma once
#pragma GCC system_header

#include "config.hpp"

namespace thrust {
template <class T> struct complex {
    T re, im;
    constexpr T real() const { return re; }
    constexpr complex operator*(const complex& other) const {
        return {re * other.re - im * other.im, re * other.im + im * other.re};
    }
};
template <class T> constexpr T norm(const complex<T>& z) { return z.re * z.re + z.im * z.im; }
}  // namespace thrust
