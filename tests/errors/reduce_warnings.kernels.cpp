// tests/errors/reduce_warnings.kernels.cpp: reductions that compute something else than they seem to. They are
// generated all the same.
// RUN: %warned
#include <foldwise/spec.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>

using namespace foldwise;
using tuples = std::tuple<int, std::pair<int, int>>;

// expected-warning@+1 {{combine of kernel 'minus' is not associative: combine(combine(2, 2), 2) is -2, and combine(2, combine(2, 2)) is 2; the result depends on how elements are grouped [FW036, -Wnot-associative]}}
auto minus = reduce<float>([](float a, float b) { return a - b; }, no_identity);
// expected-warning@+1 {{combine of kernel 'over' is not associative}}
auto over = reduce<double>([](auto a, auto b) { return a / b; }, no_identity);
// expected-warning@+2 {{combine of kernel 'average' is not associative}}
auto average = reduce<std::int32_t, std::int64_t>(
    [](const auto& a, const auto& b) {
        const auto sum = a + b;
        return sum / 2;
    },
    no_identity);
// expected-warning@+1 {{combine of kernel 'nand' is not associative: combine(combine(false, false), true) is false, and combine(false, combine(false, true)) is true;}}
auto nand = reduce<bool>([](bool a, bool b) { return !(a && b); }, no_identity);

// expected-warning@+1 {{0 is not an identity of kernel 'product': combine(0, 2) is 0 [FW037, -Wwrong-identity]}}
auto product = reduce<double>([](double a, double b) { return a * b; }, identity(0));
// expected-warning@+1 {{1 is not an identity of kernel 'sum': combine(1, 2) is 3 [FW037, -Wwrong-identity]}}
auto sum = reduce<std::int32_t>([](auto a, auto b) { return a + b; }, identity(1));
// expected-warning@+1 {{-Inf is not an identity of kernel 'smallest': combine(-Inf, 2) is -Inf [FW037, -Wwrong-identity]}}
auto smallest = reduce<float>([](float a, float b) { return a < b ? a : b; }, lowest);
// expected-warning@+1 {{0 is not an identity of kernel 'above_zero': combine(0, -2) is 0 [FW037, -Wwrong-identity]}}
auto above_zero = reduce<float>([](float a, float b) { return a < b ? b : a; }, identity(0));
struct peak {
    float value;
    std::int64_t at;
};
// expected-warning@+5 {{3.000000e+00, 0} is not an identity of kernel 'argmax': combine({3.000000e+00, 0}, {2.000000e+00, 0}) is {3.000000e+00, 0} [FW037, -Wwrong-identity]}}
auto argmax =
    reduce<peak(float)>(map([](index<1> i, float x) {
                            return peak{x, i};
                        }),
                        combine([](peak a, peak b) { return b.value > a.value ? b : a; }), identity(peak{3, 0}));

// expected-warning@+10 {{(3, (0, 1)) is not an identity of kernel 'of_tuples': combine((3, (0, 1)), (2, (2, 2))) is (3, (2, 2)) [FW037, -Wwrong-identity]}}
auto of_tuples = reduce<tuples(int)>(
    map([](int x) {
        return tuples(x, {x, x});
    }),
    [](tuples a, tuples b) {
        return tuples(std::max(std::get<0>(a), std::get<0>(b)),
                      {std::max(std::get<1>(a).first, std::get<1>(b).first),
                       std::max(std::get<1>(a).second, std::get<1>(b).second)});
    },
    identity(tuples(3, {0, 1})));

// expected-warning@+1 {{kernel 'bytes' sums 'std::int8_t' in 'std::int8_t', which overflows after 1 element of 127: give the sum more room, as in foldwise::reduce<std::int64_t(std::int8_t)> [FW038, -Wnarrow-sum]}}
auto bytes = reduce<std::int8_t>([](auto a, auto b) { return a + b; }, identity(0));
// expected-warning@+1 {{kernel 'shorts' sums 'std::uint8_t' in 'std::int16_t', which overflows after 128 elements of 255: give the sum more room, as in foldwise::reduce<std::int64_t(std::uint8_t)> [FW038, -Wnarrow-sum]}}
auto shorts = reduce<std::int16_t(std::uint8_t)>([](auto a, auto b) { return a + b; }, identity(0));

// Of these nothing is said: they are right, or only known when they run.
auto root = reduce<float>([](float a, float b) { return std::sqrt(a * a + b * b); }, identity(0));
auto wide = reduce<std::int64_t(std::int8_t)>([](auto a, auto b) { return a + b; }, identity(0));
auto largest = reduce<float, std::uint8_t>([](auto a, auto b) { return a < b ? b : a; }, lowest);
auto both = reduce<bool>([](bool a, bool b) { return a && b; }, identity(true));
auto unsigned_maximum = reduce<std::uint8_t>([](auto a, auto b) { return a < b ? b : a; }, identity(0));
auto largest_magnitude = reduce<float(float)>(
    map([](float x) { return x * x; }), [](float a, float b) { return a < b ? b : a; }, identity(0));

