// foldwise/array.hpp: an owning array in host or GPU memory, copies between the two, and all that an element may be.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/bfloat16.hpp>
#include <foldwise/detail/buffer.hpp>
#include <foldwise/detail/conversions.hpp>
#include <foldwise/detail/copy.hpp>
#include <foldwise/detail/lifetimebound.hpp>
#include <foldwise/detail/not_printed.hpp>
#include <foldwise/detail/ranges.hpp>
#include <foldwise/detail/stored.hpp>
#include <foldwise/half.hpp>
#include <foldwise/view.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace foldwise {

namespace detail {

struct elements_themselves {};

/// An argument that stands for an element of type T.
template <class V, class T>
concept element_value = std::same_as<V, T> ||(std::is_arithmetic_v<V>&& std::convertible_to<V, T>);

/// What no element of type T is made of.
template <class V, class T>
concept no_value = !std::convertible_to<V, T>;

/// What stands in the place of an executor and is none, such as a stream.
template <class V>
concept no_executor = !std::convertible_to<V, executor> && !std::is_arithmetic_v<V>;

}  // namespace detail

/// An array that owns its elements, which are contiguous in row-major order (the last axis varies fastest). It is
/// movable but not copyable; `to_device(a)` makes a copy. GPU memory is allocated and freed in stream order on the
/// executor's stream, by the executor's memory resource; the array keeps a handle to that resource.
template <class T> class [[nodiscard]] array {
    static_assert(detail::is_copied_as_bytes<T>, "an element is copied as bytes");
    static_assert(!std::is_const_v<T>, "an array owns elements to write to: a view<const T> is read only");

  public:
    using value_type = T;

    /// Creates an array without elements, of shape (0), to be assigned to later. It allocates nothing.
    array() = default;

    /// Allocates uninitialised elements where `executor` runs: by default on the GPU if the program was built with CUDA
    /// and a GPU is present, otherwise on the host. Throws out_of_memory if the allocation fails, and device_error if a
    /// GPU is requested and there is none.
    explicit array(const foldwise::shape& extents, const foldwise::executor& executor = {})
        : array(extents, detail::source_of(executor)) {}

    /// Allocates `count` uninitialised elements along one axis where `executor` runs. Throws out_of_memory if the
    /// allocation fails, and device_error if a GPU is requested and there is none.
    template <detail::extent_like I>
    explicit array(I count, const foldwise::executor& executor = {}) : array(foldwise::shape(count), executor) {}

    /// For the library: allocates uninitialised elements from an explicit memory source.
    array(const foldwise::shape& extents, const detail::memory_source& source)
        : buffer_(detail::bytes_of(extents, sizeof(T)), source), shape_(extents) {}

    /// Takes over the elements of another array, which is then empty. A template, as its deleted siblings for lvalues
    /// are, so that no list in braces becomes an array to be moved from: `array<T>({2, 3})` has a shape.
    template <std::same_as<array> A>
    array(A&& other) noexcept
        : buffer_(std::move(other.buffer_)), shape_(std::exchange(other.shape_, foldwise::shape{0})) {}

    // What arrays are not made of, with what to write.
    array(array&) = delete;                                              // to_device(a) or a.to(executor)
    template <std::same_as<array> A> array(const A&) = delete;           // to_device(a) or a.to(executor)
    template <detail::other_than<T> U> array(const array<U>&) = delete;  // auto: results have the kernel's type
    template <detail::host_elements R> array(const R&) = delete;         // to_device(range)
    template <detail::fancy_range R> array(const R&) = delete;           // to_device(range)
    template <std::input_iterator I> array(I, I) = delete;               // to_device(range)
    template <std::floating_point V> array(V) = delete;                  // to_device({1.0f}), or array<T>(count)
    template <detail::element_value<T> A, detail::element_value<T> B, class... More>
    array(A, B, More...) = delete;  // to_device({1.0f, 2.0f}), array<T>({rows, columns}), or full(count, value)
    template <detail::extent_like I, detail::no_executor E> array(I, const E&) = delete;  // array<T>(3, cuda(stream))
    template <detail::no_executor E>
    array(const foldwise::shape&, const E&) = delete;                        // array<T>({2, 3}, cuda(stream))
    template <class E> array(E*, const foldwise::shape&) = delete;           // to_device(host(pointer, shape))
    template <class E, detail::extent_like I> array(E*, I) = delete;         // to_device(host(pointer, count))
    template <detail::host_elements R> array& operator=(const R&) = delete;  // to_device(range), or copy(range, array)

    array& operator=(array&& other) noexcept {
        std::swap(buffer_, other.buffer_);
        std::swap(shape_, other.shape_);
        return *this;
    }

    /// Returns the address of the first element: a device address if place() is a GPU, and null if the array is empty.
    T* data() { return static_cast<T*>(buffer_.data()); }
    const T* data() const { return static_cast<const T*>(buffer_.data()); }
    const foldwise::shape& shape() const { return shape_; }
    /// Returns the extent of `axis`, which must be in [0, shape().rank()) and is not checked; as a kernel's view does.
    std::int64_t extent(int axis) const { return shape_[axis]; }
    std::int64_t size() const { return static_cast<std::int64_t>(buffer_.bytes() / sizeof(T)); }
    foldwise::place place() const { return buffer_.place(); }
    /// Returns the stream on which GPU memory was allocated and will be freed. It is unused for host memory.
    CUstream_st* stream() const { return buffer_.stream(); }
    /// Moves the array to another stream of its GPU, which from now on orders its copies and its release; the stream
    /// that it was on may then be destroyed. Work that is queued on `stream` after this call follows what is queued on
    /// the array's stream so far. Does nothing for host memory. Throws device_error.
    void follow(CUstream_st* stream) {
        detail::order_after(place(), stream, buffer_.stream());
        buffer_.follow(stream);
    }

    /// Returns a pointer to the elements of an array in host memory, in row-major order. Throws device_error if they
    /// are in GPU memory, which the host cannot access; to_host() and to() copy them.
    T* begin() { return host_data(); }
    T* end() { return host_data() + size(); }
    const T* begin() const { return host_data(); }
    const T* end() const { return host_data() + size(); }
    /// Returns the element at this position in row-major order, from 0 to size() - 1. Throws shape_error for another
    /// position, and device_error if the elements are in GPU memory. begin() and data() are not checked.
    T& operator[](std::int64_t position) { return host_data()[checked(position)]; }
    const T& operator[](std::int64_t position) const { return host_data()[checked(position)]; }
    /// Returns the element at these coordinates, one per axis. Throws shape_error if they are not one per axis or one
    /// of them is outside its axis, and device_error if the elements are in GPU memory.
    template <std::convertible_to<std::int64_t>... I>
    requires(sizeof...(I) >= 1) T& operator()(I... coordinates) { return host_data()[position({coordinates...})]; }
    template <std::convertible_to<std::int64_t>... I>
    requires(sizeof...(I) >= 1) const T& operator()(I... coordinates) const {
        return host_data()[position({coordinates...})];
    }
#ifdef __cpp_multidimensional_subscript
    // Not deleted or unavailable: GCC 12 would take the comma for an operator, or the function all the same.
    template <class... I>
    requires(sizeof...(I) > 1) T& operator[](I...) const {
        static_assert(sizeof...(I) == 0, "write x(i, j), with the coordinates in parentheses");
        return host_data()[0];
    }
#endif
    // One way for all arrays, wherever their elements are.
    T& front() const = delete;    // to_host(x.slice(0, 0, 1))[0], or x[0] of an array on the host
    T& back() const = delete;     // to_host(x.slice(0, n - 1, n))[0], or x[n - 1] of an array on the host
    bool empty() const = delete;  // size() == 0

    /// Sets all elements to `value`. On a GPU, asynchronous on the array's stream. Throws value_error for a number that
    /// elements cannot hold, or device_error.
    template <std::convertible_to<T> V = T> void fill(const V& value) {
        const T element = detail::kept<T>(value, "the value that an array is filled with");
        detail::fill_elements(data(), place(), &element, sizeof(T), size(), stream());
    }
    template <detail::no_value<T> V> void fill(const V&) = delete;  // fill(value), with one value for all elements

    /// Copies the elements to a new array of the same shape where `executor` runs, such as `x.to(foldwise::cpu())` or
    /// `x.to(foldwise::cuda(1))`. The copy follows the work queued on both arrays' streams; it is complete on return.
    /// Throws out_of_memory, and device_error if there is no such GPU.
    array to(const foldwise::executor& executor) const;

    operator view<T>() & { return whole(); }
    operator view<const T>() const FOLDWISE_LIFETIMEBOUND { return whole(); }
    operator view<T>() && = delete;  // a view does not keep elements alive: hold the array in a variable

    /// Copies the elements to the host in row-major order. The copy follows the work queued on the array's stream, and
    /// the call waits for it. Throws out_of_memory or device_error.
    [[nodiscard]] std::vector<T> to_host() const;
    template <class E, class A> operator std::vector<E, A>() const = delete;  // to_host()
    template <detail::fancy_range R>
    operator R() const = delete;  // copy(a, range), or pass it to the call as its output

    /// Returns a view of every `step`-th index from `begin` up to `end` along `axis`, as view::slice does.
    view<T> slice(int axis, std::int64_t begin, std::int64_t end, std::int64_t step = 1) FOLDWISE_LIFETIMEBOUND {
        return whole().slice(axis, begin, end, step);
    }
    view<const T> slice(int axis, std::int64_t begin, std::int64_t end,
                        std::int64_t step = 1) const FOLDWISE_LIFETIMEBOUND {
        return whole().slice(axis, begin, end, step);
    }
    view<T> slice(int, std::int64_t = 0) const = delete;  // slice(axis, begin, end)

    /// Returns the same elements with another shape of the same size, or throws shape_error. One extent may be -1: it
    /// is what the others leave. For an lvalue the result is a view; for a temporary it is an array that takes over the
    /// memory.
    view<T> reshape(const new_shape& extents) & { return whole().reshape(extents); }
    view<const T> reshape(const new_shape& extents) const& { return whole().reshape(extents); }
    array reshape(const new_shape& extents) && {
        shape_ = whole().reshape(extents).shape();
        return std::move(*this);
    }
    template <detail::extent_like... I> void reshape(I...) const = delete;  // reshape({rows, columns})

    /// Returns a view with the axes in reverse order, as view::transpose does.
    view<T> transpose() FOLDWISE_LIFETIMEBOUND { return whole().transpose(); }
    view<const T> transpose() const FOLDWISE_LIFETIMEBOUND { return whole().transpose(); }
    /// Returns a view with the axes in the given order, as view::permute does.
    template <std::convertible_to<int>... Axes> view<T> permute(Axes... axes) FOLDWISE_LIFETIMEBOUND {
        return whole().permute(axes...);
    }
    template <std::convertible_to<int>... Axes> view<const T> permute(Axes... axes) const FOLDWISE_LIFETIMEBOUND {
        return whole().permute(axes...);
    }
    /// Returns a read-only view stretched to a larger shape, as view::broadcast_to does.
    view<const T> broadcast_to(const foldwise::shape& extents) const FOLDWISE_LIFETIMEBOUND {
        return whole().broadcast_to(extents);
    }

    friend std::ostream& operator<<(std::ostream&, const array&) FOLDWISE_NOT_PRINTED("each element of to_host()");

  private:
    T* host_data() const {
        if (place().kind != memory::host) detail::refuse_host_access(place());
        return static_cast<T*>(buffer_.data());
    }
    std::int64_t checked(std::int64_t position) const {
        if (position < 0 || position >= size()) detail::refuse_position(position, size());
        return position;
    }
    std::int64_t position(std::initializer_list<std::int64_t> coordinates) const {
        if (static_cast<int>(coordinates.size()) != shape_.rank())
            detail::refuse_coordinates({coordinates.begin(), coordinates.size()}, shape_);
        std::int64_t sum = 0;
        int axis = 0;
        for (const std::int64_t coordinate : coordinates) {
            const std::int64_t extent = shape_[axis++];
            if (coordinate < 0 || coordinate >= extent)
                detail::refuse_coordinates({coordinates.begin(), coordinates.size()}, shape_);
            sum = sum * extent + coordinate;
        }
        return sum;
    }
    view<T> whole() { return {data(), shape_, place()}; }
    view<const T> whole() const { return {data(), shape_, place()}; }

    detail::buffer buffer_;
    foldwise::shape shape_ = foldwise::shape{0};
};

