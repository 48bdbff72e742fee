// runtime/src/workspace.hpp: GPU memory that reductions of one stream share, one after the other.
//
// Each stream has one, made when it is first asked for, grown when a call needs more, and kept. Whose it is, is told by
// the stream's number, because CUDA gives the handles of destroyed streams to new ones, even while the old one's work
// goes on. Nor does CUDA tell when a stream is destroyed, or when its work is done then: its workspace is found when
// the handle comes back with another number, and freed, without waiting for the device, when `kept_of_ended_streams`
// more have been found. So a destroyed stream's reductions must not stay unfinished while that many streams come and
// go. Workspaces of threads' own default streams are never freed.
//
// A call that is given a memory resource has its workspace from there, for as long as it is launched: what the resource
// gave goes back in the order of the stream, and nothing of it is kept.
//
// Calls that a graph captures have a workspace for each of the capture's streams, apart from those of calls that run at
// once: the graph may be replayed beside them, on any stream. It is made without a trace in the capture, and belongs to
// the graph: when that and all that were made of it are gone, another capture takes it over. Instances of one graph
// share it, and so must not run side by side; what they write forbids that anyway.
#pragma once

#include <foldwise/detail/buffer.hpp>
#include <foldwise/detail/device_api.hpp>
#include <foldwise/detail/reduce_kernel.hpp>

#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <mutex>

namespace foldwise::detail {

/// How many bytes a call needs of each kind.
struct workspace_size {
    std::size_t counters = reduce_counter_bytes, parts = reduce_part_bytes;
};

/// A stream's workspace, for one thread at a time: what is launched while this lives follows each other on the stream.
struct workspace_lease {
    reduce_workspace memory;
    buffer of_call;               ///< From the user's resource: then nobody shares it.
    std::shared_ptr<void> owner;  ///< Of what the stream has kept.
    std::unique_lock<std::mutex> held;
    bool* has_stale_counters = nullptr;  ///< Of what the stream has kept.

    /// Says that a launch may have ended before all of its blocks had counted themselves, so that counters are not zero
    /// again. The next lease clears them.
    void mark_counters_stale() {
        if (has_stale_counters) *has_stale_counters = true;
    }
};

class workspaces {
  public:
    static constexpr std::size_t kept_of_ended_streams = 64;

    /// For the GPU that `where` names, which is the current one, and its stream. Once it is there, this allocates
    /// nothing and asks CUDA for no more than the stream's number and its capture's. `asker` is for messages. Throws
    /// out_of_memory or device_error.
    workspace_lease lease(const executor& where, const workspace_size& size, const char* asker);

    /// Frees all. Nobody may be using any.
    void clear();

  private:
    /// A GPU, and the numbers of a stream and of its capture.
    struct key {
        int device;
        std::uint64_t stream, capture;
        auto operator<=>(const key&) const = default;
    };
    /// What belongs to a graph, or to no graph any more.
    struct graph_memory {
        explicit graph_memory(int device_) : device(device_) {}

        const int device;
        reduce_workspace memory{};
        std::atomic<bool> is_spare = false;
    };
    struct workspace {
        CUstream_st* stream = nullptr;
        reduce_workspace memory{};
        buffer owned;                     ///< Outside of captures.
        graph_memory* shared = nullptr;   ///< In one.
        bool has_stale_counters = false;  ///< They are cleared before the next launch.
        std::mutex in_use;
    };

    std::shared_ptr<workspace> find(const key& at, CUstream_st* stream);
    void retire_ended(const key& at, CUstream_st* stream);
    graph_memory* take_spare(int device, const workspace_size& size);
    graph_memory* make_for_graph(int device, const workspace_size& size, const device_api& gpu, const char* asker);
    void grow(workspace& mine, int device, const workspace_size& size, const device_api& gpu, const char* asker);
    void grow_in_capture(workspace& mine, int device, const workspace_size& size, const device_api& gpu,
                         const char* asker);

    std::mutex mutex_;  ///< Of what follows; held for no longer than it takes to find something there.
    std::map<key, std::shared_ptr<workspace>> all_;
    std::map<int, std::deque<buffer>> ended_;  ///< By device.
    std::list<graph_memory> of_graphs_;
};

/// The program's. Never destroyed: when the program ends CUDA may be gone before they are.
workspaces& all_workspaces();

inline workspace_lease workspace_of(const executor& where, const workspace_size& size, const char* asker) {
    return all_workspaces().lease(where, size, asker);
}

}  // namespace foldwise::detail
