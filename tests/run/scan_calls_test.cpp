// tests/run/scan_calls_test.cpp: scans of every size, in place, of shapes and of whole arrays; that they repeat their
// bits, and what they refuse.
#include "scan_host.hpp"
#include "trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace run_tests;

std::array<std::size_t, 3> around(int power) {
    const std::size_t middle = std::size_t{1} << power;
    return {middle - 1, middle, middle + 1};
}

/// All sizes up to 5000, and those around powers of two up to 2^most; on the simulator fewer.
std::vector<std::size_t> any_sizes(std::size_t few, int most_simulated, int most) {
    std::vector<std::size_t> sizes(runs_on("simulator") ? few : 5001);
    std::iota(sizes.begin(), sizes.end(), 0);
    for (int power = 10; power <= (runs_on("simulator") ? most_simulated : most); ++power)
        for (const std::size_t size : around(power)) sizes.push_back(size);
    return sizes;
}

/// Integers that look random, from -500 to 499 as far as T has them.
template <class T> std::vector<T> integers(std::size_t n) {
    std::vector<T> all(n);
    for (std::size_t i = 0; i < n; ++i)
        all[i] = static_cast<T>(static_cast<std::int64_t>(i * 2654435761u % 1000) - 500);
    return all;
}

/// All sizes up to 5000, and around powers of two.
TEST(Scans, OfAnySize) {
    for (const std::size_t n : any_sizes(300, 16, 22)) {
        const std::vector<std::int64_t> x = integers<std::int64_t>(n);
        std::vector<std::int64_t> wanted(n), got(n);
        std::inclusive_scan(x.begin(), x.end(), wanted.begin());
        run::running(x, got);
        ASSERT_EQ(got, wanted) << n;
    }
}

/// Bytes, of which many fit into memory.
TEST(Scans, OfMillionsOfElements) {
    if (runs_on("simulator")) GTEST_SKIP() << "it would take minutes";
    for (int power = 20; power <= (runs_on("cuda") ? 26 : 23); ++power)
        for (const std::size_t n : around(power)) {
            const std::vector<std::int8_t> x = integers<std::int8_t>(n);
            std::vector<std::int8_t> wanted(n);
            std::inclusive_scan(x.begin(), x.end(), wanted.begin(),
                                [](std::int8_t a, std::int8_t b) { return static_cast<std::int8_t>(a + b); });
            ASSERT_TRUE(run::running(foldwise::to_device(x)).to_host() == wanted) << n;
        }
}

/// Two segments of every length with one between them that is longer by an element, and one without elements.
TEST(Scans, OfSegmentsOfAnyLength) {
    for (const std::size_t length : any_sizes(150, 13, 20)) {
        const std::vector<std::size_t> offsets{3, 3 + length, 4 + 2 * length, 4 + 2 * length, 4 + 3 * length};
        const std::size_t n = offsets.back() + 2;
        const std::vector<std::int64_t> x = integers<std::int64_t>(n);
        std::vector<std::int64_t> wanted(n), got(n);
        for (std::size_t i = 0; i < n; ++i) {
            const bool begins = i == 0 || std::find(offsets.begin(), offsets.end(), i) != offsets.end();
            wanted[i] = x[i] + (begins ? 0 : wanted[i - 1]);
        }
        run::running(x, got, foldwise::segments(offsets));
        ASSERT_EQ(got, wanted) << length;
    }
}

/// Rows that begin with a tile, that are part of one, and that have several.
TEST(Scans, OfRowsOfAnyLength) {
    constexpr std::size_t rows = 7;
    std::vector<std::size_t> lengths;
    for (int power = 5; power <= (runs_on("simulator") ? 13 : 18); ++power)
        for (const std::size_t length : around(power)) lengths.push_back(length);
    for (const std::size_t length : lengths) {
        const std::vector<std::int64_t> x = integers<std::int64_t>(rows * length);
        std::vector<std::int64_t> wanted(x.size());
        for (std::size_t row = 0; row < rows; ++row) {
            const auto begin = static_cast<std::ptrdiff_t>(row * length);
            std::partial_sum(x.begin() + begin, x.begin() + begin + static_cast<std::ptrdiff_t>(length),
                             wanted.begin() + begin);
        }
        const auto in = foldwise::to_device(x).reshape({rows, static_cast<std::int64_t>(length)});
        ASSERT_TRUE(run::running(in, foldwise::axis(1)).to_host() == wanted) << rows << " rows of " << length;
    }
}

