// tests/errors/derived_from_base_of_itself.kernels.cpp: a class whose base has it as template argument, as an element,
// a parameter, a result and an accumulator.
// RUN: %warned
#include <foldwise/spec.hpp>

template <class Derived> struct operators {
    friend Derived operator+(Derived a, Derived b) { return a.plus(b); }
};
struct length : operators<length> {
    float value = 0;
    length() = default;
    explicit length(float v) : value(v) {}
    length plus(length other) const { return length(value + other.value); }
};
template <class T> struct box : operators<box<T>> {
    T value = {};
    box plus(box other) const {
        box sum;
        sum.value = value + other.value;
        return sum;
    }
};

auto twice = foldwise::vectorize([](length x) { return x + x; });
auto measured =
    foldwise::forall([](foldwise::index<1> i, foldwise::view<length, 1> x, length by) { x[i] = x[i] + by; });
auto total = foldwise::reduce<length>([](length a, length b) { return a + b; }, foldwise::identity(length()));
auto boxed = foldwise::vectorize<box<length>(box<length>)>([](auto x) { return x + x; });
// expected-warning@+1 {{'2.0' makes this a computation in double, which 'length(length)' has no operand of [FW020, -Wdouble-computation]}}
auto scaled = foldwise::vectorize([](length x) { return length(x.value * 2.0); });
// Double in a part of it is an operand of the kernel.
auto in_double = foldwise::vectorize([](box<double> x) { return x.value * 2.0; });
