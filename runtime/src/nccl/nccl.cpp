// runtime/src/nccl/nccl.cpp: messages that NCCL carries.
#include <foldwise/nccl.hpp>

#include "nccl_channel.hpp"

#include <foldwise/detail/buffer.hpp>
#include <foldwise/detail/copy.hpp>
#include <foldwise/error.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <fstream>
#include <map>
#include <numeric>
#include <vector>

namespace foldwise {

namespace {

using detail::buffer;
using detail::nccl_channel;

/// What carries bytes between the memory of GPUs.
class nccl_between_gpus final : public detail::gpu_transport {
  public:
    /// `meet` is called before what all processes take part in.
    nccl_between_gpus(nccl_channel& channel, std::function<void(const char*)> meet)
        : channel_(channel), meet_(std::move(meet)) {}

    void all_gather(const void* mine, void* all, std::span<const std::size_t> bytes, CUstream_st* stream) override {
        const char* const what = "a gather between GPUs";
        meet_(what);
        const bool are_equal = std::ranges::all_of(bytes, [&](std::size_t one) { return one == bytes[0]; });
        channel_.queue(what, stream, [&](const auto& call, ncclComm_t processes) {
            if (are_equal) return call(ncclAllGather(mine, all, bytes[0], ncclInt8, processes, channel_.stream()));
            auto* to = static_cast<std::byte*>(all);
            for (std::size_t rank = 0; rank < bytes.size(); to += bytes[rank++])
                if (bytes[rank] > 0)
                    call(ncclBroadcast(mine, to, bytes[rank], ncclInt8, static_cast<int>(rank), processes,
                                       channel_.stream()));
        });
        channel_.wait(what);
    }

    std::unique_ptr<detail::exchange> begin_exchange(std::span<const detail::sent_message> sent,
                                                     std::span<const detail::received_message> received,
                                                     CUstream_st* stream) override {
        const char* const what = "an exchange between GPUs";
        meet_(what);
        channel_.queue(what, stream, [&](const auto& call, ncclComm_t processes) {
            for (const detail::sent_message& one : sent)
                if (one.bytes > 0) call(ncclSend(one.data, one.bytes, ncclInt8, one.to, processes, channel_.stream()));
            for (const detail::received_message& one : received)
                if (one.bytes > 0)
                    call(ncclRecv(one.data, one.bytes, ncclInt8, one.from, processes, channel_.stream()));
        });
        return std::make_unique<begun>(channel_, what);
    }

  private:
    class begun final : public detail::exchange {
      public:
        begun(nccl_channel& channel, const char* what) : channel_(channel), what_(what) {}
        ~begun() override {
            // Nothing else makes NCCL leave the caller's memory.
            if (!is_over_ && !channel_.is_complete()) channel_.abort("cmessages between GPUs have been given up");
        }
        void wait() override {
            channel_.wait(what_);
            is_over_ = true;
        }

      private:
        nccl_channel& channel_;
        const char* what_;
        bool is_over_ = false;
    };

    nccl_channel& channel_;
    std::function<void(const char*)> meet_;
};

/// A group in which another one carries what is in the host's memory.
class nccl_beside final : public detail::transport {
  public:
    nccl_beside(const communicator& host, const ncclUniqueId& id, int device)
        : host_(host), channel_(id, host.size(), host.rank(), device, [this] { host_.transport().look_for_failure(); }),
          between_(channel_, [](const char*) {}) {}

    int rank() const override { return host_.rank(); }
    int size() const override { return host_.size(); }
    void all_gather(const void* mine, void* all, std::span<const std::size_t> bytes) override {
        carrier().all_gather(mine, all, bytes);
    }
    void broadcast(void* data, std::size_t bytes, int root) override { carrier().broadcast(data, bytes, root); }
    void barrier() override { carrier().barrier(); }
    void send(const void* data, std::size_t bytes, int to, int tag) override { carrier().send(data, bytes, to, tag); }
    void receive(void* data, std::size_t bytes, int from, int tag) override {
        carrier().receive(data, bytes, from, tag);
    }
    std::unique_ptr<detail::exchange> begin_exchange(std::span<const detail::sent_message> sent,
                                                     std::span<const detail::received_message> received) override {
        return carrier().begin_exchange(sent, received);
    }
    std::unique_ptr<detail::shared_file> open_file(const std::string& path, detail::file_use use,
                                                   std::int64_t bytes) override {
        return carrier().open_file(path, use, bytes);
    }
    void look_for_failure() override { carrier().look_for_failure(); }
    void abandon(const std::string& failure) noexcept override {
        carrier().abandon(failure);
        channel_.abort(failure);
    }

    int device() const override { return channel_.device(); }
    detail::gpu_transport* between_gpus() override { return &between_; }

