// tests/errors/hardly_meant.kernels.cpp: indices that are negative whatever a kernel is given, and views that nothing
// is written to.
// RUN: %warned
#include <foldwise/spec.hpp>

#include <cstdint>

template <int N> using in = foldwise::view<const float, N>;
template <int N> using out = foldwise::view<float, N>;

// expected-warning@+1 {{'-1' is negative, and indices do not count from the end: the last one here is x.extent(0) - 1 [FW112, -Wnegative-index]}}
auto last = foldwise::forall([](foldwise::index<1> i, in<1> x, out<1> y) { y[i] = x[-1]; });
// expected-warning@+1 {{'-1 - at[1]' is negative, and indices do not count from the end: the last one here is x.extent(1) - 1}}
auto reversed = foldwise::forall([](foldwise::index<2> at, in<2> x, out<2> y) { y[at] = x(at[0], -1 - at[1]); });
// expected-warning@+1 {{'-2' is negative, and indices do not count from the end: the last one here is table.extent(1) - 1}}
auto looked_up = foldwise::vectorize([](int i, in<2> table) { return table[foldwise::index<2>(i, -2)]; });
// Offsets of a stencil, differences, and what is only seen at run time are something else.
auto differences = foldwise::forall([](foldwise::index<1> i, in<1> x, out<1> y) { y[i] = i == 0 ? x[0] : x[i - 1]; });
auto around = foldwise::stencil([](foldwise::around<const float, 1> a) { return a(-1) + a[-1]; }, foldwise::edge::wrap);
auto from_end = foldwise::forall([](foldwise::index<1> i, in<1> x, out<1> y) { y[i] = x[x.extent(0) - 1 - i]; });

struct particle {
    float x, v;
};
// The copy of an element is changed, and the element is not.
// expected-warning@+1 {{no task writes to 'particles': take a view of const elements, or store what is changed in a copy of an element, as in particles[i] = changed [FW113, -Wnever-written]}}
auto lost = foldwise::forall([](foldwise::index<1> i, foldwise::view<particle, 1> particles, float dt) {
    auto p = particles[i];
    p.x += p.v * dt;
});
// expected-warning@+1 {{no task writes to 'states'}}
auto drawn = foldwise::forall([](foldwise::index<1> i, foldwise::view<foldwise::xoroshiro128p, 1> states, out<1> y) {
    auto state = states[i];
    y[i] = state.uniform();
});
// Once for all signatures.
auto generic = foldwise::forall<void(out<1>, out<1>), void(foldwise::view<double, 1>, foldwise::view<double, 1>)>(
    // expected-warning@+1 {{no task writes to 'x'}}
    [](foldwise::index<1> i, auto x, auto y) { y[i] = x[i]; });
// expected-warning@+1 {{no item writes to 'x'}}
auto blocks = foldwise::blocks<64>([](foldwise::block<1> b, out<1> x, out<1> y) {
    b.each([&](foldwise::index<1> t) {
        if (y.has(b.at(t))) y[b.at(t)] = x[b.at(t)];
    });
});
// By reference, by a member function, and by a function that is given the view.
inline void clear(out<1> x, std::int64_t i) { x[i] = 0; }
auto written = foldwise::forall([](foldwise::index<1> i, foldwise::view<particle, 1> particles, float dt,
                                   foldwise::view<foldwise::xoroshiro128p, 1> states, out<1> y, out<1> z) {
    auto& p = particles[i];
    p.x += p.v * dt;
    y[i] = states[i].uniform();
    clear(z, i);
});
