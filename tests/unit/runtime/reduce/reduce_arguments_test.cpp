// tests/unit/runtime/reduce/reduce_arguments_test.cpp: normalised folds put the same elements into the same results as
// a plain loop, in the same order where it counts.
#include "reduce/reduce_arguments.hpp"

#include "any_layout.hpp"
#include "expect_error.hpp"

#include <foldwise/error.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

using namespace foldwise;
using detail::operand_ref;
using detail::reduce_arguments;
using detail::reduce_kernel;

namespace {

constexpr detail::operand_info mix_operands[] = {{"x", 4, 4}, {"y", 4, 4}, {"out", 4, 4}};

constexpr reduce_kernel mix(bool commutes, int index_rank = 0) {
    return {"test::mix", mix_operands, 2, 4, true, commutes, nullptr, nullptr, nullptr, index_rank};
}

// Far enough apart that nothing overlaps, and never touched.
constexpr std::uintptr_t bases[] = {0x100000000, 0x200000000, 0x300000000};

void* address(std::size_t operand) { return reinterpret_cast<void*>(bases[operand]); }

operand_ref ref(std::size_t operand, const detail::layout& layout) { return {address(operand), layout, {}, false}; }

std::int64_t offset_of(const void* data, std::size_t operand) {
    return (static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(data)) -
            static_cast<std::int64_t>(bases[operand])) /
           4;
}

void normalised(const reduce_kernel& kernel, const operand_ref& x, const operand_ref& y, const operand_ref& out,
                const axes& along, bool keepdims, reduce_arguments& all) {
    all.shapes = shapes_of(kernel, {x, y}, &along, {.keepdims = keepdims});
    normalise(kernel, {x, y}, out, true, all);
}

using element = std::array<std::int64_t, 3>;                 // offsets of the inputs, and the position in the call
using folds = std::map<std::int64_t, std::vector<element>>;  // of each result's offset

/// In row-major order of the caller's shape.
folds expected(const operand_ref& x, const operand_ref& y, const operand_ref& out,
               const detail::reduce_shapes& shapes) {
    folds all;
    std::vector<std::int64_t> index(static_cast<std::size_t>(shapes.whole.rank()));
    for (std::int64_t i = 0; i < shapes.whole.size(); ++i) {
        std::int64_t rest = i, result = 0;
        for (int axis = shapes.whole.rank() - 1; axis >= 0; rest /= shapes.whole[axis--])
            index[static_cast<std::size_t>(axis)] = rest % shapes.whole[axis];
        const bool keepdims = shapes.results.rank() == shapes.whole.rank();
        for (int axis = 0, own = 0; axis < shapes.whole.rank(); ++axis) {
            if (!shapes.is_folded[axis])
                result += index[static_cast<std::size_t>(axis)] * out.layout.strides[static_cast<std::size_t>(own++)];
            else
                own += keepdims;
        }
        element one{0, 0, i};
        for (std::size_t k = 0; k < 2; ++k) {
            const operand_ref& operand = k == 0 ? x : y;
            const int added = shapes.whole.rank() - operand.layout.shape.rank();
            for (int axis = 0; axis < operand.layout.shape.rank(); ++axis) {
                if (operand.layout.shape[axis] > 1)
                    one[k] += index[static_cast<std::size_t>(axis + added)] *
                              operand.layout.strides[static_cast<std::size_t>(axis)];
            }
        }
        all[result].push_back(one);
    }
    return all;
}

/// In row-major order of the normalised axes; without positions unless the kernel takes an index.
folds found(const reduce_kernel& kernel, const reduce_arguments& all) {
    const detail::reduce_call call = all.call(kernel, nullptr);
    folds elements;
    for (std::int64_t i = 0; i < call.elements.count; ++i) {
        element one{};
        std::int64_t result = offset_of(call.elements.operands[2].data, 2);
        for (std::size_t k = 0; k < 2; ++k) {
            if (!call.elements.operands[k].is_scalar)
                one[k] = offset_of(call.elements.operands[k].data, k) + (call.elements.layout ? 0 : i);
        }
        if (!call.elements.layout) one[2] = i;
        std::int64_t rest = i;
        for (int axis = call.elements.layout ? call.elements.layout->rank - 1 : -1; axis >= 0; --axis) {
            const std::int64_t at = rest % call.elements.layout->extents[axis];
            rest /= call.elements.layout->extents[axis];
            for (std::size_t k = 0; k < 2; ++k) one[k] += at * call.elements.layout->strides[k][axis];
            result += at * call.elements.layout->strides[2][axis];
            if (kernel.index_rank > 0) one[2] += at * call.positions[axis];
        }
        elements[result].push_back(one);
    }
    return elements;
}