  private:
    detail::transport& carrier() const { return host_.transport(); }

    communicator host_;
    nccl_channel channel_;
    nccl_between_gpus between_;
};

/// A group that has NCCL alone. Whatever all processes do begins with a meeting: each tells the others what it does, in
/// a few bytes, and whether it does anything at all; small values travel with that.
class nccl_alone final : public detail::transport {
  public:
    nccl_alone(ncclComm_t processes, int device, CUstream_st* stream, nccl_channel::milliseconds limit)
        : channel_(processes, device, stream, limit), between_(channel_,
                                                               [this](const char* what) {
                                                                   meet({call::gpus, 0, hash(what), 0}, nullptr);
                                                               }),
          sent_(sizeof(note), {}), met_(static_cast<std::size_t>(channel_.size()) * sizeof(note), {}),
          notes_((static_cast<std::size_t>(channel_.size()) + 1) * sizeof(note),
                 {{memory::cuda, device}, channel_.stream(), {}}) {}
    ~nccl_alone() override {
        // The last words of a process that has left are on their way to the others for a while.
        if (has_left_) {
            try {
                channel_.wait("leaving the group");
            } catch (...) {
                // They have left as well.
            }
        }
    }

    int rank() const override { return channel_.rank(); }
    int size() const override { return channel_.size(); }

    void all_gather(const void* mine, void* all, std::span<const std::size_t> bytes) override {
        const std::size_t most = *std::ranges::max_element(bytes), own = bytes[static_cast<std::size_t>(rank())];
        const std::uint64_t extents =
            hash({reinterpret_cast<const char*>(bytes.data()), bytes.size() * sizeof(std::size_t)});
        const std::span<const note> notes = meet({call::all_gather, 0, extents, 0}, mine, most <= note::most ? own : 0);
        std::vector<std::size_t> places(bytes.size());
        std::exclusive_scan(bytes.begin(), bytes.end(), places.begin(), std::size_t{0});
        auto* const to = static_cast<std::byte*>(all);
        if (most <= note::most) {
            for (std::size_t rank = 0; rank < bytes.size(); ++rank)
                if (bytes[rank] > 0) std::memcpy(to + places[rank], notes[rank].bytes, bytes[rank]);
            return;
        }
        const char* const what = "all_gather";
        in_pieces(most, [&](std::size_t at, std::size_t count) {
            const auto piece = [&](std::size_t rank) {
                return std::min(count, bytes[rank] - std::min(at, bytes[rank]));
            };
            const buffer one(count, there()), gathered(count * bytes.size(), there());
            const std::size_t own_piece = piece(static_cast<std::size_t>(rank()));
            copy_in(one, static_cast<const std::byte*>(mine) + at, own_piece);
            channel_.queue(what, channel_.stream(), [&](const auto& call, ncclComm_t processes) {
                call(ncclAllGather(one.data(), gathered.data(), count, ncclInt8, processes, channel_.stream()));
            });
            channel_.wait(what);
            for (std::size_t rank = 0; rank < bytes.size(); ++rank)
                copy_out(to + places[rank] + at, static_cast<const std::byte*>(gathered.data()) + rank * count,
                         piece(rank));
        });
    }

    void broadcast(void* data, std::size_t bytes, int root) override {
        const bool fits = bytes <= note::most;
        const std::span<const note> notes = meet({call::broadcast, static_cast<std::uint32_t>(root), bytes, 0}, data,
                                                 fits && rank() == root ? bytes : 0);
        if (fits) {
            if (bytes > 0) std::memcpy(data, notes[static_cast<std::size_t>(root)].bytes, bytes);
            return;
        }
        const char* const what = "broadcast";
        in_pieces(bytes, [&](std::size_t at, std::size_t count) {
            const buffer piece(count, there());
            if (rank() == root) copy_in(piece, static_cast<const std::byte*>(data) + at, count);
            channel_.queue(what, channel_.stream(), [&](const auto& call, ncclComm_t processes) {
                call(ncclBroadcast(piece.data(), piece.data(), count, ncclInt8, root, processes, channel_.stream()));
            });
            channel_.wait(what);
            if (rank() != root) copy_out(static_cast<std::byte*>(data) + at, piece.data(), count);
        });
    }

    void barrier() override { meet({call::barrier, 0, 0, 0}, nullptr); }