/// What `array{1, 2, 3}` and `array(3)` would be: arrays are not made of elements, nor without their type, and this
/// says what to write instead.
template <> class array<detail::elements_themselves> {
  public:
    template <class... V> array(V...) = delete;  // to_device(std::vector{1, 2, 3}), or array<T>(shape{1, 2, 3})
    template <detail::host_elements R> array(const R&) = delete;       // to_device(range)
    template <class... Where> array(const shape&, Where...) = delete;  // array<float>({2, 3})
    template <detail::extent_like I> array(I) = delete;                // array<float>(3)
};
template <class A, class B, class... More>
requires std::is_arithmetic_v<std::common_type_t<A, B, More...>> array(A, B, More...)
->array<detail::elements_themselves>;
template <detail::host_elements R> array(const R&) -> array<detail::elements_themselves>;
template <class... Where> array(const shape&, Where...) -> array<detail::elements_themselves>;
template <detail::extent_like I> array(I) -> array<detail::elements_themselves>;
array()->array<detail::elements_themselves>;

namespace detail {
/// Returns elements that have yet to be written. Their type need not have a default constructor.
template <class T> std::vector<T> elements_to_write(std::size_t count) {
    if constexpr (std::is_default_constructible_v<T>)
        return std::vector<T>(count);
    else
        return std::vector<T>(count, std::bit_cast<T>(std::array<std::byte, sizeof(T)>()));
}
}  // namespace detail

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
        std::vector<value> elements = detail::elements_to_write<value>(count);
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

