// tests/errors/function_without_body.kernels.cpp: a function that is only declared.
// RUN: %refused
#include <foldwise/spec.hpp>

float elsewhere(float x);
// expected-error@+1 {{'elsewhere' has no body here: a kernel needs the definition of all that it calls, in the spec or a header that it includes [FW012]}}
auto f = foldwise::vectorize([](float x) { return elsewhere(x); });

void block_elsewhere(foldwise::block<1> b, foldwise::view<float, 1> x);
// expected-error@+1 {{'block_elsewhere' has no body here}}
auto g = foldwise::blocks<256>(block_elsewhere);
template <class T> struct Elsewhere { void operator()(foldwise::block<1> b, foldwise::view<T, 1> x) const; };
// expected-error@+1 {{'Elsewhere<float>::operator()' has no body here}}
auto h = foldwise::blocks<256>(Elsewhere<float>{});
// A body with errors of its own is told by them.
template <class T> struct Wrong {
    void operator()(foldwise::block<1>, foldwise::view<T, 1> x) const {
        T value = x[0];
        value.member = 1;  // expected-error {{member reference base type 'float' is not a structure or union}}
    }
};
// expected-note@+1 {{requested here}}
auto wrong = foldwise::blocks<256>(Wrong<float>{});
struct Deleted {
    void operator()(foldwise::block<1> b, foldwise::view<float, 1> x) const = delete;
};
// expected-error@+1 {{kernel 'deleted' cannot call what it is given: the operator() of 'Deleted' is deleted [FW018]}}
auto deleted = foldwise::blocks<256>(Deleted{});
