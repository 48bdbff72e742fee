// runtime/src/scatter/run_scatter_on_cpu.cpp: combines chunks of the elements on OpenMP threads.
#include "elements.hpp"
#include "parallel.hpp"
#include "scatter/run_scatter.hpp"
#include "vectorize/run_vectorize.hpp"

#include <foldwise/detail/buffer.hpp>

#include <algorithm>

namespace foldwise::detail {

namespace {

/// Calls run(first, offset, step, count) for runs of bins: the number of the first one, and how they lie in memory.
template <class Run> void each_bin(const scatter_bins& bins, axes_of axes, std::int64_t count, const Run& run) {
    std::int64_t first = 0;
    cursor(axes, 0).each_row(bins.strides, count, [&](std::int64_t offset, std::int64_t step, std::int64_t length) {
        run(first, offset, step, length);
        first += length;
    });
}

/// Bins without gaps, in row-major order.
scatter_bins contiguous(const scatter_kernel& kernel, const scatter_bins& like, void* data) {
    scatter_bins bins = like;
    bins.data = data;
    std::int64_t stride = 1;
    for (int axis = kernel.bin_axes - 1; axis >= 0; --axis) {
        bins.strides[axis] = stride;
        stride *= bins.extents[axis];
    }
    return bins;
}

/// Combines the elements [begin, end) into bins.
void scatter_part(const scatter_kernel& kernel, const element_range& elements, const scatter_bins& bins,
                  std::int64_t begin, std::int64_t end) {
    const vectorize_kernel loop = {.name = kernel.name,
                                   .operands = kernel.operands,
                                   .inputs = kernel.inputs + 1,
                                   .outputs = 0,
                                   .cpu = kernel.cpu->scatter,
                                   .cuda = nullptr,
                                   .simulator = nullptr,
                                   .index_rank = kernel.index_rank,
                                   .cpu_at = kernel.cpu->scatter_at};
    // The bins come behind the inputs, as an operand that is handed over as it is.
    operand_address operands[max_operands + 1];
    std::copy_n(elements.operands, kernel.inputs, operands);
    operands[kernel.inputs] = {const_cast<scatter_bins*>(&bins), true, true};
    element_range part = elements;
    part.operands = operands;
    run_part_on_cpu(loop, part, begin, end);
}

}  // namespace

void run_scatter_on_cpu(const scatter_kernel& kernel, const scatter_arguments& all) {
    const std::int64_t count = all.bin_count(kernel);
    const auto size = static_cast<std::int64_t>(kernel.operands[kernel.inputs].size);
    const axes_of axes{kernel.bin_axes, all.bins.extents};
    auto* const output = static_cast<std::byte*>(all.bins.data);
    if (all.is_fresh)
        each_bin(all.bins, axes, count, [&](std::int64_t, std::int64_t offset, std::int64_t step, std::int64_t length) {
            kernel.cpu->fill(output + offset * size, length, step);
        });
    const buffer copies(all.copy_bytes(kernel), memory_source{});
    const scatter_call call = all.call(kernel);
    if (call.chunks == 1) return scatter_part(kernel, call.elements, all.bins, 0, all.count);
    auto* const memory = static_cast<std::byte*>(copies.data());
    const std::int64_t each = (all.count + call.chunks - 1) / call.chunks;
    each_in_parallel(call.chunks, call.chunks, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t chunk = begin; chunk < end; ++chunk) {
            const scatter_bins own = contiguous(kernel, all.bins, memory + chunk * count * size);
            kernel.cpu->fill(own.data, count, 1);
            scatter_part(kernel, call.elements, own, std::min(chunk * each, all.count),
                         std::min((chunk + 1) * each, all.count));
        }
    });
    for (int chunk = 0; chunk < call.chunks; ++chunk)
        each_bin(all.bins, axes, count,
                 [&](std::int64_t first, std::int64_t offset, std::int64_t step, std::int64_t length) {
                     kernel.cpu->join(output + offset * size, memory + (chunk * count + first) * size, length, step);
                 });
}

}  // namespace foldwise::detail
