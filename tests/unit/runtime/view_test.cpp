// tests/unit/runtime/view_test.cpp: views, and slices of them.
#include <foldwise/view.hpp>

#include "expect_error.hpp"
#include "fake_gpu.hpp"

#include <foldwise/array.hpp>
#include <foldwise/error.hpp>

#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using foldwise::shape;
using foldwise::view;

static_assert(std::is_convertible_v<view<float>, view<const float>>);
static_assert(!std::is_convertible_v<view<const float>, view<float>>);
static_assert(!std::is_convertible_v<view<float>, view<const double>>);
static_assert(std::is_same_v<view<const float>::value_type, float>);
static_assert(std::is_trivially_copyable_v<view<float>>);

TEST(View, SlicesPointAtTheRightElements) {
    std::vector<int> data(24);
    std::iota(data.begin(), data.end(), 0);
    const view<int> whole(data.data(), {4, 6});
    const view<int> part = whole.slice(0, 3, 0, -2).slice(1, 1, 6, 2);  // rows 3 and 1, columns 1, 3 and 5
    EXPECT_EQ(part.shape(), (shape{2, 3}));
    EXPECT_EQ(part.size(), 6);
    ASSERT_EQ(part.strides().size(), 2u);
    for (std::int64_t i = 0; i < 2; ++i) {
        for (std::int64_t j = 0; j < 3; ++j)
            EXPECT_EQ(part.data()[i * part.strides()[0] + j * part.strides()[1]], (3 - 2 * i) * 6 + 1 + 2 * j);
    }
    EXPECT_FALSE(part.is_contiguous());
    EXPECT_TRUE(whole.slice(0, 1, 3).is_contiguous());
}

TEST(View, WritesThroughToItsOwner) {
    std::vector<int> data(6);
    const view<int> columns = view<int>(data.data(), {2, 3}).slice(1, 2, -1, -2);
    columns.data()[columns.strides()[0] + columns.strides()[1]] = 7;  // row 1, column 0
    EXPECT_EQ(data, (std::vector<int>{0, 0, 0, 7, 0, 0}));
    const view<const int> read = columns;
    EXPECT_EQ(read.data(), columns.data());
    EXPECT_EQ(read.shape(), columns.shape());
    EXPECT_EQ(read.strides()[1], -2);
}

TEST(View, KeepsItsPlace) {
    float element = 0;
    const foldwise::place gpu{foldwise::memory::cuda, 1};
    const view<float> one(&element, shape{1}, gpu);
    EXPECT_EQ(one.slice(0, 0, 1).place(), gpu);
    EXPECT_EQ(one.reshape({1, 1}).place(), gpu);
    EXPECT_EQ(view<const float>(one).place(), gpu);
}

TEST(View, Reshapes) {
    std::vector<int> data(12);
    const view<int> whole(data.data(), shape{12});
    EXPECT_EQ(whole.reshape({3, 4}).shape(), (shape{3, 4}));
    EXPECT_EQ(whole.slice(0, 2, 8).reshape({2, 3}).data(), data.data() + 2);
    expect_error<foldwise::shape_error>([&] { return whole.reshape({3, 5}); }, "(12)", "(3, 5)");
    const view<int> even = whole.slice(0, 0, 12, 2);
    EXPECT_EQ(even.reshape({2, 3}).strides()[0], 6);
    EXPECT_EQ(even.reshape({2, 3}).strides()[1], 2);
    expect_error<foldwise::shape_error>(
        [&] {
            return even.reshape({2, 3}).transpose().reshape(shape{6});
        },
        "(3, 2)", "strides (2, 6)", "(6)");
}

TEST(View, PermutesItsAxes) {
    std::vector<int> data(24);
    std::iota(data.begin(), data.end(), 0);
    const view<int> whole(data.data(), {2, 3, 4});
    const view<int> turned = whole.transpose();
    EXPECT_EQ(turned.shape(), (shape{4, 3, 2}));
    EXPECT_EQ(turned.strides()[0], 1);
    EXPECT_EQ(turned.strides()[2], 12);
    const view<int> last_first = whole.permute(-1, 0, 1);
    EXPECT_EQ(last_first.shape(), (shape{4, 2, 3}));
    EXPECT_EQ(last_first.data()[3 * last_first.strides()[0] + last_first.strides()[1] + 2 * last_first.strides()[2]],
              23);
    EXPECT_EQ(view<int>(data.data(), shape{}).permute().shape(), shape{});
    expect_error<foldwise::shape_error>([&] { return whole.permute(0, 1); }, "(0, 1)", "(2, 3, 4)");
    expect_error<foldwise::shape_error>([&] { return whole.permute(0, 1, 1); }, "(0, 1, 1)");
    expect_error<foldwise::shape_error>([&] { return whole.permute(0, 1, 3); }, "(0, 1, 3)");
}

