// What only checked builds look at leaves no trace in others: the same PTX comes out as without a word of it. nvcc 13.0
// has been seen, once, to number registers differently for one and the same file, so both are compiled again if they
// differ.
//
// RUN: rm -rf %t.out %t.plain %t.checked
// RUN: %generate %s -- %include
// RUN: %nvcc -arch=sm_90 -ptx -o %t.ptx %t.out/unchecked.kernels.cu
// RUN: %generate --out-dir=%t.plain %s -- %include -DWITHOUT -DNDEBUG
// RUN: %nvcc -arch=sm_90 -ptx -o %t.plain.ptx %t.plain/unchecked.kernels.cu
// RUN: diff %t.plain.ptx %t.ptx || sh -c "%nvcc -arch=sm_90 -ptx -o %t.ptx %t.out/unchecked.kernels.cu && %nvcc -arch=sm_90 -ptx -o %t.plain.ptx %t.plain/unchecked.kernels.cu && diff %t.plain.ptx %t.ptx"
// RUN: not grep -E "found_on_device|checks_of" %t.ptx
// RUN: %generate --out-dir=%t.checked --checked %s -- %include
// RUN: %nvcc -arch=sm_90 -DFOLDWISE_CHECKED -ptx -o %t.checked.ptx %t.checked/unchecked.kernels.cu
// RUN: grep found_on_device %t.checked.ptx
// RUN: FileCheck %s < %t.checked/unchecked.kernels.cu
#include <foldwise/spec.hpp>

#include <cstdint>

#ifdef WITHOUT
inline void complain() {}
#else
inline void complain() { foldwise::fail("negative"); }
#endif

// CHECK: out[i] = ::foldwise::checked(x[i]) / y[i] + x[i] / 2 + (::foldwise::checked(x[i]) << y[i]) - (x[i] >> 3);
auto share = foldwise::forall([](foldwise::index<1> i, foldwise::view<const std::int32_t, 1> x,
                                 foldwise::view<const std::int32_t, 1> y, foldwise::view<std::int32_t, 1> out) {
    if (x[i] < 0) complain();
    out[i] = x[i] / y[i] + x[i] / 2 + (x[i] << y[i]) - (x[i] >> 3);
    // CHECK: ::foldwise::checked_target(out[i]) %= y[i];
    out[i] %= y[i];
});

// CHECK: return ::foldwise::checked(x) / y;
auto quotient = foldwise::vectorize<std::int64_t(std::int64_t, std::int64_t), float(float, float)>([](auto x, auto y) {
    if (x < 0) complain();
    return x / y;
});
