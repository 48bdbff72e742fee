// tests/errors/forall.kernels.cpp: lambdas that are no tasks.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <cstdint>

using foldwise::forall;
using foldwise::index;
using foldwise::view;

// expected-error@+1 {{the lambda of kernel 'nothing' does not take the task's index: its first parameter is a foldwise::index<N> with N from 1 to 4 [FW045]}}
auto nothing = forall([] {});
// expected-error@+1 {{the lambda of kernel 'unindexed' does not take the task's index: its first parameter is a foldwise::index<N> with N from 1 to 4 [FW045]}}
auto unindexed = forall([](view<float, 1> x) { x[0] = 1; });
// expected-error@+1 {{the lambda of kernel 'flat' does not take the task's index: its first parameter is a foldwise::index<N> with N from 1 to 4 [FW045]}}
auto flat = forall([](std::int64_t i, view<float, 1> x) { x[i] = 1; });
// expected-error@+1 {{the lambda of kernel 'last' does not take the task's index: its first parameter is a foldwise::index<N> with N from 1 to 4 [FW045]}}
auto last = forall([](view<float, 1> x, index<1> i) { x[i] = 1; });
// expected-error@+1 {{the lambda of kernel 'deep' takes an index of 5 axes, and kernels have one of 1 to 4 [FW051]}}
auto deep = forall([](index<5> at, view<float, 5> x) { x[at] = 1; });

// expected-error@+1 {{the lambda of kernel 'twice' returns 'float', and a task has no result: it writes to views [FW046]}}
auto twice = forall([](index<1> i, view<const float, 1> x) { return 2 * x[i]; });
// expected-error@+1 {{the lambda of kernel 'assigned' returns 'double', and a task has no result: it writes to views [FW046]}}
auto assigned = forall<void(view<double, 1>)>([](index<1> i, auto x) { return x[i] = 1; });

// expected-error@+1 {{parameter 'total' of kernel 'sum' is a reference that could be written to, but tasks get copies: take a view, or a value that is only read; what all tasks sum up is a foldwise::reduce [FW047]}}
auto sum = forall([](index<1> i, view<const float, 1> x, float& total) { total += x[i]; });
// expected-error@+1 {{parameter 'x' of kernel 'moved' is a reference that could be written to, but tasks get copies: take a view, or a value that is only read; what all tasks sum up is a foldwise::reduce [FW047]}}
auto moved = forall([](index<1> i, view<float, 1>&& x) { x[i] = 0; });
auto forwarded = forall<void(view<float, 1>)>([](index<1> i, auto&& x) { x[i] = 0; });
// expected-error@+1 {{parameter 'at' of kernel 'stepped' is a reference that could be written to, but tasks get copies: take a view, or a value that is only read; what all tasks sum up is a foldwise::reduce [FW047]}}
auto stepped = forall([](index<1>& at, view<float, 1> x) { x[at] = 0; });
auto read_only = forall([](const index<1>& i, const view<float, 1>& x, const float& value) { x[i] = value; });

struct large {
    double values[64][32];
};
// expected-error@+1 {{kernel 'heavy' has too many parameters: they take 32768 bytes, and there is room for 32508 [FW048]}}
auto heavy = forall([](index<1>, large a, large b) { (void)a, (void)b; });
// clang-format off
using v = view<int, 1>;
// expected-error@+1 {{kernel 'many' has too many parameters: they are 65, and there is room for 64 [FW048]}}
auto many = forall<void(
    v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v,
    v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v,
    v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v,
    v, v, v, v, v)>([](index<1>, auto...) {});
// clang-format on

// expected-error@+1 {{kernel 'untyped' has a generic lambda and no signature to type it: write foldwise::forall<void(foldwise::view<float, 1>)>(...) [FW002]}}
auto untyped = forall([](index<1> i, auto x) { x[i] = 1; });
// expected-error@+1 {{'float *' cannot be a parameter of a kernel: the arrays of a kernel are views; write foldwise::view<float, 1> [FW007]}}
auto pointed = forall([](index<1> i, float* x) { x[i] = 1; });
// expected-error@+1 {{'volatile float' cannot be an element of an array: views have plain elements, which tasks share through std::atomic_ref, of <atomic> [FW007]}}
auto watched = forall([](index<1> i, view<volatile float, 1> x) { x[i] = 0; });
// expected-error@+1 {{signatures 'void (foldwise::view<float, 1>)' and 'void (foldwise::view<float, 2>)' of kernel 'two_ranks' become functions of the same operands [FW050]}}
auto two_ranks = forall<void(view<float, 1>), void(view<float, 2>)>([](index<1>, auto) {});
auto two_uses = forall<void(view<const float, 1>), void(view<float, 1>), void(float)>([](index<1>, auto) {});
