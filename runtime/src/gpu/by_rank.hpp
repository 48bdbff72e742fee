// runtime/src/gpu/by_rank.hpp: dispatches from a run-time rank to a compile-time rank.
#pragma once

#include <foldwise/detail/limits.hpp>

#include <type_traits>

namespace foldwise::detail {

/// Calls use(std::integral_constant<int, rank>()) for a rank from 1 to max_index_rank, and returns its result.
template <class Use> auto by_rank(int rank, const Use& use) {
    static_assert(max_index_rank == 4);
    switch (rank) {
    case 1:
        return use(std::integral_constant<int, 1>());
    case 2:
        return use(std::integral_constant<int, 2>());
    case 3:
        return use(std::integral_constant<int, 3>());
    default:
        return use(std::integral_constant<int, 4>());
    }
}

}  // namespace foldwise::detail
