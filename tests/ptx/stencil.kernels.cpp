// What a thread's elements have in common is loaded once: 42 loads for 8 elements that look at 7 each, and 7 for one at
// the edge. Nothing is kept in local memory.
// RUN: %generate %s -- %include
// RUN: %nvcc -arch=sm_90 -ptx -o %t.ptx %t.out/stencil.kernels.cu
// RUN: %kernel %t.ptx seven_float rows | FileCheck %s --check-prefix=SEVEN --implicit-check-not=.local --implicit-check-not=ld.global --implicit-check-not=st.global
// RUN: %kernel %t.ptx five_double rows | FileCheck %s --check-prefix=FIVE --implicit-check-not=.local --implicit-check-not=ld.global --implicit-check-not=st.global
// RUN: %nvcc -arch=sm_90 -cubin -Xptxas -v -o %t.cubin %t.out/stencil.kernels.cu > %t.log 2>&1
// RUN: FileCheck --check-prefix=FRAME --implicit-check-not="{{[1-9][0-9]*}} bytes stack frame" %s < %t.log
// FRAME: 0 bytes stack frame
#include <foldwise/spec.hpp>

auto seven = foldwise::stencil(
    [](foldwise::around<const float, 3> a) {
        return 0.5f * a(0, 0, 0) +
               0.1f * (a(-1, 0, 0) + a(1, 0, 0) + a(0, -1, 0) + a(0, 1, 0) + a(0, 0, -1) + a(0, 0, 1));
    },
    foldwise::edge::nearest);
// SEVEN: griddepcontrol.wait
// SEVEN-COUNT-42: ld.global
// SEVEN-COUNT-8: st.global
// SEVEN-COUNT-7: ld.global
// SEVEN-COUNT-1: st.global

auto five = foldwise::stencil(
    [](foldwise::around<const double, 2> a) { return 0.25 * (a(-1, 0) + a(1, 0) + a(0, -1) + a(0, 1)) - a(0, 0); },
    foldwise::edge::wrap);
// FIVE: griddepcontrol.wait
// FIVE-COUNT-14: ld.global
// FIVE-COUNT-4: st.global
// FIVE-COUNT-5: ld.global
// FIVE-COUNT-1: st.global
