// What nvcc compiles for each instance of a reduction: the end of a group's reduction is one function, which does not
// return, and a loop over axes is not unrolled, so that it has a single division (a multiplication, of which a shift
// leaves the high word). Without the function, lanes would exchange results (shfl) in each kernel. Along several axes a
// thread loads its last elements where it loads the others, eight at once, or four in columns. Lanes of short rows exchange
// accumulators only.
// RUN: %generate %s -- %include
// RUN: %nvcc -arch=sm_90 -ptx -o %t.ptx %t.out/reduce_code.kernels.cu
// RUN: %waits %t.ptx
// RUN: FileCheck --check-prefix=END %s < %t.ptx
// RUN: %kernel %t.ptx sum_float group_vectors | FileCheck --check-prefix=AXES %s --implicit-check-not=shfl
// RUN: %kernel %t.ptx dot_float group_vectors | FileCheck --check-prefix=AXES %s --implicit-check-not=shfl
// RUN: %kernel %t.ptx sum_float group_strided | FileCheck --check-prefix=STRIDED %s
// RUN: %kernel %t.ptx sum_float columns_elements | FileCheck --check-prefix=COLUMNS %s
// RUN: %kernel %t.ptx sum_float lanes_vectors | FileCheck --check-prefix=LANES %s
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

// STRIDED-COUNT-8: ld.global
// STRIDED-NOT: ld.global

// Along one axis eight and at most seven, along several axes four, and eight parts of other blocks.
// COLUMNS-COUNT-27: ld.global
// COLUMNS-NOT: ld.global

// Of four rows of a thread, of one or of a second one, if all lanes have elements and if some have none.
// LANES-COUNT-12: shfl
// LANES-NOT: shfl
