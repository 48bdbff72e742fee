// foldwise/spec/index.hpp: the position of an element or a task.
#pragma once

#include <foldwise/detail/host_device.hpp>
#include <foldwise/detail/limits.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace foldwise {

/// A position in an N-dimensional space of elements or tasks, where axis 0 is the outermost. It supports structured
/// bindings (`auto [row, column] = at;`), and index<1> converts to std::int64_t.
template <int N> class index {
    static_assert(N >= 1 && N <= max_rank, "an index has 1 to 8 axes");

  public:
    constexpr index() = default;

    template <class... I>
    requires(sizeof...(I) == N && (std::is_convertible_v<I, std::int64_t> && ...)) FOLDWISE_HD constexpr explicit(N > 1)
        index(I... coordinates)
        : coordinates_{static_cast<std::int64_t>(coordinates)...} {}

    FOLDWISE_HD constexpr std::int64_t operator[](int axis) const { return coordinates_[axis]; }
    FOLDWISE_HD constexpr std::int64_t& operator[](int axis) { return coordinates_[axis]; }

    FOLDWISE_HD constexpr operator std::int64_t() const requires(N == 1) { return coordinates_[0]; }

    template <std::size_t Axis> FOLDWISE_HD constexpr std::int64_t get() const { return coordinates_[Axis]; }

  private:
    std::int64_t coordinates_[N] = {};
};

/// Not a friend: otherwise comparing an index<1> with a number would be ambiguous, because either one converts to the
/// other.
template <int N> FOLDWISE_HD constexpr bool operator==(const index<N>& a, const index<N>& b) {
    for (int axis = 0; axis < N; ++axis) {
        if (a[axis] != b[axis]) return false;
    }
    return true;
}

namespace detail {

/// Whether a callable takes an index<N> before its operands. Braces have no type that a parameter could be deduced
/// from, so that a first parameter of any type, such as `auto`, is an operand. The body of a lambda that has one is not
/// instantiated with an index either.
template <class Callable, int N, class... Operands>
concept takes_index = requires(const Callable& callable, const Operands&... operands) {
    callable({index<N>()}, operands...);
}
&&std::is_invocable_v<const Callable&, index<N>, const Operands&...>;

/// takes_index as a type, whose value is only computed where it is asked for.
template <class Callable, int N, class... Operands>
struct accepts_index : std::bool_constant<takes_index<Callable, N, Operands...>> {};

}  // namespace detail

}  // namespace foldwise

template <int N> struct std::tuple_size<foldwise::index<N>> : std::integral_constant<std::size_t, N> {};
template <std::size_t Axis, int N> struct std::tuple_element<Axis, foldwise::index<N>> { using type = std::int64_t; };
