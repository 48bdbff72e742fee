// tests/errors/part_alone.kernels.cpp: parts of folds that no fold has.
// RUN: %warned
#include <foldwise/spec.hpp>

#include <functional>

// expected-warning@+1 {{'squares' is a foldwise::map, which is a part of folds and no kernel, and no fold has it: elementwise kernels are made by foldwise::vectorize [FW132, -Wpart-alone]}}
auto squares = foldwise::map([](float x) { return x * x; });
// expected-warning@+1 {{'typed' is a foldwise::map, which is a part of folds and no kernel}}
auto typed = foldwise::map<float(float)>([](float x) { return x * x; });
namespace named {
// expected-warning@+1 {{'zero' is a foldwise::identity, which is a part of folds and no kernel, and no fold has it: hand it to a foldwise::reduce, scan or scatter}}
constexpr auto zero = foldwise::identity(0);
}  // namespace named

constexpr auto cubes = foldwise::map([](float x) { return x * x * x; });
constexpr auto none = foldwise::identity(0);
auto sum_of_cubes = foldwise::reduce<float>(cubes, std::plus<>{}, none);
auto sum_of_squares =
    foldwise::reduce<float>(foldwise::map([](float x) { return x * x; }), std::plus<>{}, foldwise::identity(0));
