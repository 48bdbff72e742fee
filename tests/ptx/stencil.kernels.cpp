// Four vectors of a thread look at what is around them in registers: each vector is loaded once, and beside it single
// elements. Threads at edges run the same code. Nothing is kept in local memory, also of windows that loops go through.
// RUN: %generate %s -- %include
// RUN: %nvcc_with_ptx -arch=sm_90 -Xptxas -v -o %t.cubin %t.out/stencil.kernels.cu > %t.log 2>&1
// RUN: mv %t.out/stencil.kernels.ptx %t.ptx
// RUN: %waits %t.ptx
// RUN: %kernel %t.ptx seven_float vectors | FileCheck %s --check-prefix=SEVEN --implicit-check-not=.local --implicit-check-not=ld.global --implicit-check-not=st.global
// RUN: %kernel %t.ptx seven_float rows | FileCheck %s --check-prefix=ROWS --implicit-check-not=.local --implicit-check-not=ld.global --implicit-check-not=st.global
// RUN: %kernel %t.ptx five_double vectors | FileCheck %s --check-prefix=FIVE --implicit-check-not=.local --implicit-check-not=ld.global --implicit-check-not=st.global
// RUN: %kernel %t.ptx divided_float vectors | FileCheck %s --check-prefix=DIVIDED
// RUN: %kernel %t.ptx divided_float tiles | FileCheck %s --check-prefix=STEPS --implicit-check-not=bar.warp.sync
// RUN: FileCheck --check-prefix=FRAME --implicit-check-not="{{[1-9][0-9]*}} bytes stack frame" %s < %t.log
// FRAME: 0 bytes stack frame
#include <foldwise/spec.hpp>

#include <cstdint>

auto seven = foldwise::stencil(
    [](foldwise::around<const float, 3> a) {
        return 0.5f * a(0, 0, 0) +
               0.1f * (a(-1, 0, 0) + a(1, 0, 0) + a(0, -1, 0) + a(0, 1, 0) + a(0, 0, -1) + a(0, 0, 1));
    },
    foldwise::edge::nearest);
// SEVEN: griddepcontrol.wait
// SEVEN-COUNT-22: ld.global{{(.v4)?}}.f32
// SEVEN-COUNT-4: st.global.v4.f32
// ROWS: griddepcontrol.wait
// ROWS-COUNT-42: ld.global.f32
// ROWS-COUNT-8: st.global.f32

auto five = foldwise::stencil(
    [](foldwise::around<const double, 2> a) { return 0.25 * (a(-1, 0) + a(1, 0) + a(0, -1) + a(0, 1)) - a(0, 0); },
    foldwise::edge::wrap);
// FIVE: griddepcontrol.wait
// FIVE-COUNT-14: ld.global{{(.v2)?}}.f64
// FIVE-COUNT-4: st.global.v2.f64

// What has branches begins behind all loads; but not in the steps of tiles, in which some threads of a warp have none.
auto divided = foldwise::stencil(
    [](foldwise::around<const float, 2> a) { return (a(-1, 0) + a(1, 0) + a(0, -1) + a(0, 1)) / a(0, 0); },
    foldwise::edge::wrap);
// DIVIDED: bar.warp.sync
// STEPS: bar.sync

auto thirteen = foldwise::stencil(
    [](foldwise::around<const float, 3> a) {
        float sum = a(0, 0, 0);
        for (int i = 1; i <= 2; ++i)
            sum += (a(-i, 0, 0) + a(i, 0, 0) + a(0, -i, 0) + a(0, i, 0) + a(0, 0, -i) + a(0, 0, i)) / i;
        return sum;
    },
    foldwise::edge::wrap);

auto cube = foldwise::stencil(
    [](foldwise::around<const float, 3> a, float k) {
        float sum = 0;
        for (int i = -1; i <= 1; ++i)
            for (int j = -1; j <= 1; ++j)
                for (int l = -1; l <= 1; ++l) sum += k * a(i, j, l);
        return sum;
    },
    foldwise::edge::constant(3));

auto blur = foldwise::stencil(
    [](foldwise::around<const std::uint8_t, 2> a) {
        int sum = 0;
        for (int i = -2; i <= 2; ++i)
            for (int j = -2; j <= 2; ++j) sum += a(i, j);
        return static_cast<std::uint8_t>(sum / 25);
    },
    foldwise::edge::skip);
