// runtime/src/reduce/reduce_cuts.hpp: how reductions on the CPU are cut into tasks, whether by rows or by columns.
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

/// A range of results in the row-major order of the kept axes.
struct result_range {
    std::int64_t first, count;
};

/// The division of a call with a layout into tasks. The elements of a result, in the row-major order of the folded
/// axes, are cut into units, each of which is reduced in one go. Units are joined pairwise: neighbours, then the
/// results of that, and so on. Therefore results depend only on the units, which depend only on shapes and strides.
/// Results are computed in tiles.
class reduce_cuts {
  public:
    reduce_cuts(const reduce_kernel& kernel, const reduce_call& call);

    /// Cuts every `line` of a result's elements into units of `unit` elements; the last unit of a line may be shorter.
    void cut_elements(std::int64_t line, std::int64_t unit);
    /// Cuts every `row` of results into tiles of about the same size: of at most `widest` results, rounded up to a
    /// multiple of `multiple`.
    void cut_results(std::int64_t row, std::int64_t widest, std::int64_t multiple);

    /// Returns the strides of an operand along all axes, in elements.
    const std::int64_t* strides(int operand) const { return call.elements.layout->strides[operand]; }
    /// Returns an operand's stride along the innermost kept axis; zero if there is none.
    std::int64_t kept_stride(int operand) const { return kept.rank > 0 ? strides(operand)[kept.rank - 1] : 0; }
    /// Returns an operand's stride along the innermost folded axis; zero if there is none.
    std::int64_t folded_stride(int operand) const { return folded.rank > 0 ? strides(operand)[all.rank - 1] : 0; }
    std::byte* data(int operand) const { return static_cast<std::byte*>(call.elements.operands[operand].data); }
    std::size_t size(int operand) const { return kernel.operands[operand].size; }
    /// Returns whether an operand is a whole array, whose data() is its whole_array.
    bool is_whole(int operand) const { return call.elements.operands[operand].is_whole; }
    /// Returns whether all elements of an operand are one value.
    bool is_value(int operand) const;

    /// Returns the number of units of each result.
    std::int64_t units() const { return length / line_ * units_per_line_; }
    std::int64_t longest_unit() const { return std::min(unit_, line_); }
    std::int64_t begin_of_unit(std::int64_t i) const {
        return i / units_per_line_ * line_ + i % units_per_line_ * unit_;
    }
    std::int64_t length_of_unit(std::int64_t i) const { return std::min(unit_, line_ - i % units_per_line_ * unit_); }

    /// Returns the number of tiles.
    std::int64_t tiles() const { return results / row_ * tiles_per_row_; }
    std::int64_t widest_tile() const { return std::min(tile_, row_); }
    result_range tile(std::int64_t i) const {
        const std::int64_t begin = i % tiles_per_row_ * tile_;
        return {i / tiles_per_row_ * row_ + begin, std::min(tile_, row_ - begin)};
    }

    /// Returns how many units of a tile one thread reduces: all of them, or a power of two if there are fewer tiles
    /// than threads could use. At powers of two the same neighbours are joined as without a split, so that the number
    /// has no effect on results.
    std::int64_t units_at_once() const;

    const reduce_kernel& kernel;
    const reduce_call& call;
    const axes_of all, kept, folded;
    std::int64_t results, length;  ///< `length` is the number of elements per result.

  private:
    std::int64_t line_ = 1, unit_ = 1, units_per_line_ = 1;
    std::int64_t row_ = 1, tile_ = 1, tiles_per_row_ = 1;
};

/// Joins units as they arrive: two of the same size become one of twice the size, so that few are pending.
class unit_joiner {
  public:
    unit_joiner(const reduce_cuts& cuts, std::int64_t units);

    /// Starts another tile, of `count` results.
    void begin(std::int64_t count) {
        count_ = count;
        added_ = 0;
        waiting_ = 0;
    }
    /// Returns where the accumulators of the next unit are to be written.
    std::byte* next() { return memory_.data() + waiting_ * bytes_; }
    /// Adds the unit that has been written to next().
    void add() {
        ++waiting_;
        for (std::int64_t n = ++added_; n % 2 == 0; n /= 2) join_last();
    }
    /// Joins everything that is pending and returns the accumulators of the tile.
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
    const std::int64_t bytes_;  ///< From one unit to the next.
    scratch memory_;
    std::int64_t count_ = 0, added_ = 0, waiting_ = 0;
};

