// foldwise/device/blocks/frame.hpp: what a thread knows of its block: where it is, its items, its shared memory.
#pragma once

#include <foldwise/detail/blocks_code.hpp>
#include <foldwise/device/launch.hpp>
#include <foldwise/device/platform.hpp>
#include <foldwise/spec/index.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::block_grid;
using detail::view_layout;

/// Calls run(0), run(1), ..., run(Slots - 1). A loop would be unrolled too late for what it indexes to be in registers.
template <unsigned int Slots, unsigned int First = 0, class Run>
__device__ __forceinline__ void each_slot(const Run& run) {
    run(First);
    if constexpr (First + 1 < Slots) each_slot<Slots, First + 1>(run);
}

/// What all threads of a block know of it.
template <int N> struct block_frame {
    unsigned int number[N];   ///< Blocks before this one along each axis.
    unsigned int extents[N];  ///< Items of the block along each axis.
    unsigned int items;       ///< Items of the block.
    unsigned int threads;     ///< Threads of the block, a multiple of a warp's.
    unsigned int scratch;   ///< The bytes of shared memory, at its beginning, in which folds and scans exchange values.
    unsigned int used;      ///< The bytes of shared memory that are taken.
    unsigned int* slot;     ///< Which of the thread's items is being worked on; elsewhere, as others point to it.
    bool is_phase_pending;  ///< Whether threads may still be in the last phase.
    bool is_second;         ///< Which half of the scratch memory the next fold or scan has.

    /// Takes shared memory for elements. All threads take the same.
    template <class T> __device__ __forceinline__ T* take(std::int64_t count) {
        static_assert(alignof(T) <= 16, "shared memory is aligned to 16 bytes");
        constexpr auto alignment = static_cast<unsigned int>(alignof(T));
        used = (used + alignment - 1) / alignment * alignment;
        T* const taken = reinterpret_cast<T*>(dynamic_shared<unsigned char>() + used);
        used += static_cast<unsigned int>(count) * static_cast<unsigned int>(sizeof(T));
        return taken;
    }

    /// Calls phase(item) for each item of the thread, of which there are up to `Slots`.
    template <unsigned int Slots, class Phase> __device__ __forceinline__ void each_item(const Phase& phase) {
        each_slot<Slots>([&](unsigned int own) {
            if (items != Slots * threads && own * threads + threadIdx.x >= items) return;
            *slot = own;
            phase(item_at<Slots>(own));
        });
    }

    /// Returns an item of the thread: the one with `own * threads + threadIdx.x` before it in row-major order. The
    /// threads fill axes as far as they suffice, so that where they do so exactly, a thread's items are constants
    /// apart.
    template <unsigned int Slots> __device__ __forceinline__ index<N> item_at(unsigned int own) const {
        index<N> result;
        unsigned int place = threadIdx.x, beside = Slots > 1 ? threads : 0;  // both of the axes that are left
        for (int axis = N - 1; axis > 0; --axis) {
            const unsigned int extent = extents[axis];
            if (beside % extent == 0) {
                result[axis] = place % extent;
                place /= extent;
                beside /= extent;
            } else if (beside > 0 && extent % beside == 0) {
                result[axis] = place + own % (extent / beside) * beside;
                own /= extent / beside;
                place = 0;
                beside = 1;
            } else {
                place += own * beside;
                beside = 0;
                result[axis] = place % extent;
                place /= extent;
            }
        }
        result[0] = place + own * beside;
        return result;
    }

    /// Waits for the last phase of all threads.
    __device__ __forceinline__ void begin_phase() {
        if (is_phase_pending) __syncthreads();
        is_phase_pending = false;
    }
    __device__ __forceinline__ void end_phase() { is_phase_pending = true; }

    /// Waits for the last phase and for what was written to scratch memory. Whoever comes to the next fold or scan has
    /// that behind him, so that two halves of the memory suffice.
    __device__ __forceinline__ void exchange() {
        __syncthreads();
        is_phase_pending = false;
        is_second = !is_second;
    }
    /// Returns the half of the scratch memory that the next exchange() makes known.
    template <class T> __device__ __forceinline__ T* scratch_half() const {
        return reinterpret_cast<T*>(dynamic_shared<unsigned char>() + (is_second ? scratch / 2 : 0));
    }
};

/// Returns the frame of a block with extents E. `Scratch` bytes of shared memory are for folds and scans. Items' own
/// variables point to `slot`, and not to the frame, of which all else is thereby in registers.
template <view_layout Layout, unsigned int Threads, unsigned int Scratch, unsigned int... E>
__device__ __forceinline__ block_frame<sizeof...(E)> frame_of(const block_grid<sizeof...(E)>& grid,
                                                              unsigned int& slot) {
    constexpr int rank = sizeof...(E);
    block_frame<rank> frame{{}, {E...}, (E * ...), Threads, Scratch, Scratch, &slot, false, false};
    unsigned int rest = blockIdx.x;
    for (int axis = rank - 1; axis > 0; --axis) frame.number[axis] = grid.blocks[axis].split(rest);
    frame.number[0] = rest;
#ifndef FOLDWISE_SIMULATOR
    // 31 bits suffice for the items along each axis, so that compilers compare and add where items are in 32 bits.
    if constexpr (Layout == view_layout::plain)
        for (int axis = 0; axis < rank; ++axis)
            __builtin_assume(frame.number[axis] <= 0x7fffffffu / frame.extents[axis]);
#endif
    return frame;
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
