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
