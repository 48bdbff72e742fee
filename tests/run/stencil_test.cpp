// tests/run/stencil_test.cpp: what is around elements over shapes, edges, strides and types, against plain loops that
// copy each array with its edges, on the executor that the environment names.
#include "stencil.kernels.hpp"
#include "trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace run_tests;
using foldwise::shape;
using extents = std::vector<std::int64_t>;
using ints = std::vector<std::int32_t>;

enum class edge { wrap, nearest, mirror, symmetric, constant, skip };

unsigned trials() { return runs_on("simulator") ? 60 : 250; }

/// The element from which a read takes its value, by a walk over the repeated pattern; -1 beyond constant edges.
std::int64_t reference_place(edge kind, std::int64_t at, std::int64_t n) {
    if (at >= 0 && at < n) return at;
    std::vector<std::int64_t> period(static_cast<std::size_t>(n));
    std::iota(period.begin(), period.end(), std::int64_t{0});
    switch (kind) {
    case edge::nearest:
        return at < 0 ? 0 : n - 1;
    case edge::mirror:
        for (std::int64_t i = n - 2; i > 0; --i) period.push_back(i);
        break;
    case edge::symmetric:
        for (std::int64_t i = n - 1; i >= 0; --i) period.push_back(i);
        break;
    case edge::wrap:
        break;
    default:
        return -1;
    }
    const auto count = static_cast<std::int64_t>(period.size());
    return period[static_cast<std::size_t>((at % count + count) % count)];
}

/// An array whose axes lie in memory in any order, in any direction and at any distance, or in rows that begin at
/// multiples of some number, from any address.
template <class T> struct strided {
    foldwise::array<T> whole;
    std::vector<T> host;
    extents of, strides;
    std::int64_t first = 0;
    foldwise::view<T> view;

    strided(const extents& of_, generator& rng, const std::function<T(std::int64_t)>& element)
        : of(of_), strides(of_.size()) {
        std::vector<std::size_t> order(of.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::reverse(order.begin(), order.end());
        const bool is_plain = rng() % 2;
        const auto multiple = static_cast<std::int64_t>(is_plain && rng() % 2 ? 8 : 1);
        if (is_plain && rng() % 4 == 0) first = static_cast<std::int64_t>(rng() % 9);
        if (!is_plain && rng() % 2) std::shuffle(order.begin(), order.end(), rng);
        std::int64_t stride = 1;
        for (const std::size_t axis : order) {
            const std::int64_t step = !is_plain && rng() % 3 == 0 ? 2 : 1;
            const bool is_reversed = !is_plain && rng() % 4 == 0;
            strides[axis] = (is_reversed ? -1 : 1) * step * stride;
            if (is_reversed) first += (of[axis] - 1) * step * stride;
            stride = (stride * of[axis] * step + multiple - 1) / multiple * multiple;
        }
        for (std::int64_t i = 0; i < first + stride; ++i) host.push_back(element(i));
        whole = foldwise::to_device(host);
        view = {whole.data() + first, foldwise::detail::strided(shape{std::span<const std::int64_t>(of)}, strides),
                whole.place()};
    }
    std::size_t place(const extents& at) const {
        std::int64_t offset = first;
        for (std::size_t axis = 0; axis < of.size(); ++axis) offset += at[axis] * strides[axis];
        return static_cast<std::size_t>(offset);
    }
};

/// Calls each(at) for all elements of a shape.
void for_each(const extents& of, const std::function<void(const extents&)>& each) {
    extents at(of.size());
    if (std::ranges::find(of, 0) != of.end()) return;
    for (;;) {
        each(at);
        std::size_t axis = of.size();
        while (axis > 0 && ++at[axis - 1] == of[axis - 1]) at[--axis] = 0;
        if (axis == 0) return;
    }
}

struct term {
    extents offset;
    std::int32_t weight;
};
std::vector<term> terms(std::size_t rank) {
    if (rank == 1) return {{{-2}, 2}, {{-1}, 3}, {{0}, 4}, {{1}, 5}, {{2}, 6}, {{3}, 7}};
    if (rank == 2) return {{{0, 0}, 1}, {{-2, 1}, 2}, {{1, 0}, 3}, {{0, -3}, 5}, {{1, 2}, 7}};
    if (rank == 3)
        return {{{0, 0, 0}, 1}, {{-1, 0, 0}, 2},  {{1, 0, 0}, 3}, {{0, -1, 0}, 5},
                {{0, 2, 0}, 7}, {{0, 0, -1}, 11}, {{0, 0, 1}, 13}};
    return {{{0, 0, 0, 0}, 1}, {{-1, 0, 0, 1}, 2}, {{0, 1, 0, 0}, 3}, {{1, 0, -1, 0}, 5}, {{0, -1, 0, -2}, 7}};
}

/// The weighed sum around an element as the kernels compute it; nothing if edge::skip skips it.
template <class T>
std::optional<T> reference(const strided<T>& a, const extents& at, edge kind, const std::vector<term>& all, T beyond) {
    if (kind == edge::skip)
        for (std::size_t axis = 0; axis < at.size(); ++axis) {
            std::int64_t before = 0, behind = 0;
            for (const term& one : all) {
                before = std::max(before, -one.offset[axis]);
                behind = std::max(behind, one.offset[axis]);
            }
            if (at[axis] < before || at[axis] + behind >= a.of[axis]) return std::nullopt;
        }
    T sum{};
    for (const term& one : all) {
        extents from = at;
        bool is_beyond = false;
        for (std::size_t axis = 0; axis < at.size(); ++axis) {
            from[axis] = reference_place(kind, at[axis] + one.offset[axis], a.of[axis]);
            is_beyond = is_beyond || from[axis] < 0;
        }
        sum = static_cast<T>(sum + static_cast<T>(one.weight) * (is_beyond ? beyond : a.host[a.place(from)]));
    }
    return sum;
}

extents any_shape(generator& rng, std::size_t rank) {
    const std::int64_t most = rank == 1 ? 2000 : rank == 2 ? 70 : rank == 3 ? 20 : 9;
    extents of(rank);
    for (std::int64_t& extent : of)
        extent = 1 + static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(rng() % 3 ? 8 : most));
    if (rng() % 3 == 0) of.back() = 1 + static_cast<std::int64_t>(rng() % 300);
    if (rng() % 2 == 0) of.back() = (of.back() + 7) / 8 * 8;  // whole vectors
    if (rng() % 40 == 0) of[rng() % rank] = 0;
    return of;
}

