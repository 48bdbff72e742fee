// tests/errors/class_templates.kernels.cpp: function objects of class templates are looked into, whichever pattern
// calls them.
// RUN: %warned
#include <foldwise/spec.hpp>

using foldwise::block;
using foldwise::index;
using foldwise::view;

template <class T> T twice(T x) { return 2 * x; }

template <class T> struct copied {
    void operator()(block<1> b, view<const T, 1> x, view<T, 1> out) const {
        b.each([&](index<1> t) {
            if (x.has(b.at(t))) out[b.at(t)] = twice(x[b.at(t)]);
        });
    }
};
auto copy = foldwise::blocks<256>(copied<float>{});

struct derived : copied<double> {};
auto copy_doubles = foldwise::blocks<256>(derived{});

template <class T> struct totalled {
    void operator()(block<1> b, view<const T, 1> x, view<T, 1> out) const {
        auto total = b.template shared<T, 1>();
        // expected-warning@+1 {{all items of a block update the same element of 'total', and all but one may be lost}}
        b.each([&](index<1> t) { total[0] += x[b.at(t)]; });
        b.once([&] { out[b.number(0)] = total[0]; });
    }
};
auto total = foldwise::blocks<256>(totalled<float>{});

template <class T> struct gathered {
    // expected-warning@+2 {{several tasks write the same element of 'out', and all but one may be lost}}
    // expected-note@+1 {{tasks (0) and (1) both write element 0}}
    auto operator()(index<1> i, view<const T, 1> x, view<T, 1> out) const { out[0] = twice(x[i]); }
};
auto gather = foldwise::forall(gathered<float>{});

template <class T> struct stepped {
    // expected-warning@+1 {{'0 - 1' is negative}}
    void operator()(view<const T, 1> x, T& out) const { out = x[0 - 1]; }
};
auto step = foldwise::guvectorize("(n)->()", stepped<float>{});

template <class T> struct doubled {
    auto operator()(T x) const { return twice(x); }
};
auto two = foldwise::vectorize(doubled<float>{});

template <class T> struct blurred {
    auto operator()(foldwise::around<const T, 1> x) const { return x[-1] + x[1]; }
};
auto blur = foldwise::stencil(blurred<float>{}, foldwise::edge::nearest);

// A function is looked into where it is defined, also if it has been declared before.
void late(index<1> i, view<const float, 1> x, view<float, 1> out);
// expected-warning@+2 {{several tasks write the same element of 'y', and all but one may be lost}}
// expected-note@+1 {{tasks (0) and (1) both write element 0}}
inline void late(index<1> i, view<const float, 1> x, view<float, 1> y) { y[0] = x[i]; }
auto later = foldwise::forall(late);
