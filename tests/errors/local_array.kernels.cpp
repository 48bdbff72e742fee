// tests/errors/local_array.kernels.cpp: local arrays that cannot live in registers.
// RUN: %warned
#include <foldwise/spec.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

auto histogram = foldwise::vectorize([](std::uint64_t digits) {
    int counts[8] = {};
    // expected-warning@+1 {{'counts' lives in local memory, which is as slow as global memory: this index is only known when the loop runs [FW024, -Wlocal-array]}}
    for (int i = 0; i < 21; ++i, digits >>= 3) counts[digits & 7] += 1;
    int most = 0;
    for (int count : counts) most = count > most ? count : most;
    return most;
});
auto runsTo = foldwise::vectorize([](float x, int n) {
    std::array<float, 16> powers{};
    powers[0] = x;
    // expected-warning@+1 {{'powers' lives in local memory}}
    for (int i = 1; i < n; ++i) powers[static_cast<std::size_t>(i)] = x * powers[static_cast<std::size_t>(i - 1)];
    return powers[15];
});
struct Polynomial {
    float coefficients[12];
};
inline float evaluate(Polynomial p, int degree, float x) {
    float sum = 0;
    for (; degree >= 0; --degree)
        sum = sum * x + p.coefficients[degree];  // expected-warning {{'p' lives in local memory}}
    return sum;
}
// expected-note@+1 {{called from here}}
auto evaluated = foldwise::vectorize([](Polynomial p, float x, int degree) { return evaluate(p, degree % 12, x); });
auto large = foldwise::vectorize([](float x) {
    // expected-warning@+1 {{'window' lives in local memory, which is as slow as global memory: its 1156 bytes are more than a thread's registers hold}}
    float window[17][17];
    for (int i = 0; i < 17; ++i)
        for (int j = 0; j < 17; ++j) window[i][j] = x * static_cast<float>(i + j);
    return window[3][4];
});

// ---- Silent: indices that unrolling makes constants, small arrays, and those that are read but once -----------------

auto median = foldwise::vectorize([](std::array<float, 9> window, float x) {
    float sorted[9];
    for (std::size_t i = 0; i < 9; ++i) sorted[i] = window[i] + x;
    for (int i = 1; i < 9; ++i)
        for (int j = i; j > 0 && sorted[j - 1] > sorted[j]; --j) {
            const float greater = sorted[j - 1];
            sorted[j - 1] = sorted[j];
            sorted[j] = greater;
        }
    int k = 0;
    while (k < 8) {
        const int next = k + 1;
        sorted[k] += sorted[next];
        k += 2;
    }
    return sorted[9 / 2];
});
inline float element(const std::array<float, 9>& values, std::size_t i) { return values[i]; }
auto inlined = foldwise::vectorize([](std::array<float, 9> values) {
    float sum = 0;
    for (std::size_t i = 0; i < 9; ++i) sum += element(values, i);
    return sum;
});
auto small = foldwise::vectorize([](std::uint64_t digits) {
    int counts[4] = {};
    for (int i = 0; i < 21; ++i, digits >>= 2) counts[digits & 3] += 1;
    return counts[0];
});
auto chosen =
    foldwise::vectorize([](std::array<float, 8> values, int i) { return values[static_cast<std::size_t>(i & 7)]; });
auto table = foldwise::vectorize([](std::uint32_t n) {
    static constexpr int weights[8] = {1, 3, 9, 27, 81, 243, 729, 2187};
    int sum = 0;
    for (; n != 0; n >>= 3) sum += weights[n & 7];
    return sum;
});
