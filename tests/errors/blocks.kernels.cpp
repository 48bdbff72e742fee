// tests/errors/blocks.kernels.cpp: what differs between items belongs into phases.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <array>
#include <atomic>
#include <cstdint>

using foldwise::block;
using foldwise::blocks;
using foldwise::index;
using f1 = foldwise::view<float, 1>;
using c1 = foldwise::view<const float, 1>;

namespace phases {

inline float sum(float x, float y) { return x + y; }

auto stored_between = blocks<32>([](block<1> b, c1 in) {
    auto s = b.shared<float, 32>();
    b.each([&](index<1> t) { s[t] = in[b.at(t)]; });
    // expected-error@+1 {{'s' is shared by the items, and this is outside of a phase: what all items make together is the result of a fold [FW092]}}
    s[0] = 1;
});
auto read_between = blocks<32>([](block<1> b, f1 out) {
    auto s = b.shared<float, 32>();
    b.each([&](index<1> t) { s[t] = out[b.at(t)]; });
    // expected-error@+1 {{'s' is shared by the items, and this is outside of a phase}}
    if (s[0] > 0) b.each([&](index<1> t) { out[b.at(t)] = s[t]; });
});
auto depends_on_an_item = blocks<32>([](block<1> b, f1 out) {
    auto mine = b.own(0.0f);
    b.each([&](index<1> t) { mine[t] = out[b.at(t)]; });
    // expected-error@+1 {{'mine' is each item's own, and this is outside of a phase: what all items make together is the result of a fold [FW092]}}
    if (mine[0] > 0) b.each([&](index<1> t) { out[b.at(t)] = mine[t]; });
});
auto written_between = blocks<32>([](block<1> b, c1 in, f1 out) {
    auto mine = b.own(0.0f);
    b.each([&](index<1> t) { mine[t] = in[b.at(t)]; });
    // expected-error@+1 {{'out' can be written to, and this is outside of a phase: write to it in each() or once() [FW092]}}
    out[b.number(0)] = b.fold(mine, sum);
});
auto added_between = blocks<32>([](block<1>, f1 out) {
    // expected-error@+1 {{'out' can be written to, and this is outside of a phase}}
    std::atomic_ref(out[0]).fetch_add(1.0f);
});

auto phase_in_a_phase = blocks<32>([](block<1> b, f1 out) {
    b.each([&](index<1> t) {
        // expected-error@+1 {{'each' belongs to the whole block, and this is inside of a phase [FW093]}}
        if (t < 16) b.each([&](index<1> u) { out[u] = 0; });
    });
});
auto fold_in_a_phase = blocks<32>([](block<1> b, f1 out) {
    auto mine = b.own(1.0f);
    // expected-error@+2 {{another item's 'mine' cannot be reached}}
    // expected-error@+1 {{'fold' belongs to the whole block, and this is inside of a phase [FW093]}}
    b.each([&](index<1> t) { out[b.at(t)] = b.fold(mine, sum); });
});
auto shared_in_a_phase = blocks<32>([](block<1> b, f1 out) {
    b.each([&](index<1> t) {
        // expected-error@+1 {{'shared' belongs to the whole block, and this is inside of a phase [FW093]}}
        auto s = b.shared<float, 32>();
        out[b.at(t)] = s[t];
    });
});
auto phase_in_a_lambda = blocks<32>([](block<1> b, f1 out) {
    const auto clear = [&] {
        // expected-error@+1 {{'each' belongs to the whole block, and this is inside of a lambda that is no phase [FW093]}}
        b.each([&](index<1> t) { out[b.at(t)] = 0; });  // expected-error {{'out' can be written to}}
    };
    clear();
});

auto of_the_neighbour = blocks<32>([](block<1> b, f1 out) {
    auto mine = b.own(0.0f);
    b.each([&](index<1> t) {
        // expected-error@+1 {{another item's 'mine' cannot be reached: a phase asks for that of its own item, with the lambda's parameter: mine[t] [FW094]}}
        if (t > 0) out[b.at(t)] = mine[t - 1];
    });
});
auto of_no_item = blocks<32>([](block<1> b, f1 out) {
    auto mine = b.own(0.0f);
    // expected-error@+1 {{another item's 'mine' cannot be reached: what runs once is for no item [FW094]}}
    b.once([&] { out[0] = mine[0]; });
});
auto item_changed = blocks<32>([](block<1> b, f1 out) {
    auto mine = b.own(0.0f);
    b.each([&](index<1> t) {
        t[0] = 31 - t[0];
        out[b.at(t)] = mine[t];  // expected-error {{another item's 'mine' cannot be reached}}
    });
});

auto counted = blocks<32>([](block<1> b, c1 in, f1 out) {
    int positive = 0;
    // expected-error@+1 {{'positive' would be written by each item for itself, and belongs to the block: use own() for what each item has, shared() for what they have together [FW096]}}
    b.each([&](index<1> t) { positive += in[b.at(t)] > 0; });
    if (positive > 3) b.each([&](index<1> t) { out[b.at(t)] = 0; });
});
auto parameter_written = blocks<32>([](block<1> b, f1 out, int n) {
    // expected-error@+1 {{'n' would be written by each item for itself}}
    b.each([&](index<1> t) { out[b.at(t)] = static_cast<float>(n++); });
});
auto object_changed = blocks<32>([](block<1> b, f1 out) {
    std::array<float, 2> both{};
    b.each([&](index<1> t) {
        both[t % 2] = out[b.at(t)];  // expected-error {{'both' would be written by each item for itself}}
    });
});

// None of this is wrong.
auto fine = blocks<32>([](block<1> b, c1 in, f1 out, int n) {
    auto s = b.shared<float, 32>();
    auto mine = b.own(0.0f);
    float table[4] = {1, 2, 3, 4};
    const float first = in[0];
    std::int64_t rounds = 0;
    for (int k = 0; k < n; ++k) {
        const float factor = first * table[k % 4];
        auto inner = b.own(factor);
        b.each([&, k](index<1> t) {
            int local = k;
            ++local;
            s[t] = in.has(b.at(t)) ? in[b.at(t)] * inner[t] * table[local % 4] : 0;
            index<1> other = t;
            other[0] = 31 - t[0];
            mine[t] += s[t] + static_cast<float>(other[0]);
        });
        if (b.fold(mine, sum) > 100) break;
        ++rounds;
    }
    if (b.number(0) == 0) b.once([&] { out[0] = static_cast<float>(rounds) + s[3]; });
    auto upto = b.inclusive_scan(mine, [&](float x, float y) { return x + y * static_cast<float>(n); });
    b.each([&](const index<1>& t) {
        if (b.origin(0) + t < s.size() && t > 0) out[b.at(t)] = upto[t];
    });
});

}  // namespace phases
