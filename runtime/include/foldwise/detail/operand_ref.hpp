// foldwise/detail/operand_ref.hpp: a type-erased operand of a call.
#pragma once

#include <foldwise/detail/conversions.hpp>
#include <foldwise/detail/layout.hpp>
#include <foldwise/executor.hpp>

namespace foldwise::detail {

/// Takes the place of a GPU's number if no operand is in GPU memory.
inline constexpr int no_gpu = -1;

/// Refers to the caller's elements, or to a scalar inside an `operand`, and is valid as long as they are.
struct operand_ref {
    void* data;             ///< The element at index 0; inputs are never written through it.
    detail::layout layout;  ///< Shape and strides, in elements; a scalar has no axes.
    foldwise::place place;  ///< Where the elements are; a scalar is on the host.
    bool is_scalar;         ///< Whether it is a single value that stands for every element.
    /// The numbers that an element can be, if the scalar `given` is not among them; otherwise null.
    const number_range* allowed = nullptr;
    double given = 0;
};

}  // namespace foldwise::detail
