// tests/run/several_test.cpp: more tasks than a large GPU has threads, on views whose last axis has unit stride,
// against plain loops, on the executor that the environment names.
#include "several.kernels.hpp"
#include "shapes_sample.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <new>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace run_tests;

/// Extents or an index, of four axes at most. There is one for each of millions of tasks, so it allocates nothing.
class extents_of {
  public:
    extents_of() = default;
    explicit extents_of(std::size_t rank) : rank_(rank) {}
    extents_of(std::initializer_list<std::int64_t> values) {
        for (const std::int64_t value : values) push_back(value);
    }

    void push_back(std::int64_t value) { values_.at(rank_++) = value; }
    std::size_t size() const { return rank_; }
    std::int64_t* begin() { return values_.data(); }
    std::int64_t* end() { return values_.data() + rank_; }
    std::int64_t& operator[](std::size_t axis) { return values_[axis]; }
    const std::int64_t& operator[](std::size_t axis) const { return values_[axis]; }
    std::int64_t back() const { return values_[rank_ - 1]; }

  private:
    std::array<std::int64_t, 4> values_{};
    std::size_t rank_ = 0;
};

shape shape_of(const extents_of& extents) { return shape(std::span(&extents[0], extents.size())); }

constexpr std::int64_t least_tasks = std::int64_t{1} << 20;

/// A little more than the least number of tasks, along axes of any lengths.
extents_of many_tasks(int rank, generator& rng) {
    extents_of extents;
    std::int64_t left = least_tasks;
    while (static_cast<int>(extents.size()) + 1 < rank) {
        const std::size_t longest = rng() % 2 == 0 ? 40 : 2000;
        extents.push_back(std::min<std::int64_t>(left, 1 + static_cast<std::int64_t>(below(rng, longest))));
        left = (left + extents.back() - 1) / extents.back();
    }
    extents.push_back(
        left + static_cast<std::int64_t>(below(rng, static_cast<std::size_t>(std::min<std::int64_t>(left, 40)))));
    std::shuffle(extents.begin(), extents.end(), rng);
    return extents;
}

/// As many, along axes that end near multiples of the sides of tiles, and perhaps short ones.
extents_of tasks_around_tiles(int rank, generator& rng) {
    static constexpr std::int64_t tiles[] = {32, 64, 96, 128, 256, 512};
    static constexpr std::int64_t few[] = {2, 3, 4, 5, 7, 8, 9, 15, 16, 17};
    const auto near = [&](std::int64_t count) { return count - 2 + static_cast<std::int64_t>(below(rng, 5)); };
    extents_of extents;
    std::int64_t left = least_tasks;
    while (static_cast<int>(extents.size()) + 1 < rank) {
        const bool is_short = rng() % 3 == 0;
        const std::int64_t any = is_short ? few[below(rng, std::size(few))] : near(tiles[below(rng, std::size(tiles))]);
        extents.push_back(std::min(left, any));
        left = (left + extents.back() - 1) / extents.back();
    }
    extents.push_back(left > 64 ? near(left / 32 * 32 + 32) : left);
    std::shuffle(extents.begin(), extents.end(), rng);
    return extents;
}

/// Any order of all axes but the last, gaps between rows, and axes that are walked backwards.
layout any_plain_layout(const extents_of& extents, generator& rng) {
    std::vector<std::size_t> order(extents.size() - 1);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (rng() % 3 == 0) std::shuffle(order.begin(), order.end(), rng);
    layout result{shape_of(extents), {}};
    result.strides[extents.size() - 1] = 1;
    std::int64_t stride = extents.back();
    for (std::size_t i = order.size(); i-- > 0;) {
        if (stride >= 30 && rng() % 3 == 0) stride += 1 + static_cast<std::int64_t>(below(rng, 9));
        result.strides[order[i]] = rng() % 6 == 0 ? -stride : stride;
        stride *= extents[order[i]];
    }
    return result;
}

/// A view of these extents on memory of which everything is checked afterwards.
template <class T> sample<T> plain_sample(const extents_of& extents, generator& rng) {
    return sample<T>(any_plain_layout(extents, rng), false, rng);
}

template <class T> std::int64_t place(const sample<T>& of, const extents_of& index) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) offset += index[axis] * of.where().strides[axis];
    return offset;
}
template <class T> T& at(sample<T>& of, const extents_of& index) { return of.at(place(of, index)); }

