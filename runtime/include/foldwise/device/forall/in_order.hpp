// foldwise/device/forall/in_order.hpp: loops of tasks whose terms the lanes of a warp compute.
#pragma once

#include <foldwise/detail/forall_code.hpp>
#include <foldwise/device/platform.hpp>

#include <type_traits>
#include <utility>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// The memory in which the lanes of a warp exchange terms: that of the calling thread's.
__device__ inline unsigned char* terms_of_warp() {
    constexpr int bytes = 2048;
    alignas(16) __shared__ unsigned char terms[detail::warps_of_block][bytes];
    return terms[threadIdx.x / detail::warp_lanes];
}

/// How many terms a lane computes before any is used: their loads are in flight at once.
template <class Term> inline constexpr int terms_of_lane = sizeof(Term) <= 8 ? 8 : 4;

/// The loop `for (Counter k = from; k < to; ++k) use(k, term(k));`, or with `<=` if it is `Inclusive`. The lanes of a
/// warp compute terms side by side, and then each uses all of them in the order of the loop, so that every lane has the
/// loop's result. All lanes call it, with the same numbers; term() only reads, and use() changes only the lane's own
/// variables. Terms are of at most 16 bytes.
template <class Counter, bool Inclusive, class End, class Term, class Use>
__device__ inline void in_order(Counter from, End to, const Term& term, const Use& use) {
    using number = std::common_type_t<Counter, End>;
    using count = std::make_unsigned_t<decltype(number() + 0)>;
    using value = std::remove_cvref_t<decltype(term(from))>;
    constexpr int each = terms_of_lane<value>;
    constexpr count chunk = each * detail::warp_lanes;
    const number first = static_cast<number>(from), end = static_cast<number>(to);
    if (Inclusive ? end < first : end <= first) return;
    const count all = static_cast<count>(end) - static_cast<count>(first) + (Inclusive ? 1 : 0);
    const auto at = [&](count k) { return static_cast<Counter>(static_cast<count>(first) + k); };
    const count lane = threadIdx.x % detail::warp_lanes;
    value* const terms = reinterpret_cast<value*>(terms_of_warp());
    const auto exchange = [&](count begin, const auto& exists) {
        value own[each] = {};
        FOLDWISE_UNROLLED
        for (int i = 0; i < each; ++i)
            if (const count k = begin + i * detail::warp_lanes + lane; exists(k)) own[i] = term(at(k));
        __syncwarp();  // the terms before have been used
        FOLDWISE_UNROLLED
        for (int i = 0; i < each; ++i) terms[i * detail::warp_lanes + lane] = own[i];
        __syncwarp();
    };
    count begin = 0;
    FOLDWISE_NOT_UNROLLED
    for (; all - begin >= chunk; begin += chunk) {
        exchange(begin, [](count) { return true; });
        FOLDWISE_UNROLL(8)
        for (count k = 0; k < chunk; ++k) use(at(begin + k), std::as_const(terms[k]));
    }
    if (begin == all) return;
    exchange(begin, [&](count k) { return k < all; });
    FOLDWISE_UNROLL(8)
    for (count k = 0; k < all - begin; ++k) use(at(begin + k), std::as_const(terms[k]));
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
