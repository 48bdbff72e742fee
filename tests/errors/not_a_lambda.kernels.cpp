// tests/errors/not_a_lambda.kernels.cpp: what cannot be called, or is not known while compiling.
// RUN: %refused
#include <foldwise/spec.hpp>

struct Vector {
    float x, y;
    float length() const { return x + y; }
};
// expected-error@+1 {{kernel 'a' cannot call what it is given: a pointer to a member is no lambda, function or function object [FW018]}}
auto a = foldwise::vectorize<float(Vector)>(&Vector::length);
// expected-error@+1 {{kernel 'b' cannot call what it is given: a pointer to a member}}
auto b = foldwise::vectorize<float(Vector)>(&Vector::x);
// expected-error@+1 {{kernel 'c' cannot call what it is given: 'int' is no lambda, function or function object}}
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
// expected-error@+1 {{kernel 'e' is given a function or object that is not known while compiling: what differs from call to call is a parameter of a lambda, as f is in [](float x, Scale f) [FW052]}}
auto e = foldwise::vectorize(Scale{read()});
// expected-error@+1 {{kernel 'f' is given a function or object that is not known while compiling}}
auto f = foldwise::vectorize(changing);
struct Built {
    float factor;
    Built(float by) : factor(by) {}
    float operator()(float x) const { return factor * x; }
};
// expected-error@+1 {{kernel 'built' is given a function or object that is not known while compiling: the constructor of 'Built' is not constexpr [FW052]}}
auto built = foldwise::vectorize(Built(2));

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
// expected-error@+1 {{kernel 'i' cannot call what it is given: the operator() of 'Counter' is not const}}
auto i = foldwise::vectorize<float(float)>(Counter{});
float bodiless(float x);
// expected-error@+1 {{'bodiless' has no body here}}
auto j = foldwise::vectorize(bodiless);
// expected-error@+1 {{kernel 'k' cannot call what it is given: the operator() of 'Counter' is not const}}
auto k = foldwise::vectorize(Counter{});
struct Cached {
    mutable int calls = 0;
    float operator()(float x) const { return x + static_cast<float>(++calls); }
};
struct Caching {
    Cached inner;
    float operator()(float x) const { return inner(x); }
};
// expected-error@+1 {{kernel 'l' cannot call what it is given: 'Cached::calls' is mutable, and a kernel keeps nothing between calls}}
auto l = foldwise::vectorize(Cached{});
// expected-error@+1 {{kernel 'm' cannot call what it is given: 'Cached::calls' is mutable}}
auto m = foldwise::vectorize(Caching{});
struct Shape {
    virtual float operator()(float x) const { return x; }
};
// expected-error@+1 {{kernel 'n' cannot call what it is given: 'Shape' has virtual functions}}
auto n = foldwise::vectorize(Shape{});
inline void nothing(float) {}
// expected-error@-1 {{the function of kernel 'o' returns void}}
auto o = foldwise::vectorize(nothing);

// Which of two kernels it is, is known to the program alone.
constexpr bool fast = false;
// expected-error@+1 {{kernel 'p' is given a function or object that its declaration does not show [FW052]}}
auto p = fast ? foldwise::vectorize(Scale{2}) : foldwise::vectorize(Scale{3});
