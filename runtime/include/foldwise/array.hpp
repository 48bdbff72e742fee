// foldwise/array.hpp: memory that owns its elements, on the host or on a GPU, and the way there and back.
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

/// Owns its elements; contiguous, last axis fastest. Movable, not copyable: `to_device(a)` copies. A GPU's memory is
/// allocated and freed in the order of the executor's stream, by the executor's memory resource, of which the array
/// keeps a handle.
template <class T> class array {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>, "an element is copied as bytes");

  public:
    using value_type = T;

    /// Uninitialised elements, where `executor` runs: on the GPU if the program was built with CUDA and there is one,
    /// else on the host. Throws out_of_memory; device_error if a GPU is asked for and there is none.
    explicit array(const foldwise::shape& extents, const foldwise::executor& executor = {})
        : array(extents, detail::source_of(executor)) {}

    /// For the library: as above, in memory that is known.
    array(const foldwise::shape& extents, const detail::memory_source& source)
        : buffer_(detail::bytes_of(extents, sizeof(T)), source), shape_(extents) {}

    array(array&& other) noexcept
        : buffer_(std::move(other.buffer_)), shape_(std::exchange(other.shape_, foldwise::shape{0})) {}
    array& operator=(array&& other) noexcept {
        std::swap(buffer_, other.buffer_);
        std::swap(shape_, other.shape_);
        return *this;
    }

    /// A device address if place() is a GPU; null if there are no elements.
    T* data() { return static_cast<T*>(buffer_.data()); }
    const T* data() const { return static_cast<const T*>(buffer_.data()); }
    const foldwise::shape& shape() const { return shape_; }
    std::int64_t size() const { return static_cast<std::int64_t>(buffer_.bytes() / sizeof(T)); }
    foldwise::place place() const { return buffer_.place(); }
    /// The stream that orders its memory, on a GPU.
    CUstream_st* stream() const { return buffer_.stream(); }

    operator view<T>() & { return whole(); }
    operator view<const T>() const { return whole(); }

    /// A copy of the elements, behind what is queued on the array's stream; waits for it.
    std::vector<T> to_host() const;

    /// As view::slice.
    view<T> slice(int axis, std::int64_t begin, std::int64_t end, std::int64_t step = 1) {
        return whole().slice(axis, begin, end, step);
    }
    view<const T> slice(int axis, std::int64_t begin, std::int64_t end, std::int64_t step = 1) const {
        return whole().slice(axis, begin, end, step);
    }

    /// The same elements in another shape of the same size, else shape_error: a window on a named array, and a
    /// temporary one goes on owning them.
    view<T> reshape(const foldwise::shape& extents) & { return whole().reshape(extents); }
    view<const T> reshape(const foldwise::shape& extents) const& { return whole().reshape(extents); }
    array reshape(const foldwise::shape& extents) && {
        shape_ = whole().reshape(extents).shape();
        return std::move(*this);
    }

    /// As view::transpose, view::permute and view::broadcast_to.
    view<T> transpose() { return whole().transpose(); }
    view<const T> transpose() const { return whole().transpose(); }
    template <std::convertible_to<int>... Axes> view<T> permute(Axes... axes) { return whole().permute(axes...); }
    template <std::convertible_to<int>... Axes> view<const T> permute(Axes... axes) const {
        return whole().permute(axes...);
    }
    view<const T> broadcast_to(const foldwise::shape& extents) const { return whole().broadcast_to(extents); }

  private:
    view<T> whole() { return {data(), shape_, place()}; }
    view<const T> whole() const { return {data(), shape_, place()}; }

    detail::buffer buffer_;
    foldwise::shape shape_;
};

/// A copy of the window's elements, in row-major order; waits for what is queued on `stream`.
template <class T>
std::vector<std::remove_const_t<T>> to_host(const view<T>& window, CUstream_st* stream = nullptr) try {
    using value = std::remove_const_t<T>;
    const auto count = static_cast<std::size_t>(window.size());
    if constexpr (std::is_same_v<value, bool>) {  // std::vector<bool> is no memory to copy to
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
} catch (const std::length_error&) {  // more than a vector can have
    detail::refuse_elements(window.size(), sizeof(T));
}

template <class T> std::vector<T> to_host(const array<T>& source) { return source.to_host(); }

template <class T> std::vector<T> array<T>::to_host() const { return foldwise::to_host(whole(), stream()); }

/// A copy of a window, from wherever it is, another GPU too, to where `executor` runs; behind what is queued on the
/// executor's stream, and complete on return. A window on a GPU must be ready by then.
template <class T>
array<std::remove_const_t<T>> to_device(const view<T>& window, const foldwise::executor& executor = {}) {
    array<std::remove_const_t<T>> copy(window.shape(), executor);
    detail::copy_elements(copy.data(), copy.place(), window.data(), window.place(), window.layout(), sizeof(T),
                          copy.stream());
    return copy;
}

/// A copy of an array, behind what is queued on its stream and on the executor's; complete on return.
template <class T> array<T> to_device(const array<T>& source, const foldwise::executor& executor = {}) {
    detail::wait_for(source.place(), source.stream());
    return to_device(view<const T>(source), executor);
}

/// A copy of what is on the host: a vector, span, std::array, C array, mdspan and what else an operand is made of.
template <detail::host_elements R>
array<detail::range_value<R>> to_device(const R& source, const foldwise::executor& executor = {}) {
    return to_device(view<const detail::range_value<R>>(detail::first_of(source), detail::layout_of(source), {}),
                     executor);
}

/// The same to the GPU of this number.
template <class R> auto to_device(const R& source, int gpu) -> decltype(to_device(source, cuda(gpu))) {
    return to_device(source, cuda(gpu));
}

}  // namespace foldwise
