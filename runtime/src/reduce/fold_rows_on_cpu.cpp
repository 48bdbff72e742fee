// runtime/src/reduce/fold_rows_on_cpu.cpp: passes a kernel contiguous runs of elements, one result after the other.
#include "reduce/reduce_cuts.hpp"

namespace foldwise::detail {

namespace {

/// One thread's progress through the call's elements. Operands that are not contiguous are copied, run by run.
class row_folder {
  public:
    row_folder(const reduce_cuts& plan, std::int64_t units)
        : plan_(plan), kernel_(plan.kernel), call_(plan.call.elements), longest_(plan.longest_unit()),
          joined_(plan, units), copies_(bytes_of_copies()), at_(plan.all, 0) {
        std::byte* next = copies_.data();
        for (int i = 0; i < kernel_.inputs; ++i) {
            ways_[i] = choose(i);
            is_whole_ &= ways_[i] == way::whole || ways_[i] == way::value;
            if (ways_[i] == way::whole) continue;
            starts_[i] = next;
            next += bytes_of_copy(i);
            if (ways_[i] == way::value) move_row(starts_[i], bytes_of(i), plan_.data(i), 0, longest_, plan_.size(i));
        }
    }

    /// Reduces units [begin, end) of a tile. A tile has several results only if there is a single unit, so elements
    /// come in order.
    std::byte* fold(result_range tile, std::int64_t begin, std::int64_t end) {
        begin_ = tile.first * plan_.length + plan_.begin_of_unit(begin);
        if (!is_whole_) at_ = cursor(plan_.all, begin_);
        joined_.begin(tile.count);
        for (std::int64_t unit = begin; unit < end; ++unit) {
            std::byte* accumulator = joined_.next();
            for (std::int64_t i = 0; i < tile.count; ++i, accumulator += kernel_.accumulator_size)
                fold_run(plan_.length_of_unit(unit), accumulator);
            joined_.add();
        }
        return joined_.total();
    }

  private:
    enum class way : std::uint8_t { whole, value, row };

    std::int64_t bytes_of(int i) const { return static_cast<std::int64_t>(plan_.size(i)); }
    std::size_t bytes_of_copy(int i) const {
        return static_cast<std::size_t>(round_up(longest_ * bytes_of(i), chunk_multiple));
    }
    std::size_t bytes_of_copies() const {
        std::size_t bytes = 0;
        for (int i = 0; i < kernel_.inputs; ++i) bytes += choose(i) == way::whole ? 0 : bytes_of_copy(i);
        return bytes;
    }

    way choose(int i) const {
        if (plan_.is_value(i)) return way::value;
        std::int64_t expected = 1;
        for (int axis = plan_.all.rank - 1; axis >= 0; --axis) {
            if (plan_.strides(i)[axis] != expected) return way::row;
            expected *= plan_.all.extents[axis];
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
    reduce_position position() const {
        if (kernel_.index_rank == 0) return {};
        const std::int64_t* positions = plan_.call.positions;
        if (plan_.kept.rank == 0) return {call_.first + begin_, 1, 0, call_.shape};
        return {call_.first + cursor(plan_.all, begin_).offset(positions), positions[plan_.all.rank - 1], 0,
                call_.shape};
    }

    void* read(int i, std::int64_t count) const {
        switch (ways_[i]) {
        case way::whole:
            return plan_.data(i) + begin_ * bytes_of(i);
        case way::value:
            return starts_[i];
        case way::row:
            break;
        }
        const std::int64_t* strides = plan_.strides(i);
        if (strides[plan_.all.rank - 1] == 1 && count <= at_.left_in_row())
            return plan_.data(i) + at_.offset(strides) * bytes_of(i);
        gather(starts_[i], plan_.data(i), strides, at_, count, plan_.size(i));
        return starts_[i];
    }

    const reduce_cuts& plan_;
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

void fold_rows_on_cpu(reduce_cuts& plan) {
    // For an index, the positions of a run have to be one step apart.
    const bool ends_with_row = plan.kernel.index_rank > 0 && plan.kept.rank > 0;
    plan.cut_elements(ends_with_row ? plan.folded.extents[plan.folded.rank - 1] : plan.length, reduce_block);
    const std::int64_t together = plan.units() == 1 ? std::max<std::int64_t>(reduce_block / plan.length, 1) : 1;
    plan.cut_results(plan.results, together, 1);
    fold_tiles<row_folder>(plan);
}

}  // namespace foldwise::detail
