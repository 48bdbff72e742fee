// tests/errors/too_many_operands.kernels.cpp: kernels have 64 operands at most, and indices 4 axes.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <cstddef>
#include <tuple>
#include <utility>

template <class Result, class Numbers> struct function_of;
template <class Result, std::size_t... Number> struct function_of<Result, std::index_sequence<Number...>> {
    template <std::size_t> using same = float;
    using type = Result(same<Number>...);
};
template <class Result, std::size_t Count>
using function = typename function_of<Result, std::make_index_sequence<Count>>::type;

namespace many {

auto enough = foldwise::vectorize<function<float, 63>>([](auto... x) { return (x + ...); });
// The signature is named, which is the second here.
auto inputs = foldwise::vectorize<
    float(float),
    // expected-error@+1 {{kernel 'inputs' has too many operands: 64 inputs and 1 output, and there is room for 64 together [FW048]}}
    function<float, 64>>([](auto... x) { return (x + ...); });
// expected-error@+1 {{kernel 'outputs' has too many operands: 63 inputs and 2 outputs, and there is room for 64 together [FW048]}}
auto outputs = foldwise::vectorize<function<std::tuple<float, float>, 63>>([](auto... x) {
    const float all = (x + ...);
    return std::tuple{all, -all};
});

auto folded = foldwise::reduce<function<float, 63>>(
    foldwise::map([](auto... x) { return (x + ...); }), [](auto a, auto b) { return a + b; }, foldwise::identity(0));
// expected-error@+1 {{kernel 'folds' has too many operands: 64 inputs and 1 output, and there is room for 64 together [FW048]}}
auto folds = foldwise::reduce<function<float, 64>>(
    foldwise::map([](auto... x) { return (x + ...); }), [](auto a, auto b) { return a + b; }, foldwise::identity(0));

// expected-error@+1 {{the lambda of kernel 'deep' takes an index of 5 axes, and kernels have one of 1 to 4 [FW051]}}
auto deep = foldwise::vectorize([](foldwise::index<5> at, float x) { return x + float(at[4]); });
// expected-error@+1 {{the lambda of kernel 'typed' takes an index of 5 axes, and kernels have one of 1 to 4 [FW051]}}
auto typed = foldwise::vectorize<float(float)>([](foldwise::index<5> at, auto x) { return x + float(at[4]); });
auto mapped = foldwise::reduce<float>(
    // expected-error@+1 {{the lambda of kernel 'mapped' takes an index of 8 axes, and kernels have one of 1 to 4 [FW051]}}
    foldwise::map([](foldwise::index<8> at, float x) { return x + float(at[4]); }),
    [](float a, float b) { return a + b; }, foldwise::identity(0));

}  // namespace many
