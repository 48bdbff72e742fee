// foldwise/detail/operand_ref.hpp: a type-erased operand of a call.
#pragma once

#include <foldwise/detail/conversions.hpp>
#include <foldwise/detail/layout.hpp>
#include <foldwise/executor.hpp>

namespace foldwise::detail {

/// Takes the place of a GPU's number if no operand is in GPU memory.
inline constexpr int no_gpu = -1;

/// Refers to the caller's elements, or to a scalar inside an `operand`, and is valid as long as they are. An array that
/// every element is computed with as a whole counts as a scalar, which has a layout and a place.
struct operand_ref {
    void* data;             ///< The element at index 0; inputs are never written through it.
    detail::layout layout;  ///< Shape and strides, in elements; a scalar has no axes.
    foldwise::place place;  ///< Where the elements are; a scalar is on the host.
    bool is_scalar;         ///< Whether it stands for every element: a single value, or a whole array.
    /// The numbers that an element can be, if the scalar `given` is not among them; otherwise null.
    const number_range* allowed = nullptr;
    double given = 0;
    int whole_axes = 0;  ///< The rank of the view that a whole array is passed as; 0 for all other operands.

    bool is_whole() const { return whole_axes > 0; }
    bool is_value() const { return is_scalar && !is_whole(); }
    bool is_array() const { return !is_value(); }
};

}  // namespace foldwise::detail
