// runtime/src/blocks/launch_blocks.cpp: launches the kernel of a call, a CUDA block for each block.
#include "gpu/by_rank.hpp"
#include "gpu/view_parameters.hpp"

#include <foldwise/detail/blocks_code.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise::detail {

namespace {

template <int N> int launch_blocks(const blocks_code& code, const blocks_call& call, CUstream_st* stream) {
    parameters all;
    add_arguments(all, call, code.ranks, code.parameters);
    block_grid<N> grid{};
    std::int64_t count = 1;
    for (int axis = 0; axis < N; ++axis) {
        const std::int64_t blocks = (call.tasks[axis] + code.extents[axis] - 1) / code.extents[axis];
        if (axis > 0) grid.blocks[axis] = divider<std::uint32_t>::by(static_cast<std::uint32_t>(blocks));
        count *= blocks;
    }
    all.add(grid);
    return code.file->launch({.kernel = code.instances[call.is_plain ? 0 : 1],
                              .blocks = {static_cast<unsigned int>(count), 1, 1},
                              .threads = static_cast<unsigned int>(code.threads),
                              .shared_bytes = call.shared_bytes,
                              .has_barriers = true,
                              .stream = stream,
                              .arguments = all.addresses()});
}

}  // namespace

int launch(const blocks_code& code, const blocks_call& call, CUstream_st* stream) {
    return by_rank(code.block_rank,
                   [&]<int N>(std::integral_constant<int, N>) { return launch_blocks<N>(code, call, stream); });
}

}  // namespace foldwise::detail
