// tests/errors/wide_division.kernels.cpp: 64-bit divisions in loops, by what is not known while compiling.
// RUN: %warned
#include <foldwise/spec.hpp>

#include <cstddef>
#include <cstdint>

auto divides = foldwise::vectorize([](std::int64_t n, std::int64_t base) {
    int digits = 0;
    for (; n != 0; ++digits) {
        // expected-warning@+1 {{'/' of 64-bit integers in a loop: some 100 instructions each time on a GPU [FW023, -Wwide-division]}}
        n = n / base;
    }
    return digits;
});
auto remainders = foldwise::vectorize([](std::int64_t n, int modulus) {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += i % modulus;  // expected-warning {{'%' of 64-bit integers in a loop}}
    while (n % modulus != 0) ++n;                             // expected-warning {{'%' of 64-bit integers in a loop}}
    do {
        n /= modulus;  // expected-warning {{'/=' of 64-bit integers in a loop}}
    } while (n > 9);
    return sum + n;
});
inline std::size_t wrapped(std::size_t i, std::size_t n) {
    if (n == 0) n = 1;
    return i % n;  // expected-warning {{'%' of 64-bit integers}}
}
auto deep = foldwise::vectorize([](std::uint32_t n) {
    std::size_t sum = 0;
    for (std::uint32_t i = 0; i < n; ++i) sum += wrapped(i, n);  // expected-note {{called from here}}
    return sum;
});

// ---- Silent: by a constant, of 32 bits, or once ---------------------------------------------------------------------

constexpr std::int64_t base = 10;
inline std::int64_t quotient(std::int64_t n, std::int64_t by) { return n / by; }  // by a constant, once it is inline
auto silent = foldwise::vectorize([](std::int64_t n, std::int32_t narrow, std::int32_t modulus) {
    const std::int64_t seven = 7;
    std::int64_t sum = n / narrow;
    for (int i = 0; i < modulus; ++i) sum += n % 10 + n / base + n % seven + narrow % modulus;
    for (int i = 1; i < 9; ++i) sum += n % i + quotient(n, 10);  // unrolled
    for (std::int64_t i = n / narrow; i > 0; i /= 2) sum += static_cast<std::int64_t>(static_cast<double>(n) / i);
    return sum;
});
