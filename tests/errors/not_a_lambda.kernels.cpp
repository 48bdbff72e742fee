// tests/errors/not_a_lambda.kernels.cpp: what cannot be called, or is not known while compiling.
// RUN: %refused
#include <foldwise/spec.hpp>

struct Vector {
    float x, y;
    float length() const { return x + y; }
};
// expected-error@+1 {{kernel 'a' is not given what can be called: a lambda, a function or an object with a const operator() [FW018]}}
auto a = foldwise::vectorize<float(Vector)>(&Vector::length);
// expected-error@+1 {{kernel 'b' is not given what can be called}}
auto b = foldwise::vectorize<float(Vector)>(&Vector::x);
// expected-error@+1 {{kernel 'c' is not given what can be called}}
auto c = foldwise::vectorize<float(float)>(5);

float read();
inline float twice(float x) { return 2 * x; }
float (*chosen)(float) = twice;
struct Scale {
    float factor;
    float operator()(float x) const { return factor * x; }
};
Scale changing{2};
// expected-error@+1 {{kernel 'd' is given a function or object that is not known while compiling [FW052]}}
auto d = foldwise::vectorize(chosen);
// expected-error@+1 {{kernel 'e' is given a function or object that is not known while compiling}}
auto e = foldwise::vectorize(Scale{read()});
// expected-error@+1 {{kernel 'f' is given a function or object that is not known while compiling}}
auto f = foldwise::vectorize(changing);

inline float halved(float x) { return x / 2; }
inline double halved(double x) { return x / 2; }
// expected-error@+1 {{kernel 'g' is given the name of overloaded functions, and its signatures do not choose one of them [FW053]}}
auto g = foldwise::vectorize<float(float), double(double)>(halved);
inline void filled(foldwise::index<1>, foldwise::view<float, 1>) {}
inline void filled(foldwise::index<2>, foldwise::view<float, 1>) {}
inline void filled(foldwise::index<1>, foldwise::view<double, 1>) {}
inline void filled(foldwise::index<3>, foldwise::view<int, 1>) {}
// expected-error@+1 {{kernel 'h' is given the name of overloaded functions}}
auto h = foldwise::forall<void(foldwise::view<int, 1>)>(filled);

struct Counter {
    float operator()(float x) { return x; }
};
// expected-error@+1 {{the lambda of kernel 'i' cannot be called with the operands of signature 'float (float)'}}
auto i = foldwise::vectorize<float(float)>(Counter{});
float bodiless(float x);
// expected-error@+1 {{'bodiless' has no body here}}
auto j = foldwise::vectorize(bodiless);
