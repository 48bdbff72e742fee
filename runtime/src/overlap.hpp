// runtime/src/overlap.hpp: whether strided operands share memory. The answer is exact: operands whose elements
// are interleaved, but have no byte in common, do not overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace foldwise::detail {

/// The bytes that an operand's elements occupy. All extents are positive.
struct footprint {
    std::uintptr_t first;  ///< Address of the element at index 0.
    std::size_t size;      ///< Bytes of an element.
    std::span<const std::int64_t> extents;
    std::span<const std::int64_t> strides;  ///< In elements, of any sign.
};

/// Returns whether some byte belongs to both operands.
///
/// The question is whether a linear Diophantine equation has a solution within bounds. The unknowns are the indices,
/// one per axis; axes with equal strides share an unknown. Disjoint address ranges, and strides with a common divisor
/// that keeps the operands apart, are handled first. Otherwise the unknowns are tried from the largest stride down,
/// each only in the interval that the remaining ones can compensate, and the last two are solved by Euclid's algorithm.
/// Slices of one array, whose strides nest, take one or two tries per unknown, less than a microsecond. Slices of N
/// axes with different steps take up to the product of the larger extents of all axes but the last, which is no more
/// than the number of rows. Only views constructed for the purpose, with many axes of similar and coprime strides, take
/// longer than the kernel would.
bool overlap(const footprint& a, const footprint& b);

/// Returns whether two elements with different indices share a byte. The method is that of overlap(); nested strides
/// are answered at once.
bool overlaps_itself(const footprint& one);

}  // namespace foldwise::detail
