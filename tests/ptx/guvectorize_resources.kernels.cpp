// Items in shared memory are copied there without registers on the way, and read and written by instructions for shared
// memory. No kernel has a stack frame, and blocks of 128 threads fit twelve times on a multiprocessor.
// RUN: %generate %s -- %include
// RUN: %nvcc_with_ptx -arch=sm_90 -Xptxas -v -o %t.cubin %t.out/guvectorize_resources.kernels.cu > %t.log 2>&1
// RUN: mv %t.out/guvectorize_resources.kernels.ptx %t.ptx
// RUN: %waits %t.ptx
// RUN: %kernel %t.ptx matmul_double staged | FileCheck %s --check-prefix=STAGED --implicit-check-not=ld.f64 --implicit-check-not=st.f64 --implicit-check-not=ld.global
// RUN: FileCheck %s < %t.log
#include <foldwise/spec.hpp>

#include <cstdint>

template <class T, int N> using in = foldwise::view<const T, N>;
auto matmul =
    foldwise::guvectorize("(m,n),(n,p)->(m,p)", [](in<double, 2> a, in<double, 2> b, foldwise::view<double, 2> c) {
        for (std::int64_t i = 0; i < c.extent(0); ++i)
            for (std::int64_t j = 0; j < c.extent(1); ++j) {
                double sum = 0;
                for (std::int64_t k = 0; k < a.extent(1); ++k) sum += a(i, k) * b(k, j);
                c(i, j) = sum;
            }
    });
// STAGED: griddepcontrol.wait
// STAGED-COUNT-3: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 8
// STAGED: cp.async.wait_all
// STAGED: bar.sync
// STAGED: ld.shared.f64
// STAGED: st.shared.f64
// STAGED: bar.sync
// STAGED: st.global

// The value is in a register while the function runs.
auto norm = foldwise::guvectorize("(n)->()", [](in<float, 1> x, float& squares) {
    squares = 0;
    for (std::int64_t i = 0; i < x.extent(0); ++i) squares += x[i] * x[i];
});
// CHECK-COUNT-6: Function properties for {{.*item_layoutE[012].*[[:space:]] +}}0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads{{[[:space:]].*}}Used {{([1-9]|[1-3][0-9]|40)}} registers
