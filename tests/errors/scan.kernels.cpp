// tests/errors/scan.kernels.cpp: scans whose parts are missing, do not fit or compute something else than they seem to.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <cstdint>

using namespace foldwise;

struct pair {
    float a, b;
};
struct large {
    double values[9];
};

constexpr auto plus = [](auto a, auto b) { return a + b; };

// expected-error@+1 {{combine of kernel 'one' takes two accumulators and makes them one; this lambda has 1 parameter [FW030]}}
auto one = scan<float>([](float a) { return a; }, identity(0));
// expected-error@+1 {{kernel 'none' has no identity: add foldwise::identity(value), lowest or highest, or no_identity if folding nothing is to be an error [FW031]}}
auto none = scan<float>([](float a, float b) { return a + b; });
// expected-error@+1 {{kernel 'mapped' has no combine: give it a lambda or function of two accumulators [FW032]}}
auto mapped = scan<float>(map([](float x) { return x; }), identity(0));
// expected-error@+1 {{kernel 'number' is given '0', which is no part: write foldwise::identity(0) [FW032]}}
auto number = scan<float>(plus, 0);
// expected-error@+1 {{kernel 'untyped' has no signature: write its elements' type, as in foldwise::scan<float>(...) [FW032]}}
auto untyped = scan<>([](float a, float b) { return a + b; }, identity(0));
// expected-error@+1 {{kernel 'two_inputs' has several inputs and no map: add foldwise::map(...), which makes an accumulator of them [FW032]}}
auto two_inputs = scan<float(float, float)>(plus, identity(0));
// expected-error@+1 {{kernel 'no_inputs' has a signature without elements, and no map that takes an index [FW032]}}
auto no_inputs = scan<std::int64_t()>(map([]() -> std::int64_t { return 1; }), plus, identity(0));
// expected-error@+1 {{map of kernel 'unmapped' cannot be called with 'float': the lambda takes 2 parameters, and the signature has 1 element; write foldwise::scan<float(float, float)>(...) [FW033]}}
auto unmapped = scan<float>(map([](float x, float y) { return x * y; }), plus, identity(0));
// expected-error@+1 {{map of kernel 'to_pair' returns 'pair', which does not convert to the accumulator 'float': begin the signature with 'pair', or add a foldwise::finish(...), which makes the result of it [FW034]}}
auto to_pair = scan<float>(map([](float x) { return pair{x, x}; }), plus, identity(0));
// expected-error@+2 {{'large' cannot be an accumulator: it has 72 bytes, and a thread keeps up to 64 in registers [FW035]}}
auto too_large = scan<float(float)>(
    map([](float x) { return large{{x}}; }), [](large a, large) { return a; },
    finish([](large l) { return l.values[0]; }), no_identity);
// expected-error@+1 {{signature 'float (float)' of kernel 'same' is given twice [FW003]}}
auto same = scan<float, float(float)>(plus, identity(0));
// expected-warning@+1 {{combine of kernel 'minus' is not associative: combine(combine(2, 2), 2) is -2, and combine(2, combine(2, 2)) is 2; the result depends on how elements are grouped [FW036, -Wnot-associative]}}
auto minus = scan<float>([](float a, float b) { return a - b; }, no_identity);
// expected-warning@+1 {{0 is not an identity of kernel 'product': combine(0, 2) is 0 [FW037, -Wwrong-identity]}}
auto product = scan<double>([](double a, double b) { return a * b; }, identity(0));
// expected-warning@+1 {{kernel 'bytes' sums 'std::int8_t' in 'std::int8_t', which overflows after 1 element of 127: give the sum more room, as in foldwise::scan<std::int64_t(std::int8_t)> [FW038, -Wnarrow-sum]}}
auto bytes = scan<std::int8_t>([](auto a, auto b) { return a + b; }, identity(0));
