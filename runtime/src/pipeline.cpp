// runtime/src/pipeline.cpp: see the header.
#include "pipeline.hpp"

#include "chunks.hpp"
#include "device.hpp"
#include "parallel.hpp"
#include "transfer_ring.hpp"

#include <foldwise/detail/buffer.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace foldwise::detail {

namespace {

struct host_copy {
    std::byte* to;
    const std::byte* from;
    std::size_t bytes;
};

/// In pieces, each for whichever thread is free.
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

bool is_pinned(const device_api& gpu, const passage& one, std::int64_t count) {
    return gpu.is_pinned(one.host) && gpu.is_pinned(one.host + static_cast<std::size_t>(count) * one.size - 1);
}

class pipeline {
  public:
    pipeline(const char* asker, CUstream_st* stream, std::span<const passage> passages, std::int64_t count)
        : asker_(asker), gpu_(require_gpu(asker)), limits_(limits_of_chunks), stream_(stream), passages_(passages),
          lease_(lease_ring(gpu_, asker)), ring_(lease_.ring), plan_(plan_chunks(count, bytes_of(passages), limits_)),
          slots_(limits_.slots), devices_(passages.size()) {
        ring_.reserve_slots(limits_.slots, asker);
        lay_out();
        // Whatever the caller has queued is done before the host reads its memory, and so is what was just allocated.
        check(gpu_.synchronize(stream_));
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
        pending_ = false;
        check(wait());
    }

  private:
    static std::size_t bytes_of(std::span<const passage> passages) {
        std::size_t bytes = 0;
        for (const passage& one : passages) bytes += one.size;
        return bytes;
    }

    /// Gives every passage its place in a slot, of pinned memory and of the GPU's.
    void lay_out() {
        bool some_have_none = false, some_are_staged = false;
        for (const passage& one : passages_) {
            offsets_.push_back(slot_bytes_);
            slot_bytes_ += padded(static_cast<std::size_t>(plan_.length) * one.size);
            are_staged_.push_back(!is_pinned(gpu_, one, plan_.count));
            some_are_staged = some_are_staged || are_staged_.back();
            some_have_none = some_have_none || !one.device;
        }
        const std::size_t bytes = static_cast<std::size_t>(slots_) * slot_bytes_;
        if (some_are_staged) pinned_ = ring_.pinned(bytes, asker_);
        if (some_have_none) device_ = gpu_memory(asker_, bytes, stream_);
    }

    std::size_t place(std::int64_t chunk, std::size_t i) const {
        return static_cast<std::size_t>(chunk % slots_) * slot_bytes_ + offsets_[i];
    }
    std::byte* host_at(std::int64_t chunk, std::size_t i) const {
        return passages_[i].host + static_cast<std::size_t>(plan_.begin(chunk)) * passages_[i].size;
    }
    std::byte* copied_at(std::int64_t chunk, std::size_t i) const {
        return are_staged_[i] ? pinned_ + place(chunk, i) : host_at(chunk, i);
    }
    std::byte* device_at(std::int64_t chunk, std::size_t i) const {
        if (!passages_[i].device) return static_cast<std::byte*>(device_.data()) + place(chunk, i);
        return passages_[i].device + static_cast<std::size_t>(plan_.begin(chunk)) * passages_[i].size;
    }
    std::size_t bytes_at(std::int64_t chunk, std::size_t i) const {
        return static_cast<std::size_t>(plan_.size(chunk)) * passages_[i].size;
    }
    const transfer_ring::slot& slot_of(std::int64_t chunk) const {
        return ring_.slots[static_cast<std::size_t>(chunk % slots_)];
    }

    /// Waits for the one chunk, takes its results out of pinned memory, and puts the other's inputs there, at once.
    /// Either may not be there. They are in different slots: the other's was emptied the time before.
    void exchange(std::int64_t done, std::int64_t next) {
        if (!pinned_) return;
        copies_.clear();
        if (done >= 0) {
            check(gpu_.await(slot_of(done).left));
            for (std::size_t i = 0; i < passages_.size(); ++i) {
                if (passages_[i].comes_out && are_staged_[i])
                    copies_.push_back({host_at(done, i), pinned_ + place(done, i), bytes_at(done, i)});
            }
        }
        for (std::size_t i = 0; i < passages_.size() && next < plan_.chunks(); ++i) {
            if (passages_[i].goes_in && are_staged_[i])
                copies_.push_back({pinned_ + place(next, i), host_at(next, i), bytes_at(next, i)});
        }
        copy_in_parallel(copies_, limits_.threads);
    }

