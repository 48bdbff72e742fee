// foldwise/device/blocks/in_order.hpp: how a block folds and scans its items' values, in their order.
//
// Values are grouped as on a CPU (spec/block.hpp), so that results are the same there to the bit.
#pragma once

#include <foldwise/device/blocks/frame.hpp>
#include <foldwise/device/platform.hpp>
#include <foldwise/device/reduce/block.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// Folds the values of the first `count` lanes in a balanced tree; the first lane gets the result.
template <class T, class Op> __device__ __forceinline__ void fold_warp(T& value, unsigned int count, const Op& op) {
    const unsigned int lane = threadIdx.x % warp_size;
    FOLDWISE_UNROLLED
    for (unsigned int distance = 1; distance < warp_size; distance *= 2) {
        const T other = shuffle_down(value, static_cast<int>(distance));
        if (lane % (2 * distance) == 0 && lane + distance < count) value = op(value, other);
    }
}

/// Gives each lane the fold of the values up to its own.
template <class T, class Op> __device__ __forceinline__ void scan_warp(T& value, const Op& op) {
    const unsigned int lane = threadIdx.x % warp_size;
    FOLDWISE_UNROLLED
    for (unsigned int distance = 1; distance < warp_size; distance *= 2) {
        const T other = shuffle_up(value, static_cast<int>(distance));
        if (lane >= distance) value = op(other, value);
    }
}

/// Returns how many of `all` are left from `first` on, at most a warp's.
__device__ __forceinline__ unsigned int lanes_from(unsigned int first, unsigned int all) {
    return all <= first ? 0 : all - first < warp_size ? all - first : warp_size;
}

/// Returns the fold of all items' values, to all threads.
template <int N, class T, unsigned int Slots, class Op>
__device__ __forceinline__ T fold_items(block_frame<N>& frame, const T (&values)[Slots], const Op& op) {
    const unsigned int warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
    const unsigned int warps = frame.threads / warp_size, groups = (frame.items + warp_size - 1) / warp_size;
    T* const scratch = frame.template scratch_half<T>();
    each_slot<Slots>([&](unsigned int slot) {
        const unsigned int group = slot * warps + warp;
        T value = values[slot];
        fold_warp(value, lanes_from(group * warp_size, frame.items), op);
        if (lane == 0 && group < groups) scratch[group] = value;
    });
    frame.exchange();
    // Every warp folds the warps' results for itself.
    T total = scratch[lane < groups ? lane : 0];
    fold_warp(total, lanes_from(0, groups), op);
    if (groups > warp_size) {
        T all = shuffle_from(total, 0);
        for (unsigned int first = warp_size; first < groups; first += warp_size) {
            total = scratch[first + lane < groups ? first + lane : 0];
            fold_warp(total, lanes_from(first, groups), op);
            total = shuffle_from(total, 0);
            if (lane == first / warp_size) all = total;
        }
        fold_warp(all, (groups + warp_size - 1) / warp_size, op);
        total = all;
    }
    return shuffle_from(total, 0);
}

/// Writes finish(has_before, before, previous, upto) for each item of the thread: whether there are groups before the
/// item's, the fold of their values, and in the item's group the folds up to the previous item and up to its own.
template <int N, class T, unsigned int Slots, class Op, class Finish>
__device__ __forceinline__ void scan_items(block_frame<N>& frame, const T (&values)[Slots], T (&results)[Slots],
                                           const Op& op, const Finish& finish) {
    const unsigned int warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
    const unsigned int warps = frame.threads / warp_size, groups = (frame.items + warp_size - 1) / warp_size;
    T* const scratch = frame.template scratch_half<T>();
    each_slot<Slots>([&](unsigned int slot) {
        const unsigned int group = slot * warps + warp;
        T value = values[slot];
        scan_warp(value, op);
        results[slot] = value;
        const unsigned int count = lanes_from(group * warp_size, frame.items);
        if (lane + 1 == count) scratch[group] = value;
    });
    frame.exchange();
    T carried = scratch[0];
    for (unsigned int first = 0; first < groups; first += warp_size) {
        // Every warp scans the groups' results for itself, and takes those before its own groups.
        T total = scratch[first + lane < groups ? first + lane : 0];
        scan_warp(total, op);
        if (first > 0) total = op(carried, total);
        carried = shuffle_from(total, warp_size - 1);
        each_slot<Slots>([&](unsigned int slot) {
            const unsigned int group = slot * warps + warp;
            const unsigned int before = group > 0 ? group - 1 : 0;
            const T prefix = shuffle_from(total, static_cast<int>(before % warp_size));
            if (before / warp_size != first / warp_size) return;
            const T previous = shuffle_up(results[slot], 1);
            results[slot] = finish(group > 0, prefix, previous, results[slot]);
        });
    }
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
