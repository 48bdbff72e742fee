// runtime/src/elements.hpp: copies of strided elements on the host into contiguous memory and back.
#pragma once

#include <foldwise/detail/kernel.hpp>

#include <cstddef>
#include <cstdint>

namespace foldwise::detail {

/// Up to max_axes axes, whose elements are numbered in row-major order.
struct axes_of {
    int rank;
    const std::int64_t* extents;  ///< All are greater than zero.
};

/// Elements of an operand: rows of the innermost axis, which are neighbours along the next one. Offsets and strides are
/// in elements.
struct rows_of_elements {
    std::int64_t offset;              ///< From the operand's first element to that of the rows.
    std::int64_t row_stride, stride;  ///< From one row to the next, and within a row.
    std::int64_t rows, length;
};

/// A position in the row-major order of some axes.
class cursor {
  public:
    cursor(axes_of axes, std::int64_t index);

    /// Moves forward by `count` elements.
    void advance(std::int64_t count);

    /// Calls f(offset, stride, run) for the next `count` elements of an operand with these strides, split where rows
    /// end. Offsets are in elements from the operand's first.
    template <class F> void each_row(const std::int64_t* strides, std::int64_t count, F f) const {
        cursor at = *this;
        while (count > 0) {
            const std::int64_t left = at.left_in_row(), run = left < count ? left : count;
            f(at.offset(strides), at.axes_.rank > 0 ? strides[at.axes_.rank - 1] : 0, run);
            at.advance(run);
            count -= run;
        }
    }
    /// Calls f(rows_of_elements) for the next `count` elements of an operand with these strides, with as many rows at
    /// once as possible.
    template <class F> void each_rows(const std::int64_t* strides, std::int64_t count, F f) const {
        cursor at = *this;
        const int last = axes_.rank - 1;
        while (count > 0) {
            const std::int64_t left = at.left_in_row();
            rows_of_elements part{at.offset(strides), 0, last >= 0 ? strides[last] : 0, 1, left < count ? left : count};
            if (last > 0 && at.at_[last] == 0 && count >= 2 * part.length) {
                const std::int64_t below = axes_.extents[last - 1] - at.at_[last - 1], whole = count / part.length;
                part.rows = below < whole ? below : whole;
                part.row_stride = strides[last - 1];
            }
            f(part);
            at.advance(part.rows * part.length);
            count -= part.rows * part.length;
        }
    }

    /// Returns the number of elements from here to the end of the row.
    std::int64_t left_in_row() const {
        return axes_.rank > 0 ? axes_.extents[axes_.rank - 1] - at_[axes_.rank - 1] : 1;
    }
    /// Returns the offset of this position in an operand with these strides, in elements.
    std::int64_t offset(const std::int64_t* strides) const {
        std::int64_t sum = 0;
        for (int axis = 0; axis < axes_.rank; ++axis) sum += at_[axis] * strides[axis];
        return sum;
    }

  private:
    axes_of axes_;
    std::int64_t at_[max_axes];
};

/// Copies `count` elements of `size` bytes; steps are in bytes. A source step of zero repeats one element.
void move_row(std::byte* to, std::ptrdiff_t to_step, const std::byte* from, std::ptrdiff_t from_step,
              std::int64_t count, std::size_t size);

/// Rows of elements in memory; steps are in bytes.
template <class Byte> struct rows_at {
    Byte* first;
    std::ptrdiff_t row, step;
};

/// Copies `rows` rows of `length` elements of `size` bytes. A source step of zero repeats one element.
void move_rows(const rows_at<std::byte>& to, const rows_at<const std::byte>& from, std::int64_t rows,
               std::int64_t length, std::size_t size);

/// Copies a matrix of elements of `size` bytes between memory in which rows are contiguous and memory in which columns
/// are contiguous; steps are in bytes.
void move_tile(std::byte* to, std::ptrdiff_t to_row, std::ptrdiff_t to_column, const std::byte* from,
               std::ptrdiff_t from_row, std::ptrdiff_t from_column, std::int64_t rows, std::int64_t columns,
               std::size_t size);

/// Copies `count` strided elements of `size` bytes, starting at position `at`, into contiguous memory.
void gather(std::byte* to, const std::byte* first, const std::int64_t* strides, const cursor& at, std::int64_t count,
            std::size_t size);

/// Copies `count` contiguous elements of `size` bytes to strided ones, starting at position `at`.
void scatter(std::byte* first, const std::int64_t* strides, const std::byte* from, const cursor& at, std::int64_t count,
             std::size_t size);

}  // namespace foldwise::detail
