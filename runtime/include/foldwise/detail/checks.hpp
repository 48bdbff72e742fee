// foldwise/detail/checks.hpp: how kernels of checked builds report errors.
//
// FOLDWISE_CHECKED is defined for everything that a CHECKED target compiles. The generator reads specs as in an
// unchecked build.
#pragma once

#if defined(FOLDWISE_CHECKED) && !defined(FOLDWISE_GENERATOR)
#define FOLDWISE_LOOKS
#endif

#include <foldwise/detail/host_device.hpp>
#include <foldwise/detail/limits.hpp>

#include <cstdint>
#include <type_traits>

#ifdef FOLDWISE_SIMULATOR
#include <foldwise/simulator/types.hpp>
#elif defined(FOLDWISE_LOOKS) && defined(__CUDACC__)
#include <mutex>
#endif

namespace foldwise::detail {

/// The kinds of errors that checked kernels report.
enum class mistake : int {
    none,
    index,      ///< values: a coordinate that is out of bounds, and the axis's extent.
    division,   ///< values: the dividend of a division by zero.
    overflow,   ///< values: the smallest number of its type, divided by -1.
    shift,      ///< values: the shift distance, and the number of bits.
    offset,     ///< values: the number of a segment's offset, the offset, and the bound that it breaks.
    empty,      ///< values: the number of a segment that has neither elements nor an identity.
    assertion,  ///< text: the expression of an assert.
    failure,    ///< text: the argument of foldwise::fail.
    reach,      ///< values: an offset that a stencil kernel looks too far by, and its radius along the axis.
};

/// An error and its location in the user's source.
struct finding {
    mistake kind;
    const char* file;
    int line;
    std::int64_t values[3];
    bool is_unsigned;  ///< Whether the first value is unsigned.
    int axis;
    const char* text;

    static FOLDWISE_HD constexpr finding of_index(const char* file, int line, std::int64_t coordinate,
                                                  std::int64_t extent, int axis) {
        return {mistake::index, file, line, {coordinate, extent}, false, axis, nullptr};
    }
    static FOLDWISE_HD constexpr finding of_offset_along(const char* file, int line, std::int64_t offset,
                                                         std::int64_t reach, int axis) {
        return {mistake::reach, file, line, {offset, reach}, false, axis, nullptr};
    }
    template <class T>
    static FOLDWISE_HD constexpr finding of_number(mistake kind, const char* file, int line, T first,
                                                   std::int64_t second = 0) {
        return {kind, file, line, {static_cast<std::int64_t>(first), second}, std::is_unsigned_v<T>, 0, nullptr};
    }
    /// An offset is less than `bound`, the one before it, or greater, which is then the length of a row.
    static FOLDWISE_HD constexpr finding of_offset(std::int64_t number, std::int64_t offset, std::int64_t bound) {
        return {mistake::offset, nullptr, 0, {number, offset, bound}, false, 0, nullptr};
    }
    static FOLDWISE_HD constexpr finding of_empty(std::int64_t segment) {
        return {mistake::empty, nullptr, 0, {segment}, false, 0, nullptr};
    }
    static FOLDWISE_HD constexpr finding of_text(mistake kind, const char* file, int line, const char* text) {
        return {kind, file, line, {}, false, 0, text};
    }
};

/// A finding in a fixed-size form that a GPU can pass to the host.
struct report {
    static constexpr int room = report_text_bytes;

    int claimed;  ///< Set by the first thread that reports an error.
    mistake kind;
    int line;
    int axis;
    std::int64_t values[3];
    bool is_unsigned;  ///< Whether the first value is unsigned.
    unsigned int block[3], thread[3];
    bool has_thread;  ///< Whether `block` and `thread` are set, as on a GPU and in the simulator.
    int task_rank;    ///< The rank of a forall kernel's index; 0 if the task is not known.
    std::int64_t task[max_index_rank];
    bool is_item;                 ///< Whether task[0] is the number of an item of a guvectorize kernel.
    int block_rank;               ///< The rank of a blocks kernel's `block` on the CPU; 0 if that is not known.
    bool is_in_block;             ///< Whether `task` is an item of that block.
    char file[room], text[room];  ///< Zero-terminated.

