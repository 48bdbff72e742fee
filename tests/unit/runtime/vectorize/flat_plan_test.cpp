// tests/unit/runtime/vectorize/flat_plan_test.cpp: which calls are launched flat, and how kernels find their elements.
#define FOLDWISE_SIMULATOR 1
#include "vectorize/flat_plan.hpp"

#include <foldwise/device/vectorize/flat.hpp>

#include <gtest/gtest.h>

#include <vector>

using namespace foldwise::detail;
using foldwise::device_code::flat_position;

namespace {

/// A call of one input and one output, at addresses that nobody touches.
struct call_of {
    std::vector<std::int64_t> extents, input, output;
    std::uintptr_t address = 1 << 20;

    template <class F> auto operator()(F&& f) const {
        std::int64_t strides[2][max_axes] = {};
        element_layout layout{static_cast<int>(extents.size()), {}, strides};
        std::int64_t count = 1;
        for (std::size_t axis = 0; axis < extents.size(); ++axis) {
            layout.extents[axis] = extents[axis];
            strides[0][axis] = input[axis];
            strides[1][axis] = output[axis];
            count *= extents[axis];
        }
        const operand_address operands[] = {{reinterpret_cast<void*>(address), false},
                                            {reinterpret_cast<void*>(address), false}};
        return f(element_range{count, operands, &layout, 0, nullptr});
    }
    bool is_flat(int width = 4) const {
        return (*this)([=](const element_range& call) { return foldwise::detail::is_flat(call, 1, 2, width); });
    }
    flat_reading reading(std::int64_t before = 0) const {
        return (*this)([=](const element_range& call) { return reading_of(call, 0, 4, 4, before); });
    }
};

/// Checks every offset of the input, and that walks of `Width` elements from any of them agree where they stay in the
/// plane.
template <int Width> void expect_offsets(const call_of& call) {
    std::vector<int> expected, data(1000);
    std::vector<std::int64_t> at(call.extents.size());
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<int>(i);
    const int* const origin = data.data() + 100;
    call([&](const element_range& made) {
        for (std::int64_t number = 0; number < made.count; ++number) {
            std::int64_t rest = number, offset = 0;
            for (std::size_t axis = at.size(); axis-- > 0; rest /= call.extents[axis])
                offset += rest % call.extents[axis] * call.input[axis];
            expected.push_back(static_cast<int>(offset));
        }
        const flat_axes axes = flat_axes_of(*made.layout, Width, 1);
        const flat_steps steps = flat_steps_of(*made.layout, 0);
        for (std::uint32_t number = 0; number < expected.size(); ++number) {
            const flat_position from({0, static_cast<int>(number)}, axes, number);
            EXPECT_EQ(foldwise::device_code::offset_of(from, steps), expected[number]) << number;
            if (number + Width > expected.size() || !from.stays_in_plane(axes, Width)) continue;
            foldwise::device_code::arrival<int, Width> walked;
            foldwise::device_code::walk(origin, from, steps, walked);
            for (std::uint32_t k = 0; k < Width; ++k)
                EXPECT_EQ(walked[static_cast<int>(k)] - 100, expected[number + k]) << number << " to " << k;
        }
    });
}

}  // namespace

TEST(Flat, WalksGoOnWhereRowsEnd) {
    expect_offsets<16>({{64, 3}, {1, 100}, {3, 1}});
    expect_offsets<16>({{40}, {2}, {1}});
    expect_offsets<16>({{5, 3, 7}, {50, -11, 2}, {21, 7, 1}});
    expect_offsets<8>({{4, 3, 2, 5}, {1, 0, 100, 7}, {30, 10, 5, 1}});
    expect_offsets<16>({{4, 3, 16, 1}, {1, 250, 9, 0}, {48, 16, 1, 1}});
}

TEST(Flat, VectorsEndInTheirPlane) {
    const call_of call{{5, 3, 7}, {50, 7, 1}, {21, 7, 1}};
    call([](const element_range& made) {
        const auto stays = [&](int width, std::int64_t before, std::uint32_t number) {
            const flat_axes axes = flat_axes_of(*made.layout, width, before);
            return flat_position({0, static_cast<int>(number)}, axes, number).stays_in_plane(axes, width);
        };
        EXPECT_TRUE(stays(4, 0, 17));
        EXPECT_FALSE(stays(4, 0, 18));
        EXPECT_TRUE(stays(4, 0, 21));
        EXPECT_TRUE(stays(7, 0, 18));  // where vectors fill planes, none begins there
        EXPECT_FALSE(stays(7, 1, 18));
    });
}

