// Contiguous operands are loaded and stored by 16 bytes, whatever their type; nothing lives in local memory, and a float
// kernel computes in float.
// RUN: %generate %s -- %include
// RUN: %nvcc -arch=sm_90 -ptx -o %t.ptx %t.out/wide_access.kernels.cu
// RUN: %waits %t.ptx
// RUN: %kernel %t.ptx rel_diff_float vectors | FileCheck %s --check-prefix=FLOAT --implicit-check-not=.local --implicit-check-not=.f64
// RUN: %kernel %t.ptx rel_diff_double vectors | FileCheck %s --check-prefix=DOUBLE --implicit-check-not=.local
// RUN: %kernel %t.ptx rel_diff_float mixed | FileCheck %s --check-prefix=MIXED --implicit-check-not=.local --implicit-check-not=.f64
// RUN: %kernel %t.ptx rel_diff_float flat | FileCheck %s --check-prefix=FLAT --implicit-check-not=.local --implicit-check-not=.f64 --implicit-check-not=rem. --implicit-check-not=div.{{[us]}}
// RUN: %kernel %t.ptx invert_uint8 flat | FileCheck %s --check-prefix=BYTES --implicit-check-not=.local
// RUN: %kernel %t.ptx rel_diff_float strided | FileCheck %s --check-prefix=STRIDED --implicit-check-not=.local --implicit-check-not=.f64 --implicit-check-not=rem. --implicit-check-not=div.{{[us]}}
// RUN: %kernel %t.ptx rel_diff_float tiled | FileCheck %s --check-prefix=TILED --implicit-check-not=.local --implicit-check-not=.f64 --implicit-check-not=rem. --implicit-check-not=div.{{[us]}} --implicit-check-not=bar.sync
// RUN: %kernel %t.ptx rel_diff_float transposed | FileCheck %s --check-prefix=TRANSPOSED --implicit-check-not=.local --implicit-check-not=rem. --implicit-check-not=div.{{[us]}}
// RUN: %kernel %t.ptx invert_uint8 transposed | FileCheck %s --check-prefix=TRANSPOSED-BYTES --implicit-check-not=.local
// RUN: %kernel %t.ptx invert_uint8 vectors | FileCheck %s --check-prefix=BYTES --implicit-check-not=.local
// RUN: %kernel %t.ptx invert_int16 vectors | FileCheck %s --check-prefix=SHORTS --implicit-check-not=.local
// RUN: %kernel %t.ptx invert_bool vectors | FileCheck %s --check-prefix=BYTES --implicit-check-not=.local
// RUN: %kernel %t.ptx subtract_int16 mixed | FileCheck %s --check-prefix=APART --implicit-check-not=.local
// RUN: %kernel %t.ptx subtract_int16 flat | FileCheck %s --check-prefix=APART --implicit-check-not=.local
// RUN: %kernel %t.ptx subtract_int16 tiled | FileCheck %s --check-prefix=APART --implicit-check-not=.local
// RUN: %kernel %t.ptx widen_float vectors | FileCheck %s --check-prefix=WIDEN --implicit-check-not=.local
// RUN: %kernel %t.ptx gaussian_float vectors | FileCheck %s --check-prefix=GAUSSIAN --implicit-check-not=.local --implicit-check-not=.f64
#include <foldwise/spec.hpp>

#include <cmath>
#include <cstdint>

auto rel_diff = foldwise::vectorize<float(float, float), double(double, double)>(
    [](auto x, auto y) { return 2 * (x - y) / (x + y); });
// FLOAT: griddepcontrol.wait
// FLOAT-COUNT-2: ld.global.v4.{{[bfu]}}32
// FLOAT: st.global.v4.{{[bfu]}}32
// DOUBLE-COUNT-2: ld.global.v2.{{[bfu]}}64
// DOUBLE: st.global.v2.{{[bfu]}}64
// MIXED-DAG: ld.global.v4.{{[bfu]}}32
// MIXED-DAG: st.global.v4.{{[bfu]}}32
// FLAT-DAG: ld.global.v4.{{[bfu]}}32
// FLAT-DAG: st.global.v4.{{[bfu]}}32
// Divided by multiplication, and the coordinates stay in registers.
// STRIDED: mul.{{hi|wide}}.u32
// STRIDED: st.global.{{[bfu]}}32
// Rows whose vectors are aligned move by 16 bytes, through shared memory too.
// TILED: ld.global.v4.{{[bfu]}}32
// TILED: st.global.v4.{{[bfu]}}32
// TRANSPOSED: ld.global.v4.{{[bfu]}}32
// TRANSPOSED: st.shared.v4.{{[bfu]}}32
// TRANSPOSED: bar.sync
// TRANSPOSED: ld.shared.{{[bfu]}}32
// TRANSPOSED: st.global.v4.{{[bfu]}}32
// Narrow ones are exchanged by 4 bytes.
// TRANSPOSED-BYTES-DAG: ld.global.{{[bfu]}}32
// TRANSPOSED-BYTES-DAG: st.shared.v4.{{[bfu]}}32
// TRANSPOSED-BYTES: bar.sync
// TRANSPOSED-BYTES-NOT: ld.shared.{{[bsu]}}8
// TRANSPOSED-BYTES: ld.shared.{{[bfu]}}32
// TRANSPOSED-BYTES-NOT: ld.shared.{{[bsu]}}8
// TRANSPOSED-BYTES: st.global.v4.{{[bfu]}}32

auto invert = foldwise::vectorize<std::uint8_t(std::uint8_t), std::int16_t(std::int16_t), bool(bool)>(
    [](auto x) { return static_cast<decltype(x)>(1 - x); });
// BYTES: ld.global.v4.{{[bfu]}}32
// BYTES: st.global.v4.{{[bfu]}}32
// SHORTS: ld.global.v4.{{[bfu]}}32
// SHORTS: st.global.v4.{{[bfu]}}32

// Narrow elements are neither taken apart nor put together before the loads of all operands have begun: either would
// wait for the load of the first one.
auto subtract = foldwise::vectorize<std::int16_t(std::int16_t, std::int16_t)>(
    [](auto x, auto y) { return static_cast<std::int16_t>(x - y); });
// APART: ld.global.v4.{{[bfu]}}32
// APART-NOT: mov.b32{{.*}}%rs
// APART-NOT: prmt
// APART: ld.global.v4.{{[bfu]}}32

auto widen = foldwise::vectorize<double(float)>([](auto x) { return 2.0 * x; });
// WIDEN: ld.global.{{(v2.[bfu]32|[bu]64)}}
// WIDEN: st.global.v2.{{[bfu]}}64

auto gaussian = foldwise::vectorize([](float x) { return std::exp(-x * x) / std::sqrt(1 + std::abs(x)); });
// GAUSSIAN: ld.global.v4.{{[bfu]}}32
// GAUSSIAN: st.global.v4.{{[bfu]}}32
