// tests/errors/slow_in_a_header.kernels.cpp: the warnings of Inputs/slow.hpp, whose notes lead back to the kernels.
// RUN: %warned -Wunbounded-loop
#include <foldwise/spec.hpp>

#include "Inputs/slow.hpp"

// expected-note@+1 {{called from here}}
auto computation = foldwise::vectorize([](float x) { return slow::computation(x); });
// expected-warning@+1 {{'slow::depth' is recursive}}
auto recursion = foldwise::vectorize([](int n) { return slow::recursion(n); });
// expected-note@+1 {{called from here}}
auto loop = foldwise::vectorize([](float x) { return slow::loop(x); });
// expected-note@+1 {{called from here}}
auto division = foldwise::vectorize([](std::int64_t n, std::int64_t base) { return slow::division(n, base); });
// expected-note@+1 {{called from here}}
auto array = foldwise::vectorize([](std::uint64_t digits) { return slow::array(digits); });
