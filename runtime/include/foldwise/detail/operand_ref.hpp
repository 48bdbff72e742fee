// foldwise/detail/operand_ref.hpp: an operand of a call without its type.
#pragma once

#include <foldwise/detail/layout.hpp>
#include <foldwise/executor.hpp>

namespace foldwise::detail {

/// Stands for the number of a GPU where operands are in no GPU's memory.
inline constexpr int no_gpu = -1;

/// Refers to the caller's elements, or to a scalar inside an `operand`; valid as long as that is.
struct operand_ref {
    void* data;             ///< The element at index 0; never written through for an input.
    detail::layout layout;  ///< Shape and strides, in elements; no axes for a scalar.
    foldwise::place place;  ///< Host for a scalar.
    bool is_scalar;         ///< One value that stands for every element.
};

}  // namespace foldwise::detail
