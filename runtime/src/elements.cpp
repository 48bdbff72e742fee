// runtime/src/elements.cpp: copies of strided elements, with loops specialised for common element sizes.
#include "elements.hpp"

#include <foldwise/cpu/kernel.hpp>

#include <algorithm>
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
    for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = i < whole_rows ? whole_columns : 0; j < columns; ++j)
            std::memcpy(to + i * to_row + j * step, from + i * step + j * from_column, Size);
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
    else
        with_size(size, [&](auto bytes) {
            for (std::int64_t i = 0; i < count; ++i) std::memcpy(to + i * to_step, from + i * from_step, bytes);
        });
}

void move_tile(std::byte* to, std::ptrdiff_t to_row, std::ptrdiff_t to_column, const std::byte* from,
               std::ptrdiff_t from_row, std::ptrdiff_t from_column, std::int64_t rows, std::int64_t columns,
               std::size_t size) {
    const auto step = static_cast<std::ptrdiff_t>(size);
    with_size(size, [&](auto bytes) {
        using constant = decltype(bytes);
        if constexpr (std::is_same_v<constant, std::integral_constant<std::size_t, 4>> ||
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
    at.each_row(strides, count, [&](std::int64_t offset, std::int64_t stride, std::int64_t run) {
        move_row(to, step, first + offset * step, stride * step, run, size);
        to += run * step;
    });
}

void scatter(std::byte* first, const std::int64_t* strides, const std::byte* from, const cursor& at, std::int64_t count,
             std::size_t size) {
    const auto step = static_cast<std::ptrdiff_t>(size);
    at.each_row(strides, count, [&](std::int64_t offset, std::int64_t stride, std::int64_t run) {
        move_row(first + offset * step, stride * step, from, step, run, size);
        from += run * step;
    });
}

}  // namespace foldwise::detail
