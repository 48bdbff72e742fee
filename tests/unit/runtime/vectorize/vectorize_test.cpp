// tests/unit/runtime/vectorize/vectorize_test.cpp: what run() accepts and what it refuses, without touching any
// element.
#include <foldwise/detail/vectorize.hpp>

#include "expect_error.hpp"
#include "test_kernels.hpp"

#include <foldwise/error.hpp>
#include <foldwise/operand.hpp>

#include <array>
#include <span>
#include <utility>
#include <vector>

using namespace foldwise;
using namespace test_kernels;
using detail::operand_ref;
using vec = std::vector<float>;

// As generated.
static void mix_into(operand<const float> x, operand<const float> y, operand<float> out, executor on = cpu(),
                     const vectorize_kernel& kernel = mix) {
    detail::vectorize(kernel, {x.ref(), y.ref()}, {out.ref()}, on);
}
static foldwise::array<float> mix_new(operand<const float> x, operand<const float> y, executor on = cpu(),
                                      const vectorize_kernel& kernel = mix) {
    foldwise::array<float> out = detail::result<float>(kernel, {x.ref(), y.ref()}, on);
    mix_into(x, y, out, on, kernel);
    return out;
}

TEST(Launch, ComputesArraysOfAnyRank) {
    const auto x = to_device(vec{1, 2, 3, 4, 5, 6}, cpu()).reshape({2, 3});
    const auto y = to_device(vec{6, 5, 4, 3, 2, 1}, cpu()).reshape({2, 3});
    const auto z = mix_new(x, y);
    EXPECT_EQ(z.shape(), (shape{2, 3}));
    EXPECT_EQ(z.to_host(), (vec{-4, -1, 2, 5, 8, 11}));
    EXPECT_EQ(mix_new(1.0f, 2.0f).shape(), shape{});
    EXPECT_EQ(mix_new(3, 2.0).to_host(), vec{4});
}

TEST(Launch, RefusesOtherShapesAndNamesThem) {
    vec three(3, 1), four(4, 1), out(3, -1);
    expect_error<shape_error>([&] { mix_into(three, four, out); },
                              "test::mix: operands x (3) and y (4) do not broadcast: they have 3 and 4 elements");
    expect_error<shape_error>([&] { mix_into(three, three, four); },
                              "test::mix: output out (4) does not have the call's shape (3): it has 4 elements, not 3");
    expect_error<shape_error>([&] { mix_into(1.0f, four, out); }, "output out (3)", "shape (4)");
    expect_error<shape_error>([&] { return mix_new(three, four); }, "x (3) and y (4)");
    const auto table = to_device(vec(6), cpu()).reshape({2, 3});
    expect_error<shape_error>([&] { mix_into(three, table, out); }, "out (3)", "(2, 3): it has 1 axis, not 2");
    expect_error<shape_error>([&] { mix_into(three, table.transpose(), out); }, "x (3) and y (3, 2)", "axis -1");
    EXPECT_EQ(out, vec(3, -1)) << "something was written";
}

TEST(Launch, RefusesMoreOperandsThanThereIsRoomFor) {
    vec x(3, 1), out(3, -1);
    const operand<const float> in(x);
    const operand<float> to(out);
    const char* const message = "test::mix has 65 operands, and there is room for 64";
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto same = [&](std::size_t) { return in.ref(); };
        expect_error<error>([&] { detail::vectorize(mix, {same(I)...}, {to.ref()}, cpu()); }, message);
        expect_error<error>([&] { detail::place_result(mix, {same(I)...}, cpu()); }, message);
    }
    (std::make_index_sequence<detail::max_operands>());
    EXPECT_EQ(out, vec(3, -1)) << "something was written";
}

TEST(Launch, OutputsDoNotStretch) {
    vec three{1, 2, 3}, one(1, -1);
    expect_error<shape_error>([&] { mix_into(three, 1.0f, one); }, "output out (1)", "(3)");
    expect_error<shape_error>([&] { mix_into(one, 1.0f, three); }, "output out (3)", "(1)");
    const view<float> stretched(three.data(), detail::strided({2, 3}, std::array<std::int64_t, 2>{0, 1}), {});
    expect_error<overlap_error>([&] { mix_into(1.0f, 2.0f, stretched); }, "test::mix: output out overlaps itself");
    EXPECT_EQ(three, (vec{1, 2, 3}));
}