shape shape_of(const std::vector<std::int64_t>& extents) { return shape(std::span<const std::int64_t>(extents)); }

struct any_call {
    explicit any_call(std::mt19937& random) {
        std::vector<std::int64_t> whole(random() % 6), part;
        for (std::int64_t& extent : whole) extent = static_cast<std::int64_t>(random() % 4) + 1;
        for (std::size_t axis = random() % (whole.size() + 1) * (random() % 2); axis < whole.size(); ++axis)
            part.push_back(random() % 4 == 0 ? 1 : whole[axis]);
        keepdims = random() % 3 == 0;
        std::vector<std::int64_t> results;
        for (std::size_t axis = 0; axis < whole.size(); ++axis) {
            const bool is_folded = random() % 2;
            if (is_folded) folded.push_back(static_cast<int>(axis));
            if (!is_folded || keepdims) results.push_back(is_folded ? 1 : whole[axis]);
        }
        x = ref(0, any_layout(shape_of(whole), random));
        y = ref(1, any_layout(shape_of(part), random));
        if (random() % 5 == 0) y = {&value, {}, {}, true};
        out = ref(2, any_layout(shape_of(results), random));
    }

    axes along() const {
        switch (folded.size()) {
        case 0:
            return axis();
        case 1:
            return axis(folded[0]);
        case 2:
            return axis(folded[1], folded[0]);
        case 3:
            return axis(folded[1], folded[0], folded[2]);
        case 4:
            return axis(folded[0], folded[1], folded[3], folded[2]);
        default:
            return axis(folded[0], folded[1], folded[2], folded[3], folded[4]);
        }
    }

    float value = 0;
    operand_ref x, y, out;
    std::vector<int> folded;
    bool keepdims;
};

void sort(folds& all) {
    for (auto& [result, elements] : all) std::sort(elements.begin(), elements.end());
}

void forget_positions(folds& all) {
    for (auto& [result, elements] : all)
        for (element& one : elements) one[2] = 0;
}

}  // namespace

TEST(FoldArguments, PutEveryElementIntoItsResult) {
    std::mt19937 random(5);
    for (int trial = 0; trial < 20000; ++trial) {
        const any_call call(random);
        reduce_arguments all;
        normalised(mix(true), call.x, call.y, call.out, call.along(), call.keepdims, all);
        folds want = expected(call.x, call.y, call.out, all.shapes), got = found(mix(true), all);
        for (folds* one : {&want, &got}) {
            forget_positions(*one);
            sort(*one);
        }
        ASSERT_EQ(got, want) << "trial " << trial;
        ASSERT_EQ(all.length(), static_cast<std::int64_t>(want.begin()->second.size())) << "trial " << trial;
    }
}

TEST(FoldArguments, KeepTheOrderOfEachResultsElements) {
    std::mt19937 random(6);
    for (int trial = 0; trial < 20000; ++trial) {
        const any_call call(random);
        reduce_arguments all;
        normalised(mix(false), call.x, call.y, call.out, call.along(), call.keepdims, all);
        folds want = expected(call.x, call.y, call.out, all.shapes), got = found(mix(false), all);
        forget_positions(want);
        forget_positions(got);
        ASSERT_EQ(got, want) << "trial " << trial;
    }
}

TEST(FoldArguments, KnowPositionsForAKernelThatTakesAnIndex) {
    std::mt19937 random(7);
    for (int trial = 0; trial < 20000; ++trial) {
        const any_call call(random);
        const reduce_kernel kernel = mix(random() % 2, 1);
        reduce_arguments all;
        normalised(kernel, call.x, call.y, call.out, call.along(), call.keepdims, all);
        ASSERT_EQ(found(kernel, all), expected(call.x, call.y, call.out, all.shapes)) << "trial " << trial;
    }
}

