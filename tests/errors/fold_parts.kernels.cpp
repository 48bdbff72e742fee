// tests/errors/fold_parts.kernels.cpp: parts of a reduction that are missing, too many, or no parts.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <cstdint>
#include <limits>

using namespace foldwise;

constexpr auto plus = [](auto a, auto b) { return a + b; };

// expected-error@+1 {{combine of kernel 'one' takes two accumulators and makes them one; this lambda has 1 parameter [FW030]}}
auto one = reduce<float>([](float a) { return a; }, identity(0));
// expected-error@+1 {{combine of kernel 'three' takes two accumulators and makes them one; this lambda has 3 parameters [FW030]}}
auto three = reduce<float>(combine([](auto a, auto b, auto c) { return a + b + c; }), identity(0));

// expected-error@+1 {{kernel 'none' has no identity: add foldwise::identity(value), lowest or highest, or no_identity if folding nothing is to be an error [FW031]}}
auto none = reduce<float>([](float a, float b) { return a + b; });

// expected-error@+1 {{kernel 'mapped' has no combine: give it a lambda or function of two accumulators [FW032]}}
auto mapped = reduce<float>(map([](float x) { return x; }), identity(0));
// expected-error@+1 {{kernel 'twice' is given two parts for combine: what is computed of each element goes into foldwise::map(...) [FW032]}}
auto twice = reduce<float>(plus, combine(plus), identity(0));
// expected-error@+1 {{kernel 'two_maps' is given two parts for map [FW032]}}
auto two_maps = reduce<float>(map([](float x) { return x; }), map([](float x) { return x; }), plus, identity(0));
// expected-error@+1 {{kernel 'two_identities' has two identities [FW032]}}
auto two_identities = reduce<float>(plus, identity(0), no_identity);
// expected-error@+1 {{kernel 'number' is given '0', which is no part: write foldwise::identity(0) [FW032]}}
auto number = reduce<float>(plus, 0);
// expected-error@+1 {{kernel 'untyped' has no signature: write its elements' type, as in foldwise::reduce<float>(...) [FW032]}}
auto untyped = reduce<>([](float a, float b) { return a + b; }, identity(0));
// expected-error@+1 {{kernel 'two_inputs' has several inputs and no map: add foldwise::map(...), which makes an accumulator of them [FW032]}}
auto two_inputs = reduce<float(float, float)>(plus, identity(0));
// expected-error@+1 {{kernel 'no_inputs' has a signature without elements, and no map that takes an index [FW032]}}
auto no_inputs = reduce<std::int64_t()>(map([]() -> std::int64_t { return 1; }), plus, identity(0));
namespace other {
constexpr auto zero = identity(0);
}
// expected-error@+1 {{kernel 'elsewhere' has an identity that is not written as foldwise::identity(value) among its parts [FW032]}}
auto elsewhere = reduce<float>(plus, other::zero);
constexpr auto zero = identity(0);
auto beside = reduce<float>(plus, zero);

float measured = 2;
// expected-error@+1 {{the lambda of kernel 'capturing' has a capture whose value is not known while compiling}}
auto capturing = reduce<float>([gain = measured](float a, float b) { return gain * (a + b); }, identity(0));
// expected-error@+1 {{signature 'float (float)' of kernel 'same' is given twice [FW003]}}
auto same = reduce<float, float(float)>(plus, identity(0));

// The identity is the number that is written, in every signature, whatever its type is.
// expected-error@+1 {{the identity of kernel 'halved' is 0.5, which no accumulator 'std::int32_t' can hold [FW034]}}
auto halved = reduce<int>(plus, identity(0.5));
// expected-error@+1 {{the identity of kernel 'huge' is 1.0E+30, which no accumulator 'std::int32_t' can hold [FW034]}}
auto huge = reduce<float, int>([](auto a, auto b) { return b < a ? b : a; }, identity(1e30));
// expected-error@+2 {{the identity of kernel 'least' is -3.40282E+38, which no accumulator 'std::int64_t' can hold [FW034]}}
auto least =
    scan<std::int64_t>([](auto a, auto b) { return a < b ? b : a; }, identity(std::numeric_limits<float>::lowest()));
// expected-error@+1 {{the identity of kernel 'wide' is 300, which no accumulator 'std::uint8_t' can hold [FW034]}}
auto wide = reduce<std::uint8_t>([](auto a, auto b) { return a < b ? b : a; }, identity(300));
// expected-error@+2 {{the identity of kernel 'negative' is -1, which no accumulator 'std::uint32_t' can hold [FW034]}}
auto negative = scatter<unsigned(int)>(
    map([](int x) { return at(x, 1u); }), [](auto a, auto b) { return a & b; }, identity(-1));
auto whole = reduce<float, int>(plus, identity(0.0));
auto rounded = reduce<float>([](float a, float b) { return b < a ? b : a; }, identity(16777217.1));
auto all = scan<std::uint8_t>([](auto a, auto b) -> std::uint8_t { return a & b; }, identity(255));
