// foldwise/detail/layout.hpp: strides, and what can be done to them without knowing the element type.
#pragma once

#include <foldwise/shape.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace foldwise::detail {

/// Elements from one index to the next, per axis; those past the rank are zero.
using stride_array = std::array<std::int64_t, max_rank>;

struct layout {
    foldwise::shape shape;
    stride_array strides = {};
};

/// A part of a layout, and how many elements past the whole's first its own first lies.
struct sublayout {
    detail::layout layout;
    std::int64_t offset;
};

/// The contiguous layout, last axis fastest.
layout row_major(const shape& extents);

/// These strides, one for each axis; a shape_error if there are more or fewer.
layout strided(const shape& extents, std::span<const std::int64_t> strides);

/// Whether the elements follow each other in row-major order, without gaps. Axes of one element do not matter.
bool is_contiguous(const shape& extents, const stride_array& strides);

/// Indices begin, begin + step, ... before `end` along `axis`. Throws shape_error.
sublayout slice(const layout& whole, int axis, std::int64_t begin, std::int64_t end, std::int64_t step);

/// The elements in row-major order, seen as `to`. A shape_error if there are more or fewer, or if no strides give it.
layout reshape(const layout& from, const shape& to);

/// Axis `axes[i]` of `from` becomes axis i; negative axes count from the last. A shape_error unless each is named once.
layout permute(const layout& from, std::span<const int> axes);

/// The last axis first, the first one last.
layout transpose(const layout& from);

/// The layout seen as `to`, which may have more axes in front, and for axes of one element as many as it likes: strides
/// of zero. Else a shape_error.
layout broadcast(const layout& from, const shape& to);

/// Bytes that `extents` elements of `element` bytes take. More than there are addresses is out_of_memory.
std::size_t bytes_of(const shape& extents, std::size_t element);

}  // namespace foldwise::detail
