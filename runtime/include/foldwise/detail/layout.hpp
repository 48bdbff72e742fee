// foldwise/detail/layout.hpp: strided layouts and their transformations, independent of the element type.
#pragma once

#include <foldwise/shape.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace foldwise::detail {

/// Strides in elements, one per axis; entries past the rank are zero.
using stride_array = std::array<std::int64_t, max_rank>;

/// A shape and the strides of its axes.
struct layout {
    foldwise::shape shape;
    stride_array strides = {};
};

/// A part of a layout, and the offset of its first element from the first element of the whole, in elements.
struct sublayout {
    detail::layout layout;
    std::int64_t offset;
};

/// Returns the contiguous layout of a shape in row-major order: the last axis varies fastest.
layout row_major(const shape& extents);

/// Throws shape_error, for a null pointer to the elements of such a shape, unless it has none.
void refuse_null(const shape& extents);

/// Returns the address of the elements of such a shape. Throws shape_error if it is null and there are elements.
template <class T> T* memory_of(T* data, const shape& extents) {
    if (!data) refuse_null(extents);
    return data;
}

/// Returns a layout with the given strides, in elements. Throws shape_error unless there is one per axis.
layout strided(const shape& extents, std::span<const std::int64_t> strides);

/// Returns the layout of rows that begin `pitch_bytes` after one another. Throws shape_error if there are fewer than
/// two axes, if the rows overlap, or if the pitch is not a multiple of `element` bytes.
layout pitched_layout(const shape& extents, std::size_t pitch_bytes, std::size_t element);

/// Returns whether the elements follow each other in row-major order without gaps. Axes of one element do not matter.
bool is_contiguous(const shape& extents, const stride_array& strides);

/// Returns the indices begin, begin + step, ... before `end` along `axis`. Throws shape_error if they are out of range.
sublayout slice(const layout& whole, int axis, std::int64_t begin, std::int64_t end, std::int64_t step);

/// Returns a layout of shape `to` over the same elements in row-major order. Throws shape_error if the number of
/// elements differs or if no strides describe it.
layout reshape(const layout& from, const shape& to);

/// Returns a layout in which axis `axes[i]` of `from` is axis i. Negative axes count from the last. Throws shape_error
/// unless each axis is named exactly once.
layout permute(const layout& from, std::span<const int> axes);

/// Returns a layout with the axes in reverse order.
layout transpose(const layout& from);

/// Returns a layout of shape `to`, which may have additional axes in front and any extent where `from` has one element;
/// both get strides of zero. Throws shape_error if the shapes are not compatible.
layout broadcast(const layout& from, const shape& to);

/// Returns the bytes that `extents` elements of `element` bytes take. Throws out_of_memory if they exceed the address
/// space.
std::size_t bytes_of(const shape& extents, std::size_t element);

}  // namespace foldwise::detail
