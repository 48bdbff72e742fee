// runtime/src/vectorize/flat_plan.hpp: whether a call can be launched flat, by vectors of contiguous outputs with
// inputs of any layout, and how each input is then read.
#pragma once

#include <foldwise/detail/vectorize_code.hpp>

#include <cstdint>

namespace foldwise::detail {

/// Returns whether a call with a layout can be launched flat. Its first `inputs` operands are the inputs.
bool is_flat(const element_range& call, int inputs, int operands, int width);

/// Returns how to read an input of elements of `size` bytes by vectors that begin `before` elements ahead of the first
/// one.
flat_reading reading_of(const element_range& call, int operand, std::int64_t size, int width, std::int64_t before);

/// Returns the axes of a flat launch whose vectors have `width` elements and begin `before` elements ahead of the first
/// one.
flat_axes flat_axes_of(const element_layout& layout, int width, std::int64_t before);

/// Returns the strides of an input of a flat launch.
flat_steps flat_steps_of(const element_layout& layout, int operand);

}  // namespace foldwise::detail
