// foldwise/device/scatter.hpp: combines elements into bins on a GPU.
//
// Where operations are atomic and their order does not matter, all threads combine elements at once
// (scatter/atomic.hpp). Otherwise elements are combined in order: sorted by bin (scatter/sorted.hpp) or, if they are
// few, chunks of them by a block each (scatter/ordered.hpp).
#pragma once

#include <foldwise/detail/wrapping.hpp>
#include <foldwise/device/scatter/atomic.hpp>
#include <foldwise/device/scatter/operands.hpp>
#include <foldwise/device/scatter/ordered.hpp>
#include <foldwise/device/scatter/sorted.hpp>
#include <foldwise/device/view_parameter.hpp>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

constexpr bool is_shared(scatter_instance one) {
    return one == scatter_instance::shared_vectors || one == scatter_instance::shared_elements;
}

/// The most threads of a block of an instance.
template <scatter_instance Instance, class Steps> constexpr int scatter_threads(int threads) {
    return is_shared(Instance) ? threads_of_copies<Steps>(threads) : threads;
}

/// Runs one launch of a scattered fold. Copies of the bins in shared memory have `LeastRows` rows at least.
template <scatter_instance Instance, class Steps, int Threads, int Width, int LeastRows, class Element, class Vectors>
__device__ void scatter(const detail::scatter_range& range, const scatter_target<Steps>& target, const Element& element,
                        const Vectors& vectors) {
    wait_for_previous_kernel();
    if constexpr (Instance == scatter_instance::join)
        join_bins(target);
    else if constexpr (Instance == scatter_instance::ordered)
        scatter_in_order<Steps, Threads>(range, target, element);
    else if constexpr (Instance == scatter_instance::pairs)
        write_pairs<Steps>(range, target, element);
    else if constexpr (Instance == scatter_instance::sorted)
        scatter_sorted<Steps>(target, element);
    else if constexpr (is_shared(Instance))
        scatter_in_shared_memory<Instance, Steps, Width, LeastRows>(range, target, element, vectors);
    else
        scatter_in_global_memory<Instance, Steps, Width>(range, target, element, vectors);
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
