// tests/run/scatter_test.cpp: scattered folds of random operands against plain loops, on the executor that the
// environment names.
#include "scatter.kernels.hpp"
#include "shapes_sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace run_tests {

/// Places, of which some are outside of most outputs.
template <> struct random_elements<std::int32_t> {
    static void fill(std::vector<std::int32_t>& all, generator& rng) {
        static constexpr std::size_t ranges[] = {1, 4, 300, 20'000, 1'000'000};
        const std::size_t most = ranges[below(rng, std::size(ranges))];
        const std::uint64_t kind = rng() % 4;
        std::int32_t before = 0;
        for (std::int32_t& one : all) {
            if (kind == 0 && rng() % 16 != 0) {  // runs of the same place
                one = before;
                continue;
            }
            std::size_t range = most;
            if (kind == 1)  // most elements in few places
                while (range > 1 && rng() % 2 == 0) range = 1 + range / 8;
            one = before = static_cast<std::int32_t>(below(rng, range)) - (kind == 2 ? 0 : 1);
        }
    }
};
template <> struct random_elements<std::int64_t> : random_elements<std::int32_t> {
    static void fill(std::vector<std::int64_t>& all, generator& rng) {
        for (std::int64_t& one : all) one = static_cast<std::int64_t>(below(rng, 500)) - 1;
    }
};
/// Whole numbers, of which sums are exact.
template <class T> struct whole_numbers {
    static void fill(std::vector<T>& all, generator& rng) {
        for (T& one : all) one = static_cast<T>(below(rng, 100));
    }
};
template <> struct random_elements<float> : whole_numbers<float> {};
template <> struct random_elements<double> : whole_numbers<double> {};
template <> struct random_elements<std::int16_t> : whole_numbers<std::int16_t> {};
template <> struct random_elements<run::ends> {
    static void fill(std::vector<run::ends>& all, generator& rng) {
        for (run::ends& one : all)
            one = {static_cast<std::int64_t>(below(rng, 9)) - 1, static_cast<std::int64_t>(below(rng, 9)) - 1};
    }
};

}  // namespace run_tests

