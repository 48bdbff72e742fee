// tests/run/axes_test.cpp: reductions along random axes of random operands against a plain loop over indices, on the
// executor that the environment names.
#include "axes.kernels.hpp"
#include "shapes_sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace run_tests {

/// Integers that no sum here leaves the exact ones with.
template <class T> struct small_integers {
    static void fill(std::vector<T>& all, generator& rng) {
        for (T& one : all) one = static_cast<T>(static_cast<float>(below(rng, 201)) - 100);
    }
};
template <> struct random_elements<float> : small_integers<float> {};
template <> struct random_elements<double> : small_integers<double> {};
template <> struct random_elements<std::int16_t> : small_integers<std::int16_t> {};
template <> struct random_elements<std::int64_t> : small_integers<std::int64_t> {};
template <> struct random_elements<foldwise::half> : small_integers<foldwise::half> {};
template <> struct random_elements<run::moments> {
    static void fill(std::vector<run::moments>& all, generator& rng) {
        for (run::moments& one : all) one = {2, static_cast<double>(rng() % 100), static_cast<double>(rng() % 100)};
    }
};
template <> struct random_elements<run::point> {
    static void fill(std::vector<run::point>& all, generator& rng) {
        for (run::point& one : all) one = {static_cast<int>(rng() % 1000), static_cast<int>(rng() % 7), -1};
    }
};

}  // namespace run_tests

namespace {

using namespace run_tests;

unsigned trials() { return runs_on("simulator") ? 300 : 1000; }

/// 0 to 6 axes, and up to 8 of a few elements; some without any.
shape any_whole(generator& rng) {
    static constexpr std::int64_t usual[] = {1, 2, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 100};
    std::vector<std::int64_t> extents(rng() % 12 == 0 ? 7 + below(rng, 2) : below(rng, 7));
    std::int64_t left = rng() % 8 == 0 ? (runs_on("simulator") ? 6'000 : 20'000) : 2'000;
    for (std::int64_t& extent : extents) {
        extent = usual[below(rng, std::size(usual))];
        if (extent > left) extent = left >= 2 ? 2 : 1;
        left /= extent;
        if (rng() % 24 == 0) extent = 0;
    }
    std::shuffle(extents.begin(), extents.end(), rng);
    return shape_of(extents);
}

shape any_whole_of(int rank, generator& rng) {
    shape whole = any_whole(rng);
    while (whole.rank() != rank) whole = any_whole(rng);
    return whole;
}

/// 3 axes, of which one, mostly the last, is long: what is folded along several of them is read line by line.
shape any_with_long_lines(generator& rng) {
    const auto within = [&](std::int64_t from, std::size_t count) {
        return from + static_cast<std::int64_t>(below(rng, count));
    };
    const std::int64_t line = rng() % 8 == 0 ? within(2'000, 6'000) : within(100, 700);
    std::vector<std::int64_t> extents{within(1, 4), within(1, 4), line};
    if (rng() % 4 == 0) std::shuffle(extents.begin(), extents.end(), rng);
    return shape_of(extents);
}

/// One axis so long that a GPU has threads for several elements along it, among short ones.
shape any_with_many_rows(generator& rng) {
    const std::int64_t rows = run_tests::runs_on("cpu") ? 37 : run_tests::runs_on("simulator") ? 4'111 : 203'001;
    const auto some = [&] { return 1 + static_cast<std::int64_t>(below(rng, 4)); };
    std::vector<std::int64_t> extents{rows, some(), some()};
    std::shuffle(extents.begin(), extents.end(), rng);
    return shape_of(extents);
}

foldwise::axes axes_of(const std::vector<int>& n) {
    switch (n.size()) {
    case 0:
        return foldwise::axis();
    case 1:
        return foldwise::axis(n[0]);
    case 2:
        return foldwise::axis(n[0], n[1]);
    case 3:
        return foldwise::axis(n[0], n[1], n[2]);
    case 4:
        return foldwise::axis(n[0], n[1], n[2], n[3]);
    case 5:
        return foldwise::axis(n[0], n[1], n[2], n[3], n[4]);
    case 6:
        return foldwise::axis(n[0], n[1], n[2], n[3], n[4], n[5]);
    case 7:
        return foldwise::axis(n[0], n[1], n[2], n[3], n[4], n[5], n[6]);
    default:
        return foldwise::axis(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]);
    }
}

