// foldwise/device/scan/stretch.hpp: what consecutive elements of a scan make.
#pragma once

#include <foldwise/detail/scan_code.hpp>
#include <foldwise/device/reduce/block.hpp>

#include <cstdint>
#include <cstring>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// What some consecutive elements make: what those behind the last place where the scan begins anew combine to, and
/// whether there is such a place. From there on it contains the initial value, too. Nothing if there are no elements.
template <class Steps> struct stretch {
    using accumulator = typename Steps::accumulator;
    enum : unsigned int { is_some = 1, begins = 2 };

    union {
        accumulator value;
    };
    unsigned int state = 0;  ///< Bits: whether there is a value, and whether the scan begins anew.

    __host__ __device__ stretch() { settle_bytes(value); }
    __device__ stretch(const partial<Steps>& folded, bool begins_anew)
        : value(folded.value), state((folded.is_some ? is_some : 0u) | (begins_anew ? begins : 0u)) {}

    /// Combines this with what follows it.
    __device__ void append(const stretch& next) {
        const bool has_both = state != 0 && (state & next.state & is_some) != 0 && (next.state & begins) == 0;
        if (has_both)
            value = Steps::combine(value, next.value);
        else if (next.state != 0)
            value = next.value;
        state |= next.state;
    }

    /// Returns what the elements behind the last place where the scan begins anew combine to.
    __device__ partial<Steps> folded() const { return state & is_some ? partial<Steps>(value) : partial<Steps>(); }
};

/// The range of a scan, followed by the initial value; a kernel's parameter.
template <class Steps> struct scan_task : detail::scan_range {
    using accumulator = typename Steps::accumulator;
    union {
        accumulator initial;  ///< What a row or segment begins with if `has_initial` is set.
    };

    /// Returns what a row begins with in a call that is a part of another one.
    __device__ partial<Steps> start_of(std::uint64_t row) const {
        return partial<Steps>(static_cast<const accumulator*>(starts)[row]);
    }

    /// Returns what every row or segment begins with in other calls.
    __device__ partial<Steps> start() const {
        if (has_initial) return partial<Steps>(initial);
        if constexpr (Steps::has_identity)
            if (is_exclusive) return partial<Steps>(Steps::identity());
        return {};
    }
};

/// Returns what the lane has whose number is less by `distance`.
template <class Steps> __device__ inline stretch<Steps> shuffle_up(const stretch<Steps>& mine, int distance) {
    stretch<Steps> other;
    other.value = shuffle_up(mine.value, distance);
    other.state = shuffle_up(mine.state, distance);
    return other;
}
/// Returns what the lane has whose number is greater by `distance`.
template <class Steps> __device__ inline stretch<Steps> shuffle_down(const stretch<Steps>& mine, int distance) {
    stretch<Steps> other;
    other.value = shuffle_down(mine.value, distance);
    other.state = shuffle_down(mine.state, distance);
    return other;
}

/// Combines what each lane has with what the lanes before it have. All lanes of the warp must call it.
template <class Steps> __device__ inline void scan_lanes(stretch<Steps>& upto) {
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    FOLDWISE_NOT_UNROLLED
    for (int distance = 1; distance < warp_size; distance *= 2) {
        stretch<Steps> longer = shuffle_up(upto, distance);
        longer.append(upto);
        if (lane >= distance) upto = longer;
    }
}

/// Does the same where all lanes have a value: which ones a lane combines follows from where the scan begins anew.
template <class Steps> __device__ inline void scan_full_lanes(stretch<Steps>& upto) {
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    const unsigned int begins = __ballot_sync(0xffffffffu, (upto.state & stretch<Steps>::begins) != 0),
                       so_far = begins & (0xffffffffu >> (warp_size - 1 - lane));
    const int first = so_far ? warp_size - 1 - __builtin_clz(so_far) : 0;
    FOLDWISE_UNROLLED
    for (int distance = 1; distance < warp_size; distance *= 2) {
        const typename Steps::accumulator before = shuffle_up(upto.value, distance);
        if (lane - distance >= first) upto.value = Steps::combine(before, upto.value);
    }
    if (so_far) upto.state |= stretch<Steps>::begins;
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
