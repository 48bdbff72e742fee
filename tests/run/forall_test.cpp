// tests/run/forall_test.cpp: generated tasks on views of every shape, against plain loops over indices, on the executor
// that the environment names.
#include "forall.kernels.hpp"
#include "shapes_sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace run_tests {

/// Integers whose sums are exact in any order.
template <class T> struct small_integers {
    static void fill(std::vector<T>& all, generator& rng) {
        for (T& one : all) one = static_cast<T>(static_cast<std::int32_t>(below(rng, 201)) - 100);
    }
};
template <> struct random_elements<float> : small_integers<float> {};
template <> struct random_elements<double> : small_integers<double> {};
template <> struct random_elements<std::int32_t> : small_integers<std::int32_t> {};
template <> struct random_elements<std::int64_t> : small_integers<std::int64_t> {};

}  // namespace run_tests

namespace {

using namespace run_tests;

using extents_of = std::vector<std::int64_t>;

/// Few axes are long, so that there are at most some ten thousand elements: some for many blocks, and several threads
/// of a CPU.
extents_of any_extents(int rank, generator& rng) {
    static constexpr std::int64_t usual[] = {1, 2, 3, 4, 7, 13, 31, 32, 33, 61, 97};
    extents_of extents(static_cast<std::size_t>(rank));
    const std::int64_t most = rng() % 12 == 0 && !runs_on("simulator") ? 60'000 : 3'000;
    std::int64_t left = most;
    for (std::int64_t& extent : extents) {
        extent = rng() % 8 == 0 ? most / 3 + static_cast<std::int64_t>(below(rng, 500))
                                : usual[below(rng, std::size(usual))];
        if (extent > left) extent = left > 1 ? 2 : 1;
        left /= extent;
        if (rng() % 64 == 0) extent = 0;
    }
    std::shuffle(extents.begin(), extents.end(), rng);
    return extents;
}

/// As many tasks along each axis, or fewer.
extents_of any_tasks(extents_of extents, generator& rng) {
    for (std::int64_t& extent : extents) {
        if (rng() % 6 == 0) extent = static_cast<std::int64_t>(below(rng, static_cast<std::size_t>(extent) + 1));
    }
    return extents;
}

/// As many elements along each axis, or more.
extents_of with_room(extents_of extents, generator& rng) {
    for (std::int64_t& extent : extents) {
        if (rng() % 6 == 0) extent += 1 + static_cast<std::int64_t>(below(rng, 5));
    }
    return extents;
}

/// A view that tasks only read may stand still along an axis.
template <class T> sample<T> read_sample(const extents_of& extents, generator& rng) {
    return sample<T>(any_layout(shape_of(extents), true, rng), false, rng);
}
template <class T> sample<T> written_sample(const extents_of& extents, generator& rng) {
    return sample<T>(any_layout(shape_of(extents), false, rng), false, rng);
}

/// The element of a view at these coordinates, counted from the one at index 0.
std::int64_t place(const layout& where, const extents_of& index) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) offset += index[axis] * where.strides[axis];
    return offset;
}

/// Calls f(index) for each task, in row-major order.
template <class F> void each_task(const extents_of& tasks, F f) {
    each_element(shape_of(tasks), {}, [&](const extents_of& index, const auto&) { f(index); });
}

std::string text(const extents_of& tasks) { return "tasks " + to_string(shape_of(tasks)); }

template <class T> void expect_weaved(const extents_of& tasks, sample<T>& x, sample<T>& y, sample<T>& out) {
    each_task(tasks, [&](const extents_of& index) {
        const T a = x.at(place(x.where(), index)), b = y.at(place(y.where(), index));
        out.expect(place(out.where(), index), static_cast<T>(a + a + b));
    });
}