    // NCCL knows no tags. Each message is preceded by its own and its length, and what is not asked for yet is kept.
    void send(const void* data, std::size_t bytes, int to, int tag) override {
        check_other(to);
        const label told{tag, bytes};
        transfer(const_cast<label*>(&told), sizeof told, to, true);
        transfer(const_cast<void*>(data), bytes, to, true);
    }
    void receive(void* data, std::size_t bytes, int from, int tag) override {
        check_other(from);
        std::vector<std::vector<std::byte>>& kept = kept_[{from, tag}];
        while (kept.empty()) {
            label told{};
            transfer(&told, sizeof told, from, false);
            std::vector<std::byte> message(told.bytes);
            transfer(message.data(), message.size(), from, false);
            kept_[{from, told.tag}].push_back(std::move(message));
        }
        const std::vector<std::byte> message = std::move(kept.front());
        kept.erase(kept.begin());
        if (message.size() != bytes)
            throw communication_error("process " + std::to_string(rank()) + " expects " + std::to_string(bytes) +
                                      " bytes from process " + std::to_string(from) + ", which sends " +
                                      std::to_string(message.size()));
        if (bytes > 0) std::memcpy(data, message.data(), bytes);
    }

    void abandon(const std::string& failure) noexcept override try {
        if (failure_) return;
        failure_ = failure;
        note last{{call::leave, 0, 0, static_cast<std::uint32_t>(std::min(failure.size(), note::most))}, {}};
        std::memcpy(last.bytes, failure.data(), last.head.bytes);
        begin_meeting(last);
        has_left_ = true;
    } catch (...) {
        channel_.abort(failure);
    }

    int device() const override { return channel_.device(); }
    detail::gpu_transport* between_gpus() override { return &between_; }

  private:
    enum class call : std::uint32_t { all_gather, broadcast, barrier, gpus, leave };
    struct heading {
        call what;
        std::uint32_t root;
        std::uint64_t extents;  ///< A number that all have to agree on.
        std::uint32_t bytes;
    };
    /// What a process tells all others. NCCL takes hardly longer for this many bytes than for a few.
    struct note {
        static constexpr std::size_t most = 1000;
        heading head;
        std::byte bytes[most];
    };
    struct label {
        std::int64_t tag;
        std::uint64_t bytes;
    };

    /// Fowler, Noll and Vo's.
    static std::uint64_t hash(std::string_view text) {
        std::uint64_t number = 0xcbf29ce484222325;
        for (const char one : text) number = (number ^ static_cast<unsigned char>(one)) * 0x100000001b3;
        return number;
    }
    static const char* name_of(call what) {
        constexpr const char* names[] = {"all_gather", "broadcast", "barrier", "an exchange between GPUs", "nothing"};
        return names[static_cast<std::size_t>(what)];
    }

    detail::memory_source there() const { return {{memory::cuda, device()}, channel_.stream(), {}}; }
    void copy_in(const buffer& to, const void* from, std::size_t bytes) {
        detail::copy_bytes(to.data(), to.place(), from, {}, bytes, channel_.stream());
    }
    void copy_out(void* to, const void* from, std::size_t bytes) {
        detail::copy_bytes(to, {}, from, {memory::cuda, device()}, bytes, channel_.stream());
    }
    template <class Piece> static void in_pieces(std::size_t bytes, const Piece& piece) {
        constexpr std::size_t most = 1 << 24;
        for (std::size_t at = 0; at < bytes; at += most) piece(at, std::min(most, bytes - at));
    }
    void check_other(int other) const {
        if (other == rank()) throw communication_error("a process sends no messages to itself");
        if (failure_) detail::throw_encoded(*failure_);
    }

    void begin_meeting(const note& mine) {
        auto* const all = static_cast<std::byte*>(notes_.data());
        std::byte* const own = all + met_.bytes();
        std::memcpy(sent_.data(), &mine, sizeof mine);
        detail::copy_bytes(own, notes_.place(), sent_.data(), {}, sizeof mine, channel_.stream());
        channel_.queue("a meeting", channel_.stream(), [&](const auto& call, ncclComm_t processes) {
            call(ncclAllGather(own, all, sizeof mine, ncclInt8, processes, channel_.stream()));
        });
    }

    /// Tells all processes what this one does, and returns what they do. Throws if one has left, or does another thing.
    std::span<const note> meet(const heading& head, const void* data, std::size_t bytes = 0) {
        if (failure_) detail::throw_encoded(*failure_);
        note mine{head, {}};
        mine.head.bytes = static_cast<std::uint32_t>(bytes);
        if (bytes > 0) std::memcpy(mine.bytes, data, bytes);
        begin_meeting(mine);
        channel_.wait("a meeting");
        copy_out(met_.data(), notes_.data(), met_.bytes());
        const std::span<const note> all(static_cast<const note*>(met_.data()), static_cast<std::size_t>(size()));
        for (const note& one : all) {
            if (one.head.what != call::leave) continue;
            failure_ = std::string(reinterpret_cast<const char*>(one.bytes), one.head.bytes);
            detail::throw_encoded(*failure_);
        }
        for (std::size_t other = 1; other < all.size(); ++other) {
            const heading &a = all[0].head, &b = all[other].head;
            if (a.what == b.what && a.root == b.root && a.extents == b.extents) continue;
            throw communication_error(std::string("process 0 calls ") + name_of(a.what) + ", and process " +
                                      std::to_string(other) + ' ' + name_of(b.what) +
                                      (a.what == b.what ? " of other sizes or from another process" : ""));
        }
        return all;
    }

