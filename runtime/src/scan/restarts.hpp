// runtime/src/scan/restarts.hpp: checks the keys and offsets of scans and reductions, and finds out where rows of a
// scan begin anew from those in host memory.
#pragma once

#include "arguments.hpp"
#include "overlap.hpp"

#include <foldwise/detail/scan_kernel.hpp>
#include <foldwise/restarts.hpp>

#include <cstdint>

namespace foldwise::detail {

/// Returns what messages call keys or offsets.
inline const char* name_of(const restarts& given) { return given.are_offsets ? "offsets" : "keys"; }

/// Calls use(offsets) with a pointer to the offsets' own type. Signed and unsigned ones are alike where they are valid.
template <class Use> auto with_offsets(const void* offsets, std::uint8_t size, bool is_signed, const Use& use) {
    if (size == 4) {
        if (is_signed) return use(static_cast<const std::int32_t*>(offsets));
        return use(static_cast<const std::uint32_t*>(offsets));
    }
    return use(static_cast<const std::int64_t*>(offsets));
}

/// Throws shape_error if keys or offsets do not suit rows of `length` elements: if they have several axes or gaps, if
/// keys are not as many as elements, or if offsets, as far as they are on the host, fall or lie outside of a row.
void check_restarts(const char* kernel, const restarts& given, const operand_ref& place, std::int64_t length);

/// Takes keys or offsets on a GPU into account, which decide where the call runs as operands do; those on the host are
/// copied where they are needed. Throws device_error if operands are in the memory of another GPU.
void check_place(const char* kernel, const restarts& given, const operand_ref& place, arguments& all);

/// Throws overlap_error if results are written where keys or offsets are read.
void check_overlap(const char* kernel, const char* output, const restarts& given, const operand_ref& place,
                   const footprint& results);

/// Sets begins[i] for `count` elements of a row from the one numbered `first` on: whether the scan begins anew there.
void find_restarts(const scan_call& call, std::int64_t first, std::int64_t count, unsigned char* begins);

}  // namespace foldwise::detail
