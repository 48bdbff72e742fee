// tests/run/segments_test.cpp: reductions of random segments against plain loops, on the executor that the environment
// names.
#include "segments.kernels.hpp"
#include "trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace run_tests;

int trials() { return runs_on("simulator") ? 120 : 500; }

std::int64_t up_to(generator& rng, std::int64_t most) {
    return static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(most + 1));
}

/// Random segments of some elements, which they need not cover.
struct sample {
    std::int64_t count;
    std::vector<std::int64_t> offsets;

    std::int64_t segments() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
};

/// Segments of all kinds: about as long as one another, of lengths that differ by powers of two, many empty ones in one
/// place, and single ones.
sample any_segments(generator& rng, bool may_be_empty = true) {
    const std::int64_t longest = runs_on("simulator") ? 20'000 : rng() % 16 == 0 ? 1'000'000 : 70'000;
    std::vector<std::int64_t> lengths;
    const int kind = static_cast<int>(rng() % 5);
    std::int64_t left = up_to(rng, longest);
    const std::int64_t usual = 1 + up_to(rng, 40);
    const auto most_segments = static_cast<std::size_t>(runs_on("simulator") ? 3'000 : 20'000);
    while (left > 0 && lengths.size() < most_segments) {
        std::int64_t length = left;
        if (kind == 0) length = usual;
        if (kind == 1) length = up_to(rng, std::int64_t{1} << rng() % 15);
        if (kind == 2) length = rng() % 50 == 0 ? up_to(rng, 5'000) : up_to(rng, 4);
        if (kind == 3) length = rng() % 3 == 0 ? up_to(rng, 3'000) : 0;
        length = std::min(left, length);
        lengths.push_back(length);
        left -= length;
        if (kind == 3 && rng() % 10 == 0) lengths.insert(lengths.end(), static_cast<std::size_t>(up_to(rng, 2'000)), 0);
    }
    if (rng() % 4 == 0) lengths.insert(lengths.end(), static_cast<std::size_t>(up_to(rng, 40)), 0);
    if (!may_be_empty) std::erase(lengths, 0);
    sample made{0, {rng() % 3 == 0 ? up_to(rng, 2'000) : 0}};
    for (const std::int64_t length : lengths) made.offsets.push_back(made.offsets.back() + length);
    made.count = made.offsets.back() + (rng() % 3 == 0 ? up_to(rng, 2'000) : 0);
    return made;
}

/// Folds each segment by a plain loop: fold(begin, end).
template <class Result, class Fold> std::vector<Result> looped(const sample& of, const Fold& fold) {
    std::vector<Result> all;
    for (std::size_t i = 0; i + 1 < of.offsets.size(); ++i) all.push_back(fold(of.offsets[i], of.offsets[i + 1]));
    return all;
}

/// Calls with offsets of one of the types that they may have.
template <class Call> void with_any_offsets(const sample& of, generator& rng, const Call& call) {
    switch (rng() % 3) {
    case 0: {
        const std::vector<std::int32_t> narrow(of.offsets.begin(), of.offsets.end());
        return call(foldwise::segments(narrow));
    }
    case 1: {
        const std::vector<std::uint64_t> wide(of.offsets.begin(), of.offsets.end());
        return call(foldwise::segments(wide));
    }
    default:
        return call(foldwise::segments(of.offsets));
    }
}

/// Small integers, whose sums are exact in every type.
template <class T> std::vector<T> small(std::int64_t count, generator& rng) {
    std::vector<T> all(static_cast<std::size_t>(count));
    for (T& one : all) one = static_cast<T>(static_cast<float>(rng() % 15) - 7);
    return all;
}

template <class T> void check_sums(generator& rng) {
    const sample of = any_segments(rng);
    const std::vector<T> x = small<T>(of.count, rng);
    const bool has_initial = rng() % 3 == 0;
    const auto expected = looped<T>(of, [&](std::int64_t begin, std::int64_t end) {
        auto sum = static_cast<T>(has_initial ? 5 : 0);
        for (std::int64_t i = begin; i < end; ++i) sum += x[static_cast<std::size_t>(i)];
        return sum;
    });
    with_any_offsets(of, rng, [&](const foldwise::offset_range& segments) {
        std::vector<T> out(expected.size());
        if (has_initial)
            run::sum(x, out, segments, foldwise::initial(T{5}));
        else
            run::sum(x, out, segments);
        ASSERT_EQ(out, expected);
    });
}

TEST(Segments, Sums) {
    generator rng(1);
    for (int trial = 0; trial < trials(); ++trial) {
        check_sums<float>(rng);
        check_sums<double>(rng);
        check_sums<std::int64_t>(rng);
        if (HasFatalFailure()) return;
    }
}

TEST(Segments, SmallElements) {
    generator rng(2);
    for (int trial = 0; trial < trials(); ++trial) {
        const sample of = any_segments(rng);
        std::vector<std::uint8_t> x(static_cast<std::size_t>(of.count));
        for (std::uint8_t& one : x) one = static_cast<std::uint8_t>(rng());
        foldwise::array<std::uint8_t> out = run::bytes(foldwise::to_device(x), foldwise::segments(of.offsets));
        ASSERT_EQ(out.to_host(), looped<std::uint8_t>(of, [&](std::int64_t begin, std::int64_t end) {
                      std::uint8_t sum = 0;
                      for (std::int64_t i = begin; i < end; ++i)
                          sum = static_cast<std::uint8_t>(sum + x[static_cast<std::size_t>(i)]);
                      return sum;
                  }));
        const std::unique_ptr<bool[]> flags(new bool[x.size() + 1]);
        for (std::size_t i = 0; i < x.size(); ++i) flags[i] = x[i] % 2 != 0;
        std::vector<std::uint8_t> expected = out.to_host();
        for (std::uint8_t& one : expected) one %= 2;
        const auto odd =
            run::odd(std::span<const bool>(flags.get(), x.size()), foldwise::segments(of.offsets)).to_host();
        ASSERT_TRUE(std::equal(odd.begin(), odd.end(), expected.begin(), expected.end()));
    }
}

/// Elements are combined in their order, and neighbours alone.
TEST(Segments, Order) {
    generator rng(3);
    for (int trial = 0; trial < trials(); ++trial) {
        const sample of = any_segments(rng);
        std::vector<std::uint32_t> a(static_cast<std::size_t>(of.count)), b(a.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            a[i] = static_cast<std::uint32_t>(rng()) | 1;
            b[i] = static_cast<std::uint32_t>(rng());
        }
        const auto expected = looped<std::uint32_t>(of, [&](std::int64_t begin, std::int64_t end) {
            std::uint32_t slope = 1, offset = 0;
            for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
                slope *= a[i];
                offset = offset * a[i] + b[i];
            }
            return slope ^ offset;
        });
        std::vector<std::uint32_t> out(expected.size());
        run::composed(a, b, out, foldwise::segments(of.offsets));
        ASSERT_EQ(out, expected);

        const sample some = any_segments(rng, false);
        const std::vector<std::int16_t> x = small<std::int16_t>(some.count, rng);
        std::vector<std::int32_t> outer(some.offsets.size() - 1);
        run::outer(x, outer, foldwise::segments(some.offsets));
        ASSERT_EQ(outer, looped<std::int32_t>(some, [&](std::int64_t begin, std::int64_t end) {
                      const auto byte = [&](std::int64_t i) {
                          return std::int32_t{static_cast<std::uint8_t>(x[static_cast<std::size_t>(i)])};
                      };
                      return static_cast<std::int32_t>((end - begin) % 251) * 65536 + byte(begin) * 256 + byte(end - 1);
                  }));
    }
}

/// An accumulator of 64 bytes, and a pair as the result.
TEST(Segments, LargeAccumulators) {
    generator rng(4);
    for (int trial = 0; trial < trials() / 4; ++trial) {
        const sample of = any_segments(rng);
        const std::vector<std::int32_t> x = small<std::int32_t>(of.count, rng);
        using pair = std::pair<std::int64_t, std::int64_t>;
        std::vector<pair> out(of.offsets.size() - 1);
        run::moments(x, out, foldwise::segments(of.offsets));
        ASSERT_EQ(out, looped<pair>(of, [&](std::int64_t begin, std::int64_t end) {
                      pair sums{end - begin, 0};
                      for (std::int64_t i = begin; i < end; ++i) {
                          std::int64_t power = 1;
                          for (int k = 0; k < 7; ++k) {
                              power = power * x[static_cast<std::size_t>(i)] % 1009;
                              if (k == 0) sums.second += power;
                          }
                          sums.second += 3 * power;
                      }
                      return sums;
                  }));
    }
}

/// Inputs that are strided, broadcast or passed as a value, and strided results.
TEST(Segments, Operands) {
    generator rng(5);
    for (int trial = 0; trial < trials(); ++trial) {
        const sample of = any_segments(rng);
        const std::int64_t step = 1 + up_to(rng, 3);
        const auto x = small<float>(of.count * step, rng), y = small<float>(of.count, rng);
        const int kind = static_cast<int>(rng() % 3);
        const auto expected = looped<double>(of, [&](std::int64_t begin, std::int64_t end) {
            double sum = 0;
            for (std::int64_t i = begin; i < end; ++i)
                sum += double{x[static_cast<std::size_t>(i * step)]} * (kind == 0 ? y[static_cast<std::size_t>(i)] : 3);
            return sum;
        });
        const auto there = foldwise::to_device(x);
        const auto some = there.slice(0, 0, of.count * step, step);
        foldwise::array<double> out(foldwise::shape{2 * of.segments()});
        const auto results = out.slice(0, 0, 2 * of.segments(), 2);
        with_any_offsets(of, rng, [&](const foldwise::offset_range& segments) {
            if (kind == 0)
                run::dot(some, foldwise::to_device(y), results, segments);
            else if (kind == 1)
                run::dot(some, foldwise::to_device(std::vector<float>{3}), results, segments);
            else
                run::dot(some, 3.0f, results, segments);
        });
        const std::vector<double> made = out.to_host();
        for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(made[2 * i], expected[i]) << i;
    }
}

/// A sparse matrix times a vector, and maps that take the element's index.
TEST(Segments, WholeArraysAndIndices) {
    generator rng(6);
    for (int trial = 0; trial < trials(); ++trial) {
        const sample of = any_segments(rng);
        const auto count = static_cast<std::size_t>(of.count);
        const auto values = small<double>(of.count, rng), x = small<double>(100, rng);
        std::vector<std::int32_t> columns(count);
        for (std::int32_t& column : columns) column = static_cast<std::int32_t>(rng() % x.size());
        std::vector<double> product(of.offsets.size() - 1);
        run::spmv(values, columns, x, product, foldwise::segments(of.offsets));
        ASSERT_EQ(product, looped<double>(of, [&](std::int64_t begin, std::int64_t end) {
                      double sum = 0;
                      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
                          sum += values[i] * x[static_cast<std::size_t>(columns[i])];
                      return sum;
                  }));

        const auto y = small<float>(of.count, rng);
        std::vector<std::int64_t> places(of.offsets.size() - 1);
        run::argmax(y, places, foldwise::segments(of.offsets));
        ASSERT_EQ(places, looped<std::int64_t>(of, [&](std::int64_t begin, std::int64_t end) {
                      return begin == end ? std::int64_t{-1}
                                          : static_cast<std::int64_t>(
                                                std::max_element(y.begin() + begin, y.begin() + end) - y.begin());
                  }));

        const auto squares = run::squares(foldwise::shape{of.count}, foldwise::segments(of.offsets)).to_host();
        ASSERT_EQ(squares, looped<std::int64_t>(of, [&](std::int64_t begin, std::int64_t end) {
                      std::int64_t sum = 0;
                      for (std::int64_t i = begin; i < end; ++i) sum += i * i % 1000;
                      return sum;
                  }));
    }
}

/// A sum that rounds has the same bits in every call, and is as exact as a sum of groups.
TEST(Segments, TheSameBits) {
    generator rng(7);
    const std::int64_t count = runs_on("simulator") ? 100'000 : 1'000'000;
    std::vector<float> x(static_cast<std::size_t>(count));
    for (float& one : x) one = 1.0f / static_cast<float>(1 + rng() % 1013);
    const std::vector<std::int64_t> offsets{0, 10, count / 3, count / 3 + 7, count};
    std::vector<float> first(4), again(4);
    run::sum(x, first, foldwise::segments(offsets));
    for (int i = 0; i < 3; ++i) {
        run::sum(x, again, foldwise::segments(offsets));
        EXPECT_EQ(again, first);
    }
    for (std::size_t i = 0; i < first.size(); ++i) {
        double sum = 0;
        for (std::int64_t k = offsets[i]; k < offsets[i + 1]; ++k) sum += double{x[static_cast<std::size_t>(k)]};
        EXPECT_NEAR(first[i], sum, 3e-6 * sum);
    }
}

template <class Error, class Call> std::string message(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

TEST(Segments, SizesThatAreSpecial) {
    const std::vector<float> none, x{1, 2, 3};
    EXPECT_EQ(run::sum(none, foldwise::segments(std::vector<int>{0, 0, 0})).to_host(), (std::vector<float>{0, 0}));
    EXPECT_EQ(run::sum(x, foldwise::segments(std::vector<int>{2})).shape(), foldwise::shape{0});
    EXPECT_EQ(run::sum(x, foldwise::segments(std::vector<int>{3, 3})).to_host(), std::vector<float>{0});
    EXPECT_EQ(run::sum(x, foldwise::segments(std::vector<int>{1, 2}), foldwise::initial(4.0f)).to_host(),
              std::vector<float>{6});
    const std::vector<std::int32_t> y{5, 3, 9};
    EXPECT_EQ(run::smallest(y, foldwise::segments(std::vector<int>{0, 2, 3})).to_host(),
              (std::vector<std::int32_t>{3, 9}));
    EXPECT_EQ(run::smallest(y, foldwise::segments(std::vector<int>{0, 0, 3}), foldwise::initial(4)).to_host(),
              (std::vector<std::int32_t>{4, 3}));
    // All segments between lengths at which a tile, a warp's share or a launch of one block ends.
    for (const std::int64_t count : {511, 512, 513, 8191, 8192, 8193})
        for (const std::int64_t length : {1, 31, 32, 33, 511, 512, 513}) {
            std::vector<std::int64_t> offsets;
            for (std::int64_t at = 0; at < count; at += length) offsets.push_back(at);
            offsets.push_back(count);
            std::vector<std::int64_t> ones(static_cast<std::size_t>(count), 1), sums(offsets.size() - 1);
            run::sum(ones, sums, foldwise::segments(offsets));
            for (std::size_t i = 0; i < sums.size(); ++i) ASSERT_EQ(sums[i], offsets[i + 1] - offsets[i]) << count;
        }
}

/// Segments of every length up to 5000, and around powers of two, beside longer and shorter ones.
TEST(Segments, OfAnyLength) {
    std::vector<std::int64_t> lengths(runs_on("simulator") ? 200 : 5001);
    std::iota(lengths.begin(), lengths.end(), 0);
    for (int power = 8; power <= (runs_on("simulator") ? 14 : runs_on("cuda") ? 24 : 20); ++power)
        for (const std::int64_t near : {-1, 0, 1}) lengths.push_back((std::int64_t{1} << power) + near);
    for (const std::int64_t length : lengths) {
        const std::vector<std::int64_t> offsets{3, 3 + length, 4 + 2 * length, 4 + 2 * length, 4 + 3 * length};
        std::vector<std::uint8_t> x(static_cast<std::size_t>(offsets.back() + 2)), wanted;
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::uint8_t>(i * 2654435761u >> 13);
        for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
            wanted.push_back(static_cast<std::uint8_t>(
                std::accumulate(x.begin() + offsets[i], x.begin() + offsets[i + 1], std::uint64_t{0})));
        ASSERT_EQ(run::bytes(foldwise::to_device(x), foldwise::segments(offsets)).to_host(), wanted) << length;
    }
}

TEST(Segments, Errors) {
    const std::vector<std::int32_t> x{1, 2, 3, 4, 5, 6, 7, 8};
    std::vector<std::int32_t> two(2);
    const auto offsets = [](std::vector<int> all) { return all; };
    const auto refused = [&](const std::vector<int>& all) {
        return message<foldwise::shape_error>([&] { run::smallest(x, two, foldwise::segments(all)); });
    };
    EXPECT_EQ(refused({0, 4, 3}), "run::smallest: offset 2 is 3, less than the one before it, 4");
    EXPECT_EQ(refused({-1, 4, 8}), "run::smallest: offset 0 is -1, which is negative");
    EXPECT_EQ(refused({0, 4, 9}), "run::smallest: offset 2 is 9, which lies outside of a row of 8 elements");
    EXPECT_EQ(refused({0, 4, 6, 8}), "run::smallest: output out (2) does not have the results' shape (3)");
    EXPECT_EQ(refused({}), "run::smallest: there are no offsets; n segments have n + 1 of them");
    const auto square = foldwise::to_device(x).reshape({2, 4});
    EXPECT_EQ(message<foldwise::shape_error>([&] {
                  static_cast<void>(run::smallest(square, foldwise::segments(offsets({0, 2}))));
              }),
              "run::smallest: segments are those of one axis, and the elements' shape is (2, 4)");
    EXPECT_EQ(message<foldwise::shape_error>([&] {
                  static_cast<void>(run::smallest(x, foldwise::segments(foldwise::to_device(x).reshape({2, 4}))));
              }),
              "run::smallest: offsets (2, 4) are not one axis without gaps");
    EXPECT_EQ(message<foldwise::empty_error>([&] {
                  run::smallest(x, two, foldwise::segments(offsets({0, 4, 4})));
              }),
              "run::smallest: there are no elements in segment 1, and the reduction has no identity");
    EXPECT_EQ(two, std::vector<std::int32_t>(2));  // nothing was written
    std::vector<std::int32_t> same{0, 4, 8, 1, 2, 3, 4, 5};
    const std::span<std::int32_t> all(same);
    EXPECT_EQ(
        message<foldwise::overlap_error>([&] { run::smallest(x, all.first(2), foldwise::segments(all.first(3))); }),
        "run::smallest: output out overlaps the offsets");
    EXPECT_EQ(message<foldwise::overlap_error>([&] {
                  run::smallest(all, all.last(2), foldwise::segments(offsets({0, 4, 8})));
              }),
              "run::smallest: output out overlaps x");
    EXPECT_EQ(same, (std::vector<std::int32_t>{0, 4, 8, 1, 2, 3, 4, 5}));
    EXPECT_THROW(run::smallest(x, foldwise::segments(offsets({0, 8})), foldwise::cpu(), foldwise::cpu()),
                 std::invalid_argument);
}

}  // namespace
