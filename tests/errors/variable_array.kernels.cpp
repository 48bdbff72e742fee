// tests/errors/variable_array.kernels.cpp: local arrays whose size only a running kernel knows. Clang, which allows
// them, says nothing of them, whatever its options are.
// RUN: %refused
// RUN: %refused -Wall -Wpedantic -Werror
#include <foldwise/spec.hpp>

#include <cstdint>

auto sorted = foldwise::guvectorize("(n)->()", [](foldwise::view<const float, 1> x, float& median) {
    // expected-error@+1 {{'window' has a number of elements that only a running kernel knows: an array in a kernel has a fixed size, as in float window[16]; the items of foldwise::blocks share memory of any size, as in b.shared<float>(n) [FW110]}}
    float window[x.size()];
    for (std::int64_t i = 0; i < x.extent(0); ++i) window[i] = x[i];
    median = window[x.extent(0) / 2];
});
// In tasks, in a function that is called, and in a generic lambda.
auto row = foldwise::forall([](foldwise::index<1> i, foldwise::view<const double, 2> x, foldwise::view<double, 1> out) {
    // expected-error@+1 {{as in double tmp[16]; the items of foldwise::blocks share memory of any size, as in b.shared<double>(n) [FW110]}}
    double tmp[x.extent(1)];
    for (std::int64_t k = 0; k < x.extent(1); ++k) tmp[k] = x(i, k);
    out[i] = tmp[0];
});
inline int counted(int n) {
    int numbers[n];  // expected-error {{'numbers' has a number of elements}}
    numbers[0] = n;
    return numbers[0];
}
auto called = foldwise::vectorize([](int n) { return counted(n); });  // expected-note {{called from here}}
auto generic = foldwise::vectorize<int(int)>([](auto n) {
    int numbers[n];  // expected-error {{'numbers' has a number of elements}}
    numbers[0] = n;
    return numbers[0];
});
// In a block, between the phases and in one of them.
auto between = foldwise::blocks<64>([](foldwise::block<1> b, foldwise::view<float, 1> x, int n) {
    float tmp[n];  // expected-error {{'tmp' has a number of elements}}
    b.each([&](foldwise::index<1> t) { tmp[t] = x[b.at(t)]; });
});
auto within = foldwise::blocks<64>([](foldwise::block<1> b, foldwise::view<float, 1> x, int n) {
    b.each([&](foldwise::index<1> t) {
        float tmp[n];  // expected-error {{'tmp' has a number of elements}}
        tmp[0] = 1;
        if (x.has(b.at(t))) x[b.at(t)] = tmp[0];
    });
});
