// foldwise/detail/ranges.hpp: concepts and accessors for everything that holds elements: Foldwise's own types and host
// containers.
#pragma once

#include <foldwise/detail/layout.hpp>
#include <foldwise/detail/limits.hpp>
#include <foldwise/detail/view_fwd.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>

namespace foldwise {

template <class T> class array;

namespace detail {

template <class R> inline constexpr bool is_view = false;
template <class T> inline constexpr bool is_view<view<T, dynamic_rank>> = true;
template <class R> inline constexpr bool is_array = false;
template <class T> inline constexpr bool is_array<array<T>> = true;

/// A view or an array, which know their shape and place.
template <class R>
concept windowed = is_view<std::remove_cvref_t<R>> || is_array<std::remove_cvref_t<R>>;

/// A C array of several axes.
template <class R>
concept table = std::is_array_v<R> && std::is_array_v<std::remove_extent_t<R>>;

/// Contiguous elements in host memory: anything with data() and size(), or a C array of one axis.
template <class R>
concept host_range = !windowed<R> && !table<R> && requires(R & range) {
    {*std::data(range)};
    { std::size(range) } -> std::integral;
    requires std::is_pointer_v<decltype(std::data(range))>;
};

/// Contiguous elements behind a pointer class, which may be in GPU memory: data() returns something whose get() is the
/// address, as thrust::device_vector's does, and there is size().
template <class R>
concept fancy_range = !windowed<R> && !table<R> && !host_range<R> && requires(R & range) {
    requires std::is_pointer_v<decltype(std::data(range).get())>;
    { std::size(range) } -> std::integral;
};

/// A pointer of a class's, such as thrust::device_ptr or std::unique_ptr: get() is the address, and there is no size.
template <class P>
concept pointer_class = std::is_class_v<P> && requires(const P& pointer) {
    requires std::is_pointer_v<decltype(pointer.get())>;
    *pointer.get();
};
template <class P> using pointee = std::remove_pointer_t<decltype(std::declval<const P&>().get())>;

/// A pointer, or a reference to one. C arrays are none.
template <class P>
concept raw_pointer = std::is_pointer_v<std::remove_cvref_t<P>>;

/// What a pointer, or a reference to one, points to.
template <raw_pointer P> using pointed = std::remove_pointer_t<std::remove_cvref_t<P>>;

/// A std::mdspan or cuda::std::mdspan with any strided layout and an accessor that refers to elements in memory. It is
/// recognised by its members, because this header includes neither.
template <class M>
concept mdspan_like = !windowed<M> && requires(const M& span) {
    typename M::layout_type;
    typename M::element_type;
    { M::rank() } -> std::integral;
    { span.extent(0) } -> std::integral;
    { span.is_strided() } -> std::same_as<bool>;
    requires std::is_pointer_v<std::remove_reference_t<decltype(span.data_handle())>>;
    requires std::same_as<typename M::reference, typename M::element_type&>;
};

/// Elements in host memory that an operand can refer to.
template <class R>
concept host_elements = host_range<R> || table<R> || mdspan_like<std::remove_cv_t<R>>;

/// Elements of a class's, in host or GPU memory, that know how many they are.
template <class R>
concept sized_class = !std::is_array_v<std::remove_reference_t<R>> && (host_elements<R> || fancy_range<R>);

/// Elements that know how many they are, behind a reference, on the host or a GPU; neither an mdspan nor one of
/// Foldwise's own.
template <class R>
concept sequence = host_range<std::remove_reference_t<R>> || table<std::remove_reference_t<R>> ||
    fancy_range<std::remove_reference_t<R>>;

/// An iterator of a class's, which does not tell its address.
template <class I>
concept class_iterator = std::is_class_v<I> && std::input_or_output_iterator<I> && !pointer_class<I>;

template <class R> struct element_of {};
template <class R>
requires(!fancy_range<R> && !table<R> && !mdspan_like<std::remove_cv_t<R>> &&
         requires(R & range) { std::data(range); }) struct element_of<R> {
    using type = std::remove_pointer_t<decltype(std::data(std::declval<R&>()))>;
};
template <fancy_range R> struct element_of<R> {
    using type = std::remove_pointer_t<decltype(std::data(std::declval<R&>()).get())>;
};
template <table R> struct element_of<R> { using type = std::remove_all_extents_t<R>; };
template <class R>
requires mdspan_like<std::remove_cv_t<R>>
struct element_of<R> {
    using type = typename R::element_type;
};

/// The element type that an operand made of R refers to, including const.
template <class R> using range_element = typename element_of<R>::type;
template <class R> using range_value = std::remove_cv_t<range_element<R>>;

/// A range whose elements may be written through this expression, because it outlives the expression or does not own
/// them.
template <class R>
concept refers = std::is_lvalue_reference_v<R> || is_view<std::remove_cvref_t<R>> ||
    mdspan_like<std::remove_cvref_t<R>> || std::ranges::enable_borrowed_range<std::remove_cvref_t<R>>;

/// What has elements in memory: an array, a view, a contiguous range in host or GPU memory.
template <class R>
concept contiguous = windowed<R> || host_elements<R> || fancy_range<R>;

/// A type other than T, also without const.
template <class U, class T>
concept other_than = !std::is_same_v<U, T> && !std::is_same_v<const U, T>;

/// The elements of a view that is made of an argument of type R&&: those of a temporary are only read, as nobody would
/// see what is written.
template <class R>
using viewed_element = std::conditional_t<refers<R>, range_element<std::remove_reference_t<R>>,
                                          const range_element<std::remove_reference_t<R>>>;

/// Returns the address of the element at index 0.
template <class R> auto* first_of(R& source) {
    if constexpr (table<R>)
        return reinterpret_cast<range_element<R>*>(&source);
    else if constexpr (mdspan_like<std::remove_cv_t<R>>)
        return static_cast<range_element<R>*>(source.data_handle());
    else if constexpr (fancy_range<R>)
        return std::data(source).get();
    else
        return std::data(source);
}

/// Throws shape_error unless the shape has `elements` elements.
void check_size(const shape& extents, std::size_t elements);

/// Throws shape_error for an mdspan whose layout is not strided.
[[noreturn]] void refuse_without_strides(const shape& extents);

/// Returns the extents and strides of an mdspan, in elements. Throws shape_error if its layout is not strided.
template <mdspan_like M> layout layout_of_mdspan(const M& span) {
    static_assert(M::rank() <= max_rank, "an operand has at most 8 axes");
    std::int64_t extents[max_rank], strides[max_rank];
    const auto rank = static_cast<std::size_t>(M::rank());
    for (std::size_t axis = 0; axis < rank; ++axis)
        extents[axis] = static_cast<std::int64_t>(span.extent(static_cast<typename M::rank_type>(axis)));
    const shape all(std::span<const std::int64_t>(extents, rank));
    if (!span.is_strided()) refuse_without_strides(all);
    if constexpr (M::rank() > 0) {
        for (std::size_t axis = 0; axis < rank; ++axis)
            strides[axis] = static_cast<std::int64_t>(span.stride(static_cast<typename M::rank_type>(axis)));
    }
    return strided(all, {strides, rank});
}

template <class R, std::size_t... Axis> shape shape_of_table(std::index_sequence<Axis...>) {
    return shape{std::extent_v<R, Axis>...};
}

/// Returns the shape of a range or C array and its strides, in elements.
template <class R>
requires host_elements<R> || fancy_range<R> layout layout_of(R& source) {
    if constexpr (table<R>)
        return row_major(shape_of_table<R>(std::make_index_sequence<std::rank_v<R>>()));
    else if constexpr (mdspan_like<std::remove_cv_t<R>>)
        return layout_of_mdspan(source);
    else
        return row_major(shape{std::size(source)});
}

}  // namespace detail
}  // namespace foldwise
