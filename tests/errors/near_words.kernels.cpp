// tests/errors/near_words.kernels.cpp: names that are nearly right, with what to write.
// RUN: env PRECOMPILED= %refused -ferror-limit=0
#include <foldwise/spec.hpp>

#include <algorithm>
#include <functional>

auto at_edge = foldwise::stencil([](foldwise::around<const float, 1> a) { return a(-1); },
                                 // expected-error@+2 {{no member named 'reflect' in namespace 'foldwise::edge'}}
                                 // expected-note@+1 {{NumPy's reflect is edge::mirror, and SciPy's is edge::symmetric}}
                                 foldwise::edge::reflect);
// expected-note@*:* 0+ {{declared here}}
// expected-error@+2 {{expected '(' for function-style cast or type construction}}
// expected-note@+1 {{an object of it is meant: write {} behind it, as in std::plus<>{}}}
auto sum = foldwise::reduce<float>(std::plus<>, foldwise::identity(0));
// expected-error@+2 {{no matching conversion for functional-style cast from 'int' to 'foldwise::random'}}
// expected-note@+1 {{a seed and a number make a stream of its own for each element: foldwise::random(seed, i), where i may be the index}}
auto drawn = foldwise::vectorize([](foldwise::index<1> i, float x) { return x + foldwise::random(3).uniform(); });
// expected-note@*:* 0+ {{candidate}}
auto events = foldwise::vectorize([](foldwise::index<1> i, float x) {
    foldwise::random g(3, i);
    // expected-error@+2 {{no member named 'poisson' in 'foldwise::random'}}
    // expected-note@+1 {{draws are uniform(), normal(), exponential(), below(n) and bits()}}
    return g.poisson(x);
});
// expected-error@+2 {{no matching function for call to 'clamp'}}
// expected-note@+1 {{all three arguments have one type, as in std::clamp(x, 0.0f, 1.0f) or std::clamp<float>(x, 0, 1)}}
auto limited = foldwise::vectorize([](float x) { return std::clamp(x, 0, 1); });
// expected-error@+2 {{use of undeclared identifier 'inf'}}
// expected-note@+1 {{write std::numeric_limits<float>::infinity(), of <limits>}}
auto highest = foldwise::vectorize([](float x) { return x > 0 ? x : -inf; });
// expected-error@+2 {{use of undeclared identifier 'expm1f'}}
// expected-note@+1 {{write std::expm1, of <cmath>, which takes float, too}}
auto grown = foldwise::vectorize([](float x) { return expm1f(x); });
// Of what follows from a name that namespace foldwise does not have, nothing is said.
// expected-error@+2 {{no member named 'inclusive_scan' in namespace 'foldwise'}}
// expected-note@+1 {{scans are made by foldwise::scan, and calls add foldwise::exclusive, reverse or by_key(keys)}}
auto running = foldwise::inclusive_scan<float(float)>([](float x, float y) { return x + y; });
// expected-error@+2 {{no member named 'sum' in namespace 'foldwise'}}
// expected-note@+1 {{folds are made by foldwise::reduce}}
auto total = foldwise::sum<float(float)>();
// expected-error@+2 {{no member named 'fold' in namespace 'foldwise'}}
// expected-note@+1 {{folds are made by foldwise::reduce, as foldwise::reduce<float>(std::plus<>{}, foldwise::identity(0))}}
auto folded = foldwise::fold<float>(std::plus<>{}, foldwise::identity(0));
// expected-error@+2 {{no member named 'kernel' in namespace 'foldwise'}}
// expected-note@+1 {{kernels are made by foldwise::vectorize, foldwise::reduce, foldwise::scatter}}
auto named = foldwise::kernel<float(float)>([](float x) { return x; });
// expected-error@+2 {{no template named 'span' in namespace 'foldwise'; did you mean 'std::span'?}}
// expected-note@+1 {{arrays in a lambda are views, such as foldwise::view<const float, 1>}}
auto spans = foldwise::forall([](foldwise::index<1> i, foldwise::span<float> x, float y) { x[i] = y; });
auto fractions = foldwise::vectorize([](float x) {
    // expected-error@+2 {{no template named 'clamp' in namespace 'foldwise'; did you mean 'std::clamp'?}}
    // expected-note@+1 {{it is the standard library's: std::clamp, of <algorithm>}}
    const float y = foldwise::clamp<float>(x, 0, 1);
    return y + missing;  // expected-error {{use of undeclared identifier 'missing'}}
});