/// Calls f(index) for each task, in row-major order.
template <class F> void each_task(const extents_of& tasks, const F& f) {
    extents_of index(tasks.size());
    for (std::size_t axis = 0; axis < tasks.size();) {
        f(index);
        for (axis = tasks.size(); axis-- > 0;) {
            if (++index[axis] < tasks[axis]) break;
            index[axis] = 0;
        }
    }
}

template <int N> foldwise::tasks<N> tasks_of(const extents_of& extents) { return {shape_of(extents)}; }

std::string text(const extents_of& tasks) { return "tasks " + to_string(shape_of(tasks)); }

extents_of taken(const extents_of& extents, const std::vector<std::size_t>& axes) {
    extents_of result;
    for (const std::size_t axis : axes) result.push_back(extents[axis]);
    return result;
}

/// As many tasks, one of whose axes is as short as a vector or a bit longer, or shorter.
extents_of tasks_with_a_short_axis(int rank, generator& rng) {
    extents_of extents = {1 + static_cast<std::int64_t>(below(rng, 20))};
    std::int64_t left = (least_tasks + extents[0] - 1) / extents[0];
    while (static_cast<int>(extents.size()) + 1 < rank) {
        extents.push_back(1 + static_cast<std::int64_t>(below(rng, 50)));
        left = (left + extents.back() - 1) / extents.back();
    }
    extents.push_back(left + static_cast<std::int64_t>(below(rng, 40)));
    std::shuffle(extents.begin(), extents.end(), rng);
    return extents;
}

/// Compares a kernel with out(index[out_axes]) = in(index[in_axes]).
template <class T, int N, class Kernel>
void expect_turned(unsigned trials, const std::vector<std::size_t>& in_axes, const std::vector<std::size_t>& out_axes,
                   const Kernel& kernel, bool has_short_axis = false) {
    many(trials, [&](unsigned seed) {
        generator rng(seed);
        const extents_of tasks = has_short_axis   ? tasks_with_a_short_axis(N, rng)
                                 : rng() % 2 == 0 ? many_tasks(N, rng)
                                                  : tasks_around_tiles(N, rng);
        sample<T> in = plain_sample<T>(taken(tasks, in_axes), rng), out = plain_sample<T>(taken(tasks, out_axes), rng);
        const std::string line = rerun(seed) + ": " + text(tasks) + ", in " + in.text() + ", out " + out.text();
        each_task(tasks, [&](const extents_of& index) {
            out.expect(place(out, taken(index, out_axes)), at(in, taken(index, in_axes)));
        });
        kernel(tasks_of<N>(tasks), in.window(), out.window());
        ASSERT_TRUE(out.is_as_expected()) << line;
    });
}

template <class T> class SeveralOf : public testing::Test {};
using widths = testing::Types<std::uint8_t, std::uint16_t, float, double, run::block3, run::block12, run::block16>;
TYPED_TEST_SUITE(SeveralOf, widths);

TYPED_TEST(SeveralOf, WrittenAcross) {
    expect_turned<TypeParam, 2>(4, {0, 1}, {1, 0}, [](const auto&... given) { run::turn2(given...); });
}

TYPED_TEST(SeveralOf, ReadAcross) {
    expect_turned<TypeParam, 2>(4, {1, 0}, {0, 1}, [](const auto&... given) { run::turn_back2(given...); });
}

TYPED_TEST(SeveralOf, ReadAcrossShortAxes) {
    expect_turned<TypeParam, 2>(
        3, {1, 0}, {0, 1}, [](const auto&... given) { run::turn_back2(given...); }, true);
}

TEST(Several, PermutedShortAxes) {
    expect_turned<float, 3>(
        3, {0, 1, 2}, {2, 0, 1}, [](const auto&... given) { run::turn3(given...); }, true);
    expect_turned<std::int32_t, 4>(
        3, {0, 1, 2, 3}, {3, 0, 2, 1}, [](const auto&... given) { run::turn4(given...); }, true);
    expect_turned<std::uint8_t, 4>(
        3, {0, 3, 1, 2}, {0, 1, 2, 3}, [](const auto&... given) { run::channels_last(given...); }, true);
}