    void transfer(void* data, std::size_t bytes, int other, bool is_sent) {
        const char* const what = is_sent ? "send" : "receive";
        in_pieces(bytes, [&](std::size_t at, std::size_t count) {
            const buffer piece(count, there());
            auto* const part = static_cast<std::byte*>(data) + at;
            if (is_sent) copy_in(piece, part, count);
            channel_.queue(what, channel_.stream(), [&](const auto& call, ncclComm_t processes) {
                call(is_sent ? ncclSend(piece.data(), count, ncclInt8, other, processes, channel_.stream())
                             : ncclRecv(piece.data(), count, ncclInt8, other, processes, channel_.stream()));
            });
            channel_.wait(what);
            if (!is_sent) copy_out(part, piece.data(), count);
        });
    }

    nccl_channel channel_;
    nccl_between_gpus between_;
    buffer sent_, met_;  ///< On the host.
    buffer notes_;       ///< On the GPU: those of all processes, and this one's own.
    std::map<std::pair<int, std::int64_t>, std::vector<std::vector<std::byte>>> kept_;
    std::optional<std::string> failure_;
    bool has_left_ = false;
};

/// What tells machines apart: their names need not.
struct machine {
    std::array<char, 64> name{}, boot{};
    bool operator==(const machine&) const = default;

    static machine own() {
        machine found;
        gethostname(found.name.data(), found.name.size() - 1);
        std::ifstream("/proc/sys/kernel/random/boot_id").read(found.boot.data(), found.boot.size() - 1);
        return found;
    }
};

/// Returns the GPU of this process: its number among those of its machine. If a process sees one GPU alone, it may be
/// its own, as with Slurm.
int choose_gpu(const communicator& processes) {
    const char* const context = "foldwise::nccl";
    const std::vector<machine> machines = processes.all_gather(machine::own());
    int device = 0;
    std::exception_ptr error;
    try {
        const auto own = machines.begin() + processes.rank();
        const auto before = std::count(machines.begin(), own, *own),
                   here = std::count(machines.begin(), machines.end(), *own);
        const int gpus = detail::require_gpu(context).device_count();
        if (gpus > 1 && here > gpus)
            throw device_error(std::string(context) + ": " + std::to_string(here) +
                               " processes are on a machine with " + std::to_string(gpus) +
                               " GPUs, and each needs one of its own");
        device = gpus > 1 ? static_cast<int>(before) : 0;
        detail::require_nccl();
    } catch (...) {
        error = std::current_exception();
    }
    detail::agree(processes, {0, nullptr, {}}, error);
    return device;
}

}  // namespace

communicator nccl(ncclComm* processes, int device, CUstream_st* stream, std::chrono::milliseconds limit) {
    if (!detail::registered_device()) detail::use(detail::cuda_device());
    detail::require_nccl();
    return communicator(std::make_shared<nccl_alone>(processes, device, stream, limit));
}

communicator nccl(const communicator& processes) {
    if (processes.transport().ranks_here())
        throw communication_error("foldwise::nccl: the ranks of this group are threads of one process, whose GPUs send "
                                  "to one another without NCCL");
    if (!detail::registered_device()) detail::use(detail::cuda_device());
    const int device = choose_gpu(processes);
    ncclUniqueId id{};
    std::exception_ptr error;
    if (processes.rank() == 0) {
        const ncclResult_t result = ncclGetUniqueId(&id);
        if (result != ncclSuccess)
            error = std::make_exception_ptr(
                communication_error(std::string("NCCL: ncclGetUniqueId: ") + ncclGetErrorString(result)));
    }
    detail::agree(processes, {0, nullptr, {}}, error);
    id = processes.broadcast(id);
    std::shared_ptr<nccl_beside> made;
    try {
        made = std::make_shared<nccl_beside>(processes, id, device);
        const detail::device_api& gpu = detail::require_gpu("foldwise::nccl");
        detail::check_status(gpu, gpu.set_device(device), "foldwise::nccl");
    } catch (...) {
        // The others wait in NCCL, where they look for this.
        processes.transport().abandon(detail::encode_error(std::current_exception()));
        throw;
    }
    detail::agree(processes, {0, nullptr, {}}, {});
    return communicator(std::move(made));
}

}  // namespace foldwise