TEST(Launch, BroadcastsAsNumPyDoes) {
    const auto column = to_device(vec{1, 2, 3}, cpu()).reshape({3, 1});
    const auto row = to_device(vec{10, 20}, cpu());
    const auto z = mix_new(column, row);
    EXPECT_EQ(z.shape(), (shape{3, 2}));
    EXPECT_EQ(z.to_host(), (vec{-8, -18, -6, -16, -4, -14}));
    EXPECT_EQ(mix_new(column.transpose(), 1.0f).to_host(), (vec{1, 3, 5}));
    EXPECT_EQ(mix_new(to_device(vec{}, cpu()).reshape({0, 1}), row).shape(), (shape{0, 2}));
    EXPECT_EQ(mix_new(to_device(vec{7}, cpu()).reshape(shape{}), row).to_host(), (vec{4, -6}));
}

TEST(Launch, WritesStridedOutputsAndLeavesTheirGaps) {
    vec data(8, -1), x{1, 2, 3, 4};
    mix_into(x, 1.0f, view<float>(data.data(), shape{8}).slice(0, 7, -1, -2));
    EXPECT_EQ(data, (vec{-1, 7, -1, 5, -1, 3, -1, 1}));
}

TEST(Launch, ComputesInPlace) {
    vec x{1, 2, 3}, y{5, 6, 7};
    mix_into(x, y, x);
    EXPECT_EQ(x, (vec{-3, -2, -1}));
    mix_into(1.0f, y, y);
    EXPECT_EQ(y, (vec{-3, -4, -5}));
    mix_into(y, y, y);
    EXPECT_EQ(y, (vec{-3, -4, -5}));
}

TEST(Launch, RefusesPartialOverlap) {
    vec data(10, 1);
    const std::span all(data);
    expect_error<overlap_error>([&] { mix_into(all.first(9), 1.0f, all.last(9)); }, "test::mix", "out overlaps x",
                                "32 bytes");
    expect_error<overlap_error>([&] { mix_into(1.0f, all.last(9), all.first(9)); }, "out overlaps y");
    EXPECT_EQ(data, vec(10, 1)) << "something was written";
    mix_into(all.first(5), 3.0f, all.last(5));  // neighbours
    EXPECT_EQ(data[4], 1);
    EXPECT_EQ(data[5], -1);
}

