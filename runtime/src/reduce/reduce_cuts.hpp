// runtime/src/reduce/reduce_cuts.hpp: what folding rows and folding columns have in common on the CPU.
#pragma once

#include "elements.hpp"
#include "parallel.hpp"
#include "scratch.hpp"

#include <foldwise/detail/buffer.hpp>
#include <foldwise/detail/reduce_kernel.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace foldwise::detail {

/// Neighbouring results, in the row-major order of the kept axes.
struct result_range {
    std::int64_t first, count;
};

/// How a call with a layout is cut. A result's elements, in the row-major order of the folded axes, are cut into units,
/// each of which is folded in one go. Units are joined pairwise: neighbours, then what that made, and so on. So results
/// depend on the units alone, and these on shapes and strides. Results are made in tiles.
class reduce_cuts {
  public:
    reduce_cuts(const reduce_kernel& kernel, const reduce_call& call);

    /// Every `line` of a result's elements becomes units of `unit`; its last one may be shorter.
    void cut_elements(std::int64_t line, std::int64_t unit);
    /// Every `row` of results becomes tiles of about the same size, `widest` or less.
    void cut_results(std::int64_t row, std::int64_t widest, std::int64_t multiple);

    const std::int64_t* strides(int operand) const { return call.elements.layout->strides[operand]; }
    /// Of the innermost axis of its kind; zero if there is none.
    std::int64_t kept_stride(int operand) const { return kept.rank > 0 ? strides(operand)[kept.rank - 1] : 0; }
    std::int64_t folded_stride(int operand) const { return folded.rank > 0 ? strides(operand)[all.rank - 1] : 0; }
    std::byte* data(int operand) const { return static_cast<std::byte*>(call.elements.operands[operand].data); }
    std::size_t size(int operand) const { return kernel.operands[operand].size; }
    bool is_value(int operand) const;

    std::int64_t units() const { return length / line_ * units_per_line_; }
    std::int64_t longest_unit() const { return std::min(unit_, line_); }
    std::int64_t begin_of_unit(std::int64_t i) const {
        return i / units_per_line_ * line_ + i % units_per_line_ * unit_;
    }
    std::int64_t length_of_unit(std::int64_t i) const { return std::min(unit_, line_ - i % units_per_line_ * unit_); }

    std::int64_t tiles() const { return results / row_ * tiles_per_row_; }
    std::int64_t widest_tile() const { return std::min(tile_, row_); }
    result_range tile(std::int64_t i) const {
        const std::int64_t begin = i % tiles_per_row_ * tile_;
        return {i / tiles_per_row_ * row_ + begin, std::min(tile_, row_ - begin)};
    }

    /// Units of a tile that one thread folds. Where tiles are fewer than threads may be, the units of each are split,
    /// at powers of two, so that the same neighbours are joined in any case.
    std::int64_t units_at_once() const;

    const reduce_kernel& kernel;
    const reduce_call& call;
    const axes_of all, kept, folded;
    std::int64_t results, length;  ///< Length: elements of each result.

  private:
    std::int64_t line_ = 1, unit_ = 1, units_per_line_ = 1;
    std::int64_t row_ = 1, tile_ = 1, tiles_per_row_ = 1;
};

/// Joins units as they come: two of one size become one of twice the size, so that few wait for others.
class unit_joiner {
  public:
    unit_joiner(const reduce_cuts& plan, std::int64_t units);

    /// For another tile of `count` results.
    void begin(std::int64_t count) {
        count_ = count;
        added_ = 0;
        waiting_ = 0;
    }
    /// Where the next unit's accumulators are to be written.
    std::byte* next() { return memory_.data() + waiting_ * bytes_; }
    /// They are there.
    void add() {
        ++waiting_;
        for (std::int64_t n = ++added_; n % 2 == 0; n /= 2) join_last();
    }
    std::byte* total() {
        while (waiting_ > 1) join_last();
        return memory_.data();
    }

  private:
    void join_last() {
        --waiting_;
        kernel_.cpu->join(memory_.data() + (waiting_ - 1) * bytes_, memory_.data() + waiting_ * bytes_, count_);
    }

    const reduce_kernel& kernel_;
    const std::int64_t bytes_;  ///< From unit to unit.
    scratch memory_;
    std::int64_t count_ = 0, added_ = 0, waiting_ = 0;
};

/// Writes the results that accumulators come to, each behind the call's initial value.
void write_results(const reduce_kernel& kernel, const reduce_call& call, axes_of kept, std::byte* accumulators,
                   result_range which);

/// Joins `parts` lots of `count` accumulators, `bytes` apart: neighbours, then what that made, in order, into the
/// first.
void join_parts(const reduce_kernel& kernel, std::byte* accumulators, std::int64_t bytes, std::int64_t parts,
                std::int64_t count);

/// Folds everything on OpenMP threads. Each makes Folders(plan, units), whose fold(tile, begin, end) returns the
/// accumulators of a tile over so many units or less.
template <class Folder> void fold_tiles(const reduce_cuts& plan) {
    const std::int64_t units = plan.units(), at_once = plan.units_at_once();
    const auto write = [&](std::byte* accumulators, result_range tile) {
        write_results(plan.kernel, plan.call, plan.kept, accumulators, tile);
    };
    if (at_once >= units)
        return in_parallel(plan.tiles(), [&](std::int64_t begin, std::int64_t end) {
            if (begin >= end) return;
            Folder folder(plan, units);
            for (std::int64_t i = begin; i < end; ++i) write(folder.fold(plan.tile(i), 0, units), plan.tile(i));
        });

    const std::int64_t parts = (units + at_once - 1) / at_once, size = plan.kernel.accumulator_size;
    const std::int64_t bytes = round_up(plan.widest_tile() * size, chunk_multiple);
    const buffer memory(static_cast<std::size_t>(plan.tiles() * parts * bytes), memory_source{});
    auto* const accumulators = static_cast<std::byte*>(memory.data());
    in_parallel(plan.tiles() * parts, [&](std::int64_t begin, std::int64_t end) {
        if (begin >= end) return;
        Folder folder(plan, at_once);
        for (std::int64_t i = begin; i < end; ++i) {
            const result_range tile = plan.tile(i / parts);
            const std::int64_t first = i % parts * at_once;
            const std::byte* folded = folder.fold(tile, first, std::min(first + at_once, units));
            std::memcpy(accumulators + i * bytes, folded, static_cast<std::size_t>(tile.count * size));
        }
    });
    for (std::int64_t i = 0; i < plan.tiles(); ++i) {
        std::byte* const first = accumulators + i * parts * bytes;
        join_parts(plan.kernel, first, bytes, parts, plan.tile(i).count);
        write(first, plan.tile(i));
    }
}

/// Whether rows of results are too short for runs of their own when columns are folded.
bool spans_rows(const reduce_cuts& plan);

/// Folds each result's elements by blocks of reduce_block.
void fold_rows_on_cpu(reduce_cuts& plan);

/// Folds the elements of neighbouring results side by side.
void fold_columns_on_cpu(reduce_cuts& plan);

}  // namespace foldwise::detail