TEST(Several, PermutedAxes) {
    expect_turned<float, 3>(4, {0, 1, 2}, {2, 0, 1}, [](const auto&... given) { run::turn3(given...); });
    expect_turned<std::int16_t, 3>(4, {0, 1, 2}, {0, 2, 1}, [](const auto&... given) { run::turn_inner3(given...); });
    expect_turned<std::int32_t, 3>(2, {0, 1, 2}, {1, 0, 2}, [](const auto&... given) { run::turn_outer3(given...); });
    expect_turned<std::int32_t, 4>(4, {0, 1, 2, 3}, {3, 0, 2, 1}, [](const auto&... given) { run::turn4(given...); });
    expect_turned<std::uint8_t, 4>(4, {0, 3, 1, 2}, {0, 1, 2, 3},
                                   [](const auto&... given) { run::channels_last(given...); });
}

TEST(Several, NeighboursInPlace) {
    many(4, [](unsigned seed) {
        generator rng(seed);
        const extents_of tasks = many_tasks(1, rng);
        sample<std::uint8_t> x = plain_sample<std::uint8_t>(tasks, rng), sums = plain_sample<std::uint8_t>(tasks, rng);
        const std::string line = rerun(seed) + ": " + text(tasks) + ", x " + x.text() + ", sums " + sums.text();
        each_task(tasks, [&](const extents_of& index) {
            sums.expect(place(sums, index), static_cast<std::uint8_t>(at(sums, index) + 3 * at(x, index)));
        });
        run::add_bytes(tasks_of<1>(tasks), x.window(), sums.window());
        ASSERT_TRUE(sums.is_as_expected()) << line;
    });
}

TEST(Several, NeighboursOfSeveralWidths) {
    many(8, [](unsigned seed) {
        generator rng(seed);
        const extents_of tasks = seed % 2 == 0 ? many_tasks(2, rng) : tasks_with_a_short_axis(2, rng);
        sample<std::uint8_t> x = plain_sample<std::uint8_t>(tasks, rng);
        sample<std::uint16_t> of_row = plain_sample<std::uint16_t>({tasks[0]}, rng);
        sample<std::uint32_t> of_column = plain_sample<std::uint32_t>({tasks[1]}, rng);
        sample<std::uint32_t> out = plain_sample<std::uint32_t>(tasks, rng);
        const std::string line = rerun(seed) + ": " + text(tasks) + ", x " + x.text() + ", out " + out.text();
        each_task(tasks, [&](const extents_of& index) {
            out.expect(place(out, index), 7 * at(x, index) + at(of_row, {index[0]}) * at(of_column, {index[1]}));
        });
        run::widen(tasks_of<2>(tasks), x.window(), of_row.window(), of_column.window(), 7, out.window());
        ASSERT_TRUE(out.is_as_expected()) << line;
    });
}

TEST(Several, ShortAxesTurned) {
    many(8, [](unsigned seed) {
        generator rng(seed);
        const extents_of tasks = tasks_with_a_short_axis(2, rng), turned = {tasks[1], tasks[0]};
        sample<std::uint16_t> x = plain_sample<std::uint16_t>(turned, rng);
        sample<std::uint8_t> y = plain_sample<std::uint8_t>(tasks, rng);
        sample<std::uint16_t> out = plain_sample<std::uint16_t>(tasks, rng);
        const std::string line = rerun(seed) + ": " + text(tasks) + ", x " + x.text() + ", out " + out.text();
        each_task(tasks, [&](const extents_of& index) {
            out.expect(place(out, index), static_cast<std::uint16_t>(at(x, {index[1], index[0]}) - at(y, index)));
        });
        run::mix_turned(tasks_of<2>(tasks), x.window(), y.window(), out.window());
        ASSERT_TRUE(out.is_as_expected()) << line;
    });
}

TEST(Several, UpdatedAcross) {
    many(2, [](unsigned seed) {
        generator rng(seed);
        const extents_of tasks = many_tasks(2, rng), turned = {tasks[1], tasks[0]};
        sample<std::uint32_t> in = plain_sample<std::uint32_t>(turned, rng);
        sample<std::uint32_t> sums = plain_sample<std::uint32_t>(turned, rng);
        const std::string line = rerun(seed) + ": " + text(tasks) + ", in " + in.text() + ", sums " + sums.text();
        each_task(turned, [&](const extents_of& index) {
            sums.expect(place(sums, index), at(sums, index) + at(in, index) + static_cast<std::uint32_t>(index[1]));
        });
        run::add_turned(tasks_of<2>(tasks), in.window(), sums.window());
        ASSERT_TRUE(sums.is_as_expected()) << line;
    });
}

