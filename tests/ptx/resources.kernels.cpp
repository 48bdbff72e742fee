// No stack frame, no spills, and few enough registers for eight blocks of 256 threads on a multiprocessor; where threads
// have two vectors, for eleven blocks of 128 in flat launches and five of 256 in tiles. Where tiles are transposed, a
// thread has eight elements on their way, and registers for four blocks.
// RUN: %generate %s -- %include
// RUN: %nvcc -arch=sm_90 -cubin -Xptxas -v -o %t.cubin %t.out/resources.kernels.cu > %t.log 2>&1
// RUN: FileCheck %s < %t.log
// RUN: FileCheck --check-prefix=FLAT %s < %t.log
// RUN: FileCheck --check-prefix=TILES %s < %t.log
// RUN: FileCheck --check-prefix=TRANSPOSED %s < %t.log
#include <foldwise/spec.hpp>

auto rel_diff = foldwise::vectorize<float(float, float), double(double, double)>(
    [](auto x, auto y) { return 2 * (x - y) / (x + y); });
auto axpy = foldwise::vectorize([](float a, float x, float y) { return a * x + y; });
// CHECK-COUNT-9: Function properties for {{.*instanceE[016].*[[:space:]] +}}0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads{{[[:space:]].*}}Used {{([1-9]|[12][0-9]|3[0-2])}} registers
// FLAT-COUNT-3: Function properties for {{.*instanceE3.*[[:space:]] +}}0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads{{[[:space:]].*}}Used {{([1-9]|[123][0-9]|4[0-6])}} registers
// TILES-COUNT-3: Function properties for {{.*instanceE4.*[[:space:]] +}}0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads{{[[:space:]].*}}Used {{([1-9]|[123][0-9]|4[0-8])}} registers
// TRANSPOSED-COUNT-3: Function properties for {{.*instanceE5.*[[:space:]] +}}0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads{{[[:space:]].*}}Used {{([1-9]|[1-5][0-9]|6[0-4])}} registers
