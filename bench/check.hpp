// bench/check.hpp: operands that look random, and results compared where they are, on the device. All calls wait.
#pragma once

#include "distributions.hpp"

#include <cstdint>

namespace bench {

/// Words that have the bits of `fixed`, and random ones where `random` has ones. `bytes` are rounded up to words.
void fill_noise(void* memory, std::int64_t bytes, std::uint32_t fixed, std::uint32_t random);

/// Indices from 0 to below `end` that look random.
void fill_below(std::int64_t* memory, std::int64_t n, std::int64_t end);

/// The odd numbers from -7 to 7 at random: sums of 2^28 of them are exact in any order where 24 bits are.
template <class T> void fill_odd(T* memory, std::int64_t n);

/// Ones, about `count` of them at random places among zeros: sums of few are exact in 16 bits, too.
template <class T> void fill_sparse(T* memory, std::int64_t n, std::int64_t count);

/// Places from 0 to below `bins`, distributed so.
template <class Place> void fill_places(Place* places, std::int64_t n, std::int64_t bins, spread how);

/// The columns of a square matrix with `in_row` values in each row, in ascending order: beside the diagonal, or
/// anywhere.
void fill_band(std::int32_t* columns, std::int64_t rows, std::int64_t in_row);
void fill_columns(std::int32_t* columns, std::int64_t rows, std::int64_t in_row);

template <class T> void fill_with(T* memory, std::int64_t n, T value);

bool same_bytes(const void* a, const void* b, std::int64_t bytes);

/// The largest |a - b| / max(|b|, floor); infinite where only one of them is a number.
template <class T> double worst_difference(const T* a, const T* b, std::int64_t n, double floor);

}  // namespace bench
