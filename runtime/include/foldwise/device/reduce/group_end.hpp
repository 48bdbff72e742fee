// foldwise/device/reduce/group_end.hpp: how groups of threads combine their partial results on a GPU.
//
// All instances for groups end alike, so their end is a function, which is optimized once for all of them. It costs
// next to nothing at run time because it does not return: nothing has to be saved for its callers.
#pragma once

#include <foldwise/device/launch.hpp>
#include <foldwise/device/reduce/block.hpp>
#include <foldwise/device/reduce/target.hpp>
#include <foldwise/device/strided.hpp>

#include <cstddef>
#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// What the end of a group needs to know of the launch. It is passed by value: the function would read references to
/// parameters from memory, but values that are parameters as they stand it reads where the kernel would. Flags are
/// numbers, because it takes several instructions to pack bytes.
template <class Steps> struct group_end {
    using accumulator = typename Steps::accumulator;

    union {
        accumulator initial;
    };
    void* out;
    partial<Steps>* carried;
    partial<Steps>* all_parts;
    unsigned int* counters;
    unsigned int blocks, lanes_log2;
    unsigned int is_first, is_last, has_initial, is_partial;
    unsigned int row, block;
    std::int64_t offset;  ///< The offset of the row's result.

    template <class Range>
    __device__ group_end(const reduce_target<Steps>& target, const Range& range, unsigned int own_row,
                         unsigned int own_block)
        : initial(target.initial), out(target.place.out), carried(target.carried()), all_parts(target.parts()),
          counters(target.place.counters), blocks(range.blocks),
          lanes_log2(static_cast<unsigned int>(range.lanes_log2)), is_first(target.place.is_first),
          is_last(target.place.is_last), has_initial(target.place.has_initial), is_partial(target.place.is_partial),
          row(own_row), block(own_block), offset(offset_along(range.rows, own_row, target.place.rows)) {}

    __device__ bool is_warp() const { return 1u << lanes_log2 < blockDim.x; }
    /// Returns the partial results of the blocks that share the row.
    __device__ partial<Steps>* parts() const { return all_parts + std::size_t{row} * blocks; }
    /// Returns how many of these are done.
    __device__ unsigned int* counter() const { return counters + row; }

    /// Stores the result of the row, or carries it over to the next launch.
    __device__ void finish(const partial<Steps>& folded) const {
        partial<Steps> before;
        if (!is_first)
            before = *carried;
        else if (has_initial)
            before = partial<Steps>(initial);
        const partial<Steps> all = reduce_target<Steps>::completed(before, folded);
        if (is_last)
            reduce_target<Steps>::store(out, is_partial != 0, offset, all.value);
        else
            *carried = all;
    }
};

/// Combines the partial results of a group's threads and, if several blocks share the row, of these blocks.
template <int Threads, class Steps>
__device__ inline void finish_group(partial<Steps>& mine, const group_end<Steps>& end) {
    // A single warp needs neither barriers nor shared memory.
    fold_lanes(mine);
    const bool is_warp = end.is_warp();
    if (!is_warp) fold_warps<Threads>(mine);
    if (end.blocks > 1) {
        // The last of several blocks does the same with the partial results of all blocks.
        if (threadIdx.x == 0) end.parts()[end.block] = mine;
        mine = partial<Steps>();
        if (end.blocks <= warp_size) {
            // Few partial results: a single warp combines them without a barrier.
            if (threadIdx.x >= warp_size) return;
            int is_last = 0;
            if (threadIdx.x == 0) is_last = is_last_of(end.counter(), end.blocks);
            if (!__shfl_sync(0xffffffffu, is_last, 0)) return;
            __syncwarp();
            if (threadIdx.x < end.blocks) mine = end.parts()[threadIdx.x];
            fold_lanes(mine, static_cast<int>(end.blocks));
        } else {
            if (!is_last_block(end.counter(), end.blocks)) return;
            // Seldom more than one for each thread.
            const unsigned int share = (end.blocks + blockDim.x - 1) / blockDim.x;
            FOLDWISE_NOT_UNROLLED
            for (unsigned int i = threadIdx.x * share; i < (threadIdx.x + 1) * share && i < end.blocks; ++i)
                mine.append(end.parts()[i]);
            fold_lanes(mine);
            fold_warps<Threads>(mine);
        }
    }
    if ((is_warp ? threadIdx.x % warp_size : threadIdx.x) == 0) end.finish(mine);
}

/// Does what end_group above does, as the last thing that the calling threads do. `value` is their partial result if
/// there is one.
template <int Threads, class Steps>
FOLDWISE_LAST_CALL __device__ void end_group(typename Steps::accumulator value, bool is_some, group_end<Steps> end) {
    partial<Steps> mine(value);
    mine.is_some = is_some;
    finish_group<Threads>(mine, end);
    end_thread();
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
