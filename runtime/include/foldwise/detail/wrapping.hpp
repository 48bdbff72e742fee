// foldwise/detail/wrapping.hpp: sums and products of integers that may be combined in any order.
#pragma once

#include <foldwise/detail/host_device.hpp>

#include <type_traits>

namespace foldwise::detail {

// In another order than a loop's, partial results may leave T's range where the loop's never do. Modulo 2^bits they
// lead to the same result; of signed integers, which may not overflow, the sum is therefore one of unsigned ones.
// Narrow types are computed in int, whose products may overflow even if T is unsigned.

template <class T> FOLDWISE_HD constexpr T wrapping_sum(T a, T b) {
    using modular = std::make_unsigned_t<decltype(a + b)>;
    return static_cast<T>(static_cast<modular>(a) + static_cast<modular>(b));
}

template <class T> FOLDWISE_HD constexpr T wrapping_product(T a, T b) {
    using modular = std::make_unsigned_t<decltype(a * b)>;
    return static_cast<T>(static_cast<modular>(a) * static_cast<modular>(b));
}

}  // namespace foldwise::detail