TEST(Launch, StridedOverlapIsExact) {
    vec data{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    const view<float> whole(data.data(), shape{10});
    mix_into(whole.slice(0, 0, 10, 2), 1.0f, whole.slice(0, 1, 10, 2));  // interleaved
    EXPECT_EQ(data, (vec{0, -1, 2, 3, 4, 7, 6, 11, 8, 15}));
    mix_into(whole.slice(0, 0, 10, 3), 0.0f, whole.slice(0, 0, 10, 3));  // in place
    EXPECT_EQ(data[9], 30);
    const vec before = data;
    const auto refused = [&](const view<float>& x, const view<float>& out) {
        expect_error<overlap_error>([&] { mix_into(x, 1.0f, out); }, "test::mix: output out overlaps x: only exactly");
    };
    refused(whole.slice(0, 0, 9, 2), whole.slice(0, 0, 10, 2).slice(0, 4, -1, -1));  // the same memory backwards
    refused(whole.slice(0, 0, 9, 4), whole.slice(0, 2, 9, 3));
    const view<float> square = whole.slice(0, 0, 9).reshape({3, 3});
    refused(square.transpose(), square);
    EXPECT_EQ(data, before);
}

TEST(Launch, RefusesOutputsInOneMemory) {
    alignas(8) std::byte memory[64] = {};
    const std::vector<std::int32_t> v{8, 9};
    const auto split_into = [&](std::size_t first, std::size_t second) {
        const view<std::uint8_t> rest(reinterpret_cast<std::uint8_t*>(memory + first), shape{2});
        const view<double> half(reinterpret_cast<double*>(memory + second), shape{2});
        detail::vectorize(split, {operand<const std::int32_t>(v).ref()},
                          {operand<std::uint8_t>(rest).ref(), operand<double>(half).ref()}, cpu());
    };
    expect_error<overlap_error>([&] { split_into(8, 8); }, "test::split", "out1 overlaps out0");
    split_into(6, 8);
    EXPECT_EQ(std::to_integer<int>(memory[7]), 2);
}

TEST(Launch, RefusesTheSameOutputTwice) {
    static constexpr operand_info infos[] = {{"v", 4, 4}, {"low", 4, 4}, {"high", 4, 4}};
    static constexpr vectorize_kernel twice{"test::twice", infos, 1, 2, mix_cpu, nullptr, nullptr};
    vec v{1, 2}, out(2);
    const operand_ref target = operand<float>(out).ref();
    expect_error<overlap_error>(
        [&] {
            detail::vectorize(twice, {operand<const float>(v).ref()}, {target, target}, cpu());
        },
        "test::twice", "high overlaps low in 8 bytes");
}

TEST(Launch, AnInputOfAnotherSizeCannotBeOverwritten) {
    alignas(8) std::int32_t memory[8] = {1, 2, 3, 4};
    const view<const std::int32_t> v(memory, shape{4});
    std::vector<std::uint8_t> rest(4);
    const view<double> half(reinterpret_cast<double*>(memory), shape{4});
    const auto call = [&] {
        detail::vectorize(split, {operand<const std::int32_t>(v).ref()},
                          {operand<std::uint8_t>(rest).ref(), operand<double>(half).ref()}, cpu());
    };
    expect_error<overlap_error>(call, "out1 overlaps v");
}

TEST(Launch, OfNothingDoesNothing) {
    vec none;
    runs().runs.clear();
    mix_into(none, 1.0f, none);
    mix_into(none, none, none, simulator());
    EXPECT_TRUE(runs().runs.empty());
    EXPECT_EQ(mix_new(none, none).shape(), shape{0});
}

TEST(Launch, GoesToTheBackendThatIsAskedFor) {
    vec x{1}, out(1);
    mix_into(x, x, out, simulator());
    EXPECT_EQ(out, vec{1001});
    mix_into(x, x, out, {}, mix_on_cpu);
    EXPECT_EQ(out, vec{1});
    expect_error<error>([&] { mix_into(x, x, out, simulator(), mix_on_cpu); }, "test::mix",
                        "for cpu and not for simulator");
    expect_error<device_error>([&] { mix_into(x, x, out, cuda()); }, "test::mix", "there is no GPU");
}

TEST(Launch, RefusesPlacesThatTheExecutorDoesNotReach) {
    fake_gpu gpu;
    gpu.devices = 2;
    const auto x = to_device(vec{1, 2}, cuda());
    vec host(2, -1);
    expect_error<device_error>([&] { mix_into(host, x, host, cpu()); }, "test::mix: operand y is in GPU memory", "cpu");
    expect_error<device_error>([&] { mix_into(x, 1.0f, host, simulator()); }, "operand x", "simulator");
    const auto other = to_device(vec{1, 2}, cuda(1));
    expect_error<device_error>([&] { mix_into(x, other, host, cuda()); }, "x and y", "0 and 1");
    EXPECT_EQ(host, vec(2, -1));
}

TEST(Launch, ResultsLieWhereTheInputsAre) {
    fake_gpu gpu;
    const auto device = to_device(vec{1, 2}, cuda());
    vec host{1, 2};
    EXPECT_EQ(mix_new(device, 1.0f, cuda()).place().kind, memory::cuda);
    EXPECT_EQ(mix_new(host, device, cuda()).place().kind, memory::cuda);
    EXPECT_EQ(mix_new(host, 1.0f, cuda()).place().kind, memory::host);
    EXPECT_EQ(mix_new(1.0f, 1.0f, cuda()).place().kind, memory::cuda);
    EXPECT_EQ(mix_new(1.0f, 1.0f, simulator()).place().kind, memory::host);
    EXPECT_EQ(detail::result<float>(mix, shape{2, 3}, cuda()).place().kind, memory::cuda);
    EXPECT_EQ(detail::result<float>(mix, shape{2, 3}, cpu()).shape(), (shape{2, 3}));
}
