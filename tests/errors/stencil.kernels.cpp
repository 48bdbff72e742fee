// tests/errors/stencil.kernels.cpp: offsets that nobody can see, radii and edges that do not fit.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <cstdint>

using foldwise::stencil, foldwise::radius;
namespace edge = foldwise::edge;

using row = foldwise::around<const float, 1>;
using plane = foldwise::around<const float, 2>;

// expected-error@+1 {{how far kernel 'given' looks is not seen: the offset along axis 0 of 'a' is not bounded by constants; say the radius, as in foldwise::stencil(..., foldwise::radius(1), edge) [FW086]}}
auto given = stencil([](row a, int by) { return a(by); }, edge::wrap);
auto counted = stencil(
    [](row a, int n) {
        float sum = 0;
        // expected-error@+1 {{how far kernel 'counted' looks is not seen: the offset along axis 0 of 'a' is not bounded by constants; say the radius}}
        for (int i = 0; i < n; ++i) sum += a(i);
        return sum;
    },
    edge::wrap);
auto changed = stencil(
    [](row a) {
        float sum = 0;
        for (int i = -1; i < 2; ++i) {
            // expected-error@+1 {{how far kernel 'changed' looks is not seen: the offset along axis 0 of 'a' is not bounded by constants; say the radius}}
            sum += a(i);
            if (sum > 3) i += 1;
        }
        return sum;
    },
    edge::wrap);
struct keeper {
    row kept;
    float first() const { return kept(1); }
};
// expected-error@+1 {{how far kernel 'kept' looks is not seen: what is around 'a' is handed on here; say the radius, as in foldwise::stencil(..., foldwise::radius(1), edge) [FW086]}}
auto kept = stencil([](row a) { return keeper{a}.first(); }, edge::wrap);
auto kept_within = stencil([](row a) { return keeper{a}.first(); }, radius(1), edge::wrap);

// expected-error@+1 {{offset -3 of 'a' reaches beyond the radius along axis 1, which is 2 [FW087]}}
auto beyond = stencil([](plane a, int by) { return a(by, -3); }, radius(1, 2), edge::wrap);
auto within = stencil([](plane a, int by) { return a(by, -2); }, radius(1, 2), edge::wrap);

// expected-error@+1 {{what is beyond the edges of kernel 'narrow' is no constant that fits the elements of 'a', which are 'std::int8_t': 300 [FW088]}}
auto narrow = stencil([](foldwise::around<const std::int8_t, 1> a) { return a(1); }, edge::constant(300));
// expected-error@+1 {{what is beyond the edges of kernel 'broken' is no constant that fits the elements of 'a', which are 'std::int32_t': 2.5 [FW088]}}
auto broken = stencil([](foldwise::around<const int, 1> a) { return a(1); }, edge::constant(2.5));
auto rounded = stencil([](row a) { return a(1); }, edge::constant(0.1));

auto without_edge = stencil(
    [](row a) { return a(1); },
    // expected-error@+1 {{kernel 'without_edge' is no stencil: 'int' is no edge, such as foldwise::edge::nearest [FW089]}}
    0);
// expected-error@+1 {{kernel 'alone' is no stencil: nothing that it takes is a foldwise::around<const T, N> [FW089]}}
auto alone = stencil([](float x) { return x; }, edge::wrap);
// expected-error@+1 {{kernel 'ranks' is no stencil: it looks around along 1 and along 2 axes [FW089]}}
auto ranks = stencil([](row a, plane b) { return a(0) + b(0, 0); }, edge::wrap);
// expected-error@+1 {{kernel 'axes' is no stencil: its radius has 3 numbers, and it looks around along 2 axes: one number for all axes, or one for each, to both sides [FW089]}}
auto axes = stencil([](plane a) { return a(0, 0); }, radius(1, 1, 1), edge::wrap);
// expected-error@+1 {{kernel 'sides' is no stencil: its radius has 2 numbers, and it looks around along 1 axis: one number for all axes, or one for each, to both sides [FW089]}}
auto sides = stencil([](row a, int n) { return a(n); }, radius(-2, 2), edge::wrap);
// expected-error@+1 {{kernel 'negative' is no stencil: a radius is from 0 to 1073741824, and one of its numbers is -1 [FW089]}}
auto negative = stencil([](plane a) { return a(0, 0); }, radius(-1), edge::wrap);
// expected-error@+1 {{kernel 'placed' is no stencil: it takes an index, and stencils do not know where they are: offsets count from the element, as in a(-1, 0), and a foldwise::forall takes its task's index [FW089]}}
auto placed = stencil([](foldwise::index<1> i, row a) { return a(0) + i; }, edge::wrap);
// expected-error@+1 {{kernel 'untyped' has a generic lambda and no signature to type it: write foldwise::stencil<float, double>(...) [FW002]}}
auto untyped = stencil([]<class T>(foldwise::around<const T, 1> a) { return a(0); }, edge::wrap);
