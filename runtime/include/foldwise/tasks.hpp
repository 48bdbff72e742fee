// foldwise/tasks.hpp: how many tasks a forall kernel runs.
#pragma once

#include <foldwise/shape.hpp>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <utility>

namespace foldwise {

namespace detail {

/// The tasks along each axis, as the caller wrote them: they may be negative.
struct task_extents {
    int rank = 0;
    std::int64_t extents[max_rank] = {};

    template <class I> void append(I extent) {
        extents[rank++] = std::in_range<std::int64_t>(extent) ? static_cast<std::int64_t>(extent)
                                                              : std::numeric_limits<std::int64_t>::max();
    }
};

}  // namespace detail

/// One task for each index<N>: an integer where N is 1, or a shape of N axes. A call refuses a negative number with
/// std::invalid_argument, and a shape of another rank with shape_error; no tasks do nothing.
template <int N> class tasks {
  public:
    template <detail::extent_like I>
    requires(N == 1) tasks(I count) { extents_.append(count); }

    tasks(const shape& extents) {
        for (std::int64_t extent : extents) extents_.append(extent);
    }

    /// `{rows, columns}`. A shape has no negative numbers: those are for the call to refuse, which knows the kernel.
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
