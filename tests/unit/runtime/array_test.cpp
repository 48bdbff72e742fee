// tests/unit/runtime/array_test.cpp: arrays that own their memory, and copies to and from them.
#include <foldwise/array.hpp>

#include "expect_error.hpp"
#include "fake_gpu.hpp"

#include <foldwise/error.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace foldwise;
using floats = foldwise::array<float>;

static_assert(!std::is_copy_constructible_v<floats> && !std::is_copy_assignable_v<floats>);
static_assert(std::is_nothrow_move_constructible_v<floats> && std::is_nothrow_move_assignable_v<floats>);
static_assert(std::is_convertible_v<floats&, view<float>> && std::is_convertible_v<floats&, view<const float>>);
static_assert(!std::is_convertible_v<const floats&, view<float>>);
static_assert(!std::is_convertible_v<floats, view<float>>, "it would outlive its memory");
static_assert(std::is_same_v<decltype(std::declval<floats&>().reshape(shape{1})), view<float>>);
static_assert(std::is_same_v<decltype(std::declval<const floats&>().reshape(shape{1})), view<const float>>);
static_assert(std::is_same_v<decltype(std::declval<floats>().reshape(shape{1})), floats>);
static_assert(std::is_same_v<decltype(std::declval<const floats&>().slice(0, 0, 1)), view<const float>>);

TEST(Array, CopiesFromEveryRange) {
    const std::vector<float> vector{1, 2, 3};
    const float c_array[] = {1, 2, 3};
    const std::array<float, 3> std_array{1, 2, 3};
    EXPECT_EQ(to_device(vector, cpu()).to_host(), vector);
    EXPECT_EQ(to_device(std::span(vector), cpu()).to_host(), vector);
    EXPECT_EQ(to_device(c_array, cpu()).to_host(), vector);
    EXPECT_EQ(to_device(std_array, cpu()).to_host(), vector);
    EXPECT_EQ(to_device(to_device(vector, cpu()), cpu()).to_host(), vector);
    EXPECT_EQ(to_device({vector[0], vector[1], vector[2]}, cpu()).to_host(), vector);
    EXPECT_EQ(to_device(std::vector<float>{}, cpu()).size(), 0);
    EXPECT_EQ(to_device(vector, cpu()).shape(), shape{3});
}

TEST(Array, OfBool) {
    const bool flags[] = {true, false, false, true};
    const std::vector<bool> back = to_device(flags, cpu()).to_host();
    EXPECT_EQ(back, (std::vector<bool>{true, false, false, true}));
    EXPECT_TRUE(foldwise::array<bool>({0, 3}, cpu()).to_host().empty());
}

TEST(Array, OfElementsWithoutADefaultConstructor) {
    struct point {
        explicit point(int at) : x(at) {}
        int x;
    };
    const std::vector<point> there = to_device(std::vector<point>{point(2), point(3)}, cpu()).to_host();
    ASSERT_EQ(there.size(), 2u);
    EXPECT_EQ(there[0].x, 2);
    EXPECT_EQ(there[1].x, 3);
}

TEST(Array, ReshapesAndGoesOnOwning) {
    fake_gpu gpu;
    auto table = to_device(std::vector<float>{1, 2, 3, 4, 5, 6}, cuda()).reshape({2, 3});
    EXPECT_EQ(gpu.live(), 1u);
    EXPECT_EQ(table.shape(), (shape{2, 3}));
    EXPECT_EQ(table.reshape({3, 2}).data(), table.data());
    EXPECT_EQ(to_host(table.slice(1, 1, 2)), (std::vector<float>{2, 5}));
    expect_error<shape_error>([&] { return std::move(table).reshape({4, 2}); }, "(2, 3)", "(4, 2)");
    EXPECT_EQ(table.size(), 6);  // a failed reshape takes nothing away
}

TEST(Array, MovedFromIsEmpty) {
    auto a = to_device(std::vector<float>{1, 2}, cpu());
    const auto b = std::move(a);
    EXPECT_EQ(a.size(), 0);  // NOLINT: that it is usable is what is tested
    EXPECT_EQ(a.shape(), shape{0});
    EXPECT_TRUE(a.to_host().empty());
    EXPECT_EQ(b.to_host(), (std::vector<float>{1, 2}));
}

