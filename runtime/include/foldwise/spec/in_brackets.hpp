// foldwise/spec/in_brackets.hpp: what `x[i]` seems to be where x has several axes and brackets take an index<N>.
#pragma once

#include <type_traits>

namespace foldwise::detail {

template <class T, int N> struct row_in_brackets;

/// An element, or a row of the N axes that are left.
template <class T, int N> using in_brackets = typename std::conditional<N == 0, T, row_in_brackets<T, N>>::type&;

/// What an operator returns that is not available, so that compilers report the operator alone: it can be used as a
/// row, whose `x[i][j]` is an element, and as an element itself.
template <class T, int N> struct row_in_brackets {
    operator T&() const;
    template <class I> in_brackets<T, N - 1> operator[](const I&) const;
    template <class V> T& operator=(const V&) const;
    template <class V> T& operator+=(const V&) const;
    template <class V> T& operator-=(const V&) const;
    template <class V> T& operator*=(const V&) const;
    template <class V> T& operator/=(const V&) const;
};

/// An element of a class has its members.
template <class T, int N>
requires(std::is_class_v<T> && !std::is_final_v<T>) struct row_in_brackets<T, N> : std::remove_cv_t<T> {
    template <class I> in_brackets<T, N - 1> operator[](const I&) const;
    template <class V> T& operator=(const V&) const;
};

}  // namespace foldwise::detail
