// tests/errors/printed_classes.kernels.cpp: what printf has no format for.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <cstdio>

using foldwise::index, foldwise::view;

namespace printed_classes {

auto places = foldwise::forall([](index<1> i, view<float, 1> x) {
    // expected-error@+1 {{'i' is handed to printf, which has no format for a 'foldwise::index<1>': hand it the coordinates, i[0], which are std::int64_t [FW131]}}
    std::printf("%d: %g\n", i, x[i]);
    x[i] = 1;
});
auto planes = foldwise::forall([](index<2> i, view<float, 2> x) {
    // expected-error@+1 {{'i' is handed to printf, which has no format for a 'foldwise::index<2>': hand it the coordinates, i[0] and i[1], which are std::int64_t}}
    std::printf("%ld\n", i);
    // expected-error@+1 {{'x' is handed to printf, which has no format for a 'foldwise::view<float, 2>': hand it elements, as in x(i, j), or x.extent(0)}}
    printf("%p\n", x);
    x[i] = 1;
});
struct point {
    float x, y;
};
// expected-warning@+2 {{format specifies type 'double' but the argument has type 'point'}}
// expected-error@+1 {{'p' is handed to printf, which has no format for a 'printed_classes::point': hand it members, as in p.x}}
inline void show(point p) { std::printf("%g\n", p); }
auto points = foldwise::vectorize([](point p) {
    show(p);  // expected-note {{called from here}}
    return p.x;
});
// expected-error@+1 {{'h' is handed to printf, which has no format for a 'foldwise::half': convert it, as in float(h)}}
auto halves = foldwise::vectorize([](foldwise::half h) { return std::printf("%g\n", h); });
auto tiles = foldwise::blocks<32>([](foldwise::block<1> b, view<const float, 1> x) {
    auto s = b.shared<float, 32>();
    b.each([&](index<1> t) {
        s[t] = x[b.at(t)];
        // expected-error@+1 {{'b.at(t)' is handed to printf, which has no format for a 'foldwise::index<1>': hand it the coordinates, b.at(t)[0]}}
        std::printf("%d %g\n", b.at(t), s[t]);
    });
});

auto numbers = foldwise::forall([](index<1> i, view<float, 1> x) {
    std::printf("%ld of %ld: %g\n", static_cast<long>(i[0]), static_cast<long>(x.extent(0)), x[i]);
    x[i] = 1;
});

}  // namespace printed_classes
