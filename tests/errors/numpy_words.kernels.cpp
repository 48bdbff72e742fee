// tests/errors/numpy_words.kernels.cpp: words, operators and calls of Python, NumPy and Numba in a spec, with what to
// write.
// RUN: %refused -ferror-limit=0
#include <foldwise/spec.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstdint>

template <int N> using in = foldwise::view<const float, N>;
template <int N> using out = foldwise::view<float, N>;
struct pair_of {
    float x, y;
};

namespace demo {

// ---- Operators and statements, as they are typed
// clang-format off
// expected-error@+2 {{indirection requires pointer operand}}
// expected-note@+1 {{C++ has no operator for powers: write x * x, or std::pow(x, y) of <cmath>}}
auto power = foldwise::vectorize([](double x) { return x ** 2; });
// No note: this is what it looks like.
// expected-error@+1 {{indirection requires pointer operand}}
auto pointed = foldwise::vectorize([](double x) { return *x; });
// expected-error@+2 {{invalid operands to binary expression}}
// expected-note@+1 {{C++ has no operator for powers}}
auto raised = foldwise::vectorize([](double x) { return x ^ 2; });
// expected-error@+2 {{invalid operands to binary expression}}
// expected-note@+1 {{% is for integers: write std::fmod(x, y) of <cmath>, whose result has the sign of x; x - y * std::floor(x / y) is Python's}}
auto remainder = foldwise::vectorize([](double x) { return x % 1.5; });
auto quotient = foldwise::vectorize([](int x, int y) {
    // expected-error@+2 {{expected ';' after return statement}}
    // expected-note@+1 {{// begins a comment: integers are divided by x / y, which rounds towards zero}}
    return x // y;
});
// expected-error@+2 {{expected ';' after return statement}}
// expected-note@+1 {{a choice is written as condition ? x : y}}
auto positive = foldwise::vectorize([](double x) { return x if (x > 0) else 0; });
// expected-error@+3 {{invalid operands to binary expression}}
// expected-note@+2 {{the standard library's complex numbers meet their own part's type alone: write 2.0 * z for a std::complex<double> z, 2.0f * z for floats, and std::complex<double>(0, 1) for 1j}}
// expected-note@*:* 0+ {{candidate}}
auto doubled = foldwise::vectorize([](std::complex<double> z) { return 2 * z; });
// expected-error@+2 {{return type 'double' must match previous return type 'int'}}
// expected-note@+1 {{write the type that all of them are to have, as in [](double x) -> double}}
auto unified = foldwise::vectorize([](double x) { if (x < 0) return 0; return x; });
// expected-error@+2 {{cannot deduce lambda return type from initializer list}}
// expected-note@+1 {{several results are returned as a tuple: return std::tuple{a, b}, with #include <tuple>}}
auto listed = foldwise::vectorize([](double x) { return {x, 2 * x}; });
// expected-warning@+2 {{left operand of comma operator has no effect}}
// expected-note@+1 {{several results are returned as a tuple}}
auto both = foldwise::vectorize([](double x) { return x, 2 * x; });
// clang-format on

// ---- What arrays have
auto members = foldwise::forall([](foldwise::index<2> at, in<2> x, in<1> row, out<2> y) {
    // expected-error@+2 {{no member named 'shape'}}
    // expected-note@+1 {{x.extent(0) is the number of elements along the first axis, and x.size() that of all}}
    if (at[0] < x.shape[0]) return;
    // expected-error@+2 {{no member named 'ndim'}}
    // expected-note@+1 {{the number of axes is the second argument of the view's type}}
    if (x.ndim == 2) return;
    // expected-error@+2 {{no member named 'sum'}}
    // expected-note@+1 {{a view has no such function: fold in a loop over x.extent(0)}}
    y[at] = row.sum();
    // expected-error@+2 {{no member named 'T'}}
    // expected-note@+1 {{swap the coordinates, as in x(j, i), or call the kernel with x.transpose()}}
    y[at] = x.T[at];
    // expected-error@+2 {{no member named 'reshape'}}
    // expected-note@+1 {{the shape of a view is the call's to say}}
    y[at] = x.reshape(6)[at[0]];
    // expected-error@+2 {{no member named 'begin'}}
    // expected-note@+1 {{a view in a kernel has extents and no iterators}}
    y[at] = *row.begin();
    // expected-error@+2 {{no viable 'begin' function available}}
    // expected-note@+1 {{a view in a kernel has extents and no iterators: write for (std::int64_t i = 0; i < x.extent(0); ++i), with x[i]}}
    for (float v : row) y[at] += v;
    // expected-error@+2 {{invalid operands to binary expression}}
    // expected-note@+1 {{operators work on elements, as in x[i] + y[i], and not on arrays}}
    y = x + x;
    // expected-error@+2 {{invalid operands to binary expression}}
    // expected-note@+1 {{an index is a place: its coordinates are the numbers to compute with, as at[0] and at[1]}}
    y[at] = x[at + 1];
    // expected-error@+3 {{cannot assign to return value}}
    // expected-note@+2 {{a view<const T, N> is only read: a kernel writes to a view<T, N>, which for guvectorize is an output}}
    // expected-note@*:* {{declared here}}
    x[at] = 1;
});
auto strided = foldwise::forall([](foldwise::index<1> i, in<1> x, out<1> y) {
    // expected-error@+2 {{overload resolution selected deleted operator '+=': an index does not change: count in a number, j = i}}
    // expected-note@*:* 0+ {{candidate function}}
    for (auto j = i; j < x.size(); j += 1024) y[j] = x[j];
});
auto fields = foldwise::forall([](foldwise::index<1> i, foldwise::view<pair_of, 1> p) {
    // expected-error@+2 {{no viable overloaded operator[]}}
    // expected-note@+1 {{members are named without quotes, as in p.x}}
    p[i]["x"] = 1;
});
auto largest = foldwise::forall([](foldwise::index<1> i, foldwise::view<const int, 1> x, foldwise::view<int, 1> y) {
    // expected-error@+2 {{no member named 'fetch_max'}}
    // expected-note@+1 {{write for (T seen = at.load(); seen < value && !at.compare_exchange_weak(seen, value);) {}}}
    std::atomic_ref(y[0]).fetch_max(x[i]);
});

// ---- Names
auto named = foldwise::forall([](foldwise::index<1> i, in<1> x, out<1> y) {
    // expected-error@+2 {{use of undeclared identifier 'len'}}
    // expected-note@+1 {{x.size() is the number of a view's elements}}
    if (i < len(x)) return;
    // expected-error@+2 {{use of undeclared identifier 'math'}}
    // expected-note@+1 {{functions are those of <cmath>, as std::sqrt(x), and constants those of <numbers>, as std::numbers::pi}}
    y[i] = math.sqrt(x[i]);
    // expected-error@+2 {{use of undeclared identifier 'cuda'}}
    // expected-note@+1 {{there are no launch dimensions: a task's place is the first parameter of a foldwise::forall, a foldwise::index<N>}}
    y[cuda::grid(1)] = 0;
    // expected-error@+2 {{use of undeclared identifier 'cuda'}}
    // expected-note@+1 {{namespace std itself works in kernels: write std:: for cuda::std::}}
    y[i] = cuda::std::sqrt(x[i]);
    // expected-error@+2 {{use of undeclared identifier 'print'}}
    // expected-note@+1 {{std::printf, of <cstdio>, prints from kernels}}
    print(y[i]);
    // expected-error@+1 {{items share memory in foldwise::blocks, as b.shared<float, 64>()}}
    __shared__ float tile[64];
});
// expected-error@+2 {{use of undeclared identifier 'float32'}}
// expected-note@+1 {{it is float in C++}}
auto typed = foldwise::vectorize<float32(float32)>([](auto x) { return 2 * x; });
// expected-error-re@+1 {{'atomic_max<{{.*}}>' is unavailable: write for (T seen = at.load(); seen < value && !at.compare_exchange_weak(seen, value);) {} with std::atomic_ref at(element)}}
auto extremes = foldwise::forall([](foldwise::index<1> i, in<1> x, out<1> y) { foldwise::atomic_max(y, 0, x[i]); });

// ---- Calls of Foldwise's functions
// expected-error@+3 {{no matching function for call to 'vectorize'}}
// expected-note@+2 {{it takes a lambda or a function, and signatures as types: foldwise::vectorize<float(float, float)>}}
// expected-note@*:* 0+ {{candidate}}
auto quoted = foldwise::vectorize("float32(float32)", [](float x) { return x; });
// expected-error@+2 {{no matching function for call to 'guvectorize'}}
// expected-note@+1 {{it takes the layout and then the lambda}}
auto last = foldwise::guvectorize([](in<1> x, out<1> y) { y[0] = x[0]; }, "(n)->(n)");
// expected-error@+2 {{no matching function for call to 'stencil'}}
// expected-note@+1 {{it takes the lambda and what is beyond the edges}}
auto edgeless = foldwise::stencil([](foldwise::around<const float, 1> a) { return a(-1) + a(1); });
// expected-error@+2 {{no viable overloaded operator[]}}
// expected-note@+1 {{offsets stand in parentheses, as in a(-1, 0), or are a foldwise::index in brackets}}
auto bracketed = foldwise::stencil([](foldwise::around<const float, 2> a) { return a[-1, 0]; }, foldwise::edge::wrap);
// expected-warning@-1 0+ {{}}
// expected-note@*:* 0+ {{candidate function}}
// expected-error@+2 {{no matching function for call to 'max'}}
// expected-note@+1 {{both arguments have one type, as in std::max(x, 0.0f) for a float x or std::max<double>(n, x), and three are a list: std::max({x, y, z})}}
auto clipped = foldwise::vectorize([](double x) { return std::max(0, x); });
// expected-error@*:* {{is not a function or function pointer}}
// expected-note@+2 {{in instantiation of function template specialization 'std::max<double, double>' requested here}}
// expected-note@+1 {{three values are a list in braces: std::max({x, y, z})}}
auto of_three = foldwise::vectorize([](double x, double y, double z) { return std::max(x, y, z); });

// ---- Generators
template <class T> using states = foldwise::view<T, 1>;
auto drawn = foldwise::forall([](foldwise::index<1> i, states<const foldwise::xoroshiro128p> s, out<1> y) {
    // expected-error@+2 {{no matching member function for call to 'uniform'}}
    // expected-note@+1 {{a draw changes its state: leave const out; states in an array are a foldwise::view<foldwise::xoroshiro128p, 1>, and draws are from states[i] or a reference to it, auto& state = states[i]}}
    y[i] = s[i].uniform();
});
auto skipped = foldwise::forall([](foldwise::index<1> i, states<const foldwise::xoroshiro128p> s) {
    // expected-error@+3 {{'this' argument to member function 'jump' has type 'const foldwise::xoroshiro128p'}}
    // expected-note@+2 {{a draw changes its state}}
    // expected-note@*:* {{'jump' declared here}}
    s[i].jump();
});

}  // namespace demo
auto noise = foldwise::vectorize([](foldwise::index<1> i, std::uint64_t seed) {
    foldwise::random r(seed, i);
    // expected-error@+2 {{no matching member function for call to 'uniform'}}
    // expected-note@+1 {{draws are from a fixed distribution, uniform() in [0, 1) and normal() with mean 0 and deviation 1: write low + (high - low) * r.uniform(), or mean + deviation * r.normal()}}
    return r.uniform(-1.0f, 1.0f);
});
auto cells = foldwise::scatter<int(int, int)>(
    foldwise::map([](int y, int x) {
        // expected-error@+2 {{no matching function for call to 'at'}}
        // expected-note@+1 {{the place comes first, an integer or a foldwise::index, and then the value: at(place, value), or at(foldwise::index<2>(y, x), value) in a grid}}
        return foldwise::at(y, x, 1);
    }),
    [](int a, int b) { return a + b; }, foldwise::identity(0));
