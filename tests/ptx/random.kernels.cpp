// Neighbouring elements of a fill share a block of random words, which takes 20 multiplications, and normal numbers a
// pair: here for two vectors of four, whose blocks have two products in common, and for an element at either end of an
// array.
// RUN: %generate %s -- %include
// RUN: %nvcc -arch=sm_90 -ptx -o %t.ptx %t.out/random.kernels.cu
// RUN: %waits %t.ptx
// RUN: %kernel %t.ptx uniform_uint64 numbered > %t.uniform
// RUN: FileCheck --check-prefix=BLOCKS %s < %t.uniform
// RUN: %kernel %t.ptx normal_uint64 numbered > %t.normal
// RUN: FileCheck --check-prefix=BLOCKS %s < %t.normal
// RUN: FileCheck --check-prefix=PAIRS %s < %t.normal
#include <foldwise/spec.hpp>

#include <cstdint>

auto uniform = foldwise::vectorize(
    [](foldwise::index<1> i, std::uint64_t seed) { return foldwise::random::at(seed, i).uniform(); });
auto normal = foldwise::vectorize(
    [](foldwise::index<1> i, std::uint64_t seed) { return foldwise::random::at(seed, i).normal(); });
// BLOCKS-COUNT-58: mul.hi.u32
// BLOCKS-NOT: mul.hi.u32
// PAIRS-COUNT-5: rsqrt.approx
// PAIRS-NOT: rsqrt.approx
// PAIRS-NOT: call.uni
