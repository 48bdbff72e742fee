// Scans of contiguous arrays load and store 16 bytes at once; the others do not divide 64-bit numbers. Registers for as
// many blocks on a multiprocessor as blocks_of_scan() counts on; along columns one is spilled at most.
// RUN: %generate %s -- %include
// RUN: %nvcc_with_ptx -arch=sm_90 -Xptxas -v -o %t.cubin %t.out/scan_resources.kernels.cu > %t.log 2>&1
// RUN: mv %t.out/scan_resources.kernels.ptx %t.ptx
// RUN: %waits %t.ptx
// RUN: %kernel %t.ptx running_float vectors | FileCheck %s --check-prefix=VECTORS --implicit-check-not=.f64 --implicit-check-not=rem. --implicit-check-not=div.{{[us]}}
// RUN: %kernel %t.ptx running_float pipelined | FileCheck %s --check-prefix=PIPELINED --implicit-check-not=.f64 --implicit-check-not=rem. --implicit-check-not=div.{{[us]}}
// RUN: %kernel %t.ptx running_float rows | FileCheck %s --check-prefix=ROWS --implicit-check-not=.f64 --implicit-check-not=rem. --implicit-check-not=div.{{[us]}}
// RUN: %kernel %t.ptx running_float elements | FileCheck %s --check-prefix=ELEMENTS --implicit-check-not=.f64 --implicit-check-not=rem. --implicit-check-not=div.{{[us]}}
// RUN: %kernel %t.ptx running_float columns | FileCheck %s --check-prefix=COLUMNS --implicit-check-not=.f64 --implicit-check-not=rem. --implicit-check-not=div.{{[us]}}
// RUN: %kernel %t.ptx running_float strips | FileCheck %s --check-prefix=STRIPS --implicit-check-not=.f64 --implicit-check-not=rem. --implicit-check-not=div.{{[us]}}64
// RUN: FileCheck --check-prefix=TWO %s < %t.log
// RUN: FileCheck --check-prefix=FIVE %s < %t.log
// RUN: FileCheck --check-prefix=AHEAD %s < %t.log
// RUN: FileCheck --check-prefix=WHOLE %s < %t.log
// RUN: FileCheck --check-prefix=FOUR %s < %t.log
// RUN: FileCheck --check-prefix=THREE %s < %t.log
#include <foldwise/spec.hpp>

#include <cstdint>
#include <functional>

auto running = foldwise::scan<float>(std::plus<>{}, foldwise::identity(0));
// VECTORS: griddepcontrol.wait
// VECTORS-DAG: ld.global.v4.{{[bfu]}}32
// VECTORS-DAG: st.global{{(.wb)?}}.v4.{{[bfu]}}32
// PIPELINED: griddepcontrol.wait
// PIPELINED-COUNT-4: ld.global.v4.{{[bfu]}}32
// PIPELINED: st.global{{(.wb)?}}.v4.{{[bfu]}}32
// ROWS: griddepcontrol.wait
// ROWS-COUNT-4: ld.global.v4.{{[bfu]}}32
// ROWS-COUNT-5: shfl.sync.up
// ROWS: st.global{{(.wb)?}}.v4.{{[bfu]}}32
// ELEMENTS: griddepcontrol.wait
// ELEMENTS: mul.{{hi|wide}}.u
// COLUMNS: griddepcontrol.wait
// COLUMNS-COUNT-16: ld.global.{{[bfu]}}32
// STRIPS: griddepcontrol.wait
// STRIPS-COUNT-8: ld.global.v2.{{[bfu]}}32
// STRIPS-COUNT-16: ld.global.{{[bfu]}}32
// STRIPS-COUNT-8: st.global.wb.v2.{{[bfu]}}32
// STRIPS-COUNT-16: st.global.{{[bfu]}}32

struct moments {
    double n, mean, m2;
};
auto variance = foldwise::scan<double(float)>(
    foldwise::map([](float x) {
        return moments{1, x, 0};
    }),
    [](moments a, moments b) {
        const double n = a.n + b.n, d = b.mean - a.mean;
        return moments{n, a.mean + d * b.n / n, a.m2 + b.m2 + d * d * a.n * b.n / n};
    },
    foldwise::no_identity, foldwise::finish([](moments m) { return m.m2 / m.n; }));
// FIVE-COUNT-2: Function properties for {{.*}}running_float{{.*}}scan_instanceE{{[05]E.*[[:space:]] +.*[[:space:]].*}}Used {{([1-9]|[1-3][0-9]|4[0-8])}} registers
// FOUR-COUNT-2: Function properties for {{.*}}variance_float{{.*}}scan_instanceE{{[05]E.*[[:space:]] +.*[[:space:]].*}}Used {{([1-9]|[1-5][0-9]|6[0-4])}} registers
// THREE: Function properties for {{.*}}running_float{{.*}}scan_instanceE{{3E.*[[:space:]] +}}{{0|8}} bytes stack frame, {{0|4}} bytes spill stores{{.*[[:space:]].*}}Used {{([1-9]|[1-7][0-9]|80)}} registers
// AHEAD: Function properties for {{.*}}running_float{{.*}}scan_instanceE1E{{.*[[:space:]] +}}0 bytes stack frame, 0 bytes spill stores{{.*[[:space:]].*}}Used {{([1-9]|[1-5][0-9]|6[0-4])}} registers
// WHOLE: Function properties for {{.*}}running_float{{.*}}scan_instanceE2E{{.*[[:space:]] +}}0 bytes stack frame, 0 bytes spill stores{{.*[[:space:]].*}}Used {{([1-9]|[1-5][0-9]|6[0-4])}} registers
// TWO: Function properties for {{.*}}running_float{{.*}}scan_instanceE4E{{.*[[:space:]] +}}{{0|8}} bytes stack frame, {{0|8}} bytes spill stores{{.*[[:space:]].*}}Used {{([1-9]|[1-5][0-9]|6[0-4])}} registers
