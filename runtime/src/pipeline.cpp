// runtime/src/pipeline.cpp: runs the chunks of a call through copies, staging memory and computation.
#include "pipeline.hpp"

#include "chunks.hpp"
#include "device.hpp"
#include "parallel.hpp"
#include "transfer_ring.hpp"

#include <foldwise/detail/buffer.hpp>
#include <foldwise/detail/limits.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace foldwise::detail {

namespace {

/// One copy within host memory.
struct host_copy {
    std::byte* to;
    const std::byte* from;
    std::size_t bytes;
};

/// Copies in pieces, each on whichever thread is free.
void copy_in_parallel(std::span<const host_copy> copies, int threads) {
    constexpr std::size_t piece = 128 << 10;
    const auto pieces_of = [](const host_copy& one) {
        return static_cast<std::int64_t>((one.bytes + piece - 1) / piece);
    };
    std::int64_t pieces = 0;
    std::size_t bytes = 0;
    for (const host_copy& one : copies) {
        pieces += pieces_of(one);
        bytes += one.bytes;
    }
    each_in_parallel(pieces, std::min(threads, static_cast<int>(bytes / piece)),
                     [&](std::int64_t begin, std::int64_t end) {
                         for (const host_copy& one : copies) {
                             const std::int64_t own = pieces_of(one);
                             for (std::int64_t i = std::max<std::int64_t>(begin, 0); i < std::min(end, own); ++i) {
                                 const std::size_t at = static_cast<std::size_t>(i) * piece;
                                 std::memcpy(one.to + at, one.from + at, std::min(piece, one.bytes - at));
                             }
                             begin -= own;
                             end -= own;
                         }
                     });
}

/// Returns whether the first and the last byte of a transfer are in pinned memory.
bool is_pinned(const device_api& gpu, const transfer& one, std::int64_t count) {
    return gpu.is_pinned(one.host) && gpu.is_pinned(one.host + static_cast<std::size_t>(count) * one.size - 1);
}

/// The layout of a chunk in its slot, on the GPU and in pinned memory.
struct slot_layout {
    struct part {
        std::size_t on_gpu;  ///< Offset on the GPU, unless the transfer has its own GPU memory.
        std::size_t pinned;  ///< Offset in pinned staging memory, if is_staged.
        bool is_staged;      ///< Whether the transfer goes through pinned staging memory.
    };
    std::vector<part> parts;
    std::size_t gpu_bytes = 0, pinned_bytes = 0;
};

slot_layout layout_of(const device_api& gpu, std::span<const transfer> transfers, const chunk_plan& plan) {
    slot_layout slot;
    for (const transfer& one : transfers) {
        const std::size_t bytes = padded(static_cast<std::size_t>(plan.length) * one.size);
        const bool is_staged = !is_pinned(gpu, one, plan.count);
        slot.parts.push_back({slot.gpu_bytes, slot.pinned_bytes, is_staged});
        if (!one.device) slot.gpu_bytes += bytes;
        if (is_staged) slot.pinned_bytes += bytes;
    }
    return slot;
}

/// A chunk of at most most_chunk bytes fits into every slot, however many arrays it consists of.
static_assert(chunk_limits{}.slots * (chunk_limits{}.most_chunk + max_operands * part_alignment) <=
              chunk_limits{}.most_pinned);

/// Returns the number of chunks in flight at once. If elements are long rows, pinned memory may have room for fewer
/// than limits.slots, or even for fewer than the two that a pipeline needs.
std::int64_t slots_for(const slot_layout& slot, const chunk_plan& plan, const chunk_limits& limits) {
    const std::int64_t useful = std::max<std::int64_t>(2, std::min<std::int64_t>(limits.slots, plan.chunks()));
    if (slot.pinned_bytes == 0) return useful;
    return std::min(useful, static_cast<std::int64_t>(limits.most_pinned / slot.pinned_bytes));
}

class pipeline {
  public:
    pipeline(const char* context, const executor& where, std::span<const transfer> transfers, const chunk_plan& plan,
             const slot_layout& slot, std::int64_t slots)
        : context_(context), gpu_(require_gpu(context)), stream_(where.stream()), transfers_(transfers),
          lease_(lease_behind(gpu_, where, context)), ring_(lease_.ring), plan_(plan), slot_(slot), slots_(slots),
          devices_(transfers.size()) {
        ring_.reserve_slots(static_cast<int>(slots), context);
        const auto used = static_cast<std::size_t>(std::min(slots, plan.chunks()));
        if (slot.pinned_bytes > 0) pinned_ = ring_.pinned(used * slot.pinned_bytes, context);
        if (slot.gpu_bytes > 0) device_ = gpu_memory(context, used * slot.gpu_bytes, where);
        // The streams for copies use memory that was allocated in the order of the caller's stream.
        if (device_.data()) check(gpu_.synchronize(stream_));
    }
    pipeline(const pipeline&) = delete;
    ~pipeline() {
        if (pending_) wait();
    }