TEST(View, BroadcastsToLargerShapes) {
    std::vector<int> data{1, 2, 3};
    const view<const int> wide = view<int>(data.data(), {3, 1}).broadcast_to({2, 3, 4});
    EXPECT_EQ(wide.shape(), (shape{2, 3, 4}));
    EXPECT_EQ(std::vector<std::int64_t>(wide.strides().begin(), wide.strides().end()),
              (std::vector<std::int64_t>{0, 1, 0}));
    EXPECT_EQ(view<int>(data.data(), shape{3}).broadcast_to(shape{3}).strides()[0], 1);
    EXPECT_EQ(view<int>(data.data(), {3, 1}).broadcast_to({3, 0}).size(), 0);
    expect_error<foldwise::shape_error>(
        [&] {
            return view<int>(data.data(), shape{3}).broadcast_to({3, 2});
        },
        "(3)", "(3, 2)");
    expect_error<foldwise::shape_error>(
        [&] {
            return view<int>(data.data(), {1, 3}).broadcast_to(shape{3});
        },
        "(1, 3)");
}

TEST(View, IsMadeOfAPointer) {
    int data[6] = {};
    EXPECT_TRUE(foldwise::host(data, {2, 3}).is_contiguous());
    EXPECT_EQ(foldwise::host(data + 5, shape{6}, {-1}).strides()[0], -1);
    EXPECT_EQ(foldwise::device(data, {2, 3}, {1, 2}).place(), foldwise::place{});  // without a GPU
    expect_error<foldwise::shape_error>(
        [&] {
            return foldwise::host(data, {2, 3}, {1});
        },
        "(2, 3)", "2 strides", "given 1");
}

TEST(View, CountsAlongOneAxisAndTakesStridesOfAnyIntegers) {
    std::vector<int> numbers = {0, 1, 2, 3, 4, 5};
    EXPECT_EQ(foldwise::host(numbers.data(), 4).shape(), shape{4});
    EXPECT_EQ(foldwise::host(numbers.data(), std::size_t{6}).size(), 6);
    const std::size_t pitch = 12;
    const view<int> rows = foldwise::host(numbers.data(), {2, 2}, {pitch / sizeof(int), 1});
    EXPECT_EQ(foldwise::to_host(rows), (std::vector<int>{0, 1, 3, 4}));
    const std::int64_t back[] = {-1};
    EXPECT_EQ(foldwise::to_host(foldwise::host(&numbers[5], {3}, std::span(back))), (std::vector<int>{5, 4, 3}));
    expect_error<foldwise::shape_error>([&] { return foldwise::host(numbers.data(), {2, 2}, {1}); }, "2");
    expect_error<foldwise::shape_error>([&] { return foldwise::host(numbers.data(), {2}, {~std::uint64_t{0}}); },
                                        "18446744073709551615");
    expect_error<foldwise::shape_error>([&] { foldwise::strides{1, 1, 1, 1, 1, 1, 1, 1, 1}; }, "at most 8 strides");
}

TEST(View, OfPointersThatAreClasses) {
    const std::unique_ptr<float[]> memory(new float[6]{1, 2, 3, 4, 5, 6});
    const view<float> row = foldwise::device(memory, 6), table = foldwise::device(memory, {2, 3});
    EXPECT_EQ(row.data(), memory.get());
    EXPECT_EQ(row.shape(), shape{6});
    EXPECT_EQ(table.data(), memory.get());
    EXPECT_EQ(table.shape(), (shape{2, 3}));
    EXPECT_EQ(table.place(), foldwise::place_of());
}

TEST(View, OfRangesWithAShape) {
    std::vector<int> data(12);
    const view<int> table = foldwise::host(data, {3, 4});
    EXPECT_EQ(table.data(), data.data());
    EXPECT_EQ(table.shape(), (shape{3, 4}));
    static_assert(std::is_same_v<decltype(foldwise::host(std::as_const(data), {3, 4})), view<const int>>);
    int rows[3][4] = {};
    EXPECT_EQ(foldwise::host(rows, {4, 3}).shape(), (shape{4, 3}));
    static_assert(std::is_same_v<decltype(foldwise::host(rows, {4, 3})), view<int>>);
    int row[6] = {};
    expect_error<foldwise::shape_error>([&] { return foldwise::host(row, {2, 4}); }, "has 8 elements", "has 6");
    expect_error<foldwise::shape_error>([&] { return foldwise::device(row, {2, 4}); }, "has 8 elements", "has 6");
    expect_error<foldwise::shape_error>(
        [&] {
            return foldwise::host(data, {3, 5});
        },
        "a view of shape (3, 5) has 15 elements, and the memory that it is made of has 12");
    expect_error<foldwise::shape_error>([&] { return foldwise::device(data, {3}); }, "has 3 elements", "has 12");
}

