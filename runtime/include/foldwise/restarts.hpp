// foldwise/restarts.hpp: keys and offsets: where a scan begins anew, and which elements a reduction folds together.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/operand.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace foldwise {

namespace detail {

/// A value that is equal to another exactly if their bytes are.
template <class T>
concept key_like = (std::integral<T> || std::is_enum_v<T>)&&sizeof(T) <= sizeof(std::uint64_t);

/// An integer that can be a place in an array.
template <class T>
concept offset_like = std::integral<T> &&(sizeof(T) == 4 || sizeof(T) == 8);

/// An array that says where a call begins anew, beside its operands.
struct restarts {
    operand_ref elements;
    std::uint8_t size = 0;     ///< Bytes per element.
    bool is_signed = false;    ///< Whether offsets can be negative.
    bool are_offsets = false;  ///< Whether elements are offsets; otherwise they are keys.
};

}  // namespace detail

/// Keys, made by by_key().
struct key_range : detail::restarts {};

/// Offsets of segments, made by segments().
struct offset_range : detail::restarts {};

/// `running(x, by_key(keys))` begins anew where neighbouring keys differ. There is a key for each element: integers,
/// bool or an enumeration, in memory that the backend can access or on the host. They are only read.
template <class Keys>
requires detail::key_like<detail::range_value<std::remove_reference_t<Keys>>> key_range by_key(const Keys& keys) {
    using key = detail::range_value<std::remove_reference_t<Keys>>;
    return {{operand<const key>(keys).ref(), sizeof(key), false, false}};
}

template <class Keys> key_range by_key(const Keys&) = delete;  // keys: a range of integers, bool or an enumeration

/// Segment i consists of the elements from offsets[i] up to, but not including, offsets[i + 1], as the rows of a sparse
/// matrix do. `running(x, segments(offsets))` begins anew at each offset; `sum(x, segments(offsets))` makes a result of
/// each segment, one fewer than there are offsets. Offsets are 32- or 64-bit integers that never fall and lie within
/// the array, in memory that the backend can access or on the host. They are only read.
template <class Offsets>
requires detail::offset_like<detail::range_value<std::remove_reference_t<Offsets>>>
    offset_range segments(const Offsets& offsets) {
    using offset = detail::range_value<std::remove_reference_t<Offsets>>;
    return {{operand<const offset>(offsets).ref(), sizeof(offset), std::is_signed_v<offset>, true}};
}
template <class Offsets> offset_range segments(const Offsets&) = delete;  // offsets: a range of 32- or 64-bit integers

}  // namespace foldwise

#endif  // C++20
