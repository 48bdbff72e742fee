// runtime/src/reduce/reduce_operands.hpp: what the operands of a reduction on a GPU are like in memory.
#pragma once

#include "gpu/alignment.hpp"

#include <foldwise/detail/reduce_code.hpp>

#include <cstdint>

namespace foldwise::detail {

/// Returns the strides along the axes [from, to), innermost first.
strides strides_between(const std::int64_t* all, int from, int to);

/// The operands of a call: the inputs, then the output.
class reduce_operands {
  public:
    reduce_operands(const reduce_code& code, const reduce_call& call)
        : code_(code), call_(call), kept_(call.kept), rank_(call.elements.layout ? call.elements.layout->rank : 0) {}

    /// Returns the number of axes of the call's layout; 0 if it has none.
    int rank() const { return rank_; }

    /// Returns where an operand is.
    const operand_address& operand(int number) const { return call_.elements.operands[number]; }

    /// Returns an operand's strides in elements, along each axis of the call's layout.
    const std::int64_t* strides_of(int number) const { return call_.elements.layout->strides[number]; }

    /// Returns an operand's bytes per element.
    std::int64_t size_of(int number) const { return code_.operands[number].size; }

    /// Returns the most bytes per element that an input has, of those that are no whole arrays.
    int widest_element() const;

    /// Returns whether an input's rows follow one another in memory, each of them contiguous.
    bool are_rows_dense(int number) const;

    /// Returns the bytes per element of those inputs whose rows follow one another.
    int staged_element() const;

    /// Returns the stride along the only folded axis; 1 for contiguous calls, which have no layout.
    std::int64_t folded_step(int number) const;

    /// Returns the strides along the kept axes without the innermost `but` of them.
    strides kept_strides(int number, int but = 0) const;

    /// Returns whether an operand can be accessed by vectors of `width` elements along an axis, at any position along
    /// the others.
    bool is_wide_along(int number, int width, int axis) const;

    /// Returns whether all inputs can be accessed by vectors along an axis. Inputs that do not change along it cannot,
    /// because a branch at each load would wait for it.
    bool are_wide_along(int width, int axis) const;

    /// Returns whether every input is contiguous along the only folded axis, or does not change along it.
    bool has_unit_steps() const;

    /// Returns whether an input is aligned for vectors in every row if it is in the first.
    bool are_rows_alike(int number) const;

    /// Returns whether an operand is aligned for vectors that begin `before` elements ahead of its first one.
    bool is_aligned(int number, std::int64_t before) const;

    /// Returns the beginning of vectors for which most bytes of an element are read by vectors.
    std::int64_t best_begin() const;

    /// Returns the number of the first input that is no whole array; 0 if there is none.
    int first_of_elements() const;

    /// Returns whether all inputs are contiguous along rows and have the same alignment within each row; it may differ
    /// between rows.
    bool have_same_phases() const;

    /// Returns the axis of the index whose coordinates are `step` positions apart, if `extent` elements are all of
    /// them; -1 if there is none: axes have been merged, or the call is a part of another one.
    int axis_of(int rank, std::int64_t step, std::int64_t extent) const;

    /// Returns the same for an axis of the call's layout.
    int axis_of_layout(int rank, int axis) const;

  private:
    const reduce_code& code_;
    const reduce_call& call_;
    int kept_, rank_;
};

}  // namespace foldwise::detail
