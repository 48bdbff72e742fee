// runtime/src/coalesce.cpp: merges axes and sorts them in the order in which memory is written.
#include "arguments.hpp"

#include <algorithm>
#include <utility>

namespace foldwise::detail {

namespace {

/// Consecutive axes of a call, [begin, end).
class axis_group {
  public:
    /// The first `operands` operands of the call have strides. The axes are sorted by the strides of `leader` first.
    axis_group(const kernel_operands& kernel, arguments& all, int begin, int end, int operands, int leader)
        : kernel_(kernel), all_(all), begin_(begin), end_(end), operands_(operands), leader_(leader) {}

    int size() const { return end_ - begin_; }

    /// Drops axes of one element.
    void drop_single() {
        int kept = begin_;
        for (int axis = begin_; axis < end_; ++axis) {
            if (all_.layout.extents[axis] != 1) move(axis, kept++);
        }
        end_ = kept;
    }

    /// Reverses axes along which the leader's stride is negative.
    void turn() {
        for (int axis = begin_; axis < end_; ++axis) {
            if (all_.strides[leader_][axis] >= 0) continue;
            for (int i = 0; i < operands_; ++i) {
                std::int64_t& stride = all_.strides[i][axis];
                const auto size = static_cast<std::int64_t>(kernel_.operands[i].size);
                auto* first = static_cast<std::byte*>(all_.operands[i].data);
                all_.operands[i].data = first + (all_.layout.extents[axis] - 1) * stride * size;
                stride = -stride;
            }
        }
    }

    /// Sorts the axes by stride, the largest outermost.
    void sort() {
        for (int axis = begin_ + 1; axis < end_; ++axis) {
            for (int at = axis; at > begin_ && is_inside(at - 1, at); --at) exchange(at - 1, at);
        }
    }

    /// Merges neighbouring axes that are contiguous in every operand.
    void merge() {
        if (size() < 2) return;
        int kept = begin_;
        for (int axis = begin_ + 1; axis < end_; ++axis) {
            if (are_one(kept, axis)) {
                all_.layout.extents[axis] *= all_.layout.extents[kept];
                move(axis, kept);
            } else {
                move(axis, ++kept);
            }
        }
        end_ = kept + 1;
    }

    /// Moves these axes to the positions from `axis` on.
    void close_up(int axis) {
        for (int from = begin_; from < end_; ++from) move(from, axis + from - begin_);
    }

  private:
    void move(int from, int to) {
        all_.layout.extents[to] = all_.layout.extents[from];
        for (int i = 0; i < operands_; ++i) all_.strides[i][to] = all_.strides[i][from];
    }

    void exchange(int a, int b) {
        std::swap(all_.layout.extents[a], all_.layout.extents[b]);
        for (int i = 0; i < operands_; ++i) std::swap(all_.strides[i][a], all_.strides[i][b]);
    }

    /// Returns whether axis `a` belongs further inside than `b`: its stride is smaller in the first operand, starting
    /// with the leader, in which their strides differ.
    bool is_inside(int a, int b) const {
        for (int k = 0; k < operands_; ++k) {
            const int i = (leader_ + k) % operands_;
            const std::int64_t first = all_.strides[i][a], second = all_.strides[i][b];
            const std::uint64_t here = magnitude(first), there = magnitude(second);
            if (here != there) return here < there;
        }
        return false;
    }

    static std::uint64_t magnitude(std::int64_t stride) {
        const auto bits = static_cast<std::uint64_t>(stride);
        return stride < 0 ? -bits : bits;
    }

    /// Returns whether the two axes form one axis in every operand.
    bool are_one(int outer, int inner) const {
        for (int i = 0; i < operands_; ++i) {
            if (all_.strides[i][outer] != all_.strides[i][inner] * all_.layout.extents[inner]) return false;
        }
        return true;
    }

    const kernel_operands& kernel_;
    arguments& all_;
    int begin_, end_;
    const int operands_, leader_;
};

/// Returns whether the first `operands` operands are single values or arrays without gaps.
bool are_contiguous(const arguments& all, int operands) {
    if (all.layout.rank > 1) return false;
    for (int i = 0; i < operands; ++i) {
        if (all.layout.rank == 1 && !all.operands[i].is_scalar && all.strides[i][0] != 1) return false;
    }
    return true;
}

}  // namespace

void coalesce(const kernel_operands& kernel, arguments& all) {
    axis_group those(kernel, all, 0, all.layout.rank, kernel.count(), kernel.inputs);
    those.drop_single();
    if (kernel.index_rank == 0) {
        those.turn();
        those.sort();
    }
    those.merge();
    all.layout.rank = those.size();
    all.is_strided = !are_contiguous(all, kernel.count());
}

int coalesce_reduction(const kernel_operands& kernel, arguments& all, int kept, bool in_any_order) {
    // The positions of elements are treated as an additional operand, which has strides but no memory.
    const int operands = kernel.count() + (kernel.index_rank > 0 ? 1 : 0);
    axis_group outer(kernel, all, 0, kept, operands, 0), folded(kernel, all, kept, all.layout.rank, operands, 0);
    for (axis_group* group : {&outer, &folded}) {
        group->drop_single();
        if (kernel.index_rank == 0 && (group == &outer || in_any_order)) {
            group->turn();
            group->sort();
        }
        group->merge();
    }
    folded.close_up(outer.size());
    all.layout.rank = outer.size() + folded.size();
    all.is_strided = outer.size() > 0 || !are_contiguous(all, kernel.inputs);
    return outer.size();
}

}  // namespace foldwise::detail
