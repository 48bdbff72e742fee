// runtime/src/arguments.hpp: the operands of a call, checked and brought into the form that backends take.
#pragma once

#include <foldwise/detail/kernel.hpp>
#include <foldwise/detail/launch.hpp>
#include <foldwise/detail/operand_ref.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace foldwise::detail {

/// Lives on the stack of one call; only the first inputs + outputs of each array are set.
struct arguments {
    std::int64_t count;
    bool on_gpu;   ///< Some array operand is in a GPU's memory,
    bool on_host;  ///< and some is in the host's.
    const operand_ref* sources[max_operands];
    elementwise_operand operands[max_operands];

    elementwise_call call() const { return {count, operands}; }
};

inline int operands_of(const elementwise_kernel& kernel) { return kernel.inputs + kernel.outputs; }

/// Checks shapes, strides, places and overlaps, and fills `result`. All that a call may have wrong with its operands
/// is found here. Throws shape_error, overlap_error or device_error, which name the kernel and the operands.
void normalise(const elementwise_kernel& kernel, std::initializer_list<operand_ref> inputs,
               std::initializer_list<operand_ref> outputs, arguments& result);

}  // namespace foldwise::detail
