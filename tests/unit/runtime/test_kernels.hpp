// tests/unit/runtime/test_kernels.hpp: kernels such as the generator emits, written by hand, on all three backends.
#pragma once

#include "fake_gpu.hpp"

#include <foldwise/detail/vectorize_kernel.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace test_kernels {

using foldwise::detail::element_range;
using foldwise::detail::operand_info;
using foldwise::detail::vectorize_kernel;

/// How the runtime cut a call into runs: first addresses of the output, and lengths.
struct run_log {
    std::mutex mutex;
    std::vector<std::pair<const float*, std::int64_t>> runs;
};
inline run_log& runs() {
    static run_log log;
    return log;
}

/// out = 2 x - y: exchanging x and y shows.
inline float mix_value(float x, float y) { return 2 * x - y; }

inline void mix_cpu(void* const* operands, std::int64_t count) {
    const auto* x = static_cast<const float*>(operands[0]);
    const auto* y = static_cast<const float*>(operands[1]);
    auto* out = static_cast<float*>(operands[2]);
    {
        const std::lock_guard lock(runs().mutex);
        runs().runs.emplace_back(out, count);
    }
    for (std::int64_t i = 0; i < count; ++i) out[i] = mix_value(x[i], y[i]);
}

/// The layout of a call, kept for when the stream runs.
class late_layout {
  public:
    explicit late_layout(const element_range& call) {
        if (!call.layout) return;
        extents_.assign(call.layout->extents, call.layout->extents + call.layout->rank);
        for (int i = 0; i < 3; ++i)
            strides_[i].assign(call.layout->strides[i], call.layout->strides[i] + extents_.size());
    }
    /// How far the i-th element of an operand is from its first.
    std::int64_t offset(std::size_t operand, std::int64_t i) const {
        if (extents_.empty()) return i;
        std::int64_t sum = 0;
        for (std::size_t axis = extents_.size(); axis-- > 0; i /= extents_[axis])
            sum += i % extents_[axis] * strides_[operand][axis];
        return sum;
    }

  private:
    std::vector<std::int64_t> extents_, strides_[3];
};

/// Reads a scalar before it returns, as a real launch does, and the arrays only when the stream runs.
struct late_float {
    const float* array;
    float scalar;
    float operator[](std::int64_t i) const { return array ? array[i] : scalar; }
};
inline late_float read_late(const foldwise::detail::operand_address& operand) {
    const auto* data = static_cast<const float*>(operand.data);
    return operand.is_scalar ? late_float{nullptr, *data} : late_float{data, 0};
}

inline int mix_cuda(const element_range& call, CUstream_st* stream) {
    const late_float x = read_late(call.operands[0]), y = read_late(call.operands[1]);
    auto* out = static_cast<float*>(call.operands[2].data);
    EXPECT_TRUE(fake_gpu::current().owns(out));
    EXPECT_EQ(x.array != nullptr, fake_gpu::current().owns(x.array));
    EXPECT_EQ(y.array != nullptr, fake_gpu::current().owns(y.array));
    const auto work = [=, at = late_layout(call), count = call.count] {
        for (std::int64_t i = 0; i < count; ++i)
            out[at.offset(2, i)] = mix_value(x[at.offset(0, i)], y[at.offset(1, i)]);
    };
    return fake_gpu::current().launch(work, stream);
}

inline int mix_simulator(const element_range& call, CUstream_st*) {
    const late_float x = read_late(call.operands[0]), y = read_late(call.operands[1]);
    auto* out = static_cast<float*>(call.operands[2].data);
    const late_layout at(call);
    for (std::int64_t i = 0; i < call.count; ++i)  // 1000 tells it apart
        out[at.offset(2, i)] = mix_value(x[at.offset(0, i)], y[at.offset(1, i)]) + 1000;
    return 0;
}

inline constexpr operand_info mix_operands[] = {{"x", 4, 4}, {"y", 4, 4}, {"out", 4, 4}};
inline constexpr vectorize_kernel mix{"test::mix", mix_operands, 2, 1, mix_cpu, mix_cuda, mix_simulator};
inline constexpr vectorize_kernel mix_on_cpu{"test::mix", mix_operands, 2, 1, mix_cpu, nullptr, nullptr};
inline constexpr vectorize_kernel mix_on_cuda{"test::mix", mix_operands, 2, 1, nullptr, mix_cuda, nullptr};
inline constexpr vectorize_kernel mix_on_simulator{"test::mix", mix_operands, 2, 1, nullptr, nullptr, mix_simulator};

/// Two outputs of other sizes than the input: the byte v % 7 and the double v / 2.
inline void split_elements(const std::int32_t* v, std::uint8_t* rest, double* half, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int32_t value = v[i];
        rest[i] = static_cast<std::uint8_t>(value % 7);
        half[i] = value / 2.0;
    }
}

inline void split_cpu(void* const* operands, std::int64_t count) {
    split_elements(static_cast<const std::int32_t*>(operands[0]), static_cast<std::uint8_t*>(operands[1]),
                   static_cast<double*>(operands[2]), count);
}

inline int split_cuda(const element_range& call, CUstream_st* stream) {
    const auto* v = static_cast<const std::int32_t*>(call.operands[0].data);
    auto* rest = static_cast<std::uint8_t*>(call.operands[1].data);
    auto* half = static_cast<double*>(call.operands[2].data);
    return fake_gpu::current().launch([=, n = call.count] { split_elements(v, rest, half, n); }, stream);
}

inline constexpr operand_info split_operands[] = {{"v", 4, 4}, {"out0", 1, 1}, {"out1", 8, 8}};
inline constexpr vectorize_kernel split{"test::split", split_operands, 1, 2, split_cpu, split_cuda, nullptr};

}  // namespace test_kernels