namespace {

using namespace run_tests;

/// How many random calls each of the eleven tests below makes; with these, some 10,000 in all.
unsigned trials() {
    const char* given = std::getenv("FOLDWISE_SCATTER_TRIALS");
    return given ? static_cast<unsigned>(std::atoi(given)) : 910;
}

/// A shape of elements, seldom large.
shape any_elements(generator& rng) {
    const std::uint64_t size = rng() % 64;
    if (size == 0) return shape{static_cast<std::int64_t>(below(rng, runs_on("cuda") ? 200'000 : 20'000))};
    shape any = any_shape(rng);
    while (size > 4 && any.size() > 400) any = any_shape(rng);
    return any;
}

/// A number of bins, seldom large.
std::int64_t any_bins(generator& rng) {
    static constexpr std::size_t sizes[] = {1, 3, 40, 256, 1000, 9000};
    const std::size_t most = rng() % 128 == 0 ? 1'000'000 : sizes[below(rng, std::size(sizes))];
    return static_cast<std::int64_t>(1 + below(rng, most));
}

template <class Place, class T> struct types {
    using place = Place;
    using value = T;
};
template <class T, class... A> auto call_total(const A&... arguments) {
    if constexpr (std::is_same_v<T, run::block12>)
        return run::blocks(arguments...);
    else
        return run::total(arguments...);
}
template <class Types> class Total : public testing::Test {};
using totals =
    testing::Types<types<std::int32_t, std::int32_t>, types<std::int32_t, std::int64_t>,
                   types<std::int32_t, std::uint8_t>, types<std::int32_t, std::int16_t>, types<std::int32_t, float>,
                   types<std::int32_t, double>, types<std::int32_t, run::block12>>;
TYPED_TEST_SUITE(Total, totals);

TYPED_TEST(Total, OfAnyShape) {
    using T = typename TypeParam::value;
    many(trials(), [](unsigned seed) {
        generator rng(seed);
        const shape whole = any_elements(rng);
        sample<std::int32_t> places(any_part(whole, rng), true, rng);
        sample<T> values(rng() % 2 ? whole : any_part(whole, rng), true, rng);
        const std::int64_t bins = any_bins(rng);
        sample<T> out(any_layout(shape{bins}, false, rng), false, rng);
        const shape common =
            places.is_scalar() && values.is_scalar() ? shape{} : both(places.where().shape, values.where().shape);
        const std::string line =
            rerun(seed) + ": places " + places.text() + ", values " + values.text() + ", out " + out.text();
        std::vector<T> fresh(static_cast<std::size_t>(bins), T{}), held;
        const std::int64_t stride = out.where().strides[0];
        for (std::int64_t i = 0; i < bins; ++i) held.push_back(out.at(i * stride));
        each_element(common, {&places.where(), &values.where()}, [&](const auto&, const auto& offsets) {
            const std::int64_t place = places.at(offsets[0]);
            if (place < 0 || place >= bins) return;
            const auto bin = static_cast<std::size_t>(place);
            const T value = values.at(offsets[1]);
            fresh[bin] = static_cast<T>(fresh[bin] + value);
            held[bin] = static_cast<T>(held[bin] + value);
        });
        for (std::int64_t i = 0; i < bins; ++i) out.expect(i * stride, held[static_cast<std::size_t>(i)]);
        call_total<T>(places.input(), values.input(), out.output());
        ASSERT_TRUE(out.is_as_expected()) << line;
        const auto made = call_total<T>(places.input(), values.input(), shape{bins}).to_host();
        ASSERT_TRUE(made == fresh) << line;
    });
}

/// More elements than run at once, on a GPU, have large blocks with more copies of the bins.
TEST(Scatter, ManyElementsInFewPlaces) {
    const std::size_t count = runs_on("cuda") ? 5'000'003 : 50'003;
    generator rng(21);
    std::vector<std::int32_t> places(count), values(count);
    std::vector<std::uint16_t> narrow(count);
    std::vector<std::uint32_t> bits(count);
    for (std::size_t i = 0; i < count; ++i) {
        places[i] = static_cast<std::int32_t>(below(rng, 9100)) - 50;
        values[i] = static_cast<std::int32_t>(below(rng, 100));
        narrow[i] = static_cast<std::uint16_t>(rng());
        bits[i] = static_cast<std::uint32_t>(rng());
    }
    for (const std::int64_t bins : {1, 64, 256, 700, 9000}) {
        std::vector<std::int32_t> sums(static_cast<std::size_t>(bins));
        std::vector<std::uint32_t> either(static_cast<std::size_t>(bins));
        for (std::size_t i = 0; i < count; ++i) {
            if (places[i] >= 0 && places[i] < bins) sums[static_cast<std::size_t>(places[i])] += values[i];
            if (narrow[i] < bins) either[narrow[i]] ^= bits[i];
        }
        EXPECT_TRUE(run::total(places, values, shape{bins}).to_host() == sums) << bins;
        EXPECT_TRUE(run::either(narrow, bits, shape{bins}).to_host() == either) << bins;
    }
}

TEST(Scatter, BytesArePlacesOfAnyNumberOfBins) {
    const std::size_t count = runs_on("cuda") ? 5'000'003 : 50'003;
    generator rng(22);
    std::vector<std::uint8_t> bytes(count);
    std::vector<std::int8_t> negative(count);
    std::vector<run::letter> letters(count);
    // vector<bool> is not contiguous.
    const auto flags = std::make_unique<bool[]>(count);
    for (std::size_t i = 0; i < count; ++i) {
        bytes[i] = static_cast<std::uint8_t>(below(rng, 250));
        negative[i] = static_cast<std::int8_t>(rng());
        letters[i] = static_cast<run::letter>(rng() & 0xff);
        flags[i] = below(rng, 3) == 0;
    }
    for (const std::int64_t bins : {1, 64, 200, 256, 700}) {
        const auto expected = [&](const auto& place) {
            std::vector<std::uint32_t> counts(static_cast<std::size_t>(bins));
            for (std::size_t i = 0; i < count; ++i)
                if (const int at = place(i); at >= 0 && at < bins) ++counts[static_cast<std::size_t>(at)];
            return counts;
        };
        const shape all{bins};
        EXPECT_TRUE(run::byte_counts(bytes, all).to_host() == expected([&](std::size_t i) { return int{bytes[i]}; }))
            << bins;
        EXPECT_TRUE(run::byte_counts(negative, all).to_host() ==
                    expected([&](std::size_t i) { return int{negative[i]}; }))
            << bins;
        EXPECT_TRUE(run::byte_counts(foldwise::host(flags.get(), static_cast<std::int64_t>(count)), all).to_host() ==
                    expected([&](std::size_t i) { return int{flags[i]}; }))
            << bins;
        EXPECT_TRUE(run::byte_counts_from_below(negative, all).to_host() ==
                    expected([&](std::size_t i) { return negative[i] + 128; }))
            << bins;
        EXPECT_TRUE(run::letter_counts(letters, all).to_host() ==
                    expected([&](std::size_t i) { return static_cast<int>(letters[i]) - 65; }))
            << bins;
    }
}

TEST(Scatter, OrderIsKept) {
    many(trials(), [](unsigned seed) {
        generator rng(seed);
        const shape whole = any_elements(rng);
        sample<std::int32_t> places(whole, true, rng);
        sample<std::uint32_t> values(any_layout(whole, true, rng), false, rng);
        const std::int64_t bins = any_bins(rng);
        std::vector<run::affine> want(static_cast<std::size_t>(bins), run::affine{1, 0});
        each_element(whole, {&places.where(), &values.where()}, [&](const auto&, const auto& offsets) {
            const std::int64_t place = places.at(offsets[0]);
            if (place < 0 || place >= bins) return;
            const std::uint32_t x = values.at(offsets[1]);
            run::affine& f = want[static_cast<std::size_t>(place)];
            const run::affine g{2 * x + 1, x >> 5};
            f = {f.a * g.a, f.b * g.a + g.b};
        });
        const auto got = run::recurrence(places.input(), values.input(), shape{bins}).to_host();
        ASSERT_TRUE(got == want) << rerun(seed) << ": places " << places.text() << ", values " << values.text() << ", "
                                 << bins << " bins";
    });
}

TEST(Scatter, OrderIsKeptWithSeveralPlaces) {
    many(trials(), [](unsigned seed) {
        generator rng(seed);
        const shape whole = any_elements(rng);
        sample<std::int32_t> places(any_layout(whole, true, rng), false, rng);
        sample<std::uint32_t> values(whole, true, rng);
        const std::int64_t bins = any_bins(rng);
        sample<run::ends> out(any_layout(shape{bins}, false, rng), false, rng);
        const std::int64_t stride = out.where().strides[0];
        std::vector<run::ends> want;
        for (std::int64_t i = 0; i < bins; ++i) want.push_back(out.at(i * stride));
        each_element(whole, {&places.where(), &values.where()}, [&](const auto&, const auto& offsets) {
            const auto put = [&](std::int64_t place, std::int64_t value) {
                if (place < 0 || place >= bins) return;
                run::ends& bin = want[static_cast<std::size_t>(place)];
                bin = {bin.first < 0 ? value : bin.first, value};
            };
            const std::int32_t place = places.at(offsets[0]);
            const std::int64_t x = values.at(offsets[1]);
            put(place, x);
            put(place / 2, x + 1);
        });
        for (std::int64_t i = 0; i < bins; ++i) out.expect(i * stride, want[static_cast<std::size_t>(i)]);
        run::ends_of(places.input(), values.input(), out.output());
        ASSERT_TRUE(out.is_as_expected())
            << rerun(seed) << ": places " << places.text() << ", values " << values.text() << ", out " << out.text();
    });
}

TEST(Scatter, PairsOfFloats) {
    many(trials(), [](unsigned seed) {
        generator rng(seed);
        const shape whole = any_elements(rng);
        sample<std::int32_t> places(any_layout(whole, true, rng), false, rng);
        sample<float> values(whole, true, rng);
        const std::int64_t bins = any_bins(rng);
        std::vector<run::extent> want(static_cast<std::size_t>(bins), run::extent{1e30f, -1e30f});
        each_element(whole, {&places.where(), &values.where()}, [&](const auto&, const auto& offsets) {
            const std::int64_t place = places.at(offsets[0]);
            if (place < 0 || place >= bins) return;
            run::extent& bin = want[static_cast<std::size_t>(place)];
            const float x = values.at(offsets[1]);
            bin = {std::min(bin.low, x), std::max(bin.high, x)};
        });
        const auto got = run::reach(places.input(), values.input(), shape{bins}).to_host();
        ASSERT_TRUE(got == want) << rerun(seed) << ": places " << places.text() << ", values " << values.text() << ", "
                                 << bins << " bins";
    });
}

TEST(Scatter, SeveralPlacesOfSeveralAxes) {
    many(trials(), [](unsigned seed) {
        generator rng(seed);
        shape whole = any_shape(rng);
        while (whole.rank() != 2) whole = any_shape(rng);
        sample<std::int16_t> x(any_layout(whole, true, rng), false, rng);
        sample<std::int32_t> table(any_layout(shape{1 + static_cast<std::int64_t>(below(rng, 50))}, false, rng), false,
                                   rng);
        const shape extents{1 + static_cast<std::int64_t>(below(rng, 40)),
                            1 + static_cast<std::int64_t>(below(rng, 40))};
        sample<std::int64_t> out(any_layout(extents, false, rng), false, rng);
        const layout& grid = out.where();
        std::vector<std::int64_t> want(static_cast<std::size_t>(extents.size()));
        for (std::int64_t i = 0; i < extents.size(); ++i)
            want[static_cast<std::size_t>(i)] =
                out.at(i / extents[1] * grid.strides[0] + i % extents[1] * grid.strides[1]);
        each_element(whole, {&x.where()}, [&](const auto& at, const auto& offsets) {
            const std::int64_t row = table.at((at[0] + at[1]) % table.where().shape[0] * table.where().strides[0]);
            const auto add = [&](std::int64_t r, std::int64_t c, std::int64_t value) {
                if (r >= 0 && r < extents[0] && c >= 0 && c < extents[1])
                    want[static_cast<std::size_t>(r * extents[1] + c)] += value;
            };
            add(row, at[1] - 1, x.at(offsets[0]));
            add(row + 1, at[1] - 1, x.at(offsets[0]));
            add(row, at[1] - 1, 1);
        });
        for (std::int64_t i = 0; i < extents.size(); ++i)
            out.expect(i / extents[1] * grid.strides[0] + i % extents[1] * grid.strides[1],
                       want[static_cast<std::size_t>(i)]);
        run::spread(x.input(), foldwise::view<const std::int32_t>(table.window()), out.output());
        ASSERT_TRUE(out.is_as_expected()) << rerun(seed) << ": x " << x.text() << ", out " << out.text();
    });
}

TEST(Scatter, OtherOperators) {
    std::vector<std::int64_t> places, values;
    std::vector<std::uint16_t> short_places;
    std::vector<std::uint32_t> bits;
    generator rng(1);
    for (int i = 0; i < 50'000; ++i) {
        places.push_back(static_cast<std::int64_t>(below(rng, 70)) - 3);
        values.push_back(static_cast<std::int64_t>(rng()));
        short_places.push_back(static_cast<std::uint16_t>(below(rng, 3000)));
        bits.push_back(static_cast<std::uint32_t>(rng()));
    }
    std::vector<std::int64_t> most(60, std::numeric_limits<std::int64_t>::lowest());
    std::vector<float> most_floats(60, -std::numeric_limits<float>::infinity()), floats;
    std::vector<std::uint32_t> folded(2500);
    for (std::size_t i = 0; i < places.size(); ++i) {
        floats.push_back(static_cast<float>(values[i]));
        if (places[i] >= 0 && places[i] < 60) {
            const auto place = static_cast<std::size_t>(places[i]);
            most[place] = std::max(most[place], values[i]);
            most_floats[place] = std::max(most_floats[place], floats[i]);
        }
        if (short_places[i] < folded.size()) folded[short_places[i]] ^= bits[i];
    }
    EXPECT_EQ(run::largest(places, values, shape{60}).to_host(), most);
    EXPECT_EQ(run::largest(places, floats, shape{60}).to_host(), most_floats);
    EXPECT_EQ(run::either(short_places, bits, shape{2500}).to_host(), folded);
}

/// What a call says when it refuses its operands.
template <class Error, class Call> std::string refusal(Call call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(Scatter, RefusesWithTheReason) {
    foldwise::array<std::int32_t> shared(20);
    std::vector<std::int32_t> values(8), three(3), four(4);
    EXPECT_EQ(
        refusal<foldwise::overlap_error>([&] { run::total(shared.slice(0, 0, 8), values, shared.slice(0, 4, 9)); }),
        "run::total: output out overlaps bin, of which every element may be read until the call is complete");
    EXPECT_EQ(refusal<foldwise::shape_error>([&] {
                  static_cast<void>(run::total(values, values, shape{2, 3}));
              }),
              "run::total: output out has shape (2, 3), of rank 2, and the places of the map have 1 axis");
    EXPECT_NE(refusal<foldwise::shape_error>([&] { run::total(three, four, values); }).find("(3)"), std::string::npos);
    EXPECT_EQ(run::total(three, three, shape{0}).size(), 0);
    EXPECT_EQ(run::total(std::vector<std::int32_t>(), std::vector<std::int32_t>(), shape{2}).to_host(),
              (std::vector<std::int32_t>{0, 0}));
}

}  // namespace
