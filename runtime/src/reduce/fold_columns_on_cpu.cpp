// runtime/src/reduce/fold_columns_on_cpu.cpp: passes a kernel rows of elements that belong to neighbouring results.
#include "reduce/reduce_cuts.hpp"

namespace foldwise::detail {

namespace {

/// Returns whether an operand's elements of neighbouring results are contiguous.
bool has_contiguous_results(const reduce_cuts& cuts, int operand) {
    return !spans_rows(cuts) && cuts.kept_stride(operand) == 1;
}

/// One thread's progress through tiles. Operands whose elements are not contiguous are copied, unit by unit.
class column_folder {
  public:
    column_folder(const reduce_cuts& cuts, std::int64_t units)
        : cuts_(cuts), kernel_(cuts.kernel), spans_(spans_rows(cuts)), side_(rows_side_by_side(cuts)),
          joined_(cuts, units), copies_(bytes_of_copies()), wide_(bytes_of_wide()) {
        std::byte* next = copies_.data();
        for (int i = 0; i < kernel_.inputs; ++i) {
            ways_[i] = choose(i);
            if (ways_[i] == way::as_one) starts_[i] = cuts_.data(i);
            if (!is_copied(i)) continue;
            starts_[i] = next;
            next += bytes_of_copy(i);
        }
    }

    std::byte* fold(result_range tile, std::int64_t begin, std::int64_t end) {
        joined_.begin(tile.count);
        const cursor there(cuts_.kept, tile.first);
        cursor at(cuts_.folded, cuts_.begin_of_unit(begin));
        for (int i = 0; i < kernel_.inputs; ++i) {
            offsets_[i] = there.offset(cuts_.strides(i));
            if (ways_[i] == way::same) copy_row(starts_[i], i, 0, there, tile.count);
        }
        fold_position position{};
        if (kernel_.index_rank > 0) {
            const std::int64_t* positions = cuts_.call.positions;
            position = {0, positions[cuts_.kept.rank - 1], cuts_.folded.rank > 0 ? positions[cuts_.all.rank - 1] : 0,
                        cuts_.call.elements.shape};
        }
        const std::int64_t first =
            cuts_.call.elements.first + (kernel_.index_rank > 0 ? there.offset(cuts_.call.positions) : 0);
        for (std::int64_t unit = begin; unit < end; ++unit) {
            const std::int64_t rows = cuts_.length_of_unit(unit);
            for (int i = 0; i < kernel_.inputs; ++i) prepare(i, at, rows, there, tile.count);
            if (kernel_.index_rank > 0) position.first = first + at.offset(cuts_.call.positions + cuts_.kept.rank);
            if (side_ > 1)
                fold_side_by_side(rows, tile.count, joined_.next());
            else
                kernel_.cpu->fold_columns(operands_, steps_, rows, tile.count, position, joined_.next());
            joined_.add();
            at.advance(rows);
        }
        return joined_.total();
    }

  private:
    enum class way : std::uint8_t {
        as_one,  ///< A whole array.
        direct,  ///< The elements of a row are contiguous.
        same,    ///< All rows are the same; one is copied per tile.
        copied,
    };

    bool is_copied(int i) const { return choose(i) == way::same || choose(i) == way::copied; }

    way choose(int i) const {
        if (cuts_.is_whole(i)) return way::as_one;
        if (has_contiguous_results(cuts_, i)) return way::direct;
        const std::int64_t* strides = cuts_.strides(i);
        const bool is_same = std::all_of(strides + cuts_.kept.rank, strides + cuts_.all.rank,
                                         [](std::int64_t stride) { return stride == 0; });
        return is_same ? way::same : way::copied;
    }

    std::int64_t bytes_of(int i) const { return static_cast<std::int64_t>(cuts_.size(i)); }
    std::int64_t bytes_of_copy(int i) const {
        const std::int64_t rows = choose(i) == way::same ? 1 : cuts_.longest_unit();
        return round_up(rows * cuts_.widest_tile() * bytes_of(i), chunk_multiple);
    }
    std::size_t bytes_of_copies() const {
        std::int64_t bytes = 0;
        for (int i = 0; i < kernel_.inputs; ++i) bytes += is_copied(i) ? bytes_of_copy(i) : 0;
        return static_cast<std::size_t>(bytes);
    }

    /// Copies the elements of `count` results that lie `offset` elements after those at the results' own position
    /// `there`.
    void copy_row(std::byte* to, int i, std::int64_t offset, const cursor& there, std::int64_t count) const {
        gather(to, cuts_.data(i) + offset * bytes_of(i), cuts_.strides(i), there, count, cuts_.size(i));
    }

