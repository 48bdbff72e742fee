// foldwise/detail/forall_code.hpp: the kernels of a forall signature, and the parameters that they are launched with.
//
// A kernel has a parameter for each one of the lambda, view or value, and finally the grid of tasks.
#pragma once

#include <foldwise/detail/divide.hpp>
#include <foldwise/detail/forall_kernel.hpp>
#include <foldwise/detail/gpu_code.hpp>
#include <foldwise/detail/host_device.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise::detail {

/// What all views of a launch have in common. A kernel is compiled once for each.
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

/// The kernels of one signature of a forall kernel.
struct forall_code {
    const gpu_file* file;
    gpu_code instances[view_layouts];  ///< Indexed by view_layout.
    const int* ranks;                  ///< The rank of each parameter: a view's number of axes, or 0 for a value.
    int parameters;
    int index_rank;
    int threads;  ///< Threads per block, a power of two.
};

/// Launches asynchronously on the stream; returns a cudaError_t.
int launch(const forall_code& code, const forall_call& call, CUstream_st* stream);

/// The integer type of extents and strides in kernels of this layout.
template <view_layout Layout>
using view_number = std::conditional_t<Layout == view_layout::plain, std::int32_t, std::int64_t>;

/// How tasks are distributed over blocks. Each block has a tile of neighbouring tasks whose sides are powers of two;
/// tiles are numbered in row-major order.
template <int N> struct forall_grid {
    std::int64_t extents[N];          ///< The end of the tasks along each axis.
    std::int64_t first;               ///< The first task along the outermost axis.
    int bits[N];                      ///< Sides of a tile, as powers of two.
    divider<std::uint32_t> tiles[N];  ///< Tiles along each axis; the outermost is not used.
    unsigned int blocks;

    /// Writes the coordinates of a thread's task, which may lie beyond the extents.
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
