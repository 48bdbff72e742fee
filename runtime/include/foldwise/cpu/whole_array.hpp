// foldwise/cpu/whole_array.hpp: arrays that every element of a call is computed with as a whole.
#pragma once

#include <foldwise/detail/kernel.hpp>
#include <foldwise/spec/view.hpp>

namespace foldwise::cpu {

/// Returns the view that the user's lambda takes of an operand that is a whole array.
template <class T, int N>
__attribute__((always_inline)) inline foldwise::view<const T, N> whole_array(const void* operand) {
    const auto& given = *static_cast<const detail::whole_array*>(operand);
    return {static_cast<const T*>(given.data), given.extents, given.strides};
}

}  // namespace foldwise::cpu
