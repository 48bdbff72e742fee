// tests/run/whole_arrays_test.cpp: arrays that every element of a call is computed with as a whole, of random shape and
// strides, against plain loops, on the executor that the environment names.
#include "shapes_sample.hpp"
#include "whole_arrays.kernels.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace run_tests {

/// Whole numbers, of which sums and products are exact.
template <> struct random_elements<double> {
    static void fill(std::vector<double>& all, generator& rng) {
        for (double& one : all) one = static_cast<double>(below(rng, 201)) - 100;
    }
};
template <> struct random_elements<std::int16_t> {
    static void fill(std::vector<std::int16_t>& all, generator& rng) {
        for (std::int16_t& one : all) one = static_cast<std::int16_t>(below(rng, 1000));
    }
};
template <> struct random_elements<std::int32_t> {
    static void fill(std::vector<std::int32_t>& all, generator& rng) {
        for (std::int32_t& one : all) one = static_cast<std::int32_t>(below(rng, 1000));
    }
};

}  // namespace run_tests

namespace {

using namespace run_tests;

unsigned trials() { return runs_on("simulator") ? 300 : 1500; }

/// A table of random layout that is no single value.
template <class T> sample<T> any_table(const shape& extents, generator& rng) {
    return sample<T>(any_layout(extents, false, rng), false, rng);
}
std::int64_t some(generator& rng, std::size_t most) { return 1 + static_cast<std::int64_t>(below(rng, most)); }

/// A whole operand of either kind: a view of dynamic rank, or of the array itself.
template <class T, int N> foldwise::operand<const foldwise::view<const T, N>> whole(sample<T>& table) {
    return foldwise::view<const T>(table.window());
}

template <class T> class LookUp : public testing::Test {};
using looked_up = testing::Types<float, run::block12>;
TYPED_TEST_SUITE(LookUp, looked_up);

TYPED_TEST(LookUp, OfAnyShape) {
    using T = TypeParam;
    many(trials(), [](unsigned seed) {
        generator rng(seed);
        const shape extents = any_shape(rng);
        sample<std::uint8_t> keys(extents, true, rng);
        sample<T> table = any_table<T>(shape{some(rng, 300)}, rng);
        const shape common = keys.is_scalar() ? extents : keys.where().shape;
        sample<T> out(common, false, rng);
        const std::string line =
            rerun(seed) + ": keys " + keys.text() + ", table " + table.text() + ", out " + out.text();
        const std::int64_t count = table.where().shape[0], stride = table.where().strides[0];
        each_element(common, {&keys.where(), &out.where()}, [&](const auto&, const auto& offsets) {
            out.expect(offsets[1], table.at(keys.at(offsets[0]) % count * stride));
        });
        run::look_up(keys.input(), whole<T, 1>(table), out.output());
        ASSERT_TRUE(out.is_as_expected()) << line;
    });
}

TEST(WholeArrays, BesideElementsThatBroadcast) {
    many(trials(), [](unsigned seed) {
        generator rng(seed);
        shape extents = any_shape(rng);
        while (extents.rank() != 2) extents = any_shape(rng);
        sample<std::int16_t> x(any_part(extents, rng), true, rng);
        sample<double> y(any_part(extents, rng), true, rng);
        sample<std::int32_t> grid = any_table<std::int32_t>(shape{some(rng, 20), some(rng, 20)}, rng);
        sample<double> weights = any_table<double>(shape{some(rng, 50)}, rng);
        sample<std::int32_t> first(extents, false, rng);
        sample<double> second(extents, false, rng);
        const std::string line = rerun(seed) + ": x " + x.text() + ", y " + y.text() + ", grid " + grid.text() +
                                 ", weights " + weights.text();
        const layout &cells = grid.where(), &factors = weights.where();
        each_element(extents, {&x.where(), &y.where(), &first.where(), &second.where()},
                     [&](const auto& at, const auto& offsets) {
                         first.expect(offsets[2], grid.at(at[1] % cells.shape[0] * cells.strides[0] +
                                                          at[0] % cells.shape[1] * cells.strides[1]) +
                                                      x.at(offsets[0]));
                         second.expect(offsets[3], weights.at((at[0] + at[1]) % factors.shape[0] * factors.strides[0]) +
                                                       y.at(offsets[1]));
                     });
        run::mix(whole<std::int32_t, 2>(grid), x.input(), whole<double, 1>(weights), y.input(), first.output(),
                 second.output());
        ASSERT_TRUE(first.is_as_expected()) << line;
        ASSERT_TRUE(second.is_as_expected()) << line;
    });
}

TEST(WholeArrays, WithoutElements) {
    for (std::int64_t n : {1, 33, 5000}) {
        std::vector<double> x(static_cast<std::size_t>(n));
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
        const std::vector<double> made = run::reversed(shape{n}, x).to_host();
        double sum = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            ASSERT_EQ(made[i], static_cast<double>(n - 1) - x[i]);
            sum += x[i] * x[i];
        }
        EXPECT_EQ(run::dot_of_shape(shape{n}, foldwise::to_device(x)), sum);
    }
}

