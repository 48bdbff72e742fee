// foldwise/view.hpp: a strided window on memory that somebody else owns, on the host or on a GPU.
#pragma once

#include <foldwise/detail/layout.hpp>
#include <foldwise/detail/view_fwd.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/shape.hpp>

#include <cstdint>
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
    /// to include index 0. A negative axis counts from the last. Out of range: shape_error.
    view slice(int axis, std::int64_t begin, std::int64_t end, std::int64_t step = 1) const {
        const detail::sublayout part = detail::slice(layout_, axis, begin, end, step);
        return {data_ + part.offset, part.layout, place_};
    }

    /// The same elements in another shape of the same size. A window that is not contiguous is a shape_error.
    view reshape(const foldwise::shape& extents) const { return {data_, detail::reshape(layout_, extents), place_}; }

  private:
    T* data_;
    detail::layout layout_;
    foldwise::place place_;
};

}  // namespace foldwise
