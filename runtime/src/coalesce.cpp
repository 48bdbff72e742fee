// runtime/src/coalesce.cpp: fewer axes, in the order in which memory is written.
#include "arguments.hpp"

#include <algorithm>
#include <utility>

namespace foldwise::detail {

namespace {

class axes {
  public:
    axes(const elementwise_kernel& kernel, arguments& all)
        : kernel_(kernel), all_(all), operands_(operands_of(kernel)) {}

    void drop_single() {
        int kept = 0;
        for (int axis = 0; axis < rank(); ++axis) {
            if (all_.layout.extents[axis] != 1) move(axis, kept++);
        }
        rank() = kept;
    }

    /// Walks every axis of the first output upwards in memory.
    void turn() {
        for (int axis = 0; axis < rank(); ++axis) {
            if (all_.strides[kernel_.inputs][axis] >= 0) continue;
            for (int i = 0; i < operands_; ++i) {
                std::int64_t& stride = all_.strides[i][axis];
                const auto size = static_cast<std::int64_t>(kernel_.operands[i].size);
                auto* first = static_cast<std::byte*>(all_.operands[i].data);
                all_.operands[i].data = first + (all_.layout.extents[axis] - 1) * stride * size;
                stride = -stride;
            }
        }
    }

    void sort() {
        for (int axis = 1; axis < rank(); ++axis) {
            for (int at = axis; at > 0 && is_inside(at - 1, at); --at) exchange(at - 1, at);
        }
    }

    void merge() {
        int kept = 0;
        for (int axis = 1; axis < rank(); ++axis) {
            if (are_one(kept, axis)) {
                all_.layout.extents[axis] *= all_.layout.extents[kept];
                move(axis, kept);
            } else {
                move(axis, ++kept);
            }
        }
        rank() = std::min(rank(), kept + 1);
    }

    bool are_contiguous() const {
        if (all_.layout.rank > 1) return false;
        for (int i = 0; i < operands_; ++i) {
            if (all_.layout.rank == 1 && !all_.operands[i].is_scalar && all_.strides[i][0] != 1) return false;
        }
        return true;
    }

  private:
    int& rank() { return all_.layout.rank; }

    void move(int from, int to) {
        all_.layout.extents[to] = all_.layout.extents[from];
        for (int i = 0; i < operands_; ++i) all_.strides[i][to] = all_.strides[i][from];
    }

    void exchange(int a, int b) {
        std::swap(all_.layout.extents[a], all_.layout.extents[b]);
        for (int i = 0; i < operands_; ++i) std::swap(all_.strides[i][a], all_.strides[i][b]);
    }

    /// Whether axis `a` belongs further inside than `b`: its stride is less in the first operand, outputs before
    /// inputs, in which they differ.
    bool is_inside(int a, int b) const {
        for (int k = 0; k < operands_; ++k) {
            const int i = (kernel_.inputs + k) % operands_;
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

    /// Whether `outer` goes on, in every operand, where `inner` ends.
    bool are_one(int outer, int inner) const {
        for (int i = 0; i < operands_; ++i) {
            if (all_.strides[i][outer] != all_.strides[i][inner] * all_.layout.extents[inner]) return false;
        }
        return true;
    }

    const elementwise_kernel& kernel_;
    arguments& all_;
    const int operands_;
};

}  // namespace

void coalesce(const elementwise_kernel& kernel, arguments& all) {
    axes those(kernel, all);
    those.drop_single();
    if (kernel.index_rank == 0) {
        those.turn();
        those.sort();
    }
    those.merge();
    all.is_strided = !those.are_contiguous();
}

}  // namespace foldwise::detail
