// tests/unit/runtime/device/flat_test.cpp: where the elements of a flat launch are.
#define FOLDWISE_SIMULATOR 1
#include <foldwise/device/flat.hpp>

#include <gtest/gtest.h>

#include <vector>

using namespace foldwise::device_code;
using foldwise::detail::elementwise_call;
using foldwise::detail::elementwise_layout;
using foldwise::detail::elementwise_operand;
using foldwise::detail::max_axes;

namespace {

/// A call of one input and one output, at addresses that nobody touches.
struct call_of {
    std::vector<std::int64_t> extents, input, output;
    std::uintptr_t address = 1 << 20;

    template <class F> auto operator()(F&& f) const {
        std::int64_t strides[2][max_axes] = {};
        elementwise_layout layout{static_cast<int>(extents.size()), {}, strides};
        std::int64_t count = 1;
        for (std::size_t axis = 0; axis < extents.size(); ++axis) {
            layout.extents[axis] = extents[axis];
            strides[0][axis] = input[axis];
            strides[1][axis] = output[axis];
            count *= extents[axis];
        }
        const elementwise_operand operands[] = {{reinterpret_cast<void*>(address), false},
                                                {reinterpret_cast<void*>(address), false}};
        return f(elementwise_call{count, operands, &layout, 0, nullptr});
    }
    bool is_flat(int width = 4) const {
        return (*this)([=](const elementwise_call& call) { return foldwise::device_code::is_flat(call, 1, 2, width); });
    }
    bool has_vectors() const {
        return (*this)([](const elementwise_call& call) { return has_whole_vectors(call, 0, 4, 4); });
    }
};

/// Checks every offset of the input, and that walks of up to `width` elements from any of them agree.
void expect_offsets(const call_of& call, std::uint32_t width) {
    std::vector<std::int64_t> expected;
    std::vector<std::int64_t> at(call.extents.size());
    call([&](const elementwise_call& made) {
        for (std::int64_t number = 0; number < made.count; ++number) {
            std::int64_t rest = number, offset = 0;
            for (std::size_t axis = at.size(); axis-- > 0; rest /= call.extents[axis])
                offset += rest % call.extents[axis] * call.input[axis];
            expected.push_back(offset);
        }
        const flat_axes axes = flat_axes::of(*made.layout);
        const flat_steps steps = flat_steps::of(*made.layout, 0);
        for (std::uint32_t number = 0; number < expected.size(); ++number) {
            const flat_position from({0, static_cast<int>(number)}, axes, number);
            EXPECT_EQ(steps.offset(from), expected[number]) << number;
            flat_walk walk(steps, from);
            for (std::uint32_t k = number; k < expected.size() && k < number + width; ++k) {
                if (k > number) walk.advance();
                EXPECT_EQ(walk.offset(), expected[k]) << number << " to " << k;
            }
        }
    });
}

}  // namespace

TEST(Flat, WalksGoOnWhereRowsAndPlanesEnd) {
    expect_offsets({{64, 3}, {1, 100}, {3, 1}}, 16);
    expect_offsets({{40}, {2}, {1}}, 16);
    expect_offsets({{5, 3, 7}, {50, -11, 2}, {21, 7, 1}}, 16);
    expect_offsets({{4, 3, 2, 5}, {1, 0, 100, 7}, {30, 10, 5, 1}}, 8);
    expect_offsets({{4, 3, 16, 1}, {1, 500, 9, 0}, {48, 16, 1, 1}}, 16);
}

TEST(Flat, NeedsOutputsInOrder) {
    EXPECT_TRUE((call_of{{100, 3}, {1, 100}, {3, 1}}.is_flat()));
    EXPECT_FALSE((call_of{{100, 3}, {1, 100}, {4, 1}}.is_flat()));
    EXPECT_FALSE((call_of{{100, 3}, {1, 100}, {6, 2}}.is_flat()));
    EXPECT_FALSE((call_of{{100, 3}, {1, 100}, {1, 100}}.is_flat()));
}

TEST(Flat, NeedsFewAxesAndPlanesAsLongAsAVector) {
    EXPECT_TRUE((call_of{{9, 9, 9, 9}, {0, 1, 0, 1}, {729, 81, 9, 1}}.is_flat()));
    EXPECT_FALSE((call_of{{9, 9, 9, 9, 9}, {1, 0, 1, 0, 1}, {6561, 729, 81, 9, 1}}.is_flat()));
    const call_of small{{9, 5, 3}, {3, 0, 1}, {15, 3, 1}};
    EXPECT_TRUE(small.is_flat(15));
    EXPECT_FALSE(small.is_flat(16));
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
    EXPECT_TRUE(call.has_vectors());
    call.address += 4;
    EXPECT_FALSE(call.has_vectors());
    EXPECT_FALSE((call_of{{10, 101}, {0, 1}, {101, 1}}.has_vectors()));
    EXPECT_FALSE((call_of{{10, 100}, {101, 1}, {100, 1}}.has_vectors()));
    EXPECT_TRUE((call_of{{10, 100}, {104, 1}, {100, 1}}.has_vectors()));
    EXPECT_FALSE((call_of{{10, 100}, {4, 0}, {100, 1}}.has_vectors()));
}
