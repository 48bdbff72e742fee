// runtime/src/arguments.hpp: the operands of a call, checked and in the form that backends take.
#pragma once

#include "memory_finder.hpp"

#include <foldwise/detail/kernel.hpp>
#include <foldwise/detail/operand_ref.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace foldwise::detail {

/// The checked operands of one call. Lives on the call's stack; only the first inputs + outputs entries of each array
/// are set.
struct arguments {
    std::int64_t count;
    int gpu;               ///< The GPU whose memory some array operands are in, or no_gpu.
    bool on_host;          ///< Whether some array operand is in host memory, whole arrays left out.
    bool has_host_wholes;  ///< Whether some whole array is in host memory.
    bool is_strided;       ///< If false, every array is contiguous, and `layout` and `strides` are not set.
    const operand_ref* sources[max_operands];
    operand_address operands[max_operands];
    element_layout layout;
    /// The strides of each operand, in elements; those of a reduction's positions come last.
    std::int64_t strides[max_operands + 1][max_axes];
    whole_array wholes[max_operands];  ///< Set for whole arrays; their `operands` point here.
    std::int64_t first_row = 0;        ///< Where indices along axis 0 begin.

    memory_finder memory;  ///< Owns what `sources` points to where an operand's place had to be corrected.

    arguments() {}  // sets no other members, so that a call of contiguous arrays does not touch all of this memory
    explicit arguments(const executor& requested) : first_row(requested.first_row()), memory(requested) {}
    arguments(const arguments&) = delete;
    arguments& operator=(const arguments&) = delete;

    /// Points `operands` to what one of the sources refers to.
    void point(int index);

    /// Returns the position of the first element of a call of this shape.
    std::int64_t first_position(const shape& extents) const {
        std::int64_t position = first_row;
        for (int axis = 1; axis < extents.rank() && position != 0; ++axis) position *= extents[axis];
        return position;
    }

    /// Returns the call as backends take it. It refers to this object.
    element_range call(const kernel_operands& kernel) const {
        const shape& extents = sources[kernel.inputs]->layout.shape;
        return {count, operands, is_strided ? &layout : nullptr, first_position(extents), extents.begin()};
    }
};

/// Throws foldwise::error if a kernel has more operands than max_operands. The generator reports such kernels, so the
/// launcher was generated with other limits than the runtime's. For a forall kernel `outputs` is 0.
void check_operand_count(const char* kernel, std::size_t inputs, std::size_t outputs);

/// Checks the operands of a vectorize call completely (shapes, strides, places and overlaps) and fills `result`. Throws
/// shape_error, overlap_error or device_error, whose messages name the kernel and the operands.
void normalise(const kernel_operands& kernel, std::initializer_list<operand_ref> inputs,
               std::initializer_list<operand_ref> outputs, arguments& result);

/// Throws overlap_error if an output overlaps itself, or another operand without being exactly the same elements of an
/// input. `layout` and `strides`, where they are set, and `operands` must be.
void check_overlaps(const kernel_operands& kernel, const arguments& all);

/// Sets `gpu`, `on_host` and `has_host_wholes`. Throws device_error if the operands are in the memory of different
/// GPUs.
void check_places(const kernel_operands& kernel, arguments& all);

/// Throws shape_error unless each whole array among the inputs has as many axes as its view.
void check_wholes(const kernel_operands& kernel, const arguments& all);

/// Throws overlap_error if an output shares memory with a whole array or, unless `wholes_alone`, with any input: other
/// elements are computed with what is there while the output is written.
void check_overlap_with_inputs(const kernel_operands& kernel, const arguments& all, bool wholes_alone = true);

/// Returns the shape that the array operands of `sources` broadcast to by NumPy's rules; it has no axes if there are no
/// arrays. Throws shape_error, whose message names the first two operands that are not compatible, and the axis.
shape broadcast_shape(const kernel_operands& kernel, const operand_ref* const* sources, int count);

/// Throws shape_error unless each array operand of `sources` broadcasts to the shape that a call was given.
void check_broadcast(const kernel_operands& kernel, const operand_ref* const* sources, int count, const shape& given);

/// Fills in `layout` and `strides`, with one axis for each of the call's, and points `operands` to the elements of the
/// sources. Throws shape_error. Does not check places.
void broadcast(const kernel_operands& kernel, arguments& all);

/// Fills in `layout` and `strides` for the first `count` operands and a shape that they are known to broadcast to.
void broadcast_to(const kernel_operands& kernel, arguments& all, int count, const shape& common);

/// Simplifies `layout`, `strides` and `operands`: drops axes of one element, merges neighbouring axes that are
/// contiguous in every operand, sorts the axes by the first output's strides, largest first, and makes these strides
/// nonnegative. Clears `is_strided` if every array is then contiguous. If the kernel takes an index, the axes keep
/// their order, because positions are row-major.
void coalesce(const kernel_operands& kernel, arguments& all);

/// Simplifies the layout of a reduction, whose first `kept` axes are kept and whose single output holds the results.
/// Kept and folded axes are simplified separately, sorted by the inputs' strides; folded axes are reordered only if
/// elements may be combined in any order. If the map takes an index, the strides of positions follow those of the
/// operands, and the axes keep their order. Returns the number of kept axes.
int coalesce_reduction(const kernel_operands& kernel, arguments& all, int kept, bool in_any_order);

}  // namespace foldwise::detail
