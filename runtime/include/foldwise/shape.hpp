// foldwise/shape.hpp: the extents of an array, up to max_rank axes.
#pragma once

#include <foldwise/detail/limits.hpp>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace foldwise {

namespace detail {

template <class T>
concept extent_like = std::integral<T> && !std::same_as<T, bool>;

}  // namespace detail

/// How many elements there are along each axis, the last axis being the one that is contiguous in memory. `shape{}` has
/// no axes and one element. A negative extent, or more than max_rank (8) axes, is a shape_error.
class shape {
  public:
    shape() = default;

    /// `shape{3, 4}`, and `{3, 4}` where a shape is expected. A bare integer does not convert, so that it stays a
    /// scalar operand in overload resolution.
    template <detail::extent_like I> shape(std::initializer_list<I> extents) {
        for (I extent : extents) append(extent);
    }
    /// Integers of several types: `shape{rows, x.size()}`.
    template <detail::extent_like I, detail::extent_like J, detail::extent_like... More>
    shape(I first, J second, More... more) {
        append(first);
        append(second);
        (append(more), ...);
    }
    template <detail::extent_like I> explicit shape(I extent) { append(extent); }
    explicit shape(std::span<const std::int64_t> extents) {
        for (std::int64_t extent : extents) append(extent);
    }

    int rank() const { return rank_; }

    /// The number of elements. A shape_error names a shape with more of them than an int64 counts.
    std::int64_t size() const {
        std::int64_t product = 1;
        for (int axis = 0; axis < rank_; ++axis) {
            if (__builtin_mul_overflow(product, extents_[axis], &product)) return size_despite_overflow();
        }
        return product;
    }

    /// `axis` in [0, rank()), unchecked.
    std::int64_t operator[](int axis) const { return extents_[axis]; }

    const std::int64_t* begin() const { return extents_; }
    const std::int64_t* end() const { return extents_ + rank_; }

    friend bool operator==(const shape& a, const shape& b) {
        if (a.rank_ != b.rank_) return false;
        for (int axis = 0; axis < a.rank_; ++axis) {
            if (a.extents_[axis] != b.extents_[axis]) return false;
        }
        return true;
    }

  private:
    template <class I> void append(I extent) {
        if (!std::in_range<std::int64_t>(extent)) refuse_extent(std::to_string(extent));
        if constexpr (std::is_signed_v<I>) {
            if (extent < 0) refuse_extent(std::to_string(extent));
        }
        if (rank_ == max_rank) refuse_rank();
        extents_[rank_++] = static_cast<std::int64_t>(extent);
    }

    [[noreturn]] static void refuse_extent(const std::string& extent);
    [[noreturn]] static void refuse_rank();
    std::int64_t size_despite_overflow() const;

    std::int64_t extents_[max_rank] = {};
    int rank_ = 0;
};

/// "(3, 4)"; "(3)"; "()".
std::string to_string(const shape& extents);

}  // namespace foldwise
