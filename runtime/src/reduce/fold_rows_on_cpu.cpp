// runtime/src/reduce/fold_rows_on_cpu.cpp: passes a kernel contiguous rows of elements, each of which belongs to one
// result.
#include "reduce/reduce_cuts.hpp"

namespace foldwise::detail {

namespace {

/// Returns whether each unit's elements of an operand are contiguous.
bool has_contiguous_units(const reduce_cuts& cuts, int operand) {
    return cuts.is_whole(operand) ||
           (cuts.folded_stride(operand) == 1 && (cuts.folded.rank == 1 || goes_by_lines(cuts)));
}

/// Returns whether all operands' elements are contiguous in each unit, or all the same.
bool are_direct(const reduce_cuts& cuts) {
    for (int i = 0; i < cuts.kernel.inputs; ++i)
        if (!has_contiguous_units(cuts, i) && !cuts.is_value(i)) return false;
    return true;
}

/// One thread's progress through the call's elements. Operands that are not contiguous are copied, as many rows at a
/// time as there are in a tile.
class row_folder {
  public:
    row_folder(const reduce_cuts& cuts, std::int64_t units)
        : cuts_(cuts), kernel_(cuts.kernel), longest_(cuts.longest_unit()), joined_(cuts, units),
          copies_(bytes_of_copies()) {
        std::byte* next = copies_.data();
        for (int i = 0; i < kernel_.inputs; ++i) {
            ways_[i] = choose(i);
            if (!is_copied(i)) continue;
            starts_[i] = next;
            next += bytes_of_copy(i);
            if (ways_[i] == way::value) move_row(starts_[i], bytes_of(i), cuts_.data(i), 0, longest_, cuts_.size(i));
        }
    }

    std::byte* fold(result_range tile, std::int64_t begin, std::int64_t end) {
        joined_.begin(tile.count);
        cursor at(cuts_.folded, cuts_.begin_of_unit(begin));
        for (std::int64_t unit = begin; unit < end; ++unit) {
            const std::int64_t count = cuts_.length_of_unit(unit);
            fold_unit(tile, cuts_.begin_of_unit(unit), at, count, joined_.next());
            joined_.add();
            at.advance(count);
        }
        return joined_.total();
    }

  private:
    enum class way : std::uint8_t {
        as_one,  ///< A whole array.
        direct,  ///< The elements of a row are contiguous.
        value,   ///< Through a copy that is filled once with the same element.
        copied,
    };

    std::int64_t bytes_of(int i) const { return static_cast<std::int64_t>(cuts_.size(i)); }
    std::int64_t bytes_of_copy(int i) const {
        const std::int64_t rows = choose(i) == way::value ? 1 : cuts_.widest_tile();
        return round_up(rows * longest_ * bytes_of(i), chunk_multiple);
    }
    std::size_t bytes_of_copies() const {
        std::int64_t bytes = 0;
        for (int i = 0; i < kernel_.inputs; ++i) bytes += is_copied(i) ? bytes_of_copy(i) : 0;
        return static_cast<std::size_t>(bytes);
    }

    bool is_copied(int i) const { return choose(i) == way::value || choose(i) == way::copied; }

    way choose(int i) const {
        if (cuts_.is_whole(i)) return way::as_one;
        if (cuts_.is_value(i)) return way::value;
        return has_contiguous_units(cuts_, i) ? way::direct : way::copied;
    }

    /// Folds `count` elements of each result from `begin` on, which is where `at` is.
    void fold_unit(result_range tile, std::int64_t begin, const cursor& at, std::int64_t count, std::byte* to) {
        cursor there(cuts_.kept, tile.first);
        for (std::int64_t done = 0, rows; done < tile.count; done += rows) {
            rows = std::min(there.left_in_row(), tile.count - done);
            void* operands[max_operands];
            std::int64_t steps[max_operands];
            for (int i = 0; i < kernel_.inputs; ++i) {
                operands[i] = ways_[i] == way::as_one ? cuts_.data(i) : starts_[i];
                steps[i] = 0;
                const std::int64_t* strides = cuts_.strides(i);
                if (ways_[i] == way::direct) {
                    const std::int64_t offset = there.offset(strides) + at.offset(strides + cuts_.kept.rank);
                    operands[i] = cuts_.data(i) + offset * bytes_of(i);
                    steps[i] = cuts_.kept_stride(i);
                } else if (ways_[i] == way::copied) {
                    // Several rows, if any, are whole results, whose elements follow one another.
                    const cursor first(cuts_.all, (tile.first + done) * cuts_.length + begin);
                    gather(starts_[i], cuts_.data(i), strides, first, rows * count, cuts_.size(i));
                    steps[i] = count;
                }
            }
            kernel_.cpu->fold_rows(operands, steps, rows, count, position(there, begin, at),
                                   to + done * kernel_.accumulator_size);
            there.advance(rows);
        }
    }

    /// Returns the positions of rows of results from `there` on.
    fold_position position(const cursor& there, std::int64_t begin, const cursor& at) const {
        if (kernel_.index_rank == 0) return {};
        const element_range& call = cuts_.call.elements;
        const std::int64_t* positions = cuts_.call.positions;
        if (cuts_.kept.rank == 0) return {call.first + begin, 1, 0, call.shape};
        return {call.first + there.offset(positions) + at.offset(positions + cuts_.kept.rank),
                positions[cuts_.all.rank - 1], positions[cuts_.kept.rank - 1], call.shape};
    }

    const reduce_cuts& cuts_;
    const reduce_kernel& kernel_;
    const std::int64_t longest_;
    unit_joiner joined_;
    scratch copies_;
    std::byte* starts_[max_operands];
    way ways_[max_operands];
};

}  // namespace

std::int64_t rows_at_once(const reduce_cuts& cuts, std::int64_t length) {
    if (cuts.kept.rank == 0) return 1;
    return std::min(cuts.kept.extents[cuts.kept.rank - 1], std::max<std::int64_t>(reduce_block / length, 1));
}

bool goes_by_lines(const reduce_cuts& cuts) {
    constexpr std::int64_t least_elements = 512;  // fewer take less time to copy than a call of the kernel
    if (cuts.kept.rank == 0 || cuts.folded.rank < 2) return false;
    const std::int64_t line = cuts.folded.extents[cuts.folded.rank - 1];
    if (cuts.kernel.index_rank > 0) return true;
    return line >= cuts.kernel.cpu->width && line * rows_at_once(cuts, line) >= least_elements;
}

void fold_rows_on_cpu(reduce_cuts& cuts) {
    const bool by_lines = goes_by_lines(cuts);
    cuts.cut_elements(by_lines ? cuts.folded.extents[cuts.folded.rank - 1] : cuts.length, reduce_block);
    // Several results at a time, of as many elements as a block has, if their rows need no copies or are copied whole.
    const bool is_several = cuts.units() == 1 || are_direct(cuts);
    const std::int64_t together = is_several ? std::max<std::int64_t>(reduce_block / cuts.longest_unit(), 1) : 1;
    cuts.cut_results(cuts.results, together, 1);
    fold_tiles<row_folder>(cuts);
}

}  // namespace foldwise::detail
