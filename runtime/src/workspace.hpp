// runtime/src/workspace.hpp: GPU memory that the reductions of a stream share, one after the other.
//
// Each stream has a workspace, which is created on first use, grows when a call needs more, and is kept. It is
// identified by the stream's unique number, because CUDA reuses the handles of destroyed streams, even while their work
// is still in flight. CUDA does not report when a stream is destroyed. Therefore, once a GPU has more streams than
// `few_streams`, an event is recorded after each use of a workspace, and a new stream takes over a workspace whose last
// use is done. This limits the number of workspaces to a few more than were ever in use at the same time.
//
// If a call is given a memory resource, its workspace comes from there for the duration of the launch: it is freed in
// stream order, and nothing is kept.
//
// Calls that are captured into a graph have a workspace per stream of the capture, separate from those of other calls,
// because the graph may be replayed concurrently with them on any stream. It is allocated outside the capture and
// belongs to the graph: when the graph and everything instantiated from it are gone, another capture takes it over.
// Instances of one graph share it, so they must not run concurrently; as they write the same results, they must not do
// so anyway.
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

/// The bytes that a call needs for counters and for partial results.
struct workspace_size {
    std::size_t counters = reduce_counter_bytes, parts = reduce_part_bytes;
};

/// Exclusive use of a stream's workspace by one thread, so that launches during its lifetime follow each other on the
/// stream.
struct workspace_lease {
    /// Records the event after what was launched, which lets another stream find out that the workspace is idle.
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
    buffer of_call;               ///< Memory from the user's resource, which nobody shares.
    std::shared_ptr<void> owner;  ///< Keeps the stream's workspace alive; null with of_call.
    /// Locks the stream's workspace.
    std::unique_lock<std::mutex> held;
    bool* has_stale_counters = nullptr;  ///< The workspace's flag; null with of_call.
    end_of_use end = {};                 ///< Destroyed before the lock is released.

    /// Marks that a launch may have ended before all of its blocks were counted, which leaves counters that are not
    /// zero. The next lease clears them.
    void mark_counters_stale() {
        if (has_stale_counters) *has_stale_counters = true;
    }
};

/// The workspaces of all streams and graphs of the program.
class workspaces {
  public:
    /// The number of streams per GPU up to which no events are recorded.
    static constexpr std::size_t few_streams = 16;

    /// Returns the workspace of the stream that `where` names; its GPU must be current. Once the workspace exists, this
    /// allocates nothing and asks CUDA only for the numbers of the stream and of its capture. `context` begins the
    /// messages of errors. Throws out_of_memory or device_error.
    workspace_lease lease(const executor& where, const workspace_size& size, const char* context);

    /// Frees all workspaces. None may be in use, and every stream that has used one must still exist. For tests.
    void clear();

  private:
    /// A GPU, and the numbers of a stream and of its capture.
    struct key {
        int device;
        std::uint64_t stream, capture;
        auto operator<=>(const key&) const = default;
    };
    /// Workspace memory that belongs to a graph, or that is spare because its graph is gone.
    struct graph_memory {
        explicit graph_memory(int device_) : device(device_) {}

        const int device;
        reduce_workspace memory{};
        std::atomic<bool> is_spare = false;  ///< Whether the graph is gone, so that another capture may take this over.
    };
    /// The workspace of a stream, or of a stream in a capture.
    struct workspace {
        workspace() = default;
        workspace(const workspace&) = delete;
        ~workspace();

        CUstream_st* stream = nullptr;
        reduce_workspace memory{};
        buffer owned;                           ///< The memory outside of captures.
        graph_memory* shared = nullptr;         ///< The memory in a capture.
        bool has_stale_counters = false;        ///< Whether the counters must be cleared before the next launch.
        CUevent_st* end_of_use = nullptr;       ///< Null unless events are recorded (few_streams).
        std::atomic<bool> is_recorded = false;  ///< Whether the event was recorded after the last use.
        std::mutex in_use;                      ///< Held by the lease.
    };
    /// The workspace that find() has found or made, as it returns it.
    struct found {
        std::shared_ptr<workspace> own;
        bool is_one_of_many;  ///< Whether the stream's GPU has more than few_streams.
    };

    /// Returns the workspace of a stream or of a stream in a capture. A new one has no memory, unless it takes over an
    /// idle workspace.
    found find(const key& at, CUstream_st* stream, const device_api& gpu);
    void take_over_idle(workspace& made, int device, const device_api& gpu);
    /// Returns spare memory that is large enough, and is spare no longer; null if there is none.
    graph_memory* take_spare(int device, const workspace_size& size);
    graph_memory* make_for_graph(int device, const workspace_size& size, const device_api& gpu, const char* context);
    void grow(workspace& mine, int device, const workspace_size& size, const device_api& gpu, const char* context);
    void grow_in_capture(workspace& mine, int device, const workspace_size& size, const device_api& gpu,
                         const char* context);

    std::mutex mutex_;  ///< Guards the members below; held only to find an entry.
    std::map<key, std::shared_ptr<workspace>> all_;
    std::map<int, std::size_t> streams_;  ///< By device: the number of entries outside of captures.
    std::list<graph_memory> of_graphs_;
};

/// Returns the workspaces of the program. They are never destroyed, because CUDA may be gone first when the program
/// ends.
workspaces& all_workspaces();

/// Returns the workspace of the stream that `where` names, as workspaces::lease does.
inline workspace_lease workspace_of(const executor& where, const workspace_size& size, const char* context) {
    return all_workspaces().lease(where, size, context);
}

}  // namespace foldwise::detail
