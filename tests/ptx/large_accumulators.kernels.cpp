// Accumulators of up to 64 bytes, the most that one may have, in everything that folds: what the threads of a block share
// fits in its shared memory. nvcc refuses more than 48 KiB.
// RUN: %generate %s -- %include
// RUN: %nvcc -arch=sm_90 -Xptxas -O0 -cubin -o %t.cubin %t.out/large_accumulators.kernels.cu
#include <foldwise/spec.hpp>

#include <cstdint>

template <int Count> struct block { std::int64_t of[Count]; };
template <int Count> constexpr block<Count> larger(block<Count> a, block<Count> b) { return a.of[0] < b.of[0] ? b : a; }

auto largest32 = foldwise::reduce<block<4>>([](block<4> a, block<4> b) { return larger(a, b); }, foldwise::no_identity,
                                            foldwise::commutative);
auto largest64 = foldwise::reduce<block<8>>([](block<8> a, block<8> b) { return larger(a, b); }, foldwise::no_identity,
                                            foldwise::commutative);
auto running64 = foldwise::scan<block<8>>([](block<8> a, block<8> b) { return larger(a, b); }, foldwise::no_identity);