    /// The slot's room on the GPU is free when its last chunk has left it.
    void send(std::int64_t chunk) {
        check(gpu_.follow(ring_.to_device, slot_of(chunk).left));
        for (std::size_t i = 0; i < passages_.size(); ++i) {
            devices_[i] = device_at(chunk, i);
            if (!passages_[i].goes_in) continue;
            check(gpu_.copy(devices_[i], copied_at(chunk, i), bytes_at(chunk, i), copy_direction::to_device,
                            ring_.to_device));
        }
        check(gpu_.record(slot_of(chunk).arrived, ring_.to_device));
        check(gpu_.follow(stream_, slot_of(chunk).arrived));
    }

    void fetch(std::int64_t chunk) {
        check(gpu_.record(slot_of(chunk).computed, stream_));
        check(gpu_.follow(ring_.to_host, slot_of(chunk).computed));
        for (std::size_t i = 0; i < passages_.size(); ++i) {
            if (!passages_[i].comes_out) continue;
            check(gpu_.copy(copied_at(chunk, i), devices_[i], bytes_at(chunk, i), copy_direction::to_host,
                            ring_.to_host));
        }
        check(gpu_.record(slot_of(chunk).left, ring_.to_host));
    }

    /// For all that is under way. Returns the first status that is not success.
    int wait() const {
        int first = 0;
        for (CUstream_st* stream : {ring_.to_device, stream_, ring_.to_host}) {
            const int status = gpu_.synchronize(stream);
            if (first == 0) first = status;
        }
        return first;
    }

    void check(int status) const {
        if (status != 0) throw_status(gpu_, status, asker_);
    }

    const char* asker_;
    const device_api& gpu_;
    const chunk_limits limits_;
    CUstream_st* stream_;
    std::span<const passage> passages_;
    ring_lease lease_;
    transfer_ring& ring_;
    chunk_plan plan_;
    std::int64_t slots_;
    bool pending_ = false;
    std::size_t slot_bytes_ = 0;
    std::vector<std::size_t> offsets_;
    std::vector<bool> are_staged_;
    std::byte* pinned_ = nullptr;
    buffer device_{0, memory::host, nullptr};
    std::vector<std::byte*> devices_;
    std::vector<host_copy> copies_;
};

}  // namespace

bool goes_in_chunks(const char* asker, std::span<const passage> passages, std::int64_t count, CUstream_st* stream) {
    std::size_t bytes = 0;
    for (const passage& one : passages) bytes += static_cast<std::size_t>(count) * one.size;
    if (bytes < limits_of_chunks.least_call) return false;
    const device_api& gpu = require_gpu(asker);
    if (bytes < limits_of_chunks.least_pinned &&
        std::all_of(passages.begin(), passages.end(), [&](const passage& one) { return is_pinned(gpu, one, count); }))
        return false;
    stream_numbers numbers{};
    if (int status = gpu.identify(stream, numbers)) throw_status(gpu, status, asker);
    return numbers.capture == 0;
}

void run_in_chunks(const char* asker, CUstream_st* stream, std::span<const passage> passages, std::int64_t count,
                   const chunk_launch& launch) {
    pipeline(asker, stream, passages, count).run(launch);
}

int copy_fast(const char* asker, void* to, const void* from, std::size_t bytes, copy_direction direction,
              CUstream_st* stream) {
    const device_api& gpu = require_gpu(asker);
    if (direction == copy_direction::on_device) return gpu.copy(to, from, bytes, direction, stream);
    const bool in = direction == copy_direction::to_device;
    const passage one{static_cast<std::byte*>(in ? const_cast<void*>(from) : to), 1, in, !in,
                      static_cast<std::byte*>(in ? to : const_cast<void*>(from))};
    const auto count = static_cast<std::int64_t>(bytes);
    if (!goes_in_chunks(asker, {&one, 1}, count, stream) || is_pinned(gpu, one, count))
        return gpu.copy(to, from, bytes, direction, stream);
    run_in_chunks(asker, stream, {&one, 1}, count, [](std::int64_t, std::int64_t, std::byte* const*) {});
    return 0;
}

}  // namespace foldwise::detail
