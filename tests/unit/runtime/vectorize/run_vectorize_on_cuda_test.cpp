// tests/unit/runtime/vectorize/run_vectorize_on_cuda_test.cpp: calls on a fake GPU that runs nothing until it is waited
// for: what is queued, copied and freed.
#include "vectorize/run_vectorize.hpp"

#include "expect_error.hpp"
#include "test_kernels.hpp"

#include <foldwise/detail/vectorize.hpp>
#include <foldwise/error.hpp>
#include <foldwise/operand.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

using namespace foldwise;
using namespace test_kernels;
using vec = std::vector<float>;
using log_of = std::vector<std::string>;

static CUstream_st* const some_stream = reinterpret_cast<CUstream_st*>(0x4000);

static void mix_into(operand<const float> x, operand<const float> y, operand<float> out,
                     executor on = cuda(some_stream)) {
    detail::vectorize(mix, {x.ref(), y.ref()}, {out.ref()}, on);
}

TEST(RunOnCuda, DeviceOperandsAreOneLaunchAndNothingElse) {
    fake_gpu gpu;
    const auto x = to_device(vec{1, 2, 3}, cuda(some_stream));
    foldwise::array<float> out(shape{3}, cuda(some_stream));
    gpu.forget_log();
    mix_into(x, 1.0f, out);
    mix_into(2, x, out);
    EXPECT_EQ(gpu.log(), (log_of{"launch", "launch"}));
    EXPECT_EQ(gpu.streams().back(), some_stream);
    EXPECT_EQ(gpu.queued(), 2u) << "it waited";
    EXPECT_EQ(out.to_host(), (vec{3, 2, 1}));
}

TEST(RunOnCuda, SpansOverGpuMemoryAreFoundByTheirAddress) {
    fake_gpu gpu;
    gpu.devices = 2;
    const auto x = to_device(vec{1, 2, 3}, cuda(1));
    foldwise::array<float> out(shape{3}, cuda(1));
    const std::span<const float> from(x.data(), 3);
    const std::span<float> to(out.data(), 3);
    gpu.forget_log();
    mix_into(from, 1.0f, to, cuda());
    EXPECT_EQ(gpu.log(), log_of{"launch"});
    EXPECT_EQ(gpu.device, 0);
    EXPECT_EQ(out.to_host(), (vec{1, 3, 5}));
    const detail::result_place place = detail::place_result(mix, {operand<const float>(from).ref()}, cuda());
    EXPECT_EQ(place.source.place, (foldwise::place{memory::cuda, 1}));
    // The CPU does not reach it, and must not try to.
    expect_error<device_error>([&] { mix_into(from, 1.0f, to, cpu()); }, "operand x is in GPU memory", "cpu");
}

TEST(RunOnCuda, HostOperandsTravelAndTheCallIsComplete) {
    for (std::size_t n : {1u, 33u, 50003u}) {
        fake_gpu gpu;
        vec x(n), y(n, 1), out(n + 1, -1);
        for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>(i % 1000);
        mix_into(x, y, std::span(out).first(n));
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < n; ++i) wrong += out[i] != mix_value(x[i], 1);
        EXPECT_EQ(wrong, 0u);
        EXPECT_EQ(out[n], -1);
        for (CUstream_st* used : gpu.streams()) EXPECT_EQ(used, some_stream);
    }
}

TEST(RunOnCuda, HostOperandsAreReadBehindWhatIsQueued) {
    for (const bool is_pinned : {false, true}) {
        for (const std::int64_t step : {1, 2, -1}) {
            fake_gpu gpu;
            gpu.reads_early = true;
            vec x(8, -1), out(4);
            if (is_pinned) gpu.pin(x.data(), 32);
            gpu.launch([&x] { x.assign(8, 7); }, some_stream);
            const std::int64_t begin = step < 0 ? 3 : 0, end = step < 0 ? -1 : 4 * step;
            mix_into(host(x.data(), {8}).slice(0, begin, end, step), 0.0f, out);
            EXPECT_EQ(out, vec(4, 14)) << "step " << step;
        }
    }
}

