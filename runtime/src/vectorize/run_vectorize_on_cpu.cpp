// runtime/src/vectorize/run_vectorize_on_cpu.cpp: splits a call into contiguous ranges, one for each OpenMP thread.
#include "elements.hpp"
#include "parallel.hpp"
#include "vectorize/run_vectorize.hpp"

#include <foldwise/detail/buffer.hpp>

#include <algorithm>
#include <cstddef>

namespace foldwise::detail {

namespace {

constexpr std::int64_t longest_splat = 512;  // elements
constexpr std::size_t splat_bytes = 16384;   // stays in the first-level cache beside the arrays

/// Scalars repeated into arrays, so that the kernel's inner loop has unit stride everywhere; ranges are split into
/// blocks of that length. Each thread has its own copies in its own cache.
class splats {
  public:
    splats(const vectorize_kernel& kernel, const element_range& call, std::int64_t count)
        : block_(choose_block(kernel, call, count)), spill_(spill_size(kernel, call), memory_source{}) {
        auto* next = spill_.bytes() ? static_cast<std::byte*>(spill_.data()) : stack_;
        for (int i = 0; i < kernel.inputs; ++i) {
            if (call.operands[i].is_whole) starts_[i] = static_cast<std::byte*>(call.operands[i].data);
            if (!call.operands[i].is_value()) continue;
            const std::size_t size = kernel.operands[i].size;
            move_row(next, static_cast<std::ptrdiff_t>(size), static_cast<std::byte*>(call.operands[i].data), 0, block_,
                     size);
            starts_[i] = next;
            next += padded(size);
        }
    }
    splats(const splats&) = delete;
    splats& operator=(const splats&) = delete;

    /// Returns the number of elements per call of the kernel; all of them if there are no scalars.
    std::int64_t block() const { return block_; }
    /// Returns the repeated elements of a scalar operand, or a whole array.
    std::byte* start(int operand) const { return starts_[operand]; }

  private:
    static std::size_t scalar_sizes(const vectorize_kernel& kernel, const element_range& call) {
        std::size_t sum = 0;
        for (int i = 0; i < kernel.inputs; ++i) {
            if (call.operands[i].is_value()) sum += kernel.operands[i].size;
        }
        return sum;
    }

    static std::int64_t choose_block(const vectorize_kernel& kernel, const element_range& call, std::int64_t count) {
        const std::size_t sum = scalar_sizes(kernel, call);
        if (sum == 0) return count;
        const auto fitting = static_cast<std::int64_t>(splat_bytes / sum) / chunk_multiple * chunk_multiple;
        return std::min(count, std::clamp(fitting, chunk_multiple, longest_splat));
    }

    /// Returns the bytes of one operand's part: whole cache lines, so that the next one is aligned.
    std::size_t padded(std::size_t size) const {
        return static_cast<std::size_t>(round_up(block_ * static_cast<std::int64_t>(size), chunk_multiple));
    }

    /// Returns the bytes needed for large structs or very many scalars, which do not fit on the stack; otherwise 0.
    std::size_t spill_size(const vectorize_kernel& kernel, const element_range& call) const {
        std::size_t bytes = 0;
        for (int i = 0; i < kernel.inputs; ++i) {
            if (call.operands[i].is_value()) bytes += padded(kernel.operands[i].size);
        }
        return bytes <= sizeof stack_ ? 0 : bytes;
    }

    std::int64_t block_;
    buffer spill_;
    std::byte* starts_[max_operands];
    alignas(64) std::byte stack_[splat_bytes];
};

/// Runs the elements [begin, end) on this thread.
void run_range(const vectorize_kernel& kernel, const element_range& call, const splats& scalars, std::int64_t begin,
               std::int64_t end) {
    void* operands[max_operands];
    for (std::int64_t at = begin; at < end; at += scalars.block()) {
        for (int i = 0; i < operand_count(kernel); ++i) {
            const auto size = static_cast<std::int64_t>(kernel.operands[i].size);
            operands[i] = call.operands[i].is_scalar ? scalars.start(i)
                                                     : static_cast<std::byte*>(call.operands[i].data) + at * size;
        }
        kernel.cpu(operands, std::min(scalars.block(), end - at));
    }
}

}  // namespace

void run_vectorize_on_cpu(const vectorize_kernel& kernel, const element_range& call) {
    if (call.layout || kernel.cpu_at) return run_strided_on_cpu(kernel, call);
    elements_in_parallel(&kernel, call.count, [&](std::int64_t begin, std::int64_t end) {
        if (begin < end) run_range(kernel, call, splats(kernel, call, end - begin), begin, end);
    });
}

}  // namespace foldwise::detail
