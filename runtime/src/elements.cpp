// runtime/src/elements.cpp: copies of strided elements, with loops specialised for common element sizes.
#include "elements.hpp"

#include <foldwise/cpu/kernel.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

namespace foldwise::detail {

cursor::cursor(axes_of axes, std::int64_t index) : axes_(axes) {
    for (int axis = axes.rank - 1; axis >= 0; --axis) {
        at_[axis] = index % axes.extents[axis];
        index /= axes.extents[axis];
    }
}

void cursor::advance(std::int64_t count) {
    for (int axis = axes_.rank - 1; axis >= 0 && count > 0; --axis) {
        const std::int64_t extent = axes_.extents[axis], moved = at_[axis] + count;
        if (moved < extent) {
            at_[axis] = moved;
            return;
        }
        count = moved < 2 * extent ? 1 : moved / extent;
        at_[axis] = moved - count * extent;
    }
}

namespace {

/// Calls f with the size as a compile-time constant if it is a common one, so that copying an element takes one or two
/// moves.
template <class F> void with_size(std::size_t size, F f) {
    switch (size) {
    case 1:
        return f(std::integral_constant<std::size_t, 1>());
    case 2:
        return f(std::integral_constant<std::size_t, 2>());
    case 4:
        return f(std::integral_constant<std::size_t, 4>());
    case 8:
        return f(std::integral_constant<std::size_t, 8>());
    case 12:
        return f(std::integral_constant<std::size_t, 12>());
    case 16:
        return f(std::integral_constant<std::size_t, 16>());
    default:
        return f(size);
    }
}

/// Repeats an element. Compiled for several architectures, because single elements are repeated for each row of a call.
template <class Element>
[[gnu::always_inline]] inline void repeat_as(std::byte* to, const std::byte* element, std::int64_t count) {
    Element value;
    std::memcpy(&value, element, sizeof value);
    for (std::int64_t i = 0; i < count; ++i) std::memcpy(to + i * std::int64_t{sizeof value}, &value, sizeof value);
}
FOLDWISE_CPU_KERNEL void repeat_2(std::byte* to, const std::byte* element, std::int64_t count) {
    repeat_as<std::uint16_t>(to, element, count);
}
FOLDWISE_CPU_KERNEL void repeat_4(std::byte* to, const std::byte* element, std::int64_t count) {
    repeat_as<std::uint32_t>(to, element, count);
}
FOLDWISE_CPU_KERNEL void repeat_8(std::byte* to, const std::byte* element, std::int64_t count) {
    repeat_as<std::uint64_t>(to, element, count);
}

void repeat(std::byte* to, const std::byte* element, std::int64_t count, std::size_t size) {
    switch (size) {
    case 1:
        std::memset(to, std::to_integer<int>(*element), static_cast<std::size_t>(count));
        return;
    case 2:
        return repeat_2(to, element, count);
    case 4:
        return repeat_4(to, element, count);
    case 8:
        return repeat_8(to, element, count);
    default:  // doubles the filled part until everything is filled
        const std::size_t bytes = static_cast<std::size_t>(count) * size;
        std::memmove(to, element, std::min(size, bytes));
        for (std::size_t done = size; done < bytes; done *= 2) std::memcpy(to + done, to, std::min(done, bytes - done));
    }
}

/// Copies every Step-th element. Vector code of several architectures: with steps known to the compiler, elements are
/// loaded as whole vectors and shuffled together.
template <class Element, int Step>
[[gnu::always_inline]] inline void pick_as(std::byte* __restrict to, const std::byte* __restrict from,
                                           std::int64_t count) {
    constexpr std::int64_t size = sizeof(Element);
    for (std::int64_t i = 0; i < count; ++i) {
        Element value;
        std::memcpy(&value, from + i * Step * size, size);
        std::memcpy(to + i * size, &value, size);
    }
}
template <class Element>
[[gnu::always_inline]] inline bool pick_by(std::byte* to, const std::byte* from, std::int64_t step,
                                           std::int64_t count) {
    switch (step) {
    case -1:
        return pick_as<Element, -1>(to, from, count), true;
    case 2:
        return pick_as<Element, 2>(to, from, count), true;
    case 3:
        return pick_as<Element, 3>(to, from, count), true;
    case 4:
        return pick_as<Element, 4>(to, from, count), true;
    default:
        return false;
    }
}
FOLDWISE_CPU_KERNEL bool pick_1(std::byte* to, const std::byte* from, std::int64_t step, std::int64_t count) {
    return pick_by<std::uint8_t>(to, from, step, count);
}
FOLDWISE_CPU_KERNEL bool pick_2(std::byte* to, const std::byte* from, std::int64_t step, std::int64_t count) {
    return pick_by<std::uint16_t>(to, from, step, count);
}
FOLDWISE_CPU_KERNEL bool pick_4(std::byte* to, const std::byte* from, std::int64_t step, std::int64_t count) {
    return pick_by<std::uint32_t>(to, from, step, count);
}
FOLDWISE_CPU_KERNEL bool pick_8(std::byte* to, const std::byte* from, std::int64_t step, std::int64_t count) {
    return pick_by<std::uint64_t>(to, from, step, count);
}

/// Copies elements that are `from_step` bytes apart into contiguous memory and returns true, or does nothing if there
/// is no vector code for elements of this size so far apart.
bool pick(std::byte* to, const std::byte* from, std::ptrdiff_t from_step, std::int64_t count, std::size_t size) {
    constexpr std::int64_t fewest = 16;
    const auto one = static_cast<std::ptrdiff_t>(size);
    if (count < fewest || from_step % one != 0) return false;
    switch (size) {
    case 1:
        return pick_1(to, from, from_step, count);
    case 2:
        return pick_2(to, from, from_step / one, count);
    case 4:
        return pick_4(to, from, from_step / one, count);
    case 8:
        return pick_8(to, from, from_step / one, count);
    default:
        return false;
    }
}

using words = std::uint32_t __attribute__((vector_size(16)));
using long_words = std::uint64_t __attribute__((vector_size(16)));

template <class Vector> Vector load(const std::byte* from) {
    Vector loaded;
    std::memcpy(&loaded, from, sizeof loaded);
    return loaded;
}
template <class Vector> void store(std::byte* to, const Vector& stored) { std::memcpy(to, &stored, sizeof stored); }

/// Transposes a square block of 16 bytes a side: each vector loaded is part of a column, each one stored is part of a
/// row.
void turn_block(std::byte* to, std::ptrdiff_t to_row, const std::byte* from, std::ptrdiff_t from_column,
                std::integral_constant<std::size_t, 4>) {
    const words a = load<words>(from), b = load<words>(from + from_column);
    const words c = load<words>(from + 2 * from_column), d = load<words>(from + 3 * from_column);
    const words ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const words AB = __builtin_shufflevector(a, b, 2, 6, 3, 7), CD = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    store(to, __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
    store(to + to_row, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
    store(to + 2 * to_row, __builtin_shufflevector(AB, CD, 0, 1, 4, 5));
    store(to + 3 * to_row, __builtin_shufflevector(AB, CD, 2, 3, 6, 7));
}
void turn_block(std::byte* to, std::ptrdiff_t to_row, const std::byte* from, std::ptrdiff_t from_column,
                std::integral_constant<std::size_t, 8>) {
    const long_words a = load<long_words>(from), b = load<long_words>(from + from_column);
    store(to, __builtin_shufflevector(a, b, 0, 2));
    store(to + to_row, __builtin_shufflevector(a, b, 1, 3));
}

/// Transposes a matrix: neighbours in a column of the source become neighbours in a row of the target.
template <std::size_t Size>
void turn(std::byte* to, std::ptrdiff_t to_row, const std::byte* from, std::ptrdiff_t from_column, std::int64_t rows,
          std::int64_t columns, std::integral_constant<std::size_t, Size> size) {
    constexpr std::ptrdiff_t step = Size, side = 16 / step;
    const std::int64_t whole_rows = rows / side * side, whole_columns = columns / side * side;
    for (std::int64_t j = 0; j < whole_columns; j += side) {
        for (std::int64_t i = 0; i < whole_rows; i += side)
            turn_block(to + i * to_row + j * step, to_row, from + i * step + j * from_column, from_column, size);
    }
    for (std::int64_t i = 0; i < whole_rows; ++i) {
        for (std::int64_t j = whole_columns; j < columns; ++j)
            std::memcpy(to + i * to_row + j * step, from + i * step + j * from_column, Size);
    }
    for (std::int64_t i = whole_rows; i < rows; ++i)
        move_row(to + i * to_row, step, from + i * step, from_column, columns, Size);
}

using bytes16 = std::uint8_t __attribute__((vector_size(16)));
using shorts = std::uint16_t __attribute__((vector_size(16)));

/// The words that are first in four columns.
[[gnu::always_inline]] inline words load_words(const std::byte* from, std::ptrdiff_t from_column) {
    if (from_column == sizeof(std::uint32_t)) return load<words>(from);
    std::uint32_t all[4];
    for (int i = 0; i < 4; ++i) std::memcpy(all + i, from + i * from_column, sizeof(std::uint32_t));
    return words{all[0], all[1], all[2], all[3]};
}

/// Transposes columns of a word each into rows of 16 bytes: of bytes, 4 rows and 16 columns.
[[gnu::always_inline]] inline void turn_words(std::byte* to, std::ptrdiff_t to_row, const std::byte* from,
                                              std::ptrdiff_t from_column, std::integral_constant<std::size_t, 1>) {
    words part[4];
    for (int i = 0; i < 4; ++i) {
        const bytes16 four = std::bit_cast<bytes16>(load_words(from + 4 * i * from_column, from_column));
        part[i] = std::bit_cast<words>(
            __builtin_shufflevector(four, four, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    }
    turn_block(to, to_row, reinterpret_cast<const std::byte*>(part), sizeof(words),
               std::integral_constant<std::size_t, 4>());
}

/// Of elements of two bytes, 2 rows and 8 columns.
[[gnu::always_inline]] inline void turn_words(std::byte* to, std::ptrdiff_t to_row, const std::byte* from,
                                              std::ptrdiff_t from_column, std::integral_constant<std::size_t, 2>) {
    const auto a = std::bit_cast<shorts>(load_words(from, from_column));
    const auto b = std::bit_cast<shorts>(load_words(from + 4 * from_column, from_column));
    store(to, __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14));
    store(to + to_row, __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15));
}

/// Transposes narrow elements word by word, because their rows are often too few for a block as high as it is wide. The
/// last blocks overlap those before them; there is at least a word in a column and a vector in a row.
template <std::size_t Size>
[[gnu::always_inline]] inline void turn_narrow(std::byte* to, std::ptrdiff_t to_row, const std::byte* from,
                                               std::ptrdiff_t from_column, std::int64_t rows, std::int64_t columns) {
    constexpr std::ptrdiff_t step = Size, width = 16 / step, height = 4 / step;
    for (std::int64_t j = 0; j < columns; j += width) {
        j = std::min(j, columns - width);
        for (std::int64_t i = 0; i < rows; i += height) {
            i = std::min(i, rows - height);
            turn_words(to + i * to_row + j * step, to_row, from + i * step + j * from_column, from_column,
                       std::integral_constant<std::size_t, Size>());
        }
    }
}
FOLDWISE_CPU_KERNEL void turn_1(std::byte* to, std::ptrdiff_t to_row, const std::byte* from, std::ptrdiff_t from_column,
                                std::int64_t rows, std::int64_t columns) {
    turn_narrow<1>(to, to_row, from, from_column, rows, columns);
}
FOLDWISE_CPU_KERNEL void turn_2(std::byte* to, std::ptrdiff_t to_row, const std::byte* from, std::ptrdiff_t from_column,
                                std::int64_t rows, std::int64_t columns) {
    turn_narrow<2>(to, to_row, from, from_column, rows, columns);
}

/// Narrow elements, of which there may be too few for a word or a vector.
template <std::size_t Size>
requires(Size < 4) void turn(std::byte* to, std::ptrdiff_t to_row, const std::byte* from, std::ptrdiff_t from_column,
                             std::int64_t rows, std::int64_t columns, std::integral_constant<std::size_t, Size>) {
    constexpr std::ptrdiff_t step = Size;
    if (rows < 4 / step || columns < 16 / step) {
        for (std::int64_t i = 0; i < rows; ++i)
            move_row(to + i * to_row, step, from + i * step, from_column, columns, Size);
    } else if constexpr (Size == 1) {
        turn_1(to, to_row, from, from_column, rows, columns);
    } else {
        turn_2(to, to_row, from, from_column, rows, columns);
    }
}

}  // namespace

void move_row(std::byte* to, std::ptrdiff_t to_step, const std::byte* from, std::ptrdiff_t from_step,
              std::int64_t count, std::size_t size) {
    const auto next = static_cast<std::ptrdiff_t>(size);
    if (to_step == next && from_step == next)
        std::memcpy(to, from, static_cast<std::size_t>(count) * size);
    else if (to_step == next && from_step == 0)
        repeat(to, from, count, size);
    else if (to_step != next || !pick(to, from, from_step, count, size))
        with_size(size, [&](auto bytes) {
            for (std::int64_t i = 0; i < count; ++i) std::memcpy(to + i * to_step, from + i * from_step, bytes);
        });
}

void move_rows(const rows_at<std::byte>& to, const rows_at<const std::byte>& from, std::int64_t rows,
               std::int64_t length, std::size_t size) {
    constexpr std::int64_t short_length = 16;  // a call costs more than a few elements do
    if (rows == 1 || length > short_length) {
        for (std::int64_t row = 0; row < rows; ++row)
            move_row(to.first + row * to.row, to.step, from.first + row * from.row, from.step, length, size);
        return;
    }
    with_size(size, [&](auto bytes) {
        const auto move = [&](auto count) {
            for (std::int64_t row = 0; row < rows; ++row) {
                for (std::int64_t i = 0; i < count; ++i)
                    std::memcpy(to.first + row * to.row + i * to.step, from.first + row * from.row + i * from.step,
                                bytes);
            }
        };
        switch (length) {
        case 2:
            return move(std::integral_constant<std::int64_t, 2>());
        case 3:
            return move(std::integral_constant<std::int64_t, 3>());
        case 4:
            return move(std::integral_constant<std::int64_t, 4>());
        default:
            return move(length);
        }
    });
}

void move_tile(std::byte* to, std::ptrdiff_t to_row, std::ptrdiff_t to_column, const std::byte* from,
               std::ptrdiff_t from_row, std::ptrdiff_t from_column, std::int64_t rows, std::int64_t columns,
               std::size_t size) {
    const auto step = static_cast<std::ptrdiff_t>(size);
    with_size(size, [&](auto bytes) {
        using constant = decltype(bytes);
        if constexpr (std::is_same_v<constant, std::integral_constant<std::size_t, 1>> ||
                      std::is_same_v<constant, std::integral_constant<std::size_t, 2>> ||
                      std::is_same_v<constant, std::integral_constant<std::size_t, 4>> ||
                      std::is_same_v<constant, std::integral_constant<std::size_t, 8>>) {
            if (from_row == step && to_column == step) return turn(to, to_row, from, from_column, rows, columns, bytes);
            if (to_row == step && from_column == step) return turn(to, to_column, from, from_row, columns, rows, bytes);
        }
        for (std::int64_t j = 0; j < columns; ++j) {
            for (std::int64_t i = 0; i < rows; ++i)
                std::memcpy(to + i * to_row + j * to_column, from + i * from_row + j * from_column, bytes);
        }
    });
}

void gather(std::byte* to, const std::byte* first, const std::int64_t* strides, const cursor& at, std::int64_t count,
            std::size_t size) {
    const auto step = static_cast<std::ptrdiff_t>(size);
    at.each_rows(strides, count, [&](const rows_of_elements& part) {
        const std::ptrdiff_t row = part.row_stride * step;
        move_rows({to, part.length * step, step}, {first + part.offset * step, row, part.stride * step}, part.rows,
                  part.length, size);
        to += part.rows * part.length * step;
    });
}

void scatter(std::byte* first, const std::int64_t* strides, const std::byte* from, const cursor& at, std::int64_t count,
             std::size_t size) {
    const auto step = static_cast<std::ptrdiff_t>(size);
    at.each_rows(strides, count, [&](const rows_of_elements& part) {
        const std::ptrdiff_t row = part.row_stride * step;
        move_rows({first + part.offset * step, row, part.stride * step}, {from, part.length * step, step}, part.rows,
                  part.length, size);
        from += part.rows * part.length * step;
    });
}

}  // namespace foldwise::detail
