// tests/errors/std_host_only.kernels.cpp: what device code lacks of the standard library.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <variant>

// <cmath>: more special functions, and long double.
auto more = foldwise::vectorize([](double x) {
    double sum = 0;
    sum += std::sph_legendre(2, 1, x);       // expected-error {{'std::sph_legendre' does not exist}}
    sum += std::sph_neumann(2, x);           // expected-error {{'std::sph_neumann' does not exist}}
    sum += std::nexttoward(x, 1.0L);         // expected-error {{'nexttoward' does not exist}}
    sum += std::nexttoward(float(x), 1.0L);  // expected-error {{'std::nexttoward' does not exist}}
    sum += double(std::sqrt(2.0L));          // expected-error {{'std::sqrt' does not exist}}
    return sum;
});

// Errors are thrown here, which device code cannot.
auto thrown = foldwise::vectorize([](float x) {
    const std::array<float, 2> pair{x, x};
    const std::optional<float> value = x;
    const std::variant<int, float> either = x;
    // expected-note@+1 {{'std::array<float, 2>::at' needs 'std::__throw_out_of_range_fmt', which device code does not have}}
    return pair.at(1)  // expected-error {{'std::array<float, 2>::at' does not exist}}
           // expected-note@+1 {{'std::optional<float>::value' needs}}
           + value.value()  // expected-error {{'std::optional<float>::value' does not exist}}
           // expected-note@+1 {{'std::get' needs}}
           + std::get<1>(either);  // expected-error {{'std::get' does not exist}}
});

// There are things that only a host has.
auto host_only = foldwise::vectorize([](int x) {
    const std::atomic<int> atomic(x);
    return atomic.load()   // expected-error {{'std::__atomic_base<int>::load' does not exist}}
           + std::rand();  // expected-error {{'rand' does not exist}}
});

// CUDA has atomic operations of 4 and 8 bytes, and nobody to wake.
auto small_atomics = foldwise::vectorize([](int x) {
    std::int16_t word = 1;
    std::atomic_ref<std::int16_t> small(word);  // expected-error {{'std::atomic_ref<short>::atomic_ref' does not}}
    small.fetch_add(1);                         // told already
    std::atomic_ref<int> whole(x);
    whole.wait(1);       // expected-error {{'std::__atomic_ref<int>::wait' does not exist}}
    whole.notify_one();  // expected-error {{'std::__atomic_ref<int>::notify_one' does not exist}}
    whole.notify_all();  // expected-error {{'std::__atomic_ref<int>::notify_all' does not exist}}
    return whole.load() + word;
});
