// tests/errors/blocks_vocabulary.kernels.cpp: what a block's functions are asked for in other words than theirs.
// RUN: %refused
#include <foldwise/spec.hpp>

using foldwise::block;
using foldwise::blocks;
using foldwise::index;
using f1 = foldwise::view<float, 1>;

namespace vocabulary {

auto shared_memory = blocks<32>([](block<1> b, f1 out, int n) {
    // expected-error@+1 {{is unavailable: the type of the elements comes first: write b.shared<float, 128>(), or b.shared<float>(count) if the call says how many}}
    auto no_type = b.shared(128);
    // expected-error@+1 {{is unavailable: the type of the elements comes first}}
    auto no_type_but_extents = b.shared<8, 16>();
    // expected-error@+1 {{is unavailable: how many elements items share is missing: write b.shared<float, 128>(), or b.shared<float>(count) if the call says how many}}
    auto no_size = b.shared<float>();
    // expected-error@+1 {{is unavailable: an array whose size the call says has one axis: write b.shared<float>(rows * columns), or b.shared<float, 32, 33>()}}
    auto two_sizes = b.shared<float>(n, n);
    // expected-error@+1 {{is unavailable: a shared array is no pointer: write auto s = b.shared<float, 128>(), whose elements are s[i]}}
    float* pointer = b.shared<float, 128>();
    b.each([&](index<1> t) {
        out[t] = no_type[t] + no_type_but_extents(0, t[0]) + no_size[t] + two_sizes[t] + pointer[0];
    });
});
auto own_variables = blocks<32>([](block<1> b, f1 out) {
    // expected-error@+1 {{is unavailable: an item's own variable begins with a value: write b.own(0.0f)}}
    auto no_value = b.own<float>();
    // expected-error@+1 {{is unavailable: an item's own variable begins with a value: write b.own(0.0f)}}
    auto nothing = b.own();
    auto mine = b.own(0.0f);
    // expected-error@+1 {{is unavailable: an item's own variable is read in a phase, as x[t]}}
    const float read = mine;
    // expected-error@+1 {{is unavailable: an item's own variable is set in a phase: x[t] = value}}
    mine = 1.0f;
    b.each([&](index<1> t) { out[t] = no_value[t] + nothing[t] + read; });
});
auto barriers = blocks<32>([](block<1> b, f1 out) {
    b.each([&](index<1> t) { out[t] = 0; });
    // expected-error@+1 {{is unavailable: items wait for each other between phases: what follows the wait is a b.each(...) of its own}}
    b.syncthreads();
});
}  // namespace vocabulary
