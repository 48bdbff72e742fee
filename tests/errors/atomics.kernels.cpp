// tests/errors/atomics.kernels.cpp: std::atomic_ref of elements that are only read, and of sizes that GPUs have no
// atomic operations of. Each kernel is told once.
// RUN: %refused
// RUN: %refused -DSIZES
#include <foldwise/spec.hpp>

#include <atomic>
#include <cstdint>

#ifndef SIZES

auto summed = foldwise::forall([](foldwise::index<1> i, foldwise::view<const float, 1> x) {
    // expected-error@+1 {{this changes an element that is only read: a view<const T, N> is only read, and a kernel writes to a view<T, N> [FW076]}}
    std::atomic_ref(x[i]).fetch_add(1.0f);
});
auto counted = foldwise::forall([](foldwise::index<1> i, foldwise::view<const int, 1> x) {
    const std::atomic_ref at(x[i]);
    // expected-error@+1 {{this changes an element that is only read}}
    at.store(at.load());
});

#else

auto bytes = foldwise::forall([](foldwise::index<1> i, foldwise::view<std::uint8_t, 1> x) {
    // expected-error-re@+1 {{'{{.*}}' does not exist in device code: atomic operations of GPUs are of 4 and 8 bytes: take a view of such elements, as of std::uint32_t in place of bytes [FW013]}}
    std::atomic_ref(x[i]).fetch_add(1);
});
auto halves = foldwise::forall([](foldwise::index<1> i, foldwise::view<std::uint16_t, 1> x) {
    const std::atomic_ref at(x[i]);  // expected-error {{atomic operations of GPUs are of 4 and 8 bytes}}
    at.store(1);
});
// What no size has.
auto waiting = foldwise::forall([](foldwise::index<1> i, foldwise::view<int, 1> x) {
    // expected-error-re@+1 {{'{{.*}}wait' does not exist in device code [FW013]}}
    std::atomic_ref(x[i]).wait(1);
});

#endif