/// Scans pairs of rows, contiguous or not, with every option.
template <class T, class Call, class Combine>
void check_short_rows(std::int64_t pairs, std::int64_t length, unsigned options, const Call& call, Combine combine) {
    const bool is_exclusive = options & 1, is_reverse = options & 2;
    const std::int64_t step = options & 4 ? 2 : 1, gap = options & 8 ? 3 : 0, ahead = options & 16 ? 1 : 0;
    const std::int64_t pitch = ahead + length * step + gap,
                       together = options & 32 ? 3 : 2;  // rows of a pair, and more
    const auto n = static_cast<std::size_t>(together * pairs * pitch);
    std::vector<T> x(n);
    auto* const words = reinterpret_cast<unsigned char*>(x.data());
    for (std::size_t i = 0; i < n * sizeof(T); ++i) words[i] = static_cast<unsigned char>(i * 2654435761u >> 11);
    if constexpr (std::is_same_v<T, foldwise::half>)
        for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<T>(static_cast<float>(i * 2654435761u % 5) - 2);
    std::vector<T> wanted;
    for (std::int64_t row = 0; row < 2 * pairs; ++row) {
        const std::int64_t place = row / 2 * together + row % 2;
        std::vector<T> scanned(static_cast<std::size_t>(length));
        T so_far = x[0];  // the initial value
        for (std::int64_t i = 0; i < length; ++i) {
            const std::int64_t at = is_reverse ? length - 1 - i : i;
            const T next = combine(so_far, x[static_cast<std::size_t>(place * pitch + ahead + at * step)]);
            scanned[static_cast<std::size_t>(at)] = is_exclusive ? so_far : next;
            so_far = next;
        }
        wanted.insert(wanted.end(), scanned.begin(), scanned.end());
    }
    const auto in = foldwise::to_device(x).reshape({pairs, together, pitch});
    foldwise::scan_option<T> exclusive, reverse;
    if (is_exclusive) exclusive = foldwise::exclusive;
    if (is_reverse) reverse = foldwise::reverse;
    const auto part = in.slice(1, 0, 2).slice(2, ahead, ahead + length * step, step);
    const std::vector<T> got = call(part, foldwise::axis(2), foldwise::initial(x[0]), exclusive, reverse).to_host();
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i)
        ASSERT_TRUE(same(got[i], wanted[i])) << 2 * pairs << " rows of " << length << ", options " << options << ", "
                                             << sizeof(T) << " bytes, result " << i;
}

/// Rows that fit a tile, and some that do not: of numbers, of halves and of matrices, whose products do not commute.
TEST(Scans, OfShortRows) {
    const auto sum = [](auto a, auto b) { return static_cast<decltype(a)>(a + b); };
    const auto run_sum = [](const auto&... all) { return run::running(all...); };
    unsigned options = 0;
    for (const std::int64_t length : {1,   2,   3,   4,    7,    9,    16,   17,   33,   100,  128,  255,
                                      341, 512, 513, 1000, 1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097}) {
        const std::int64_t pairs = 1 + (runs_on("simulator") ? 2'500 : 40'000) / length;
        for (unsigned k = 0; k < 4; ++k, options += 5) {
            check_short_rows<std::int64_t>(pairs, length, options, run_sum, sum);
            check_short_rows<std::int8_t>(pairs, length, options, run_sum, sum);
            check_short_rows<foldwise::half>(
                pairs, length, options, [](const auto&... all) { return run::longest(all...); },
                [](auto a, auto b) { return a < b ? b : a; });
            check_short_rows<run::upper2>(
                pairs, length, options, [](const auto&... all) { return run::product_of_triangles(all...); },
                [](run::upper2 x, run::upper2 y) {
                    return run::upper2{x.a * y.a, x.a * y.b + x.b * y.d, x.d * y.d};
                });
            check_short_rows<run::upper3>(
                pairs, length, options, [](const auto&... all) { return run::product_of_larger(all...); },
                [](run::upper3 x, run::upper3 y) {
                    return run::upper3{x.a * y.a, x.a * y.b + x.b * y.d, x.a * y.c + x.b * y.e + x.c * y.f,
                                       x.d * y.d, x.d * y.e + x.e * y.f, x.f * y.f};
                });
        }
    }
    const auto empty = foldwise::zeros<std::int64_t>(foldwise::shape{3000, 0});
    EXPECT_EQ(run::running(empty, foldwise::axis(1)).size(), 0);
}

