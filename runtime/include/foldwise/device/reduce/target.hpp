// foldwise/device/reduce/target.hpp: where a reduction on a GPU writes its results.
#pragma once

#include <foldwise/detail/reduce_code.hpp>
#include <foldwise/device/reduce/block.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// Where a launch writes its results, as a kernel's parameter.
template <class Steps> struct reduce_target {
    using accumulator = typename Steps::accumulator;
    using result = typename Steps::result;

    detail::reduce_target place;
    union {
        accumulator initial;  ///< Precedes all elements if place.has_initial is set.
    };

    __device__ result* out() const { return static_cast<result*>(place.out); }

    /// Stores the result of an accumulator, or the accumulator itself if the call asks for that.
    __device__ static void store(void* out, bool is_partial, std::int64_t offset, const accumulator& all) {
        if constexpr (Steps::finishes) {
            if (is_partial) {
                static_cast<accumulator*>(out)[offset] = all;
                return;
            }
        }
        static_cast<result*>(out)[offset] = Steps::finish(all);
    }

    /// Returns the combination of `all` and `folded`, or the identity if there are no elements.
    __device__ static partial<Steps> completed(partial<Steps> all, const partial<Steps>& folded) {
        all.append(folded);
        if constexpr (Steps::has_identity) {
            if (!all.is_some) all.append(Steps::identity());
        }
        return all;
    }

    /// Returns the accumulator of a row that this launch reduces completely.
    __device__ accumulator whole(const partial<Steps>& folded) const {
        return completed(place.has_initial ? partial<Steps>(initial) : partial<Steps>(), folded).value;
    }

    /// Stores what a row makes that this launch reduces completely.
    __device__ void store(std::int64_t offset, const partial<Steps>& folded) const {
        store(place.out, place.is_partial, offset, whole(folded));
    }

    /// Returns the partial results of blocks that share a row.
    __device__ partial<Steps>* parts() const { return static_cast<partial<Steps>*>(place.parts); }

    /// Returns the partial results of blocks that share columns, none of which is empty.
    __device__ accumulator* column_parts() const { return static_cast<accumulator*>(place.parts); }

    /// Returns what the previous launch carried over to this one, and this one does to the next.
    __device__ partial<Steps>* carried() const { return static_cast<partial<Steps>*>(place.carried); }
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
