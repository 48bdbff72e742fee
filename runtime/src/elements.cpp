// runtime/src/elements.cpp: loops over elements whose size is known to the compiler, for the sizes that are common.
#include "elements.hpp"

#include <cstring>

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

/// Steps are in bytes.
template <std::size_t Size>
void move_elements(std::byte* to, std::ptrdiff_t to_step, const std::byte* from, std::ptrdiff_t from_step,
                   std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) std::memcpy(to + i * to_step, from + i * from_step, Size);
}

void move_elements(std::byte* to, std::ptrdiff_t to_step, const std::byte* from, std::ptrdiff_t from_step,
                   std::int64_t count, std::size_t size) {
    switch (size) {
    case 1:
        return move_elements<1>(to, to_step, from, from_step, count);
    case 2:
        return move_elements<2>(to, to_step, from, from_step, count);
    case 4:
        return move_elements<4>(to, to_step, from, from_step, count);
    case 8:
        return move_elements<8>(to, to_step, from, from_step, count);
    case 12:
        return move_elements<12>(to, to_step, from, from_step, count);
    case 16:
        return move_elements<16>(to, to_step, from, from_step, count);
    default:
        for (std::int64_t i = 0; i < count; ++i) std::memcpy(to + i * to_step, from + i * from_step, size);
    }
}

}  // namespace

void gather(std::byte* to, const std::byte* first, const std::int64_t* strides, const cursor& at, std::int64_t count,
            std::size_t size) {
    const auto step = static_cast<std::ptrdiff_t>(size);
    at.each_row(strides, count, [&](std::int64_t offset, std::int64_t stride, std::int64_t run) {
        if (stride == 1)
            std::memcpy(to, first + offset * step, static_cast<std::size_t>(run) * size);
        else
            move_elements(to, step, first + offset * step, stride * step, run, size);
        to += run * step;
    });
}

void scatter(std::byte* first, const std::int64_t* strides, const std::byte* from, const cursor& at, std::int64_t count,
             std::size_t size) {
    const auto step = static_cast<std::ptrdiff_t>(size);
    at.each_row(strides, count, [&](std::int64_t offset, std::int64_t stride, std::int64_t run) {
        move_elements(first + offset * step, stride * step, from, step, run, size);
        from += run * step;
    });
}

}  // namespace foldwise::detail
