// tests/unit/runtime/arguments_test.cpp: normalised calls name the same elements as NumPy's rules, one by one.
#include "arguments.hpp"

#include "any_layout.hpp"
#include "expect_error.hpp"
#include "test_kernels.hpp"
#include "vectorize/run_vectorize.hpp"

#include <foldwise/error.hpp>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

using namespace foldwise;
using detail::arguments;
using detail::operand_ref;
using test_kernels::mix;
using test_kernels::mix_operands;

namespace {

constexpr detail::kernel_operands at_index(int rank) { return {"test::at", mix_operands, 2, 1, rank}; }

// Far enough apart that nothing overlaps, and never touched.
constexpr std::uintptr_t bases[] = {0x100000000, 0x200000000, 0x300000000};

void* address(std::size_t operand) { return reinterpret_cast<void*>(bases[operand]); }

operand_ref ref(std::size_t operand, const detail::layout& layout) { return {address(operand), layout, {}, false}; }

using element = std::array<std::int64_t, 3>;  // an offset for each operand

std::int64_t offset_of(const void* data, std::size_t operand) {
    return (static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(data)) -
            static_cast<std::int64_t>(bases[operand])) /
           4;
}

/// In row-major order of the caller's shape.
std::vector<element> expected(const std::vector<operand_ref>& operands) {
    const shape& common = operands[2].layout.shape;
    std::vector<element> all;
    for (std::int64_t i = 0; i < common.size(); ++i) {
        element one{};
        std::int64_t rest = i;
        for (int axis = common.rank() - 1; axis >= 0; --axis) {
            const std::int64_t coordinate = rest % common[axis];
            rest /= common[axis];
            for (std::size_t k = 0; k < 3; ++k) {
                const shape& own = operands[k].layout.shape;
                const int there = axis - common.rank() + own.rank();
                if (!operands[k].is_scalar && there >= 0 && own[there] > 1)
                    one[k] += coordinate * operands[k].layout.strides[static_cast<std::size_t>(there)];
            }
        }
        all.push_back(one);
    }
    return all;
}

/// In row-major order of the normalised axes.
std::vector<element> found(const arguments& all) {
    std::vector<element> elements;
    for (std::int64_t i = 0; i < all.count; ++i) {
        element one{};
        for (std::size_t k = 0; k < 3; ++k) {
            if (all.operands[k].is_scalar) continue;
            one[k] = offset_of(all.operands[k].data, k);
            if (!all.is_strided) one[k] += i;
            std::int64_t rest = i;
            for (int axis = all.is_strided ? all.layout.rank - 1 : -1; axis >= 0; rest /= all.layout.extents[axis--])
                one[k] += rest % all.layout.extents[axis] * all.strides[k][axis];
        }
        elements.push_back(one);
    }
    return elements;
}

shape any_shape(std::mt19937& random) {
    std::vector<std::int64_t> extents(random() % 9);
    for (std::int64_t& extent : extents)
        extent = static_cast<std::int64_t>(extents.size() > 5 ? random() % 2 : random() % 4) + 1;
    return shape(std::span<const std::int64_t>(extents));
}

shape part_of(const shape& common, std::mt19937& random) {
    const std::size_t dropped = random() % (static_cast<std::size_t>(common.rank()) + 1) * (random() % 2);
    std::vector<std::int64_t> extents(common.begin() + dropped, common.end());
    for (std::int64_t& extent : extents) {
        if (random() % 4 == 0) extent = 1;
    }
    return shape(std::span<const std::int64_t>(extents));
}

/// Operands that broadcast to a random shape; nothing if those inputs do not fill it.
std::vector<operand_ref> any_operands(std::mt19937& random) {
    const shape common = any_shape(random);
    std::vector<operand_ref> operands{ref(0, any_layout(part_of(common, random), random)),
                                      ref(1, any_layout(random() % 2 ? common : part_of(common, random), random)),
                                      ref(2, any_layout(common, random))};
    float value = 0;
    if (random() % 5 == 0) operands[0] = {&value, {}, {}, true};
    const operand_ref* const sources[] = {&operands[0], &operands[1]};
    if (!(broadcast_shape(detail::operands_of(mix), sources, 2) == common)) operands.clear();
    return operands;
}

}  // namespace

