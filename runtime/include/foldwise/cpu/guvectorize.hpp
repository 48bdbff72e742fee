// foldwise/cpu/guvectorize.hpp: how emitted guvectorize kernels compute their items on a CPU thread.
#pragma once

#include <foldwise/cpu/kernel.hpp>  // first: it sets what the rest is compiled for
#include <foldwise/cpu/operands.hpp>
#include <foldwise/detail/checks.hpp>
#include <foldwise/detail/guvectorize_kernel.hpp>
#include <foldwise/spec/view.hpp>

#include <cstdint>
#include <utility>

namespace foldwise::cpu {

/// Where an item is, along each axis of the call.
struct item {
    int axes;
    std::int64_t at[detail::max_axes];
};

/// An item of a call whose items lie along one axis, and whose operands are all packed: each item's elements follow one
/// another without gaps, in row-major order.
struct packed_item {
    std::int64_t number;
};

/// What the user's lambda takes of each item: a view of its elements, or a single value if there are no core
/// dimensions. `Sizes` are the extents that the layout says, or 0 for those that a call says.
template <class T, std::int64_t... Sizes> class core {
    static constexpr int rank = sizeof...(Sizes);
    using axes = std::make_integer_sequence<int, rank>;

  public:
    core(const detail::guvectorize_call& call, int operand) : core(call, call.arguments[operand], axes()) {}

    /// Whether the call's items can be packed items, as far as this operand matters.
    bool is_packed() const { return is_packed_; }

    FOLDWISE_CPU_INTO_KERNEL decltype(auto) operator[](const item& one) const {
        T* first = data_;
        for (int axis = 0; axis < one.axes; ++axis) first += one.at[axis] * argument_.item_strides[axis];
        if constexpr (rank == 0)
            return static_cast<T&>(*first);
        else
            return foldwise::view<T, rank>(first, argument_.extents, argument_.strides);
    }
    FOLDWISE_CPU_INTO_KERNEL decltype(auto) operator[](const packed_item& one) const {
        T* const first = data_ + one.number * item_stride_;
        if constexpr (rank == 0)
            return static_cast<T&>(*first);
        else
            return packed_view(first, axes());
    }

  private:
    template <int... Axis>
    FOLDWISE_CPU_INTO_KERNEL core(const detail::guvectorize_call& call, const detail::core_argument& argument,
                                  std::integer_sequence<int, Axis...>)
        : argument_(argument), data_(static_cast<T*>(argument.data)),
          item_stride_(call.axes > 0 ? argument.item_strides[0] : 0), extents_{argument.extents[Axis]..., 1},
          is_packed_(call.axes <= 1 && lies_packed(argument)) {}

    static bool lies_packed(const detail::core_argument& argument) {
        std::int64_t stride = 1;
        for (int axis = rank - 1; axis >= 0; --axis) {
            if (argument.extents[axis] <= 0 || argument.strides[axis] != stride) return false;
            stride *= argument.extents[axis];
        }
        return true;
    }

    // No loops: GCC then knows early which extents are constants.
    template <int... Axis>
    FOLDWISE_CPU_INTO_KERNEL foldwise::view<T, rank> packed_view(T* first, std::integer_sequence<int, Axis...>) const {
        const std::int64_t extents[] = {(Sizes > 0 ? Sizes : extents_[Axis])...};
        if (((extents[Axis] <= 0) || ...)) __builtin_unreachable();  // then loops over them run at least once
        return {first, extents};
    }

    const detail::core_argument& argument_;
    T* data_;
    std::int64_t item_stride_;  // of packed items
    std::int64_t extents_[rank + 1];
    bool is_packed_;
};

/// Calls run(item) for the item with this number.
template <class Item, class Run>
FOLDWISE_CPU_INTO_KERNEL void run_item([[maybe_unused]] const detail::guvectorize_call& call,
                                       [[maybe_unused]] std::int64_t number, const Item& one, const Run& run) {
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
}

/// Calls run(item) for the items [begin, end) in row-major order.
template <class Run>
FOLDWISE_CPU_INTO_KERNEL void each_item(const detail::guvectorize_call& call, std::int64_t begin, std::int64_t end,
                                        bool are_packed, const Run& run) {
    if (are_packed) {
        for (std::int64_t number = begin; number < end; ++number) run_item(call, number, packed_item{number}, run);
        return;
    }
    item one{call.axes, {}};
    for (std::int64_t axis = call.axes - 1, rest = begin; axis >= 0; --axis) {
        one.at[axis] = rest % call.extents[axis];
        rest /= call.extents[axis];
    }
    for (std::int64_t number = begin; number < end; ++number) {
        run_item(call, number, one, run);
        for (int axis = call.axes - 1; axis >= 0; --axis) {
            if (++one.at[axis] < call.extents[axis]) break;
            one.at[axis] = 0;
        }
    }
}

}  // namespace foldwise::cpu
