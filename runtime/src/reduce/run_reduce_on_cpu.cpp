// runtime/src/reduce/run_reduce_on_cpu.cpp: chooses how results are computed on the CPU.
#include "reduce/reduce_cuts.hpp"
#include "reduce/run_reduce.hpp"

namespace foldwise::detail {

namespace {

/// Writes results without elements: the initial value or the identity.
void write_empty(const reduce_kernel& kernel, const reduce_call& call) {
    reduce_call finished = call;
    finished.initial = nullptr;
    const axes_of kept{call.kept, call.elements.layout ? call.elements.layout->extents : nullptr};
    std::int64_t results = 1;
    for (int axis = 0; axis < kept.rank; ++axis) results *= kept.extents[axis];

    alignas(largest_accumulator) std::byte one[largest_accumulator], many[4096];
    if (call.initial)
        std::memcpy(one, call.initial, kernel.accumulator_size);
    else
        kernel.cpu->identity(one);
    const std::int64_t size = kernel.accumulator_size;
    const std::int64_t most = std::min(results, static_cast<std::int64_t>(sizeof many) / size);
    move_row(many, size, one, 0, most, kernel.accumulator_size);
    for (std::int64_t first = 0; first < results; first += most)
        write_results(kernel, finished, kept, many, {first, std::min(most, results - first)});
}

/// The approximate costs of an element besides combining it, in nanoseconds: its share of a call of the kernel, of the
/// end of a row, and of copying operands whose layout does not suit the kernel. The measurements are in
/// docs/performance/notes/cpu.md.
struct element_cost {
    static constexpr double call = 25;            ///< A call of the kernel.
    static constexpr double row = 3;              ///< The end of a row, whose lanes are joined.
    static constexpr double row_byte = 0.45;      ///< The same, for each byte of an accumulator.
    static constexpr double row_in_order = 25;    ///< A row whose elements are combined in order.
    static constexpr double run = 4;              ///< A run that is copied.
    static constexpr double repeated = 0.2;       ///< One element that is repeated for a run.
    static constexpr double turned_byte = 0.07;   ///< Each byte of short rows that are transposed to columns.
    static constexpr double turned_narrow = 0.1;  ///< A narrow element of theirs.
    static constexpr double turned_far = 1;       ///< Long rows that are transposed to columns.
    static constexpr double far = 1.5;            ///< Elements with gaps.
    static constexpr std::int64_t short_bytes = 128;

    static double by_rows(const reduce_cuts& cuts) {
        const bool by_lines = goes_by_lines(cuts);
        const std::int64_t line = cuts.folded.extents[cuts.folded.rank - 1];
        const auto length = static_cast<double>(std::min(by_lines ? line : cuts.length, reduce_block));
        const auto rows = static_cast<double>(rows_at_once(cuts, static_cast<std::int64_t>(length)));
        const double end =
            cuts.kernel.commutes ? std::min(row + row_byte * cuts.kernel.accumulator_size, row_in_order) : row_in_order;
        double cost = (call / rows + end) / length;
        for (int i = 0; i < cuts.kernel.inputs; ++i) {
            if (cuts.is_whole(i)) continue;
            const std::int64_t stride = cuts.folded_stride(i);
            if (stride != 1) cost += stride == 0 ? repeated : far;
            if ((cuts.folded.rank > 1 && !by_lines) || stride != 1) cost += run / static_cast<double>(line);
        }
        return cost;
    }

    static double by_columns(const reduce_cuts& cuts) {
        const std::int64_t row = cuts.kept.extents[cuts.kept.rank - 1];
        const std::int64_t rows = std::min(cuts.folded.extents[cuts.folded.rank - 1], reduce_chain);
        const bool spans = spans_rows(cuts);
        const std::int64_t together = spans ? cuts.results : row * rows_side_by_side(cuts);
        double cost = call / static_cast<double>(rows * std::min(together, std::int64_t{256}));
        for (int i = 0; i < cuts.kernel.inputs; ++i) {
            if (cuts.is_whole(i)) continue;
            const std::int64_t stride = cuts.kept_stride(i);
            if (spans) cost += run / static_cast<double>(row);
            if (stride == 1) continue;
            cost += stride == 0 ? repeated : cuts.folded_stride(i) != 1 ? far : turning(cuts, i);
        }
        return cost;
    }

    static double turning(const reduce_cuts& cuts, int operand) {
        const auto size = static_cast<std::int64_t>(cuts.size(operand));
        if (cuts.length * size > short_bytes) return turned_far;
        return std::max(turned_narrow, turned_byte * static_cast<double>(size));
    }
};

/// Returns whether to reduce by columns. If rows and columns cost the same in memory, rows are less work.
bool goes_by_columns(const reduce_cuts& cuts) {
    if (cuts.kept.rank == 0 || cuts.folded.rank == 0) return cuts.kept.rank > 0;
    return element_cost::by_columns(cuts) < element_cost::by_rows(cuts);
}

}  // namespace

void run_reduce_on_cpu(const reduce_kernel& kernel, const reduce_call& call) {
    if (call.segments) return fold_segments_on_cpu(kernel, call);
    if (call.elements.count == 0) return write_empty(kernel, call);
    std::int64_t strides[max_operands + 1][max_axes];
    element_layout line{1, {call.elements.count}, strides};
    reduce_call in_layout = call;
    if (!call.elements.layout) {  // contiguous arrays form a single axis
        for (int i = 0; i < kernel.inputs; ++i) strides[i][0] = call.elements.operands[i].is_scalar ? 0 : 1;
        strides[kernel.inputs][0] = 0;
        in_layout.elements.layout = &line;
    }
    if (call.stage == fold_stage::from_partials) return fold_partials_on_cpu(kernel, in_layout);
    reduce_cuts cuts(kernel, in_layout);
    goes_by_columns(cuts) ? fold_columns_on_cpu(cuts) : fold_rows_on_cpu(cuts);
}

}  // namespace foldwise::detail
