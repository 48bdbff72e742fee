// tests/errors/fold_in_place.kernels.cpp: parts that change what they are given, or return nothing.
// RUN: %refused
#include <foldwise/spec.hpp>

using namespace foldwise;

constexpr auto plus = [](auto a, auto b) { return a + b; };

// expected-error@+1 {{combine of kernel 'in_place' cannot be called with 'float' and 'float': its parameter 'a' is 'float &', a reference that could be written to; take it by value or by const reference, and return the result [FW033]}}
auto in_place = reduce<float>([](float& a, float b) { a += b; }, identity(0));
// expected-error@+1 {{map of kernel 'changed' cannot be called with 'float': its parameter 'x' is 'float &', a reference that could be written to; take it by value or by const reference [FW033]}}
auto changed = reduce<float>(map([](float& x) { return x *= 2; }), plus, identity(0));
// expected-error@+1 {{combine of kernel 'void_combine' returns nothing; it must return the accumulator, 'float' [FW034]}}
auto void_combine = reduce<float>([](float a, float b) { a += b; }, identity(0));
// expected-error@+1 {{map of kernel 'void_map' returns nothing; it must return the accumulator, 'float' [FW034]}}
auto void_map = scan<float>(map([](float) {}), plus, identity(0));
// expected-error@+1 {{finish of kernel 'void_finish' returns nothing; it must return the result, 'float' [FW034]}}
auto void_finish = reduce<float>(plus, identity(0), finish([](float) {}));
