// tests/errors/blocks_folds.kernels.cpp: what a block folds and scans, in other words than its own.
// RUN: %refused
#include <foldwise/spec.hpp>

using foldwise::block;
using foldwise::blocks;
using foldwise::index;
using f1 = foldwise::view<float, 1>;

namespace folds {

auto combined = blocks<32>([](block<1> b, f1 out) {
    const auto plus = [](float x, float y) { return x + y; };
    auto mine = b.own(0.0f);
    // expected-error@+1 {{is unavailable: what items combine are their own variables: auto x = b.own(0.0f), of which a phase sets x[t]}}
    float sum = b.fold(0.0f, plus);
    // expected-error@+1 {{is unavailable: a fold has no initial value: combine it with what b.fold(x, op) returns}}
    sum += b.fold(mine, 0.0f, plus);
    // expected-error@+1 {{is unavailable: what items combine are their own variables}}
    auto of_value = b.inclusive_scan(0.0f, plus);
    // expected-error@+1 {{is unavailable: an inclusive scan has no initial value: write b.inclusive_scan(x, op)}}
    auto from_value = b.inclusive_scan(mine, 0.0f, plus);
    // expected-error@+1 {{is unavailable: what items combine are their own variables}}
    auto exclusive_of_value = b.exclusive_scan(1.0f, 0.0f, plus);
    // expected-error@+1 {{is unavailable: an exclusive scan begins with a value of the variable's type: write b.exclusive_scan(x, 0.0f, op)}}
    auto from_nothing = b.exclusive_scan(mine, plus);
    // expected-error@+1 {{is unavailable: an exclusive scan begins with a value of the variable's type}}
    auto from_integer = b.exclusive_scan(mine, 0, plus);
    b.each([&](index<1> t) {
        out[t] = sum + of_value[t] + from_value[t] + exclusive_of_value[t] + from_nothing[t] + from_integer[t];
    });
});

}  // namespace folds