    void run(const chunk_launch& launch) {
        pending_ = true;
        const std::int64_t chunks = plan_.chunks();
        for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
            exchange(chunk - (slots_ - 1), chunk);
            send(chunk);
            launch(plan_.begin(chunk), plan_.size(chunk), devices_.data());
            fetch(chunk);
        }
        for (std::int64_t chunk = std::max<std::int64_t>(chunks - (slots_ - 1), 0); chunk < chunks; ++chunk)
            exchange(chunk, chunks);
        check(wait());
        pending_ = false;
    }

  private:
    /// Waits for the work queued on the caller's stream before the host reads its memory, and before the ring is
    /// leased, because the stream may be waiting for a call that needs the ring.
    static ring_lease lease_behind(const device_api& gpu, const executor& where, const char* context) {
        if (int status = gpu.synchronize(where.stream())) throw_status(gpu, status, context);
        return lease_ring(gpu, where.device(), context);
    }

    std::size_t slot_number(std::int64_t chunk) const { return static_cast<std::size_t>(chunk % slots_); }
    std::byte* pinned_at(std::int64_t chunk, std::size_t i) const {
        return pinned_ + slot_number(chunk) * slot_.pinned_bytes + slot_.parts[i].pinned;
    }
    std::byte* host_at(std::int64_t chunk, std::size_t i) const {
        return transfers_[i].host + static_cast<std::size_t>(plan_.begin(chunk)) * transfers_[i].size;
    }
    std::byte* copied_at(std::int64_t chunk, std::size_t i) const {
        return slot_.parts[i].is_staged ? pinned_at(chunk, i) : host_at(chunk, i);
    }
    std::byte* device_at(std::int64_t chunk, std::size_t i) const {
        if (!transfers_[i].device)
            return static_cast<std::byte*>(device_.data()) + slot_number(chunk) * slot_.gpu_bytes +
                   slot_.parts[i].on_gpu;
        return transfers_[i].device + static_cast<std::size_t>(plan_.begin(chunk)) * transfers_[i].size;
    }
    std::size_t bytes_at(std::int64_t chunk, std::size_t i) const {
        return static_cast<std::size_t>(plan_.size(chunk)) * transfers_[i].size;
    }
    const transfer_ring::slot& slot_of(std::int64_t chunk) const { return ring_.slots[slot_number(chunk)]; }

    /// Waits for chunk `done`, copies its results out of pinned memory and, at the same time, the inputs of chunk
    /// `next` into it. Either chunk may not exist. They use different slots: the slot of `next` was drained by the
    /// previous call.
    void exchange(std::int64_t done, std::int64_t next) {
        if (!pinned_) return;
        copies_.clear();
        if (done >= 0) {
            check(gpu_.await(slot_of(done).left));
            for (std::size_t i = 0; i < transfers_.size(); ++i) {
                if (transfers_[i].comes_out && slot_.parts[i].is_staged)
                    copies_.push_back({host_at(done, i), pinned_at(done, i), bytes_at(done, i)});
            }
        }
        for (std::size_t i = 0; i < transfers_.size() && next < plan_.chunks(); ++i) {
            if (transfers_[i].goes_in && slot_.parts[i].is_staged)
                copies_.push_back({pinned_at(next, i), host_at(next, i), bytes_at(next, i)});
        }
        copy_in_parallel(copies_, limits_of_chunks.threads);
    }

    /// Queues the copies of a chunk's inputs. The slot's GPU memory is free once its previous chunk has left it.
    void send(std::int64_t chunk) {
        check(gpu_.follow(ring_.to_device, slot_of(chunk).left));
        for (std::size_t i = 0; i < transfers_.size(); ++i) {
            devices_[i] = device_at(chunk, i);
            if (!transfers_[i].goes_in) continue;
            check(gpu_.copy(devices_[i], copied_at(chunk, i), bytes_at(chunk, i), copy_direction::to_device,
                            ring_.to_device));
        }
        check(gpu_.record(slot_of(chunk).arrived, ring_.to_device));
        check(gpu_.follow(stream_, slot_of(chunk).arrived));
    }

    /// Queues the copies of a chunk's results.
    void fetch(std::int64_t chunk) {
        check(gpu_.record(slot_of(chunk).computed, stream_));
        check(gpu_.follow(ring_.to_host, slot_of(chunk).computed));
        for (std::size_t i = 0; i < transfers_.size(); ++i) {
            if (!transfers_[i].comes_out) continue;
            check(gpu_.copy(copied_at(chunk, i), devices_[i], bytes_at(chunk, i), copy_direction::to_host,
                            ring_.to_host));
        }
        check(gpu_.record(slot_of(chunk).left, ring_.to_host));
    }

    /// Waits for everything in flight. Returns the first status that is not success.
    int wait() const {
        int first = 0;
        for (CUstream_st* stream : {ring_.to_device, stream_, ring_.to_host}) {
            const int status = gpu_.synchronize(stream);
            if (first == 0) first = status;
        }
        return first;
    }

