// runtime/src/workspace.cpp: allocates, shares and recycles the workspaces of reductions.
#include "workspace.hpp"

#include "device.hpp"

#include <foldwise/error.hpp>

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

namespace foldwise::detail {

namespace {

bool fits(const reduce_workspace& memory, const workspace_size& size) {
    return memory.counter_bytes >= size.counters && memory.part_bytes >= size.parts;
}

/// Returns `least`, doubled until it is at least `wanted`.
std::size_t doubled(std::size_t least, std::size_t wanted) {
    return least * std::bit_ceil((wanted + least - 1) / least);
}

/// Rounds sizes up, so that calls rarely find their workspace too small, and one graph's workspace fits the next graph.
workspace_size rounded_up(const workspace_size& size) {
    return {doubled(reduce_counter_bytes, size.counters), doubled(reduce_part_bytes, size.parts)};
}

/// Divides memory into counters, which come first, and partial results. Counters take a multiple of 64 bytes, so
/// partial results are aligned, too.
reduce_workspace laid_out(void* data, const workspace_size& size) {
    return {data, static_cast<std::byte*>(data) + size.counters, size.counters, size.parts};
}

/// Called when a graph is gone: marks its memory as spare.
void no_longer_used(void* is_spare) { static_cast<std::atomic<bool>*>(is_spare)->store(true); }

workspace_lease lease_from_resource(const device_api& gpu, const executor& where, const workspace_size& size,
                                    const char* context) {
    buffer of_call = gpu_memory(context, size.counters + size.parts, where);
    check_status(gpu, gpu.clear(of_call.data(), size.counters, where.stream()), context);
    const reduce_workspace memory = laid_out(of_call.data(), size);
    return {memory, std::move(of_call), nullptr, {}};
}

}  // namespace

workspace_lease workspaces::lease(const executor& where, const workspace_size& size, const char* context) {
    const device_api& gpu = require_gpu(context);
    CUstream_st* const stream = where.stream();
    stream_numbers at{};
    check_status(gpu, gpu.identify(stream, at), context);
    if (!at.capture && resource_for(memory::cuda, where.resource()))
        return lease_from_resource(gpu, where, size, context);
    auto [mine, is_one_of_many] = find({where.device(), at.stream, at.capture}, stream, gpu);
    std::unique_lock held(mine->in_use);
    mine->is_recorded = false;
    if (!fits(mine->memory, size)) {
        const workspace_size larger = rounded_up(
            {std::max(size.counters, mine->memory.counter_bytes), std::max(size.parts, mine->memory.part_bytes)});
        if (at.capture)
            grow_in_capture(*mine, where.device(), larger, gpu, context);
        else
            grow(*mine, where.device(), larger, gpu, context);
        mine->has_stale_counters = false;
    }
    if (mine->has_stale_counters) {
        check_status(gpu, gpu.clear(mine->memory.counters, mine->memory.counter_bytes, stream), context);
        mine->has_stale_counters = false;
    }
    workspace_lease::end_of_use end;
    if (is_one_of_many && !at.capture) {
        // Without an event, no other stream can take the workspace over; nothing else is lost.
        if (!mine->end_of_use && gpu.make_event(mine->end_of_use) != 0) mine->end_of_use = nullptr;
        if (mine->end_of_use) end = {gpu, mine->end_of_use, stream, mine->is_recorded};
    }
    bool* const has_stale_counters = &mine->has_stale_counters;
    return {mine->memory, {}, std::move(mine), std::move(held), has_stale_counters, std::move(end)};
}

workspaces::workspace::~workspace() {
    const device_api* gpu = registered_device();
    if (end_of_use && gpu) gpu->destroy(end_of_use);
}

workspaces::found workspaces::find(const key& at, CUstream_st* stream, const device_api& gpu) {
    const std::lock_guard lock(mutex_);
    const auto known = all_.find(at);
    std::size_t& count = streams_[at.device];
    if (known != all_.end()) return {known->second, count > few_streams};
    auto made = std::make_shared<workspace>();
    made->stream = stream;
    if (!at.capture && count >= few_streams) take_over_idle(*made, at.device, gpu);
    all_[at] = made;
    if (!at.capture) ++count;
    return {std::move(made), count > few_streams};
}

/// Transfers a workspace that no call is using and whose last use is done to a new stream.
void workspaces::take_over_idle(workspace& made, int device, const device_api& gpu) {
    const auto idle = std::find_if(all_.begin(), all_.end(), [&](const auto& one) {
        const auto& [of, candidate] = one;
        if (of.device != device || of.capture || candidate.use_count() != 1) return false;
        std::atomic_thread_fence(std::memory_order_acquire);  // use_count() itself orders nothing
        return candidate->is_recorded && gpu.has_happened(candidate->end_of_use);
    });
    if (idle == all_.end()) return;
    workspace& old = *idle->second;
    made.memory = old.memory;
    made.owned = std::move(old.owned);
    made.owned.follow(made.stream);
    made.has_stale_counters = old.has_stale_counters;
    std::swap(made.end_of_use, old.end_of_use);
    all_.erase(idle);
    --streams_[device];
}

void workspaces::grow(workspace& mine, int device, const workspace_size& size, const device_api& gpu,
                      const char* context) {
    buffer made = gpu_memory(context, size.counters + size.parts,
                             executor(backend::cuda, mine.stream, device, stream_ordered_memory()));
    check_status(gpu, gpu.clear(made.data(), size.counters, mine.stream), context);
    mine.memory = laid_out(made.data(), size);
    mine.owned = std::move(made);
}

/// Gives a capture a larger workspace. The previous one stays with the graph, whose earlier calls use it.
void workspaces::grow_in_capture(workspace& mine, int device, const workspace_size& size, const device_api& gpu,
                                 const char* context) {
    graph_memory* taken = take_spare(device, size);
    if (!taken) taken = make_for_graph(device, size, gpu, context);
    check_status(gpu, gpu.when_capture_is_gone(mine.stream, no_longer_used, &taken->is_spare), context);
    mine.memory = taken->memory;
    const std::lock_guard lock(mutex_);
    mine.shared = taken;
}

workspaces::graph_memory* workspaces::take_spare(int device, const workspace_size& size) {
    const std::lock_guard lock(mutex_);
    std::erase_if(all_, [](const auto& one) {
        const auto& [of, mine] = one;
        // After a failed call, a capture has no memory. Nobody else can have found such an entry while this is its only
        // owner.
        return of.capture && (mine->shared ? mine->shared->is_spare.load() : mine.use_count() == 1);
    });
    for (graph_memory& one : of_graphs_) {
        if (one.is_spare && one.device == device && fits(one.memory, size)) {
            one.is_spare = false;
            return &one;
        }
    }
    return nullptr;
}

workspaces::graph_memory* workspaces::make_for_graph(int device, const workspace_size& size, const device_api& gpu,
                                                     const char* context) {
    std::list<graph_memory> made;  // before the GPU memory, which would have no owner if this failed
    graph_memory& one = made.emplace_back(device);
    void* data = nullptr;
    check_status(gpu, gpu.allocate_zeroed(data, size.counters + size.parts), context);
    one.memory = laid_out(data, size);
    const std::lock_guard lock(mutex_);
    of_graphs_.splice(of_graphs_.end(), made);
    return &one;
}

void workspaces::clear() {
    const std::lock_guard lock(mutex_);
    const device_api* gpu = registered_device();
    for (graph_memory& one : of_graphs_) {
        if (!gpu) break;
        const current_gpu current(*gpu, one.device, "workspaces");
        gpu->free(one.memory.counters, nullptr);
    }
    of_graphs_.clear();
    streams_.clear();
    all_.clear();
}

workspaces& all_workspaces() {
    static auto& all = *new workspaces;
    return all;
}

}  // namespace foldwise::detail