    void prepare(int i, const cursor& at, std::int64_t rows, const cursor& there, std::int64_t count) {
        operands_[i] = starts_[i];
        steps_[i] = 0;
        if (ways_[i] == way::same || ways_[i] == way::as_one) return;
        const std::int64_t offset = at.offset(cuts_.strides(i) + cuts_.kept.rank), step = cuts_.folded_stride(i);
        const std::int64_t column = cuts_.kept_stride(i), size = bytes_of(i);
        std::byte* const from = cuts_.data(i) + (offsets_[i] + offset) * size;
        if (ways_[i] == way::direct) {
            operands_[i] = from;
            steps_[i] = step;
            return;
        }
        steps_[i] = count;
        if (spans_ && rows * cuts_.kept.extents[cuts_.kept.rank - 1] >= count) {
            // With fewer rows of results than of elements, all of the latter are copied for one of the former at a
            // time.
            std::byte* to = starts_[i];
            there.each_row(cuts_.strides(i), count, [&](std::int64_t own, std::int64_t stride, std::int64_t length) {
                move_rows({to, count * size, size}, {cuts_.data(i) + (own + offset) * size, step * size, stride * size},
                          rows, length, cuts_.size(i));
                to += length * size;
            });
        } else if (spans_ || column == 0) {
            for (std::int64_t row = 0; row < rows; ++row)
                copy_row(starts_[i] + row * count * size, i, offset + row * step, there, count);
        } else {
            move_tile(starts_[i], count * size, size, from, step * size, column * size, rows, count, cuts_.size(i));
        }
    }

    /// Accumulators of as many rows side by side, and of half as many.
    std::size_t bytes_of_wide() const {
        return side_ > 1 ? static_cast<std::size_t>(side_ * cuts_.widest_tile() * kernel_.accumulator_size * 3 / 2) : 0;
    }

    /// Folds `rows` contiguous rows that begin `first` elements after the operands' own.
    void fold_wide(std::int64_t first, std::int64_t rows, std::int64_t count, std::byte* to) const {
        void* operands[max_operands];
        std::int64_t steps[max_operands];
        for (int i = 0; i < kernel_.inputs; ++i) {
            const bool is_whole = ways_[i] == way::as_one;
            operands[i] = static_cast<std::byte*>(operands_[i]) + (is_whole ? 0 : first * bytes_of(i));
            steps[i] = is_whole ? 0 : count;
        }
        kernel_.cpu->fold_columns(operands, steps, rows, count, {}, to);
    }

    /// Folds contiguous rows of `count` elements as fewer rows that are longer by a power of two, and then joins the
    /// second half of the accumulators to the first, and so on. The rows left over are added where as many are left.
    void fold_side_by_side(std::int64_t rows, std::int64_t count, std::byte* to) {
        const std::int64_t size = kernel_.accumulator_size;
        std::int64_t side = side_;
        while (side > 1 && side > rows) side /= 2;
        std::byte* const all = wide_.data();
        std::byte* const more = all + side * count * size;
        fold_wide(0, rows / side, side * count, all);
        std::int64_t done = rows / side * side;
        while (side > 1) {
            side /= 2;
            kernel_.cpu->join(all, all + side * count * size, side * count);
            if (rows - done < side) continue;
            fold_wide(done * count, 1, side * count, more);
            kernel_.cpu->join(all, more, side * count);
            done += side;
        }
        std::memcpy(to, all, static_cast<std::size_t>(count * size));
    }

    const reduce_cuts& cuts_;
    const reduce_kernel& kernel_;
    const bool spans_;
    const std::int64_t side_;
    unit_joiner joined_;
    scratch copies_, wide_;
    std::byte* starts_[max_operands];
    way ways_[max_operands];
    std::int64_t offsets_[max_operands];  ///< The offsets of the tile's first elements.
    void* operands_[max_operands];
    std::int64_t steps_[max_operands];
};

/// Returns how many results keep accumulators and copies in the first-level cache, together with what lies between the
/// copied elements. Elements that are repeated may be in the second-level cache, which makes the rows of the other
/// operands longer.
std::int64_t widest_tile(const reduce_cuts& cuts) {
    constexpr std::int64_t bytes = 16384, multiple = chunk_multiple;
    std::int64_t each = 0;
    for (int i = 0; i < cuts.kernel.inputs; ++i) {
        if (cuts.is_whole(i) || has_contiguous_results(cuts, i)) continue;
        each +=
            (cuts.kept_stride(i) == 0 ? reduce_chain / 4 : 2 * reduce_chain) * static_cast<std::int64_t>(cuts.size(i));
    }
    const std::int64_t most = bytes / std::max<std::int64_t>(each, cuts.kernel.accumulator_size);
    return std::max(most / multiple * multiple, multiple);
}

}  // namespace

void fold_columns_on_cpu(reduce_cuts& cuts) {
    cuts.cut_elements(cuts.folded.rank > 0 ? cuts.folded.extents[cuts.folded.rank - 1] : 1,
                      reduce_chain * rows_side_by_side(cuts));
    const std::int64_t row = spans_rows(cuts) ? cuts.results : cuts.kept.extents[cuts.kept.rank - 1];
    cuts.cut_results(row, widest_tile(cuts), chunk_multiple);
    fold_tiles<column_folder>(cuts);
}

}  // namespace foldwise::detail