/// Any number of tasks, with views of the same rank. One in four is in place.
template <class T, int Rank, class Kernel> void weave(unsigned trials, Kernel kernel) {
    many(trials, [&](unsigned seed) {
        generator rng(seed);
        const extents_of whole = any_extents(Rank, rng), count = any_tasks(whole, rng);
        sample<T> x = read_sample<T>(with_room(whole, rng), rng), y = read_sample<T>(with_room(whole, rng), rng);
        sample<T> other = written_sample<T>(with_room(whole, rng), rng);
        const bool in_place = rng() % 4 == 0 && x.is_unique();
        sample<T>& out = in_place ? x : other;
        const std::string line = rerun(seed) + ": " + text(count) + ", x " + x.text() + ", y " + y.text() + ", out " +
                                 (in_place ? "in place" : out.text());
        expect_weaved(count, x, y, out);
        kernel(foldwise::tasks<Rank>(shape_of(count)), x.window(), y.window(), out.window());
        ASSERT_TRUE(out.is_as_expected()) << line;
    });
}

template <class T> class ForallOf : public testing::Test {};
using widths = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, double, run::block<std::uint8_t, 3>,
                              run::block<std::uint32_t, 3>, run::block<std::uint64_t, 2>, run::block<std::uint64_t, 3>>;
TYPED_TEST_SUITE(ForallOf, widths);

TYPED_TEST(ForallOf, TwoAxes) {
    weave<TypeParam, 2>(100, [](const auto&... given) { run::weave2(given...); });
}

TEST(Forall, OneAxis) {
    const auto kernel = [](const auto&... given) { run::weave1(given...); };
    weave<std::uint8_t, 1>(60, kernel);
    weave<float, 1>(60, kernel);
    weave<run::block<std::uint64_t, 3>, 1>(60, kernel);
}

TEST(Forall, ThreeAxes) {
    const auto kernel = [](const auto&... given) { run::weave3(given...); };
    weave<std::uint16_t, 3>(80, kernel);
    weave<run::block<std::uint32_t, 3>, 3>(80, kernel);
}

TEST(Forall, FourAxes) {
    const auto kernel = [](const auto&... given) { run::weave4(given...); };
    weave<std::uint8_t, 4>(80, kernel);
    weave<double, 4>(80, kernel);
}

template <class T> void advance_some(unsigned seed) {
    generator rng(seed);
    const extents_of whole = any_extents(2, rng), count = any_tasks(whole, rng);
    sample<T> x = written_sample<T>(whole, rng);
    const auto step = 1 + static_cast<std::int64_t>(below(rng, 3));
    const std::string line = rerun(seed) + ": " + text(count) + ", x " + x.text() + ", step " + std::to_string(step);
    each_task(count, [&](const extents_of& index) {
        const std::int64_t at = place(x.where(), index);
        const T value = x.at(at);
        if ((index[0] + index[1]) % step == 0) x.expect(at, static_cast<T>(value + value + value));
    });
    run::advance(foldwise::tasks<2>(shape_of(count)), x.window(), step);
    ASSERT_TRUE(x.is_as_expected()) << line;
}

TEST(Forall, SomeTasksWriteInPlace) {
    many(80, advance_some<std::uint8_t>);
    many(80, advance_some<run::block<std::uint32_t, 3>>);
}

TEST(Forall, TurnedRound) {
    many(150, [](unsigned seed) {
        generator rng(seed);
        const extents_of whole = any_extents(3, rng), count = any_tasks(whole, rng);
        sample<float> x = read_sample<float>(whole, rng);
        sample<float> out = written_sample<float>(with_room({whole[2], whole[0], whole[1]}, rng), rng);
        const std::string line = rerun(seed) + ": " + text(count) + ", x " + x.text() + ", out " + out.text();
        each_task(count, [&](const extents_of& index) {
            out.expect(place(out.where(), {index[2], index[0], index[1]}), x.at(place(x.where(), index)));
        });
        run::turn(foldwise::tasks<3>(shape_of(count)), x.window(), out.window());
        ASSERT_TRUE(out.is_as_expected()) << line;
    });
}

