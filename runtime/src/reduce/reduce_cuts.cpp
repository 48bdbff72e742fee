// runtime/src/reduce/reduce_cuts.cpp: cuts reductions on the CPU into tiles and units, and writes their results.
#include "reduce/reduce_cuts.hpp"

#include <bit>

namespace foldwise::detail {

namespace {

/// Returns how many elements some axes have together; 1 if there are none.
std::int64_t product(axes_of axes) {
    std::int64_t count = 1;
    for (int axis = 0; axis < axes.rank; ++axis) count *= axes.extents[axis];
    return count;
}

/// Returns how many parts of at most `part` elements cover `whole`.
constexpr std::int64_t parts_of(std::int64_t whole, std::int64_t part) { return (whole + part - 1) / part; }

}  // namespace

reduce_cuts::reduce_cuts(const reduce_kernel& kernel, const reduce_call& call)
    : kernel(kernel), call(call), all{call.elements.layout->rank, call.elements.layout->extents},
      kept{call.kept, all.extents}, folded{all.rank - call.kept, all.extents + call.kept}, results(product(kept)),
      length(product(folded)) {}

void reduce_cuts::cut_elements(std::int64_t line, std::int64_t unit) {
    line_ = line;
    unit_ = unit;
    units_per_line_ = parts_of(line, unit);
}

void reduce_cuts::cut_results(std::int64_t row, std::int64_t widest, std::int64_t multiple) {
    row_ = row;
    tile_ = round_up(parts_of(row, parts_of(row, widest)), multiple);
    tiles_per_row_ = parts_of(row, tile_);
}

bool reduce_cuts::is_value(int operand) const {
    return std::all_of(strides(operand), strides(operand) + all.rank, [](std::int64_t stride) { return stride == 0; });
}

std::int64_t reduce_cuts::units_at_once() const {
    // Enough tasks for the threads of large machines. Results depend neither on these numbers nor on those below.
    constexpr std::int64_t few_tiles = 64, many_tasks = 256;
    if (units() == 1 || tiles() >= few_tiles) return units();
    const std::int64_t wanted = parts_of(units(), parts_of(many_tasks, tiles()));
    // One thread joins the accumulators of the parts, which has to be little work compared with computing them: what
    // was measured is in docs/performance/notes/cpu.md, "Parts of one unit".
    constexpr std::int64_t least_elements = 16384, least_of_each_result = 64;
    const std::int64_t worth_it = std::max(parts_of(least_elements, longest_unit() * widest_tile()),
                                           parts_of(least_of_each_result, longest_unit()));
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max(wanted, worth_it))));
}

std::int64_t rows_side_by_side(const reduce_cuts& cuts) {
    // A change of these numbers changes the order in which elements are combined, and so the bits of results.
    constexpr std::int64_t wanted_results = 256, wanted_bytes = 4096, least_elements = 1024;
    if (!cuts.kernel.commutes || cuts.kernel.index_rank > 0 || cuts.kept.rank == 0 || cuts.folded.rank == 0) return 1;
    const std::int64_t row = cuts.kept.extents[cuts.kept.rank - 1], rows = cuts.folded.extents[cuts.folded.rank - 1];
    if (row * rows < least_elements) return 1;
    for (int i = 0; i < cuts.kernel.inputs; ++i) {
        if (!cuts.is_whole(i) && (cuts.kept_stride(i) != 1 || cuts.folded_stride(i) != row)) return 1;
    }
    const std::int64_t most = std::min(wanted_results, wanted_bytes / std::int64_t{cuts.kernel.accumulator_size});
    const std::int64_t fitting = std::min(most / row, rows / reduce_chain);
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(fitting, 1))));
}

bool spans_rows(const reduce_cuts& cuts) {
    constexpr std::int64_t short_row = 16;
    if (rows_side_by_side(cuts) > 1) return false;
    return cuts.kernel.index_rank == 0 && cuts.kept.rank > 1 && cuts.kept.extents[cuts.kept.rank - 1] < short_row;
}

unit_joiner::unit_joiner(const reduce_cuts& cuts, std::int64_t units)
    : kernel_(cuts.kernel), bytes_(round_up(cuts.widest_tile() * cuts.kernel.accumulator_size, chunk_multiple)),
      memory_(static_cast<std::size_t>(bytes_) * (std::bit_width(static_cast<std::uint64_t>(units)) + 1)) {}

void finish(const reduce_kernel& kernel, fold_stage stage, const std::byte* accumulators, std::byte* to,
            std::int64_t count, std::int64_t step) {
    const auto size = static_cast<std::ptrdiff_t>(kernel.accumulator_size);
    if (stage == fold_stage::partial)
        move_row(to, step * size, accumulators, size, count, kernel.accumulator_size);
    else
        kernel.cpu->finish(accumulators, to, count, step);
}

void write_results(const reduce_kernel& kernel, const reduce_call& call, axes_of kept, std::byte* accumulators,
                   result_range which) {
    static constexpr std::int64_t stay[max_axes] = {};
    const std::int64_t* strides = call.elements.layout ? call.elements.layout->strides[kernel.inputs] : stay;
    auto* const results = static_cast<std::byte*>(call.elements.operands[kernel.inputs].data);
    const auto size = static_cast<std::int64_t>(kernel.accumulator_size);
    const auto result_size = static_cast<std::int64_t>(kernel.operands[kernel.inputs].size);
    const cursor at(kept, which.first);
    at.each_row(strides, which.count, [&](std::int64_t offset, std::int64_t stride, std::int64_t run) {
        std::byte* to = results + offset * result_size;
        if (!call.initial) {
            finish(kernel, call.stage, accumulators, to, run, stride);
            accumulators += run * size;
            return;
        }
        alignas(largest_accumulator) std::byte begun[4096];
        const std::int64_t most = static_cast<std::int64_t>(sizeof begun) / size;
        for (std::int64_t count; run > 0; run -= count, accumulators += count * size) {
            count = std::min(run, most);
            move_row(begun, size, static_cast<const std::byte*>(call.initial), 0, count, kernel.accumulator_size);
            kernel.cpu->join(begun, accumulators, count);
            finish(kernel, call.stage, begun, to, count, stride);
            to += count * stride * result_size;
        }
    });
}

void join_parts(const reduce_kernel& kernel, std::byte* accumulators, std::int64_t bytes, std::int64_t parts,
                std::int64_t count) {
    for (std::int64_t step = 1; step < parts; step *= 2)
        for (std::int64_t i = 0; i + step < parts; i += 2 * step)
            kernel.cpu->join(accumulators + i * bytes, accumulators + (i + step) * bytes, count);
}

}  // namespace foldwise::detail
