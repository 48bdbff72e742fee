// Registers for as many blocks of 512 threads on a multiprocessor as device/reduce/occupancy.hpp counts on, no stack frame,
// no spills: three where accumulators are small, two where they are large.
// What folds rows of any strides (3) has registers for two; columns of moments by vectors (9) have them for one, and by
// elements (10) may spill a word. Segments (11) are read by threads with registers for one block of large accumulators.
// RUN: %generate %s -- %include
// RUN: %nvcc -arch=sm_90 -cubin -Xptxas -v -o %t.cubin %t.out/reduce_resources.kernels.cu > %t.log 2>&1
// RUN: FileCheck --check-prefix=THREE %s < %t.log
// RUN: FileCheck --check-prefix=TWO %s < %t.log
// RUN: FileCheck --check-prefix=LANES %s < %t.log
#include <foldwise/spec.hpp>

auto sum = foldwise::reduce<float>([](float a, float b) { return a + b; }, foldwise::identity(0));

struct moments {
    double n, mean, m2;
};
auto variance = foldwise::reduce<double(float)>(
    foldwise::map([](float x) {
        return moments{1, x, 0};
    }),
    [](moments a, moments b) {
        const double n = a.n + b.n, d = b.mean - a.mean;
        return moments{n, a.mean + d * b.n / n, a.m2 + b.m2 + d * d * a.n * b.n / n};
    },
    foldwise::no_identity, foldwise::finish([](moments m) { return m.m2 / m.n; }), foldwise::commutative);
// THREE-COUNT-8: Function properties for {{.*}}sum_float{{.*}}reduce_instanceE{{[0-24-8]E.*[[:space:]] +}}0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads{{[[:space:]].*}}Used {{([1-9]|[123][0-9]|40)}} registers
// TWO-COUNT-4: Function properties for {{.*}}variance_float{{.*}}reduce_instanceE{{[0-3]E.*[[:space:]] +}}0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads{{[[:space:]].*}}Used {{([1-9]|[1-5][0-9]|6[0-4])}} registers
// LANES-COUNT-2: Function properties for {{.*}}variance_float{{.*}}reduce_instanceE{{[45]E.*[[:space:]] +}}0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads{{[[:space:]].*}}Used {{([1-9]|[1-5][0-9]|6[0-4])}} registers