namespace detail {
/// The type of the elements of an array that is filled with a V, where T is void or the type that is asked for.
template <class T, class V> using filled = std::conditional_t<std::is_void_v<T>, V, T>;
}  // namespace detail

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

/// Copies a container in GPU memory, such as a thrust::device_vector, to where `executor` runs. The copy follows the
/// work queued on the executor's stream and is complete on return; the elements must already have been written when
/// this is called. Throws out_of_memory or device_error.
template <detail::fancy_range R>
array<detail::range_value<const R>> to_device(const R& source, const executor& executor = {}) {
    return to_device(device(source), executor);
}

template <std::input_iterator I> array<std::iter_value_t<I>> to_device(I, I) = delete;  // to_device(range)
template <class R> int to_device(const R&, CUstream_st*) = delete;  // to_device(range, cuda(stream))
template <class P, detail::extent_like... I>
array<std::remove_const_t<detail::pointed<P>>> to_device(P&&, I...) = delete;  // to_device(host(pointer, count))

/// Copies a list of values, as in to_device({1.0f, 2.0f}), to where `executor` runs, as from a std::vector.
template <class T> array<T> to_device(std::initializer_list<T> values, const foldwise::executor& executor = {}) {
    return to_device(view<const T>(values.begin(), detail::row_major(foldwise::shape(values.size())), {}), executor);
}

