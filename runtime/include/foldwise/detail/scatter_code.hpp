// foldwise/detail/scatter_code.hpp: the kernels of a scattered fold, and the parameters that they are launched with.
//
// A kernel has a parameter for each input, then the range of elements, the index space if its map takes an index, and
// finally the target. The parameter of an input is followed by an element of the input's type, which is used if the
// input is a single value.
#pragma once

#include <foldwise/detail/divide.hpp>
#include <foldwise/detail/gpu_code.hpp>
#include <foldwise/detail/host_device.hpp>
#include <foldwise/detail/reduce_code.hpp>
#include <foldwise/detail/scatter_kernel.hpp>

#include <cstdint>

namespace foldwise::detail {

/// How elements are combined into bins. A kernel is compiled once for each.
enum class scatter_instance : std::uint8_t {
#define FOLDWISE_SCATTER_INSTANCE(name, description, condition) name,
#include <foldwise/detail/scatter_instances.def>
#undef FOLDWISE_SCATTER_INSTANCE
};

#define FOLDWISE_SCATTER_INSTANCE(name, description, condition) +1
inline constexpr int scatter_instances = 0
#include <foldwise/detail/scatter_instances.def>
    ;
#undef FOLDWISE_SCATTER_INSTANCE

/// The bytes of shared memory that a block's copies of the bins may take.
inline constexpr std::int64_t shared_bin_bytes = 48 << 10;

/// Returns how many bins copies have room for that have room for `least` at least. The number has the bit of `least`:
/// so compilers know that it is not smaller, and need not compare it with a place that they know to be below `least`.
FOLDWISE_HD constexpr int rows_of_copies(int bins, int least) { return (bins < least ? least : bins) | least; }

/// The kernels of one signature of a scattered fold.
struct scatter_code {
    const gpu_file* file;
    gpu_code instances[scatter_instances];  ///< Indexed by scatter_instance; null if not needed.
    known_blocks* resident;                 ///< One for each instance.
    const operand_type* operands;           ///< The inputs, then the output.
    int inputs;
    int threads;  ///< Threads per block, a power of two.
    int width;    ///< Elements per vector.
    int index_rank;
    int entries;            ///< The number of places of each element.
    int copies;             ///< At most so many copies of the bins are in a block's shared memory, a power of two.
    int least_rows;         ///< How many bins those copies have room for at least, a power of two or 0.
    int threads_of_copies;  ///< The most threads of a block that has copies of the bins, a power of two.
    bool is_exact;          ///< Whether the result does not depend on the order of the elements.
};

/// Launches what suits the call, asynchronously on the stream; returns a cudaError_t, or needs_memory.
int launch(const scatter_code& code, const scatter_call& call, CUstream_st* stream);

/// An input of a scattered fold.
struct scatter_operand {
    const void* data;                ///< Null for a value.
    bool is_wide;                    ///< Whether vectors are aligned, in launches that read vectors.
    std::int64_t strides[max_axes];  ///< In elements, innermost first.
};

/// The elements of a launch.
struct scatter_range {
    std::int64_t count;
    int rank;
    divider<std::uint64_t> extents[max_axes];  ///< Innermost first; the outermost is not used.
};

/// Converts an element's number to the index of rank N that a map takes.
template <int N> struct scatter_space {
    std::int64_t origin;                ///< The position of the call's first element, in row-major order.
    divider<std::uint64_t> extents[N];  ///< Extents, outermost first; the first is not used.
};

/// A batch of values, each as the number of its bin and its own in the batch.
struct scatter_pairs {
    std::uint32_t* bins = nullptr;
    std::uint32_t* values = nullptr;
    std::int64_t first = 0, elements = 0;  ///< The elements of the batch.
};

/// Where a launch combines elements into.
struct scatter_target {
    scatter_bins bins{};
    std::uint32_t few_extents[max_index_rank] = {};  ///< The extents of the bins, if 32 bits can number bins.
    std::int64_t count = 0;                          ///< The number of bins.
    void* copies = nullptr;                          ///< The chunks' copies of the bins; null if there is one chunk.
    int chunks = 1;
    int copy_stride = 1;    ///< From one bin of a copy to the next.
    int shared_copies = 1;  ///< The copies in a block's shared memory.
    int kept_bins = 0;      ///< How many bins a block keeps in shared memory, a power of two or 0, if not all.
    bool is_fresh = false;
    scatter_pairs pairs{};
};

}  // namespace foldwise::detail
