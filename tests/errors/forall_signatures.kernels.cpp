// tests/errors/forall_signatures.kernels.cpp: tasks that cannot be called with what their signatures have.
// RUN: %refused
#include <foldwise/spec.hpp>

using foldwise::forall;
using foldwise::index;
using foldwise::view;

// expected-error@+1 {{the lambda of kernel 'any' does not take the task's index: its first parameter is a foldwise::index<N> with N from 1 to 4 [FW045]}}
auto any = forall<void(view<float, 1>)>([](auto i, auto x) { x[i] = 1; });
// expected-error@+1 {{parameter 'total' of kernel 'typed_sum' is a reference that could be written to, but tasks get copies: take a view, or a value that is only read; what all tasks sum up is a foldwise::reduce [FW047]}}
auto typed_sum = forall<void(view<const float, 1>, float)>([](index<1> i, auto x, float& total) { total += x[i]; });
// expected-error@+1 {{kernel 'uncalled' cannot be called with the operands of signature 'void (foldwise::view<float, 1>)': the lambda takes an index and 2 parameters, and the signature has 1 operand; write foldwise::forall<void(foldwise::view<float, 1>, foldwise::view<float, 1>)>(...) [FW004]}}
auto uncalled = forall<void(view<float, 1>)>([](index<1> i, auto x, auto y) { x[i] = y[i]; });
// expected-error@+1 {{kernel 'index_named' cannot be called with the operands of signature 'void (foldwise::index<1>, foldwise::view<float, 1>)': the index is no operand, and signatures leave it out [FW004]}}
auto index_named = forall<void(index<1>, view<float, 1>)>([](index<1> i, auto x) { x[i] = 1; });
// expected-error@+1 {{the lambda of kernel 'expected' returns nothing, which does not convert to 'float': a task has no result, and its signature begins with void [FW005]}}
auto expected = forall<float(view<float, 1>)>([](index<1> i, auto x) { x[i] = 1; });
