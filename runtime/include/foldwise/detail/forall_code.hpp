// foldwise/detail/forall_code.hpp: the kernels of a forall signature, and the parameters they are launched with.
//
// A kernel has a parameter for each of the lambda's, view or value, and last the grid of tasks.
#pragma once

#include <foldwise/detail/divide.hpp>
#include <foldwise/detail/forall_kernel.hpp>
#include <foldwise/detail/gpu_code.hpp>
#include <foldwise/detail/host_device.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise::detail {

/// What is known of all views of a launch. Kernels are compiled once for each.
enum class view_layout : std::uint8_t {
#define FOLDWISE_FORALL_INSTANCE(name, description) name,
#include <foldwise/detail/forall_instances.def>
#undef FOLDWISE_FORALL_INSTANCE
};

#define FOLDWISE_FORALL_INSTANCE(name, description) +1
inline constexpr int view_layouts = 0
#include <foldwise/detail/forall_instances.def>
    ;
#undef FOLDWISE_FORALL_INSTANCE

/// The kernels of one signature.
struct forall_code {
    const gpu_file* file;
    gpu_code instances[view_layouts];  ///< By view_layout.
    const int* ranks;                  ///< Of each parameter: a view's axes, or 0 for a value.
    int parameters;
    int index_rank;
    int threads;  ///< Of a block: a power of two.
};

/// Launches asynchronously on the stream; returns a cudaError_t.
int launch(const forall_code& code, const forall_call& call, CUstream_st* stream);

/// What extents and strides are counted in.
template <view_layout Layout>
using view_number = std::conditional_t<Layout == view_layout::plain, std::int32_t, std::int64_t>;

/// How tasks are dealt out: a block has a tile of neighbouring ones, whose sides are powers of two, and tiles are
/// numbered in row-major order.
template <int N> struct forall_grid {
    std::int64_t extents[N];          ///< Where the tasks end,
    std::int64_t first;               ///< and begin, along the outermost axis;
    int bits[N];                      ///< extents of a tile, as powers of two,
    divider<std::uint32_t> tiles[N];  ///< and in tiles; the outermost one's is not used.
    unsigned int blocks;

    /// Where a thread's task is, or would be.
    template <class Coordinate>
    FOLDWISE_HD void place(unsigned int block, unsigned int thread, Coordinate* coordinates) const {
        for (int axis = N - 1; axis >= 0; --axis) {
            const unsigned int tile = axis == 0 ? block : tiles[axis].split(block);
            const unsigned int mask = (1u << bits[axis]) - 1;
            using number = std::make_unsigned_t<Coordinate>;
            number coordinate = (static_cast<number>(tile) << bits[axis]) + (thread & mask);
            if (axis == 0) coordinate += static_cast<number>(first);
            coordinates[axis] = static_cast<Coordinate>(coordinate);
            thread >>= bits[axis];
        }
    }
};

static_assert(sizeof(forall_grid<max_index_rank>) <= forall_grid_bytes);

}  // namespace foldwise::detail
