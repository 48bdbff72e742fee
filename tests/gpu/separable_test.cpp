// tests/gpu/separable_test.cpp: with CUDA's separable compilation, where device code of several files is linked, each
// file's calls report the errors of its own kernels and of no other file's.
#include "on_gpu.hpp"
#include "separable_one.kernels.hpp"
#include "separable_other.kernels.hpp"

#include <foldwise/error.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

using ints = std::vector<std::int32_t>;

/// Returns the message of the device_error that `call` throws, or "nothing" if it throws none.
std::string error_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const foldwise::device_error& error) {
        return error.what();
    }
    return "nothing";
}

/// Expects `call` to throw a device_error that says `problem` and names `kernel`.
void expect_error(const std::string& kernel, const std::string& problem, const std::function<void()>& call) {
    const std::string message = error_of(call);
    EXPECT_NE(message.find(problem + ", in separable::" + kernel), message.npos) << message;
}

TEST_F(on_gpu, LinkedFilesReportTheirOwnErrors) {
    const std::string out_of_bounds = "index 8 is out of bounds for axis 0 with size 8", zero = "division by zero, of ";
    const foldwise::array<float> x({8}, foldwise::cuda());
    foldwise::array<float> out({8}, foldwise::cuda());
    const auto ones = foldwise::to_device(ints(100'000, 1)), zeros = foldwise::to_device(ints(100'000, 0));
    for (int i = 0; i < 3; ++i) {
        expect_error("one_next", out_of_bounds, [&] { separable::one_next(8, x, out); });
        EXPECT_EQ(error_of([&] { separable::other_next(7, x, out); }), "nothing") << "the other was blamed";
        expect_error("other_next", out_of_bounds, [&] { separable::other_next(8, x, out); });
        EXPECT_EQ(error_of([&] { separable::one_next(7, x, out); }), "nothing") << "the other was blamed";
        expect_error("one_quotient", zero + "1", [&] { static_cast<void>(separable::one_quotient(ones, zeros)); });
        expect_error("other_quotient", zero + "1", [&] { static_cast<void>(separable::other_quotient(ones, zeros)); });
        expect_error("other_shares", zero + "12", [&] { static_cast<void>(separable::other_shares(zeros)); });
        expect_error("one_shares", zero + "12", [&] { static_cast<void>(separable::one_shares(zeros)); });
        EXPECT_EQ(separable::one_shares(ones), 1'200'000);
        EXPECT_EQ(separable::other_shares(ones), 1'200'000);
    }
}

TEST_F(on_gpu, LinkedFilesReportTheirOwnErrorsToConcurrentThreads) {
    std::atomic<int> wrong = 0;
    const auto work = [&](const char* kernel, auto call) {
        const own_stream stream;
        const auto ones = foldwise::to_device(ints(1000, 1), foldwise::cuda(stream)),
                   zeros = foldwise::to_device(ints(1000, 0), foldwise::cuda(stream));
        for (int i = 0; i < 300; ++i) {
            if (error_of([&] { call(ones, zeros, foldwise::cuda(stream)); }).find(kernel) == std::string::npos) ++wrong;
            if (error_of([&] { call(ones, ones, foldwise::cuda(stream)); }) != "nothing") ++wrong;
        }
    };
    std::thread one(work, "separable::one_quotient", [](const auto& x, const auto& y, auto on) {
        static_cast<void>(separable::one_quotient(x, y, on));
    });
    std::thread other(work, "separable::other_quotient", [](const auto& x, const auto& y, auto on) {
        static_cast<void>(separable::other_quotient(x, y, on));
    });
    one.join();
    other.join();
    EXPECT_EQ(wrong, 0);
}

}  // namespace
