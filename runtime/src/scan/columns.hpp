// runtime/src/scan/columns.hpp: which scans on a GPU go along columns, and how these are divided among blocks.
#pragma once

#include <foldwise/detail/scan_code.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace foldwise::detail {

/// Returns whether results are closer in memory across the scanned axis than along it; `results` is their number among
/// the operands.
bool goes_along_columns(const scan_call& call, int results);

/// Sets order[k] to the axis of the layout that is the k-th in a kernel, innermost first. In a scan along columns that
/// is the scanned axis, then the others by the strides of the results.
void order_axes(const scan_call& call, int results, bool along_columns, int* order);

/// Divides columns into strips, and those into tiles. Depends on the call's shape and the kernel's types alone, so that
/// results do, too.
scan_strips divide_columns(const scan_call& call, std::size_t result_bytes, std::size_t accumulator_bytes);

/// Divides columns into strips that a block scans alone, if accumulators are small, and columns are for most of
/// `few_tiles` blocks, which is about as many as a large GPU has multiprocessors, and have several tiles of those that
/// divide_columns() makes. Strips are as wide as leaves no more of them than that, or than a multiple of it where
/// results are narrow or columns very many. Depends on nothing else, as above.
std::optional<scan_strips> divide_into_whole_strips(const scan_call& call, std::size_t result_bytes,
                                                    std::size_t accumulator_bytes, int few_tiles);

/// Returns how many aggregates the workspace of a call has room for. Whole strips do not need any.
std::size_t aggregates_of(const scan_kernel& kernel, const scan_call& call, int few_tiles);

}  // namespace foldwise::detail
