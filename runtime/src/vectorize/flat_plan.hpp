// runtime/src/vectorize/flat_plan.hpp: whether a call can be launched flat: vectors of outputs that are contiguous,
// whose inputs may lie in any way; and how each input is read then.
#pragma once

#include <foldwise/detail/vectorize_code.hpp>

#include <cstdint>

namespace foldwise::detail {

/// Whether a call that has a layout can be launched flat. Its first `inputs` operands are such.
bool is_flat(const element_range& call, int inputs, int operands, int width);

/// How to read an input of elements of `size` bytes by vectors that begin `before` elements ahead of the first one.
flat_reading reading_of(const element_range& call, int operand, std::int64_t size, int width, std::int64_t before);

/// Of a call whose vectors have `width` elements, beginning `before` elements ahead of the first one.
flat_axes flat_axes_of(const element_layout& layout, int width, std::int64_t before);

flat_steps flat_steps_of(const element_layout& layout, int operand);

}  // namespace foldwise::detail
