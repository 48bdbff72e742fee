// foldwise/view.hpp: a non-owning, strided view of host or GPU memory.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/detail/layout.hpp>
#include <foldwise/detail/lifetimebound.hpp>
#include <foldwise/detail/no_result.hpp>
#include <foldwise/detail/not_printed.hpp>
#include <foldwise/detail/ranges.hpp>
#include <foldwise/detail/view_fwd.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/shape.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <type_traits>

namespace foldwise {

/// `view<T>`: a strided view of rank 0 to 8 over elements that it does not own and that must outlive it. Copying it
/// copies the view, not the elements. `view<const T>` is read-only, and a `view<T>` converts to it.
template <class T> class [[nodiscard]] view<T, dynamic_rank> {
  public:
    using element_type = T;
    using value_type = std::remove_cv_t<T>;

    /// Views no elements, along one axis.
    view() : view(nullptr, foldwise::shape{0}) {}
    /// Views contiguous elements in row-major order: the last axis varies fastest. Throws shape_error if `data` is null
    /// and there are elements.
    view(T* data, const foldwise::shape& extents, foldwise::place place = {})
        : data_(detail::memory_of(data, extents)), layout_(detail::row_major(extents)), place_(place) {}
    /// Views `count` elements along one axis.
    template <detail::extent_like I>
    view(T* data, I count, foldwise::place place = {}) : view(data, foldwise::shape(count), place) {}
    template <detail::extent_like I, detail::extent_like J, detail::extent_like... More>
    view(T*, I, J, More...) = delete;                            // view(pointer, {rows, columns})
    template <detail::host_elements R> view(R&&) = delete;       // host(range), or host(range, {rows, columns})
    template <detail::fancy_range R> view(R&&) = delete;         // device(range), or device(range, {rows, columns})
    template <detail::raw_pointer P> view(P&&) = delete;         // view(pointer, count or {rows, columns})
    template <detail::pointer_class P> view(const P&) = delete;  // device(pointer, count or {rows, columns})
    template <detail::pointer_class P>
    view(const P&, const foldwise::shape&) = delete;  // device(pointer, {rows, columns})
    template <std::size_t N>
    view(T*, const foldwise::shape&, const std::int64_t (&)[N]) = delete;  // host or device(pointer, shape, strides)
    template <std::same_as<foldwise::strides> S>
    view(T*, const foldwise::shape&, const S&) = delete;  // host or device(pointer, shape, strides)
    /// Views strided elements. `strides` has one entry per axis, in elements, which may be zero or negative; `data` is
    /// the element at index 0 of every axis.
    view(T* data, const detail::layout& layout, foldwise::place place) : data_(data), layout_(layout), place_(place) {}
    /// A view<T> converts to view<const T>. A constructor, because nvcc warns of a conversion function to its own type.
    template <class U>
    requires std::is_same_v<const U, T> view(const view<U>& other)
        : data_(other.data()), layout_(other.layout()), place_(other.place()) {}
    template <detail::other_than<T> U> view(const view<U>&) = delete;  // auto, or view<const T> if it is only read

    /// Returns the address of the element at index 0 of every axis: a device address if place() is a GPU.
    T* data() const { return data_; }
    const foldwise::shape& shape() const { return layout_.shape; }
    /// Returns the extent of `axis`, which must be in [0, shape().rank()) and is not checked; as a kernel's view does.
    std::int64_t extent(int axis) const { return layout_.shape[axis]; }
    /// Returns the strides, in elements, one per axis.
    std::span<const std::int64_t> strides() const {
        return {layout_.strides.data(), static_cast<std::size_t>(layout_.shape.rank())};
    }
    const detail::layout& layout() const { return layout_; }
    std::int64_t size() const { return layout_.shape.size(); }
    foldwise::place place() const { return place_; }
    bool is_contiguous() const { return detail::is_contiguous(layout_.shape, layout_.strides); }

    // Elements may be anywhere, on a GPU too.
    T* begin() const = delete;                                         // to_host(view)
    T* end() const = delete;                                           // to_host(view)
    T& front() const = delete;                                         // to_host(view.slice(0, 0, 1))[0]
    T& back() const = delete;                                          // to_host(view.slice(0, n - 1, n))[0]
    bool empty() const = delete;                                       // size() == 0
    template <class I> no_result operator[](const I&) const = delete;  // to_host(view)[i], or slice(axis, begin, end)

    /// Returns a view of the indices begin, begin + step, ... before `end` along `axis`. With a negative step the
    /// indices decrease, and an `end` of -1 includes index 0. A negative axis counts from the last. Unlike in Python, a
    /// slice is not clamped and no index counts from the end: throws shape_error if the range is not within the axis or
    /// the step is zero.
    view slice(int axis, std::int64_t begin, std::int64_t end, std::int64_t step = 1) const {
        const detail::sublayout part = detail::slice(layout_, axis, begin, end, step);
        return {data_ + part.offset, part.layout, place_};
    }
    view slice(int, std::int64_t = 0) const = delete;  // slice(axis, begin, end)

    /// Returns the same elements, in row-major order, with another shape of the same size. One extent may be -1: it is
    /// what the others leave. Throws shape_error if the sizes differ or if the result would need a copy: every other
    /// column of a matrix can be split into more axes but not flattened into one.
    view reshape(const new_shape& extents) const {
        return {data_, detail::reshape(layout_, extents.of(layout_.shape)), place_};
    }
    template <detail::extent_like... I> void reshape(I...) const = delete;  // reshape({rows, columns})

    /// Returns a view with the axes in reverse order.
    view transpose() const { return {data_, detail::transpose(layout_), place_}; }

    /// Returns a view with the axes in the given order: with `permute(2, 0, 1)` the last of three axes comes first.
    /// Negative axes count from the last. Throws shape_error unless each axis is named exactly once.
    template <std::convertible_to<int>... Axes> view permute(Axes... axes) const {
        const std::array<int, sizeof...(Axes)> order{static_cast<int>(axes)...};
        return {data_, detail::permute(layout_, order), place_};
    }

    /// Returns a read-only view of shape `extents` that repeats elements without copying them: axes of one element are
    /// stretched and new axes are added in front, with strides of zero. Throws shape_error if the shapes are not
    /// compatible.
    view<const T> broadcast_to(const foldwise::shape& extents) const {
        return {data_, detail::broadcast(layout_, extents), place_};
    }

    friend std::ostream& operator<<(std::ostream&, const view&) FOLDWISE_NOT_PRINTED("each element of to_host(view)");

  private:
    T* data_;
    detail::layout layout_;
    foldwise::place place_;
};

namespace detail {

/// Returns the GPU that memory belongs to, including managed memory; the host for all other memory. Throws
/// device_error.
place place_of_memory(const void* data);

/// Returns a view of such a shape that has no memory, for calls that only ask about shapes.
template <class T> view<T> without_memory(const shape& extents, place where = {}) {
    return {nullptr, row_major(extents), where};
}

}  // namespace detail

/// Returns a contiguous view of the caller's host memory, in row-major order.
template <class P> view<detail::pointed<P>> host(P&& data, const shape& extents) { return {data, extents}; }
/// Returns a view of `count` elements of the caller's host memory, along one axis.
template <class T, detail::extent_like I> view<T> host(T* data, I count) { return host(data, shape(count)); }
template <class P> view<detail::pointed<P>> host(P&&) = delete;  // host(pointer, count or shape)
template <class T> view<T> host(T*, T*) = delete;                // host(pointer, count or shape)
template <detail::pointer_class P>
view<detail::pointee<P>> host(const P&, const shape&) = delete;  // host(pointer.get(), shape)
template <detail::pointer_class P, detail::extent_like I>
view<detail::pointee<P>> host(const P&, I) = delete;  // host(pointer.get(), count)
template <class T, detail::extent_like I, detail::extent_like J, detail::extent_like... More>
view<T> host(T*, I, J, More...) = delete;  // host(pointer, {rows, columns})
/// Returns a strided view of the caller's host memory. `data` is the element at index 0. There is one stride per axis,
/// in elements; strides may be negative, and zero for inputs. Throws shape_error if the number of strides is not the
/// rank.
template <class T> view<T> host(T* data, const shape& extents, const strides& steps) {
    return {detail::memory_of(data, extents), detail::strided(extents, steps), {}};
}

/// Returns a view of the elements of a std::mdspan or cuda::std::mdspan. Throws shape_error if its layout is not
/// strided.
template <detail::mdspan_like M> view<typename M::element_type> host(const M& span) {
    return {span.data_handle(), detail::layout_of_mdspan(span), {}};
}

/// Returns a view of all elements of a contiguous range in host memory, or of a C array, seen with another shape of the
/// same size. Throws shape_error for a shape of another size.
template <class R>
requires detail::host_range<std::remove_reference_t<R>> || detail::table<std::remove_reference_t<R>>
    view<detail::viewed_element<R>> host(R&& range FOLDWISE_LIFETIMEBOUND, const shape& extents) {
    detail::check_size(extents, static_cast<std::size_t>(detail::layout_of(range).shape.size()));
    return {detail::first_of(range), extents};
}
/// Returns a view of all elements of a contiguous range in host memory, along one axis, or of a C array, which has as
/// many axes as it has extents.
template <class R>
requires detail::host_range<std::remove_reference_t<R>> || detail::table<std::remove_reference_t<R>>
    view<detail::viewed_element<R>> host(R&& range FOLDWISE_LIFETIMEBOUND) {
    return {detail::first_of(range), detail::layout_of(range).shape};
}
template <detail::windowed W> auto host(W&&) = delete;                // to_host(x), which copies
template <detail::windowed W> auto host(W&&, const shape&) = delete;  // x.reshape({rows, columns})
template <detail::windowed W, detail::extent_like I, detail::extent_like... More>
auto host(W&&, I, More...) = delete;  // x.reshape({rows, columns})
template <detail::sequence R, detail::extent_like I, detail::extent_like... More>
auto host(R&&, I, More...) = delete;  // host(range, {count}), or host(range, {rows, columns})
template <detail::sequence R>
auto host(R&&, const shape&, const strides&) = delete;  // host(range.data(), {rows, columns}, {stride, 1})
template <detail::class_iterator I, class... Extents>
auto host(I, const Extents&...) = delete;                                 // host(range.data(), count or shape)
template <detail::class_iterator I> auto host(I, const shape&) = delete;  // host(range.data(), count or shape)

/// Returns a contiguous view of memory of the current GPU, in row-major order. If there is no GPU, or if
/// FOLDWISE_EXECUTOR names another executor, the memory is taken to be the host's, where to_device() copies to, too.
template <class P> view<detail::pointed<P>> device(P&& data, const shape& extents) {
    return {data, extents, place_of()};
}
/// Returns a view of `count` elements in memory of the current GPU, along one axis; without a GPU, or if
/// FOLDWISE_EXECUTOR names another executor, in memory of the host.
template <class T, detail::extent_like I> view<T> device(T* data, I count) { return device(data, shape(count)); }
/// Returns a contiguous view of the current GPU's memory to which a pointer of class type, with get(), points.
template <detail::pointer_class P> view<detail::pointee<P>> device(const P& data, const shape& extents) {
    return device(data.get(), extents);
}
template <detail::pointer_class P, detail::extent_like I> view<detail::pointee<P>> device(const P& data, I count) {
    return device(data.get(), shape(count));
}
template <class P> view<detail::pointed<P>> device(P&&) = delete;  // device(pointer, count or shape)
template <class T> view<T> device(T*, T*) = delete;                // device(pointer, count or shape)
template <detail::pointer_class P>
view<detail::pointee<P>> device(const P&) = delete;  // device(pointer, count or shape)
template <class T, detail::extent_like I, detail::extent_like J, detail::extent_like... More>
view<T> device(T*, I, J, More...) = delete;  // device(pointer, {rows, columns})
template <detail::pointer_class P, detail::extent_like I, detail::extent_like J, detail::extent_like... More>
view<detail::pointee<P>> device(const P&, I, J, More...) = delete;  // device(pointer, {rows, columns})
/// Returns a strided view of memory of the current GPU, or of the host where to_device() copies there. `data` is the
/// element at index 0. There is one stride per axis, in elements; strides may be negative, and zero for inputs. Throws
/// shape_error if the number of strides is not the rank.
template <class T> view<T> device(T* data, const shape& extents, const strides& steps) {
    return {detail::memory_of(data, extents), detail::strided(extents, steps), place_of()};
}
template <detail::pointer_class P>
view<detail::pointee<P>> device(const P& data, const shape& extents, const strides& steps) {
    return device(data.get(), extents, steps);
}
template <detail::windowed W> auto device(W&&) = delete;                // x itself, or x.slice(axis, begin, end)
template <detail::windowed W> auto device(W&&, const shape&) = delete;  // x.reshape({rows, columns})
template <detail::windowed W, detail::extent_like I, detail::extent_like... More>
auto device(W&&, I, More...) = delete;  // x.reshape({rows, columns})
template <detail::sequence R, detail::extent_like I, detail::extent_like... More>
auto device(R&&, I, More...) = delete;  // device(range, {count}), or device(range, {rows, columns})
template <detail::sequence R>
auto device(R&&, const shape&, const strides&) = delete;  // device(range.data(), {rows, columns}, {stride, 1})
template <detail::class_iterator I, class... Extents>
auto device(I, const Extents&...) = delete;                                 // device(range.data(), count or shape)
template <detail::class_iterator I> auto device(I, const shape&) = delete;  // device(range.data(), count or shape)

/// Returns a view of all elements of a contiguous range in GPU memory, such as a thrust::device_vector, an
/// rmm::device_uvector or a std::span, seen with another shape of the same size. The GPU is the one that the address
/// belongs to; managed memory counts as the GPU's, host memory as the host's. Throws shape_error for a shape of another
/// size.
template <class R>
requires detail::host_range<std::remove_reference_t<R>> || detail::fancy_range<std::remove_reference_t<R>>
    view<detail::viewed_element<R>> device(R&& range, const shape& extents) {
    detail::check_size(extents, std::size(range));
    auto* const data = detail::first_of(range);
    return {data, extents, detail::place_of_memory(data)};
}
/// Returns a view of all elements of a contiguous range in GPU memory, along one axis. The GPU is the one that the
/// address belongs to; managed memory counts as the GPU's, host memory as the host's.
template <class R>
requires detail::host_range<std::remove_reference_t<R>> || detail::fancy_range<std::remove_reference_t<R>>
    view<detail::viewed_element<R>> device(R&& range) {
    return device(range, shape(std::size(range)));
}

/// Returns a view of the elements of an mdspan over memory of the current GPU, or of the host where to_device() copies
/// there. Throws shape_error if its layout is not strided.
template <detail::mdspan_like M> view<typename M::element_type> device(const M& span) {
    return {span.data_handle(), detail::layout_of_mdspan(span), place_of()};
}

/// `foldwise::view(pointer, count or shape)` is a view of contiguous elements. A call finds out by the address whether
/// they are in GPU memory.
template <class T> view(T*, const shape&) -> view<T, dynamic_rank>;
template <class T, detail::extent_like... I> view(T*, I...) -> view<T, dynamic_rank>;
template <class T, std::size_t N> view(T*, const shape&, const std::int64_t (&)[N]) -> view<T, dynamic_rank>;
template <detail::sized_class R> view(R&&) -> view<detail::range_element<std::remove_reference_t<R>>, dynamic_rank>;
template <detail::pointer_class P, class... I> view(const P&, I...) -> view<detail::pointee<P>, dynamic_rank>;

/// Returns a view of rows that begin `pitch_bytes` after one another, as cudaMallocPitch and cudaMalloc3D allocate
/// them: the last axis is contiguous, the one before it has this pitch, and all others follow without gaps. The memory
/// is on the GPU that the address belongs to, or on the host. Throws shape_error if there are fewer than two axes, if
/// the rows overlap, or if the pitch is not a multiple of the element size, which no strides can express.
template <class T> view<T> pitched(T* data, const shape& extents, std::size_t pitch_bytes) {
    return {detail::memory_of(data, extents), detail::pitched_layout(extents, pitch_bytes, sizeof(T)),
            detail::place_of_memory(data)};
}

}  // namespace foldwise

#endif  // C++20
