// runtime/src/reduce/fold_rows_on_cpu.cpp: passes a kernel contiguous runs of elements, one result after the other.
#include "reduce/reduce_cuts.hpp"

namespace foldwise::detail {

namespace {

/// One thread's progress through the call's elements. Operands that are not contiguous are copied, run by run.
class row_folder {
  public:
    row_folder(const reduce_cuts& cuts, std::int64_t units)
        : cuts_(cuts), kernel_(cuts.kernel), call_(cuts.call.elements), longest_(cuts.longest_unit()),
          joined_(cuts, units), copies_(bytes_of_copies()), at_(cuts.all, 0) {
        std::byte* next = copies_.data();
        for (int i = 0; i < kernel_.inputs; ++i) {
            ways_[i] = choose(i);
            is_whole_ &= ways_[i] != way::row;
            if (!is_copied(i)) continue;
            starts_[i] = next;
            next += bytes_of_copy(i);
            if (ways_[i] == way::value) move_row(starts_[i], bytes_of(i), cuts_.data(i), 0, longest_, cuts_.size(i));
        }
    }

    /// Reduces units [begin, end) of a tile. A tile has several results only if there is a single unit, so elements
    /// come in order.
    std::byte* fold(result_range tile, std::int64_t begin, std::int64_t end) {
        begin_ = tile.first * cuts_.length + cuts_.begin_of_unit(begin);
        if (!is_whole_) at_ = cursor(cuts_.all, begin_);
        joined_.begin(tile.count);
        for (std::int64_t unit = begin; unit < end; ++unit) {
            std::byte* accumulator = joined_.next();
            for (std::int64_t i = 0; i < tile.count; ++i, accumulator += kernel_.accumulator_size)
                fold_run(cuts_.length_of_unit(unit), accumulator);
            joined_.add();
        }
        return joined_.total();
    }

  private:
    enum class way : std::uint8_t {
        as_one,  ///< A whole array.
        whole,   ///< Directly, because it is contiguous.
        value,   ///< Through a copy that is filled once with the same element.
        row,     ///< Through a copy of each run, unless the run is contiguous.
    };

    std::int64_t bytes_of(int i) const { return static_cast<std::int64_t>(cuts_.size(i)); }
    std::size_t bytes_of_copy(int i) const {
        return static_cast<std::size_t>(round_up(longest_ * bytes_of(i), chunk_multiple));
    }
    std::size_t bytes_of_copies() const {
        std::size_t bytes = 0;
        for (int i = 0; i < kernel_.inputs; ++i) bytes += is_copied(i) ? bytes_of_copy(i) : 0;
        return bytes;
    }

    bool is_copied(int i) const { return choose(i) == way::value || choose(i) == way::row; }

    way choose(int i) const {
        if (cuts_.is_whole(i)) return way::as_one;
        if (cuts_.is_value(i)) return way::value;
        std::int64_t expected = 1;
        for (int axis = cuts_.all.rank - 1; axis >= 0; --axis) {
            if (cuts_.strides(i)[axis] != expected) return way::row;
            expected *= cuts_.all.extents[axis];
        }
        return way::whole;
    }

    void fold_run(std::int64_t count, void* accumulator) {
        void* operands[max_operands];
        for (int i = 0; i < kernel_.inputs; ++i) operands[i] = read(i, count);
        kernel_.cpu->fold(operands, count, position(), accumulator);
        begin_ += count;
        if (!is_whole_) at_.advance(count);
    }

    /// Returns the position of a run. Runs end with a row of the innermost axis unless positions continue after it.
    fold_position position() const {
        if (kernel_.index_rank == 0) return {};
        const std::int64_t* positions = cuts_.call.positions;
        if (cuts_.kept.rank == 0) return {call_.first + begin_, 1, 0, call_.shape};
        return {call_.first + cursor(cuts_.all, begin_).offset(positions), positions[cuts_.all.rank - 1], 0,
                call_.shape};
    }

    void* read(int i, std::int64_t count) const {
        switch (ways_[i]) {
        case way::as_one:
            return cuts_.data(i);
        case way::whole:
            return cuts_.data(i) + begin_ * bytes_of(i);
        case way::value:
            return starts_[i];
        case way::row:
            break;
        }
        const std::int64_t* strides = cuts_.strides(i);
        if (strides[cuts_.all.rank - 1] == 1 && count <= at_.left_in_row())
            return cuts_.data(i) + at_.offset(strides) * bytes_of(i);
        gather(starts_[i], cuts_.data(i), strides, at_, count, cuts_.size(i));
        return starts_[i];
    }

    const reduce_cuts& cuts_;
    const reduce_kernel& kernel_;
    const element_range& call_;
    const std::int64_t longest_;
    unit_joiner joined_;
    scratch copies_;
    std::byte* starts_[max_operands];
    way ways_[max_operands];
    bool is_whole_ = true;    ///< Whether no operand needs its position in the layout.
    std::int64_t begin_ = 0;  ///< The first element of the next run.
    cursor at_;
};

}  // namespace

void fold_rows_on_cpu(reduce_cuts& cuts) {
    // For an index, the positions of a run have to be one step apart.
    const bool ends_with_row = cuts.kernel.index_rank > 0 && cuts.kept.rank > 0;
    cuts.cut_elements(ends_with_row ? cuts.folded.extents[cuts.folded.rank - 1] : cuts.length, reduce_block);
    const std::int64_t together = cuts.units() == 1 ? std::max<std::int64_t>(reduce_block / cuts.length, 1) : 1;
    cuts.cut_results(cuts.results, together, 1);
    fold_tiles<row_folder>(cuts);
}

}  // namespace foldwise::detail
