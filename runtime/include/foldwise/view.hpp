// foldwise/view.hpp: a strided window on memory that somebody else owns, on the host or on a GPU.
#pragma once

#include <foldwise/detail/layout.hpp>
#include <foldwise/detail/ranges.hpp>
#include <foldwise/detail/view_fwd.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/shape.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>

namespace foldwise {

/// `view<T>`: a window of any rank up to 8 on elements that it does not own and that must outlive it. Copying it copies
/// the window. `view<const T>` only reads, and a `view<T>` converts to it.
template <class T> class view<T, dynamic_rank> {
  public:
    using element_type = T;
    using value_type = std::remove_cv_t<T>;

    /// Contiguous, last axis fastest.
    view(T* data, const foldwise::shape& extents, foldwise::place place = {})
        : data_(data), layout_(detail::row_major(extents)), place_(place) {}
    /// `strides` counts elements, one for each axis, and may be zero or negative; `data` is the element at index 0.
    view(T* data, const detail::layout& layout, foldwise::place place) : data_(data), layout_(layout), place_(place) {}

    operator view<const T>() const requires(!std::is_const_v<T>) { return {data_, layout_, place_}; }

    /// The element at index 0 of every axis; a device address if place() is a GPU.
    T* data() const { return data_; }
    const foldwise::shape& shape() const { return layout_.shape; }
    /// In elements, one for each axis.
    std::span<const std::int64_t> strides() const {
        return {layout_.strides.data(), static_cast<std::size_t>(layout_.shape.rank())};
    }
    const detail::layout& layout() const { return layout_; }
    std::int64_t size() const { return layout_.shape.size(); }
    foldwise::place place() const { return place_; }
    bool is_contiguous() const { return detail::is_contiguous(layout_.shape, layout_.strides); }

    /// Indices begin, begin + step, ... before `end` along `axis`; with a negative step they go down, and `end` is -1
    /// to include index 0. A negative axis counts from the last. Unlike Python's, a slice is not clamped and no index
    /// counts from the end: a range that is not within the axis, or a step of zero, is a shape_error.
    view slice(int axis, std::int64_t begin, std::int64_t end, std::int64_t step = 1) const {
        const detail::sublayout part = detail::slice(layout_, axis, begin, end, step);
        return {data_ + part.offset, part.layout, place_};
    }

    /// The same elements, in row-major order, in another shape of the same size. A shape_error if that takes a copy:
    /// every other column of a matrix can be cut into more axes, but not be made one axis.
    view reshape(const foldwise::shape& extents) const { return {data_, detail::reshape(layout_, extents), place_}; }

    /// The axes in reverse order.
    view transpose() const { return {data_, detail::transpose(layout_), place_}; }

    /// `permute(2, 0, 1)`: the last of three axes comes first. Each axis is named once, else shape_error.
    template <std::convertible_to<int>... Axes> view permute(Axes... axes) const {
        const std::array<int, sizeof...(Axes)> order{static_cast<int>(axes)...};
        return {data_, detail::permute(layout_, order), place_};
    }

    /// The same elements as often as the shape asks for: axes of one element stretch, and new ones come in front, with
    /// strides of zero. Read-only. A shape that does not fit is a shape_error.
    view<const T> broadcast_to(const foldwise::shape& extents) const {
        return {data_, detail::broadcast(layout_, extents), place_};
    }

  private:
    T* data_;
    detail::layout layout_;
    foldwise::place place_;
};

namespace detail {

/// The memory that arrays live in by default, as a place: the current GPU's if they live on a GPU.
place device_place();

}  // namespace detail

/// A view on the caller's host memory; contiguous unless strides are given, in elements, one for each axis. `data` is
/// the element at index 0; strides may be negative, and for inputs zero.
template <class T> view<T> host(T* data, const shape& extents) { return {data, extents}; }
template <class T> view<T> host(T* data, const shape& extents, std::span<const std::int64_t> strides) {
    return {data, detail::strided(extents, strides), {}};
}
template <class T> view<T> host(T* data, const shape& extents, std::initializer_list<std::int64_t> strides) {
    return host(data, extents, std::span<const std::int64_t>(strides.begin(), strides.size()));
}

/// A view on what a std::mdspan or cuda::std::mdspan refers to; a shape_error if its layout has no strides.
template <detail::mdspan_like M> view<typename M::element_type> host(const M& span) {
    return {span.data_handle(), detail::layout_of_mdspan(span), {}};
}

/// The same on memory of the current GPU; without one, or if FOLDWISE_EXECUTOR names another executor, of the host, as
/// for to_device().
template <class T> view<T> device(T* data, const shape& extents) { return {data, extents, detail::device_place()}; }
template <class T> view<T> device(T* data, const shape& extents, std::span<const std::int64_t> strides) {
    return {data, detail::strided(extents, strides), detail::device_place()};
}
template <class T> view<T> device(T* data, const shape& extents, std::initializer_list<std::int64_t> strides) {
    return device(data, extents, std::span<const std::int64_t>(strides.begin(), strides.size()));
}

template <detail::mdspan_like M> view<typename M::element_type> device(const M& span) {
    return {span.data_handle(), detail::layout_of_mdspan(span), detail::device_place()};
}

}  // namespace foldwise