    void check(int status) const {
        if (status != 0) throw_status(gpu_, status, context_);
    }

    const char* context_;
    const device_api& gpu_;
    CUstream_st* const stream_;
    std::span<const transfer> transfers_;
    ring_lease lease_;
    transfer_ring& ring_;
    const chunk_plan& plan_;
    const slot_layout& slot_;
    std::int64_t slots_;
    bool pending_ = false;
    std::byte* pinned_ = nullptr;
    buffer device_;
    std::vector<std::byte*> devices_;
    std::vector<host_copy> copies_;
};

/// Runs chunks for which pinned memory has fewer than two slots: one after the other, each is copied to the GPU,
/// computed and copied back. Each array's part of a chunk is copied in pieces that fit.
void run_one_by_one(const char* context, const executor& where, std::span<const transfer> transfers,
                    const chunk_plan& plan, const slot_layout& slot, const chunk_launch& launch) {
    const device_api& gpu = require_gpu(context);
    const auto check = [&](int status) {
        if (status != 0) throw_status(gpu, status, context);
    };
    check(gpu.synchronize(where.stream()));  // the host's memory is read after the work queued on the stream
    const buffer memory = gpu_memory(context, slot.gpu_bytes, where);
    pending_work all(gpu, where.stream());
    all.begin();
    std::vector<std::byte*> devices(transfers.size());
    for (std::int64_t chunk = 0; chunk < plan.chunks(); ++chunk) {
        const auto begin = static_cast<std::size_t>(plan.begin(chunk)),
                   count = static_cast<std::size_t>(plan.size(chunk));
        for (std::size_t i = 0; i < transfers.size(); ++i) {
            const transfer& one = transfers[i];
            devices[i] = one.device ? one.device + begin * one.size
                                    : static_cast<std::byte*>(memory.data()) + slot.parts[i].on_gpu;
            if (one.goes_in)
                check(copy_fast(context, devices[i], one.host + begin * one.size, count * one.size,
                                copy_direction::to_device, where));
        }
        launch(plan.begin(chunk), plan.size(chunk), devices.data());
        for (std::size_t i = 0; i < transfers.size(); ++i) {
            const transfer& one = transfers[i];
            if (one.comes_out)
                check(copy_fast(context, one.host + begin * one.size, devices[i], count * one.size,
                                copy_direction::to_host, where));
        }
    }
    check(all.finish());
}

}  // namespace

bool goes_in_chunks(const char* context, std::span<const transfer> transfers, std::int64_t count,
                    const executor& where) {
    std::size_t bytes = 0;
    for (const transfer& one : transfers) bytes += static_cast<std::size_t>(count) * one.size;
    if (bytes < limits_of_chunks.least_call) return false;
    const device_api& gpu = require_gpu(context);
    if (bytes < limits_of_chunks.least_pinned &&
        std::all_of(transfers.begin(), transfers.end(),
                    [&](const transfer& one) { return is_pinned(gpu, one, count); }))
        return false;
    stream_numbers numbers{};
    if (int status = gpu.identify(where.stream(), numbers)) throw_status(gpu, status, context);
    return numbers.capture == 0;
}

void run_in_chunks(const char* context, const executor& where, std::span<const transfer> transfers, std::int64_t count,
                   const chunk_launch& launch) {
    const chunk_limits& limits = limits_of_chunks;
    std::size_t bytes = 0;
    for (const transfer& one : transfers) bytes += one.size;
    const chunk_plan plan = plan_chunks(count, bytes, limits);
    const slot_layout slot = layout_of(require_gpu(context), transfers, plan);
    const std::int64_t slots = slots_for(slot, plan, limits);
    if (slots < 2) return run_one_by_one(context, where, transfers, plan, slot, launch);
    pipeline(context, where, transfers, plan, slot, slots).run(launch);
}

int copy_fast(const char* context, void* to, const void* from, std::size_t bytes, copy_direction direction,
              const executor& where) {
    const device_api& gpu = require_gpu(context);
    CUstream_st* const stream = where.stream();
    if (direction == copy_direction::on_device) return gpu.copy(to, from, bytes, direction, stream);
    const bool in = direction == copy_direction::to_device;
    const transfer one{static_cast<std::byte*>(in ? const_cast<void*>(from) : to), 1, in, !in,
                       static_cast<std::byte*>(in ? to : const_cast<void*>(from))};
    const auto count = static_cast<std::int64_t>(bytes);
    if (!goes_in_chunks(context, {&one, 1}, count, where) || is_pinned(gpu, one, count))
        return gpu.copy(to, from, bytes, direction, stream);
    run_in_chunks(context, where, {&one, 1}, count, [](std::int64_t, std::int64_t, std::byte* const*) {});
    return 0;
}

}  // namespace foldwise::detail
