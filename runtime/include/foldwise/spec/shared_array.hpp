// foldwise/spec/shared_array.hpp: memory that the items of a block share.
#pragma once

#include <foldwise/detail/checks.hpp>
#include <foldwise/detail/host_device.hpp>
#include <foldwise/spec/in_brackets.hpp>
#include <foldwise/spec/index.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace foldwise {

namespace detail {

/// The extents of a shared array, which are part of its type, or one that is known at the call.
template <std::int64_t... E> struct shared_extents {
    static constexpr int rank = sizeof...(E);
    static constexpr std::int64_t count = (E * ...);

    FOLDWISE_HD static constexpr std::int64_t of(int axis) {
        constexpr std::int64_t all[] = {E...};
        return all[axis];
    }
};
template <> struct shared_extents<> {
    static constexpr int rank = 1;
    std::int64_t count;

    FOLDWISE_HD constexpr std::int64_t of(int) const { return count; }
};

}  // namespace detail

/// Elements that all items of a block share, in row-major order: `x[t]` with an index, `x(i, j)` with one coordinate
/// per axis, or `x[i]` if there is one axis. `shared_array<float, 32, 33>` has these extents; `shared_array<float>` has
/// one axis, whose extent is known at the call. The object refers to the elements, which nothing initialises.
template <class T, std::int64_t... E> class shared_array {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                  "what items share is copied as bytes and never destroyed");

  public:
    using element_type = T;
    static constexpr int rank = detail::shared_extents<E...>::rank;

    FOLDWISE_HD constexpr shared_array(T* data, detail::shared_extents<E...> extents)
        : data_(data), extents_(extents) {}

    FOLDWISE_HD constexpr std::int64_t extent(int axis) const { return extents_.of(axis); }
    FOLDWISE_HD constexpr std::int64_t size() const { return extents_.count; }

#ifndef FOLDWISE_LOOKS
    template <class... I>
    requires(sizeof...(I) == rank) FOLDWISE_HD constexpr T& operator()(I... coordinates) const {
        return (*this)[index<rank>(static_cast<std::int64_t>(coordinates)...)];
    }

    FOLDWISE_HD constexpr T& operator[](const index<rank>& at) const { return element(at); }
#else
    template <class... I>
    requires(sizeof...(I) == rank - 1) FOLDWISE_HD constexpr T& operator()(detail::located<std::int64_t> first,
                                                                           I... others) const {
        return (*this)[{index<rank>(first.value, static_cast<std::int64_t>(others)...), first.file, first.line}];
    }

    FOLDWISE_HD constexpr T& operator[](const detail::located<index<rank>>& at) const {
        for (int axis = 0; axis < rank; ++axis)
            if (at.value[axis] < 0 || at.value[axis] >= extent(axis))
                detail::stop(detail::finding::of_index(at.file, at.line, at.value[axis], extent(axis), axis));
        return element(at.value);
    }
#endif

    // Reports a wrong number of coordinates in plain words, at the access.
    template <class... I>
    requires(sizeof...(I) != rank) __attribute__((
        unavailable("the rank is wrong: a shared array takes one coordinate for each of its extents"))) T&
    operator()(I...) const;

    // `x[i][j]`, and `x[i, j]`, which is x[j] before C++23, whatever i is.
    __attribute__((unavailable("write x(i, j), with all coordinates in parentheses, or x[t] with an index")))
    detail::in_brackets<T, rank - 1>
    operator[](std::int64_t) const requires(rank > 1);

#ifdef FOLDWISE_GENERATOR
    // Reports `float* s = b.shared<float, 128>()`.
    template <class P>
    requires std::is_pointer_v<P>
    __attribute__((
        unavailable("a shared array is no pointer: write auto s = b.shared<float, 128>(), whose elements are "
                    "s[i]")))
    operator P() const;
#endif

  private:
    /// Shared memory is small: 32 bits hold every offset.
    FOLDWISE_HD constexpr T& element(const index<rank>& at) const {
        std::int32_t offset = 0;
        for (int axis = 0; axis < rank; ++axis)
            offset =
                (axis > 0 ? offset * static_cast<std::int32_t>(extent(axis)) : 0) + static_cast<std::int32_t>(at[axis]);
        return data_[offset];
    }

    T* data_;
    [[no_unique_address]] detail::shared_extents<E...> extents_;
};

}  // namespace foldwise