TEST(RunOnCuda, OutputsAreNotCopiedInNorInputsBack) {
    fake_gpu gpu;
    vec x{1, 2}, out(2);
    mix_into(x, 4.0f, out);
    EXPECT_EQ(out, (vec{-2, 0}));
    EXPECT_EQ(gpu.log(), (log_of{"allocate", "synchronize", "to_device", "allocate", "launch", "to_host", "synchronize",
                                 "free", "free"}));
}

TEST(RunOnCuda, InPlaceOnTheHostIsOneCopy) {
    fake_gpu gpu;
    vec x{1, 2};
    mix_into(x, x, x);
    EXPECT_EQ(x, (vec{1, 2}));
    mix_into(x, 0.0f, x);
    EXPECT_EQ(x, (vec{2, 4}));
    EXPECT_EQ(std::count(gpu.log().begin(), gpu.log().end(), "allocate"), 2);
}

TEST(RunOnCuda, InputsThatOverlapAreCopiedOnTheirOwn) {
    fake_gpu gpu;
    vec data{1, 2, 3, 4}, out(3);
    mix_into(std::span(data).first(3), std::span(data).last(3), out);
    EXPECT_EQ(out, (vec{0, 1, 2}));
}

static int widen_cuda(const element_range& call, CUstream_st* stream) {
    const auto* low = static_cast<const std::uint8_t*>(call.operands[0].data);
    const auto* wide = static_cast<const double*>(call.operands[1].data);
    auto* out = static_cast<double*>(call.operands[2].data);
    const auto work = [=, n = call.count] {
        for (std::int64_t i = 0; i < n; ++i) out[i] = low[i] + wide[i];
    };
    return fake_gpu::current().launch(work, stream);
}

TEST(RunOnCuda, InputsOfOtherSizesAtOneAddressAreCopiedWhole) {
    static constexpr operand_info infos[] = {{"low", 1, 1}, {"wide", 8, 8}, {"out", 8, 8}};
    static constexpr vectorize_kernel widen{"test::widen", infos, 2, 1, nullptr, widen_cuda, nullptr};
    fake_gpu gpu;
    const std::vector<double> wide{0, 1, 2, 3};  // the first eight bytes are zeros
    std::vector<double> out(4);
    const view<const std::uint8_t> low(reinterpret_cast<const std::uint8_t*>(wide.data()), shape{4});
    detail::vectorize(widen, {operand<const std::uint8_t>(low).ref(), operand<const double>(wide).ref()},
                      {operand<double>(out).ref()}, cuda());
    EXPECT_EQ(out, wide);
}

TEST(RunOnCuda, HostAndDeviceOperandsMix) {
    fake_gpu gpu;
    const auto x = to_device(vec{1, 2}, cuda());
    foldwise::array<float> device_out(shape{2}, cuda());
    vec y{3, 4}, out(2);
    mix_into(x, y, out);
    EXPECT_EQ(out, (vec{-1, 0}));
    mix_into(y, x, device_out);
    y.assign(2, -1);  // the caller's memory is its own again
    EXPECT_EQ(device_out.to_host(), (vec{5, 6}));
}

TEST(RunOnCuda, SeveralOutputsComeBack) {
    fake_gpu gpu;
    const std::vector<std::int32_t> v{10, 11};
    std::vector<std::uint8_t> rest(2);
    std::vector<double> half(2);
    detail::vectorize(split, {operand<const std::int32_t>(v).ref()},
                      {operand<std::uint8_t>(rest).ref(), operand<double>(half).ref()}, cuda());
    EXPECT_EQ(rest, (std::vector<std::uint8_t>{3, 4}));
    EXPECT_EQ(half, (std::vector<double>{5, 5.5}));
}

TEST(RunOnCuda, NothingIsCopiedForNothing) {
    fake_gpu gpu;
    vec none;
    mix_into(none, 1.0f, none);
    EXPECT_TRUE(gpu.log().empty());
}

TEST(RunOnCuda, BadOperandsReachNoGpu) {
    fake_gpu gpu;
    vec three(3), four(4);
    expect_error<shape_error>([&] { mix_into(three, four, three); });
    expect_error<overlap_error>([&] { mix_into(std::span(four).first(3), 1.0f, std::span(four).last(3)); });
    EXPECT_TRUE(gpu.log().empty());
}