/// Writes the results of `count` accumulators, `step` elements apart, or the accumulators themselves if these are what
/// the call computes.
void finish(const reduce_kernel& kernel, fold_stage stage, const std::byte* accumulators, std::byte* to,
            std::int64_t count, std::int64_t step);

/// Writes the results of accumulators, each combined after the call's initial value if there is one.
void write_results(const reduce_kernel& kernel, const reduce_call& call, axes_of kept, std::byte* accumulators,
                   result_range which);

/// Joins `parts` groups of `count` accumulators, which are `bytes` apart, in order and pairwise, into the first group.
void join_parts(const reduce_kernel& kernel, std::byte* accumulators, std::int64_t bytes, std::int64_t parts,
                std::int64_t count);

/// Reduces everything on OpenMP threads. Each thread creates Folder(cuts, units), whose fold(tile, begin, end) returns
/// the accumulators of a tile over its units [begin, end), at most `units` of them.
template <class Folder> void fold_tiles(const reduce_cuts& cuts) {
    const std::int64_t units = cuts.units(), at_once = cuts.units_at_once();
    const auto write = [&](std::byte* accumulators, result_range tile) {
        write_results(cuts.kernel, cuts.call, cuts.kept, accumulators, tile);
    };
    if (at_once >= units)
        return in_parallel(cuts.tiles(), [&](std::int64_t begin, std::int64_t end) {
            if (begin >= end) return;
            Folder folder(cuts, units);
            for (std::int64_t i = begin; i < end; ++i) write(folder.fold(cuts.tile(i), 0, units), cuts.tile(i));
        });

    const std::int64_t parts = (units + at_once - 1) / at_once, size = cuts.kernel.accumulator_size;
    const std::int64_t bytes = round_up(cuts.widest_tile() * size, chunk_multiple);
    const buffer memory(static_cast<std::size_t>(cuts.tiles() * parts * bytes), memory_source{});
    auto* const accumulators = static_cast<std::byte*>(memory.data());
    in_parallel(cuts.tiles() * parts, [&](std::int64_t begin, std::int64_t end) {
        if (begin >= end) return;
        Folder folder(cuts, at_once);
        for (std::int64_t i = begin; i < end; ++i) {
            const result_range tile = cuts.tile(i / parts);
            const std::int64_t first = i % parts * at_once;
            const std::byte* folded = folder.fold(tile, first, std::min(first + at_once, units));
            std::memcpy(accumulators + i * bytes, folded, static_cast<std::size_t>(tile.count * size));
        }
    });
    for (std::int64_t i = 0; i < cuts.tiles(); ++i) {
        std::byte* const first = accumulators + i * parts * bytes;
        join_parts(cuts.kernel, first, bytes, parts, cuts.tile(i).count);
        write(first, cuts.tile(i));
    }
}

/// Returns whether tiles of columns extend over several rows of results, because these rows are too short to be
/// processed one by one. They never do so if the kernel takes an index.
bool spans_rows(const reduce_cuts& cuts);

/// Returns how many rows of a unit are folded side by side, as if they were one longer row, and then joined: a power of
/// two, and 1 unless rows are short, many, and contiguous in every operand, and may be combined in any order.
std::int64_t rows_side_by_side(const reduce_cuts& cuts);

/// Returns how many rows of `length` elements, which belong to neighbouring results, are folded by one call of the
/// kernel.
std::int64_t rows_at_once(const reduce_cuts& cuts, std::int64_t length);

/// Returns whether, by rows, each line of a result along its innermost axis is folded alone, as a row of its own, and
/// then joined to the others. Otherwise what is not contiguous is copied. An index needs lines, whose positions are one
/// step apart.
bool goes_by_lines(const reduce_cuts& cuts);

/// Reduces each result's elements in blocks of reduce_block.
void fold_rows_on_cpu(reduce_cuts& cuts);

/// Reduces the elements of neighbouring results side by side.
void fold_columns_on_cpu(reduce_cuts& cuts);

}  // namespace foldwise::detail
