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

/// Returns the first offset from the i-th on that is not less than a number, by bisection.
__device__ inline std::int64_t next_offset(const segment_offsets& offsets, std::int64_t i, std::int64_t number) {
    std::int64_t high = offsets.count;
    while (i < high) {
        const std::int64_t middle = i + (high - i) / 2;
        if (offsets[middle] < number)
            i = middle + 1;
        else
            high = middle;
    }
    return i;
}

/// Returns whether an element has another key than the one before it in the scan.
__device__ inline bool has_new_key(const detail::scan_range& range, std::int64_t in_row) {
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

/// Returns, as bits, at which of `count` elements of a row from the one numbered `first` on the scan begins anew, with
/// keys or offsets.
__device__ inline unsigned int rows_to_begin(const detail::scan_range& range, std::int64_t first, int count) {
    unsigned int places = first == 0 ? 1u : 0u;
    if (!range.are_offsets) {
        FOLDWISE_NOT_UNROLLED
        for (int k = first == 0 ? 1 : 0; k < count; ++k)
            if (has_new_key(range, first + k)) places |= 1u << k;
        return places;
    }
    // Segments of a reverse scan begin where they otherwise end.
    const auto length = static_cast<std::int64_t>(range.length.divisor);
    const std::int64_t low = range.is_reverse ? length - first - count + 1 : first;
    const segment_offsets offsets = offsets_of(range);
    std::int64_t next = low;
    FOLDWISE_NOT_UNROLLED
    for (std::int64_t i = next_offset(offsets, 0, low); i < offsets.count; i = next_offset(offsets, i, next)) {
        const std::int64_t offset = offsets[i];
        if (offset >= low + count) break;
        places |= 1u << (range.is_reverse ? length - offset - first : offset - first);
        next = offset + 1;
    }
    return places;
}

/// Returns, as bits, at which of `count` elements from the one numbered `first` on the scan begins anew, with keys or
/// offsets; they may be in several rows.
__device__ inline unsigned int places_to_begin(const detail::scan_range& range, std::int64_t first, int count) {
    auto row = static_cast<std::uint64_t>(first);
    auto in_row = static_cast<std::int64_t>(range.length.split(row));
    const auto length = static_cast<std::int64_t>(range.length.divisor);
    unsigned int places = 0;
    for (int k = 0; k < count; in_row = 0) {
        const int here = length - in_row < count - k ? static_cast<int>(length - in_row) : count - k;
        places |= rows_to_begin(range, in_row, here) << k;
        k += here;
    }
    return places;
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