/// Every operation of a staged call fails once: an error with its text, no memory lost (the fake GPU counts), and
/// nothing queued that would touch the host's memory once the caller has it back.
TEST(RunOnCuda, EveryFailureIsReportedAndCleanedUp) {
    struct point {
        const char* operation;
        int n;
    };
    for (const point& at : {point{"allocate", 1}, point{"to_device", 0}, point{"to_device", 1}, point{"launch", 0},
                            point{"to_host", 0}, point{"synchronize", 0}}) {
        fake_gpu gpu;
        gpu.fail(at.operation, at.n, fake_gpu::launch_failed);
        vec x{1, 2}, y{3, 4}, out(2);
        expect_error<device_error>([&] { mix_into(x, y, out); }, "fakeError719");
        for (std::size_t i = gpu.log().size(); i-- > 0 && gpu.log()[i] != "synchronize";)
            EXPECT_EQ(gpu.log()[i], "free") << at.operation << ": the last copies were not waited for";
    }
}

TEST(RunOnCuda, ASecondOutputThatFailsWaitsForTheFirst) {
    fake_gpu gpu;
    gpu.fail("to_host", 1, fake_gpu::launch_failed);
    const std::vector<std::int32_t> v{10, 11};
    std::vector<std::uint8_t> rest(2);
    std::vector<double> half(2);
    const auto call = [&] {
        detail::vectorize(split, {operand<const std::int32_t>(v).ref()},
                          {operand<std::uint8_t>(rest).ref(), operand<double>(half).ref()}, cuda());
    };
    expect_error<device_error>(call, "test::split: fakeError719");
    EXPECT_EQ(rest, (std::vector<std::uint8_t>{3, 4})) << "its copy is still in flight";
}

TEST(RunOnCuda, MemoryThatRunsOutNamesTheKernel) {
    fake_gpu gpu;
    gpu.fail("allocate", 1, fake_gpu::out_of_memory);
    vec x{1, 2}, out(2);
    expect_error<out_of_memory>([&] { mix_into(x, 1.0f, out); }, "test::mix", "8 bytes", "1000 of");
    const auto device = to_device(vec{1, 2}, cuda());
    foldwise::array<float> result(shape{2}, cuda());
    gpu.fail("launch", 0, fake_gpu::out_of_memory);
    expect_error<out_of_memory>([&] { mix_into(device, 1.0f, result); }, "test::mix", "fakeError2");
}

TEST(RunOnCuda, StridedOperandsOnTheHostTravelWithoutTheirGaps) {
    fake_gpu gpu;
    vec x{1, 0, 2, 0, 3, 0}, column{10, 20}, out(12, -1);
    const view<float> every_second = view<float>(x.data(), shape{6}).slice(0, 0, 6, 2);
    const view<float> target = view<float>(out.data(), {2, 6}).slice(1, 5, -1, -2);
    mix_into(every_second, view<float>(column.data(), {2, 1}), target);
    EXPECT_EQ(out, (vec{-1, -4, -1, -6, -1, -8, -1, -14, -1, -16, -1, -18}));
    // As they are, without a copy on the host: turned, backwards, stretched.
    vec square{1, 2, 3, 4}, result(4);
    mix_into(view<float>(square.data(), {2, 2}).transpose(), view<float>(column.data(), shape{2}).slice(0, 1, -1, -1),
             view<float>(result.data(), {2, 2}));
    EXPECT_EQ(result, (vec{-18, -4, -16, -2}));
}

TEST(RunOnCuda, StridedOperandsInPlaceAndOnBothSides) {
    fake_gpu gpu;
    vec x{1, 2, 3, 4, 5, 6};
    const view<float> odd = view<float>(x.data(), shape{6}).slice(0, 1, 6, 2);
    mix_into(odd, 1.0f, odd);
    EXPECT_EQ(x, (vec{1, 3, 3, 7, 5, 11}));
    auto device = to_device(vec{1, 2, 3, 4, 5, 6}, cuda());
    mix_into(device.slice(0, 0, 6, 2), odd, device.slice(0, 1, 6, 2));
    EXPECT_EQ(device.to_host(), (vec{1, -1, 3, -1, 5, -1}));
}