/// Sums each element of a matrix, twice, and one of a matrix in column-major order.
template <class T> void weave_with_columns(std::int64_t rows, std::int64_t columns) {
    const auto count = static_cast<std::size_t>(rows * columns);
    std::vector<T> x(count), y(count), out(count);
    for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<T>(i % 61), y[i] = static_cast<T>(i % 127);
    const foldwise::shape shape{rows, columns};
    run::weave2(foldwise::tasks<2>(shape), foldwise::host(x.data(), shape), foldwise::host(y.data(), shape, {1, rows}),
                foldwise::host(out.data(), shape));
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) {
            const auto own = static_cast<std::size_t>(i * columns + j), other = static_cast<std::size_t>(j * rows + i);
            ASSERT_EQ(out[own], static_cast<T>(x[own] + x[own] + y[other])) << i << ", " << j;
        }
}

TEST(Forall, ColumnsOfManyElements) {
    weave_with_columns<std::uint8_t>(131, 330);
    weave_with_columns<std::uint8_t>(64, 257);
    weave_with_columns<double>(9, 4096);
    weave_with_columns<double>(50, 300);
}

TEST(Forall, TurnedRoundWithManyElements) {
    const extents_of tasks = {6, 53, 301};
    const foldwise::shape from{6, 53, 301}, to{301, 6, 53};
    std::vector<float> x(6 * 53 * 301), out(x.size());
    std::iota(x.begin(), x.end(), 0.0f);
    run::turn(foldwise::tasks<3>(from), foldwise::host(x.data(), from), foldwise::host(out.data(), to));
    each_task(tasks, [&](const extents_of& index) {
        const auto own = static_cast<std::size_t>((index[0] * 53 + index[1]) * 301 + index[2]);
        const auto other = static_cast<std::size_t>((index[2] * 6 + index[0]) * 53 + index[1]);
        ASSERT_EQ(out[other], x[own]) << own;
    });
}

TEST(Forall, ViewsOfOtherRanksThanTheIndex) {
    many(100, [](unsigned seed) {
        generator rng(seed);
        const extents_of whole = any_extents(2, rng), rows = any_tasks({whole[0]}, rng);
        sample<std::int32_t> x = read_sample<std::int32_t>(whole, rng),
                             line_of = read_sample<std::int32_t>({whole[1]}, rng);
        sample<std::int64_t> sums = written_sample<std::int64_t>(with_room({whole[0]}, rng), rng);
        sample<std::int32_t> out = written_sample<std::int32_t>(whole, rng);
        sample<std::uint8_t> like = read_sample<std::uint8_t>(any_extents(3, rng), rng);
        const std::string line = rerun(seed) + ": " + text(rows) + ", x " + x.text() + ", sums " + sums.text() +
                                 ", line " + line_of.text() + ", out " + out.text() + ", like " + like.text();
        each_task(rows, [&](const extents_of& index) {
            std::int64_t sum = 0;
            for (std::int64_t column = 0; column < whole[1]; ++column)
                sum += x.at(place(x.where(), {index[0], column}));
            sums.expect(place(sums.where(), index), sum);
        });
        run::sum_rows(foldwise::tasks<1>(rows[0]), x.window(), sums.window());
        ASSERT_TRUE(sums.is_as_expected()) << line;

        const shape& asked = like.where().shape;
        const auto added = static_cast<std::int32_t>(asked[0] * 100 + asked[2]);
        each_task(whole, [&](const extents_of& index) {
            out.expect(place(out.where(), index), line_of.at(place(line_of.where(), {index[1]})) + added);
        });
        run::spread(foldwise::tasks<2>(shape_of(whole)), line_of.window(), out.window(), like.window());
        ASSERT_TRUE(out.is_as_expected()) << line;
    });
}

