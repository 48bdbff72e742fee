// tests/errors/returns_nothing.kernels.cpp: a lambda without a result.
// RUN: env PRECOMPILED= %refused
#include <foldwise/spec.hpp>

// expected-error@+1 {{the lambda of kernel 'f' returns void: an elementwise kernel has a result; return a std::tuple for several outputs [FW006]}}
auto f = foldwise::vectorize([](float x) { (void)x; });

struct track {
    float x, velocity;
};
// expected-error@+1 {{the lambda of kernel 'moved' returns void: an elementwise kernel has a result; take 't' by value and return it, and give calls their input as output too [FW006]}}
auto moved = foldwise::vectorize([](track& t) { t.x += t.velocity; });
// expected-error@+1 {{the lambda of kernel 'unchanged' returns void: an elementwise kernel has a result; return a std::tuple for several outputs [FW006]}}
auto unchanged = foldwise::vectorize([](const track& t) { (void)t; });

// References that are only assigned to are outputs, and so are several.
// expected-error@+1 {{the lambda of kernel 'doubled' returns void: an elementwise kernel has a result; return what 'out' is to be [FW006]}}
auto doubled = foldwise::vectorize([](float x, float& out) { out = 2 * x; });
// expected-error@+1 {{the lambda of kernel 'copied' returns void: an elementwise kernel has a result; return what 'out' is to be [FW006]}}
auto copied = foldwise::vectorize([](track t, track& out) {
    if (t.x < 0)
        out = track{0, 0};
    else
        (out) = t;
});
// expected-error@+1 {{the lambda of kernel 'pointed' returns void: an elementwise kernel has a result; take elements by value in place of pointers, and return what 'y' is to be [FW006]}}
auto pointed = foldwise::vectorize([](const float* x, float* y) { *y = *x; });
// expected-error@+1 {{the lambda of kernel 'split' returns void: an elementwise kernel has a result; return a std::tuple for several outputs [FW006]}}
auto split = foldwise::vectorize([](float x, float& root, float& half) { root = x * x, half = x / 2; });
// expected-error@+1 {{the lambda of kernel 'swapped' returns void: an elementwise kernel has a result; return a std::tuple for several outputs [FW006]}}
auto swapped = foldwise::vectorize([](track& a, track& b) {
    const track c = a;
    a = b;
    b = c;
});
// expected-error@+1 {{the lambda of kernel 'added' returns void: an elementwise kernel has a result; take 'sum' by value and return it, and give calls their input as output too [FW006]}}
auto added = foldwise::vectorize([](float x, float& sum) { sum = sum + x; });
// expected-error@+1 {{the lambda of kernel 'generic' returns void: an elementwise kernel has a result; return what 'out' is to be [FW006]}}
auto generic = foldwise::vectorize<void(float, float&)>([](auto x, auto& out) { out = x; });
// Views are written to by tasks.
// expected-error@+1 {{the lambda of kernel 'everywhere' returns void: an elementwise kernel has a result; write a foldwise::forall, whose tasks may write anywhere in 'x' [FW006]}}
auto everywhere = foldwise::vectorize([](foldwise::index<1> i, foldwise::view<float, 1> x) { x[i] = 1; });
// expected-error@+2 {{write a foldwise::forall, whose tasks may write anywhere in 'out' [FW006]}}
auto beside = foldwise::vectorize(
    [](const float& a, foldwise::view<const float, 1> x, const foldwise::view<float, 1>& out) { out[0] = a + x[0]; });
// expected-error@+1 {{an elementwise kernel has a result; return a std::tuple for several outputs [FW006]}}
auto read = foldwise::vectorize([](float, foldwise::view<const float, 1>) {});
