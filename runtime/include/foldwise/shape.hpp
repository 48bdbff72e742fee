// foldwise/shape.hpp: the extents of an array with up to max_rank axes.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/detail/limits.hpp>
#include <foldwise/detail/not_printed.hpp>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace foldwise {

namespace detail {

template <class T>
concept extent_like = std::integral<T> && !std::same_as<T, bool>;
template <class T>
concept extent_reference = extent_like<std::remove_cvref_t<T>>;

}  // namespace detail

/// The number of elements along each axis, from the outermost to the innermost; in row-major order the last axis is
/// contiguous. `shape{}` has no axes and one element. The constructors throw shape_error for a negative extent and for
/// more than max_rank (8) axes.
class shape {
  public:
    shape() = default;

    /// Constructs a shape from `shape{3, 4}`, or from `{3, 4}` where a shape is expected. A bare integer does not
    /// convert, so that it remains a scalar operand in overload resolution.
    template <detail::extent_like I> shape(std::initializer_list<I> extents) {
        for (I extent : extents) append(extent);
    }
    /// Constructs a shape from integers of different types, as in `shape{rows, x.size()}`.
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
    /// Constructs a shape from integers of any type in a std::vector, std::array or the like.
    template <class R>
    requires(!std::same_as<R, shape> && !std::convertible_to<const R&, std::span<const std::int64_t>> &&
             requires(const R& range) {
                 { *std::data(range) } -> detail::extent_reference;
                 std::size(range);
             }) explicit shape(const R& extents) {
        for (const auto extent : extents) append(extent);
    }

    int rank() const { return rank_; }

    /// Returns the number of elements. Throws shape_error if it does not fit in an int64.
    std::int64_t size() const {
        std::int64_t product = 1;
        for (int axis = 0; axis < rank_; ++axis) {
            if (__builtin_mul_overflow(product, extents_[axis], &product)) return size_despite_overflow();
        }
        return product;
    }

    /// Returns the extent of `axis`, which must be in [0, rank()) and is not checked.
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

    friend std::ostream& operator<<(std::ostream&, const shape&) FOLDWISE_NOT_PRINTED("to_string(extents)");

  private:
    friend class new_shape;

    template <class I> void append(I extent) {
        if (!std::in_range<std::int64_t>(extent)) refuse_extent(std::to_string(extent));
        if constexpr (std::is_signed_v<I>) {
            if (extent < 0) refuse_extent(std::to_string(extent));
        }
        if (rank_ == max_rank) refuse_rank();
        extents_[rank_++] = static_cast<std::int64_t>(extent);
    }

    [[noreturn]] void refuse_extent(const std::string& extent) const;
    [[noreturn]] static void refuse_rank();
    std::int64_t size_despite_overflow() const;

    std::int64_t extents_[max_rank] = {};
    int rank_ = 0;
};

/// The shape that reshape() gives elements: a shape, or extents in braces of which one may be -1, as in `{-1, 2}`. That
/// axis gets as many elements as the others leave. The constructors throw shape_error for a second -1 and for what is
/// no shape.
class new_shape {
  public:
    new_shape() = default;
    new_shape(const shape& extents) : extents_(extents) {}
    template <detail::extent_like I> new_shape(std::initializer_list<I> extents) {
        for (I extent : extents) append(extent);
    }
    template <detail::extent_like I, detail::extent_like J, detail::extent_like... More>
    new_shape(I first, J second, More... more) {
        append(first);
        append(second);
        (append(more), ...);
    }

    /// Returns the shape for the elements of an array of shape `from`. Throws shape_error if no extent in place of -1
    /// gives their number, or if any does because there are none and another axis is empty.
    shape of(const shape& from) const { return inferred_ < 0 ? extents_ : inferred(from); }

  private:
    template <class I> void append(I extent) {
        bool is_inferred = false;
        if constexpr (std::is_signed_v<I>) is_inferred = extent == -1;
        if (!is_inferred) return extents_.append(extent);
        if (inferred_ >= 0) refuse_second();
        inferred_ = extents_.rank();
        extents_.append(1);
    }
    shape inferred(const shape& from) const;
    [[noreturn]] static void refuse_second();

    shape extents_;      ///< With one element along the axis that is inferred.
    int inferred_ = -1;  ///< The axis that is inferred, or -1.
};

/// The distance from each element to its neighbour along each axis, in elements: negative where elements are read
/// backwards, and zero where one element stands for all. Made from a list in braces, whose numbers may have different
/// types, as in `{pitch / sizeof(float), 1}`, or from what a std::span can view, such as a std::vector. The
/// constructors throw shape_error for more than max_rank (8) axes, and for a number that does not fit in an int64.
class strides {
  public:
    strides() = default;
    template <detail::extent_like I> strides(std::initializer_list<I> steps) {
        for (I step : steps) append(step);
    }
    template <detail::extent_like I, detail::extent_like J, detail::extent_like... More>
    strides(I first, J second, More... more) {
        append(first);
        append(second);
        (append(more), ...);
    }
    template <class R>
    requires(!std::same_as<R, strides> && std::convertible_to<const R&, std::span<const std::int64_t>>)
        strides(const R& steps) {
        for (std::int64_t step : std::span<const std::int64_t>(steps)) append(step);
    }

    int rank() const { return rank_; }
    operator std::span<const std::int64_t>() const { return {steps_, static_cast<std::size_t>(rank_)}; }

  private:
    template <class I> void append(I step) {
        if (!std::in_range<std::int64_t>(step)) refuse_stride(std::to_string(step));
        if (rank_ == max_rank) refuse_rank();
        steps_[rank_++] = static_cast<std::int64_t>(step);
    }

    [[noreturn]] static void refuse_stride(const std::string& step);
    [[noreturn]] static void refuse_rank();

    std::int64_t steps_[max_rank] = {};
    int rank_ = 0;
};

/// Formats a shape as "(3, 4)", "(3)" or "()".
std::string to_string(const shape& extents);

}  // namespace foldwise

#endif  // C++20