TEST(Forall, ValuesOfSeveralTypes) {
    many(100, [](unsigned seed) {
        generator rng(seed);
        const extents_of whole = any_extents(1, rng), count = any_tasks(whole, rng);
        sample<std::uint8_t> small = read_sample<std::uint8_t>(whole, rng);
        sample<double> large = read_sample<double>(whole, rng);
        sample<float> out = written_sample<float>(whole, rng);
        const bool adds = rng() % 2 != 0;
        const run::window limits{-20, static_cast<std::int8_t>(below(rng, 9)), 150};
        run::table of;
        for (std::int16_t& value : of.values) value = static_cast<std::int16_t>(static_cast<int>(below(rng, 99)) - 40);
        const auto shift = static_cast<std::int64_t>(below(rng, 9));
        const std::string line = rerun(seed) + ": " + text(count) + ", small " + small.text() + ", large " +
                                 large.text() + ", out " + out.text() + (adds ? ", adds" : "");
        each_task(count, [&](const extents_of& index) {
            const double value = large.at(place(large.where(), index)) +
                                 of.values[small.at(place(small.where(), index)) % 20] +
                                 static_cast<double>(shift * limits.weight);
            const float inside = std::clamp(static_cast<float>(value), limits.low, limits.high);
            const std::int64_t at = place(out.where(), index);
            out.expect(at, adds ? out.at(at) + inside : inside);
        });
        run::mix(foldwise::tasks<1>(count[0]), small.window(), large.window(), out.window(), adds, limits, of, shift);
        ASSERT_TRUE(out.is_as_expected()) << line;
    });
}

TEST(Forall, Neighbours) {
    many(80, [](unsigned seed) {
        generator rng(seed);
        const extents_of whole = any_extents(2, rng), count = any_tasks(whole, rng);
        sample<double> in = read_sample<double>(whole, rng), out = written_sample<double>(whole, rng);
        const std::string line = rerun(seed) + ": " + text(count) + ", in " + in.text() + ", out " + out.text();
        each_task(count, [&](const extents_of& index) {
            const std::int64_t r = index[0], c = index[1];
            const auto at = [&](std::int64_t row, std::int64_t column) {
                return in.at(place(in.where(), {row, column}));
            };
            const bool edge = r == 0 || c == 0 || r + 1 == whole[0] || c + 1 == whole[1];
            out.expect(place(out.where(), index),
                       edge ? at(r, c) : 0.25 * (at(r - 1, c) + at(r + 1, c) + at(r, c - 1) + at(r, c + 1)));
        });
        run::relax(foldwise::tasks<2>(shape_of(count)), in.window(), out.window());
        ASSERT_TRUE(out.is_as_expected()) << line;
    });
}

template <class T> void gather_some(unsigned seed) {
    generator rng(seed);
    const extents_of whole = any_extents(1, rng), count = any_tasks(whole, rng);
    sample<T> source = read_sample<T>({1 + static_cast<std::int64_t>(below(rng, 100))}, rng);
    std::vector<std::int32_t> at(static_cast<std::size_t>(whole[0]));
    for (std::int32_t& one : at)
        one = static_cast<std::int32_t>(below(rng, static_cast<std::size_t>(source.where().shape[0])));
    sample<T> out = written_sample<T>(whole, rng);
    const std::string line = rerun(seed) + ": " + text(count) + ", source " + source.text() + ", out " + out.text();
    each_task(count, [&](const extents_of& index) {
        out.expect(place(out.where(), index),
                   source.at(place(source.where(), {at[static_cast<std::size_t>(index[0])]})));
    });
    switch (rng() % 3) {  // a temporary, a window on memory, an array
    case 0:
        run::gather(count[0], source.window(), std::vector<std::int32_t>(at), out.window());
        break;
    case 1:
        run::gather(count[0], source.window(), std::span<const std::int32_t>(at), out.window());
        break;
    default:
        run::gather(count[0], source.window(), foldwise::to_device(at), out.window());
    }
    ASSERT_TRUE(out.is_as_expected()) << line;
}

