// foldwise/detail/wrapping.hpp: wrapping sums and products of integers, for reductions that combine in any order.
#pragma once

#include <foldwise/detail/host_device.hpp>

#include <type_traits>

namespace foldwise::detail {

// When elements are combined in another order than in a sequential loop, partial results may leave the range of T even
// if the loop's never do. Modulo 2^bits the final result is the same, so signed integers, which must not overflow, are
// added as unsigned ones. Narrow types are promoted to int, whose products may overflow even if T is unsigned.

template <class T> FOLDWISE_HD constexpr T wrapping_sum(T a, T b) {
    using modular = std::make_unsigned_t<decltype(a + b)>;
    return static_cast<T>(static_cast<modular>(a) + static_cast<modular>(b));
}

template <class T> FOLDWISE_HD constexpr T wrapping_product(T a, T b) {
    using modular = std::make_unsigned_t<decltype(a * b)>;
    return static_cast<T>(static_cast<modular>(a) * static_cast<modular>(b));
}

}  // namespace foldwise::detail
