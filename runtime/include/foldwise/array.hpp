// foldwise/array.hpp: an owning array in host or GPU memory, and copies between the two.
#pragma once

#include <foldwise/detail/buffer.hpp>
#include <foldwise/detail/copy.hpp>
#include <foldwise/detail/ranges.hpp>
#include <foldwise/view.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace foldwise {

/// An array that owns its elements, which are contiguous in row-major order (the last axis varies fastest). It is
/// movable but not copyable; `to_device(a)` makes a copy. GPU memory is allocated and freed in stream order on the
/// executor's stream, by the executor's memory resource; the array keeps a handle to that resource.
template <class T> class array {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>, "an element is copied as bytes");

  public:
    using value_type = T;

    /// Allocates uninitialised elements where `executor` runs: by default on the GPU if the program was built with CUDA
    /// and a GPU is present, otherwise on the host. Throws out_of_memory if the allocation fails, and device_error if a
    /// GPU is requested and there is none.
    explicit array(const foldwise::shape& extents, const foldwise::executor& executor = {})
        : array(extents, detail::source_of(executor)) {}

    /// For the library: allocates uninitialised elements from an explicit memory source.
    array(const foldwise::shape& extents, const detail::memory_source& source)
        : buffer_(detail::bytes_of(extents, sizeof(T)), source), shape_(extents) {}

    array(array&& other) noexcept
        : buffer_(std::move(other.buffer_)), shape_(std::exchange(other.shape_, foldwise::shape{0})) {}
    array& operator=(array&& other) noexcept {
        std::swap(buffer_, other.buffer_);
        std::swap(shape_, other.shape_);
        return *this;
    }

    /// Returns the address of the first element: a device address if place() is a GPU, and null if the array is empty.
    T* data() { return static_cast<T*>(buffer_.data()); }
    const T* data() const { return static_cast<const T*>(buffer_.data()); }
    const foldwise::shape& shape() const { return shape_; }
    std::int64_t size() const { return static_cast<std::int64_t>(buffer_.bytes() / sizeof(T)); }
    foldwise::place place() const { return buffer_.place(); }
    /// Returns the stream on which GPU memory was allocated and will be freed. It is unused for host memory.
    CUstream_st* stream() const { return buffer_.stream(); }

    operator view<T>() & { return whole(); }
    operator view<const T>() const { return whole(); }

    /// Copies the elements to the host in row-major order. The copy follows the work queued on the array's stream, and
    /// the call waits for it. Throws out_of_memory or device_error.
    std::vector<T> to_host() const;

    /// Returns a view of every `step`-th index from `begin` up to `end` along `axis`, as view::slice does.
    view<T> slice(int axis, std::int64_t begin, std::int64_t end, std::int64_t step = 1) {
        return whole().slice(axis, begin, end, step);
    }
    view<const T> slice(int axis, std::int64_t begin, std::int64_t end, std::int64_t step = 1) const {
        return whole().slice(axis, begin, end, step);
    }

    /// Returns the same elements with another shape of the same size, or throws shape_error. For an lvalue the result
    /// is a view; for a temporary it is an array that takes over the memory.
    view<T> reshape(const foldwise::shape& extents) & { return whole().reshape(extents); }
    view<const T> reshape(const foldwise::shape& extents) const& { return whole().reshape(extents); }
    array reshape(const foldwise::shape& extents) && {
        shape_ = whole().reshape(extents).shape();
        return std::move(*this);
    }

    /// Returns a view with the axes in reverse order, as view::transpose does.
    view<T> transpose() { return whole().transpose(); }
    view<const T> transpose() const { return whole().transpose(); }
    /// Returns a view with the axes in the given order, as view::permute does.
    template <std::convertible_to<int>... Axes> view<T> permute(Axes... axes) { return whole().permute(axes...); }
    template <std::convertible_to<int>... Axes> view<const T> permute(Axes... axes) const {
        return whole().permute(axes...);
    }
    /// Returns a read-only view stretched to a larger shape, as view::broadcast_to does.
    view<const T> broadcast_to(const foldwise::shape& extents) const { return whole().broadcast_to(extents); }

  private:
    view<T> whole() { return {data(), shape_, place()}; }
    view<const T> whole() const { return {data(), shape_, place()}; }

    detail::buffer buffer_;
    foldwise::shape shape_;
};

/// Copies the elements of a view to the host in row-major order. The copy follows the work queued on `stream`, and the
/// call waits for it. Throws out_of_memory or device_error.
template <class T>
std::vector<std::remove_const_t<T>> to_host(const view<T>& window, CUstream_st* stream = nullptr) try {
    using value = std::remove_const_t<T>;
    const auto count = static_cast<std::size_t>(window.size());
    if constexpr (std::is_same_v<value, bool>) {  // std::vector<bool> has no contiguous elements to copy to
        const std::unique_ptr<bool[]> bytes(new bool[count]);
        detail::copy_elements(bytes.get(), {}, window.data(), window.place(), window.layout(), sizeof(bool), stream);
        return std::vector<bool>(bytes.get(), bytes.get() + count);
    } else {
        std::vector<value> elements(count);
        detail::copy_elements(elements.data(), {}, window.data(), window.place(), window.layout(), sizeof(T), stream);
        return elements;
    }
} catch (const std::bad_alloc&) {
    detail::refuse_elements(window.size(), sizeof(T));
} catch (const std::length_error&) {  // the size exceeds std::vector::max_size()
    detail::refuse_elements(window.size(), sizeof(T));
}

/// Copies the elements of an array to the host, as array::to_host does.
template <class T> std::vector<T> to_host(const array<T>& source) { return source.to_host(); }

template <class T> std::vector<T> array<T>::to_host() const { return foldwise::to_host(whole(), stream()); }

/// Copies a view, wherever its memory is (another GPU included), to where `executor` runs. The copy follows the work
/// queued on the executor's stream and is complete on return. If the view is in GPU memory, its elements must already
/// have been written when this is called. Throws out_of_memory or device_error.
template <class T>
array<std::remove_const_t<T>> to_device(const view<T>& window, const foldwise::executor& executor = {}) {
    array<std::remove_const_t<T>> copy(window.shape(), executor);
    detail::copy_elements(copy.data(), copy.place(), window.data(), window.place(), window.layout(), sizeof(T),
                          copy.stream());
    return copy;
}

/// Copies an array to where `executor` runs. The copy follows the work queued on the array's stream and on the
/// executor's stream, and is complete on return. Throws out_of_memory or device_error.
template <class T> array<T> to_device(const array<T>& source, const foldwise::executor& executor = {}) {
    detail::wait_for(source.place(), source.stream());
    return to_device(view<const T>(source), executor);
}

/// Copies elements in host memory to where `executor` runs: from a std::vector, std::span, std::array, C array, mdspan,
/// or anything else on the host that an operand can be made of. The copy follows the work queued on the executor's
/// stream and is complete on return. Throws out_of_memory, device_error, or shape_error for an mdspan without strides.
template <detail::host_elements R>
array<detail::range_value<R>> to_device(const R& source, const foldwise::executor& executor = {}) {
    return to_device(view<const detail::range_value<R>>(detail::first_of(source), detail::layout_of(source), {}),
                     executor);
}

/// Copies a view, an array or elements in host memory to the GPU that CUDA numbers `gpu`; complete on return. Throws
/// out_of_memory, or device_error if there is no such GPU.
template <class R> auto to_device(const R& source, int gpu) -> decltype(to_device(source, cuda(gpu))) {
    return to_device(source, cuda(gpu));
}

}  // namespace foldwise
