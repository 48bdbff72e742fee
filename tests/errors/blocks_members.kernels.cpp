// tests/errors/blocks_members.kernels.cpp: what other libraries' blocks have, and these have not.
// RUN: %refused
#include <foldwise/spec.hpp>

using foldwise::block;
using foldwise::blocks;
using foldwise::index;
using f1 = foldwise::view<float, 1>;

auto members = blocks<32>([](block<1> b, f1 out) {
    auto mine = b.own(0.0f);
    auto together = b.shared<float, 32>();
    const auto plus = [](float x, float y) { return x + y; };
    // expected-error@+1 {{is unavailable: a fold takes the items' own variables, and this is shared memory: auto x = b.own(0.0f), of which a phase sets x[t]}}
    const float folded = b.fold(together, plus);
    // expected-error@+2 {{no member named 'reduce'}}
    // expected-note@+1 {{b.fold(x, op) combines the items' own variables: auto x = b.own(0.0f), of which a phase sets x[t], and then b.fold(x, std::plus<>{})}}
    const float reduced = b.reduce(mine, plus);
    // expected-error@+2 {{no member named 'sum'}}
    // expected-note@+1 {{b.fold(x, op) combines the items' own variables}}
    const float sum = b.sum(mine);
    // expected-error@+2 {{no member named 'cumsum'}}
    // expected-note@+1 {{the scans are b.inclusive_scan(x, op) and b.exclusive_scan(x, initial, op)}}
    b.cumsum(mine);
    // expected-error@+2 {{no member named 'for_each'}}
    // expected-note@+1 {{a phase is b.each([&](foldwise::index<1> t) { ... }), and what runs once for the block is b.once(...)}}
    b.for_each([&](index<1> t) { out[b.at(t)] = folded + reduced + sum; });
    // expected-error@+2 {{no member named 'size'}}
    // expected-note@+1 {{b.extent(0) is how many items a block has along the first axis}}
    const auto size = b.size();
    // expected-error@+2 {{no member named 'index'}}
    // expected-note@+1 {{b.at(t) is its index among those of all blocks, and b.number(0) is the block's own number}}
    const auto item = b.index(0);
    // expected-error@+2 {{no member named 'id'}}
    // expected-note@+1 {{b.at(t) is its index among those of all blocks}}
    const auto id = b.id();
    // expected-error@+2 {{no member named 'count'}}
    // expected-note@+1 {{a block does not know how many blocks there are: take the number as a parameter, or the extent of a view, as x.extent(0)}}
    const auto count = b.count(0);
    // expected-error@+2 {{no member named 'num_blocks'}}
    // expected-note@+1 {{a block does not know how many blocks there are}}
    const auto blocks = b.num_blocks();
    // expected-error@+2 {{use of undeclared identifier 'gridDim'}}
    // expected-note@+1 {{how many there are is not known in a kernel: take the number of blocks or tasks as a parameter, or the extent of a view, as x.extent(0)}}
    const auto grid = gridDim.x;
    // expected-error@+1 {{is unavailable: the axis is missing: write b.number(0)}}
    const auto number = b.number();
    // expected-error@+1 {{is unavailable: the axis is missing: write b.extent(0)}}
    const auto extent = b.extent();
});
