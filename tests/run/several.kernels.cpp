// tests/run/several.kernels.cpp: tasks that assign their own elements, of which a GPU's thread runs several if there
// are many: turned round, of neighbours, of rows from elsewhere, in place.
#include "blocks.hpp"

#include <foldwise/spec.hpp>

#include <cstdint>

namespace run {

using foldwise::index;
using foldwise::view;

// What is written is contiguous across, or what is read.
template <class T> using copy2 = void(view<const T, 2>, view<T, 2>);
auto turn2 = foldwise::forall<copy2<std::uint8_t>, copy2<std::uint16_t>, copy2<float>, copy2<double>, copy2<block3>,
                              copy2<block12>, copy2<block16>>(
    [](index<2> at, auto in, auto out) { out(at[1], at[0]) = in(at[0], at[1]); });
auto turn_back2 = foldwise::forall<copy2<std::uint8_t>, copy2<std::uint16_t>, copy2<float>, copy2<double>,
                                   copy2<block3>, copy2<block12>, copy2<block16>>([](index<2> at, auto in, auto out) {
    const auto [r, c] = at;
    out(r, c) = in(c, r);
});
auto turn3 = foldwise::forall([](index<3> at, view<const float, 3> in, view<float, 3> out) {
    const auto [i, j, k] = at;
    out(k, i, j) = in(i, j, k);
});
auto turn_inner3 = foldwise::forall([](index<3> at, view<const std::int16_t, 3> in, view<std::int16_t, 3> out) {
    const auto [i, j, k] = at;
    out(i, k, j) = in(i, j, k);
});
auto turn_outer3 = foldwise::forall([](index<3> at, view<const std::int32_t, 3> in, view<std::int32_t, 3> out) {
    const auto [i, j, k] = at;
    out(j, i, k) = in(i, j, k);
});
auto turn4 = foldwise::forall([](index<4> at, view<const std::int32_t, 4> in, view<std::int32_t, 4> out) {
    const auto [a, b, c, d] = at;
    out(d, a, c, b) = in(a, b, c, d);
});
auto channels_last = foldwise::forall([](index<4> at, view<const std::uint8_t, 4> in, view<std::uint8_t, 4> out) {
    const auto [n, h, w, c] = at;
    out(n, h, w, c) = in(n, c, h, w);
});

// Vectors of neighbours, of types of several widths, with elements that rows or columns share.
auto add_bytes = foldwise::forall([](index<1> i, view<const std::uint8_t, 1> x, view<std::uint8_t, 1> sums) {
    sums[i] = static_cast<std::uint8_t>(sums[i] + 3 * x[i]);
});
auto widen =
    foldwise::forall([](index<2> at, view<const std::uint8_t, 2> x, view<const std::uint16_t, 1> of_row,
                        view<const std::uint32_t, 1> of_column, std::uint32_t factor, view<std::uint32_t, 2> out) {
        const auto [r, c] = at;
        out(r, c) = factor * x(r, c) + of_row(r) * of_column(c);
    });
auto mix_turned =
    foldwise::forall([](index<2> at, view<const std::uint16_t, 2> x, view<const std::uint8_t, 2> y,
                        view<std::uint16_t, 2> out) { out[at] = static_cast<std::uint16_t>(x(at[1], at[0]) - y[at]); });

// Both ways through shared memory, in place.
auto add_turned = foldwise::forall([](index<2> at, view<const std::uint32_t, 2> in, view<std::uint32_t, 2> sums) {
    const auto [r, c] = at;
    sums(c, r) += in(c, r) + static_cast<std::uint32_t>(r);
});
// Not every task reads its own element, and some have none.
auto pad_turned = foldwise::forall([](index<2> at, view<const float, 2> in, view<float, 2> out) {
    const auto [r, c] = at;
    out(r, c) = c < in.extent(0) && r < in.extent(1) ? in(c, r) : -1.0f;
});

// Elements that tasks share and read only sometimes, some of which do not exist.
auto lower_products = foldwise::forall(
    [](index<2> at, view<const std::int32_t, 1> x, view<const std::int32_t, 1> y, view<std::int64_t, 2> out) {
        const auto [r, c] = at;
        out(r, c) = c <= r && r < x.extent(0) && c < y.extent(0) ? std::int64_t{x(r)} * y(c) : -1;
    });

// Neighbours, with edges of several kinds.
auto near1 = foldwise::forall([](index<1> i, view<const std::int32_t, 1> in, view<std::int32_t, 1> out) {
    const auto n = in.extent(0);
    out[i] = i >= 2 && i < n - 2 ? in[i - 2] + 3 * in[i - 1] - in[i + 1] - 5 * in[i + 2] : -in[i];
});
auto near2 = foldwise::forall([](index<2> at, view<const told, 2> in, view<std::int32_t, 2> out) {
    const auto [r, c] = at;
    const bool edge = r < 1 || c < 2 || r + 1 >= in.extent(0) || c > in.extent(1) - 3;
    out(r, c) = edge ? in(r, c) : in(r - 1, c) + 2 * in(r + 1, c) - 3 * in(r, c - 2) + 5 * in(r, c + 2);
});
auto near3 = foldwise::forall([](index<3> at, view<const std::int32_t, 3> in, view<std::int32_t, 3> out) {
    const auto [i, j, k] = at;
    const bool edge =
        i == 0 || j == 0 || k == 0 || i + 1 == in.extent(0) || j + 1 == in.extent(1) || k + 1 == in.extent(2);
    out(i, j, k) = edge ? in(i, j, k)
                        : in(i - 1, j, k) + 2 * in(i + 1, j, k) + 3 * in(i, j - 1, k) + 4 * in(i, j + 1, k) +
                              5 * in(i, j, k - 1) + 6 * in(i, j, k + 1);
});
// The view is larger than the tasks are many, on one side.
auto window_sums = foldwise::forall([](index<2> at, view<const std::int32_t, 2> in, view<std::int32_t, 2> out) {
    const auto [r, c] = at;
    out(r, c) = in(r, c) + in(r + 1, c) + in(r + 2, c) + in(r, c + 1);
});
// Neighbours across the edges, and what is asked of another view.
auto circle = foldwise::forall([](index<2> at, view<const std::int32_t, 2> in, view<std::int32_t, 2> out) {
    const auto [r, c] = at;
    out(r, c) = in(r + 1 < out.extent(0) ? r + 1 : 0, c) - in(r, c > 0 ? c - 1 : out.extent(1) - 1);
});

// Rows from elsewhere.
auto pick_rows = foldwise::forall<void(view<const std::uint8_t, 2>, view<const std::int64_t, 1>, view<std::uint8_t, 2>),
                                  void(view<const float, 2>, view<const std::int32_t, 1>, view<float, 2>)>(
    [](index<2> at, auto table, auto rows, auto out) { out(at[0], at[1]) = table(rows(at[0]), at[1]); });

// Rows to elsewhere, and elements that are written only sometimes.
auto put_rows = foldwise::forall([](index<2> at, view<const std::uint16_t, 2> in, view<const std::int32_t, 1> rows,
                                    view<std::uint16_t, 2> out) { out(rows(at[0]), at[1]) = in(at[0], at[1]); });
auto put_turned = foldwise::forall([](index<2> at, view<const float, 2> in, view<const std::int32_t, 1> rows,
                                      view<float, 2> out) { out(rows(at[0]), at[1]) = in(at[1], at[0]); });
auto keep_even = foldwise::forall([](index<2> at, view<const std::int32_t, 2> in, view<std::int32_t, 2> out) {
    const std::int32_t value = in[at];
    if (value % 2 == 0) out[at] = value;
});

// The coordinates themselves, in another order than that of what is written.
auto tell_places3 = foldwise::forall([](index<3> at, view<const std::int16_t, 3> in, view<std::int32_t, 3> out) {
    const auto [i, j, k] = at;
    out(j, i, k) = static_cast<std::int32_t>(in(j, i, k) + 3 * i + 5000 * j + 10000000 * (k % 200));
});

// In place, in as many axes as there can be.
auto scale4 = foldwise::forall([](index<4> at, view<std::uint32_t, 4> x, std::uint32_t factor) { x[at] *= factor; });

// What is read is another view, and perhaps the same memory.
auto assign_and_look = foldwise::forall(
    [](index<1> i, view<std::int32_t, 1> out, view<const std::int32_t, 1> in, view<std::int32_t, 1> seen) {
        out[i] = static_cast<std::int32_t>(i % 100);
        seen[i] = in[i];
    });

}  // namespace run