TEST(Array, SwapsWithoutCopying) {
    auto a = to_device(std::vector<float>{1, 2}, cpu()), b = to_device(std::vector<float>{3}, cpu());
    const float* first = a.data();
    std::swap(a, b);
    EXPECT_EQ(b.data(), first);
    EXPECT_EQ(a.to_host(), std::vector<float>{3});
    EXPECT_EQ(a.shape(), shape{1});
}

TEST(Array, OfNoAxesHasOneElement) {
    const foldwise::array<double> one(shape{}, cpu());
    EXPECT_EQ(one.size(), 1);
    EXPECT_NE(one.data(), nullptr);
}

TEST(Array, TooLargeIsOutOfMemoryOnHostAndGpu) {
    const shape far{std::int64_t{1} << 46};
    expect_error<out_of_memory>([&] { foldwise::array<double>(far, cpu()); }, "562949953421312");
    expect_error<out_of_memory>([&] { foldwise::array<double>(shape{std::int64_t{1} << 62}, cpu()); });
    fake_gpu gpu;
    expect_error<out_of_memory>([&] { foldwise::array<double>(far, cuda()); }, "562949953421312");
}

TEST(Array, ToDeviceIsCompleteOnReturn) {
    fake_gpu gpu;
    std::vector<float> source{1, 2};
    const auto device = to_device(source, cuda());
    source.assign(2, -1);
    EXPECT_EQ(device.to_host(), (std::vector<float>{1, 2}));
}

TEST(Array, WaitsForItsOwnStream) {
    fake_gpu gpu;
    auto* stream = reinterpret_cast<CUstream_st*>(0x2000);
    const auto device = to_device(std::vector<float>{1, 2}, cuda(stream));
    static_cast<void>(device.to_host());
    for (CUstream_st* used : gpu.streams()) EXPECT_EQ(used, stream);
}

