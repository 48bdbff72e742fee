// With separable compilation, stop() is one function of all files that are linked for the GPU. It reports where the kernel
// says that its own file looks.
//
// RUN: rm -rf %t.out
// RUN: %generate --checked %s -- %include
// RUN: %nvcc -arch=sm_90 -DFOLDWISE_CHECKED -rdc=true -ptx -o %t.ptx %t.out/separable.kernels.cu
// RUN: FileCheck --check-prefix=PTX %s < %t.ptx
#include <foldwise/spec.hpp>

// PTX: .weak .func {{.*}}stop
// PTX: .global {{.*}}[[FOUND:__nv_static[A-Za-z0-9_]*found_on_device[A-Za-z0-9_]*]][{{[0-9]+}}];
// PTX: .weak .global {{.*}}reported_to
// PTX: .entry {{.*}}next
// PTX: mov.u64 [[HERE:%rd[0-9]+]], [[FOUND]];
// PTX: cvta.global.u64 [[THERE:%rd[0-9]+]], [[HERE]];
// PTX: st.global.u64 {{.*}}reported_to{{.*}}, [[THERE]];
// PTX: .weak .func {{.*}}stop
// PTX-NOT: found_on_device
// PTX: ld.global.u64 {{.*}}reported_to
// PTX-NOT: found_on_device
auto next = foldwise::forall(
    [](foldwise::index<1> i, foldwise::view<const float, 1> x, foldwise::view<float, 1> out) { out[i] = x[i + 1]; });