template <class T, class Kernel> void try_edge(std::size_t rank, edge kind, const Kernel& kernel, std::uint64_t seed) {
    generator rng(seed);
    const std::vector<term> all = terms(rank);
    for (unsigned trial = 0; trial < trials(); ++trial) {
        const extents of = any_shape(rng, rank);
        const auto element = [&](std::int64_t) { return static_cast<T>(rng() % 100); };
        const strided<T> a(of, rng, element);
        strided<T> out(of, rng, [](std::int64_t i) { return static_cast<T>(i % 50 + 101); });
        kernel(a.view, out.view);
        std::vector<T> expected = out.host;
        for_each(of, [&](const extents& at) {
            if (const std::optional<T> one = reference(a, at, kind, all, static_cast<T>(-7)))
                expected[out.place(at)] = *one;
        });
        ASSERT_EQ(out.whole.to_host(), expected)
            << "trial " << trial << " of shape " << foldwise::to_string(a.view.shape());
        ASSERT_EQ(a.whole.to_host(), a.host);
    }
}

#define TRY_EDGE(kind, rank)                                                                                           \
    TEST(Stencil, Edge_##kind##_of_##rank) {                                                                           \
        try_edge<std::int32_t>(                                                                                        \
            rank, edge::kind, [](auto a, auto out) { windows::kind##rank(a, out); }, 10 * rank);                       \
    }
TRY_EDGE(wrap, 1)
TRY_EDGE(nearest, 1)
TRY_EDGE(mirror, 1)
TRY_EDGE(symmetric, 1)
TRY_EDGE(constant, 1)
TRY_EDGE(skip, 1)
TRY_EDGE(wrap, 2)
TRY_EDGE(nearest, 2)
TRY_EDGE(mirror, 2)
TRY_EDGE(symmetric, 2)
TRY_EDGE(constant, 2)
TRY_EDGE(skip, 2)
TRY_EDGE(wrap, 3)
TRY_EDGE(mirror, 3)
TRY_EDGE(constant, 3)
TRY_EDGE(skip, 3)
TRY_EDGE(nearest, 4)
TRY_EDGE(symmetric, 4)

TEST(Stencil, OfOtherTypes) {
    const auto run = [](auto a, auto out) { windows::typed(a, out); };
    try_edge<std::int8_t>(2, edge::mirror, run, 5);
    try_edge<std::uint16_t>(2, edge::mirror, run, 6);
    try_edge<double>(2, edge::mirror, run, 7);
}

TEST(Stencil, ValuesBeyondConstantEdgesHaveTheElementsType) {
    const std::vector<foldwise::half> x{foldwise::half(1.f), foldwise::half(2.f)};
    EXPECT_EQ(windows::halves(x).to_host(), (std::vector<float>{2.5f, 1.5f}));
    const std::vector<std::complex<float>> z{{1, 0}, {0, 1}};
    EXPECT_EQ(windows::turned(z).to_host(), (std::vector<std::complex<float>>{{-3, 3}, {2, 4}}));
    const std::vector<windows::cell> cells{{1, 1}, {2, 2}};
    const auto moved = windows::moved(foldwise::to_device(cells).reshape({1, 2})).to_host();
    EXPECT_EQ(moved[0].kind, 7);
    EXPECT_EQ(moved[0].amount, 2.5f);
    EXPECT_EQ(moved[1].amount, 1);
}

TEST(Stencil, LongArraysOfOtherTypes) {
    for (const std::int64_t n : {1, 7, 8, 64, 1000, 5001}) {
        const auto count = static_cast<std::size_t>(n);
        std::vector<foldwise::half> x;
        std::vector<std::complex<float>> z;
        std::vector<windows::cell> cells;
        for (int i = 0; i < static_cast<int>(n) * 8; ++i) {
            if (i < n) x.push_back(foldwise::half(static_cast<float>(i % 50)));
            if (i < n) z.push_back({static_cast<float>(i), static_cast<float>(i % 7)});
            cells.push_back({i, static_cast<float>(i) / 2});
        }
        const auto sums = windows::halves(x).to_host();
        const auto turned = windows::turned(z).to_host();
        const auto moved = windows::moved(foldwise::to_device(cells).reshape({n, 8})).to_host();
        const auto half_at = [&](std::size_t i) { return i < count ? static_cast<float>(x[i]) : 0.5f; };
        const auto complex_at = [&](std::size_t i) { return i < count ? z[i] : std::complex<float>(2, 3); };
        for (std::size_t i = 0; i < count; ++i) {
            ASSERT_EQ(sums[i], half_at(i - 1) + half_at(i + 1));
            ASSERT_EQ(turned[i], complex_at(i - 1) * std::complex<float>(0, 1) + complex_at(i + 1));
            for (std::size_t k = 0; k < 8; ++k) {
                ASSERT_EQ(moved[i * 8 + k].kind, i + 1 < count ? cells[(i + 1) * 8 + k].kind : 7);
                ASSERT_EQ(moved[i * 8 + k].amount, k > 0 ? cells[i * 8 + k - 1].amount : 2.5f);
            }
        }
    }
}

TEST(Stencil, SeveralArraysValuesAndResults) {
    const std::int64_t m = 5, n = 70;
    generator rng(3);
    const strided<std::int32_t> a({m, n}, rng, [](std::int64_t i) { return static_cast<std::int32_t>(i * 7 % 31); });
    const strided<double> b({m, n}, rng, [](std::int64_t i) { return static_cast<double>(i * 5 % 37); });
    const ints table{3, 4}, columns = [&] {
        ints all(static_cast<std::size_t>(n));
        std::iota(all.begin(), all.end(), 0);
        return all;
    }();
    for (const bool broadcasts : {false, true}) {
        const auto [low, high] =
            broadcasts ? windows::several(a.view, table, b.view, columns) : windows::several(a.view, table, b.view, 6);
        const auto lows = low.to_host();
        const auto highs = high.to_host();
        for_each({m, n}, [&](const extents& at) {
            const auto i = static_cast<std::size_t>(at[0] * n + at[1]);
            const std::int32_t k = broadcasts ? columns[static_cast<std::size_t>(at[1])] : 6;
            EXPECT_EQ(lows[i], a.host[a.place({(at[0] + m - 1) % m, at[1]})] + 4 * k);
            EXPECT_EQ(highs[i], b.host[b.place({at[0], (at[1] + 1) % n})] + k);
        });
    }
}

TEST(Stencil, OffsetsOfTheCallAndOfFunctions) {
    generator rng(4);
    const strided<std::int32_t> a({9, 6}, rng, [](std::int64_t i) { return static_cast<std::int32_t>(i * i % 91); });
    const auto element = [&](std::int64_t i, std::int64_t j) {
        return a.host[a.place({reference_place(edge::symmetric, i, 9), reference_place(edge::symmetric, j, 6)})];
    };
    for (const int by : {-3, 0, 2}) {
        const ints found = windows::said(a.view, by).to_host();
        for_each({9, 6}, [&](const extents& at) {
            EXPECT_EQ(found[static_cast<std::size_t>(at[0] * 6 + at[1])],
                      element(at[0] + by, at[1] - by) - element(at[0], at[1] + by));
        });
    }
    for (const int by : {-40, 3, 40}) {
        const ints found = windows::far(a.view, by).to_host();
        for_each({9, 6}, [&](const extents& at) {
            EXPECT_EQ(found[static_cast<std::size_t>(at[0] * 6 + at[1])],
                      element(at[0] + by, at[1] - 1) - element(at[0], at[1] + by));
        });
    }
    const ints x{5, 60, 7, 80, 9, 10, 51};
    const ints followed = windows::followed(x).to_host();
    for (std::int64_t i = 0; i < 7; ++i) {
        const auto at = [&](std::int64_t k) {
            return x[static_cast<std::size_t>(reference_place(edge::nearest, i + k, 7))];
        };
        EXPECT_EQ(followed[static_cast<std::size_t>(i)],
                  11 * at(2) + 10 * at(1) + 9 * at(0) + 9 * at(0) + 7 * at(-2) + at(at(0) > 50 ? 4 : -1));
    }
}

TEST(Stencil, StepsAreCalls) {
    generator rng(8);
    const strided<double> a({33, 40}, rng, [](std::int64_t i) { return static_cast<double>(i % 17); });
    for (const int steps : {1, 2, 3, 8}) {
        auto expected = windows::heat(a.view, 7.0);
        for (int k = 1; k < steps; ++k) expected = windows::heat(expected, 7.0);
        EXPECT_EQ(windows::heat(a.view, 7.0, foldwise::steps(steps)).to_host(), expected.to_host());
        strided<double> out({33, 40}, rng, [](std::int64_t) { return -1.0; });
        windows::heat(a.view, 7.0, out.view, foldwise::steps(steps));
        const auto all = out.whole.to_host(), wanted = expected.to_host();
        for_each({33, 40}, [&](const extents& at) {
            EXPECT_EQ(all[out.place(at)], wanted[static_cast<std::size_t>(at[0] * 40 + at[1])]);
        });
        std::vector<double> on_host(33 * 40);
        windows::heat(a.view, 7.0, foldwise::host(on_host, shape{33, 40}), foldwise::steps(steps));
        EXPECT_EQ(on_host, wanted);
    }
    EXPECT_EQ(a.whole.to_host(), a.host);
    EXPECT_THROW(windows::heat(a.view, 7.0, foldwise::steps(0)), foldwise::value_error);
}

/// Steps of kernels that are not made for them, in integers that do not overflow.
template <class Kernel> void try_steps(std::size_t rank, const Kernel& kernel, std::uint64_t seed) {
    generator rng(seed);
    for (unsigned trial = 0; trial < trials() / 10; ++trial) {
        extents of(rank);
        for (std::int64_t& extent : of)
            extent = 1 + static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(rank == 1   ? 20000
                                                                                      : rank == 2 ? 150
                                                                                                  : 30));
        const int steps = 2 + static_cast<int>(rng() % 3);
        const auto element = [&](std::int64_t) { return static_cast<std::int32_t>(rng() % 100); };
        const strided<std::int32_t> a(of, rng, element);
        strided<std::int32_t> out(of, rng, [](std::int64_t i) { return static_cast<std::int32_t>(i % 50 + 101); });
        using array = foldwise::array<std::int32_t>;
        array memory[2] = {foldwise::to_device(out.host), foldwise::to_device(out.host)};
        const auto in = [&](array& whole) {
            return foldwise::view<std::int32_t>(whole.data() + out.first, out.view.layout(), whole.place());
        };
        kernel(a.view, out.view, foldwise::steps(steps));
        kernel(a.view, in(memory[0]), foldwise::steps(1));
        for (int k = 1; k < steps; ++k) kernel(in(memory[(k - 1) % 2]), in(memory[k % 2]), foldwise::steps(1));
        ASSERT_EQ(out.whole.to_host(), memory[(steps - 1) % 2].to_host())
            << "trial " << trial << ", " << steps << " steps of shape " << foldwise::to_string(a.view.shape());
        ASSERT_EQ(a.whole.to_host(), a.host);
    }
}

#define TRY_STEPS(kind, rank)                                                                                          \
    TEST(Stencil, Steps_##kind##_of_##rank) {                                                                          \
        try_steps(                                                                                                     \
            rank, [](auto a, auto out, auto count) { windows::kind##rank(a, out, count); }, 100 * rank);               \
    }
TRY_STEPS(wrap, 1)
TRY_STEPS(nearest, 1)
TRY_STEPS(mirror, 1)
TRY_STEPS(symmetric, 1)
TRY_STEPS(constant, 1)
TRY_STEPS(skip, 1)
TRY_STEPS(wrap, 2)
TRY_STEPS(nearest, 2)
TRY_STEPS(mirror, 2)
TRY_STEPS(symmetric, 2)
TRY_STEPS(constant, 2)
TRY_STEPS(skip, 2)
TRY_STEPS(mirror, 3)

TEST(Stencil, StepsTakeValuesAndWholeArrays) {
    generator rng(9);
    for (const extents& of : {extents{60, 150}, {8, 3}, {1, 200}, {150, 9}}) {
        const strided<std::int32_t> a(of, rng, [&](std::int64_t) { return static_cast<std::int32_t>(rng() % 100); });
        const strided<std::int32_t> by(of, rng, [](std::int64_t i) { return static_cast<std::int32_t>(i % 7); });
        const strided<double> b(of, rng, [](std::int64_t i) { return static_cast<double>(i % 9); });
        const ints table{3, 4};
        auto fed = windows::fed(a.view, by.view);
        auto [low, high] = windows::pair(a.view, b.view, table);
        for (int k = 1; k < 6; ++k) {
            fed = windows::fed(fed, by.view);
            auto [next_low, next_high] = windows::pair(low, high, table);
            low = std::move(next_low);
            high = std::move(next_high);
        }
        EXPECT_EQ(windows::fed(a.view, by.view, foldwise::steps(6)).to_host(), fed.to_host());
        const auto [all_low, all_high] = windows::pair(a.view, b.view, table, foldwise::steps(6));
        EXPECT_EQ(all_low.to_host(), low.to_host());
        EXPECT_EQ(all_high.to_host(), high.to_host());
    }
}

TEST(Stencil, SteppedArraysMayBeOfAnyTypes) {
    generator rng(11);
    for (const std::int64_t count : {1, 9, 333, 5001}) {
        const strided<std::int8_t> a({count}, rng, [](std::int64_t i) { return static_cast<std::int8_t>(i % 11); });
        const strided<double> b({count}, rng, [](std::int64_t i) { return static_cast<double>(i % 9); });
        auto [low, high] = windows::mixed(a.view, b.view);
        for (int k = 1; k < 5; ++k) {
            auto [next_low, next_high] = windows::mixed(low, high);
            low = std::move(next_low);
            high = std::move(next_high);
        }
        const auto [all_low, all_high] = windows::mixed(a.view, b.view, foldwise::steps(5));
        EXPECT_EQ(all_low.to_host(), low.to_host());
        EXPECT_EQ(all_high.to_host(), high.to_host());
        const std::vector<windows::counted> numbers(static_cast<std::size_t>(count), windows::counted(1));
        for (const auto& one : windows::following(numbers, foldwise::steps(4)).to_host()) EXPECT_EQ(one.number, 81);
        std::vector<windows::wide> pairs(static_cast<std::size_t>(count), windows::wide{1, 2});
        float first = 1, second = 2;
        for (int k = 0; k < 4; ++k) second = std::exchange(first, first + second);
        for (const auto& one : windows::padded(pairs, foldwise::steps(4)).to_host()) {
            EXPECT_EQ(one.first, first);
            EXPECT_EQ(one.second, second);
        }
    }
}

TEST(Stencil, StepsKeepWhatIsSkipped) {
    const std::vector<double> x{1, 2, 3, 4, 5};
    for (const int steps : {1, 2, 5}) {
        std::vector<double> now = x, out{10, 0, 0, 0, 20};
        for (int k = 0; k < steps; ++k) {
            std::vector<double> next{10, 0, 0, 0, 20};
            for (std::size_t i = 1; i < 4; ++i) next[i] = now[i - 1] + now[i + 1];
            now = next;
        }
        windows::held(x, out, foldwise::steps(steps));
        EXPECT_EQ(out, now);
    }
}

TEST(Stencil, SeveralResultsAreSteppedTogether) {
    ints u{1, 2, 3, 4, 5, 6, 7}, v(7, 1);
    const ints source{0, 1, 0, 2, 0, 3, 0};
    const auto [height, speed] = windows::wave(u, v, source, foldwise::steps(5));
    for (int k = 0; k < 5; ++k) {
        auto [next_u, next_v] = windows::wave(u, v, source);
        u = next_u.to_host();
        v = next_v.to_host();
    }
    EXPECT_EQ(height.to_host(), u);
    EXPECT_EQ(speed.to_host(), v);
}

TEST(Stencil, MistakesOfCallsAreTold) {
    const auto refused = [](const char* text, const auto& call) {
        try {
            call();
            ADD_FAILURE() << "not refused: " << text;
        } catch (const foldwise::error& e) {
            EXPECT_NE(std::string(e.what()).find(text), std::string::npos) << e.what();
        }
    };
    foldwise::array<std::int32_t> x({3, 4}), y({3, 4}), other({4, 3});
    foldwise::array<double> b({3, 4});
    refused("windows::wrap2: a of shape (12) has 1 axis, and the lambda looks around along 2",
            [&] { windows::wrap2(x.reshape({12}), y); });
    refused("windows::wrap2: output out of shape (4, 3) does not have the shape of the arrays around, (3, 4)",
            [&] { windows::wrap2(x, other); });
    refused("windows::several: b of shape (4, 3) does not have the shape of a of shape (3, 4)", [&] {
        static_cast<void>(windows::several(x, ints{1, 2}, b.reshape({4, 3}), 1));
    });
    refused("windows::several: operand k", [&] {
        static_cast<void>(windows::several(x, ints{1, 2}, b, ints{1, 2, 3}));
    });
    refused("windows::wrap2: output out overlaps a", [&] { windows::wrap2(x, x); });
    refused("windows::wrap1: output out overlaps a",
            [&] { windows::wrap1(x.reshape({12}).slice(0, 0, 7), x.reshape({12}).slice(0, 5, 12)); });
}

}  // namespace
