// Items' own variables are registers, also where a thread has several; shared memory is reached without dividing; a
// block's phases have one barrier between them, and none before the first or behind the last.
// RUN: %generate %s -- %include
// RUN: %nvcc_with_ptx -arch=sm_90 -Xptxas -v -o %t.cubin %t.out/blocks.kernels.cu > %t.log 2>&1
// RUN: mv %t.out/blocks.kernels.ptx %t.ptx
// RUN: %waits %t.ptx
// RUN: %kernel %t.ptx transpose_float plain | FileCheck %s --check-prefix=TURN --implicit-check-not=.local --implicit-check-not=bar.sync --implicit-check-not=barrier.sync --implicit-check-not=rem. --implicit-check-not=div.
// RUN: %kernel %t.ptx shares_double plain | FileCheck %s --check-prefix=SHARES --implicit-check-not=.local
// RUN: FileCheck --check-prefix=FRAME --implicit-check-not="{{[1-9][0-9]*}} bytes stack frame" %s < %t.log
#include <foldwise/spec.hpp>

using foldwise::block;
using foldwise::index;
using foldwise::view;

auto transpose = foldwise::blocks<32, 32>([](block<2> b, view<const float, 2> in, view<float, 2> out) {
    auto tile = b.shared<float, 32, 33>();
    b.each([&](index<2> t) {
        if (in.has(b.at(t))) tile[t] = in[b.at(t)];
    });
    b.each([&](index<2> t) {
        const index<2> p(b.origin(1) + t[0], b.origin(0) + t[1]);
        if (out.has(p)) out[p] = tile(t[1], t[0]);
    });
});
// TURN: griddepcontrol.wait
// TURN-COUNT-4: st.shared
// TURN: {{bar|barrier}}.sync
// TURN-COUNT-4: ld.shared

auto shares = foldwise::blocks<1024>([](block<1> b, view<const double, 1> x, view<double, 1> out) {
    auto mine = b.own(0.0);
    b.each([&](index<1> t) { mine[t] = x.has(b.at(t)) ? x[b.at(t)] : 0; });
    const double total = b.fold(mine, [](double a, double c) { return a + c; });
    auto before = b.exclusive_scan(mine, 0.0, [](double a, double c) { return a + c; });
    b.each([&](index<1> t) {
        if (out.has(b.at(t))) out[b.at(t)] = before[t] / total;
    });
});
// SHARES: griddepcontrol.wait
// SHARES: shfl.sync
// FRAME: 0 bytes stack frame
