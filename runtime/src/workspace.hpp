// runtime/src/workspace.hpp: GPU memory that reductions of one stream share, one after the other.
//
// Each stream has one, made when it is first asked for, grown when a call needs more, and kept. Whose it is, is told by
// the stream's number, because CUDA gives the handles of destroyed streams to new ones, even while the old one's work
// goes on. CUDA does not tell when a stream is destroyed. So where a GPU has more streams than `few_streams`, each use
// of a workspace ends with an event, and a new stream takes over one whose last use is done. No more are kept than were
// ever in use at the same time, and a few.
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
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace foldwise::detail {

/// How many bytes a call needs of each kind.
struct workspace_size {
    std::size_t counters = reduce_counter_bytes, parts = reduce_part_bytes;
};

/// A stream's workspace, for one thread at a time: what is launched while this lives follows each other on the stream.
struct workspace_lease {
    /// Records the event behind what was launched. Afterwards another stream may find out that the workspace is idle.
    class end_of_use {
      public:
        end_of_use() = default;
        end_of_use(const device_api& gpu, CUevent_st* event, CUstream_st* stream, std::atomic<bool>& is_recorded)
            : gpu_(&gpu), event_(event), stream_(stream), is_recorded_(&is_recorded) {}
        end_of_use(end_of_use&& other) noexcept { *this = std::move(other); }
        end_of_use& operator=(end_of_use&& other) noexcept {
            std::swap(gpu_, other.gpu_);
            std::swap(event_, other.event_);
            std::swap(stream_, other.stream_);
            std::swap(is_recorded_, other.is_recorded_);
            return *this;
        }
        ~end_of_use() {
            if (event_) is_recorded_->store(gpu_->record(event_, stream_) == 0);
        }

      private:
        const device_api* gpu_ = nullptr;
        CUevent_st* event_ = nullptr;
        CUstream_st* stream_ = nullptr;
        std::atomic<bool>* is_recorded_ = nullptr;
    };

    reduce_workspace memory;
    buffer of_call;               ///< From the user's resource: then nobody shares it.
    std::shared_ptr<void> owner;  ///< Of what the stream has kept.
    std::unique_lock<std::mutex> held;
    bool* has_stale_counters = nullptr;  ///< Of what the stream has kept.
    end_of_use end = {};                 ///< Before others get it.

    /// Says that a launch may have ended before all of its blocks had counted themselves, so that counters are not zero
    /// again. The next lease clears them.
    void mark_counters_stale() {
        if (has_stale_counters) *has_stale_counters = true;
    }
};

class workspaces {
  public:
    /// Of a GPU: so many streams' workspaces are kept without an event for each use.
    static constexpr std::size_t few_streams = 16;

    /// For the GPU that `where` names, which is the current one, and its stream. Once it is there, this allocates
    /// nothing and asks CUDA for no more than the stream's number and its capture's. `context` begins the messages of
    /// errors. Throws out_of_memory or device_error.
    workspace_lease lease(const executor& where, const workspace_size& size, const char* context);

    /// Frees all. Nobody may be using any, and every stream that has used one must still be there. For tests.
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
        workspace() = default;
        workspace(const workspace&) = delete;
        ~workspace();

        CUstream_st* stream = nullptr;
        reduce_workspace memory{};
        buffer owned;                     ///< Outside of captures.
        graph_memory* shared = nullptr;   ///< In one.
        bool has_stale_counters = false;  ///< They are cleared before the next launch.
        CUevent_st* end_of_use = nullptr;
        std::atomic<bool> is_recorded = false;  ///< The event, behind the last use.
        std::mutex in_use;
    };
    struct found {
        std::shared_ptr<workspace> own;
        bool is_one_of_many;  ///< Its GPU has more than few_streams.
    };

    found find(const key& at, CUstream_st* stream, const device_api& gpu);
    void take_over_idle(workspace& made, int device, const device_api& gpu);
    graph_memory* take_spare(int device, const workspace_size& size);
    graph_memory* make_for_graph(int device, const workspace_size& size, const device_api& gpu, const char* context);
    void grow(workspace& mine, int device, const workspace_size& size, const device_api& gpu, const char* context);
    void grow_in_capture(workspace& mine, int device, const workspace_size& size, const device_api& gpu,
                         const char* context);

    std::mutex mutex_;  ///< Of what follows; held for no longer than it takes to find something there.
    std::map<key, std::shared_ptr<workspace>> all_;
    std::map<int, std::size_t> streams_;  ///< By device: how many entries have no capture.
    std::list<graph_memory> of_graphs_;
};

/// The program's. Never destroyed: when the program ends CUDA may be gone before they are.
workspaces& all_workspaces();

inline workspace_lease workspace_of(const executor& where, const workspace_size& size, const char* context) {
    return all_workspaces().lease(where, size, context);
}

}  // namespace foldwise::detail