TEST(Several, ElementsThatDoNotExistAreNotRead) {
    many(3, [](unsigned seed) {
        generator rng(seed);
        const extents_of tasks = many_tasks(2, rng);
        const extents_of smaller = {std::max<std::int64_t>(tasks[1] - static_cast<std::int64_t>(below(rng, 40)), 1),
                                    std::max<std::int64_t>(tasks[0] - static_cast<std::int64_t>(below(rng, 40)), 1)};
        sample<float> in = plain_sample<float>(smaller, rng), out = plain_sample<float>(tasks, rng);
        const std::string line = rerun(seed) + ": " + text(tasks) + ", in " + in.text() + ", out " + out.text();
        each_task(tasks, [&](const extents_of& index) {
            const bool exists = index[1] < smaller[0] && index[0] < smaller[1];
            out.expect(place(out, index), exists ? at(in, {index[1], index[0]}) : -1.0f);
        });
        run::pad_turned(tasks_of<2>(tasks), in.window(), out.window());
        ASSERT_TRUE(out.is_as_expected()) << line;
    });
}

/// Compares a kernel with out(index) = formula(in, index), for views of the same extents; `in` may have more.
template <class In, int N, class Kernel, class Formula>
void expect_near(unsigned trials, const extents_of& room, const Kernel& kernel, const Formula& formula) {
    many(trials, [&](unsigned seed) {
        generator rng(seed);
        const extents_of tasks = many_tasks(N, rng);
        extents_of larger = tasks;
        for (std::size_t axis = 0; axis < larger.size(); ++axis) larger[axis] += room[axis];
        sample<std::int32_t> out = plain_sample<std::int32_t>(tasks, rng);
        std::vector<In> numbers(static_cast<std::size_t>(shape_of(larger).size()));
        for (In& one : numbers) one = static_cast<In>(static_cast<std::int64_t>(rng() % 2001) - 1000);
        const auto value = [&](const extents_of& index) -> std::int32_t {
            std::int64_t offset = 0;
            for (std::size_t axis = 0; axis < index.size(); ++axis) offset = offset * larger[axis] + index[axis];
            return numbers[static_cast<std::size_t>(offset)];
        };
        each_task(tasks,
                  [&](const extents_of& index) { out.expect(place(out, index), formula(value, larger, index)); });
        foldwise::array<In> in = foldwise::to_device(numbers).reshape(shape_of(larger));
        kernel(tasks_of<N>(tasks), in, out.window());
        ASSERT_TRUE(out.is_as_expected()) << rerun(seed) << ": " << text(tasks) << ", out " << out.text();
    });
}

/// Random numbers in an array behind which there is no memory: whoever reads beyond it on the host ends the process.
class array_at_the_end {
  public:
    array_at_the_end(std::int64_t count, generator& rng) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(std::int32_t);
        const std::size_t readable = (bytes + page - 1) / page * page;
        all_ = readable + page;
        memory_ = mmap(nullptr, all_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory_ == MAP_FAILED) throw std::bad_alloc();
        auto* const first = static_cast<unsigned char*>(memory_);
        if (mprotect(first + readable, page, PROT_NONE) != 0) throw std::bad_alloc();
        values_ = {reinterpret_cast<std::int32_t*>(first + readable - bytes), static_cast<std::size_t>(count)};
        for (std::int32_t& one : values_) one = static_cast<std::int32_t>(rng() % 2001) - 1000;
    }
    array_at_the_end(const array_at_the_end&) = delete;
    array_at_the_end& operator=(const array_at_the_end&) = delete;
    ~array_at_the_end() { munmap(memory_, all_); }

    std::span<const std::int32_t> values() const { return values_; }

  private:
    void* memory_;
    std::size_t all_;
    std::span<std::int32_t> values_;
};

TEST(Several, SharedElementsThatDoNotExistAreNotRead) {
    many(6, [](unsigned seed) {
        generator rng(seed);
        const extents_of tasks = many_tasks(2, rng);
        // Shorter than the tasks are many, or longer.
        const auto some = [&](std::int64_t count) { return rng() % 2 == 0 ? count / 2 : count + 3; };
        const array_at_the_end first(some(tasks[0]), rng), second(some(tasks[1]), rng);
        const std::span<const std::int32_t> x = first.values(), y = second.values();
        sample<std::int64_t> out = plain_sample<std::int64_t>(tasks, rng);
        each_task(tasks, [&](const extents_of& index) {
            const auto r = static_cast<std::size_t>(index[0]), c = static_cast<std::size_t>(index[1]);
            out.expect(place(out, index),
                       c <= r && r < x.size() && c < y.size() ? std::int64_t{x[r]} * y[c] : std::int64_t{-1});
        });
        run::lower_products(tasks_of<2>(tasks), x, y, out.window());
        ASSERT_TRUE(out.is_as_expected()) << rerun(seed) << ": " << text(tasks);
    });
}

