// tests/unit/runtime/device_test.cpp: the program's GPU, and what is left of it in a forked process.
#include "device.hpp"

#include "expect_error.hpp"
#include "fake_gpu.hpp"
#include "in_a_fork.hpp"

#include <foldwise/array.hpp>
#include <foldwise/error.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

using namespace foldwise;
using detail::gpu_present;
using detail::require_gpu;

TEST(Device, IsNamedWhereThereIsNone) {
    const detail::device_api* const before = detail::exchange_device(nullptr);
    EXPECT_FALSE(gpu_present());
    expect_error<device_error>([] { require_gpu("test::f"); }, "test::f: there is no GPU", "backend cuda");
    detail::exchange_device(before);
    fake_gpu gpu;
    gpu.absent = "cudaErrorNoDevice: none";
    EXPECT_FALSE(gpu_present());
    expect_error<device_error>([] { require_gpu("test::f"); }, "test::f: there is no GPU: cudaErrorNoDevice");
}

TEST(Device, OfAProcessThatHasUsedItIsLostInItsForks) {
    fake_gpu gpu;
    const std::vector<float> values{1, 2, 3};
    std::optional<array<float>> there = to_device(values, cuda());
    EXPECT_TRUE(in_a_fork([&] {
        gpu.forget_log();
        std::string said;
        try {
            static_cast<void>(there->to_host());
        } catch (const device_error& error) {
            said = error.what();
        }
        there.reset();
        const bool is_on_host = array<float>(shape{3}).place().kind == memory::host;
        return said.find("forked") != said.npos && !gpu_present() && is_on_host && gpu.log().empty();
    }));
    EXPECT_TRUE(gpu_present());
    EXPECT_EQ(there->to_host(), values);
}

TEST(Device, ErrorsCarryCudasCode) {
    fake_gpu gpu;
    gpu.fail("synchronize", 0, 719);
    try {
        static_cast<void>(to_device(std::vector<float>{1}, cuda()));
        FAIL();
    } catch (const device_error& error) {
        EXPECT_EQ(error.code(), 719);
    }
    EXPECT_EQ(device_error("no code").code(), 0);
}