TEST(Array, CreatedEmptyByCountAndFilled) {
    floats empty;
    EXPECT_EQ(empty.size(), 0);
    EXPECT_EQ(empty.shape(), shape{0});
    EXPECT_EQ(empty.begin(), empty.end());
    empty = floats(3, cpu());
    EXPECT_EQ(empty.shape(), shape{3});
    expect_error<shape_error>([] { floats(-1, cpu()); }, "-1");
    EXPECT_EQ(full({2, 2}, 1.5f, cpu()).to_host(), std::vector<float>(4, 1.5f));
    EXPECT_EQ(zeros<int>({1000, 3}, cpu()).to_host(), std::vector<int>(3000, 0));
    EXPECT_TRUE(zeros<int>({0, 3}, cpu()).to_host().empty());
    EXPECT_EQ(zeros<int>(3, cpu()).shape(), shape{3});
    EXPECT_EQ(full(2, 1.5f, cpu()).to_host(), std::vector<float>(2, 1.5f));
    expect_error<shape_error>([] { return zeros<int>(-1, cpu()); }, "-1");
    struct three {
        std::int16_t a, b, c;
    };
    const array<three> many = full(shape{200'001}, three{1, 2, 3}, cpu());
    EXPECT_EQ(many[200'000].c, 3);
    EXPECT_EQ(many[77'777].a, 1);
}

TEST(Array, FilledWithValuesThatElementsHold) {
    array<int> x(3, cpu());
    x.fill(2.0);
    EXPECT_EQ(x.to_host(), std::vector<int>(3, 2));
    expect_error<value_error>(
        [&] {
            x.fill(2.5);
            return 0;
        },
        "the value that an array is filled with is 2.5");
    EXPECT_EQ(x.to_host(), std::vector<int>(3, 2));
    expect_error<value_error>([] { return full<std::uint8_t>(3, -1, cpu()); }, "is -1", "integers from 0 to 255");
    EXPECT_EQ(full<double>({2, 1}, 3, cpu()).to_host(), std::vector<double>(2, 3));
    struct pair {
        int a, b;
    };
    EXPECT_EQ(full<pair>(2, {1, 2}, cpu())[1].b, 2);
}

TEST(Array, FilledOnItsStream) {
    fake_gpu gpu;
    auto* const stream = reinterpret_cast<CUstream_st*>(0x1000);
    array<double> x(100, cuda(stream));
    gpu.forget_log();
    x.fill(2.5);
    EXPECT_EQ(gpu.log(), std::vector<std::string>{"fill"});
    EXPECT_EQ(x.to_host(), std::vector<double>(100, 2.5));
}

TEST(Array, ElementsOnTheHost) {
    floats table = to_device(std::vector<float>{1, 2, 3, 4, 5, 6}, cpu()).reshape({2, 3});
    EXPECT_EQ(table[4], 5);
    EXPECT_EQ(table(1, 2), 6);
    table(0, 1) = 20;
    float sum = 0;
    for (const float x : std::as_const(table)) sum += x;
    EXPECT_EQ(sum, 39);
}

TEST(Array, ElementsOnAGpuAreNotTheHosts) {
    fake_gpu gpu;
    gpu.devices = 2;
    const floats x = to_device(std::vector<float>{1, 2}, cuda(1));
    const std::string text = "an array in the memory of GPU 1 cannot be accessed on the host: to_host() and "
                             "to(foldwise::cpu()) copy them";
    expect_error<device_error>([&] { x.begin(); }, text);
    expect_error<device_error>([&] { x[0]; }, text);
    expect_error<device_error>([&] { x(0, 0); }, text);
}

TEST(Array, ToAnotherPlaceWithItsShape) {
    fake_gpu gpu;
    gpu.devices = 2;
    const floats table = to_device(std::vector<float>{1, 2, 3, 4, 5, 6}, cuda()).reshape({2, 3});
    const floats here = table.to(cpu()), there = here.to(cuda(1));
    EXPECT_EQ(here.place(), place{});
    EXPECT_EQ(here(1, 2), 6);
    EXPECT_EQ(there.place(), (place{memory::cuda, 1}));
    EXPECT_EQ(there.shape(), table.shape());
    EXPECT_EQ(there.to_host(), table.to_host());
}

TEST(Array, MovesToAnotherStream) {
    fake_gpu gpu;
    auto* const first = reinterpret_cast<CUstream_st*>(0x1000);
    auto* const second = reinterpret_cast<CUstream_st*>(0x2000);
    floats x = to_device(std::vector<float>{1, 2}, cuda(first));
    gpu.forget_log();
    x.follow(second);
    EXPECT_EQ(x.stream(), second);
    EXPECT_EQ(gpu.log(), (std::vector<std::string>{"make_event", "record", "follow"}));
    EXPECT_EQ(gpu.objects(), 0u);
    x.follow(second);
    floats(2, cpu()).follow(second);
    EXPECT_EQ(gpu.log().size(), 3u);
}

TEST(Array, WhereNewOnesAre) {
    EXPECT_EQ(gpu_count(), 0);
    EXPECT_EQ(place_of(cpu()), place{});
    fake_gpu gpu;
    gpu.devices = 2;
    EXPECT_EQ(gpu_count(), 2);
    EXPECT_EQ(place_of(cuda()).kind, memory::cuda);
    EXPECT_EQ(place_of(cuda(1)), (place{memory::cuda, 1}));
    EXPECT_EQ(place_of(cpu()), place{});
    gpu.absent = "none";
    EXPECT_EQ(gpu_count(), 0);
}

TEST(Array, RefusesPlacesThatNoElementHas) {
    floats table = full({2, 3}, 1.0f, cpu());
    const floats& fixed = table;
    EXPECT_EQ(table[5] + fixed(1, 2), 2);
    expect_error<shape_error>([&] { table[-1] = 2; }, "no element -1 among the 6");
    expect_error<shape_error>([&] { (void)fixed[6]; }, "no element 6 among the 6");
    expect_error<shape_error>([] { floats()[0] = 2; }, "no element 0 among the 0");
    expect_error<shape_error>([&] { table(0, 3) = 2; }, "shape (2, 3) has no element at (0, 3)");
    expect_error<shape_error>([&] { (void)fixed(-1, 0); }, "shape (2, 3) has no element at (-1, 0)");
    expect_error<shape_error>([&] { table(0, 1, 1) = 2; }, "shape (2, 3) has no element at (0, 1, 1)");
    EXPECT_EQ(table.to_host(), std::vector<float>(6, 1));
}