TEST(Forall, NeighboursAreNotReplacedWhileTheyAreRead) {
    std::vector<double> table(12 * 7, 1);
    const auto whole = foldwise::host(table.data(), foldwise::shape{12, 7});
    EXPECT_THROW(run::relax(foldwise::shape{12, 7}, whole, whole), foldwise::overlap_error);
    EXPECT_EQ(table, std::vector<double>(12 * 7, 1)) << "written in spite of it";
    run::relax(foldwise::shape{6, 7}, whole.slice(0, 0, 6), whole.slice(0, 6, 12));
    EXPECT_EQ(table, std::vector<double>(12 * 7, 1));
}

TEST(Forall, ElementsThatElementsName) {
    many(80, gather_some<float>);
    many(80, gather_some<run::block<std::uint8_t, 3>>);
}

/// The bin of a task, of as many as a view has elements.
std::int64_t bin_of(sample<std::uint8_t>& where, const extents_of& index, const layout& bins) {
    return place(bins, {where.at(place(where.where(), index)) % bins.shape[0]});
}

TEST(ForallAtomics, Count) {
    many(100, [](unsigned seed) {
        generator rng(seed);
        const extents_of whole = any_extents(1, rng), count = any_tasks(whole, rng);
        sample<std::uint8_t> x = read_sample<std::uint8_t>(whole, rng);
        sample<std::uint32_t> bins =
            written_sample<std::uint32_t>({1 + static_cast<std::int64_t>(below(rng, 300))}, rng);
        const std::string line = rerun(seed) + ": " + text(count) + ", x " + x.text() + ", bins " + bins.text();
        std::vector<std::int64_t> hits;
        each_task(count, [&](const extents_of& index) { hits.push_back(bin_of(x, index, bins.where())); });
        for (const std::int64_t hit : hits)
            bins.expect(hit, bins.at(hit) + static_cast<std::uint32_t>(std::count(hits.begin(), hits.end(), hit)));
        run::count(count[0], x.window(), bins.window());
        ASSERT_TRUE(bins.is_as_expected()) << line;
    });
}

/// Sums that blocks have in their shared memory, of two views: where a block has more than four tiles, or one; in short
/// rows; and where there are too few tasks for that.
TEST(ForallAtomics, Tally) {
    struct {
        extents_of tasks;
        std::int64_t rows;
    } const cases[] = {{{40, 300}, 12}, {{40, 300}, 1}, {{7000, 3}, 12}, {{1, 2570}, 3}, {{4, 4}, 3}};
    for (const auto& [tasks, rows] : cases) {
        const auto count = static_cast<std::size_t>(tasks[0] * tasks[1]), height = static_cast<std::size_t>(rows);
        std::vector<std::int32_t> x(count), sums(32, 7), want_sums = sums;
        std::vector<std::uint32_t> counts(32 * height, 0xFFFFFFFF), want_counts = counts;
        for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<std::int32_t>(i * 2654435761u) >> 20;
        for (std::size_t i = 0; i < count; ++i) {
            const auto bin = static_cast<std::size_t>(x[i] & 31), row = i / static_cast<std::size_t>(tasks[1]),
                       column = i % static_cast<std::size_t>(tasks[1]);
            want_sums[bin] += x[i];
            want_sums[31 - bin] -= static_cast<std::int32_t>(row);
            want_counts[(bin % 2 == 0 ? column % height : 0) * 32 + bin] += bin % 2 == 0 ? 1 : 5;
        }
        const foldwise::shape extents{tasks[0], tasks[1]};
        run::tally(foldwise::tasks<2>(extents), foldwise::host(x.data(), extents), sums,
                   foldwise::host(counts.data(), foldwise::shape{rows, 32}));
        EXPECT_EQ(sums, want_sums) << tasks[1];
        EXPECT_EQ(counts, want_counts) << tasks[1];
    }
}

