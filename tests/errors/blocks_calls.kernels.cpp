// tests/errors/blocks_calls.kernels.cpp: calls that a block does not have; the compiler tells them at their lines.
// RUN: %refused
#include <foldwise/spec.hpp>

using foldwise::block;
using foldwise::blocks;
using foldwise::index;
using f1 = foldwise::view<float, 1>;

namespace calls {

auto other_axes = blocks<8, 8>([](block<2> b, f1 out) {
    // expected-error@+1 {{is unavailable: the lambda of a phase takes the item, a foldwise::index with as many axes as the block, and is not mutable}}
    b.each([&](index<1> t) { out[t] = 0; });
});
auto no_item = blocks<32>([](block<1> b, f1 out) {
    // expected-error@+1 {{is unavailable: the lambda of a phase takes the item}}
    b.each([&] { out[0] = 0; });
});
auto changes_captures = blocks<32>([](block<1> b, f1 out, int n) {
    // expected-error@+1 {{is unavailable: the lambda of a phase takes the item, a foldwise::index with as many axes as the block, and is not mutable}}
    b.each([=](index<1> t) mutable { out[b.at(t)] = static_cast<float>(n++); });
});
auto once_for_an_item = blocks<32>([](block<1> b, f1 out) {
    // expected-error@+1 {{is unavailable: what runs once is for no item: its lambda takes nothing, and is not mutable}}
    b.once([&](index<1> t) { out[t] = 0; });
});
auto one_coordinate = blocks<8, 8>([](block<2> b, f1 out) {
    auto s = b.shared<float, 8, 8>();
    b.each([&](index<2> t) {
        // expected-error@+1 {{write x(i, j), with all coordinates in parentheses, or x[t] with an index}}
        out[0] = s[t[0]];
        // expected-error@+1 {{write x(i, j), with all coordinates in parentheses, or x[t] with an index}}
        s[t[0]][t[1]] = 1;
        // expected-error@+1 {{the rank is wrong: a shared array takes one coordinate for each of its extents}}
        out[1] = s(t[0], t[1], 0);
    });
});
auto copied = blocks<32>([](block<1> b, f1 out) {
    auto mine = b.own(0.0f);
    // expected-error@+1 {{call to deleted constructor}}
    b.each([=](index<1> t) { out[b.at(t)] = mine[t]; });
});

}  // namespace calls