/// Copies a view, an array or elements in host memory to the GPU that CUDA numbers `gpu`; complete on return. Throws
/// out_of_memory, or device_error if there is no such GPU.
template <class R> auto to_device(const R& source, int gpu) -> decltype(to_device(source, cuda(gpu))) {
    return to_device(source, cuda(gpu));
}

template <class T> array<T> array<T>::to(const foldwise::executor& executor) const {
    return to_device(*this, executor);
}

/// Returns a new array with all elements equal to `value`, where `executor` runs; on a GPU, asynchronous on the
/// executor's stream. The elements have the type of the value, or that of `full<T>`. Throws value_error for a number
/// that a T cannot hold, out_of_memory or device_error.
template <class T = void, class V = T>
array<detail::filled<T, V>> full(const shape& extents, const V& value, const executor& executor = {}) {
    array<detail::filled<T, V>> result(extents, executor);
    result.fill(value);
    return result;
}

/// Returns a new array of `count` elements along one axis, all equal to `value`; otherwise like full() with a shape.
template <class T = void, detail::extent_like I, class V = T>
array<detail::filled<T, V>> full(I count, const V& value, const executor& executor = {}) {
    return full<T, V>(shape(count), value, executor);
}

/// Returns a new array with all elements equal to T{}, which is 0 for numbers, where `executor` runs; on a GPU,
/// asynchronous on the executor's stream. Throws out_of_memory or device_error.
template <class T> array<T> zeros(const shape& extents, const executor& executor = {}) {
    return full<T>(extents, T{}, executor);
}
/// Returns a new array of `count` elements along one axis, all equal to T{}; otherwise like zeros() with a shape.
template <class T, detail::extent_like I> array<T> zeros(I count, const executor& executor = {}) {
    return zeros<T>(shape(count), executor);
}

}  // namespace foldwise

#include <foldwise/detail/array_mistakes.hpp>

#endif  // C++20
