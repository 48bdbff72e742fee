// foldwise/cpu/guvectorize.hpp: how emitted guvectorize kernels compute their items on a CPU thread.
#pragma once

#include <foldwise/cpu/kernel.hpp>  // first: it sets what the rest is compiled for
#include <foldwise/detail/checks.hpp>
#include <foldwise/detail/guvectorize_kernel.hpp>
#include <foldwise/spec/view.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise::cpu {

/// Where an item is, along each axis of the call.
struct item {
    int axes;
    std::int64_t at[detail::max_axes];
};

/// What the user's lambda takes of each item: a view of its elements, or a single value if there are no axes.
template <class T, int Axes> class core {
  public:
    core(const detail::guvectorize_call& call, int operand) : argument_(call.arguments[operand]) {}

    decltype(auto) operator[](const item& one) const {
        T* first = static_cast<T*>(argument_.data);
        for (int axis = 0; axis < one.axes; ++axis) first += one.at[axis] * argument_.item_strides[axis];
        if constexpr (Axes == 0)
            return static_cast<T&>(*first);
        else
            return foldwise::view<T, Axes>(first, argument_.extents, argument_.strides);
    }

  private:
    const detail::core_argument& argument_;
};

/// Calls run(item) for the items [begin, end) in row-major order.
template <class Run>
inline void each_item(const detail::guvectorize_call& call, std::int64_t begin, std::int64_t end, const Run& run) {
    item one{call.axes, {}};
    for (std::int64_t axis = call.axes - 1, rest = begin; axis >= 0; --axis) {
        one.at[axis] = rest % call.extents[axis];
        rest /= call.extents[axis];
    }
    for (std::int64_t number = begin; number < end; ++number) {
#ifndef FOLDWISE_LOOKS
        run(one);
#else
        try {
            run(one);
        } catch (detail::check_failed& failed) {
            failed.found.set_item(call.first + number);
            throw;
        }
#endif
        for (int axis = call.axes - 1; axis >= 0; --axis) {
            if (++one.at[axis] < call.extents[axis]) break;
            one.at[axis] = 0;
        }
    }
}

}  // namespace foldwise::cpu
