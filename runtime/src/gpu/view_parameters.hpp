// runtime/src/gpu/view_parameters.hpp: views among the parameters of a launch.
#pragma once

#include "gpu/parameters.hpp"

#include <foldwise/detail/forall_code.hpp>

#include <cstdint>

namespace foldwise::detail {

/// Adds a view as an address, extents and strides, in the integer type of the layout.
template <view_layout Layout> void add_view(parameters& all, const forall_argument& given, int rank) {
    using number = view_number<Layout>;
    struct {
        void* data;
        number numbers[2 * max_axes + 1];
    } view;
    view.data = given.data;
    for (int axis = 0; axis < rank; ++axis) {
        view.numbers[axis] = static_cast<number>(given.extents[axis]);
        view.numbers[rank + axis] = static_cast<number>(given.strides[axis]);
    }
    view.numbers[2 * rank] = static_cast<number>(given.sums);  // which only the views of `summed` kernels have
    all.add(view);
}

/// Adds a lambda's views and values, in the order of its parameters.
inline void add_arguments(parameters& all, const forall_call& call, const int* ranks, int count) {
    for (int i = 0; i < count; ++i) {
        const forall_argument& given = call.arguments[i];
        if (ranks[i] == 0)
            all.add_at(given.data);
        else if (call.is_plain)
            add_view<view_layout::plain>(all, given, ranks[i]);
        else
            add_view<view_layout::strided>(all, given, ranks[i]);
    }
}

}  // namespace foldwise::detail
