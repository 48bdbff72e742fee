// runtime/src/run_reduce_on_cpu.cpp: folds blocks of a fixed size on OpenMP threads.
#include "elements.hpp"
#include "parallel.hpp"
#include "run_reduce.hpp"

#include <foldwise/detail/buffer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace foldwise::detail {

namespace {

/// One thread's way through blocks of elements. Operands that are not contiguous are copied, block by block.
class block_reader {
  public:
    block_reader(const reduce_kernel& kernel, const elementwise_call& call)
        : kernel_(kernel), call_(call), longest_(std::min(reduce_block, call.count)),
          copies_(copied_bytes(), memory::host, nullptr) {
        auto* next = static_cast<std::byte*>(copies_.data());
        for (int i = 0; i < kernel_.inputs; ++i) {
            if (!is_copied(i)) continue;
            starts_[i] = next;
            next += bytes_of_copy(i);
            if (is_value(i)) repeat(i);
        }
    }

    /// Folds the elements [begin, end), a block or less.
    void fold(std::int64_t begin, std::int64_t end, void* accumulator) const {
        void* operands[max_operands];
        for (int i = 0; i < kernel_.inputs; ++i) operands[i] = read(i, begin, end - begin);
        kernel_.cpu->fold(operands, end - begin, {call_.first + begin, 1, call_.shape}, accumulator);
    }

  private:
    std::size_t size(int i) const { return kernel_.operands[i].size; }
    std::byte* first(int i) const { return static_cast<std::byte*>(call_.operands[i].data); }
    const std::int64_t* strides(int i) const { return call_.layout->strides[i]; }

    bool is_value(int i) const {
        if (call_.operands[i].is_scalar || !call_.layout) return call_.operands[i].is_scalar;
        return std::all_of(strides(i), strides(i) + call_.layout->rank,
                           [](std::int64_t stride) { return stride == 0; });
    }
    bool is_copied(int i) const {
        if (is_value(i)) return true;
        if (!call_.layout) return false;
        std::int64_t expected = 1;
        for (int axis = call_.layout->rank - 1; axis >= 0; --axis) {
            if (strides(i)[axis] != expected) return true;
            expected *= call_.layout->extents[axis];
        }
        return false;
    }

    std::size_t bytes_of_copy(int i) const {
        return static_cast<std::size_t>(round_up(longest_ * static_cast<std::int64_t>(size(i)), chunk_multiple));
    }
    std::size_t copied_bytes() const {
        std::size_t bytes = 0;
        for (int i = 0; i < kernel_.inputs; ++i) bytes += is_copied(i) ? bytes_of_copy(i) : 0;
        return bytes;
    }
    void repeat(int i) const {
        for (std::int64_t k = 0; k < longest_; ++k)
            std::memcpy(starts_[i] + static_cast<std::size_t>(k) * size(i), first(i), size(i));
    }

    void* read(int i, std::int64_t begin, std::int64_t count) const {
        if (!is_copied(i)) return first(i) + begin * static_cast<std::int64_t>(size(i));
        if (!is_value(i)) {
            const cursor at({call_.layout->rank, call_.layout->extents}, begin);
            gather(starts_[i], first(i), strides(i), at, count, size(i));
        }
        return starts_[i];
    }

    const reduce_kernel& kernel_;
    const elementwise_call& call_;
    const std::int64_t longest_;
    buffer copies_;
    std::byte* starts_[max_operands];
};

/// Neighbours join, then what that made: in order, into the first one.
void join_all(const reduce_kernel& kernel, std::byte* accumulators, std::int64_t count) {
    const std::int64_t size = kernel.accumulator_size;
    for (std::int64_t step = 1; step < count; step *= 2)
        for (std::int64_t i = 0; i + step < count; i += 2 * step)
            kernel.cpu->join(accumulators + i * size, accumulators + (i + step) * size, 1);
}

void fold_all(const reduce_kernel& kernel, const elementwise_call& call, std::byte* folded) {
    if (call.count <= reduce_block) return block_reader(kernel, call).fold(0, call.count, folded);
    const std::int64_t blocks = (call.count + reduce_block - 1) / reduce_block, size = kernel.accumulator_size;
    const buffer accumulators(static_cast<std::size_t>(blocks * size), memory::host, nullptr);
    auto* all = static_cast<std::byte*>(accumulators.data());
    in_parallel(call.count, reduce_block, reduce_block, [&](std::int64_t begin, std::int64_t end) {
        if (begin >= end) return;
        const block_reader reader(kernel, call);
        for (std::int64_t at = begin; at < end; at += reduce_block)
            reader.fold(at, std::min(at + reduce_block, end), all + at / reduce_block * size);
    });
    join_all(kernel, all, blocks);
    std::memcpy(folded, all, static_cast<std::size_t>(size));
}

}  // namespace

void run_reduce_on_cpu(const reduce_kernel& kernel, const reduce_call& call) {
    alignas(largest_accumulator) std::byte folded[largest_accumulator], begun[largest_accumulator];
    void* out = call.elements.operands[kernel.inputs].data;
    if (call.elements.count > 0)
        fold_all(kernel, call.elements, folded);
    else if (kernel.cpu->identity)
        kernel.cpu->identity(folded);
    if (!call.initial) return kernel.cpu->finish(folded, out, 1, 1);
    std::memcpy(begun, call.initial, kernel.accumulator_size);
    if (call.elements.count > 0) kernel.cpu->join(begun, folded, 1);
    kernel.cpu->finish(begun, out, 1, 1);
}

}  // namespace foldwise::detail