TEST(Several, NeighboursAlongOneAxis) {
    expect_near<std::int32_t, 1>(
        2, {0}, [](const auto&... given) { run::near1(given...); },
        [](const auto& in, const extents_of& extents, const extents_of& index) {
            const std::int64_t i = index[0];
            return i >= 2 && i < extents[0] - 2 ? in({i - 2}) + 3 * in({i - 1}) - in({i + 1}) - 5 * in({i + 2})
                                                : -in({i});
        });
}

TEST(Several, NeighboursAlongTwoAxes) {
    expect_near<run::told, 2>(
        5, {0, 0}, [](const auto&... given) { run::near2(given...); },
        [](const auto& in, const extents_of& extents, const extents_of& index) {
            const std::int64_t r = index[0], c = index[1];
            const bool edge = r < 1 || c < 2 || r + 1 >= extents[0] || c > extents[1] - 3;
            return edge ? in(index) : in({r - 1, c}) + 2 * in({r + 1, c}) - 3 * in({r, c - 2}) + 5 * in({r, c + 2});
        });
}

TEST(Several, NeighboursAlongThreeAxes) {
    expect_near<std::int32_t, 3>(
        3, {0, 0, 0}, [](const auto&... given) { run::near3(given...); },
        [](const auto& in, const extents_of& extents, const extents_of& index) {
            const std::int64_t i = index[0], j = index[1], k = index[2];
            for (std::size_t axis = 0; axis < 3; ++axis)
                if (index[axis] == 0 || index[axis] + 1 == extents[axis]) return in(index);
            return in({i - 1, j, k}) + 2 * in({i + 1, j, k}) + 3 * in({i, j - 1, k}) + 4 * in({i, j + 1, k}) +
                   5 * in({i, j, k - 1}) + 6 * in({i, j, k + 1});
        });
}

TEST(Several, NeighboursInALargerView) {
    expect_near<std::int32_t, 2>(
        2, {2, 1}, [](const auto&... given) { run::window_sums(given...); },
        [](const auto& in, const extents_of&, const extents_of& index) {
            const std::int64_t r = index[0], c = index[1];
            return in({r, c}) + in({r + 1, c}) + in({r + 2, c}) + in({r, c + 1});
        });
}

TEST(Several, NeighboursAcrossTheEdges) {
    expect_near<std::int32_t, 2>(
        2, {0, 0}, [](const auto&... given) { run::circle(given...); },
        [](const auto& in, const extents_of& extents, const extents_of& index) {
            const std::int64_t r = index[0], c = index[1];
            return in({(r + 1) % extents[0], c}) - in({r, (c + extents[1] - 1) % extents[1]});
        });
}

template <class T, class Row> void pick_rows() {
    many(4, [](unsigned seed) {
        generator rng(seed);
        const extents_of tasks = rng() % 2 == 0 ? many_tasks(2, rng) : tasks_around_tiles(2, rng);
        const auto count = 1 + static_cast<std::int64_t>(below(rng, 300));
        sample<T> table = plain_sample<T>({count, tasks[1]}, rng), out = plain_sample<T>(tasks, rng);
        std::vector<Row> rows(static_cast<std::size_t>(tasks[0]));
        for (Row& one : rows) one = static_cast<Row>(rng() % static_cast<std::uint64_t>(count));
        const std::string line = rerun(seed) + ": " + text(tasks) + ", table " + table.text() + ", out " + out.text();
        each_task(tasks, [&](const extents_of& index) {
            out.expect(place(out, index), at(table, {rows[static_cast<std::size_t>(index[0])], index[1]}));
        });
        run::pick_rows(tasks_of<2>(tasks), table.window(), foldwise::to_device(rows), out.window());
        ASSERT_TRUE(out.is_as_expected()) << line;
    });
}

TEST(Several, RowsFromElsewhere) {
    pick_rows<std::uint8_t, std::int64_t>();
    pick_rows<float, std::int32_t>();
}

