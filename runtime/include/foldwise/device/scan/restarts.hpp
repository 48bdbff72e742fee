// foldwise/device/scan/restarts.hpp: where a scan begins anew: at each row, at other keys, or at given offsets.
#pragma once

#include <foldwise/detail/scan_code.hpp>
#include <foldwise/device/launch.hpp>
#include <foldwise/device/offsets.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// Compares the key of an element with that of the one before it in the scan.
template <class Key> __device__ inline bool has_new_key(const detail::scan_range& range, std::int64_t in_row) {
    const auto* const keys = static_cast<const Key*>(range.restarts);
    const auto length = static_cast<std::int64_t>(range.length.divisor);
    return range.is_reverse ? keys[length - 1 - in_row] != keys[length - in_row] : keys[in_row] != keys[in_row - 1];
}

/// Returns the offsets of a scan's segments.
__device__ inline segment_offsets offsets_of(const detail::scan_range& range) {
    return {range.restarts, range.restart_count, range.restart_size, range.are_signed};
}

/// Reports offsets that fall or leave their row, in checked builds. All threads of the launch share the work.
__device__ inline void check_offsets(const detail::scan_range& range) {
    if (range.restarts && range.are_offsets)
        check_offsets(offsets_of(range), static_cast<std::int64_t>(range.length.divisor));
}

/// Returns whether an offset is this number, by bisection.
__device__ inline bool is_offset(const detail::scan_range& range, std::int64_t number) {
    const segment_offsets offsets = offsets_of(range);
    std::int64_t low = 0, high = offsets.count;
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (offsets[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < offsets.count && offsets[low] == number;
}

/// Returns whether the scan begins anew at an element.
__device__ inline bool begins_at(const detail::scan_range& range, std::int64_t in_row) {
    if (in_row == 0) return true;
    if (!range.restarts) return false;
    if (range.are_offsets)
        return is_offset(range, range.is_reverse ? static_cast<std::int64_t>(range.length.divisor) - in_row : in_row);
    switch (range.restart_size) {
    case 1:
        return has_new_key<std::uint8_t>(range, in_row);
    case 2:
        return has_new_key<std::uint16_t>(range, in_row);
    case 4:
        return has_new_key<std::uint32_t>(range, in_row);
    default:
        return has_new_key<std::uint64_t>(range, in_row);
    }
}

/// Returns, as bits, at which of `count` elements from the one numbered `first` on the scan begins anew.
__device__ inline unsigned int places_to_begin(const detail::scan_range& range, std::int64_t first, int count) {
    auto row = static_cast<std::uint64_t>(first);
    auto in_row = static_cast<std::int64_t>(range.length.split(row));
    const auto length = static_cast<std::int64_t>(range.length.divisor);
    unsigned int places = 0;
    FOLDWISE_NOT_UNROLLED
    for (int k = 0; k < count; ++k) {
        if (begins_at(range, in_row)) places |= 1u << k;
        if (++in_row == length) in_row = 0;
    }
    return places;
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
