// tests/errors/blocks_alignment.kernels.cpp: elements that shared memory does not begin well for.
// RUN: %refused
#include <foldwise/spec.hpp>

using foldwise::block;
using foldwise::blocks;
using foldwise::index;

struct alignas(32) wide {
    float all[8];
};
auto elements = blocks<8>([](block<1> b, foldwise::view<const wide, 1> in, foldwise::view<float, 1> out) {
    // expected-error@+1 {{kernel 'elements' cannot have this shared memory: 'wide' is aligned to 32 bytes, and shared memory to 16 [FW095]}}
    auto tile = b.shared<wide, 8>();
    b.each([&](index<1> t) { tile[t] = in[b.at(t)]; });
    b.each([&](index<1> t) { out[b.at(t)] = tile[7].all[0]; });
});
// expected-error@+1 {{kernel 'sums' cannot have this shared memory: what a fold or scan exchanges is aligned to 32 bytes, and shared memory to 16 [FW095]}}
auto sums = blocks<8>([](block<1> b, foldwise::view<float, 1> out) {
    auto mine = b.own(wide{});
    const wide first = b.fold(mine, [](const wide& x, const wide&) { return x; });
    b.each([&](index<1> t) { out[b.at(t)] = first.all[0]; });
});
