// tests/errors/foreign_namespace.kernels.cpp: what a spec adds to the namespace of a library.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <cstddef>
#include <tuple>
#include <utility>

struct Pair {
    float a, b;
    template <std::size_t I> float get() const { return I == 0 ? a : b; }
};
// expected-error@+1 {{a kernel needs 'std::tuple_size', but what is added to the namespace of a library cannot come along with it [FW042]}}
template <> struct std::tuple_size<Pair> : std::integral_constant<std::size_t, 2> {};
template <std::size_t I> struct std::tuple_element<I, Pair> { using type = float; };
auto g = foldwise::vectorize([](Pair p) {
    auto [a, b] = p;  // expected-error {{a kernel needs 'std::tuple_size'}}
    return a + b;
});
auto f = foldwise::vectorize(
    [](float x) { return x * std::tuple_size<Pair>::value; });  // expected-note {{called from here}}