template <class T> void add_up_some(unsigned seed) {
    generator rng(seed);
    const extents_of whole = any_extents(2, rng), count = any_tasks(whole, rng);
    sample<std::uint8_t> where = read_sample<std::uint8_t>(whole, rng);
    sample<T> x = read_sample<T>(whole, rng);
    sample<T> sums = written_sample<T>({1 + static_cast<std::int64_t>(below(rng, 20))}, rng);
    const std::string line =
        rerun(seed) + ": " + text(count) + ", where " + where.text() + ", x " + x.text() + ", sums " + sums.text();
    std::map<std::int64_t, T> want;
    each_task(count, [&](const extents_of& index) {
        const std::int64_t bin = bin_of(where, index, sums.where());
        want.try_emplace(bin, sums.at(bin)).first->second += x.at(place(x.where(), index));
    });
    for (const auto& [bin, sum] : want) sums.expect(bin, sum);
    run::add_up(foldwise::tasks<2>(shape_of(count)), where.window(), x.window(), sums.window());
    ASSERT_TRUE(sums.is_as_expected()) << line;
}

TEST(ForallAtomics, AddUp) {
    many(60, add_up_some<float>);
    many(60, add_up_some<double>);
    many(60, add_up_some<std::int64_t>);
}

template <class T> void limits_of_some(unsigned seed) {
    generator rng(seed);
    const extents_of whole = any_extents(1, rng), count = any_tasks(whole, rng);
    const extents_of few = {1 + static_cast<std::int64_t>(below(rng, 20))};
    sample<std::uint8_t> where = read_sample<std::uint8_t>(whole, rng);
    sample<T> x = read_sample<T>(whole, rng), least = written_sample<T>(few, rng), most = written_sample<T>(few, rng);
    const std::string line = rerun(seed) + ": " + text(count) + ", where " + where.text() + ", x " + x.text() +
                             ", least " + least.text() + ", most " + most.text();
    std::map<std::int64_t, T> low, high;
    each_task(count, [&](const extents_of& index) {
        const T value = x.at(place(x.where(), index));
        const std::int64_t a = bin_of(where, index, least.where()), b = bin_of(where, index, most.where());
        T& lowest = low.try_emplace(a, least.at(a)).first->second;
        T& highest = high.try_emplace(b, most.at(b)).first->second;
        lowest = std::min(lowest, value), highest = std::max(highest, value);
    });
    for (const auto& [bin, value] : low) least.expect(bin, value);
    for (const auto& [bin, value] : high) most.expect(bin, value);
    run::limits(count[0], where.window(), x.window(), least.window(), most.window());
    ASSERT_TRUE(least.is_as_expected() && most.is_as_expected()) << line;
}

TEST(ForallAtomics, LeastAndMost) {
    many(60, limits_of_some<float>);
    many(60, limits_of_some<std::int32_t>);
}

TEST(Forall, WindowsOnOneArrayShareIt) {
    many(100, [](unsigned seed) {
        generator rng(seed);
        const auto n = static_cast<std::int64_t>(below(rng, 2000));
        std::vector<float> memory(static_cast<std::size_t>(2 * n)), y(static_cast<std::size_t>(n), 1), want;
        random_elements<float>::fill(memory, rng);
        want = memory;
        const bool interleaved = rng() % 2 != 0, on_device = rng() % 2 != 0;
        const std::int64_t step = interleaved ? 2 : 1, second = interleaved ? 1 : n;
        for (std::int64_t i = 0; i < n; ++i) {
            const float x = memory[static_cast<std::size_t>(i * step)];
            want[static_cast<std::size_t>(second + i * step)] = x + x + 1;
        }
        const auto weave_in = [&](float* data, foldwise::place place) {
            const layout where{shape{n}, {step}};
            run::weave1(n, foldwise::view<const float>(data, where, place), y,
                        foldwise::view<float>(data + second, where, place));
        };
        if (on_device) {
            foldwise::array<float> there = foldwise::to_device(memory);
            weave_in(there.data(), there.place());
            memory = there.to_host();
        } else {
            weave_in(memory.data(), {});
        }
        ASSERT_EQ(memory, want) << rerun(seed) << ": " << n << (interleaved ? " interleaved" : " halves")
                                << (on_device ? " on the device" : " on the host");
    });
}

