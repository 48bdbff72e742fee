// tests/errors/reduce_types.kernels.cpp: parts of a reduction whose types do not fit each other.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

using namespace foldwise;

struct pair {
    float a, b;
};
struct large {
    double values[9];
};
struct fixed {
    const float value;
};
struct owner {
    float* memory;
    owner(const owner& other);
};

constexpr auto plus = [](auto a, auto b) { return a + b; };
constexpr auto first = [](auto a, auto) { return a; };

// expected-error@+1 {{map of kernel 'unmapped' cannot be called with 'float': the lambda takes 2 parameters, and the signature has 1 element; write foldwise::reduce<float(float, float)>(...) [FW033]}}
auto unmapped = reduce<float>(map([](float x, float y) { return x * y; }), plus, identity(0));
// expected-error@+1 {{map of kernel 'indexed' cannot be called with 'float': the lambda takes 2 parameters, and the signature has 1 element; write foldwise::reduce<float(float, float)>(...), or foldwise::index<1> as the type of parameter 'i' if that is the element's position [FW033]}}
auto indexed = reduce<float>(map([](std::int64_t i, float x) { return i * x; }), plus, identity(0));
// expected-error@+1 {{combine of kernel 'uncombined' cannot be called with 'float' and 'float': its parameter 'a' is 'pair', to which 'float' does not convert [FW033]}}
auto uncombined = reduce<float>([](pair a, pair) { return a; }, no_identity);
// expected-error@+1 {{finish of kernel 'unfinished' cannot be called with 'float': its parameter 'p' is 'pair', to which 'float' does not convert [FW033]}}
auto unfinished = reduce<float>(plus, identity(0), finish([](pair p) { return p.a; }));

// expected-error@+1 {{map of kernel 'to_pair' returns 'pair', which does not convert to the accumulator 'float': begin the signature with 'pair', or add a foldwise::finish(...), which makes the result of it [FW034]}}
auto to_pair = reduce<float>(map([](float x) { return pair{x, x}; }), plus, identity(0));
// expected-error@+1 {{an element of kernel 'element' is 'float', which does not convert to the accumulator 'pair': add foldwise::map(...), which makes an accumulator of an element [FW034]}}
auto element = reduce<pair(float)>(first, no_identity);
// expected-error@+1 {{combine of kernel 'not_back' returns 'pair', which does not convert to the accumulator 'float' [FW034]}}
auto not_back = reduce<float>([](float a, float b) { return pair{a, b}; }, identity(0));
// expected-error@+1 {{finish of kernel 'no_result' returns 'pair', which does not convert to the result 'float' [FW034]}}
auto no_result = reduce<float>(plus, identity(0), finish([](float a) { return pair{a, a}; }));
// expected-error@+1 {{the identity of kernel 'from_number' is 'int', which does not convert to the accumulator 'pair': write one, as in foldwise::identity(pair{}) [FW034]}}
auto from_number = reduce<pair>([](pair a, pair) { return a; }, identity(0));
// expected-error@+1 {{kernel 'unlimited' has for an identity the lowest value of its accumulator 'pair', which is no number: write one, as in foldwise::identity(pair{...}) [FW032]}}
auto unlimited = reduce<pair>([](pair a, pair) { return a; }, lowest);

// expected-error@+1 {{'large' cannot be an accumulator: it has 72 bytes, and a thread keeps up to 64 in registers [FW035]}}
auto too_large = reduce<float(float)>(map([](float x) { return large{{x}}; }), first,
                                      finish([](large l) { return l.values[0]; }), no_identity);
// expected-error@+1 {{'owner' cannot be an element of an array: it is not trivially copyable, because it has a copy or move constructor of its own, and elements are copied as bytes to where a kernel runs [FW007]}}
auto owners = reduce<owner>(first, no_identity);
// expected-error@+2 {{'fixed' cannot be an accumulator: its member 'value' is const, and elements and accumulators are assigned to [FW035]}}
auto fixed_sum = reduce<float(float)>(
    map([](float x) { return fixed{x}; }), [](fixed a, fixed b) { return fixed{a.value + b.value}; },
    finish([](fixed f) { return f.value; }), no_identity);

// expected-error@+1 {{'std::pair<float, float *>' cannot be an element of an array: its member 'float *' cannot be stored: a kernel is given arrays as operands, not pointers [FW007]}}
auto of_pointers = reduce<std::pair<float, float*>(float)>(
    map([](float x) { return std::pair<float, float*>(x, nullptr); }), first, no_identity);
// expected-error@+1 {{'std::tuple<const float &>' cannot be an accumulator: its member 'const float &' cannot be stored: it is a reference [FW035]}}
auto of_references = reduce<float(float)>(map([](const float& x) { return std::tie(x); }), first,
                                          finish([](auto t) { return std::get<0>(t); }), no_identity);
// expected-error@+1 {{'std::tuple<int, std::basic_string<char>>' cannot be an accumulator: its member 'std::basic_string<char, std::char_traits<char>, std::allocator<char>>' cannot be stored: it is not trivially copyable, and elements are copied as bytes to where a kernel runs [FW035]}}
auto of_strings = reduce<int(int)>(map([](int x) { return std::tuple(x, std::string()); }), first,
                                   finish([](auto t) { return std::get<0>(t); }), no_identity);
// expected-error@+1 {{'std::pair<const int, float>' cannot be an accumulator: its member 'first' is const, and elements and accumulators are assigned to [FW035]}}
auto of_constants = reduce<int(int)>(map([](int x) { return std::pair<const int, float>(x, 0); }), first,
                                     finish([](auto t) { return t.first; }), no_identity);
// expected-error@+1 {{'std::pair<float, float>' cannot be an element of an array: it is not trivially copyable, and elements are copied as bytes to where a kernel runs; a struct with these members is, and so is each member as a parameter of its own [FW007]}}
auto inputs = reduce<std::pair<float, float>>(first, no_identity);