/// What a call folds along, and how.
struct along {
    along(int rank, generator& rng) : is_folded(static_cast<std::size_t>(rank)), keeps(rng() % 3 == 0) {
        const std::size_t odds = rng() % 5;  // none, all, or some
        for (int axis = 0; axis < rank; ++axis) {
            if (odds == 0 || (odds > 1 && rng() % 2)) continue;
            is_folded[static_cast<std::size_t>(axis)] = true;
            numbers.push_back(rng() % 2 ? axis : axis - rank);
        }
        std::shuffle(numbers.begin(), numbers.end(), rng);
    }

    shape results(const shape& whole) const {
        std::vector<std::int64_t> extents;
        for (int axis = 0; axis < whole.rank(); ++axis) {
            if (!is_folded[static_cast<std::size_t>(axis)])
                extents.push_back(whole[axis]);
            else if (keeps)
                extents.push_back(1);
        }
        return shape_of(extents);
    }

    /// The position of an element's result among the results, and its index there.
    std::pair<std::int64_t, std::vector<std::int64_t>> result_of(const shape& whole,
                                                                 const std::vector<std::int64_t>& index) const {
        std::pair<std::int64_t, std::vector<std::int64_t>> result;
        for (std::size_t axis = 0; axis < index.size(); ++axis) {
            if (!is_folded[axis]) {
                result.first = result.first * whole[static_cast<int>(axis)] + index[axis];
                result.second.push_back(index[axis]);
            } else if (keeps) {
                result.second.push_back(0);
            }
        }
        return result;
    }

    std::string text() const {
        std::string text = "axis(";
        for (int number : numbers) text += (text.back() == '(' ? "" : ", ") + std::to_string(number);
        return text + (keeps ? "), keepdims" : ")");
    }

    std::vector<bool> is_folded;
    bool keeps;
    std::vector<int> numbers;
};

/// A reduction: how it is called, and the plain functions that it is made of.
template <class Result, class Accumulator, class Call, class Map, class Combine, class Finish> struct reduction {
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
auto make_reduction(Call call, Map map, Combine combine, std::optional<Accumulator> identity, Finish finish,
                    int rank = -1) {
    return reduction<Result, Accumulator, Call, Map, Combine, Finish>{call, map, combine, identity, finish, rank};
}

std::int64_t offset_in(const layout& where, const std::vector<std::int64_t>& index) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) offset += index[axis] * where.strides[axis];
    return offset;
}

