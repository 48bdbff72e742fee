// foldwise/python/elements.hpp: the types of elements, as far as Python's array libraries have them.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/bfloat16.hpp>
#include <foldwise/half.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace foldwise {
class xoroshiro128p;
}

namespace foldwise::python {

struct record_type;

/// The type of an element, as far as Python's array libraries have it.
struct element_type {
    enum class kinds : std::uint8_t {
        other,
        boolean,
        integer,
        unsigned_integer,
        floating,
        brain_floating,
        complex,
        record
    };

    kinds kind = kinds::other;
    std::uint32_t size = 0;               ///< The size in bytes.
    const record_type* record = nullptr;  ///< The members of a record.

    friend bool operator==(const element_type&, const element_type&) = default;
};

/// A member of a record.
struct field {
    std::string path;                     ///< "x"; of a member of a member, "place.row".
    std::size_t offset;                   ///< The offset in the record, in bytes.
    element_type type;                    ///< The member's type; for an array, that of its elements.
    std::vector<std::int64_t> extents{};  ///< An array's extents; empty for other members.
};

/// A class as a record of its members. Without members that can be named it is a row of bytes.
struct record_type {
    std::size_t alignment;
    std::vector<field> fields;
};

/// The members of a class. Emitted files say those of the user's classes, where they can be named.
template <class T> const std::vector<field> fields_of();

/// The class T as a record; there is one such object for each class.
template <class T> inline const record_type record_of{alignof(T), fields_of<T>()};

/// The element type of T: of an enumeration, that of its integers; `other` for what has no counterpart in Python.
template <class T> constexpr element_type element_of() {
    using kinds = element_type::kinds;
    constexpr auto size = static_cast<std::uint32_t>(sizeof(T));
    if constexpr (std::is_same_v<T, bool>)
        return {kinds::boolean, size};
    else if constexpr (std::is_same_v<T, bfloat16>)
        return {kinds::brain_floating, size};
    else if constexpr (std::is_same_v<T, half> || std::is_same_v<T, float> || std::is_same_v<T, double>)
        return {kinds::floating, size};
    else if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>)
        return {kinds::complex, size};
    else if constexpr (std::is_integral_v<T>)
        return {std::is_signed_v<T> ? kinds::integer : kinds::unsigned_integer, size};
    else if constexpr (std::is_enum_v<T>)
        return element_of<std::underlying_type_t<T>>();
    else if constexpr (std::is_class_v<T>)
        return {kinds::record, size, &record_of<T>};
    else
        return {};
}

/// Describes a member of type M.
template <class M> field make_field(std::string path, std::size_t offset) {
    if constexpr (std::is_array_v<M>) {
        field one = make_field<std::remove_extent_t<M>>(std::move(path), offset);
        one.extents.insert(one.extents.begin(), static_cast<std::int64_t>(std::extent_v<M>));
        return one;
    } else {
        return {std::move(path), offset, element_of<std::remove_cv_t<M>>()};
    }
}

namespace elements {

/// What the standard library's classes hold.
template <class T> struct members {
    static std::vector<field> all() { return {}; }
};
template <class T, std::size_t N> struct members<std::array<T, N>> {
    static std::vector<field> all() { return {make_field<T[N]>("values", 0)}; }
};

/// The members that the generator has in Numba, whose arrays of states are taken as they are.
template <> struct members<xoroshiro128p> {
    static std::vector<field> all() {
        return {make_field<std::uint64_t>("s0", 0), make_field<std::uint64_t>("s1", sizeof(std::uint64_t))};
    }
};

/// Where member I of a pair or tuple is.
template <class T, std::size_t I> std::size_t offset_of() {
    alignas(T) std::byte memory[sizeof(T)];
    const auto& whole = *reinterpret_cast<const T*>(memory);
    return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&std::get<I>(whole)) - memory);
}
template <class A, class B> struct members<std::pair<A, B>> {
    using pair = std::pair<A, B>;
    static std::vector<field> all() {
        return {make_field<A>("first", offset_of<pair, 0>()), make_field<B>("second", offset_of<pair, 1>())};
    }
};
template <class... T> struct members<std::tuple<T...>> {
    using tuple = std::tuple<T...>;
    static std::vector<field> all() {
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return std::vector<field>{make_field<T>("f" + std::to_string(I), offset_of<tuple, I>())...};
        }
        (std::make_index_sequence<sizeof...(T)>());
    }
};

}  // namespace elements

template <class T> const std::vector<field> fields_of() { return elements::members<T>::all(); }

}  // namespace foldwise::python

#endif
