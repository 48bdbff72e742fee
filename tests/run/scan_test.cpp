// tests/run/scan_test.cpp: scans along random axes of random operands, with every option, against a plain loop, on the
// executor that the environment names.
#include "scan_host.hpp"
#include "shapes_sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace run_tests {

/// Integers that no sum here leaves the exact ones with.
template <class T> struct small_integers {
    static void fill(std::vector<T>& all, generator& rng) {
        for (T& one : all) one = static_cast<T>(static_cast<float>(below(rng, 201)) - 100);
    }
};
/// So small that sums of 1.8 million of one, which rows of a broadcast operand may have, are exact.
template <> struct random_elements<float> {
    static void fill(std::vector<float>& all, generator& rng) {
        for (float& one : all) one = static_cast<float>(below(rng, 17)) - 8;
    }
};
template <> struct random_elements<std::int64_t> : small_integers<std::int64_t> {};
template <> struct random_elements<std::int16_t> : small_integers<std::int16_t> {};
template <> struct random_elements<foldwise::half> : small_integers<foldwise::half> {};
template <> struct random_elements<std::int32_t> : small_integers<std::int32_t> {};

}  // namespace run_tests

namespace {

using namespace run_tests;

/// For each of eleven kernels: 10,000 scans in all, and on a GPU 100,000.
unsigned trials() { return runs_on("cuda") ? 9'100 : 920; }

/// 1 to 4 axes, some of them without elements, and at times a long one. Most have few elements, so that there can be
/// many of them.
shape any_whole(int rank, generator& rng) {
    static constexpr std::int64_t usual[] = {1, 2, 3, 5, 8, 31, 32, 33, 100};
    std::vector<std::int64_t> extents(rank < 0 ? 1 + below(rng, 4) : static_cast<std::size_t>(rank));
    if (extents.size() == 1 && !runs_on("simulator") && rng() % 2000 == 0)
        return {1'000'000 - static_cast<std::int64_t>(below(rng, 5))};
    std::int64_t left = rng() % 8 == 0 ? 2'000 : 300;
    for (std::int64_t& extent : extents) {
        extent =
            rng() % 8 == 0 ? 500 + static_cast<std::int64_t>(below(rng, 20'000)) : usual[below(rng, std::size(usual))];
        if (extent > left && (left < 2'000 || runs_on("simulator"))) extent = left;
        left = std::max<std::int64_t>(left / extent, 1);
        if (rng() % 40 == 0) extent = 0;
    }
    std::shuffle(extents.begin(), extents.end(), rng);
    return shape_of(extents);
}

/// A scan: how it is called, and the plain functions that it is made of.
template <class Result, class Accumulator, class Call, class Map, class Combine, class Finish> struct scanning {
    Call call;
    Map map;  ///< Takes an element's index, its position, and the inputs.
    Combine combine;
    std::optional<Accumulator> identity;
    Finish finish;
    int rank;  ///< The rank of the calls that it takes; -1: any.

    using result = Result;
    using accumulator = Accumulator;
};
template <class Result, class Accumulator, class Call, class Map, class Combine, class Finish>
auto make_scan(Call call, Map map, Combine combine, std::optional<Accumulator> identity, Finish finish, int rank = -1) {
    return scanning<Result, Accumulator, Call, Map, Combine, Finish>{call, map, combine, identity, finish, rank};
}

/// Where rows begin anew: keys, offsets, or neither.
struct places {
    places(std::int64_t length, generator& rng) : begins(static_cast<std::size_t>(length)) {
        kind = length == 0 ? 0 : static_cast<int>(rng() % 4);
        const std::size_t odds = 1 + below(rng, 40);
        if (kind == 1) {
            keys.resize(begins.size());
            for (std::size_t i = 0; i < keys.size(); ++i)
                keys[i] = static_cast<std::uint8_t>(i == 0 || rng() % odds == 0 ? rng() % 7 : keys[i - 1]);
        }
        if (kind == 2)
            for (std::int64_t i = 0; i <= length; ++i)
                while (rng() % (2 * odds) == 0) offsets.push_back(static_cast<std::int32_t>(i));
    }

    /// Marks where the scan begins anew in an order that may be the reverse.
    void mark(bool is_reverse) {
        const auto length = static_cast<std::int64_t>(begins.size());
        for (std::int64_t i = 1; i < length; ++i) {
            const auto own = static_cast<std::size_t>(is_reverse ? length - 1 - i : i);
            if (kind == 1) begins[static_cast<std::size_t>(i)] = keys[own] != keys[is_reverse ? own + 1 : own - 1];
        }
        for (const std::int32_t offset : offsets) {
            const std::int64_t at = is_reverse ? length - offset : offset;
            if (at < length) begins[static_cast<std::size_t>(at)] = true;
        }
    }

    int kind;
    std::vector<std::uint8_t> keys;
    std::vector<std::int32_t> offsets;
    std::vector<bool> begins;
};

/// One call with random everything but the shape, twice: into an output of any strides, and into a new array. Along
/// axis `preferred`, mostly, unless that is negative.
template <class... In, class Scan>
void scan_of(const Scan& of, const shape& wanted, int preferred, unsigned seed, generator& rng) {
    using result = typename Scan::result;
    using accumulator = typename Scan::accumulator;
    std::tuple<sample<In>...> inputs{
        sample<In>(rng() % 2 == 0 || of.rank >= 0 ? wanted : any_part(wanted, rng), true, rng)...};
    shape whole;
    std::apply([&](const auto&... input) { ((whole = both(whole, input.where().shape)), ...); }, inputs);
    if (of.rank >= 0 && whole.rank() != of.rank) return;  // a scalar, which has no index
    int axis =
        whole.rank() == 0 || rng() % 3 == 0 ? -1 : static_cast<int>(below(rng, static_cast<std::size_t>(whole.rank())));
    if (preferred >= 0 && preferred < whole.rank() && rng() % 8 != 0) axis = preferred;
    const bool is_exclusive = rng() % 3 == 0, is_reverse = rng() % 3 == 0;
    std::optional<accumulator> initial;
    if (rng() % 3 == 0) {
        std::vector<accumulator> one(1);
        random_elements<accumulator>::fill(one, rng);
        initial = one[0];
    }
    const std::int64_t length = axis < 0 ? whole.size() : whole[axis];
    places where(length, rng);
    where.mark(is_reverse);

    // Mapped elements in row-major order, then scanned row by row.
    std::vector<accumulator> mapped;
    std::vector<const layout*> layouts;
    std::apply([&](const auto&... input) { (layouts.push_back(&input.where()), ...); }, inputs);
    std::int64_t position = 0;
    each_element(whole, layouts, [&](const auto& index, const auto& offsets) {
        mapped.push_back([&]<std::size_t... I>(std::index_sequence<I...>) {
            return of.map(index, position, std::get<I>(inputs).at(offsets[I])...);
        }(std::index_sequence_for<In...>()));
        ++position;
    });
    std::int64_t inner = 1;
    for (int own = whole.rank() - 1; axis >= 0 && own > axis; --own) inner *= whole[own];
    std::optional<accumulator> start = initial;
    if (!start && is_exclusive) start = of.identity;

    foldwise::scan_option<accumulator> along, exclusive, reverse, begin, restart;
    if (axis >= 0) along = foldwise::axis(rng() % 2 ? axis : axis - whole.rank());
    if (is_exclusive) exclusive = foldwise::exclusive;
    if (is_reverse) reverse = foldwise::reverse;
    if (initial) begin = foldwise::initial(*initial);
    const auto keys = foldwise::to_device(where.keys);
    if (where.kind == 1) restart = rng() % 2 ? foldwise::by_key(where.keys) : foldwise::by_key(keys);
    if (where.kind == 2) restart = foldwise::segments(where.offsets);
    sample<result> out(any_layout(whole, false, rng), false, rng);
    std::string line = rerun(seed) + ": axis " + std::to_string(axis) + (is_exclusive ? ", exclusive" : "") +
                       (is_reverse ? ", reverse" : "") + (initial ? ", initial" : "") +
                       (where.kind == 1   ? ", keys"
                        : where.kind == 2 ? ", segments"
                                          : "") +
                       ", out " + out.text();
    std::apply([&](const auto&... input) { ((line += ", input " + input.text()), ...); }, inputs);
    const auto call_with = [&](auto&&... more) {
        return std::apply([&](auto&... input) { return of.call(input.input()..., more...); }, inputs);
    };
    if (is_exclusive && !start) {
        EXPECT_THROW(call_with(out.output(), along, exclusive, reverse, begin, restart), foldwise::empty_error) << line;
        ASSERT_TRUE(out.is_as_expected()) << line;
        return;
    }

    std::vector<result> made(mapped.size());
    for (std::int64_t row = 0; length > 0 && row < whole.size() / length; ++row) {
        const std::int64_t first = axis < 0 ? 0 : row / inner * inner * length + row % inner;
        std::optional<accumulator> so_far;
        for (std::int64_t i = 0; i < length; ++i) {
            const auto at = static_cast<std::size_t>(first + (is_reverse ? length - 1 - i : i) * inner);
            if (i == 0 || where.begins[static_cast<std::size_t>(i)]) so_far = start;
            const accumulator next = so_far ? of.combine(*so_far, mapped[at]) : mapped[at];
            made[at] = of.finish(is_exclusive ? *so_far : next);
            so_far = next;
        }
    }
    // Both calls before either result is waited for.
    const foldwise::array<result> fresh = rng() % 2 ? call_with(along, exclusive, reverse, begin, restart)
                                                    : call_with(restart, begin, along, reverse, exclusive);
    call_with(out.output(), along, exclusive, reverse, begin, restart);
    ASSERT_EQ(fresh.shape(), whole) << line;
    const std::vector<result> got = fresh.to_host();
    for (std::size_t i = 0; i < made.size(); ++i) ASSERT_TRUE(same(got[i], made[i])) << line << ", new: result " << i;
    std::size_t next = 0;
    const layout own = out.where();
    each_element(whole, {&own}, [&](const auto&, const auto& offsets) { out.expect(offsets[0], made[next++]); });
    ASSERT_TRUE(out.is_as_expected()) << line;
}

/// Columns side by side, few or many, short or long, so that several blocks share them.
shape any_columns(generator& rng) {
    static constexpr std::int64_t edges[] = {1, 2, 3, 15, 16, 17, 31, 32, 33, 127, 128, 129, 256, 257};
    std::int64_t left = rng() % 16 != 0 ? 1'000 : runs_on("simulator") ? 25'000 : 40'000;
    const auto extent = [&] {
        const std::int64_t any =
            rng() % 2 ? edges[below(rng, std::size(edges))]
                      : 1 + static_cast<std::int64_t>(
                                below(rng, static_cast<std::size_t>(std::max<std::int64_t>(left / 2, 1))));
        const std::int64_t own = std::min(any, left);
        left /= own;
        return own;
    };
    const std::int64_t length = extent(), columns = extent();
    return rng() % 4 == 0 ? shape{1 + static_cast<std::int64_t>(below(rng, 3)), length, columns}
                          : shape{length, columns};
}

/// Enough elements that a block has several tiles of them: in one row, or in rows most of which consist of whole
/// chunks.
shape any_long_rows(generator& rng) {
    const std::size_t least = runs_on("cuda") ? 600'000 : 20'000, size = least + below(rng, 2 * least);
    if (rng() % 2) return {static_cast<std::int64_t>(size)};
    const std::size_t rows = 1 + below(rng, 1 + below(rng, 300)), step = rng() % 4 ? 64 : 1;
    return {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(size / rows / step * step)};
}

/// More rows than make one tile, most of which are so short that tiles have whole ones; or a few more elements.
shape any_short_rows(generator& rng) {
    static constexpr std::int64_t edges[] = {1,   2,   3,   5,   8,   9,   15,  16,  17,   31,   33,
                                             100, 127, 128, 250, 255, 257, 512, 682, 1024, 2048, 4096};
    const std::int64_t length = edges[below(rng, std::size(edges))] + (rng() % 8 == 0 ? 1 : 0),
                       rows = 1 + (1'000 + static_cast<std::int64_t>(below(rng, 4'000))) / length;
    return rng() % 3 == 0 ? shape{2, (rows + 1) / 2, length} : shape{rows, length};
}

template <class... In, class Scan> void scan_many(const Scan& of) {
    many(trials(), [&](unsigned seed) {
        generator rng(seed);
        const bool has_columns = of.rank != 1 && rng() % 4 == 0, has_long_rows = rng() % 100 == 0,
                   has_short_rows = rng() % 24 == 0;
        shape whole = has_long_rows    ? any_long_rows(rng)
                      : has_short_rows ? any_short_rows(rng)
                      : has_columns    ? any_columns(rng)
                                       : any_whole(of.rank, rng);
        if (of.rank >= 0 && whole.rank() != of.rank) whole = any_whole(of.rank, rng);
        const int preferred = has_long_rows || has_short_rows ? whole.rank() - 1 : has_columns ? whole.rank() - 2 : -1;
        scan_of<In...>(of, whole, preferred, seed, rng);
    });
}

const auto as_is = [](const auto& x) { return x; };
const auto only = [](const auto&, std::int64_t, const auto& x) { return x; };

TEST(RandomScans, OfSums) {
    scan_many<std::int64_t>(make_scan<std::int64_t, std::int64_t>(
        [](const auto&... all) { return run::running(all...); }, only, [](auto a, auto b) { return a + b; },
        std::optional<std::int64_t>(0), as_is));
    scan_many<float>(make_scan<float, float>([](const auto&... all) { return run::running(all...); }, only,
                                             [](auto a, auto b) { return a + b; }, std::optional<float>(0.0f), as_is));
}

TEST(RandomScans, OfBytesThatWrapAround) {
    scan_many<std::int8_t>(make_scan<std::int8_t, std::int8_t>(
        [](const auto&... all) { return run::running(all...); }, only,
        [](std::int8_t a, std::int8_t b) { return static_cast<std::int8_t>(a + b); }, std::optional<std::int8_t>(0),
        as_is));
}

TEST(RandomScans, WithoutIdentity) {
    scan_many<std::int32_t>(make_scan<std::int32_t, std::int32_t>(
        [](const auto&... all) { return run::longest(all...); }, only, [](auto a, auto b) { return std::max(a, b); },
        std::optional<std::int32_t>(), as_is));
    scan_many<foldwise::half>(make_scan<foldwise::half, foldwise::half>(
        [](const auto&... all) { return run::longest(all...); }, only,
        [](foldwise::half a, foldwise::half b) { return a < b ? b : a; }, std::optional<foldwise::half>(), as_is));
}

TEST(RandomScans, WhoseOrderIsKept) {
    scan_many<std::int8_t>(make_scan<std::int8_t, std::int8_t>([](const auto&... all) { return run::last(all...); },
                                                               only, [](auto, auto b) { return b; },
                                                               std::optional<std::int8_t>(), as_is));
    scan_many<std::uint32_t, std::uint32_t>(
        make_scan<std::uint32_t, run::affine>([](const auto&... all) { return run::recurrence(all...); },
                                              [](const auto&, std::int64_t, std::uint32_t a, std::uint32_t b) {
                                                  return run::affine{a, b};
                                              },
                                              [](run::affine f, run::affine g) {
                                                  return run::affine{f.a * g.a, f.b * g.a + g.b};
                                              },
                                              std::optional(run::affine{1, 0}), [](run::affine f) { return f.b; }));
}

TEST(RandomScans, OfLargeAccumulators) {
    scan_many<run::matrix>(make_scan<run::matrix, run::matrix>([](const auto&... all) { return run::product(all...); },
                                                               only, multiplied, std::optional<run::matrix>(), as_is));
}

TEST(RandomScans, OfPositions) {
    using pair = std::pair<std::int32_t, std::int64_t>;
    scan_many<std::int32_t>(make_scan<std::int64_t, pair>(
        [](const auto&... all) { return run::place_of_largest(all...); },
        [](const auto&, std::int64_t position, std::int32_t x) { return pair(x, position); },
        [](const pair& a, const pair& b) { return a.first < b.first ? b : a; }, std::optional<pair>(),
        [](const pair& a) { return a.second; }, 1));
    scan_many<std::int16_t>(make_scan<std::int64_t, std::int64_t>(
        [](const auto&... all) { return run::weighted(all...); },
        [](const std::vector<std::int64_t>& index, std::int64_t, std::int16_t x) {
            return (index[0] + 3 * index[1]) * std::int64_t{x};
        },
        [](auto a, auto b) { return a + b; }, std::optional<std::int64_t>(0), as_is, 2));
}

}  // namespace
