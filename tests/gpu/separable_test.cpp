// tests/gpu/separable_test.cpp: files that are compiled apart and linked for the GPU tell each its own mistakes.
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

std::string told_by(const std::function<void()>& call) {
    try {
        call();
    } catch (const foldwise::device_error& error) {
        return error.what();
    }
    return "nothing";
}

void expect_told(const std::string& kernel, const std::string& mistake, const std::function<void()>& call) {
    const std::string said = told_by(call);
    EXPECT_NE(said.find(mistake + ", in separable::" + kernel), said.npos) << said;
}

TEST_F(on_gpu, LinkedFilesTellTheirOwnMistakes) {
    const std::string out_of_bounds = "index 8 is out of bounds for axis 0 with size 8", zero = "division by zero, of ";
    const foldwise::array<float> x({8}, foldwise::cuda());
    foldwise::array<float> out({8}, foldwise::cuda());
    const auto ones = foldwise::to_device(ints(100'000, 1)), zeros = foldwise::to_device(ints(100'000, 0));
    for (int i = 0; i < 3; ++i) {
        expect_told("one_next", out_of_bounds, [&] { separable::one_next(8, x, out); });
        EXPECT_EQ(told_by([&] { separable::other_next(7, x, out); }), "nothing") << "the other was blamed";
        expect_told("other_next", out_of_bounds, [&] { separable::other_next(8, x, out); });
        EXPECT_EQ(told_by([&] { separable::one_next(7, x, out); }), "nothing") << "the other was blamed";
        expect_told("one_quotient", zero + "1", [&] { separable::one_quotient(ones, zeros); });
        expect_told("other_quotient", zero + "1", [&] { separable::other_quotient(ones, zeros); });
        expect_told("other_shares", zero + "12", [&] { separable::other_shares(zeros); });
        expect_told("one_shares", zero + "12", [&] { separable::one_shares(zeros); });
        EXPECT_EQ(separable::one_shares(ones), 1'200'000);
        EXPECT_EQ(separable::other_shares(ones), 1'200'000);
    }
}

TEST_F(on_gpu, LinkedFilesTellTheirOwnMistakesToThreadsThatCallAtOnce) {
    std::atomic<int> wrong = 0;
    const auto work = [&](const char* kernel, auto call) {
        const own_stream stream;
        const auto ones = foldwise::to_device(ints(1000, 1), foldwise::cuda(stream)),
                   zeros = foldwise::to_device(ints(1000, 0), foldwise::cuda(stream));
        for (int i = 0; i < 300; ++i) {
            if (told_by([&] { call(ones, zeros, foldwise::cuda(stream)); }).find(kernel) == std::string::npos) ++wrong;
            if (told_by([&] { call(ones, ones, foldwise::cuda(stream)); }) != "nothing") ++wrong;
        }
    };
    std::thread one(work, "separable::one_quotient",
                    [](const auto& x, const auto& y, auto on) { separable::one_quotient(x, y, on); });
    std::thread other(work, "separable::other_quotient",
                      [](const auto& x, const auto& y, auto on) { separable::other_quotient(x, y, on); });
    one.join();
    other.join();
    EXPECT_EQ(wrong, 0);
}

}  // namespace
