// tests/run/checks.kernels.cpp: one mistake each, in the line that bears its name. Built CHECKED.
#include "checks_helpers.hpp"

#include <foldwise/spec.hpp>

#include <atomic>
#include <cassert>
#include <cstdint>

namespace checks {

using foldwise::index;
using foldwise::view;

// clang-format off

auto read_below_1_0 = foldwise::forall([](index<1> i, view<const float, 1> x, view<float, 1> y) { y(i) = x[i - 1]; });  // read_below_1_0
auto write_below_1_0 = foldwise::forall([](index<1> i, view<const float, 1> x, view<float, 1> y) { y[i - 1] = x[i]; });  // write_below_1_0
auto read_above_1_0 = foldwise::forall([](index<1> i, view<const float, 1> x, view<float, 1> y) { y(i) = x[i + 1]; });  // read_above_1_0
auto write_above_1_0 = foldwise::forall([](index<1> i, view<const float, 1> x, view<float, 1> y) { y[i + 1] = x[i]; });  // write_above_1_0
auto read_below_2_0 = foldwise::forall([](index<2> at, view<const float, 2> x, view<float, 2> y) { const auto [r, c] = at; y(r, c) = x(r - 1, c); });  // read_below_2_0
auto write_below_2_0 = foldwise::forall([](index<2> at, view<const float, 2> x, view<float, 2> y) { const auto [r, c] = at; y(r - 1, c) = x(r, c); });  // write_below_2_0
auto read_above_2_0 = foldwise::forall([](index<2> at, view<const float, 2> x, view<float, 2> y) { const auto [r, c] = at; y(r, c) = x(r + 1, c); });  // read_above_2_0
auto write_above_2_0 = foldwise::forall([](index<2> at, view<const float, 2> x, view<float, 2> y) { const auto [r, c] = at; y(r + 1, c) = x(r, c); });  // write_above_2_0
auto read_below_2_1 = foldwise::forall([](index<2> at, view<const float, 2> x, view<float, 2> y) { const auto [r, c] = at; y(r, c) = x(r, c - 1); });  // read_below_2_1
auto write_below_2_1 = foldwise::forall([](index<2> at, view<const float, 2> x, view<float, 2> y) { const auto [r, c] = at; y(r, c - 1) = x(r, c); });  // write_below_2_1
auto read_above_2_1 = foldwise::forall([](index<2> at, view<const float, 2> x, view<float, 2> y) { const auto [r, c] = at; y(r, c) = x(r, c + 1); });  // read_above_2_1
auto write_above_2_1 = foldwise::forall([](index<2> at, view<const float, 2> x, view<float, 2> y) { const auto [r, c] = at; y(r, c + 1) = x(r, c); });  // write_above_2_1
auto read_below_3_0 = foldwise::forall([](index<3> at, view<const float, 3> x, view<float, 3> y) { const auto [p, r, c] = at; y(p, r, c) = x(p - 1, r, c); });  // read_below_3_0
auto write_below_3_0 = foldwise::forall([](index<3> at, view<const float, 3> x, view<float, 3> y) { const auto [p, r, c] = at; y(p - 1, r, c) = x(p, r, c); });  // write_below_3_0
auto read_above_3_0 = foldwise::forall([](index<3> at, view<const float, 3> x, view<float, 3> y) { const auto [p, r, c] = at; y(p, r, c) = x(p + 1, r, c); });  // read_above_3_0
auto write_above_3_0 = foldwise::forall([](index<3> at, view<const float, 3> x, view<float, 3> y) { const auto [p, r, c] = at; y(p + 1, r, c) = x(p, r, c); });  // write_above_3_0
auto read_below_3_1 = foldwise::forall([](index<3> at, view<const float, 3> x, view<float, 3> y) { const auto [p, r, c] = at; y(p, r, c) = x(p, r - 1, c); });  // read_below_3_1
auto write_below_3_1 = foldwise::forall([](index<3> at, view<const float, 3> x, view<float, 3> y) { const auto [p, r, c] = at; y(p, r - 1, c) = x(p, r, c); });  // write_below_3_1
auto read_above_3_1 = foldwise::forall([](index<3> at, view<const float, 3> x, view<float, 3> y) { const auto [p, r, c] = at; y(p, r, c) = x(p, r + 1, c); });  // read_above_3_1
auto write_above_3_1 = foldwise::forall([](index<3> at, view<const float, 3> x, view<float, 3> y) { const auto [p, r, c] = at; y(p, r + 1, c) = x(p, r, c); });  // write_above_3_1
auto read_below_3_2 = foldwise::forall([](index<3> at, view<const float, 3> x, view<float, 3> y) { const auto [p, r, c] = at; y(p, r, c) = x(p, r, c - 1); });  // read_below_3_2
auto write_below_3_2 = foldwise::forall([](index<3> at, view<const float, 3> x, view<float, 3> y) { const auto [p, r, c] = at; y(p, r, c - 1) = x(p, r, c); });  // write_below_3_2
auto read_above_3_2 = foldwise::forall([](index<3> at, view<const float, 3> x, view<float, 3> y) { const auto [p, r, c] = at; y(p, r, c) = x(p, r, c + 1); });  // read_above_3_2
auto write_above_3_2 = foldwise::forall([](index<3> at, view<const float, 3> x, view<float, 3> y) { const auto [p, r, c] = at; y(p, r, c + 1) = x(p, r, c); });  // write_above_3_2
auto read_below_4_0 = foldwise::forall([](index<4> at, view<const float, 4> x, view<float, 4> y) { const auto [q, p, r, c] = at; y(q, p, r, c) = x(q - 1, p, r, c); });  // read_below_4_0
auto write_below_4_0 = foldwise::forall([](index<4> at, view<const float, 4> x, view<float, 4> y) { const auto [q, p, r, c] = at; y(q - 1, p, r, c) = x(q, p, r, c); });  // write_below_4_0
auto read_above_4_0 = foldwise::forall([](index<4> at, view<const float, 4> x, view<float, 4> y) { const auto [q, p, r, c] = at; y(q, p, r, c) = x(q + 1, p, r, c); });  // read_above_4_0
auto write_above_4_0 = foldwise::forall([](index<4> at, view<const float, 4> x, view<float, 4> y) { const auto [q, p, r, c] = at; y(q + 1, p, r, c) = x(q, p, r, c); });  // write_above_4_0
auto read_below_4_1 = foldwise::forall([](index<4> at, view<const float, 4> x, view<float, 4> y) { const auto [q, p, r, c] = at; y(q, p, r, c) = x(q, p - 1, r, c); });  // read_below_4_1
auto write_below_4_1 = foldwise::forall([](index<4> at, view<const float, 4> x, view<float, 4> y) { const auto [q, p, r, c] = at; y(q, p - 1, r, c) = x(q, p, r, c); });  // write_below_4_1
auto read_above_4_1 = foldwise::forall([](index<4> at, view<const float, 4> x, view<float, 4> y) { const auto [q, p, r, c] = at; y(q, p, r, c) = x(q, p + 1, r, c); });  // read_above_4_1
auto write_above_4_1 = foldwise::forall([](index<4> at, view<const float, 4> x, view<float, 4> y) { const auto [q, p, r, c] = at; y(q, p + 1, r, c) = x(q, p, r, c); });  // write_above_4_1
auto read_below_4_2 = foldwise::forall([](index<4> at, view<const float, 4> x, view<float, 4> y) { const auto [q, p, r, c] = at; y(q, p, r, c) = x(q, p, r - 1, c); });  // read_below_4_2
auto write_below_4_2 = foldwise::forall([](index<4> at, view<const float, 4> x, view<float, 4> y) { const auto [q, p, r, c] = at; y(q, p, r - 1, c) = x(q, p, r, c); });  // write_below_4_2
auto read_above_4_2 = foldwise::forall([](index<4> at, view<const float, 4> x, view<float, 4> y) { const auto [q, p, r, c] = at; y(q, p, r, c) = x(q, p, r + 1, c); });  // read_above_4_2
auto write_above_4_2 = foldwise::forall([](index<4> at, view<const float, 4> x, view<float, 4> y) { const auto [q, p, r, c] = at; y(q, p, r + 1, c) = x(q, p, r, c); });  // write_above_4_2
auto read_below_4_3 = foldwise::forall([](index<4> at, view<const float, 4> x, view<float, 4> y) { const auto [q, p, r, c] = at; y(q, p, r, c) = x(q, p, r, c - 1); });  // read_below_4_3
auto write_below_4_3 = foldwise::forall([](index<4> at, view<const float, 4> x, view<float, 4> y) { const auto [q, p, r, c] = at; y(q, p, r, c - 1) = x(q, p, r, c); });  // write_below_4_3
auto read_above_4_3 = foldwise::forall([](index<4> at, view<const float, 4> x, view<float, 4> y) { const auto [q, p, r, c] = at; y(q, p, r, c) = x(q, p, r, c + 1); });  // read_above_4_3
auto write_above_4_3 = foldwise::forall([](index<4> at, view<const float, 4> x, view<float, 4> y) { const auto [q, p, r, c] = at; y(q, p, r, c + 1) = x(q, p, r, c); });  // write_above_4_3

auto swapped_2 = foldwise::forall([](index<2> at, view<const float, 2> x, view<float, 2> y) { if (at[0] >= 0) y(at[0], at[1]) = x(at[1], at[0]); });  // swapped_2
auto swapped_3 = foldwise::forall([](index<3> at, view<const float, 3> x, view<float, 3> y) { if (at[0] >= 0) y[at] = x(at[2], at[1], at[0]); });  // swapped_3
auto swapped_4 = foldwise::forall([](index<4> at, view<const float, 4> x, view<float, 4> y) { if (at[0] >= 0) y[at] = x(at[3], at[1], at[2], at[0]); });  // swapped_4
auto swapped_reads = foldwise::forall([](index<4> at, view<const float, 4> x, view<float, 4> y) { y[at] = x(at[3], at[1], at[2], at[0]); });
auto swapped_writes = foldwise::forall([](index<4> at, view<const float, 4> x, view<float, 4> y) { y(at[3], at[1], at[2], at[0]) = x[at]; });  // swapped_writes
auto slice_below = foldwise::forall([](index<1> i, view<const float, 1> x, view<float, 1> y) { y[i] = x.slice(0, i - 1, i + 1)[0]; });  // slice_below
auto slice_above = foldwise::forall([](index<1> i, view<const float, 1> x, view<float, 1> y) { y[i] = x.slice(0, i, i + 3, 2)[0]; });  // slice_above
auto beyond_a_slice = foldwise::forall([](index<1> i, view<const float, 1> x, view<float, 1> y) { y[i] = x.slice(0, 0, 2)[i]; });  // beyond_a_slice
auto negative = foldwise::forall([](index<1> i, view<const float, 1> x, view<float, 1> y) { y[i] = x[0 * i - 1]; });  // negative
auto far_away = foldwise::forall([](index<1> i, view<const float, 1> x, view<float, 1> y) { y[i * 1'000'000'000'000] = x[0]; });  // far_away
auto from_data = foldwise::forall([](index<1> i, view<const std::int32_t, 1> at, view<float, 1> y) { y[at[i]] = 1; });  // from_data
auto from_bytes = foldwise::forall([](index<1> i, view<const std::uint8_t, 1> at, view<std::uint32_t, 1> bins) {
    std::atomic_ref(bins[at[i]]).fetch_add(1u);  // from_bytes
});
auto stale_extent = foldwise::forall([](index<1> i, view<float, 1> y, std::int64_t n) {
    for (std::int64_t k = i; k < n; ++k)
        y[k] = 1;  // stale_extent
});
auto in_a_helper = foldwise::forall([](index<1> i, view<const float, 1> x, view<float, 1> y) { y[i] = neighbour(x, i); });
auto in_a_template = foldwise::forall([](index<1> i, view<const float, 1> x, view<float, 1> y) { y[i] = nth(x, i + 2); });
auto in_an_inner_lambda = foldwise::forall([](index<1> i, view<const float, 1> x, view<float, 1> y) {
    const auto at = [&](std::int64_t k) { return x[k]; };  // in_an_inner_lambda
    y[i] = at(i + 3);
});
auto empty_view = foldwise::forall([](index<1> i, view<const float, 1> x, view<float, 1> y) { y[i] = x[0]; });  // empty_view

auto divide_int32 = foldwise::forall([](index<1> i, view<const std::int32_t, 1> x, view<std::int32_t, 1> y) { y[i] = 7 / x[i]; });  // divide_int32
auto divide_int64 = foldwise::forall([](index<1> i, view<const std::int64_t, 1> x, view<std::int64_t, 1> y) { y[i] = y[i] / x[i]; });  // divide_int64
auto divide_uint8 = foldwise::forall([](index<1> i, view<const std::uint8_t, 1> x, view<std::uint8_t, 1> y) { y[i] = static_cast<std::uint8_t>(3 / x[i]); });  // divide_uint8
auto modulo_int32 = foldwise::forall([](index<1> i, view<const std::int32_t, 1> x, view<std::int32_t, 1> y) { y[i] = 7 % x[i]; });  // modulo_int32
auto modulo_uint64 = foldwise::forall([](index<1> i, view<const std::uint64_t, 1> x, view<std::uint64_t, 1> y) { y[i] = 7 % x[i]; });  // modulo_uint64
auto divide_uint64 = foldwise::forall([](index<1> i, view<const std::uint64_t, 1> x, view<std::uint64_t, 1> y) { y[i] = y[i] / x[i]; });  // divide_uint64
auto divide_assigned = foldwise::forall([](index<1> i, view<const std::int32_t, 1> x, view<std::int32_t, 1> y) { y[i] /= x[i]; });  // divide_assigned
auto modulo_assigned = foldwise::forall([](index<1> i, view<const std::int32_t, 1> x, view<std::int32_t, 1> y) { y[i] %= x[i]; });  // modulo_assigned
auto divide_in_a_template = foldwise::forall([](index<1> i, view<const std::int32_t, 1> x, view<std::int32_t, 1> y) { y[i] = ratio(7, x[i]); });
auto divide_in_a_macro = foldwise::forall([](index<1> i, view<const std::int32_t, 1> x, view<std::int32_t, 1> y) { y[i] = CHECKS_SHARE(9, x[i]); });  // divide_in_a_macro
auto divide_in_a_generic = foldwise::forall<void(view<const std::int32_t, 1>, view<std::int32_t, 1>), void(view<const float, 1>, view<float, 1>)>([](index<1> i, auto x, auto y) {
    y[i] = 3 / x[i];  // divide_in_a_generic
});
auto divide_in_a_row = foldwise::forall([](index<1> i, view<const std::int32_t, 1> x, view<std::int32_t, 1> y) { y[i] = 100 / 5 / x[i] / 2; });  // divide_in_a_row
auto overflow_int32 = foldwise::forall([](index<1> i, view<const std::int32_t, 1> x, view<std::int32_t, 1> y) { y[i] = y[i] / x[i]; });  // overflow_int32
auto overflow_int64 = foldwise::forall([](index<1> i, view<const std::int64_t, 1> x, view<std::int64_t, 1> y) { y[i] %= x[i]; });  // overflow_int64
auto divide_bit_field = foldwise::forall([](index<1> i, view<const std::int32_t, 1> x, view<std::int32_t, 1> y) { y[i] = 9 / narrow{1, static_cast<std::uint32_t>(x[i]) & 31u}.parts; });  // divide_bit_field
auto shift_far = foldwise::forall([](index<1> i, view<const std::uint64_t, 1> x, view<std::uint64_t, 1> y) { y[i] = y[i] << x[i]; });  // shift_far
auto shift_left = foldwise::forall([](index<1> i, view<const std::int32_t, 1> x, view<std::int32_t, 1> y) { y[i] = 1 << x[i]; });  // shift_left
auto shift_right = foldwise::forall([](index<1> i, view<const std::int32_t, 1> x, view<std::uint64_t, 1> y) { y[i] = y[i] >> x[i]; });  // shift_right
auto shift_assigned = foldwise::forall([](index<1> i, view<const std::int32_t, 1> x, view<std::uint32_t, 1> y) { y[i] <<= x[i]; });  // shift_assigned
auto asserted = foldwise::forall([](index<1> i, view<const std::int32_t, 1> x, view<std::int32_t, 1> y) {
    assert(x[i] > 0);  // asserted
    y[i] = x[i];
});
auto failed = foldwise::forall([](index<1> i, view<const std::int32_t, 1> x, view<std::int32_t, 1> y) {
    if (x[i] < 0) foldwise::fail("less than nothing");  // failed
    y[i] = x[i];
});

// Other patterns are checked as well.
auto elementwise = foldwise::vectorize([](std::int32_t a, std::int32_t b) { return a / b; });  // elementwise
auto refused = foldwise::vectorize([](float x) {
    if (x < 0) foldwise::fail("no square root of this");  // refused
    return x;
});
auto folded = foldwise::reduce<std::int32_t>(
    foldwise::map([](std::int32_t x) { return 12 / x; }),  // folded
    [](auto a, auto b) { return a + b; }, foldwise::identity(0));
auto smallest = foldwise::reduce<std::int32_t>(
    [](std::int32_t a, std::int32_t b) { return b < a ? b : a; }, foldwise::no_identity);

auto scanned = foldwise::scan<std::int32_t>(
    foldwise::map([](std::int32_t x) { return 12 / x; }),  // scanned
    [](auto a, auto b) { return a + b; }, foldwise::identity(0));

auto placed_outside = foldwise::scatter<std::int32_t(std::int32_t)>(
    foldwise::map([](std::int32_t x) { return foldwise::at(x, 1); }),  // placed_outside
    [](auto a, auto b) { return a + b; }, foldwise::identity(0));
auto bytes_placed_outside = foldwise::scatter<std::uint32_t(std::uint8_t)>(
    foldwise::map([](std::uint8_t x) { return foldwise::at(x, 1u); }),  // bytes_placed_outside
    [](auto a, auto b) { return a + b; }, foldwise::identity(0));
auto placed_outside_2 = foldwise::scatter<std::int32_t(std::int32_t)>(
    foldwise::map([](std::int32_t x) { return foldwise::at(index<2>(0, x), 1); }),  // placed_outside_2
    [](std::int32_t, std::int32_t b) { return b; }, foldwise::identity(0));
auto table_outside = foldwise::vectorize([](std::int32_t key, view<const float, 1> table) { return table[key]; });  // table_outside
auto folded_outside = foldwise::reduce<float(std::int32_t, view<const float, 2>)>(
    foldwise::map([](std::int32_t key, view<const float, 2> table) { return table(0, key); }),  // folded_outside
    [](auto a, auto b) { return a + b; }, foldwise::identity(0));

// What is right stays right.
auto left_out = foldwise::scatter<std::int32_t(std::int32_t)>(
    foldwise::map([](std::int32_t x) { return foldwise::at(x < 3 ? x : foldwise::nowhere, 1); }),
    [](auto a, auto b) { return a + b; }, foldwise::identity(0));
auto left_out_2 = foldwise::scatter<std::int32_t(std::int32_t)>(
    foldwise::map([](std::int32_t x) { return foldwise::at(index<2>(1, x < 3 ? x : foldwise::nowhere), x); }),
    [](std::int32_t, std::int32_t b) { return b; }, foldwise::identity(0));
auto fine = foldwise::forall([](index<2> at, view<const std::int32_t, 2> x, view<std::int32_t, 2> y) {
    const auto [r, c] = at;
    std::int32_t sum = x(r, c) / 3 + x(r, c) % 4 + (x(r, c) << 2) - (x(r, c) >> 1);
    sum /= 2;
    y(r, c) = sum + ratio(sum, x(r, c)) + static_cast<std::int32_t>(ratio(7.0f, 0.0f) > 1e30f);
});
auto fine_operators = foldwise::forall([](index<1> i, view<const std::int32_t, 1> x, view<std::int32_t, 1> y) {
    total sum;
    add_twice(sum, x[i]);
    std::int32_t half = sum.sum, shifted = x[i];
    share(half, 2);
    y[i] = half + share_of_temporary<temporary>(x[i]);
    y[i] += shifted >> halve(shifted);  // what is shifted is read before it is halved
});
// As numbers of type int, not of the unsigned type that the bit-fields have.
auto fine_bit_fields = foldwise::forall([](index<1> i, view<const std::int32_t, 1> x, view<std::int32_t, 1> y) {
    const narrow n{static_cast<std::uint32_t>(x[i]) & 31u, 7};
    y[i] = n.all / -x[i] + -17 / n.parts + (-100 >> n.all) + -40 % n.parts;
});
// Two tasks add to one place, and neither knows of the other.
auto race = foldwise::forall([](index<1>, view<std::int32_t, 1> sum) {
    sum[0] += 1;  // race
});

// clang-format on
}  // namespace checks