TEST(FoldArguments, ComeInTheirSimplestForm) {
    const operand_ref x = ref(0, detail::row_major({4, 1, 5, 6})), y = ref(1, detail::row_major({4, 1, 5, 6}));
    {
        reduce_arguments all;  // all elements
        normalised(mix(false), x, y, ref(2, detail::row_major(shape{})), axis(0, 1, 2, 3), false, all);
        EXPECT_FALSE(all.is_strided);
        EXPECT_EQ(all.kept, 0);
    }
    {
        reduce_arguments all;  // rows
        normalised(mix(false), x, y, ref(2, detail::row_major({4, 1})), axis(2, 3), false, all);
        EXPECT_EQ(all.kept, 1);
        EXPECT_EQ(all.layout.rank, 2);
        EXPECT_EQ(all.layout.extents[0], 4);
        EXPECT_EQ(all.layout.extents[1], 30);
        EXPECT_EQ(all.strides[0][1], 1);
        EXPECT_EQ(all.strides[2][0], 1);
        EXPECT_EQ(all.strides[2][1], 0);
    }
    {
        reduce_arguments all;  // columns
        normalised(mix(false), x, y, ref(2, detail::row_major({1, 5, 6})), axis(0), false, all);
        EXPECT_EQ(all.kept, 1);
        EXPECT_EQ(all.layout.rank, 2);
        EXPECT_EQ(all.layout.extents[0], 30);
        EXPECT_EQ(all.layout.extents[1], 4);
    }
    {
        reduce_arguments all;  // axes of one element are not folded along
        normalised(mix(false), x, y, ref(2, detail::row_major({4, 5, 6})), axis(1), false, all);
        EXPECT_EQ(all.kept, 1);
        EXPECT_EQ(all.layout.rank, 1);
        EXPECT_EQ(all.length(), 1);
    }
    {
        reduce_arguments all;  // elements that commute are walked upwards in memory
        const operand_ref turned = ref(0, detail::transpose(detail::row_major({6, 5})));
        normalised(mix(true), turned, ref(1, turned.layout), ref(2, detail::row_major(shape{})), axis(0, 1), false,
                   all);
        EXPECT_FALSE(all.is_strided);
    }
}

TEST(FoldArguments, WithoutElementsHaveTheResultsAxesAlone) {
    const operand_ref x = ref(0, detail::row_major({3, 0, 4})), y = ref(1, detail::row_major({1, 0, 1}));
    reduce_arguments all;
    normalised(mix(true), x, y, ref(2, detail::transpose(detail::row_major({4, 3}))), axis(1), false, all);
    EXPECT_EQ(all.count, 0);
    EXPECT_EQ(all.shapes.results, (shape{3, 4}));
    ASSERT_TRUE(all.is_strided);
    EXPECT_EQ(all.layout.rank, all.kept);
    std::int64_t results = 1;
    for (int axis = 0; axis < all.kept; ++axis) results *= all.layout.extents[axis];
    EXPECT_EQ(results, 12);
    reduce_arguments whole;
    normalised(mix(true), x, y, ref(2, detail::row_major(shape{})), axis(0, 1, 2), false, whole);
    EXPECT_FALSE(whole.is_strided);
}

TEST(FoldArguments, ShapesFollowFromTheAxes) {
    const operand_ref x = ref(0, detail::row_major({2, 1, 4})), y = ref(1, detail::row_major({3, 1}));
    const auto results = [&](const axes& along, bool keepdims) {
        return shapes_of(mix(true), {x, y}, &along, {.keepdims = keepdims}).results;
    };
    EXPECT_EQ(results(axis(0), false), (shape{3, 4}));
    EXPECT_EQ(results(axis(-3), true), (shape{1, 3, 4}));
    EXPECT_EQ(results(axis(2, 0), false), shape(3));
    EXPECT_EQ(results(axis(2, 0), true), (shape{1, 3, 1}));
    EXPECT_EQ(results(axis(), false), (shape{2, 3, 4}));
    EXPECT_EQ(results(axis(0, 1, 2), false), shape{});
    EXPECT_EQ(shapes_of(mix(true), {x, y}, nullptr, {}).results, shape{});
    expect_error<shape_error>([&] { results(axis(3), false); },
                              "test::mix: axis 3 is not one of shape (2, 3, 4), which has 3 axes");
    expect_error<shape_error>([&] { results(axis(1, -2), false); },
                              "test::mix: axis -2 of shape (2, 3, 4) is named twice");
}

TEST(FoldArguments, ResultsOverlapNoInputAndNotThemselves) {
    const operand_ref x = ref(0, detail::row_major({4, 5})), y = ref(1, detail::row_major({4, 5}));
    const auto fold_to = [&](std::int64_t offset, const detail::layout& where) {
        reduce_arguments all;
        const operand_ref out{static_cast<std::byte*>(address(0)) + offset * 4, where, {}, false};
        normalised(mix(true), x, y, out, axis(1), false, all);
    };
    const detail::layout four = detail::row_major(shape(4));
    fold_to(20, four);
    fold_to(-4, four);
    expect_error<overlap_error>([&] { fold_to(19, four); }, "test::mix: output out overlaps x");
    expect_error<overlap_error>([&] { fold_to(-3, four); }, "test::mix: output out overlaps x");
    expect_error<overlap_error>(
        [&] {
            fold_to(20, {shape(4), {0}});
        },
        "test::mix: output out overlaps itself: several of its elements are in the same memory");
}
