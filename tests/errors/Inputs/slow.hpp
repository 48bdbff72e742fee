// tests/errors/Inputs/slow.hpp: what the generator warns of, each two calls deep in a header.
#pragma once

#include <cstdint>

namespace slow {

// expected-warning@+1 {{'3.3' makes this a computation in double, which 'float(float)' has no operand of}}
inline float in_double(float x) { return static_cast<float>(x * 3.3); }

inline int depth(int n) {
    return n == 0 ? 0 : 1 + depth(n - 1);  // expected-note {{'slow::depth' calls 'slow::depth' here}}
}

inline float root(float x) {
    float found = x;
    // expected-warning@+1 {{nothing that can be seen bounds this loop}}
    while (found * found > x) found = 0.5f * (found + x / found);
    return found;
}

inline std::int64_t digits(std::int64_t n, std::int64_t base) {
    int count = 0;
    if (base < 2) base = 2;  // a parameter might be a constant, once calls are inline
    while (n > 0) {
        n /= base;  // expected-warning {{'/=' of 64-bit integers in a loop}}
        ++count;
    }
    return count;
}

inline int most(std::uint64_t digits) {
    int counts[8] = {};
    // expected-warning@+1 {{'counts' lives in local memory}}
    for (int i = 0; i < 21; ++i, digits >>= 3) counts[digits & 7] += 1;
    return counts[0];
}

inline float computation(float x) { return in_double(x); }  // expected-note {{called from here}}
inline int recursion(int n) { return depth(n); }  // expected-note {{'slow::recursion' calls 'slow::depth' here}}
inline float loop(float x) { return root(x); }    // expected-note {{called from here}}
inline std::int64_t division(std::int64_t n, std::int64_t base) {
    return digits(n, base);  // expected-note {{called from here}}
}
inline int array(std::uint64_t digits) { return most(digits); }  // expected-note {{called from here}}

}  // namespace slow