TEST(Arguments, NameEveryElementOnce) {
    std::mt19937 random(3);
    int contiguous = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        const std::vector<operand_ref> operands = any_operands(random);
        if (operands.empty()) continue;
        arguments all;
        normalise(detail::operands_of(mix), {operands[0], operands[1]}, {operands[2]}, all);
        std::vector<element> want = expected(operands), got = found(all);
        ASSERT_EQ(all.count, static_cast<std::int64_t>(want.size()));
        std::sort(want.begin(), want.end());
        std::sort(got.begin(), got.end());
        ASSERT_EQ(got, want) << "trial " << trial;
        contiguous += !all.is_strided;
    }
    EXPECT_GT(contiguous, 500);
}

TEST(Arguments, KeepTheirOrderForAKernelThatTakesAnIndex) {
    std::mt19937 random(4);
    for (int trial = 0; trial < 5000; ++trial) {
        const std::vector<operand_ref> operands = any_operands(random);
        if (operands.empty()) continue;
        arguments all;
        normalise(at_index(1), {operands[0], operands[1]}, {operands[2]}, all);
        ASSERT_EQ(found(all), expected(operands)) << "trial " << trial;
    }
}

TEST(Arguments, ComeInTheirSimplestForm) {
    const shape extents{4, 1, 5, 6};
    const detail::layout whole = detail::row_major(extents);
    const auto normalised = [](const detail::layout& x, const detail::layout& out, arguments& all) {
        normalise(detail::operands_of(mix), {ref(0, x), ref(1, x)}, {ref(2, out)}, all);
    };
    {
        arguments all;  // the same order of axes everywhere: contiguous, whatever it is
        normalised(detail::transpose(whole), detail::transpose(whole), all);
        EXPECT_FALSE(all.is_strided);
    }
    {
        arguments all;  // backwards everywhere
        const detail::sublayout back = detail::slice(whole, 0, 3, -1, -1);
        normalised(back.layout, back.layout, all);
        EXPECT_FALSE(all.is_strided);
        EXPECT_EQ(offset_of(all.operands[2].data, 2), -90) << "it begins where the lowest address is";
    }
    {
        arguments all;  // a column and a row
        normalise(detail::operands_of(mix), {ref(0, detail::row_major({5, 1})), ref(1, detail::row_major(shape{6}))},
                  {ref(2, detail::row_major({5, 6}))}, all);
        EXPECT_EQ(all.layout.rank, 2);
        EXPECT_EQ(all.strides[0][0], 1);
        EXPECT_EQ(all.strides[0][1], 0);
        EXPECT_EQ(all.strides[1][0], 0);
        EXPECT_EQ(all.strides[1][1], 1);
    }
    {
        arguments all;  // one element
        normalised(detail::row_major({1, 1, 1}), detail::row_major({1, 1, 1}), all);
        EXPECT_FALSE(all.is_strided);
        EXPECT_EQ(all.count, 1);
    }
}

TEST(Arguments, AnIndexOfSeveralAxesNeedsAsMany) {
    const detail::layout cube = detail::row_major({2, 3, 4});
    const auto call = [&](int rank) {
        arguments all;
        normalise(at_index(rank), {ref(0, cube), ref(1, cube)}, {ref(2, cube)}, all);
    };
    call(1);
    call(3);
    expect_error<shape_error>([&] { call(2); }, "test::at: its index has 2 axes, and the call's shape is (2, 3, 4)");
}

TEST(Arguments, InputsStretchToTheOutputOfAKernelThatTakesAnIndex) {
    arguments all;
    normalise(at_index(2), {ref(0, detail::row_major({5, 1})), ref(1, detail::row_major(shape{1}))},
              {ref(2, detail::row_major({5, 6}))}, all);
    EXPECT_EQ(all.count, 30);
}

TEST(Arguments, OfNothingNeedNoMemory) {
    arguments all;
    const detail::layout none = detail::row_major({3, 0, 5});
    normalise(detail::operands_of(mix), {ref(0, none), ref(1, detail::row_major({3, 1, 1}))},
              {ref(2, detail::transpose(detail::transpose(none)))}, all);
    EXPECT_EQ(all.count, 0);
}
