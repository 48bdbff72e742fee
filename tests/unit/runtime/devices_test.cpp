// tests/unit/runtime/devices_test.cpp: several GPUs in one process: which one a call runs on, and what is current then
// and afterwards. The fake fails a test that uses memory or a stream while another GPU than theirs is current.
#include "expect_error.hpp"
#include "small_chunks.hpp"
#include "test_kernels.hpp"
#include "workspace.hpp"

#include <foldwise/array.hpp>
#include <foldwise/detail/vectorize.hpp>
#include <foldwise/error.hpp>
#include <foldwise/operand.hpp>

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

using namespace foldwise;
using namespace test_kernels;
using vec = std::vector<float>;

namespace {

CUstream_st* const stream_of_1 = reinterpret_cast<CUstream_st*>(0x1000);
CUstream_st* const stream_of_2 = reinterpret_cast<CUstream_st*>(0x2000);

void mix_into(operand<const float> x, operand<const float> y, operand<float> out, const executor& on = cuda()) {
    detail::vectorize(mix, {x.ref(), y.ref()}, {out.ref()}, on);
}
foldwise::array<float> mix_new(operand<const float> x, operand<const float> y, const executor& on = cuda()) {
    foldwise::array<float> out = detail::result<float>(mix, {x.ref(), y.ref()}, on);
    mix_into(x, y, out, on);
    return out;
}

/// Three GPUs, the first of which is current, before a test and after each of its steps.
class Devices : public testing::Test {
  protected:
    Devices() {
        gpu.devices = 3;
        gpu.owners = {{stream_of_1, 1}, {stream_of_2, 2}};
    }
    ~Devices() override { EXPECT_EQ(gpu.device, 0) << "another GPU was left current"; }

    /// The GPU that was current at the last launch.
    int launched_on() const { return gpu.current_at_last("launch"); }

