// foldwise/detail/forall_kernel.hpp: what the launcher of a forall kernel passes to the runtime, and the runtime to the
// kernel. As in kernel.hpp, there are only plain data and function pointers here.
#pragma once

#include <foldwise/detail/kernel.hpp>

#include <cstdint>

namespace foldwise::detail {

/// An argument of a forall kernel besides the index: a view or a value.
struct forall_argument {
    void* data;  ///< A view's element at index 0, accessible to the backend; or a value's host address.
    std::int64_t extents[max_axes];  ///< A view's extents.
    std::int64_t strides[max_axes];  ///< A view's strides, in elements.
    /// Where a block's own sums begin in its shared memory, in bytes, if tasks only add to the view.
    std::uint32_t sums = 0;
};

/// What a view's elements are, as far as sums of them depend on it.
enum class numbers : unsigned char { unknown, integers, floating };

/// How many copies of its own sums a thread of the CPU has at most.
inline constexpr int most_own_copies = 4;

/// How the elements of tasks that are neighbours lie in memory, as far as the shape of a tile depends on it.
struct forall_walk {
    int across = -1;       ///< An axis other than the last along which some view is contiguous, or -1.
    int across_tasks = 1;  ///< How many tasks along `across` share a sector of 32 bytes of that view.
    int last_tasks = 1;    ///< How many tasks along the last axis share one of the views that are contiguous there.
};

struct forall_parameter;

/// One launch of a forall kernel. It lives on the caller's stack and is valid only during the call.
struct forall_call {
    const std::int64_t* tasks;  ///< The end of the tasks along each axis, outermost first; inner axes start at 0.
    std::int64_t first;         ///< The first task along the outermost axis, nonzero in later chunks.
    std::int64_t count;         ///< The number of tasks, at least one.
    const forall_argument* arguments;
    /// Whether every view has unit stride along its last axis, and 32 bits suffice for all extents, strides and offsets
    /// of views, in elements, and for the number of tasks along each axis.
    bool is_plain;
    forall_walk walk = {};  ///< How tasks that are neighbours lie in the views.
    /// The bytes that a block shares: its own sums in `summed` kernels, 0 if they do not suit the call; or what the
    /// items of a `blocks` kernel share.
    std::uint32_t shared_bytes = 0;
    bool is_apart = false;  ///< Whether no view that tasks write shares memory with another one that they touch.
    /// The number of elements per task in the view whose rows tasks loop along; 0 if they loop along none.
    std::int64_t looped_elements = 0;
    /// The most turns of one of a task's loops, if all end at extents of views and no turn takes long; otherwise
    /// INT64_MAX.
    std::int64_t most_turns = INT64_MAX;
    /// Whether the kernel has a `vectors` instance, and every view whose elements are named by the index has one of
    /// each task, touched or not.
    bool has_elements = false;
    /// If so: the axes of the index in the order of the first view that is written, and walk.across as it would be
    /// if the index had them in this order.
    const int* order = nullptr;
    int across_order = -1;
    /// And what is known of the arguments.
    const forall_parameter* parameters = nullptr;
    int parameter_count = 0;
    /// On the CPU: how many tasks along walk.across a tile has; 0 if the rows of tasks follow one another.
    std::int64_t tile_rows = 0;
    /// On the CPU: whether the views with `own_sums` are memory of the calling thread's own.
    bool has_own_sums = false;
    /// How far copies of them are apart; 0 if there is one.
    std::int64_t own_copy_bytes = 0;
    /// For GPUs: the same tasks with several axes as one, whose other ones then have one task each; null if there are
    /// none that can be one. Only for kernels that do not tell coordinates.
    const forall_call* merged = nullptr;
};

/// Returns the value that is passed for a parameter of type T.
template <class T> const T& value_of(const forall_call& call, int argument) {
    return *static_cast<const T*>(call.arguments[argument].data);
}

/// What is known of a parameter before any call.
struct forall_parameter {
    const char* name;         ///< The name in the user's lambda.
    std::uint32_t size;       ///< The size of an element or of the value, in bytes.
    std::uint32_t alignment;  ///< The alignment of an element or of the value, in bytes.
    int rank;                 ///< A view's number of axes; 0 for a value.
    bool reads, writes;       ///< Whether tasks read and write a view's elements.
    /// If each task certainly reads or writes the element at its own coordinates: for each axis of the view, the
    /// corresponding axis of the index. Otherwise null.
    const int* follows = nullptr;
    bool own_rows = false;  ///< Whether tasks access only elements whose first coordinate is that of their index.
    /// For each axis of the view, the axis of the index whose next task touches the next element along it, or -1. Null
    /// if this is not known.
    const int* moves = nullptr;
    bool is_summed = false;  ///< Whether all that tasks do with its elements is to add to them atomically.
    /// If tasks only read: a bit for each axis of the index along which they read elements at other coordinates than
    /// their own.
    unsigned int neighbours = 0;
    /// Whether tasks loop along its last axis, each in a part that its index chooses.
    bool is_looped = false;
    /// What tasks add, if that is all they do to the view, so that a thread of the CPU can add to memory of its own
    /// instead; else unknown.
    numbers own_sums = numbers::unknown;
    bool adds_in_loops = false;  ///< Whether a task may add to it any number of times.
    /// In `blocks`: whether each item of a block certainly accesses the element at its own index.
    bool is_of_all_items = false;
    /// A bit for each of the view's axes whose extent a loop of tasks ends at. 0 for all views if that is not known of
    /// some loop, or if a turn of one takes long.
    unsigned int loop_axes = 0;
};

/// One signature of a forall kernel, as its launcher describes it to the runtime. The function of a backend that was
/// not generated is null.
struct forall_kernel {
    const char* name;  ///< The qualified name: "stats::histogram".
    const forall_parameter* parameters;
    int parameter_count;  ///< At most max_operands.
    int index_rank;       ///< From 1 to max_index_rank.
    /// Runs the tasks [begin, end), which are numbered in row-major order, on the calling thread. If the call has
    /// tiles, the range consists of whole rows: of all tasks with the same index along walk.across and the axes before
    /// it.
    void (*cpu)(const forall_call&, std::int64_t begin, std::int64_t end);
    /// Launches asynchronously on the stream; returns a cudaError_t.
    int (*cuda)(const forall_call&, CUstream_st* stream);
    /// Runs the same emitted kernel on the host; complete on return; returns a cudaError_t.
    int (*simulator)(const forall_call&, CUstream_st* stream);
    /// Points to whether the file of `cuda` was compiled for per-thread default streams (nvcc's --default-stream
    /// per-thread).
    const bool* is_per_thread = nullptr;
    /// Whether tasks use their index for nothing but to name the elements of views that they touch, each by coordinates
    /// of the index alone, ask nothing else of views, and write some: what they do does not depend on how they are
    /// numbered.
    bool is_elementwise = false;
    bool has_vectors = false;  ///< Whether there is a `vectors` instance for GPUs.
};

}  // namespace foldwise::detail
