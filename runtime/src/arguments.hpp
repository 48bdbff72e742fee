// runtime/src/arguments.hpp: the operands of a call, checked and brought into the form that backends take.
#pragma once

#include <foldwise/detail/kernel.hpp>
#include <foldwise/detail/operand_ref.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace foldwise::detail {

/// Lives on the stack of one call; only the first inputs + outputs of each array are set.
struct arguments {
    std::int64_t count;
    int gpu;          ///< Whose memory some array operands are in; no_gpu: none are.
    bool on_host;     ///< Some array operand is in the host's memory.
    bool is_strided;  ///< False: every array is contiguous, and `layout` and `strides` are not set.
    const operand_ref* sources[max_operands];
    operand_address operands[max_operands];
    element_layout layout;
    std::int64_t strides[max_operands + 1][max_axes];  ///< Of a fold's positions, too.

    arguments() {}  // nothing is set: a call of contiguous arrays does not touch the half of it
    arguments(const arguments&) = delete;
    arguments& operator=(const arguments&) = delete;

    element_range call(const kernel_operands& kernel) const {
        return {count, operands, is_strided ? &layout : nullptr, 0, sources[kernel.inputs]->layout.shape.begin()};
    }
};

/// Throws foldwise::error if a kernel has more operands than there is room for: its launcher was then generated with
/// other limits than the runtime's, for the generator refuses such kernels. `outputs` of a task are none.
void check_operand_count(const char* kernel, std::size_t inputs, std::size_t outputs);

/// Checks shapes, strides, places and overlaps, and fills `result`. All that a call may have wrong with its operands
/// is found here. Throws shape_error, overlap_error or device_error, which name the kernel and the operands.
void normalise(const kernel_operands& kernel, std::initializer_list<operand_ref> inputs,
               std::initializer_list<operand_ref> outputs, arguments& result);

/// Sets gpu and on_host. Throws device_error if the operands are in the memory of different GPUs.
void check_places(const kernel_operands& kernel, arguments& all);

/// The shape that the array operands of `sources` broadcast to, as NumPy does it; no axes if there are none. Throws
/// shape_error, which names the first two operands that do not fit and the axis.
shape broadcast_shape(const kernel_operands& kernel, const operand_ref* const* sources, int count);

/// Fills in `layout` and `strides`, one axis for each of the call's, and points `operands` to the sources' elements.
/// Throws shape_error; check_places is another's.
void broadcast(const kernel_operands& kernel, arguments& all);

/// The same for the first `count` operands and a shape that they are known to broadcast to.
void broadcast_to(const kernel_operands& kernel, arguments& all, int count, const shape& common);

/// Brings `layout`, `strides` and `operands` into their simplest form: no axis of one element, none that could be one
/// with its neighbour in every operand, the first output's largest stride outermost and none of its strides negative.
/// Clears `is_strided` if every array is then contiguous. The positions of a kernel that takes an index are row-major:
/// its axes stay in order.
void coalesce(const kernel_operands& kernel, arguments& all);

/// The same of a fold, whose first `kept` axes are not folded along, and whose one output has its results: both kinds
/// of axes for themselves, by the inputs' strides, those that are folded along only if elements may be combined in any
/// order. With an index the strides behind the operands' are those of positions, and the axes keep their order. Returns
/// how many axes are kept.
int coalesce_reduction(const kernel_operands& kernel, arguments& all, int kept, bool in_any_order);

}  // namespace foldwise::detail
