// tests/errors/annotations.kernels.cpp: what CUDA's kernels are annotated with, and types that lack a const.
// RUN: %refused
#include <foldwise/spec.hpp>

// expected-error@+1 {{a spec is plain C++: leave __launch_bounds__ out, as blocks<256>(...) says it [FW076]}}
__launch_bounds__(256) auto bounded = foldwise::vectorize([](float x) { return x; });
// expected-error@+1 {{a spec is plain C++: a kernel is a variable, made by foldwise::forall [FW076]}}
__global__ auto global = foldwise::vectorize([](float x) { return x; });
// expected-error@+2 {{restrict requires a pointer or reference}}
// expected-note@+1 {{leave __restrict__ out: a view is no pointer, and what a kernel only reads is a view<const T, N>}}
auto copied = foldwise::forall([](foldwise::index<1> i, foldwise::view<float, 1> __restrict__ x) { x[i] = 1; });
// expected-error@+1 {{what is around an element is read and not written: write const before the type, as in around<const T, N> [FW076]}}
auto blurred = foldwise::stencil([](foldwise::around<float, 1> a) { return a(-1) + a(1); }, foldwise::edge::nearest);
