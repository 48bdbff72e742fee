// tests/errors/no_such_call.kernels.cpp: a signature that the lambda does not take.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <functional>
#include <tuple>
#include <utility>

// expected-error@+1 {{kernel 'f' cannot be called with the operands of signature 'float (float, float)': the lambda takes 1 parameter, and the signature has 2 operands; write foldwise::vectorize<float(float)>(...) [FW004]}}
auto f = foldwise::vectorize<float(float, float)>([](auto x) { return x; });

// expected-error@+1 {{kernel 'g' cannot be called with the operands of signature 'float (float)': the lambda takes 2 parameters, and the signature has 1 operand; write foldwise::vectorize<float(float, float)>(...) [FW004]}}
auto g = foldwise::vectorize<float(float)>([](float x, float y) { return x + y; });

// expected-error@+1 {{kernel 'h' cannot be called with the operands of signature 'float (foldwise::index<1>, float)': the index is no operand, and signatures leave it out [FW004]}}
auto h = foldwise::vectorize<float(foldwise::index<1>, float)>([](foldwise::index<1> i, auto x) { return x + i; });

// expected-error@+1 {{kernel 'places' cannot be called with the operands of signature 'float (unsigned long)': the index is no operand, and signatures leave it out [FW004]}}
auto places = foldwise::vectorize<float(unsigned long)>([](foldwise::index<1> i) { return static_cast<float>(i); });

// A first parameter of any type is an operand, whatever is done with it, and no index.
// expected-error@+1 {{kernel 'sum' cannot be called with the operands of signature 'float (float)': the lambda takes 2 parameters, and the signature has 1 operand; write foldwise::vectorize<float(float, float)>(...), or foldwise::index<1> as the type of parameter 'x' if that is the element's position [FW004]}}
auto sum = foldwise::vectorize<float(float)>([](auto x, auto y) { return x + y; });
// expected-error@+1 {{the lambda takes 2 parameters, and the signature has 1 operand}}
auto long_sum = foldwise::vectorize<float(float)>([](const auto& x, auto y) { return x.length() + y; });
// expected-error@+1 {{kernel 'plus' cannot be called with the operands of signature 'float (float)': its call operator takes 2 parameters, and the signature has 1 operand; write foldwise::vectorize<float(float, float)>(...) [FW004]}}
auto plus = foldwise::vectorize<float(float)>(std::plus<>{});
// expected-error@+1 {{kernel 'last' cannot be called with the operands of signature 'float (float)': an index is the first parameter [FW004]}}
auto last = foldwise::vectorize<float(float)>([](auto x, foldwise::index<1> i) { return x * i; });
// expected-error@+1 {{the lambda takes an index and 2 parameters, and the signature has 1 operand; write foldwise::vectorize<float(float, float)>(...) [FW004]}}
auto weighted = foldwise::vectorize<float(float)>([](foldwise::index<1> i, auto x, auto y) { return x * i + y; });
// expected-error@+1 {{the lambda takes 2 to 3 parameters, and the signature has no operands; write foldwise::vectorize<float(float, float, int)>(...) [FW004]}}
auto optional = foldwise::vectorize<float()>([](auto x, float y, int n = 2) { return x + y * n; });
// expected-error@+1 {{the lambda takes 2 parameters or more, and the signature has 1 operand}}
auto open = foldwise::vectorize<float(float)>([](auto x, auto y, auto... rest) { return ((x + y) + ... + rest); });

struct point {
    float x, y;
};
// expected-error@+1 {{kernel 'typed' cannot be called with the operands of signature 'float (point, float)': its parameter 'b' is 'point', to which 'float' does not convert [FW004]}}
auto typed = foldwise::vectorize<float(point, float)>([](auto a, point b) { return a.x + b.x; });
struct either {
    float operator()(float x, float y) const { return x + y; }
    float operator()(point p) const { return p.x; }
};
// expected-error@+1 {{kernel 'several' cannot be called with the operands of signature 'float (float)': no call operator takes them [FW004]}}
auto several = foldwise::vectorize<float(float)>(either{});

auto placed =
    foldwise::vectorize<float(float), double(double)>([](const foldwise::index<2>& at, auto x) { return x * at[1]; });
auto all = foldwise::vectorize<float(float, float), double(double)>([](auto... x) { return (x + ...); });

// Zipped elements are parameters of their own, for which no other signature is the remedy.
// expected-error@+1 {{the lambda takes 1 parameter, and the signature has 2 operands, which are parameters of their own and not zipped [FW004]}}
auto zipped = foldwise::vectorize<float(float, float)>([](std::tuple<float, float> t) { return std::get<0>(t); });
// expected-error@+2 {{the lambda takes 1 parameter, and the signature has 2 elements, which are parameters of their own and not zipped [FW033]}}
auto zipped_sum = foldwise::reduce<float(float, float)>(
    foldwise::map([](std::pair<float, float> p) { return p.first; }), std::plus<>{}, foldwise::identity(0));

// A default argument says no type.
// expected-error@+1 {{its parameter 'k' is left to its default argument, from which no type is deduced [FW004]}}
auto deduced = foldwise::vectorize<double(double)>([](auto x, auto k = 2.0) { return x * k; });