TEST(WholeArrays, InReductions) {
    many(trials(), [](unsigned seed) {
        generator rng(seed);
        shape extents = any_shape(rng);
        while (extents.rank() < 1 || extents.rank() > 3) extents = any_shape(rng);
        sample<double> values(extents, true, rng);
        sample<std::int32_t> columns(any_layout(extents, true, rng), false, rng);
        sample<double> x = any_table<double>(shape{some(rng, 100)}, rng);
        const int axis = static_cast<int>(below(rng, static_cast<std::size_t>(extents.rank())));
        const layout& own = x.where();
        double total = 0;
        std::vector<double> folded(static_cast<std::size_t>(extents.size() == 0 ? 0 : extents.size() / extents[axis]));
        each_element(extents, {&values.where(), &columns.where()}, [&](const auto& at, const auto& offsets) {
            const double product = values.at(offsets[0]) * x.at(columns.at(offsets[1]) % own.shape[0] * own.strides[0]);
            total += product;
            std::int64_t place = 0;
            for (int k = 0; k < extents.rank(); ++k)
                if (k != axis) place = place * extents[k] + at[static_cast<std::size_t>(k)];
            folded[static_cast<std::size_t>(place)] += product;
        });
        const std::string line = rerun(seed) + ": values " + values.text() + ", columns " + columns.text() + ", x " +
                                 x.text() + ", along " + std::to_string(axis);
        ASSERT_EQ(run::weighted(values.input(), columns.input(), whole<double, 1>(x)), total) << line;
        if (extents.size() == 0) return;
        ASSERT_EQ(run::weighted(values.input(), columns.input(), whole<double, 1>(x), foldwise::axis(axis)).to_host(),
                  folded)
            << line;
    });
}

TEST(WholeArrays, InReductionsWhoseOrderMatters) {
    many(trials() / 3, [](unsigned seed) {
        generator rng(seed);
        shape extents = any_shape(rng);
        while (extents.rank() != 2) extents = any_shape(rng);
        sample<std::uint8_t> keys(extents, true, rng);
        sample<std::uint32_t> table = any_table<std::uint32_t>(shape{some(rng, 300), some(rng, 9)}, rng);
        const layout& own = table.where();
        run::affine folded{1, 0};
        if (!keys.is_scalar()) {
            each_element(extents, {&keys.where()}, [&](const auto& at, const auto& offsets) {
                const std::int64_t row = keys.at(offsets[0]) % own.shape[0] * own.strides[0];
                const run::affine g{table.at(row) | 1, table.at(row + at[1] % own.shape[1] * own.strides[1])};
                folded = {folded.a * g.a, folded.b * g.a + g.b};
            });
            const run::affine got = run::recurrence(whole<std::uint32_t, 2>(table), keys.input());
            ASSERT_TRUE(got.a == folded.a && got.b == folded.b)
                << rerun(seed) << ": keys " << keys.text() << ", table " << table.text();
        }
    });
}

TEST(WholeArrays, MoreElementsThanAChunk) {
    std::vector<std::uint8_t> keys(3'000'001);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<std::uint8_t>(i * 2654435761u >> 13);
    std::vector<float> table(256), out(keys.size());
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<float>(i * i);
    run::look_up(keys, table, out);
    for (std::size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(out[i], table[keys[i]]) << i;
}

TEST(WholeArrays, ValuesAloneGiveAValue) {
    const std::vector<float> table{5, 6, 7};
    EXPECT_EQ(run::look_up(std::uint8_t{4}, table), 6);
    static_assert(std::is_same_v<decltype(run::look_up(std::uint8_t{4}, table)), float>);
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

TEST(WholeArrays, AreRefusedWithTheReason) {
    std::vector<std::uint8_t> keys(4);
    std::vector<float> table(4);
    foldwise::array<float> square(shape{2, 2}), shared(8);
    EXPECT_EQ(refusal<foldwise::shape_error>([&] { static_cast<void>(run::look_up(keys, square)); }),
              "run::look_up: table has shape (2, 2), of rank 2, and the lambda takes a view of rank 1");
    const auto part = shared.slice(0, 2, 6);
    EXPECT_EQ(refusal<foldwise::overlap_error>([&] { run::look_up(keys, shared, part); }),
              "run::look_up: output out overlaps table, of which every element may be read until the call is complete");
    std::vector<double> values(12), x(4);
    std::vector<std::int32_t> columns(12);
    const foldwise::view<const double> v(values.data(), shape{3, 4});
    const foldwise::view<const std::int32_t> c(columns.data(), shape{3, 4});
    EXPECT_EQ(refusal<foldwise::overlap_error>([&] { run::weighted(v, c, x, x, foldwise::axis(0)); }),
              "run::weighted: output out overlaps x, of which every element may be read until the call is complete");
    EXPECT_EQ(refusal<foldwise::shape_error>([&] { static_cast<void>(run::weighted(v, c, v)); }),
              "run::weighted: x has shape (3, 4), of rank 2, and the lambda takes a view of rank 1");
}

TEST(WholeArrays, MayBeEmpty) {
    std::vector<std::uint8_t> none;
    std::vector<float> table;
    EXPECT_EQ(run::look_up(none, table).size(), 0);
}

}  // namespace
