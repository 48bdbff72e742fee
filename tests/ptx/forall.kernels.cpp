// A task of few instructions: where views are plain, 32 bits are left of what says where an element is, and a
// float kernel computes nothing in double. No stack frame, no spills, and registers for eight blocks of 256 threads on a
// multiprocessor.
// RUN: %generate %s -- %include
// RUN: %nvcc_with_ptx -arch=sm_90 -Xptxas -v -o %t.cubin %t.out/forall.kernels.cu > %t.log 2>&1
// RUN: mv %t.out/forall.kernels.ptx %t.ptx
// RUN: %waits %t.ptx
// RUN: %kernel %t.ptx twice_float plain | FileCheck %s --check-prefix=TWICE --implicit-check-not=.local --implicit-check-not=.f64 --implicit-check-not=mul.
// RUN: %kernel %t.ptx twice_float vectors | FileCheck %s --check-prefix=VECTORS --implicit-check-not=.local --implicit-check-not=.f64
// RUN: %kernel %t.ptx transpose_float plain | FileCheck %s --check-prefix=PLAIN --implicit-check-not=.local --implicit-check-not=.f64
// RUN: %kernel %t.ptx transpose_float strided | FileCheck %s --check-prefix=VIEWS --implicit-check-not=.local --implicit-check-not=.f64 --implicit-check-not='{{shl.b64 .*, 32;|cvt.s64.s32 .*, %rd}}'
// RUN: %kernel %t.ptx histogram_uint8_uint32 plain | FileCheck %s --check-prefix=ATOMIC --implicit-check-not=.local --implicit-check-not=atom.cas --implicit-check-not=isspacep
// RUN: %kernel %t.ptx histogram_uint8_uint32 summed | FileCheck %s --check-prefix=SUMS --implicit-check-not=.local
// RUN: %kernel %t.ptx transpose_float several | FileCheck %s --check-prefix=TILES --implicit-check-not=.local
// RUN: %kernel %t.ptx turn_back_float several | FileCheck %s --check-prefix=ONCE --implicit-check-not=.local
// RUN: %kernel %t.ptx relax_double several | FileCheck %s --check-prefix=INSIDE --implicit-check-not=.local
// RUN: %kernel %t.ptx blur_float several | FileCheck %s --check-prefix=ROW --implicit-check-not=.local
// RUN: %kernel %t.ptx sum_rows_float warps | FileCheck %s --check-prefix=WARPS --implicit-check-not=.local
// RUN: %kernel %t.ptx nearest_float several | FileCheck %s --check-prefix=STEP --implicit-check-not=.local
// RUN: FileCheck %s < %t.log
#include <foldwise/spec.hpp>

#include <atomic>
#include <cstdint>

using foldwise::index;
using foldwise::view;

auto twice = foldwise::forall([](index<1> i, view<const float, 1> x, view<float, 1> out) { out[i] = 2 * x[i]; });
// One product makes bytes of the index.
// TWICE: griddepcontrol.wait
// TWICE: mul.wide.s32
// TWICE: ld.global.{{[bf]}}32
// TWICE: st.global.{{[bf]}}32
// 16 bytes at once; elements one by one where some do not exist or where they are not aligned.
// VECTORS: griddepcontrol.wait
// VECTORS: ld.global.v4.{{[bfu]}}32
// VECTORS: st.global.v4.{{[bfu]}}32

auto transpose = foldwise::forall(
    [](index<2> at, view<const float, 2> in, view<float, 2> out) { out(at[1], at[0]) = in(at[0], at[1]); });
// PLAIN: griddepcontrol.wait
// PLAIN: {{shl.b64 .*, 32;|cvt.s64.s32 .*, %rd|mul.wide.s32}}
// PLAIN: ld.global.{{[bf]}}32
// PLAIN: {{shl.b64 .*, 32;|cvt.s64.s32 .*, %rd|mul.wide.s32}}
// PLAIN: st.global.{{[bf]}}32
// VIEWS: griddepcontrol.wait
// VIEWS: mul.lo.s64
// VIEWS: ld.global.{{[bf]}}32
// VIEWS: st.global.{{[bf]}}32
// Two tiles: eight tasks load before they store to shared memory, and every thread stores from there.
// TILES: griddepcontrol.wait
// TILES-COUNT-8: ld.global.{{[bfu]}}32
// TILES-NOT: ld.global
// TILES-COUNT-8: st.shared.{{[bfu]}}32
// TILES: bar.sync
// TILES-COUNT-8: st.global.{{[bfu]}}32

