// tests/errors/blocks_memory.kernels.cpp: blocks that no GPU has, and what their items cannot share.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <algorithm>
#include <cstdint>

using foldwise::block;
using foldwise::blocks;
using foldwise::index;
using f1 = foldwise::view<float, 1>;
using c1 = foldwise::view<const float, 1>;

namespace memory {

// expected-error@+1 {{the blocks of kernel 'empty' cannot have 32 by 0 items: each axis has at least one item [FW090]}}
auto empty = blocks<32, 0>([](block<2> b, f1 out) { b.each([&](index<2> t) { out[t[0]] = 0; }); });
// expected-error@+1 {{the blocks of kernel 'negative' cannot have -1 items: each axis has at least one item [FW090]}}
auto negative = blocks<-1>([](block<1> b, f1 out) { b.each([&](index<1> t) { out[t] = 0; }); });
// expected-error@+1 {{the blocks of kernel 'many' cannot have 256 by 256 items: a block has at most 16384 of them [FW090]}}
auto many = blocks<256, 256>([](block<2> b, f1 out) { b.each([&](index<2> t) { out[t[0]] = 0; }); });
// expected-error@+1 {{the blocks of kernel 'axes' cannot have 2 by 2 by 2 by 2 items: they have 1 to 3 axes, as in foldwise::blocks<16, 16>(...) [FW090]}}
auto axes = blocks<2, 2, 2, 2>([](block<3> b, f1 out) { b.each([&](index<3> t) { out[t[0]] = 0; }); });
// expected-error@+1 {{the blocks of kernel 'none' have no extents: they have 1 to 3 axes, as in foldwise::blocks<16, 16>(...)}}
auto none = blocks([](block<1> b, f1 out) { b.each([&](index<1> t) { out[t] = 0; }); });

// expected-error@+1 {{the lambda of kernel 'other_rank' does not take its block: its first parameter is a foldwise::block<2> [FW091]}}
auto other_rank = blocks<8, 8>([](block<1> b, f1 out) { b.each([&](index<1> t) { out[t] = 0; }); });
// expected-error@+1 {{the lambda of kernel 'without' does not take its block: its first parameter is a foldwise::block<1> [FW091]}}
auto without = blocks<32>([](index<1> i, f1 out) { out[i] = 0; });
// expected-error@+1 {{returns 'int', and a task has no result}}
auto returns = blocks<32>([](block<1> b) { return static_cast<int>(b.number(0)); });

// expected-error@+1 {{kernel 'large' cannot have this shared memory: the items of a block share 262144 bytes, and a GPU's blocks have at most 232448 [FW095]}}
auto large = blocks<32>([](block<1> b, f1 out) {
    auto s = b.shared<double, 128, 256>();
    b.each([&](index<1> t) { s(t, 0) = 0; });
    b.each([&](index<1> t) { out[b.at(t)] = static_cast<float>(s(t, 0)); });
});
auto from_elements = blocks<32>([](block<1> b, foldwise::view<const int, 1> sizes, f1 out) {
    // expected-error@+1 {{how much it is has to be known before the launch, from values, extents, constants and arithmetic with them [FW095]}}
    auto s = b.shared<float>(sizes[0]);
    b.each([&](index<1> t) { out[b.at(t)] = s[0]; });
});
auto from_a_fold = blocks<32>([](block<1> b, f1 out) {
    auto mine = b.own(1);
    const int count = b.fold(mine, [](int x, int y) { return x + y; });
    // expected-error@+1 {{how much it is has to be known before the launch}}
    auto s = b.shared<float>(count);
    b.each([&](index<1> t) { out[b.at(t)] = s[0]; });
});
auto in_a_loop = blocks<32>([](block<1> b, f1 out, int n) {
    for (int k = 0; k < n; ++k) {
        // expected-error@+1 {{'s' is taken anew each time that the code comes here: declare shared memory once, outside of loops, conditions and blocks [FW100]}}
        auto s = b.shared<float, 32>();
        b.each([&](index<1> t) { s[t] = out[t]; });
    }
});

inline void clear(block<1> b, f1 out) {
    b.each([&](index<1> t) { out[b.at(t)] = 0; });
}
auto handed_on = blocks<32>([](block<1> b, f1 out) {
    // expected-error@+2 {{the block 'b' is handed on, and its phases have to be seen: call its functions in the kernel's own lambda [FW097]}}
    // expected-error@+1 {{'out' can be written to}}
    clear(b, out);
});
auto kept = blocks<32>([](block<1> b, f1 out) {
    // expected-error@+1 {{the block 'b' is handed on}}
    const auto other = b;
    b.each([&](index<1> t) { out[other.at(t)] = 0; });
});
auto phase_kept = blocks<32>([](block<1> b, f1 out) {
    // expected-error@+1 {{'out' can be written to}}
    const auto phase = [&](index<1> t) { out[b.at(t)] = 0; };
    // expected-error@+1 {{'each' is not given a lambda here: write the phase where it runs [FW098]}}
    b.each(phase);
});
auto not_kept = blocks<32>([](block<1> b, f1 out) {
    auto mine = b.own(0.0f);
    // expected-error@+1 {{what 'inclusive_scan' returns is not kept: it initializes a variable, as in auto x = ... [FW099]}}
    b.inclusive_scan(mine, [](float x, float y) { return x + y; });
    b.each([&](index<1> t) { out[b.at(t)] = mine[t]; });
});

// None of this is wrong.
constexpr int columns = 8;
struct settings {
    int bins;
};
auto fine = blocks<16, 4>([](block<2> b, foldwise::view<const float, 2> in, settings given, f1 out) {
    const std::int64_t wide = in.extent(1) * 2;
    const int rows = given.bins > 4 ? given.bins : 4;
    auto a = b.shared<float>(wide + columns);
    auto c = b.shared<double>(std::max(rows, 2));
    auto d = b.shared<std::uint8_t, columns, 2>();
    auto e = b.shared<int>(in.size() / 2 + b.extent(0));
    b.each([&](index<2> t) {
        if (t[0] < a.extent(0)) a[t[0]] = 0;
        if (t[0] == 0) c[t[1] % 2] = 1;
        if (t[0] < columns && t[1] < 2) d[t] = 1;
        if (t[0] < e.size()) e[t[0]] = 0;
    });
    b.each([&](index<2> t) {
        if (t[1] == 0 && out.has(b.at(t)[0])) out[b.at(t)[0]] = a[0] + static_cast<float>(c[0]) + d(0, 0);
    });
});

}  // namespace memory
