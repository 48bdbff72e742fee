// tests/run/forall.kernels.cpp: tasks of one to four axes on views of elements of 1 to 24 bytes, with values of several
// types, and atomics.
#include "blocks.hpp"

#include <foldwise/spec.hpp>

#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstdio>

namespace run {

using foldwise::index;
using foldwise::view;

template <class T> constexpr T weaved(const T& x, const T& y) { return static_cast<T>(x + x + y); }

// Exchanging the operands shows.
auto weave1 = foldwise::forall<void(view<const std::uint8_t, 1>, view<const std::uint8_t, 1>, view<std::uint8_t, 1>),
                               void(view<const float, 1>, view<const float, 1>, view<float, 1>),
                               void(view<const block24, 1>, view<const block24, 1>, view<block24, 1>)>(
    [](index<1> i, auto x, auto y, auto out) { out[i] = weaved(x[i], y[i]); });
auto weave2 = foldwise::forall<void(view<const std::uint8_t, 2>, view<const std::uint8_t, 2>, view<std::uint8_t, 2>),
                               void(view<const std::uint16_t, 2>, view<const std::uint16_t, 2>, view<std::uint16_t, 2>),
                               void(view<const std::uint32_t, 2>, view<const std::uint32_t, 2>, view<std::uint32_t, 2>),
                               void(view<const double, 2>, view<const double, 2>, view<double, 2>),
                               void(view<const block3, 2>, view<const block3, 2>, view<block3, 2>),
                               void(view<const block12, 2>, view<const block12, 2>, view<block12, 2>),
                               void(view<const block16, 2>, view<const block16, 2>, view<block16, 2>),
                               void(view<const block24, 2>, view<const block24, 2>, view<block24, 2>)>(
    [](index<2> at, auto x, auto y, auto out) { out[at] = weaved(x[at], y(at[0], at[1])); });
auto weave3 = foldwise::forall<void(view<const std::uint16_t, 3>, view<const std::uint16_t, 3>, view<std::uint16_t, 3>),
                               void(view<const block12, 3>, view<const block12, 3>, view<block12, 3>)>(
    [](index<3> at, auto x, auto y, auto out) { out[at] = weaved(x[at], y[at]); });
auto weave4 = foldwise::forall<void(view<const std::uint8_t, 4>, view<const std::uint8_t, 4>, view<std::uint8_t, 4>),
                               void(view<const double, 4>, view<const double, 4>, view<double, 4>)>(
    [](index<4> at, auto x, auto y, auto out) {
        const auto [a, b, c, d] = at;
        out(a, b, c, d) = weaved(x(a, b, c, d), y[at]);
    });

// Some tasks write, in place.
auto advance = foldwise::forall<void(view<std::uint8_t, 2>, std::int64_t), void(view<block12, 2>, std::int64_t)>(
    [](index<2> at, auto x, auto step) {
        if ((at[0] + at[1]) % step == 0) x[at] = weaved(x[at], x[at]);
    });

// The written element's coordinates are the task's, turned round.
auto turn = foldwise::forall([](index<3> at, view<const float, 3> x, view<float, 3> out) {
    const auto [i, j, k] = at;
    out(k, i, j) = x(i, j, k);
});

// Views of more and of fewer axes than the index, and one that is only asked for its extents.
auto sum_rows = foldwise::forall([](index<1> row, view<const std::int32_t, 2> x, view<std::int64_t, 1> sums) {
    std::int64_t sum = 0;
    for (std::int64_t column = 0; column < x.extent(1); ++column) sum += x(row, column);
    sums[row] = sum;
});
auto spread = foldwise::forall(
    [](index<2> at, view<const std::int32_t, 1> x, view<std::int32_t, 2> out, view<const std::uint8_t, 3> like) {
        out[at] = static_cast<std::int32_t>(x[at[1]] + like.extent(0) * 100 + like.extent(2));
    });

struct window {
    float low;
    std::int8_t weight;
    float high;
};
struct table {
    std::int16_t values[20];
};
auto mix = foldwise::forall([](index<1> i, view<const std::uint8_t, 1> small, view<const double, 1> large,
                               view<float, 1> out, bool adds, window limits, const table& of, std::int64_t shift) {
    const double value = large[i] + of.values[small[i] % 20] + static_cast<double>(shift) * limits.weight;
    const auto kept = static_cast<float>(value);
    const float inside = kept < limits.low ? limits.low : kept > limits.high ? limits.high : kept;
    out[i] = adds ? out[i] + inside : inside;
});

// Five points; the edge stays as it is.
auto relax = foldwise::forall([](index<2> at, view<const double, 2> in, view<double, 2> out) {
    const auto [r, c] = at;
    const bool edge = r == 0 || c == 0 || r + 1 == in.extent(0) || c + 1 == in.extent(1);
    out(r, c) = edge ? in(r, c) : 0.25 * (in(r - 1, c) + in(r + 1, c) + in(r, c - 1) + in(r, c + 1));
});

// Where each element is read is an element, too.
auto gather = foldwise::forall<void(view<const float, 1>, view<const std::int32_t, 1>, view<float, 1>),
                               void(view<const block3, 1>, view<const std::int32_t, 1>, view<block3, 1>)>(
    [](index<1> i, auto source, auto at, auto out) { out[i] = source[at[i]]; });

// Many tasks, few places.
auto count = foldwise::forall([](index<1> i, view<const std::uint8_t, 1> x, view<std::uint32_t, 1> bins) {
    std::atomic_ref(bins[x[i] % bins.extent(0)]).fetch_add(1u, std::memory_order_relaxed);
});
// Tasks only add to these: integers, to several views, with every operation.
auto tally = foldwise::forall(
    [](index<2> at, view<const std::int32_t, 2> x, view<std::int32_t, 1> sums, view<std::uint32_t, 2> counts) {
        const std::int32_t bin = x[at] & 31;
        std::atomic_ref(sums[bin]) += x[at];
        std::atomic_ref(sums[31 - bin]).fetch_sub(static_cast<std::int32_t>(at[0]), std::memory_order_relaxed);
        if (bin % 2 == 0)
            ++std::atomic_ref(counts(at[1] % counts.extent(0), bin));
        else
            std::atomic_ref(counts(0, bin)).fetch_add(5);
    });
auto add_up = foldwise::forall<void(view<const std::uint8_t, 2>, view<const float, 2>, view<float, 1>),
                               void(view<const std::uint8_t, 2>, view<const double, 2>, view<double, 1>),
                               void(view<const std::uint8_t, 2>, view<const std::int64_t, 2>, view<std::int64_t, 1>)>(
    [](index<2> at, auto where, auto x, auto sums) {
        std::atomic_ref(sums[where[at] % sums.extent(0)]).fetch_add(x[at], std::memory_order_relaxed);
    });

template <class T, class Before> inline void exchange_if(T& place, T value, Before before) {
    std::atomic_ref<T> shared(place);
    T seen = shared.load(std::memory_order_relaxed);
    while (before(value, seen) && !shared.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
    }
}
auto limits = foldwise::forall<void(view<const std::uint8_t, 1>, view<const float, 1>, view<float, 1>, view<float, 1>),
                               void(view<const std::uint8_t, 1>, view<const std::int32_t, 1>, view<std::int32_t, 1>,
                                    view<std::int32_t, 1>)>([](index<1> i, auto where, auto x, auto least, auto most) {
    const auto bin = where[i] % least.extent(0);
    exchange_if(least[bin], x[i], [](auto a, auto b) { return a < b; });
    exchange_if(most[bin], x[i], [](auto a, auto b) { return a > b; });
});

// An index of one axis is compared as a number, one of several as a place.
auto edges = foldwise::forall([](index<1> i, view<std::int32_t, 1> x, std::int32_t last) {
    x[i] = i == 0 ? 1 : last == i ? 2 : i != index<1>(3) ? 3 : 4;
});
auto corners = foldwise::forall([](index<2> at, view<std::int32_t, 2> x) {
    x[at] = at == index<2>(0, 0) ? 1 : at != index<2>(x.extent(0) - 1, x.extent(1) - 1) ? 2 : 3;
});

// Tasks may speak, and say what they expect.
auto say = foldwise::forall([](index<1> i, view<const std::int32_t, 1> x) {
    assert(x[i] >= 0);
    if (x[i] > 3) std::printf("task %d has %d\n", static_cast<int>(i), x[i]);
});

// Parts of views, handed to a function that only reads.
inline double total(view<const double, 1> x) {
    double sum = 0;
    for (std::int64_t i = 0; i < x.extent(0); ++i) sum += x[i];
    return sum;
}
auto windows = foldwise::forall([](index<1> i, view<const double, 1> x, view<double, 1> sums) {
    const std::int64_t begin = i < 2 ? 0 : i - 2, end = i + 3 < x.extent(0) ? i + 3 : x.extent(0);
    sums[i] = total(x.slice(0, begin, end)) - 2 * total(x.slice(0, end - 1, begin - 1, -2));
});

}  // namespace run