TEST(Forall, PartsOfViews) {
    std::vector<double> x(1000), sums(1000);
    std::iota(x.begin(), x.end(), 1.0);
    run::windows(std::ssize(x), x, sums);
    for (std::int64_t i = 0; i < std::ssize(x); ++i) {
        double expected = 0;
        const std::int64_t begin = std::max<std::int64_t>(i - 2, 0), end = std::min(i + 3, std::ssize(x));
        for (std::int64_t k = begin; k < end; ++k)
            expected += x[static_cast<std::size_t>(k)] * ((end - 1 - k) % 2 == 0 ? -1 : 1);
        ASSERT_EQ(sums[static_cast<std::size_t>(i)], expected) << i;
    }
}

TEST(Forall, IndicesAreCompared) {
    std::vector<std::int32_t> x(6);
    run::edges(6, x, 5);
    EXPECT_EQ(x, (std::vector<std::int32_t>{1, 3, 3, 4, 3, 2}));
    run::corners({2, 3}, foldwise::host(x.data(), {2, 3}));
    EXPECT_EQ(x, (std::vector<std::int32_t>{1, 2, 2, 2, 2, 3}));
}

TEST(Forall, TasksPrint) {
    testing::internal::CaptureStdout();
    run::say(5, std::vector<std::int32_t>{1, 7, 3, 9, 0});
    std::fflush(stdout);
    const std::string said = testing::internal::GetCapturedStdout();
    EXPECT_NE(said.find("task 1 has 7\n"), said.npos) << said;
    EXPECT_NE(said.find("task 3 has 9\n"), said.npos) << said;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 2) << said;
}

TEST(Forall, RefusesWhatIsNoNumberOfTasks) {
    std::vector<float> x(4), out(4, 7);
    EXPECT_THROW(run::weave1(-1, x, x, out), std::invalid_argument);
    EXPECT_THROW(run::turn(shape{2, 2, 2}, x, out), foldwise::shape_error);
    run::weave1(0, x, x, out);
    EXPECT_EQ(out, std::vector<float>(4, 7));
}

// What the cases above are made of, so that a change of the generators does not quietly leave something out.
TEST(Forall, CasesHaveEverythingThatMatters) {
    std::set<std::int64_t> extents;
    int negative = 0, still = 0, plain = 0, long_axes = 0, empty = 0, fewer = 0, roomy = 0;
    for (unsigned seed = 1; seed <= 400; ++seed) {
        generator rng(seed);
        const extents_of whole = any_extents(1 + static_cast<int>(seed % 4), rng), count = any_tasks(whole, rng);
        extents.insert(whole.begin(), whole.end());
        long_axes += std::any_of(whole.begin(), whole.end(), [](std::int64_t extent) { return extent >= 1000; });
        fewer += count != whole;
        empty += shape_of(count).size() == 0;
        roomy += with_room(whole, rng) != whole;
        const layout where = any_layout(shape_of(whole), true, rng);
        for (std::size_t axis = 0; axis < whole.size(); ++axis) {
            negative += whole[axis] > 1 && where.strides[axis] < 0;
            still += whole[axis] > 1 && where.strides[axis] == 0;
        }
        plain += where.strides[whole.size() - 1] == 1;
    }
    for (std::int64_t extent : {0, 1, 2, 3, 31, 32, 33, 61}) EXPECT_TRUE(extents.contains(extent)) << extent;
    EXPECT_GE(negative, 40);
    EXPECT_GE(still, 20);
    EXPECT_GE(plain, 100);
    EXPECT_LE(plain, 350);
    EXPECT_GE(long_axes, 30);
    EXPECT_GE(empty, 10);
    EXPECT_GE(fewer, 60);
    EXPECT_GE(roomy, 60);
}

}  // namespace