TEST(View, OfGpuMemoryIsWhereItsAddressSays) {
    fake_gpu gpu;
    gpu.devices = 2;
    foldwise::array<int> there({2, 3}, foldwise::cuda(1));
    const std::span<int> line(there.data(), 6);
    EXPECT_EQ(foldwise::device(line).place(), (foldwise::place{foldwise::memory::cuda, 1}));
    EXPECT_EQ(foldwise::device(line, {3, 2}).place(), (foldwise::place{foldwise::memory::cuda, 1}));
    EXPECT_EQ(foldwise::device(line, {3, 2}).shape(), (shape{3, 2}));
    std::vector<int> here(6);
    EXPECT_EQ(foldwise::device(here).place(), foldwise::place{});
}

TEST(View, OfNullPointersHaveNoElements) {
    float* const none = nullptr;
    const auto refused = [](auto&& make) {
        expect_error<foldwise::shape_error>(make, "a view of shape (3, 2) has 6 elements, and its pointer is null");
    };
    refused([&] { return foldwise::host(none, {3, 2}); });
    refused([&] { return foldwise::host(none, {3, 2}, {1, 3}); });
    refused([&] { return foldwise::device(none, {3, 2}); });
    refused([&] { return foldwise::device(none, {3, 2}, {1, 3}); });
    refused([&] { return foldwise::device(std::unique_ptr<float[]>(), {3, 2}); });
    refused([&] { return foldwise::pitched(none, {3, 2}, 16); });
    refused([&] { return foldwise::view(none, {3, 2}); });
    EXPECT_EQ(foldwise::host(none, {3, 0}).size(), 0);
    EXPECT_EQ(foldwise::view(none, 0).size(), 0);
}

TEST(View, OfPitchedMemory) {
    std::vector<int> memory(40);
    const view<int> table = foldwise::pitched(memory.data(), {3, 5}, 8 * sizeof(int));
    EXPECT_EQ(table.strides()[0], 8);
    EXPECT_EQ(table.strides()[1], 1);
    const view<int> cube = foldwise::pitched(memory.data(), {2, 2, 5}, 8 * sizeof(int));
    EXPECT_EQ(cube.strides()[0], 16);
    EXPECT_EQ(cube.strides()[1], 8);
    const std::string text = "a pitched view of shape (3, 5): the pitch of ";
    expect_error<foldwise::shape_error>(
        [&] {
            return foldwise::pitched(memory.data(), {3, 5}, 30);
        },
        text + "30 bytes is not a multiple of an element's 4");
    expect_error<foldwise::shape_error>(
        [&] {
            return foldwise::pitched(memory.data(), {3, 5}, 16);
        },
        text + "16 bytes is less than a row's 5 elements of 4");
    expect_error<foldwise::shape_error>([&] { return foldwise::pitched(memory.data(), shape{5}, 20); }, "two axes");
    fake_gpu gpu;
    foldwise::array<int> there({4, 8}, foldwise::cuda());
    EXPECT_EQ(foldwise::pitched(there.data(), {4, 5}, 32).place().kind, foldwise::memory::cuda);
}

TEST(View, IsDeducedFromAPointer) {
    float element = 0;
    static_assert(std::is_same_v<decltype(view(&element, shape{1})), view<float>>);
    static_assert(std::is_same_v<decltype(view(&std::as_const(element), shape{1})), view<const float>>);
}

TEST(View, ReshapeInfersOneExtent) {
    std::vector<float> elements(12);
    const auto whole = foldwise::host(elements, {3, 4});
    EXPECT_EQ(whole.reshape({-1, 2}).shape(), (shape{6, 2}));
    EXPECT_EQ(whole.reshape({2, -1, std::int64_t{3}}).shape(), (shape{2, 2, 3}));
    EXPECT_EQ(whole.reshape({-1}).shape(), shape{12});
    EXPECT_EQ(whole.reshape({12u, -1}).shape(), (shape{12, 1}));
    EXPECT_EQ(whole.slice(0, 0, 0).reshape({-1, 2}).shape(), (shape{0, 2}));
    EXPECT_EQ(whole.slice(0, 0, 1).slice(1, 0, 1).reshape({}).shape(), shape{});
    EXPECT_EQ(foldwise::array<float>({3, 4}, foldwise::cpu()).reshape({4, -1}).shape(), (shape{4, 3}));
    expect_error<foldwise::shape_error>(
        [&] {
            (void)whole.reshape({-1, 5});
        },
        "reshape: the shape (3, 4) cannot become (-1, 5): no extent in place of -1 gives 12");
    expect_error<foldwise::shape_error>([&] { (void)whole.reshape({0, -1}); }, "cannot become (0, -1): no extent");
    expect_error<foldwise::shape_error>([&] { (void)whole.slice(0, 0, 0).reshape({-1, 0}); }, "(-1, 0): any extent");
    expect_error<foldwise::shape_error>([&] { (void)whole.reshape({-1, 2, -1}); }, "reshape: one extent may be -1");
    expect_error<foldwise::shape_error>([&] { (void)whole.reshape({-2, 6}); }, "axis 0", "-2 elements");
}