/// Compares a kernel with out(rows[r], c) = in(index[in_axes]).
template <class T, class Kernel> void put_rows(const std::vector<std::size_t>& in_axes, const Kernel& kernel) {
    many(4, [&](unsigned seed) {
        generator rng(seed);
        const extents_of tasks = rng() % 2 == 0 ? many_tasks(2, rng) : tasks_around_tiles(2, rng);
        sample<T> in = plain_sample<T>(taken(tasks, in_axes), rng), out = plain_sample<T>(tasks, rng);
        std::vector<std::int32_t> rows(static_cast<std::size_t>(tasks[0]));
        std::iota(rows.begin(), rows.end(), 0);
        std::shuffle(rows.begin(), rows.end(), rng);
        const std::string line = rerun(seed) + ": " + text(tasks) + ", in " + in.text() + ", out " + out.text();
        each_task(tasks, [&](const extents_of& index) {
            out.expect(place(out, {rows[static_cast<std::size_t>(index[0])], index[1]}), at(in, taken(index, in_axes)));
        });
        kernel(tasks_of<2>(tasks), in.window(), foldwise::to_device(rows), out.window());
        ASSERT_TRUE(out.is_as_expected()) << line;
    });
}

TEST(Several, RowsToElsewhere) {
    put_rows<std::uint16_t>({0, 1}, [](const auto&... given) { run::put_rows(given...); });
    put_rows<float>({1, 0}, [](const auto&... given) { run::put_turned(given...); });
}

TEST(Several, ElementsThatAreWrittenSometimes) {
    many(3, [](unsigned seed) {
        generator rng(seed);
        const extents_of tasks = many_tasks(2, rng);
        sample<std::int32_t> in = plain_sample<std::int32_t>(tasks, rng), out = plain_sample<std::int32_t>(tasks, rng);
        const std::string line = rerun(seed) + ": " + text(tasks) + ", in " + in.text() + ", out " + out.text();
        each_task(tasks, [&](const extents_of& index) {
            if (at(in, index) % 2 == 0) out.expect(place(out, index), at(in, index));
        });
        run::keep_even(tasks_of<2>(tasks), in.window(), out.window());
        ASSERT_TRUE(out.is_as_expected()) << line;
    });
}

TEST(Several, CoordinatesInTheOrderOfWhatIsWritten) {
    many(6, [](unsigned seed) {
        generator rng(seed);
        const extents_of tasks = rng() % 2 == 0 ? many_tasks(3, rng) : tasks_around_tiles(3, rng);
        const extents_of turned = taken(tasks, {1, 0, 2});
        sample<std::int16_t> in = plain_sample<std::int16_t>(turned, rng);
        sample<std::int32_t> out = plain_sample<std::int32_t>(turned, rng);
        const std::string line = rerun(seed) + ": " + text(tasks) + ", in " + in.text() + ", out " + out.text();
        each_task(tasks, [&](const extents_of& index) {
            const extents_of own = taken(index, {1, 0, 2});
            out.expect(place(out, own), static_cast<std::int32_t>(at(in, own) + 3 * index[0] + 5000 * index[1] +
                                                                  10000000 * (index[2] % 200)));
        });
        run::tell_places3(tasks_of<3>(tasks), in.window(), out.window());
        ASSERT_TRUE(out.is_as_expected()) << line;
    });
}

TEST(Several, InPlace) {
    many(2, [](unsigned seed) {
        generator rng(seed);
        const extents_of tasks = many_tasks(4, rng);
        sample<std::uint32_t> x = plain_sample<std::uint32_t>(tasks, rng);
        const std::string line = rerun(seed) + ": " + text(tasks) + ", x " + x.text();
        each_task(tasks, [&](const extents_of& index) { x.expect(place(x, index), at(x, index) * 3); });
        run::scale4(tasks_of<4>(tasks), x.window(), 3u);
        ASSERT_TRUE(x.is_as_expected()) << line;
    });
}

TEST(Several, TasksSeeWhatTheyHaveAssignedThroughOtherViews) {
    constexpr std::int64_t count = least_tasks + 77;
    foldwise::array<std::int32_t> memory = foldwise::full({count}, -1), other = foldwise::full({count}, -2);
    foldwise::array<std::int32_t> seen = foldwise::full({count}, -3);
    run::assign_and_look(count, memory, memory, seen);
    std::vector<std::int32_t> expected(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<std::int32_t>(i % 100);
    EXPECT_EQ(memory.to_host(), expected);
    EXPECT_EQ(seen.to_host(), expected);
    run::assign_and_look(count, memory, other, seen);
    EXPECT_EQ(seen.to_host(), std::vector<std::int32_t>(static_cast<std::size_t>(count), -2));
}

}  // namespace
