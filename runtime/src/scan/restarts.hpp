// runtime/src/scan/restarts.hpp: where rows of a scan begin anew, from keys or offsets in host memory.
#pragma once

#include <foldwise/detail/scan_kernel.hpp>
#include <foldwise/scan_options.hpp>

#include <cstdint>

namespace foldwise::detail {

/// Returns what messages call keys or offsets.
inline const char* name_of(const restarts& given) { return given.are_offsets ? "offsets" : "keys"; }

/// Throws shape_error if keys or offsets do not suit rows of `length` elements: if they have several axes or gaps, if
/// keys are not as many as elements, or if offsets, as far as they are on the host, fall or lie outside of a row.
void check_restarts(const scan_kernel& kernel, const restarts& given, const operand_ref& place, std::int64_t length);

/// Sets begins[i] for `count` elements of a row from the one numbered `first` on: whether the scan begins anew there.
void find_restarts(const scan_call& call, std::int64_t first, std::int64_t count, unsigned char* begins);

}  // namespace foldwise::detail
