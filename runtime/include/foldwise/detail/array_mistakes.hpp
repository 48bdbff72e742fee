// foldwise/detail/array_mistakes.hpp: what programs write that arrays do not have, with what to write instead.
#pragma once

#include <foldwise/array.hpp>
#include <foldwise/detail/no_result.hpp>
#include <foldwise/detail/ranges.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/shape.hpp>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

namespace foldwise {

namespace detail {

template <class... T> inline constexpr bool impossible = false;

template <class V>
concept number = std::is_arithmetic_v<V>;

/// An array, or a range whose elements can be copied to one.
template <class R>
concept shaped = host_elements<R> || requires(const R& range) {
    range.shape();
};

template <class A, class B>
concept with_array = windowed<A> || windowed<B>;

/// What every argument converts to, so that any function of the same name is preferred, also one of a program that uses
/// this namespace.
struct whatever {
    template <class... A> whatever(A&&...) {}
    template <class A> whatever(std::initializer_list<A>) {}
};

/// What numbers in braces convert to that have several types, of which no std::initializer_list is deduced.
struct numbers_of_several_types {
    template <number A, number B, number... More> numbers_of_several_types(A, B, More...) {}
};

template <class T> using list_of_rows = std::initializer_list<std::initializer_list<T>>;

}  // namespace detail

// What to_device() does not take: lists in braces of several types, and of rows.
template <class... Where>
no_result to_device(detail::numbers_of_several_types, const Where&...) = delete;  // to_device({1.0, 2.5}): one type
template <class T, class... Where>
no_result to_device(detail::list_of_rows<T>, const Where&...) = delete;  // to_device({1, 2, 3, 4}).reshape({2, 2})

// What full() and zeros() do not take. Those with `Given` are for calls with and without template arguments, those with
// a number as template parameter for calls without.
template <class... Given> no_result full(detail::extent_like auto) {
    static_assert(detail::impossible<Given...>, "write full(count, value)");
    return {};
}
template <class... Given> no_result full(const shape&) {
    static_assert(detail::impossible<Given...>, "write full({rows, columns}, value)");
    return {};
}
template <class... Given> no_result full(const detail::shaped auto&, const auto&) {
    static_assert(detail::impossible<Given...>, "write full(x.shape(), value), or full(x.size(), value)");
    return {};
}
template <int None = 0> no_result full(std::floating_point auto, detail::extent_like auto) {
    static_assert(None < 0, "write full(count, value): how many elements come first");
    return {};
}
template <class... Given> no_result full(detail::extent_like auto, detail::extent_like auto, detail::number auto) {
    static_assert(detail::impossible<Given...>, "write full({rows, columns}, value), with the shape in braces");
    return {};
}
template <class... Given> no_result full(detail::extent_like auto, const auto&, const detail::no_executor auto&) {
    static_assert(detail::impossible<Given...>,
                  "write full(count, value, executor), with an executor such as cuda(stream) or cpu()");
    return {};
}
template <class... Given> no_result full(const shape&, const auto&, const detail::no_executor auto&) {
    static_assert(detail::impossible<Given...>,
                  "write full({rows, columns}, value, executor), with an executor such as cuda(stream) or cpu()");
    return {};
}
template <int None = 0, class... Where> no_result zeros(const shape&, const Where&...) {
    static_assert(None < 0, "write zeros<float>({rows, columns}), with the type of an element");
    return {};
}
template <int None = 0, class... Where> no_result zeros(detail::extent_like auto, const Where&...) {
    static_assert(None < 0, "write zeros<float>(count) or zeros<float>({rows, columns}), with the type of an element");
    return {};
}
template <int None = 0, class... Where> no_result zeros(const detail::shaped auto&, const Where&...) {
    static_assert(None < 0, "write zeros<float>(x.shape()) or zeros<float>(x.size()), with the type of an element");
    return {};
}
template <class T, class... Where> no_result zeros(const detail::shaped auto&, const Where&...) {
    static_assert(detail::impossible<T>, "write zeros<T>(x.shape()) or zeros<T>(x.size())");
    return {};
}
template <class T> no_result zeros(detail::extent_like auto, detail::extent_like auto, const auto&...) {
    static_assert(detail::impossible<T>, "write zeros<T>({rows, columns}), with the shape in braces");
    return {};
}
template <class T> no_result zeros(detail::extent_like auto, const detail::no_executor auto&) {
    static_assert(detail::impossible<T>,
                  "write zeros<T>(count, executor), with an executor such as cuda(stream) or cpu()");
    return {};
}
template <class T> no_result zeros(const shape&, const detail::no_executor auto&) {
    static_assert(detail::impossible<T>,
                  "write zeros<T>({rows, columns}, executor), with an executor such as cuda(stream) or cpu()");
    return {};
}

// What arrays of other libraries do element by element. A kernel computes a whole formula in one pass.
template <class A, class B>
requires detail::with_array<A, B> no_result operator+(const A&, const B&) = delete;  // a kernel of foldwise::vectorize
template <class A, class B>
requires detail::with_array<A, B> no_result operator-(const A&, const B&) = delete;  // a kernel of foldwise::vectorize
template <class A, class B>
requires detail::with_array<A, B> no_result operator*(const A&, const B&) = delete;  // a kernel of foldwise::vectorize
template <class A, class B>
requires detail::with_array<A, B> no_result operator/(const A&, const B&) = delete;  // a kernel of foldwise::vectorize
template <class A>
requires detail::with_array<A, A> no_result operator-(const A&) = delete;  // a kernel of foldwise::vectorize
template <class A, class B>
requires detail::with_array<A, B> no_result operator+=(A&&, const B&) = delete;  // a kernel, called as f(a, b, a)
template <class A, class B>
requires detail::with_array<A, B> no_result operator-=(A&&, const B&) = delete;  // a kernel, called as f(a, b, a)
template <class A, class B>
requires detail::with_array<A, B> no_result operator*=(A&&, const B&) = delete;  // a kernel, called as f(a, b, a)
template <class A, class B>
requires detail::with_array<A, B> no_result operator/=(A&&, const B&) = delete;  // a kernel, called as f(a, b, a)
template <class A, class B>
requires detail::with_array<A, B>
bool operator==(const A&, const B&) = delete;  // a kernel, or to_host() of both
template <class A, class B>
requires detail::with_array<A, B>
bool operator<=>(const A&, const B&) = delete;  // a kernel of foldwise::vectorize

// NumPy's and Numba's names that neither the standard library nor Thrust has. Others, such as transform, fill and sort,
// would be ambiguous in programs that use two of the namespaces, or beside a class of that name.
template <int None = 0>
no_result zeros_like(detail::whatever, detail::whatever = {}, detail::whatever = {}, detail::whatever = {}) {
    static_assert(None < 0, "write zeros<T>(x.shape())");
    return {};
}
template <class... Given>
no_result ones(detail::whatever, detail::whatever = {}, detail::whatever = {}, detail::whatever = {}) {
    static_assert(detail::impossible<Given...>, "write full({rows, columns}, 1.0f), or full(count, 1.0f)");
    return {};
}
template <int None = 0>
no_result ones_like(detail::whatever, detail::whatever = {}, detail::whatever = {}, detail::whatever = {}) {
    static_assert(None < 0, "write full(x.shape(), T{1})");
    return {};
}
template <int None = 0>
no_result full_like(detail::whatever, detail::whatever = {}, detail::whatever = {}, detail::whatever = {}) {
    static_assert(None < 0, "write full(x.shape(), value)");
    return {};
}
template <int None = 0>
no_result empty_like(detail::whatever, detail::whatever = {}, detail::whatever = {}, detail::whatever = {}) {
    static_assert(None < 0, "write array<T>(x.shape())");
    return {};
}
template <int None = 0>
no_result arange(detail::whatever, detail::whatever = {}, detail::whatever = {}, detail::whatever = {}) {
    static_assert(None < 0, "write a kernel of an index, vectorize([](index<1> i) { ... }), and call it with shape{n}");
    return {};
}
template <int None = 0>
no_result linspace(detail::whatever, detail::whatever = {}, detail::whatever = {}, detail::whatever = {}) {
    static_assert(None < 0, "write a kernel of an index, vectorize([](index<1> i, float a, float step) { ... }), and "
                            "call it with shape{n}");
    return {};
}
template <int None = 0>
no_result synchronize(detail::whatever = {}, detail::whatever = {}, detail::whatever = {}, detail::whatever = {}) {
    static_assert(None < 0, "write to_host(), which waits, or CUDA's cudaStreamSynchronize(stream); calls with arrays "
                            "on the host wait anyway");
    return {};
}

}  // namespace foldwise
