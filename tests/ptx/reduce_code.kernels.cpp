// What nvcc compiles for each instance of a reduction: the end of a group's reduction is one function, which does not
// return, and a loop over axes is not unrolled, so that it has a single division (a multiplication, of which a shift
// leaves the high word). Without the function, lanes would exchange results (shfl) in each kernel.
// RUN: %generate %s -- %include
// RUN: %nvcc -arch=sm_90 -ptx -o %t.ptx %t.out/reduce_code.kernels.cu
// RUN: %waits %t.ptx
// RUN: FileCheck --check-prefix=END %s < %t.ptx
// RUN: %kernel %t.ptx sum_float group_vectors | FileCheck --check-prefix=AXES %s --implicit-check-not=shfl
// RUN: %kernel %t.ptx dot_float group_vectors | FileCheck --check-prefix=AXES %s --implicit-check-not=shfl
#include <foldwise/spec.hpp>

auto sum = foldwise::reduce<float>([](float a, float b) { return a + b; }, foldwise::identity(0));
auto dot = foldwise::reduce<float(float, float)>(
    foldwise::map([](float x, float y) { return x * y; }), [](float a, float b) { return a + b; },
    foldwise::identity(0));

// Each is declared, and defined.
// END-COUNT-4: {{^}}.noreturn
// END-NOT: {{^}}.noreturn

// Of the row's elements, and of its result.
// AXES-COUNT-2: shr.u64 {{.*}}, 32;
// AXES-NOT: shr.u64 {{.*}}, 32;
// AXES: call.uni
// AXES-NOT: shr.u64 {{.*}}, 32;
