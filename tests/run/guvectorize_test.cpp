// tests/run/guvectorize_test.cpp: functions of rows and matrices over random shapes, strides and broadcasts, against
// plain loops, on the executor that the environment names.
#include "guvectorize.kernels.hpp"
#include "trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace run_tests;
using foldwise::shape;
using extents = std::vector<std::int64_t>;

unsigned trials() { return runs_on("simulator") ? 150 : 600; }

std::int64_t number_below(generator& rng, std::int64_t end) {
    return static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(end));
}
extents operator+(extents a, const extents& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/// An array whose axes lie in memory in any order, in any direction and at any distance, or every other time without
/// gaps, and its elements on the host.
template <class T> struct strided {
    foldwise::array<T> whole;
    std::vector<T> host;
    extents shape_, strides;
    std::int64_t first = 0;
    foldwise::view<T> view;

    strided(const extents& of, generator& rng, const std::function<T(generator&)>& element)
        : shape_(of), strides(of.size()) {
        std::vector<std::size_t> order(of.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        const bool is_dense = rng() % 2;
        if (is_dense) {
            std::reverse(order.begin(), order.end());
            if (of.size() > 1 && rng() % 3 == 0) std::swap(order[0], order[1]);
        } else if (rng() % 2) {
            std::shuffle(order.begin(), order.end(), rng);
        }
        std::int64_t stride = 1;
        for (const std::size_t axis : order) {
            const std::int64_t step = !is_dense && rng() % 4 == 0 ? 2 : 1;
            const bool is_reversed = !is_dense && rng() % 5 == 0 && of[axis] > 0;
            strides[axis] = (is_reversed ? -1 : 1) * step * stride;
            if (is_reversed) first += (of[axis] - 1) * step * stride;
            stride *= of[axis] * step;
        }
        for (std::int64_t i = 0; i < stride; ++i) host.push_back(element(rng));
        whole = foldwise::to_device(host);
        view = {whole.data() + first, foldwise::detail::strided(shape{std::span<const std::int64_t>(of)}, strides),
                whole.place()};
    }

    /// The place of an element, of an item whose coordinates may have more axes and may be repeated.
    std::size_t place(const extents& item, const extents& core) const {
        std::int64_t offset = first;
        const std::size_t items = shape_.size() - core.size();
        for (std::size_t axis = 0; axis < items; ++axis)
            if (shape_[axis] != 1) offset += item[item.size() - items + axis] * strides[axis];
        for (std::size_t axis = 0; axis < core.size(); ++axis) offset += core[axis] * strides[items + axis];
        return static_cast<std::size_t>(offset);
    }
    T at(const extents& item, const extents& core) const { return host[place(item, core)]; }
};

/// The shape of a call's items: up to three axes.
extents any_items(generator& rng) {
    static constexpr std::int64_t usual[] = {1, 1, 2, 3, 5, 33, 130};
    extents items(static_cast<std::size_t>(number_below(rng, 4)));
    std::int64_t left = 2000;
    for (std::int64_t& extent : items) {
        extent = std::min(usual[number_below(rng, std::size(usual))], left);
        left = std::max<std::int64_t>(1, left / extent);
        if (rng() % 30 == 0) extent = 0;
    }
    return items;
}

/// A shape that broadcasts to `items`.
extents any_part(const extents& items, generator& rng) {
    extents own(items.begin() + number_below(rng, static_cast<std::int64_t>(items.size()) + 1), items.end());
    for (std::int64_t& extent : own)
        if (rng() % 3 == 0) extent = 1;
    return own;
}

/// Calls run(item) with the coordinates of each item.
void each_item(const extents& items, const std::function<void(const extents&)>& run) {
    const std::int64_t count = std::accumulate(items.begin(), items.end(), std::int64_t{1}, std::multiplies<>());
    for (std::int64_t number = 0; number < count; ++number) {
        extents item(items.size());
        std::int64_t rest = number;
        for (std::size_t axis = items.size(); axis-- > 0; rest /= items[axis]) item[axis] = rest % items[axis];
        run(item);
    }
}

/// The elements that lie in the memory of a strided array now.
template <class T> std::vector<T> now(const strided<T>& array) { return array.whole.to_host(); }

std::int64_t any_extent(generator& rng) {
    static constexpr std::int64_t usual[] = {0, 1, 2, 3, 4, 7, 17};
    return usual[number_below(rng, std::size(usual))];
}
template <class T> std::function<T(generator&)> small() {
    return [](generator& rng) { return static_cast<T>(number_below(rng, 41) - 20); };
}

template <class T> void multiply(generator& rng) {
    const extents items = any_items(rng);
    const std::int64_t m = any_extent(rng), n = any_extent(rng), p = any_extent(rng);
    const strided<T> a(any_part(items, rng) + extents{m, n}, rng, small<T>());
    const strided<T> b(any_part(items, rng) + extents{n, p}, rng, small<T>());
    strided<T> c(items + extents{m, p}, rng, small<T>());
    run::matmul(a.view, b.view, c.view);
    std::vector<T> want = c.host;
    each_item(items, [&](const extents& item) {
        for (std::int64_t i = 0; i < m; ++i)
            for (std::int64_t j = 0; j < p; ++j) {
                T sum = 0;
                for (std::int64_t k = 0; k < n; ++k) sum += a.at(item, {i, k}) * b.at(item, {k, j});
                want[c.place(item, {i, j})] = sum;
            }
    });
    ASSERT_EQ(now(c), want) << "or elements between those of the output were written";
}

TEST(Items, AreBroadcastAndMayLieAnywhere) {
    generator rng(1);
    for (unsigned trial = 0; trial < trials(); ++trial) {
        SCOPED_TRACE(trial);
        multiply<double>(rng);
        multiply<std::int32_t>(rng);
        if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(Items, HaveSeveralOutputs) {
    generator rng(2);
    for (unsigned trial = 0; trial < trials(); ++trial) {
        SCOPED_TRACE(trial);
        const extents items = any_items(rng);
        const std::int64_t n = any_extent(rng);
        const strided<std::int16_t> x(items + extents{n}, rng, small<std::int16_t>());
        const auto [values, places] = run::largest(x.view);
        ASSERT_EQ(values.shape(), shape{std::span<const std::int64_t>(items)});
        const std::vector<std::int16_t> value = values.to_host();
        const std::vector<std::int64_t> at = places.to_host();
        std::size_t number = 0;
        each_item(items, [&](const extents& item) {
            std::int16_t want = -32768;
            std::int64_t place = -1;
            for (std::int64_t i = 0; i < n; ++i)
                if (x.at(item, {i}) > want) want = x.at(item, {place = i});
            ASSERT_EQ(value[number], want);
            ASSERT_EQ(at[number], place);
            ++number;
        });
    }
}

TEST(Items, TakeValuesAndStructs) {
    generator rng(3);
    for (unsigned trial = 0; trial < trials(); ++trial) {
        SCOPED_TRACE(trial);
        const extents items = any_items(rng);
        const std::int64_t n = any_extent(rng);
        const strided<run::line> of(any_part(items, rng), rng, [](generator& some) {
            return run::line{static_cast<std::int32_t>(number_below(some, 9)),
                             static_cast<std::int32_t>(number_below(some, 9))};
        });
        const strided<std::int32_t> x(any_part(items, rng) + extents{n}, rng, small<std::int32_t>());
        strided<std::int32_t> y(items + extents{n}, rng, small<std::int32_t>());
        std::vector<std::int32_t> want = y.host;
        if (trial % 2) {
            const strided<std::int32_t> scale(any_part(items, rng), rng, small<std::int32_t>());
            run::traced(of.view, scale.view, x.view, y.view);
            each_item(items, [&](const extents& item) {
                for (std::int64_t i = 0; i < n; ++i)
                    want[y.place(item, {i})] =
                        scale.at(item, {}) * (of.at(item, {}).slope * x.at(item, {i}) + of.at(item, {}).offset);
            });
        } else {
            run::traced(run::line{2, 3}, 4, x.view, y.view);
            each_item(items, [&](const extents& item) {
                for (std::int64_t i = 0; i < n; ++i) want[y.place(item, {i})] = 4 * (2 * x.at(item, {i}) + 3);
            });
        }
        ASSERT_EQ(now(y), want);
    }
}

TEST(Items, OutputsKeepWhatIsNotWritten) {
    generator rng(4);
    for (unsigned trial = 0; trial < trials(); ++trial) {
        SCOPED_TRACE(trial);
        const extents items = any_items(rng);
        const std::int64_t n = any_extent(rng), p = any_extent(rng);
        const strided<std::int64_t> x(any_part(items, rng) + extents{n}, rng, small<std::int64_t>());
        strided<std::int64_t> sums(items + extents{p}, rng, small<std::int64_t>());
        std::vector<std::int64_t> want = sums.host;
        run::spread(x.view, sums.view);
        each_item(items, [&](const extents& item) {
            for (std::int64_t i = 0; p > 0 && i < n; ++i) want[sums.place(item, {i % p})] += x.at(item, {i});
        });
        ASSERT_EQ(now(sums), want);
    }
}

TEST(Items, NewArraysBeginAsZeros) {
    const std::vector<double> x(1000, 1.0);
    for (int trial = 0; trial < 5; ++trial) {
        static_cast<void>(foldwise::full(500, 77.0));  // memory that is reused
        EXPECT_EQ(run::added(foldwise::host(x, {500, 2})).to_host(), std::vector<double>(500, 2.0));
    }
    std::vector<double> sums{3, 4};
    run::added(foldwise::host(x.data(), {2, 2}), sums);
    EXPECT_EQ(sums, (std::vector<double>{5, 6}));
}

TEST(Host, RangesAreRead) {
    const std::vector<float> by{0, 1, 0, 0, 0, 1, 1, 0, 0}, x{1, 2, 3};
    std::vector<float> y(3);
    run::turn(foldwise::host(by, shape{3, 3}), x, y);
    EXPECT_EQ(y, (std::vector<float>{2, 3, 1}));
    EXPECT_EQ(run::turn(foldwise::host(by, shape{3, 3}), x).to_host(), y);
    std::vector<std::int64_t> sums{100, 0};
    run::spread(std::vector<std::int64_t>{1, 2, 3}, sums);
    EXPECT_EQ(sums, (std::vector<std::int64_t>{104, 2}));
}

TEST(Host, WithoutCoreDimensionsItemsAreElements) {
    const auto twice = foldwise::to_device(std::vector<foldwise::half>{2.0f, 5.0f, -3.0f});
    const std::vector<foldwise::half> all = run::halved(twice).to_host();
    EXPECT_EQ(static_cast<float>(all[2]), -1.5f);
    EXPECT_EQ(static_cast<float>(all[1]), 2.5f);
}

/// The message of the error that a call throws.
template <class Error, class Call> std::string refused(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(Refused, CoreDimensionsThatDoNotAgree) {
    const foldwise::array<double> a({10, 3, 4}), b({10, 3, 3}), row(3);
    EXPECT_EQ(refused<foldwise::shape_error>([&] { static_cast<void>(run::matmul(a, b)); }),
              "run::matmul: dimension n is 4 in a of shape (10, 3, 4) and 3 in b of shape (10, 3, 3)");
    EXPECT_EQ(refused<foldwise::shape_error>([&] { static_cast<void>(run::matmul(a, row)); }),
              "run::matmul: b of shape (3) has too few axes, and each item has the core dimensions (n,p)");
    EXPECT_EQ(refused<foldwise::shape_error>([&] { static_cast<void>(run::matmul(2.0, b)); }),
              "run::matmul: a is a single value, and each item has the core dimensions (m,n)");
    const foldwise::array<float> by({4, 4}), x(4);
    EXPECT_EQ(refused<foldwise::shape_error>([&] { static_cast<void>(run::turn(by, x)); }),
              "run::turn: by of shape (4, 4) has an extent of 4 where its core dimensions (3,3) say 3");
}

TEST(Refused, ItemsThatDoNotBroadcast) {
    const foldwise::array<double> a({4, 2, 2}), b({3, 2, 2}), one({2, 2});
    foldwise::array<double> c({4, 2, 2}), wide({2, 4, 2, 2});
    EXPECT_EQ(refused<foldwise::shape_error>([&] { static_cast<void>(run::matmul(a, b)); }),
              "run::matmul: the items of b of shape (3, 2, 2), in shape (3), do not broadcast to those of a of shape "
              "(4, 2, 2), in shape (4)");
    EXPECT_EQ(refused<foldwise::shape_error>([&] { run::matmul(one, b, c); }),
              "run::matmul: the items of b of shape (3, 2, 2), in shape (3), do not broadcast to those of c of shape "
              "(4, 2, 2), in shape (4)");
    run::matmul(a, one, wide);  // inputs broadcast to the outputs' items
    const foldwise::array<std::int16_t> x({4, 3});
    foldwise::array<std::int16_t> value(4);
    foldwise::array<std::int64_t> at(5);
    EXPECT_EQ(refused<foldwise::shape_error>([&] { run::largest(x, value, at); }),
              "run::largest: the items of at of shape (5), in shape (5), are not in the shape of those of value of "
              "shape (4), (4)");
    foldwise::array<double> deep({1, 1, 1, 1, 1, 1, 2});
    EXPECT_EQ(refused<foldwise::shape_error>([&] {
                  static_cast<void>(run::matmul(deep.reshape({1, 1, 1, 1, 1, 1, 1, 2}), one));
              }),
              "no error");
}

TEST(Refused, OutputsThatShareMemory) {
    foldwise::array<double> a({4, 2, 2});
    const foldwise::array<double> b({2, 2});
    EXPECT_EQ(refused<foldwise::overlap_error>([&] { run::matmul(a, b, a); }),
              "run::matmul: output c overlaps a, of which every element may be read until the call is complete");
    foldwise::array<std::int64_t> same(1);
    const std::int64_t zeros[] = {0, 0};
    const foldwise::view<std::int64_t> repeated(same.data(), foldwise::detail::strided(shape{3, 1}, zeros),
                                                same.place());
    EXPECT_EQ(refused<foldwise::overlap_error>([&] {
                  run::spread(foldwise::array<std::int64_t>({3, 2}), repeated);
              }),
              "run::spread: output sums overlaps itself: several of its elements are in the same memory");
}

}  // namespace
