// runtime/src/overlap.hpp: whether strided operands share memory. Exact: ranges that interleave do not count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace foldwise::detail {

/// The bytes that an operand's elements take; no extent is zero.
struct footprint {
    std::uintptr_t first;  ///< Address of the element at index 0.
    std::size_t size;      ///< Bytes of an element.
    std::span<const std::int64_t> extents;
    std::span<const std::int64_t> strides;  ///< In elements; of any sign.
};

/// Whether some byte belongs to both.
///
/// That is a bounded linear Diophantine equation in the indices, one unknown for each axis; those of equal strides are
/// one unknown together. Ranges that are apart and strides with a common divisor that keeps them apart are answered
/// first. Else the unknowns are tried from the largest stride down, each only in the interval that the ones below it
/// can still make up for, and the last two are solved by Euclid's algorithm. Slices of one array, whose strides nest,
/// take one or two tries an unknown: below a microsecond. Slices of N axes in steps that differ take up to the product
/// of the larger extents of all axes but the last, no more than there are rows; only views that were made for it, with
/// many axes of similar and coprime strides, take longer than the kernel would.
bool overlap(const footprint& a, const footprint& b);

/// Whether two elements of different indices share a byte. The same method; strides that nest are answered at once.
bool overlaps_itself(const footprint& one);

}  // namespace foldwise::detail
