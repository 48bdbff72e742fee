// tests/errors/captures.kernels.cpp: captures that are no constants.
// RUN: %refused
#include <foldwise/spec.hpp>

inline float read() {
    static float last = 0;
    return ++last;
}
float gain = 2;
constexpr float table[] = {1, 2};

auto constant = foldwise::vectorize([factor = 2.0f](float x) { return factor * x; });

// expected-error@+1 {{the lambda of kernel 'f' has a capture whose value is not known while compiling: what a kernel works with is an operand or a constant; take it as a parameter [FW009]}}
auto f = foldwise::vectorize([factor = read()](float x) { return factor * x; });
// expected-error@+1 {{the lambda of kernel 'g' has a capture whose value is not known while compiling}}
auto g = foldwise::vectorize([gain = gain](float x) { return gain * x; });
// expected-error@+1 {{the lambda of kernel 'h' has a capture by reference}}
auto h = foldwise::vectorize([&t = table](float x) { return t[0] * x; });
// expected-error@+1 {{the lambda of kernel 'i' has a capture that it changes}}
auto i = foldwise::vectorize([n = 0](int x) mutable { return x + ++n; });
auto j = [] {
    float local = 3;
    // expected-error@+1 {{the lambda of kernel 'j' has a capture whose value is not known while compiling}}
    return foldwise::vectorize([=](float x) { return x * local; });
}();
auto referring(const float& k) {
    return [&k](float x) { return k * x; };  // expected-error {{the lambda of kernel 'k' has a capture by reference}}
}
auto k = foldwise::vectorize(referring(2));

struct Cached {
    mutable int calls = 0;
    float operator()(float x) const { return x + static_cast<float>(++calls); }
};
// expected-error@+1 {{the lambda of kernel 'l' has a capture that it changes}}
auto l = foldwise::vectorize([cached = Cached{}](float x) { return cached(x); });

// What lies in the function around a lambda has no name outside of it.
auto m = [] {
    struct Pair {
        float first, second;
    };
    return foldwise::vectorize([](float x) {
        // expected-error@+1 {{'Pair', a type of the function around the lambda, is not possible in a kernel [FW015]}}
        const Pair pair{x, x};
        return pair.first;
    });
}();
auto n = [] {
    enum { two = 2 };
    return foldwise::vectorize([](int x) {
        return x * two;  // expected-error {{'two', an enumerator of the function around the lambda}}
    });
}();
template <class T> auto doubled() {
    // expected-error@+1 {{'T', a template's parameter of the function around the lambda}}
    return foldwise::vectorize([](T x) { return 2 * x; });
}
auto o = doubled<float>();  // expected-note {{the kernel is made here}}
template <int N> auto multiplied() {
    // expected-error@+1 {{'N', a template's parameter of the function around the lambda}}
    return foldwise::vectorize([](float x) { return N * x; });
}
auto p = multiplied<3>();  // expected-note {{the kernel is made here}}
auto q = [] {
    struct Scale {
        float factor;
    };
    // expected-error@+1 {{'scale', a constant of type 'Scale' of the function around the kernel, is not possible in a kernel}}
    constexpr Scale scale{2};
    return foldwise::vectorize([=](float x) { return x * scale.factor; });
}();

namespace other {
constexpr float factor = 2;
constexpr auto scaled = [](float x) { return factor * x; };
constexpr float (*pointer)(float) = scaled;
inline float twice(float x) { return 2 * x; }
inline auto made() {  // expected-note {{'other::made', which makes the kernel, is written here}}
    return foldwise::vectorize([](float x) { return factor * x; });
}
}  // namespace other
constexpr float factor = 3;
// expected-error@+1 {{the lambda of kernel 'r' is written in another namespace, whose names may mean something else here [FW061]}}
auto r = foldwise::vectorize(other::pointer);
// expected-error@+1 {{the lambda of kernel 's' is written in another namespace}}
auto s = other::made();
struct Scales {
    static constexpr float factor = 4;
    static auto made() {  // expected-note {{'Scales::made', which makes the kernel, is written here}}
        return foldwise::vectorize([](float x) { return factor * x; });
    }
};
// expected-error@+1 {{the lambda of kernel 't' is written in another class}}
auto t = Scales::made();
auto u = [] {
    using other::twice;
    // expected-error@+1 {{'twice', a name that is known by 'using' of the function around the lambda, is not possible in a kernel}}
    return foldwise::vectorize([](float x) { return twice(x); });
}();
auto v = [] {
    using namespace other;
    // expected-error@+1 {{'twice', a name that is known by 'using' of the function around the lambda}}
    return foldwise::vectorize([](float x) { return twice(x); });
}();
auto w = [] {
    constexpr float k = 2;
    // expected-error@+1 {{'k', a variable of the function around the lambda, in its parameters or result is not possible in a kernel}}
    return foldwise::vectorize<float(float)>([](float x, float y = k) { return x * y; });
}();

// A capture may not be a kernel.
// expected-error@+1 {{the lambda of kernel 'x' has a capture that is another kernel}}
auto x = foldwise::vectorize([half = foldwise::vectorize([](float v) { return v / 2; })](float v) { return half(v); });
