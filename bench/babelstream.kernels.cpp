// bench/babelstream.kernels.cpp: the kernels of BabelStream (https://github.com/UoB-HPC/BabelStream).
#include "babelstream_rules.hpp"

#include <foldwise/spec.hpp>

namespace babelstream {

auto copy = foldwise::vectorize<float(float), double(double)>([](auto a) { return a; });
auto mul = foldwise::vectorize<float(float), double(double)>([](auto c) { return scalar<decltype(c)> * c; });
auto add = foldwise::vectorize<float(float, float), double(double, double)>([](auto a, auto b) { return a + b; });
auto triad = foldwise::vectorize<float(float, float), double(double, double)>(
    [](auto b, auto c) { return b + scalar<decltype(c)> * c; });
auto nstream = foldwise::vectorize<float(float, float, float), double(double, double, double)>(
    [](auto a, auto b, auto c) { return a + (b + scalar<decltype(c)> * c); });
auto dot = foldwise::reduce<float(float, float), double(double, double)>(
    foldwise::map([](auto a, auto b) { return a * b; }), [](auto a, auto b) { return a + b; }, foldwise::identity(0));

}  // namespace babelstream
