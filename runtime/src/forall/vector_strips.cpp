// runtime/src/forall/vector_strips.cpp: counts the sectors that vectors of tasks transfer in different orders.
#include "forall/forall_arguments.hpp"
#include "forall/vector_grid.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>

namespace foldwise::detail {

namespace {

/// How many tasks a block or a warp has along each axis.
using box = std::int64_t[max_index_rank];

/// A view of which each task has an element of its own.
struct task_view {
    std::int64_t size;                   ///< The size of an element, in bytes.
    std::int64_t steps[max_index_rank];  ///< How far apart elements along each axis are, in bytes.
    int axes[max_index_rank];            ///< The axes, those with the nearest elements first.

    /// Returns how many sectors a task transfers at least.
    double least_sectors(int rank) const {
        const bool is_shared = std::find(steps, steps + rank, 0) != steps + rank;
        return is_shared ? 0 : static_cast<double>(size) / sector_bytes;
    }
};

/// Returns the largest power of two that divides a number of bytes, a sector at most.
std::int64_t alignment_of(std::int64_t bytes) { return std::gcd(bytes, sector_bytes); }

/// Returns how many sectors have the elements of the tasks of a box, for each of these and on average over all places
/// where a box may begin in an array.
double sectors_of(const task_view& view, const box& tasks, const std::int64_t* extents, int rank) {
    std::int64_t length = view.size, pieces = 1, alignment = sector_bytes;  // of contiguous memory, or nearly so
    std::int64_t all = 1;
    for (int i = 0; i < rank; ++i) {
        const int axis = view.axes[i];
        const std::int64_t step = view.steps[axis], count = tasks[axis], extent = extents[axis];
        all *= count;
        if (step == 0 || extent == 1) continue;
        if (pieces == 1 && step < length + sector_bytes) {
            length += step * (count - 1);
            if (count < extent) alignment = std::min(alignment, alignment_of(step * count));
        } else {
            pieces *= count;
            alignment = std::min(alignment, alignment_of(step));
        }
    }
    const auto bytes = static_cast<double>(length + sector_bytes - alignment);
    return static_cast<double>(pieces) * std::max(1.0, bytes / sector_bytes) / static_cast<double>(all);
}

/// The ways to number the vectors of one call.
class numberings {
  public:
    numberings(const forall_call& call, const std::int64_t* extents, int rank, int width, int threads)
        : extents_(extents), rank_(rank), width_(width), threads_(threads) {
        for (int i = 0; i < call.parameter_count; ++i) {
            const forall_parameter& parameter = call.parameters[i];
            if (!parameter.moves) continue;
            task_view& view = views_[count_++];
            view.size = parameter.size;
            for (int axis = 0; axis < rank; ++axis)
                view.steps[axis] = std::abs(stride_along(parameter, call.arguments[i], call.order[axis])) * view.size;
            sort_axes(view);
            least_ += from_both_caches * view.least_sectors(rank);
        }
    }

    /// Returns less than accesses cost in any order, or as much.
    double least_cost() const { return least_; }

    /// Returns what accesses cost if vectors follow one another.
    double cost_in_order() const { return cost(nullptr); }

    /// Returns what they cost with strips; infinity if too many threads would have no vector.
    double cost_of(const strip_choice& strips) const {
        const std::int64_t strip = std::int64_t{width_} << strips.width_log2;
        std::int64_t row_tasks = 1;
        for (int axis = strips.end; axis < rank_; ++axis) row_tasks *= extents_[axis];
        const std::int64_t places = (row_tasks + strip - 1) / strip * strip;
        if (places * 4 > row_tasks * 5) return std::numeric_limits<double>::infinity();
        return cost(&strips);
    }

  private:
    static constexpr double from_both_caches = 1.5;

    void sort_axes(task_view& view) const {
        for (int axis = 0; axis < rank_; ++axis) {
            int place = axis;
            for (; place > 0 && view.steps[view.axes[place - 1]] > view.steps[axis]; --place)
                view.axes[place] = view.axes[place - 1];
            view.axes[place] = axis;
        }
    }

    /// Sectors for each task: a block's come from the second-level cache once, and each warp's from the first-level
    /// cache, which is twice as fast.
    double cost(const strip_choice* strips) const {
        box of_block, of_warp;
        fill(of_block, strips, std::int64_t{threads_} * width_);
        fill(of_warp, strips, std::int64_t{warp_lanes} * width_);
        double sum = 0;
        for (int i = 0; i < count_; ++i)
            sum +=
                sectors_of(views_[i], of_block, extents_, rank_) + sectors_of(views_[i], of_warp, extents_, rank_) / 2;
        return sum;
    }

    /// Writes how far `count` tasks extend along each axis.
    void fill(box& tasks, const strip_choice* strips, std::int64_t count) const {
        std::fill_n(tasks, rank_, 1);
        if (!strips) {
            take(tasks, 0, rank_, count);
            return;
        }
        const std::int64_t strip = std::int64_t{width_} << strips->width_log2;
        std::int64_t left = std::max<std::int64_t>(count / strip, 1);
        if (strips->has_parts) left = take(tasks, strips->begin, strips->begin + 1, left);
        left = take(tasks, strips->begin + strips->has_parts, strips->end, left);
        take(tasks, strips->end, rank_, std::min(count, strip) * left);
    }
    /// Takes so many tasks, numbered in row-major order along the axes [begin, end). Returns how many times as many
    /// there would have to be.
    std::int64_t take(box& tasks, int begin, int end, std::int64_t count) const {
        for (int axis = end - 1; axis >= begin; --axis) {
            tasks[axis] = std::min(extents_[axis], count);
            count = (count + tasks[axis] - 1) / tasks[axis];
        }
        return count;
    }

    const std::int64_t* extents_;
    int rank_, width_, threads_;
    task_view views_[max_operands];
    int count_ = 0;
    double least_ = 0;
};

}  // namespace

std::optional<strip_choice> choose_strips(const forall_call& call, const std::int64_t* extents, int rank, int width,
                                          int threads) {
    // A strip has two vectors at least: a sector, where they have 16 bytes; and at most those of a warp.
    constexpr int most_log2 = 5;
    const numberings all(call, extents, rank, width, threads);
    // Finding a vector among strips takes three more divisions.
    double least = 0.8 * all.cost_in_order();
    std::optional<strip_choice> best;
    if (least <= all.least_cost()) return best;  // spares most calls the search, of up to some microseconds
    for (int end = 1; end < rank; ++end)
        for (int begin = 0; begin < end; ++begin)
            for (int width_log2 = most_log2; width_log2 > 0; --width_log2)
                for (const bool has_parts : {false, true}) {
                    if (has_parts && end - begin == 1) continue;
                    const strip_choice strips{begin, end, width_log2, has_parts};
                    const double cost = all.cost_of(strips);
                    if (cost >= least) continue;
                    least = cost;
                    best = strips;
                }
    return best;
}

}  // namespace foldwise::detail
