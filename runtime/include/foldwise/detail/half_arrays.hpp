// foldwise/detail/half_arrays.hpp: converts many halves at once.
#pragma once

#include <foldwise/half.hpp>

#include <cstdint>

namespace foldwise::detail {

/// Converts `count` halves to floats and back, each as half itself does, to the bit, with the machine's instructions
/// for that if it has them. widen() returns `to`.
const float* widen(const half* from, std::int64_t count, float* to);
void round(const float* from, std::int64_t count, half* to);

/// The same without these instructions.
void widen_by_arithmetic(const half* from, std::int64_t count, float* to);
void round_by_arithmetic(const float* from, std::int64_t count, half* to);

}  // namespace foldwise::detail