// expected-warning@+1 {{'a' of kernel 'in_floats' is 'float' and is given 'double', of which it loses digits: take 'double', or auto [FW115, -Wnarrow-operand]}}
auto in_floats = foldwise::reduce<double>([](float a, float b) { return a + b; }, foldwise::identity(0));
// expected-warning@+1 {{kernel 'in_integers' makes 'std::int32_t' of each 'float' before it combines them, which loses their fractions: accumulate 'float', and convert the whole in foldwise::finish [FW116, -Wlost-fraction]}}
auto in_integers = foldwise::reduce<int(float)>(std::plus<>{}, foldwise::identity(0));
auto at_the_end = foldwise::reduce<int(float)>(std::plus<>{}, foldwise::identity(0.0f),
                                               foldwise::finish([](float sum) { return static_cast<int>(sum); }));
auto any_of = foldwise::reduce<bool(float)>(std::logical_or<>{}, foldwise::identity(false));
auto counted = foldwise::reduce<long(float)>(foldwise::map([](float x) { return x > 0 ? 1L : 0L; }), std::plus<>{},
                                             foldwise::identity(0));

// expected-warning@+1 {{kernel 'wanted' sums 'bool' in 'bool', which overflows after 1 element of true: give the sum more room, as in foldwise::reduce<std::int64_t(bool)> [FW038, -Wnarrow-sum]}}
auto wanted = foldwise::reduce<bool(float)>(foldwise::map([](float x) { return x > 0; }), std::plus<>{},
                                            foldwise::identity(false));
// expected-warning@+2 {{'x * x' is a product in 'int', which may overflow before it becomes 'long': convert an operand [FW122, -Wwidened-product]}}
auto squares =
    foldwise::reduce<std::int64_t(int)>(foldwise::map([](int x) { return x * x; }), std::plus<>{}, identity(0));
auto wide_squares = foldwise::reduce<std::int64_t(int)>(foldwise::map([](std::int64_t x) { return x * x; }),
                                                        std::plus<>{}, identity(0));
auto short_squares = foldwise::reduce<std::int64_t(std::int16_t)>(
    foldwise::map([](std::int16_t x) { return 2 * x * x; }), std::plus<>{}, identity(0));
// expected-warning@+1 {{kernel 'first' is said to be foldwise::commutative, and combine(2, 5) is 2, and combine(5, 2) is 5 [FW121, -Wnot-commutative]}}
auto first = foldwise::reduce<float>([](float a, float) { return a; }, foldwise::no_identity, foldwise::commutative);
auto larger = foldwise::reduce<float>([](float a, float b) { return a < b ? b : a; }, lowest, foldwise::commutative);
struct place {
    float value;
    std::int64_t at;
};
// expected-warning@+1 {{kernel 'first_lowest' is said to be foldwise::commutative, and combine({2.000000e+00, 2}, {2.000000e+00, 5}) is {2.000000e+00, 2}, and combine({2.000000e+00, 5}, {2.000000e+00, 2}) is {2.000000e+00, 5} [FW121, -Wnot-commutative]}}
auto first_lowest = foldwise::reduce<place>([](place a, place b) { return b.value < a.value ? b : a; },
                                            foldwise::no_identity, foldwise::commutative);
// expected-warning@+3 {{kernel 'first_mapped' is said to be foldwise::commutative}}
auto first_mapped = foldwise::reduce<std::pair<float, std::int64_t>(float)>(
    foldwise::map([](index<1> i, float x) { return std::pair<float, std::int64_t>(x, i); }),
    [](auto a, auto b) { return a.first < b.first ? a : b; }, foldwise::no_identity, foldwise::commutative);
auto lowest_place = foldwise::reduce<place>(
    [](place a, place b) { return b.value < a.value || (b.value == a.value && b.at < a.at) ? b : a; },
    foldwise::no_identity, foldwise::commutative);
// What its members are to each other, here that `second` is no more than `first`, is not known.
struct two {
    int first, second;
};
auto highest_two = foldwise::reduce<two>(
    [](two a, two b) {
        return a.first > b.first ? two{a.first, std::max(a.second, b.first)}
                                 : two{b.first, std::max(b.second, a.first)};
    },
    foldwise::no_identity, foldwise::commutative);
// expected-warning@+1 {{kernel 'beyond' makes 'std::int32_t' of each 'std::int64_t' before it combines them, which loses what is beyond its range: accumulate 'std::int64_t', and convert the whole in foldwise::finish [FW116, -Wlost-fraction]}}
auto beyond = foldwise::reduce<std::int32_t(std::int64_t)>(std::plus<>{}, foldwise::identity(0));
// expected-warning@+1 {{kernel 'digits' makes 'float' of each 'double' before it combines them, which loses digits}}
auto digits = foldwise::reduce<float(double)>(std::plus<>{}, foldwise::identity(0));
// expected-warning@+1 {{of kernel 'narrow_functor' is 'float' and is given 'double', of which it loses digits}}
auto narrow_functor = foldwise::reduce<double>(std::plus<float>{}, foldwise::identity(0));
