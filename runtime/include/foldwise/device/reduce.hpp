// foldwise/device/reduce.hpp: includes what emitted reductions use.
#pragma once

#include <foldwise/detail/reduce_code.hpp>
#include <foldwise/detail/stored.hpp>
#include <foldwise/device/reduce/columns.hpp>
#include <foldwise/device/reduce/groups.hpp>
#include <foldwise/device/reduce/lanes.hpp>
#include <foldwise/device/reduce/partials.hpp>
#include <foldwise/device/reduce/segmented.hpp>
#include <foldwise/device/reduce/staged.hpp>
#include <foldwise/device/reduce/threads.hpp>
#include <foldwise/device/view_parameter.hpp>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// An instance that no call needs.
template <int, class Elements>
requires(!is_used<Elements>) __device__
    inline void fold(const Elements&, const operand_strides<Elements::operands>&,
                     const reduce_range<Elements::instance>&, const reduce_target<typename Elements::steps>&) {}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