    void set_item(std::int64_t number) {
        task[0] = number;
        is_item = true;
    }
    /// Sets how many blocks are before one along each axis.
    void set_block(int rank, const std::int64_t* number) {
        block_rank = rank;
        for (int i = 0; i < rank; ++i) block[i] = static_cast<unsigned int>(number[i]);
    }
    /// Sets the item of a block that fails.
    template <class Index> void set_item_of_block(int rank, const Index& item) {
        is_in_block = true;
        for (int i = 0; i < rank; ++i) task[i] = item[i];
    }
};

FOLDWISE_HD inline void copy_text(char (&to)[report::room], const char* from) {
    int i = 0;
    for (; from && from[i] != 0 && i + 1 < report::room; ++i) to[i] = from[i];
    to[i] = 0;
}

/// Returns as much of the end of a path as a report has room for: the end has the file's name.
FOLDWISE_HD inline const char* end_of_path(const char* path) {
    int size = 0;
    while (path && path[size] != 0) ++size;
    return size < report::room ? path : path + (size + 1 - report::room);
}

FOLDWISE_HD inline void fill(report& to, const finding& what) {
    to.kind = what.kind;
    to.line = what.line;
    to.axis = what.axis;
    for (int i = 0; i < 3; ++i) to.values[i] = what.values[i];
    to.is_unsigned = what.is_unsigned;
    copy_text(to.file, end_of_path(what.file));
    copy_text(to.text, what.text);
}

/// Thrown on the host by kernels of the CPU and the simulator, and by launches on a GPU. The runtime turns it into a
/// device_error.
struct check_failed {
    report found;
};

#ifdef FOLDWISE_LOOKS

#if defined(__CUDACC__) && !defined(FOLDWISE_SIMULATOR)
// With separable compilation, the files of a program are linked for the GPU, and inline functions that several of them
// define, such as stop(), are merged into one. Therefore all of these files share the state as well.
#ifdef __CUDACC_RDC__
#define FOLDWISE_OF_LINKED_FILES inline
#else
#define FOLDWISE_OF_LINKED_FILES static
#endif

/// The report of this file's kernels; the host reads it after each launch (device/launch.hpp).
static __device__ report found_on_device;

/// Where the running kernel reports: the report of its own file.
FOLDWISE_OF_LINKED_FILES __device__ report* reported_to;

/// Locked while a kernel runs, because there is only one report.
FOLDWISE_OF_LINKED_FILES std::mutex one_checked_launch;

namespace {
/// Every thread of a kernel calls this before anything that may call stop().
__device__ inline void report_to_this_file() { reported_to = &found_on_device; }
}  // namespace
#endif

// The contents of this namespace differ between backends, and one program may link files of several backends.
#if defined(FOLDWISE_SIMULATOR)
#define FOLDWISE_CHECKS_OF checks_of_simulator
#elif defined(__CUDACC__)
#define FOLDWISE_CHECKS_OF checks_of_cuda
#else
#define FOLDWISE_CHECKS_OF checks_of_cpu
#endif
inline namespace FOLDWISE_CHECKS_OF {

/// Ends the calling thread. The first report wins.
#if defined(__CUDA_ARCH__)
[[noreturn]] __device__ __noinline__ inline void stop(const finding& what) {
    report& found = *reported_to;
    if (atomicCAS(&found.claimed, 0, 1) == 0) {
        fill(found, what);
        const unsigned int place[] = {blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z};
        for (int i = 0; i < 3; ++i) {
            found.block[i] = place[i];
            found.thread[i] = place[3 + i];
        }
        found.has_thread = true;
    }
    asm volatile("exit;");
    __builtin_unreachable();
}
#else
[[noreturn]] FOLDWISE_HD inline void stop(const finding& what) {
    check_failed failed{};
    fill(failed.found, what);
#ifdef FOLDWISE_SIMULATOR
    const simulation::dim3 places[] = {simulation::blockIdx, simulation::threadIdx};
    for (int i = 0; i < 2; ++i) {
        unsigned int* const to = i == 0 ? failed.found.block : failed.found.thread;
        to[0] = places[i].x;
        to[1] = places[i].y;
        to[2] = places[i].z;
    }
    failed.found.has_thread = true;
#endif
    throw failed;
}
#endif

/// A coordinate or an index, and the location in the user's source where it was converted to this type.
template <class Place> struct located {
    Place value;
    const char* file;
    int line;

    template <class From>
    requires std::is_convertible_v<const From&, Place>
        FOLDWISE_HD constexpr located(const From& from, const char* file_ = __builtin_FILE(),
                                      int line_ = __builtin_LINE())
        : value(from), file(file_), line(line_) {}
};

}  // namespace FOLDWISE_CHECKS_OF

#endif  // FOLDWISE_LOOKS

}  // namespace foldwise::detail
