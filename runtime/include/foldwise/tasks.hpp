// foldwise/tasks.hpp: the number of tasks that a call of a forall kernel runs.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/shape.hpp>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <utility>

namespace foldwise {

namespace detail {

/// The number of tasks along each axis as the caller wrote it, which may be negative. A number that does not fit
/// becomes the largest std::int64_t.
struct task_extents {
    int rank = 0;
    std::int64_t extents[max_rank] = {};

    template <class I> void append(I extent) {
        extents[rank++] = std::in_range<std::int64_t>(extent) ? static_cast<std::int64_t>(extent)
                                                              : std::numeric_limits<std::int64_t>::max();
    }
};

}  // namespace detail

/// The index space of a forall call, with one task per index<N>: an integer if N is 1, or a shape of rank N. A call
/// throws std::invalid_argument for a negative number and shape_error for a shape of another rank. A call with no tasks
/// does nothing.
template <int N> class tasks {
  public:
    template <detail::extent_like I>
    requires(N == 1) tasks(I count) { extents_.append(count); }

    tasks(const shape& extents) {
        for (std::int64_t extent : extents) extents_.append(extent);
    }

    /// `{rows, columns}`: unlike a shape, this accepts negative numbers, so that the call can report them together with
    /// the kernel's name.
    template <detail::extent_like I>
    requires(N > 1) tasks(std::initializer_list<I> extents) {
        if (extents.size() != N)
            *this = shape(extents);
        else
            for (I extent : extents) extents_.append(extent);
    }

    const detail::task_extents& extents() const { return extents_; }

  private:
    detail::task_extents extents_;
};

}  // namespace foldwise

#endif  // C++20
