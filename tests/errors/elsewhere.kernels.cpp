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
