// foldwise/detail/ranges.hpp: what counts as a range of elements on the host, and what as one of Foldwise's own types.
#pragma once

#include <foldwise/detail/view_fwd.hpp>

#include <concepts>
#include <iterator>
#include <span>
#include <type_traits>

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

/// Contiguous elements in host memory: data() and size(), or a C array of one axis.
template <class R>
concept host_range = !windowed<R> && requires(R & range) {
    {*std::data(range)};
    { std::size(range) } -> std::integral;
    requires std::is_pointer_v<decltype(std::data(range))>;
    requires !std::is_array_v<std::remove_pointer_t<decltype(std::data(range))>>;
};

/// What data() points to, with its const.
template <class R> using range_element = std::remove_pointer_t<decltype(std::data(std::declval<R&>()))>;
template <class R> using range_value = std::remove_cv_t<range_element<R>>;

/// One whose elements may be written through this expression: it does not vanish with the expression, or only refers.
template <class R>
concept refers = std::is_lvalue_reference_v<R> || is_view<std::remove_cvref_t<R>> ||
    std::ranges::enable_borrowed_range<std::remove_cvref_t<R>>;

}  // namespace detail
}  // namespace foldwise
