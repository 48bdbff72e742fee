// tests/unit/runtime/reduce_options_test.cpp: axes by number, and the merged options of a call.
#include <foldwise/reduce_options.hpp>

#include "expect_error.hpp"

#include <foldwise/error.hpp>

#include <cstdint>
#include <stdexcept>

using namespace foldwise;
using detail::reduce_options;
using detail::together;

TEST(Axes, AreAnyIntegers) {
    EXPECT_EQ(axis().count(), 0);
    const axes some = axis(2, std::int64_t{-1}, std::uint8_t{7});
    ASSERT_EQ(some.count(), 3);
    EXPECT_EQ(some[0], 2);
    EXPECT_EQ(some[1], -1);
    EXPECT_EQ(some[2], 7);
    EXPECT_EQ(axis(0, 1, 2, 3, 4, 5, 6, 7).count(), max_rank);
}

TEST(Axes, BeyondAnInt) {
    for (const axes& far : {axis(std::int64_t{1} << 32), axis(std::int64_t{-1} << 32), axis(UINT64_MAX)})
        EXPECT_TRUE(far[0] >= max_rank || far[0] < -max_rank) << far[0] << " is an axis of some shape";
}

TEST(Axes, AreNoMoreThanAShapeHas) {
    expect_error<shape_error>([] { axis(0, 1, 2, 3, 4, 5, 6, 7, 0); },
                              "more than 8 axes are named, and no shape has as many");
}

TEST(ReduceOptions, NoneLeaveTheDefaults) {
    const axes_option<double> none;
    const reduce_options options = together({none.ref(), none.ref()});
    EXPECT_EQ(options.initial, nullptr);
    EXPECT_EQ(options.where_to_run(), executor());
    EXPECT_FALSE(options.keepdims);
}

TEST(ReduceOptions, ComeInAnyOrder) {
    const axes_option<double> begin = initial(3), place = cpu(), keep = keepdims;
    for (const reduce_options& options :
         {together({begin.ref(), place.ref(), keep.ref()}), together({keep.ref(), begin.ref(), place.ref()})}) {
        ASSERT_NE(options.initial, nullptr);
        EXPECT_EQ(*static_cast<const double*>(options.initial), 3.0) << "it is converted to the accumulator's type";
        EXPECT_EQ(options.where_to_run(), cpu());
        EXPECT_TRUE(options.keepdims);
    }
}

TEST(ReduceOptions, InitialValuesAreKept) {
    expect_error<value_error>(
        [] { return reduce_option<int>(initial(2.5)); },
        "foldwise::initial is 2.5, and it has to be one of the integers from -2147483648 to 2147483647");
    expect_error<value_error>([] { return reduce_option<std::uint8_t>(initial(300)); }, "300", "from 0 to 255");
    expect_error<value_error>([] { return reduce_option<std::uint8_t>(initial(-1)); }, "-1");
    const reduce_option<std::uint8_t> most = initial(255.0);
    EXPECT_EQ(*static_cast<const std::uint8_t*>(together({most.ref()}).initial), 255);
    const reduce_option<float> rounded = initial(0.1);
    EXPECT_EQ(*static_cast<const float*>(together({rounded.ref()}).initial), 0.1f);
}

TEST(ReduceOptions, AStructMayBeginAFold) {
    struct pair {
        int a, b;
    };
    const reduce_option<pair> begin = initial(pair{1, 2});
    const reduce_options options = together({begin.ref()});
    EXPECT_EQ(static_cast<const pair*>(options.initial)->b, 2);
}

TEST(ReduceOptions, TwoOfAKindAreRefused) {
    const axes_option<double> begin = initial(0.0), end = initial(1.0), here = cpu(), anywhere = executor(),
                              keep = keepdims;
    expect_error<std::invalid_argument>(
        [&] {
            together({begin.ref(), end.ref()});
        },
        "a call was given a second initial value");
    expect_error<std::invalid_argument>(
        [&] {
            together({here.ref(), keep.ref(), anywhere.ref()});
        },
        "a call was given a second executor");
    expect_error<std::invalid_argument>(
        [&] {
            together({anywhere.ref(), here.ref()});
        },
        "a call was given a second executor");
    EXPECT_TRUE(together({keep.ref(), keep.ref()}).keepdims) << "which says nothing else than one does";
}
