// foldwise/detail/checks.hpp: what kernels of checked builds do when something is wrong.
//
// FOLDWISE_CHECKED is defined for all that a CHECKED target compiles. The generator reads specs as they are without.
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

enum class mistake : int {
    none,
    index,      ///< values: a coordinate, and the extent that it is not within.
    division,   ///< values: what is divided by zero.
    overflow,   ///< values: the least number there is, divided by -1.
    shift,      ///< values: the distance, and the bits that there are.
    assertion,  ///< text: of an assert.
    failure,    ///< text: given to foldwise::fail.
};

/// What is wrong, and where in the user's text.
struct finding {
    mistake kind;
    const char* file;
    int line;
    std::int64_t values[2];
    bool is_unsigned;  ///< Of the first value.
    int axis;
    const char* text;

    static FOLDWISE_HD constexpr finding of_index(const char* file, int line, std::int64_t coordinate,
                                                  std::int64_t extent, int axis) {
        return {mistake::index, file, line, {coordinate, extent}, false, axis, nullptr};
    }
    template <class T>
    static FOLDWISE_HD constexpr finding of_number(mistake kind, const char* file, int line, T first,
                                                   std::int64_t second = 0) {
        return {kind, file, line, {static_cast<std::int64_t>(first), second}, std::is_unsigned_v<T>, 0, nullptr};
    }
    static FOLDWISE_HD constexpr finding of_text(mistake kind, const char* file, int line, const char* text) {
        return {kind, file, line, {}, false, 0, text};
    }
};

/// The same as plain bytes, so that a GPU can hand it over.
struct report {
    static constexpr int room = report_text_bytes;

    int claimed;  ///< By the first thread that found something.
    mistake kind;
    int line;
    int axis;
    std::int64_t values[2];
    bool is_unsigned;  ///< Of the first value.
    unsigned int block[3], thread[3];
    bool has_thread;  ///< Of a GPU or the simulator: then those two are set.
    int task_rank;    ///< Of a forall kernel; 0: it is not known.
    std::int64_t task[max_index_rank];
    char file[room], text[room];  ///< Ended by zero.
};

FOLDWISE_HD inline void copy_text(char (&to)[report::room], const char* from) {
    int i = 0;
    for (; from && from[i] != 0 && i + 1 < report::room; ++i) to[i] = from[i];
    to[i] = 0;
}

FOLDWISE_HD inline void fill(report& to, const finding& what) {
    to.kind = what.kind;
    to.line = what.line;
    to.axis = what.axis;
    to.values[0] = what.values[0];
    to.values[1] = what.values[1];
    to.is_unsigned = what.is_unsigned;
    copy_text(to.file, what.file);
    copy_text(to.text, what.text);
}

/// Thrown on the host: by kernels of the CPU and the simulator, and by launches on a GPU. The runtime makes a
/// device_error of it.
struct check_failed {
    report found;
};

#ifdef FOLDWISE_LOOKS

#if defined(__CUDACC__) && !defined(FOLDWISE_SIMULATOR)
// With separable compilation, files of one program are linked for the GPU, and inline functions that several of them
// have become one, stop() among them. So what is shared is shared by all of these files.
#ifdef __CUDACC_RDC__
#define FOLDWISE_OF_LINKED_FILES inline
#else
#define FOLDWISE_OF_LINKED_FILES static
#endif

/// What a kernel of this file has found; the host reads it after each launch (device/launch.hpp).
static __device__ report found_on_device;

/// Where the kernel that runs reports: to its own file.
FOLDWISE_OF_LINKED_FILES __device__ report* reported_to;

/// Held while a kernel runs, because there is one place to report to.
FOLDWISE_OF_LINKED_FILES std::mutex one_checked_launch;

namespace {
/// Every thread of a kernel calls this before any that may stop.
__device__ inline void report_to_this_file() { reported_to = &found_on_device; }
}  // namespace
#endif

// What stands in this namespace does different things in the files of different backends, of which one program may have
// several.
#if defined(FOLDWISE_SIMULATOR)
#define FOLDWISE_CHECKS_OF checks_of_simulator
#elif defined(__CUDACC__)
#define FOLDWISE_CHECKS_OF checks_of_cuda
#else
#define FOLDWISE_CHECKS_OF checks_of_cpu
#endif
inline namespace FOLDWISE_CHECKS_OF {

/// Ends the thread that calls it. The first report wins.
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

/// A coordinate, or several, and the place in the user's text where they are made one of these.
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