// So is what is read through them.
auto turn_back = foldwise::forall(
    [](index<2> at, view<const float, 2> in, view<float, 2> out) { out(at[0], at[1]) = in(at[1], at[0]); });
// ONCE: griddepcontrol.wait
// ONCE-COUNT-8: ld.global.{{[bfu]}}32
// ONCE-COUNT-8: st.shared.{{[bfu]}}32

auto histogram = foldwise::forall([](index<1> i, view<const std::uint8_t, 1> pixels, view<std::uint32_t, 1> bins) {
    std::atomic_ref(bins[pixels[i]]).fetch_add(1u, std::memory_order_relaxed);
});
// ATOMIC: ld.global.{{[bu]}}8
// In which memory the element is, is known, so that nothing has to come back from it.
// ATOMIC: {{atom|red}}.global.add.u32
// Four tasks in a row, without a jump between them; and others, one at a time.
// SUMS: st.shared.u32
// SUMS: bar.sync
// SUMS: ld.global.{{[bu]}}8
// SUMS-NOT: bra
// SUMS-COUNT-4: atom.shared.add.u32
// SUMS: bra
// SUMS: atom.shared.add.u32
// SUMS: bar.sync
// SUMS: ld.shared.u32
// SUMS: atom.global.add.u32

auto relax = foldwise::forall([](index<2> at, view<const double, 2> in, view<double, 2> out) {
    const auto [r, c] = at;
    const bool edge = r == 0 || c == 0 || r + 1 == in.extent(0) || c + 1 == in.extent(1);
    out(r, c) = edge ? in(r, c) : 0.25 * (in(r - 1, c) + in(r + 1, c) + in(r, c - 1) + in(r, c + 1));
});
// Four tasks inside: no branch for edges, and each of the 14 elements that they read together is loaded once.
// INSIDE: griddepcontrol.wait
// INSIDE-COUNT-14: ld.global.{{[bf]}}64
// INSIDE-NOT: {{bra|ld.global}}
// INSIDE-COUNT-4: st.global.{{[bf]}}64
// INSIDE: bra

auto blur = foldwise::forall([](index<1> i, view<const float, 1> in, view<float, 1> out) {
    const auto n = in.extent(0);
    out[i] = i >= 2 && i < n - 2 ? in[i - 2] + in[i - 1] + in[i] + in[i + 1] + in[i + 2] : 0;
});
// ROW: griddepcontrol.wait
// ROW-COUNT-20: ld.global.{{[bf]}}32
// ROW-NOT: {{bra|ld.global}}
// ROW-COUNT-4: st.global.{{[bf]}}32

auto sum_rows = foldwise::forall([](index<1> row, view<const float, 2> x, view<float, 1> sums) {
    float sum = 0;
    for (std::int64_t k = 0; k < x.extent(1); ++k) sum += x(row[0], k);
    sums[row] = sum;
});
// Sixteen loads of each lane before any is waited for, and four terms at a time come back.
// WARPS: griddepcontrol.wait
// WARPS-COUNT-16: ld.global.{{[bf]}}32
// WARPS-NOT: ld.global
// WARPS: bar.warp.sync
// WARPS-COUNT-16: st.shared.{{[bf]}}32
// WARPS: bar.warp.sync
// WARPS: ld.shared.v4.{{[bf]}}32

auto nearest = foldwise::forall([](index<1> i, view<const float, 1> x, view<const float, 1> y, view<float, 1> out) {
    const float own = x[i];
    float found = 1e30f;
    for (std::int64_t k = 0; k < y.extent(0); ++k) {
        const float d = own - y[k];
        found = d * d < found ? d * d : found;
    }
    out[i] = found;
});
// In step: each element is loaded once for four tasks.
// STEP: griddepcontrol.wait
// STEP-COUNT-4: ld.global.{{[bf]}}32
// STEP: ld.global.{{[bf]}}32 [[Y:%[rf]+[0-9]+]],
// STEP-COUNT-4: sub.{{(ftz.)?}}f32 {{.*}}, [[Y]];

// CHECK-COUNT-25: Function properties for {{.*view_layoutE[0-4].*[[:space:]] +}}0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads{{[[:space:]].*}}Used {{([1-9]|[12][0-9]|3[0-2])}} registers