/// A block remembers what the 512 tiles of a batch make, but not beyond the end of a row.
TEST(Scans, OfRowsThatBeginWithinBatchesOfTiles) {
    for (const std::int64_t length : {750'016, 750'001}) {
        const foldwise::shape whole{3, length};
        const std::vector<std::int64_t> x = integers<std::int64_t>(static_cast<std::size_t>(whole.size()));
        std::vector<std::int64_t> wanted(x.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            wanted[i] = x[i] + (i % static_cast<std::size_t>(length) == 0 ? 0 : wanted[i - 1]);
        ASSERT_TRUE(run::running(foldwise::to_device(x).reshape(whole), foldwise::axis(1)).to_host() == wanted)
            << length;
    }
}

TEST(Scans, AreComputedInPlace) {
    std::vector<std::int64_t> x(runs_on("cuda") ? 1'000'003 : 100'003), wanted(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int64_t>(i % 91) - 45;
    std::exclusive_scan(x.begin(), x.end(), wanted.begin(), std::int64_t{5});
    run::running(x, x, foldwise::exclusive, foldwise::initial(5));
    EXPECT_EQ(x, wanted);
    auto part = foldwise::to_device(x);
    EXPECT_THROW(run::running(part.slice(0, 0, 100), part.slice(0, 1, 101)), foldwise::overlap_error);
}

/// Columns of integers, which round nothing: every length around the tiles of few columns, and several tiles of many.
TEST(Scans, OfColumnsOfAnyLength) {
    const auto check = [](std::int64_t length, std::int64_t columns) {
        const auto n = static_cast<std::size_t>(length * columns), across = static_cast<std::size_t>(columns);
        const std::vector<std::int64_t> x = integers<std::int64_t>(n);
        std::vector<std::int64_t> wanted(n);
        for (std::size_t i = 0; i < n; ++i) wanted[i] = x[i] + (i < across ? 0 : wanted[i - across]);
        const auto in = foldwise::to_device(x).reshape({length, columns});
        ASSERT_EQ(run::running(in, foldwise::axis(0)).to_host(), wanted) << length << " rows of " << columns;
    };
    const bool is_slow = runs_on("simulator");
    for (const std::size_t length : any_sizes(0, 11, 20)) check(static_cast<std::int64_t>(length), 3);
    for (const std::int64_t columns : {2, 3, 4, 8, 9, 16, 31, 32, 33})
        for (std::int64_t length = 1; length < 300; length += is_slow ? 13 : 1) check(length, columns);
    for (const std::int64_t columns : {2, 5, 8, 16, 32, 100})
        for (const std::int64_t length : {1023, 1024, 1025, 4095, 4096, 4097, 8191, 8192, 8193, 40'000})
            if (!is_slow || length * columns < 140'000) check(length, columns);
    for (const std::int64_t columns : {4095, 4096, 4097, 5000})
        for (const std::int64_t length : {1, 2, 16, 17, 63, 64, 65, 129})
            if (!is_slow || length < 70) check(length, columns);
}

/// Large accumulators have small tiles: several batches of them, and many strips of several tiles.
TEST(Scans, OfColumnsOfManyTiles) {
    for (const auto& [length, columns] :
         {std::pair<std::int64_t, std::int64_t>{1000, 32}, {900, 5}, {37, 4100}, {70, 129}}) {
        const auto across = static_cast<std::size_t>(columns), n = static_cast<std::size_t>(length) * across;
        std::vector<run::matrix> x(n), wanted(n);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t k = 0; k < 16; ++k) x[i].cells[k] = static_cast<std::uint32_t>((i + k) * 2654435761u >> 7);
            wanted[i] = i < across ? x[i] : multiplied(wanted[i - across], x[i]);
        }
        const auto in = foldwise::to_device(x).reshape({length, columns});
        const std::vector<run::matrix> got = run::product(in, foldwise::axis(0)).to_host();
        for (std::size_t i = 0; i < n; ++i)
            ASSERT_TRUE(same(got[i], wanted[i])) << length << " rows of " << columns << ", result " << i;
    }
}

/// Scans columns of rows that begin `ahead` elements behind those of the array.
template <class T>
void check_strips(std::int64_t outer, std::int64_t length, std::int64_t columns, unsigned options, std::int64_t ahead) {
    const bool is_exclusive = options & 1, is_reverse = options & 2, has_keys = options & 4;
    const auto across = static_cast<std::size_t>(columns), rows = static_cast<std::size_t>(length),
               n = static_cast<std::size_t>(outer) * rows * across, pitch = static_cast<std::size_t>(columns + ahead);
    std::vector<T> x(n), wanted(n), with_gaps(n / across * pitch);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<T>(static_cast<std::int8_t>(i * 2654435761u >> 9));
    for (std::size_t i = 0; i < n; ++i) with_gaps[i / across * pitch + pitch - across + i % across] = x[i];
    std::vector<std::uint16_t> keys(rows);
    for (std::size_t i = 1; i < rows; ++i)
        keys[i] = static_cast<std::uint16_t>(keys[i - 1] + (i * 2654435761u >> 9) % 11 / 10);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t at = is_reverse ? n - 1 - i : i, before = is_reverse ? at + across : at - across;
        const auto key = [&](std::size_t element) { return keys[element / across % rows]; };
        const bool is_first = i / across % rows == 0 || (has_keys && key(at) != key(before));
        const T so_far = is_first ? T{7} : static_cast<T>(wanted[before] + (is_exclusive ? x[before] : T{}));
        wanted[at] = static_cast<T>(so_far + (is_exclusive ? T{} : x[at]));
    }
    const auto in = foldwise::to_device(with_gaps).reshape({outer, length, columns + ahead});
    foldwise::scan_option<T> exclusive, reverse, anew;
    if (is_exclusive) exclusive = foldwise::exclusive;
    if (is_reverse) reverse = foldwise::reverse;
    if (has_keys) anew = foldwise::by_key(keys);
    ASSERT_EQ(run::running(in.slice(2, ahead, columns + ahead), foldwise::axis(1), foldwise::initial(7), exclusive,
                           reverse, anew)
                  .to_host(),
              wanted)
        << outer << " times " << length << " rows of " << columns << " behind " << ahead << ", options " << options;
}

/// As many columns as a block scans alone, from the first row to the last: strips that some columns miss in, lengths
/// around tiles, rows that are no vectors, and axes outside, with every option.
TEST(Scans, OfColumnsThatBlocksHaveToThemselves) {
    const bool is_slow = runs_on("simulator");
    const std::int64_t least = runs_on("cuda") ? 128 : 4;  // strips
    unsigned options = 0;
    for (const std::int64_t columns : {128 * least - 127, 128 * least, 128 * least + 1, 256 * least - 129, 512 * least})
        for (const std::int64_t length : {65, 127, 128, 129, 300}) {
            if (is_slow && length * columns > 150'000) continue;
            check_strips<std::int8_t>(1, length, columns, options++, 0);
            check_strips<std::int8_t>(3, length, (columns + 2) / 3, options++, 0);
        }
    for (const std::int64_t columns : {31 * least - 8, 32 * least, 32 * least + 1, 41 * least + 7, 70 * least})
        for (const std::int64_t length : {65, 255, 256, 257, 600}) {
            if (is_slow && length * columns > 80'000) continue;
            check_strips<float>(1, length, columns, options, options / 8 % 3);
            check_strips<float>(3, length, (columns + 2) / 3, options, options / 8 % 3);
            check_strips<std::int64_t>(2, length, columns, options, options % 2);
            options += 5;  // each with each offset, in turn
        }
}

/// Accumulators whose default constructor does something: in many tiles of a row, and along columns.
TEST(Scans, OfComplexNumbers) {
    const std::int64_t n = runs_on("cuda") ? 1'500'000 : 60'000, columns = runs_on("cuda") ? 5000 : 200;
    for (const std::int64_t across : {std::int64_t{1}, columns}) {
        std::vector<std::complex<float>> x(static_cast<std::size_t>(n)), wanted(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = {static_cast<float>(i % 7) - 3, static_cast<float>(i % 5) - 2};
            wanted[i] = x[i];
            if (i >= static_cast<std::size_t>(across)) wanted[i] += wanted[i - static_cast<std::size_t>(across)];
        }
        const auto in = foldwise::to_device(x).reshape({n / across, across});
        ASSERT_EQ(run::running_complex(in, foldwise::axis(0)).to_host(), wanted) << across << " columns";
    }
}

TEST(Scans, OfColumnsInPlace) {
    constexpr std::int64_t length = 1500, columns = 37;
    std::vector<std::int64_t> x(length * columns), wanted(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int64_t>(i % 91) - 45;
    for (std::size_t i = x.size(); i-- > 0;) wanted[i] = x[i] + (i + columns < x.size() ? wanted[i + columns] : 5);
    auto all = foldwise::to_device(x).reshape({length, columns});
    run::running(all, all, foldwise::axis(0), foldwise::reverse, foldwise::initial(5));
    EXPECT_EQ(all.to_host(), wanted);
}

TEST(Scans, HaveTheSameBitsInEveryRun) {
    // All elements in a row, and along few and many columns.
    for (const std::int64_t columns : {1, 7, 5000}) {
        const std::int64_t length = (runs_on("simulator") ? 70'001 : 3'000'001) / columns;
        std::vector<float> x(static_cast<std::size_t>(length * columns));
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.0f / static_cast<float>(1 + i % 1013);
        const auto in = foldwise::to_device(x).reshape({length, columns});
        const std::vector<float> first = run::running(in, foldwise::axis(0)).to_host();
        for (int k = 0; k < (runs_on("simulator") ? 2 : 20); ++k)
            ASSERT_EQ(run::running(in, foldwise::axis(0)).to_host(), first) << columns << " columns, again " << k;
    }
}

/// Elements are grouped by their number alone, with or without REPRODUCIBLE.
TEST(Scans, HaveTheSameBitsHoweverOperandsAreAligned) {
    const std::int64_t n = runs_on("cuda") ? 700'001 : 30'001;
    std::vector<float> x(static_cast<std::size_t>(n) + 4);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.0f / static_cast<float>(1 + i * i % 1013);
    std::vector<float> first;
    for (std::int64_t shift = 0; shift < 4; ++shift) {
        auto in = foldwise::zeros<float>(foldwise::shape{n + 4}), out = foldwise::zeros<float>(foldwise::shape{n + 4});
        foldwise::copy(foldwise::host(x.data(), {n}), in.slice(0, shift, shift + n));
        run::running(in.slice(0, shift, shift + n), out.slice(0, shift, shift + n));
        std::vector<float> got = out.to_host();
        got.erase(got.begin(), got.begin() + shift);
        got.resize(static_cast<std::size_t>(n));
        if (shift == 0) first = got;
        ASSERT_EQ(got, first) << shift;
    }
}

TEST(Scans, OfAShape) {
    const std::vector<std::int64_t> triangles = run::triangles(foldwise::shape{5000}).to_host();
    for (std::int64_t i = 0; i < 5000; ++i)
        ASSERT_EQ(triangles[static_cast<std::size_t>(i)], (i + 1) * (i + 2) / 2) << i;
    std::vector<std::int64_t> four(4);
    run::triangles(foldwise::shape{4}, four, foldwise::reverse, foldwise::exclusive);
    EXPECT_EQ(four, (std::vector<std::int64_t>{9, 7, 4, 0}));
    const std::vector<std::int32_t> scales{1, 10, 100};
    EXPECT_EQ(run::walk(foldwise::shape{2, 3}, scales, foldwise::axis(0)).to_host(),
              (std::vector<std::int64_t>{0, -20, -400, 1, -30, -700}));
    EXPECT_EQ(run::walk(foldwise::shape{2, 2}, 3, foldwise::axis(-1)).to_host(),
              (std::vector<std::int64_t>{0, -6, 3, 0}));
    EXPECT_THROW(run::walk(foldwise::shape{2, 2}, scales), foldwise::shape_error);
    EXPECT_EQ(run::triangles(foldwise::shape{2, 2}).to_host(), (std::vector<std::int64_t>{1, 3, 6, 10}));
}

TEST(Scans, WithAWholeArray) {
    std::vector<std::int32_t> items(10'000);
    const std::vector<std::int64_t> prices{5, 70, 900};
    std::vector<std::int64_t> wanted(items.size()), got(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        items[i] = static_cast<std::int32_t>(i * i % 3);
        wanted[i] = (i == 0 ? 0 : wanted[i - 1]) + prices[static_cast<std::size_t>(items[i])];
    }
    run::revenue(items, prices, got);
    EXPECT_EQ(got, wanted);
    EXPECT_EQ(run::revenue(foldwise::to_device(items), prices).to_host(), wanted);
    EXPECT_EQ(run::revenue(items, foldwise::to_device(prices)).to_host(), wanted);
    auto both = foldwise::zeros<std::int64_t>(foldwise::shape{10'000});
    EXPECT_THROW(run::revenue(items, both.slice(0, 0, 3), both), foldwise::overlap_error);
}

TEST(Scans, RefuseWhatDoesNotFit) {
    std::vector<float> x(8), y(8), shorter(7);
    const auto two = foldwise::zeros<float>(foldwise::shape{2, 4});
    const auto message = [](auto call) {
        try {
            call();
        } catch (const foldwise::shape_error& error) {
            return std::string(error.what());
        }
        return std::string("none");
    };
    EXPECT_EQ(message([&] { run::running(x, shorter); }),
              "run::running: output out (7) does not have the elements' shape (8)");
    EXPECT_EQ(message([&] { static_cast<void>(run::running(two, foldwise::axis(2))); }),
              "run::running: axis 2 is not one of shape (2, 4), which has 2 axes");
    EXPECT_EQ(message([&] { static_cast<void>(run::running(two, foldwise::axis(0, 1))); }),
              "run::running: a scan goes along one axis or, if none is named, through all elements; 2 are named");
    EXPECT_EQ(message([&] { run::running(x, y, foldwise::by_key(std::vector<int>(7))); }),
              "run::running: there are 7 keys for rows of 8 elements");
    EXPECT_EQ(message([&] {
                  run::running(x, y, foldwise::segments(std::vector<int>{0, 4, 3, 8}));
              }),
              "run::running: offset 2 is 3, less than the one before it, 4");
    EXPECT_EQ(message([&] {
                  run::running(x, y, foldwise::segments(std::vector<std::int64_t>{-1, 8}));
              }),
              "run::running: offset 0 is -1, which is negative");
    EXPECT_EQ(message([&] {
                  run::running(x, y, foldwise::segments(std::vector<int>{0, 9}));
              }),
              "run::running: offset 1 is 9, which lies outside of a row of 8 elements");
    EXPECT_THROW(run::running(x, y, foldwise::reverse, foldwise::reverse), std::invalid_argument);
    std::vector<std::int64_t> sums(8), keys(8);
    EXPECT_THROW(run::running(sums, keys, foldwise::by_key(keys)), foldwise::overlap_error);
    EXPECT_THROW(run::running(sums, keys, foldwise::segments(std::span(keys).first(2))), foldwise::overlap_error);
}

}  // namespace
