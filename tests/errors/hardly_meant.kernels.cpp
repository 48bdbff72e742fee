// tests/errors/hardly_meant.kernels.cpp: indices that are negative, whatever a kernel is given or at the edge, views
// that nothing is written to, copies that are written to in vain, and parameters that are narrower than their operands.
// RUN: %warned
#include <foldwise/spec.hpp>

#include <cstdint>
#include <functional>

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

struct box {
    float low, high;
};
// expected-warning@+1 {{'total' is a copy, and nothing reads what is written to it: results are returned or are elements of views, and what all elements make together is a foldwise::reduce [FW114, -Wlost-write]}}
auto lost_sum = foldwise::forall([](foldwise::index<1> i, in<1> x, float total) { total += x[i]; });
auto lost_member = foldwise::forall([](foldwise::index<1> i, out<1> x, box b, int n, float scale) {
    // expected-warning@+1 {{'b' is a copy, and nothing reads what is written to it: results are returned or are elements of views, and what all elements make together is a foldwise::reduce [FW114, -Wlost-write]}}
    b.low = 3;
    // expected-warning@+1 {{'n' is a copy, and nothing reads what is written to it: results are returned or are elements of views, and what all elements make together is a foldwise::reduce [FW114, -Wlost-write]}}
    if (i > 3) ++n;
    scale *= 2;  // is read
    x[i] = scale;
});
auto counted_down = foldwise::vectorize<float(float, int)>([](float x, int n) {
    while (n-- > 0) x *= 2;
    return x;
});

// expected-warning@+1 {{'x' of kernel 'rounded' is 'float' and is given 'double', of which it loses digits: take 'double', or auto [FW115, -Wnarrow-operand]}}
auto rounded = foldwise::vectorize<double(double, float)>([](float x, auto y) { return x + y; });
auto cut = foldwise::vectorize<float(std::int64_t, float, bool)>(
    // expected-warning@+1 {{'x' of kernel 'cut' is 'std::int32_t' and is given 'std::int64_t', of which it loses what is beyond its range: take 'std::int64_t', or auto [FW115, -Wnarrow-operand]}}
    [](std::int32_t x,
       // expected-warning@+1 {{'y' of kernel 'cut' is 'std::int32_t' and is given 'float', of which it loses the fraction: take 'float', or auto [FW115, -Wnarrow-operand]}}
       const std::int32_t& y, int wider) { return static_cast<float>(x + y + wider); });

// expected-warning@+1 {{'x' of kernel 'narrow_map' is 'std::int32_t' and is given 'double', of which it loses the fraction: take 'double', or auto; or name the type of the elements in the signature, 'double(std::int32_t)' [FW115, -Wnarrow-operand]}}
auto narrow_map = foldwise::reduce<double(double)>(foldwise::map([](int x) { return x * 1.0; }), std::plus<>{},
                                                   foldwise::identity(0));
auto narrow_scan = foldwise::scan<double(double, float)>(
    // expected-warning@+2 {{'x' of kernel 'narrow_scan' is 'float' and is given 'double', of which it loses digits}}
    // expected-warning@+1 {{'y' of kernel 'narrow_scan' is 'std::int32_t' and is given 'float', of which it loses the fraction}}
    foldwise::map([](foldwise::index<1> i, float x, int y) { return i * 1.0 * x * y; }), std::plus<>{},
    foldwise::identity(0));
auto narrow_scatter = foldwise::scatter<double(double, std::int64_t)>(
    // expected-warning@+1 {{'to' of kernel 'narrow_scatter' is 'std::int32_t' and is given 'std::int64_t', of which it loses what is beyond its range}}
    foldwise::map([](double x, int to) { return foldwise::at(to, x); }), std::plus<>{}, foldwise::identity(0));
auto narrow_counts = foldwise::scatter<std::uint64_t>(
    // expected-warning@+1 {{'v' of kernel 'narrow_counts' is 'std::uint8_t' and is given 'std::uint64_t', of which it loses what is beyond its range: take 'std::uint64_t', or auto; or name the type of the elements in the signature, 'std::uint64_t(std::uint8_t)' [FW115, -Wnarrow-operand]}}
    foldwise::map([](std::uint8_t v) { return foldwise::at(v, 1); }), std::plus<>{}, foldwise::identity(0));
auto narrow_finish = foldwise::reduce<double>(
    std::plus<>{}, foldwise::identity(0),
    // expected-warning@+1 {{'s' of kernel 'narrow_finish' is 'float' and is given 'double', of which it loses digits}}
    foldwise::finish([](float s) { return s / 2; }));
// What is as wide, or takes any type, loses nothing.
auto wide_map =
    foldwise::reduce<double(float, int)>(foldwise::map([](double x, auto n) { return x * n; }), std::plus<>{},
                                         foldwise::identity(0), foldwise::finish([](auto s) { return s / 2; }));

// expected-warning@+1 {{'(i - 1) % x.extent(0)' is negative at the edge, because % has the sign of its left side: write (i - 1 + x.extent(0)) % x.extent(0), or a foldwise::stencil with foldwise::edge::wrap [FW112, -Wnegative-index]}}
auto periodic = foldwise::forall([](foldwise::index<1> i, in<1> x, out<1> y) { y[i] = x[(i - 1) % x.extent(0)]; });
auto periodic_2d = foldwise::forall([](foldwise::index<2> at, in<2> x, out<2> y, std::int64_t k) {
    const auto [r, c] = at;
    const std::int64_t rows = x.extent(0), row = at[0];
    // expected-warning@+2 {{'(row - k) % rows' is negative at the edge, because % has the sign of its left side: write (row - k + rows) % rows}}
    // expected-warning@+1 {{'(c - 1) % x.extent(1)' is negative at the edge}}
    y[at] = x((row - k) % rows, c) + x(r, (c - 1) % x.extent(1));
});
auto periodic_apart = foldwise::vectorize([](foldwise::index<1> i, float y, in<1> table) {
    // expected-warning@+1 {{'(i[0] - 2) % 16' is negative at the edge, because % has the sign of its left side: write (i[0] - 2 + 16) % 16}}
    const std::int64_t before = (i[0] - 2) % 16;
    return y * table[before];
});
auto wrapped = foldwise::forall([](foldwise::index<1> i, in<1> x, out<1> y, int k) {
    const std::int64_t n = x.extent(0);
    auto left = (i - k) % n;
    if (left < 0) left += n;
    y[i] = x[(i - 1 + n) % n] + x[(i + n - 1) % n] + x[(i + 1) % n] + x[(i - -1) % n] + x[left];
});
