// runtime/src/gpu/alignment.hpp: which operands can be accessed by vectors.
#pragma once

#include <foldwise/detail/gpu_code.hpp>
#include <foldwise/detail/kernel.hpp>
#include <foldwise/detail/vector_access.hpp>

#include <cstdint>

namespace foldwise::detail {

/// Returns the alignment, in bytes, at most 16, of an access to `width` elements.
inline std::int64_t vector_bytes(const operand_type& type, int width) {
    return access_bytes(width * static_cast<int>(type.size));
}

/// Returns whether an array is aligned for vectors at the position `before` elements ahead of its first one. False for
/// a value.
inline bool is_aligned(const operand_address& operand, const operand_type& type, int width, std::int64_t before) {
    const auto address = reinterpret_cast<std::uintptr_t>(operand.data);
    const auto ahead = static_cast<std::uintptr_t>(before) * type.size;
    return !operand.is_scalar && (address - ahead) % static_cast<std::uintptr_t>(vector_bytes(type, width)) == 0;
}

/// Returns how many elements ahead of the first one vectors should begin: the smallest number below `width` for which
/// bytes(number) is largest.
template <class Bytes> std::int64_t best_begin(int width, const Bytes& bytes) {
    std::int64_t best = 0;
    for (std::int64_t candidate = 1; candidate < width; ++candidate)
        if (bytes(candidate) > bytes(best)) best = candidate;
    return best;
}

}  // namespace foldwise::detail
