// foldwise/detail/same_bits.hpp: element types of CUDA's and Thrust's that have the bits and the layout of Foldwise's
// own or the standard library's. They are recognised without the headers that define them.
#pragma once

#include <foldwise/bfloat16.hpp>
#include <foldwise/half.hpp>

#include <concepts>
#include <string_view>
#include <type_traits>

// CUDA's, as its headers define them in the global namespace.
struct __half;
struct __nv_bfloat16;

namespace foldwise::detail {

template <class T> struct complex_of;

/// Whether a class is called std::complex, thrust::complex or cuda::std::complex, whatever inline namespaces these are
/// in. `with` is behind the equals sign in what compilers call this function.
template <class with> constexpr bool is_named_complex() {
    std::string_view name = __PRETTY_FUNCTION__;
    const auto assigned = name.rfind("with = ") != name.npos ? name.rfind("with = ") + 7 : name.rfind("with=") + 5;
    name.remove_prefix(assigned < name.size() ? assigned : name.size());
    return (name.starts_with("std::") || name.starts_with("thrust::") || name.starts_with("cuda::std::")) &&
           name.substr(0, name.find('<')).ends_with("::complex");
}

/// Two numbers, of which the first is real() and the second imag().
template <class Z>
concept named_complex = std::is_class_v<Z> && requires(const Z& z) {
    { z.real() } -> std::same_as<typename Z::value_type>;
    { z.imag() } -> std::same_as<typename Z::value_type>;
} && sizeof(Z) == 2 * sizeof(typename Z::value_type) && is_named_complex<Z>();

/// A type that stands for all element types of the same bits and layout as T.
template <class T> struct bits_of { using type = T; };
template <> struct bits_of<__half> { using type = half; };
template <> struct bits_of<__nv_bfloat16> { using type = bfloat16; };
template <named_complex Z> struct bits_of<Z> { using type = complex_of<typename Z::value_type>; };

/// Whether elements of one type may be read and written as those of the other.
template <class A, class B>
concept same_bits = std::same_as<A, B> || std::same_as < typename bits_of<A>::type,
typename bits_of<B>::type > ;

}  // namespace foldwise::detail