    fake_gpu gpu;
};

TEST_F(Devices, ACallRunsWhereItsOperandsAre) {
    for (int device : {0, 1, 2}) {
        const auto x = to_device(vec{1, 2, 3}, device);
        EXPECT_EQ(x.place(), (place{memory::cuda, device}));
        foldwise::array<float> out(shape{3}, cuda(device));
        mix_into(x, 1.0f, out);
        EXPECT_EQ(launched_on(), device);
        EXPECT_EQ(out.to_host(), (vec{1, 3, 5}));
        const auto made = mix_new(x, x, cuda());
        EXPECT_EQ(made.place(), x.place());
        EXPECT_EQ(made.to_host(), (vec{1, 2, 3}));
        EXPECT_EQ(gpu.device, 0);
    }
}

TEST_F(Devices, HostOperandsGoToTheExecutorsGpuOrItsStreamsOrTheCurrentOne) {
    vec x{1, 2}, out(2);
    mix_into(x, 1.0f, out, cuda(2));
    EXPECT_EQ(launched_on(), 2);
    mix_into(x, 1.0f, out, cuda(stream_of_1));
    EXPECT_EQ(launched_on(), 1);
    mix_into(x, 1.0f, out, cuda(2, stream_of_2));
    EXPECT_EQ(launched_on(), 2);
    gpu.device = 1;
    mix_into(x, 1.0f, out);
    EXPECT_EQ(launched_on(), 1);
    EXPECT_EQ(mix_new(1.0f, 2.0f, cuda()).place(), (place{memory::cuda, 1}));
    EXPECT_EQ(mix_new(1.0f, 2.0f, cuda(2)).place(), (place{memory::cuda, 2}));
    EXPECT_EQ(foldwise::array<float>(shape{2}, cuda()).place(), (place{memory::cuda, 1}));
    gpu.device = 0;
    EXPECT_EQ(out, (vec{1, 3}));
}

TEST_F(Devices, OperandsOfTwoGpusAreRefusedBeforeAnythingIsLaunched) {
    const auto x = to_device(vec{1, 2}, 1), y = to_device(vec{1, 2}, 2);
    foldwise::array<float> out(shape{2}, cuda(1));
    gpu.forget_log();
    expect_error<device_error>([&] { mix_into(x, y, out); },
                               "test::mix: operands x and y are in the memory of different GPUs, 1 and 2");
    expect_error<device_error>([&] { mix_into(x, x, out, cuda(2)); },
                               "test::mix: operands are in the memory of GPU 1, and the executor names GPU 2");
    expect_error<device_error>([&] { mix_into(x, x, out, cuda(stream_of_2)); },
                               "test::mix: the executor's stream belongs to GPU 2, and the call is for GPU 1");
    expect_error<device_error>([&] { mix_into(x, x, out, cuda(1, stream_of_2)); }, "stream belongs to GPU 2");
    EXPECT_TRUE(gpu.log().empty());
}

TEST_F(Devices, AreNumbersAndNotNullStreams) {
    const resource from = stream_ordered_memory();
    EXPECT_EQ(cuda(0).device(), 0);
    EXPECT_EQ(cuda(0, from).device(), 0);
    EXPECT_EQ(cuda(1, from).device(), 1);
    EXPECT_EQ(cuda(0, nullptr).device(), 0);
    EXPECT_EQ(cuda(nullptr).device(), executor::any_device);
    EXPECT_EQ(cuda(nullptr, from).device(), executor::any_device);
    EXPECT_EQ(cuda(stream_of_1, from).stream(), stream_of_1);
    static_assert(!std::is_constructible_v<resource, void*>);
}

TEST_F(Devices, AGpuThatIsNotThereIsNamed) {
    const vec x{1, 2};
    for (int device : {3, 7, -2})
        expect_error<device_error>([&] { return to_device(x, device); },
                                   "there is no GPU " + std::to_string(device) + ": CUDA has 3, numbered from 0");
    vec out(2);
    expect_error<device_error>([&] { mix_into(x, x, out, cuda(3)); }, "test::mix: there is no GPU 3");
    EXPECT_EQ(out, vec(2));
}

TEST_F(Devices, ArraysMoveBetweenGpusWithoutTheHost) {
    const auto x = to_device(vec{1, 2, 3, 4}, 1);
    gpu.forget_log();
    const auto y = to_device(x, 2);
    EXPECT_EQ(std::count(gpu.log().begin(), gpu.log().end(), "to_peer"), 1);
    EXPECT_EQ(std::count(gpu.log().begin(), gpu.log().end(), "to_host"), 0);
    EXPECT_EQ(y.place(), (place{memory::cuda, 2}));
    EXPECT_EQ(y.to_host(), (vec{1, 2, 3, 4}));
    EXPECT_EQ(to_device(x.reshape({2, 2}).transpose(), cuda(stream_of_2)).to_host(), (vec{1, 3, 2, 4}));
    EXPECT_EQ(to_host(x.slice(0, 3, -1, -2)), (vec{4, 2}));
}

TEST_F(Devices, ACopyOfAnArrayWaitsForItsOwnStream) {
    const auto x = to_device(vec{1, 2}, 1);
    foldwise::array<float> out(shape{2}, cuda(stream_of_1));
    mix_into(x, 0.0f, out, cuda(stream_of_1));
    gpu.shuffle(1);  // from here on no stream goes on until somebody waits for it
    mix_into(out, 0.0f, out, cuda(stream_of_1));
    EXPECT_EQ(to_device(out, 2).to_host(), (vec{4, 8}));
}

TEST_F(Devices, ChunksOfHostArraysGoThroughTheirGpusOwnRing) {
    const small_chunks cut(64);
    vec x(1000), out(1000);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
    for (int device : {1, 2}) {
        gpu.forget_log();
        mix_into(x, 1.0f, out, cuda(device));
        EXPECT_EQ(launched_on(), device);
        EXPECT_GT(std::count(gpu.log().begin(), gpu.log().end(), "launch"), 8);
        EXPECT_EQ(out[999], 2 * 999 - 1);
    }
}

TEST_F(Devices, StridedHostArraysGoThereAndBack) {
    vec x{1, 2, 3, 4}, out(4);
    mix_into(host(x.data(), {2, 2}).transpose(), 1.0f, host(out.data(), {2, 2}), cuda(2));
    EXPECT_EQ(out, (vec{1, 5, 3, 7}));
    EXPECT_EQ(launched_on(), 2);
}

TEST_F(Devices, EachHasItsOwnWorkspaceForTheDefaultStream) {
    const auto counters_on = [&](int device) {
        const detail::current_gpu current(gpu, device, "test");
        return detail::workspace_of(cuda(device), {}, "test").memory.counters;
    };
    void* const first = counters_on(1);
    EXPECT_NE(counters_on(2), first);
    EXPECT_EQ(counters_on(1), first);
}

}  // namespace
