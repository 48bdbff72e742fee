// foldwise/reduce_options.hpp: what a call of a reduction can be given beside its operands.
#pragma once

#include <concepts>

namespace foldwise {

/// An accumulator that comes before all elements.
template <class T> struct initial_value {
    T value;

    template <std::convertible_to<T> U>
    constexpr initial_value(const initial_value<U>& other) : value(static_cast<T>(other.value)) {}
    constexpr explicit initial_value(const T& value) : value(value) {}
};

/// `sum(x, initial(3.0))` is 3 plus the sum of x, and 3 if x is empty.
template <class T> constexpr initial_value<T> initial(const T& value) { return initial_value<T>(value); }

}  // namespace foldwise
