// tests/errors/of_calls.kernels.cpp: words of calls in a spec, and what Foldwise's headers require.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <algorithm>
#include <functional>

// expected-error@+2 {{no member named 'axis' in namespace 'foldwise'}}
// expected-note@+1 {{foldwise::axis belongs to calls: a program writes it where it calls a kernel, and a spec declares what kernels compute}}
auto rows = foldwise::reduce<float>(std::plus<>{}, foldwise::identity(0), foldwise::axis(1));

namespace other {
// Another namespace's words are its own.
// expected-error@+1 {{no member named 'axis' in namespace 'other'}}
auto rows = foldwise::reduce<float>(std::plus<>{}, foldwise::identity(0), other::axis(1));
}  // namespace other

auto copied = foldwise::forall(
    // expected-error@+1 {{write the number of axes, from 1 to 8: view<float, 1> [FW076]}}
    [](foldwise::index<1> i, foldwise::view<const float> x, foldwise::view<float, 1> y) { y[i] = x[i]; });

// expected-error@+1 {{is unavailable: the library's functions std::max and std::min are overloaded: write a lambda, such as [](auto a, auto b) { return std::max(a, b); }}}
auto largest = foldwise::reduce<float>(std::max<float>, foldwise::lowest);
// expected-error@+1 {{is unavailable: the library's functions std::max and std::min are overloaded}}
auto running = foldwise::scan<float, double(int)>(std::min<float>, foldwise::identity(0));

// None of this is wrong.
float larger(float x, float y) { return x > y ? x : y; }
auto with_function = foldwise::reduce<float>(larger, foldwise::lowest);
auto with_lambda =
    foldwise::scan<float>([](const float& x, const float& y) { return std::max(x, y); }, foldwise::lowest);

auto numbers = foldwise::vectorize([](float x) {
    // expected-error@+1 {{T is float, double, foldwise::half or foldwise::bfloat16 [FW076]}}
    return x + static_cast<float>(foldwise::random(1, 2).uniform<int>());
});
