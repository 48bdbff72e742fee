// tests/errors/elsewhere.kernels.cpp: callables that a kernel cannot make as they are made where they are written.
// RUN: %refused
#include <foldwise/spec.hpp>

float read();
inline float plus(float a, float b) { return a + b; }
namespace other {
struct Scale {
    float factor;
    constexpr float operator()(float x) const { return factor * x; }
};
constexpr auto mapping = foldwise::map(Scale{2});
// expected-note@+1 {{'other::made', which makes the kernel, is written here}}
inline auto made() { return foldwise::vectorize(Scale{2}); }
}  // namespace other
// expected-error@+1 {{kernel 'q' is given a function or object that its declaration does not show}}
auto q = other::made();
// expected-error@+1 {{kernel 'r' is given a function or object that its declaration does not show}}
auto r = foldwise::reduce<float>(other::mapping, plus, foldwise::identity(0));
auto s = [] {
    struct Local {
        float operator()(float x) const { return x; }
    };
    // expected-error@+1 {{'Local', a type of the function around the kernel, is not possible in a kernel}}
    return foldwise::vectorize(Local{});
}();
auto t = [] {
    using other::Scale;
    // expected-error@+1 {{'Scale', a name that is known by 'using' of the function around the kernel, is not possible in a kernel}}
    return foldwise::vectorize(Scale{2});
}();
auto u = [] {
    const other::Scale scale{read()};
    // expected-error@+1 {{kernel 'u' is given a function or object that is not known while compiling}}
    return foldwise::vectorize(scale);
}();
auto y = [] {
    float local = 3;
    auto scaled = [local](float v) { return local * v; };
    // expected-error@+1 {{the lambda of kernel 'y' has a capture whose value is not known while compiling}}
    return foldwise::vectorize([=](float v) { return scaled(v); });
}();

// A name has to say which function it is.
template <auto Call> float through(float x) { return Call(x); }
template <class Call> float made(float x) { return Call{}(x); }
template <class Call> struct by {
    static float made(float x) { return Call{}(x); }
};
constexpr auto twice = [](float x) { return 2 * x; };
// expected-error@+1 {{kernel 'z' cannot call what it is given: 'through' has a lambda or a function's own type among its template arguments [FW018]}}
auto z = foldwise::vectorize(through<twice>);
// expected-error@+1 {{kernel 'z1' cannot call what it is given: 'made' has a lambda}}
auto z1 = foldwise::vectorize(made<decltype(twice)>);
// expected-error@+1 {{kernel 'z2' cannot call what it is given: 'made' has a lambda}}
auto z2 = foldwise::vectorize(by<decltype(twice)>::made);

// What is wrong with a kernel that a function makes is told at the kernel, and what is wrong in its code there; a note
// leads to the other place.
// expected-note@+1 2 {{'scaled', which makes the kernel, is written here}}
inline auto scaled(float factor) {
    return foldwise::vectorize([factor](float v) { return factor * v; });
}
// expected-error@+1 {{the lambda of kernel 'scaled2' has a capture whose value is not known while compiling}}
auto scaled2 = scaled(2);
// expected-error@+1 {{the lambda of kernel 'scaled3' has a capture whose value is not known while compiling}}
auto scaled3 = scaled(3);
inline auto silent() {  // expected-note {{'silent', which makes the kernel, is written here}}
    return foldwise::vectorize([](float v) { (void)v; });
}
auto silenced = silent();  // expected-error {{the lambda of kernel 'silenced' returns void}}
inline auto generic() {    // expected-note {{'generic', which makes the kernel, is written here}}
    return foldwise::vectorize([](auto v, double w) { return v + w; });
}
// expected-error@+1 {{kernel 'untyped' has a generic lambda and no signature to type it: write foldwise::vectorize<float(float, double)>(...)}}
auto untyped = generic();
inline auto unended() {  // expected-note {{'unended', which makes the kernel, is written here}}
    return foldwise::reduce<float>([](float a, float b) { return a + b; });
}
auto unending = unended();  // expected-error {{kernel 'unending' has no identity}}
float lost(float v);
inline auto calling() {
    return foldwise::vectorize([](float v) { return lost(v) + 1; });  // expected-error {{'lost' has no body here}}
}
auto called = calling();  // expected-note {{the kernel is made here}}
inline auto precise() {
    return foldwise::vectorize(
        [](float v) { return v * 3.3; });  // expected-warning {{'3.3' makes this a computation in double}}
}
auto slow = precise();  // expected-note {{the kernel is made here}}