template <class T> bool same(const T& a, const T& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// One call with random everything, twice: into an output of any strides, and into a new array.
/// `any` makes its shape, unless it is null.
template <class... In, class Reduction>
void fold_any(const Reduction& of, unsigned seed, shape (*any)(generator&) = nullptr) {
    using result = typename Reduction::result;
    using accumulator = typename Reduction::accumulator;
    generator rng(seed);
    const shape wanted = any ? any(rng) : of.rank < 0 ? any_whole(rng) : any_whole_of(of.rank, rng);
    std::tuple<sample<In>...> inputs{
        sample<In>(rng() % 2 == 0 || of.rank >= 0 ? wanted : any_part(wanted, rng), true, rng)...};
    shape whole;
    std::apply([&](const auto&... input) { ((whole = both(whole, input.where().shape)), ...); }, inputs);
    if (of.rank >= 0 && whole.rank() != of.rank) return;  // a scalar, which has no index
    const along folded(whole.rank(), rng);
    const shape results = folded.results(whole);
    std::optional<accumulator> initial;
    if (rng() % 3 == 0) {
        std::vector<accumulator> one(1);
        random_elements<accumulator>::fill(one, rng);
        initial = one[0];
    }

    std::vector<std::optional<accumulator>> all(static_cast<std::size_t>(results.size()), initial);
    std::vector<const layout*> layouts;
    std::apply([&](const auto&... input) { (layouts.push_back(&input.where()), ...); }, inputs);
    std::int64_t position = 0;
    each_element(whole, layouts, [&](const auto& index, const auto& offsets) {
        const accumulator mapped = [&]<std::size_t... I>(std::index_sequence<I...>) {
            return of.map(index, position, std::get<I>(inputs).at(offsets[I])...);
        }
        (std::index_sequence_for<In...>());
        auto& into = all[static_cast<std::size_t>(folded.result_of(whole, index).first)];
        into = into ? of.combine(*into, mapped) : mapped;
        ++position;
    });

    foldwise::axes_option<accumulator> keepdims, begin;
    if (folded.keeps) keepdims = foldwise::keepdims;
    if (initial) begin = foldwise::initial(*initial);
    sample<result> out(any_layout(results, false, rng), false, rng);
    std::string line = rerun(seed) + ": " + folded.text() + (initial ? ", initial" : "") + ", out " + out.text();
    std::apply([&](const auto&... input) { ((line += ", input " + input.text()), ...); }, inputs);
    const foldwise::axes axes = axes_of(folded.numbers);
    const auto call_with = [&](auto&&... more) {
        return std::apply([&](auto&... input) { return of.call(input.input()..., more...); }, inputs);
    };
    if (results.size() > 0 && !all[0] && !of.identity) {
        EXPECT_THROW(call_with(out.output(), axes, keepdims, begin), foldwise::empty_error) << line;
        ASSERT_TRUE(out.is_as_expected()) << line;
        return;
    }

    std::vector<result> made;
    for (const auto& one : all) made.push_back(of.finish(one ? *one : *of.identity));
    const auto order = rng() % 2;
    const foldwise::array<result> fresh = order ? call_with(axes, keepdims, begin) : call_with(axes, begin, keepdims);
    ASSERT_EQ(fresh.shape(), results) << line;
    const std::vector<result> got = fresh.to_host();
    for (std::size_t i = 0; i < made.size(); ++i) ASSERT_TRUE(same(got[i], made[i])) << line << ", new: result " << i;

    std::size_t next = 0;
    each_element(results, {},
                 [&](const auto& index, const auto&) { out.expect(offset_in(out.where(), index), made[next++]); });
    call_with(out.output(), axes, keepdims, begin);
    ASSERT_TRUE(out.is_as_expected()) << line;
}

constexpr auto itself = [](const auto& folded) { return folded; };
constexpr auto element = [](const auto&, std::int64_t, const auto& x) { return x; };
constexpr auto plus = [](const auto& a, const auto& b) { return static_cast<std::remove_cvref_t<decltype(a)>>(a + b); };
constexpr auto sum = [](auto&&... of) { return run::sum(of...); };

run::affine composed(run::affine f, run::affine g) { return {f.a * g.a, g.a * f.b + g.b}; }

TEST(AnyAxes, SumOfIntegers) {
    const auto of = make_reduction<std::int64_t, std::int64_t>(sum, element, plus, {0}, itself);
    many(trials(), [&](unsigned seed) { fold_any<std::int64_t>(of, seed); });
}

TEST(AnyAxes, SumOfFloats) {
    const auto of = make_reduction<float, float>(sum, element, plus, {0}, itself);
    many(trials(), [&](unsigned seed) { fold_any<float>(of, seed); });
}

TEST(AnyAxes, SumOfBytes) {
    const auto widened = [](const auto&, std::int64_t, std::int8_t x) { return std::int64_t{x}; };
    const auto of = make_reduction<std::int64_t, std::int64_t>(sum, widened, plus, {0}, itself);
    many(trials(), [&](unsigned seed) { fold_any<std::int8_t>(of, seed); });
}

TEST(AnyAxes, ExtremesOfWhichThereAreNoneWithoutElements) {
    const auto largest =
        make_reduction<std::int32_t, std::int32_t>([](auto&&... of) { return run::largest(of...); }, element,
                                                   [](auto a, auto b) { return std::max(a, b); }, {}, itself);
    const auto largest_half =
        make_reduction<foldwise::half, foldwise::half>([](auto&&... of) { return run::largest(of...); }, element,
                                                       [](auto a, auto b) { return a < b ? b : a; }, {}, itself);
    const auto smallest =
        make_reduction<std::uint8_t, std::uint8_t>([](auto&&... of) { return run::smallest(of...); }, element,
                                                   [](auto a, auto b) { return std::min(a, b); }, {}, itself);
    many(trials(), [&](unsigned seed) {
        fold_any<std::int32_t>(largest, seed);
        fold_any<foldwise::half>(largest_half, seed);
        fold_any<std::uint8_t>(smallest, seed);
    });
}

TEST(AnyAxes, StructOfTwelveBytes) {
    const auto of = make_reduction<run::point, run::point>([](auto&&... of) { return run::centre(of...); }, element,
                                                           [](auto a, auto b) {
                                                               return run::point{a.x + b.x, a.y + b.y, a.z + b.z};
                                                           },
                                                           {run::point{0, 0, 0}}, itself);
    many(trials(), [&](unsigned seed) { fold_any<run::point>(of, seed); });
}

TEST(AnyAxes, OrderIsKept) {
    const auto compose = make_reduction<run::affine, run::affine>([](auto&&... of) { return run::compose(of...); },
                                                                  element, composed, {run::affine{1, 0}}, itself);
    const auto last = make_reduction<std::int8_t, std::int8_t>([](auto&&... of) { return run::last(of...); }, element,
                                                               [](auto, auto b) { return b; }, {}, itself);
    many(trials(), [&](unsigned seed) {
        fold_any<run::affine>(compose, seed);
        fold_any<std::int8_t>(last, seed);
    });
}

TEST(AnyAxes, TwoInputsThatBroadcast) {
    const auto of = make_reduction<double, double>([](auto&&... of) { return run::dot(of...); },
                                                   [](const auto&, std::int64_t, double x, double y) { return x * y; },
                                                   plus, {0}, itself);
    many(trials(), [&](unsigned seed) { fold_any<float, std::int16_t>(of, seed); });
}

TEST(AnyAxes, FlatPositions) {
    const auto of = make_reduction<run::peak, run::peak>(
        [](auto&&... of) { return run::argmax(of...); },
        [](const auto&, std::int64_t position, std::int32_t x) {
            return run::peak{x, position};
        },
        [](auto a, auto b) { return b.value > a.value || (b.value == a.value && b.at < a.at) ? b : a; },
        {run::peak{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}}, itself);
    many(trials(), [&](unsigned seed) { fold_any<std::int32_t>(of, seed); });
}

TEST(AnyAxes, IndicesOfSeveralAxes) {
    const auto moment = make_reduction<std::int64_t, std::int64_t>(
        [](auto&&... of) { return run::moment(of...); },
        [](const auto& at, std::int64_t, std::int64_t x) { return x * (1000 * at[0] + at[1]); }, plus, {0}, itself, 2);
    const auto path = make_reduction<run::affine, run::affine>(
        [](auto&&... of) { return run::path(of...); },
        [](const auto& at, std::int64_t, std::int32_t x) {
            return run::affine{2 * static_cast<std::uint32_t>(x) + 1,
                               static_cast<std::uint32_t>((at[0] * 1000 + at[1]) * 1000 + at[2])};
        },
        composed, {run::affine{1, 0}}, itself, 3);
    many(trials(), [&](unsigned seed) {
        fold_any<std::int32_t>(moment, seed);
        fold_any<std::int32_t>(path, seed);
    });
}

TEST(AnyAxes, LastStep) {
    const auto of = make_reduction<double, run::moments>(
        [](auto&&... of) { return run::variance(of...); },
        [](const auto&, std::int64_t, double x) {
            return run::moments{1, x, x * x};
        },
        [](auto a, auto b) {
            return run::moments{a.n + b.n, a.sum + b.sum, a.squares + b.squares};
        },
        {run::moments{0, 0, 0}}, [](auto m) { return m.n == 0 ? -1 : (m.squares - m.sum * m.sum / m.n) / m.n; });
    many(trials(), [&](unsigned seed) { fold_any<float>(of, seed); });
}

/// Folds of one and two inputs, in any order and in theirs, with an index and without, of shapes that `any` makes.
void fold_some(unsigned count, shape (*any)(generator&)) {
    const auto total = make_reduction<std::int64_t, std::int64_t>(sum, element, plus, {0}, itself);
    const auto dot = make_reduction<double, double>([](auto&&... of) { return run::dot(of...); },
                                                    [](const auto&, std::int64_t, double x, double y) { return x * y; },
                                                    plus, {0}, itself);
    const auto compose = make_reduction<run::affine, run::affine>([](auto&&... of) { return run::compose(of...); },
                                                                  element, composed, {run::affine{1, 0}}, itself);
    const auto path = make_reduction<run::affine, run::affine>(
        [](auto&&... of) { return run::path(of...); },
        [](const auto& at, std::int64_t, std::int32_t x) {
            return run::affine{2 * static_cast<std::uint32_t>(x) + 1,
                               static_cast<std::uint32_t>((at[0] * 1000 + at[1]) * 1000 + at[2])};
        },
        composed, {run::affine{1, 0}}, itself, 3);
    many(count, [&](unsigned seed) {
        fold_any<std::int64_t>(total, seed, any);
        fold_any<float, std::int16_t>(dot, seed, any);
        fold_any<run::affine>(compose, seed, any);
        fold_any<std::int32_t>(path, seed, any);
    });
}

TEST(AnyAxes, LongLines) {
    const auto total = make_reduction<float, float>(sum, element, plus, {0}, itself);
    many(trials() / 3, [&](unsigned seed) { fold_any<float>(total, seed, any_with_long_lines); });
    fold_some(trials() / 3, any_with_long_lines);
}

TEST(AnyAxes, FewElementsOfManyResults) {
    fold_some(run_tests::runs_on("cuda") ? trials() / 40 : trials() / 10, any_with_many_rows);
}

// What the cases above are made of, so that a change of the generators does not quietly leave something out.
TEST(AnyAxes, CasesHaveEverythingThatMatters) {
    std::set<int> ranks, folded_axes, kept_axes;
    std::set<std::int64_t> extents;
    int empty = 0, empty_results = 0, kept_dims = 0, negative = 0, large = 0;
    for (unsigned seed = 1; seed <= 1000; ++seed) {
        generator rng(seed);
        const shape whole = any_whole(rng);
        const along folded(whole.rank(), rng);
        ranks.insert(whole.rank());
        extents.insert(whole.begin(), whole.end());
        const int count = static_cast<int>(folded.numbers.size());
        folded_axes.insert(count);
        kept_axes.insert(whole.rank() - count);
        empty += whole.size() == 0 && folded.results(whole).size() > 0;
        empty_results += folded.results(whole).size() == 0;
        kept_dims += folded.keeps && count > 0;
        negative += std::any_of(folded.numbers.begin(), folded.numbers.end(), [](int number) { return number < 0; });
        large += whole.size() > 2'000;
    }
    EXPECT_EQ(ranks, (std::set<int>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(folded_axes, ranks);
    EXPECT_EQ(kept_axes, ranks);
    EXPECT_EQ(extents, (std::set<std::int64_t>{0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 100}));
    for (int count : {empty, empty_results, kept_dims, negative, large}) EXPECT_GE(count, 30);
}

}  // namespace