TEST(Flat, NeedsOutputsInOrder) {
    EXPECT_TRUE((call_of{{100, 3}, {1, 100}, {3, 1}}.is_flat()));
    EXPECT_FALSE((call_of{{100, 3}, {1, 100}, {4, 1}}.is_flat()));
    EXPECT_FALSE((call_of{{100, 3}, {1, 100}, {6, 2}}.is_flat()));
    EXPECT_FALSE((call_of{{100, 3}, {1, 100}, {1, 100}}.is_flat()));
}

TEST(Flat, NeedsFewAxesAndPlanesOfManyVectors) {
    EXPECT_TRUE((call_of{{9, 9, 9, 8}, {0, 1, 0, 1}, {648, 72, 8, 1}}.is_flat()));
    EXPECT_FALSE((call_of{{9, 9, 9, 9, 8}, {1, 0, 1, 0, 1}, {5832, 648, 72, 8, 1}}.is_flat()));
    EXPECT_TRUE((call_of{{9, 5, 3}, {3, 0, 1}, {15, 3, 1}}.is_flat(5)));
    EXPECT_FALSE((call_of{{9, 5, 3}, {3, 0, 1}, {15, 3, 1}}.is_flat(4)));
    EXPECT_TRUE((call_of{{9, 345, 3}, {3, 0, 1}, {1035, 3, 1}}.is_flat(4)));
    EXPECT_TRUE((call_of{{5, 3}, {1, 5}, {3, 1}}.is_flat(16)));  // the only plane
}

TEST(Flat, NeedsOffsetsOf32Bits) {
    const std::int64_t far = INT32_MAX;
    EXPECT_TRUE((call_of{{4, 100}, {far / 4 - 25, 1}, {100, 1}}.is_flat()));
    EXPECT_FALSE((call_of{{4, 100}, {far / 4 - 24, 1}, {100, 1}}.is_flat()));
    EXPECT_FALSE((call_of{{4, 100}, {-far / 4, 1}, {100, 1}}.is_flat()));
    EXPECT_FALSE((call_of{{4, 100}, {8 * far, 1}, {100, 1}}.is_flat()));
}

TEST(Flat, VectorsAreReadWholeWhereTheyEndInTheirRow) {
    call_of call{{10, 100}, {0, 1}, {100, 1}};
    EXPECT_EQ(call.reading(), flat_reading::vectors);
    EXPECT_EQ(call.reading(1), flat_reading::elements);
    call.address += 4;
    EXPECT_EQ(call.reading(), flat_reading::elements);
    EXPECT_EQ((call_of{{10, 101}, {0, 1}, {101, 1}}.reading()), flat_reading::elements);
    EXPECT_EQ((call_of{{10, 100}, {101, 1}, {100, 1}}.reading()), flat_reading::elements);
    EXPECT_EQ((call_of{{10, 100}, {104, 1}, {100, 1}}.reading()), flat_reading::vectors);
}

TEST(Flat, VectorsOfWhatLiesInOrderGoOnInTheNextRow) {
    call_of call{{10, 101}, {101, 1}, {101, 1}};
    EXPECT_EQ(call.reading(), flat_reading::vectors);
    EXPECT_EQ(call.reading(1), flat_reading::elements);
    call.address += 4;
    EXPECT_EQ(call.reading(), flat_reading::elements);
    EXPECT_EQ(call.reading(1), flat_reading::vectors);
}

TEST(Flat, AnElementIsRepeatedWhereVectorsEndInTheirRow) {
    EXPECT_EQ((call_of{{10, 100}, {1, 0}, {100, 1}}.reading()), flat_reading::repeated);
    EXPECT_EQ((call_of{{10, 100}, {1, 0}, {100, 1}}.reading(1)), flat_reading::elements);
    EXPECT_EQ((call_of{{10, 101}, {1, 0}, {101, 1}}.reading()), flat_reading::elements);
}
