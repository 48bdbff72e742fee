// foldwise/cpu/blocks.hpp: how emitted `blocks` kernels run on a CPU thread: phases are loops over the items.
#pragma once

#include <foldwise/cpu/kernel.hpp>  // first: it sets what the rest is compiled for
#include <foldwise/cpu/operands.hpp>
#define FOLDWISE_ITEMS_TOGETHER FOLDWISE_CPU_SIMD
#include <foldwise/cpu/forall.hpp>
#include <foldwise/detail/blocks_kernel.hpp>
#include <foldwise/spec/block.hpp>

#include <cstdint>

namespace foldwise::cpu {

/// Calls run(block) for the blocks [begin, end) of a call, in the order of detail::block_order.
template <std::int64_t... E, class Run>
__attribute__((always_inline)) inline void each_block(const detail::blocks_call& call, std::int64_t begin,
                                                      std::int64_t end, const Run& run) {
    detail::each_block<E...>(call.tasks, begin, end, run);
}

}  // namespace foldwise::cpu
