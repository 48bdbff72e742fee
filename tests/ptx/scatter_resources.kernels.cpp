// Scattered folds of contiguous arrays load 16 bytes at once, divide no 64-bit numbers for places of one axis, and
// combine by the GPU's own operations where it has them. Of places that are bytes, nothing is asked; of others that are
// computed from bytes, whether they are inside, once and without a branch. No instance spills registers, with little
// room or much in an accumulator, and all leave room for four blocks of 256 threads on a multiprocessor.
// RUN: %generate %s -- %include
// RUN: %nvcc_with_ptx -arch=sm_90 -Xptxas -v -o %t.cubin %t.out/scatter_resources.kernels.cu > %t.log 2>&1
// RUN: mv %t.out/scatter_resources.kernels.ptx %t.ptx
// RUN: %waits %t.ptx
// RUN: %kernel %t.ptx counted_uint8 shared_vectors | FileCheck %s --check-prefix=COUNTS --implicit-check-not=rem.{{[us]}}64 --implicit-check-not=div.{{[us]}}64 --implicit-check-not=.cas.
// RUN: %kernel %t.ptx letters_uint8 shared_vectors | FileCheck %s --check-prefix=LETTERS
// RUN: %kernel %t.ptx added_int32_float atomic_vectors | FileCheck %s --check-prefix=SUMS --implicit-check-not=rem.{{[us]}}64 --implicit-check-not=div.{{[us]}}64
// RUN: FileCheck --check-prefix=RESOURCES --implicit-check-not={{[1-9][0-9]*}}{{" bytes spill"}} %s < %t.log
#include <foldwise/spec.hpp>

#include <cstdint>
#include <functional>

auto counted = foldwise::scatter<std::uint32_t(std::uint8_t)>(
    foldwise::map([](std::uint8_t x) { return foldwise::at(x, 1u); }), std::plus<>{}, foldwise::identity(0));
// COUNTS: griddepcontrol.wait
// COUNTS: ld.global.v{{[24]}}.{{[bu]}}{{32|64}}
// COUNTS-NOT: selp
// COUNTS-COUNT-16: {{atom|red}}.shared.add.u32

auto letters = foldwise::scatter<std::uint32_t(std::uint8_t)>(
    foldwise::map([](std::uint8_t x) { return foldwise::at(x - 65, 1u); }), std::plus<>{}, foldwise::identity(0));
// LETTERS: {{atom|red}}.shared.add.u32
// LETTERS-NOT: bra
// LETTERS: setp
// LETTERS: selp
// LETTERS-NOT: bra
// LETTERS: {{atom|red}}.shared.add.u32
// LETTERS-NOT: bra
// LETTERS: {{atom|red}}.shared.add.u32

auto added = foldwise::scatter<float(std::int32_t, float)>(
    foldwise::map([](std::int32_t place, float x) { return foldwise::at(place, x); }), std::plus<>{},
    foldwise::identity(0));
// SUMS: griddepcontrol.wait
// SUMS-DAG: ld.global.v{{[24]}}.{{[bfu]}}{{32|64}}
// SUMS-DAG: {{atom|red}}.global.add.f32
// SUMS-DAG: match.any.sync.b32

struct moments {
    double n, mean, m2;
};
auto variance = foldwise::scatter<moments(std::int32_t, float)>(
    foldwise::map([](std::int32_t place, float x) {
        return foldwise::at(place, moments{1, x, 0});
    }),
    [](moments a, moments b) {
        const double n = a.n + b.n, d = b.mean - a.mean;
        return moments{n, a.mean + d * b.n / n, a.m2 + b.m2 + d * d * a.n * b.n / n};
    },
    foldwise::identity(moments{0, 0, 0}));
// RESOURCES-COUNT-22: Used {{([1-9]|[1-5][0-9]|6[0-4])}} registers
