// runtime/src/communication/team.cpp: groups whose ranks are threads of this process, for which it calls functions.
#include "../device.hpp"
#include "thread_group.hpp"

#include <foldwise/communicator.hpp>
#include <foldwise/error.hpp>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <thread>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace foldwise {

namespace {

using detail::thread_group;

constexpr int no_device = -1;

constexpr const char* exchange_context = "an exchange between GPUs";

/// Copies between the memory of GPUs, each of which is a rank's. A rank fetches what others have, on a stream of its
/// own.
class gpu_copies final : public detail::gpu_transport {
  public:
    gpu_copies(thread_group& group, int rank, int device) : group_(group), rank_(rank), device_(device) {}
    ~gpu_copies() override {
        if (!stream_ && !is_ready_ && !has_read_) return;
        const detail::device_api& gpu = detail::require_gpu(exchange_context);
        const detail::current_gpu current(gpu, device_);
        if (stream_) gpu.destroy(stream_);
        if (is_ready_) gpu.destroy(is_ready_);
        if (has_read_) gpu.destroy(has_read_);
    }

    // The host waits for other ranks' threads, but not for what is queued: events tell the streams of one another.
    void all_gather(const void* mine, void* all, std::span<const std::size_t> bytes, CUstream_st* stream) override {
        const detail::device_api& gpu = detail::require_gpu(exchange_context);
        const detail::current_gpu current(gpu, device_, exchange_context);
        const auto check = [&](int status) { detail::check_status(gpu, status, exchange_context); };
        if (!stream_) check(gpu.make_stream(stream_));
        if (!is_ready_) check(gpu.make_event(is_ready_));
        if (!has_read_) check(gpu.make_event(has_read_));
        check(gpu.record(is_ready_, stream));
        const auto brought =
            group_.meet(rank_, {thread_group::call::gpu_all_gather, mine, bytes, 0, device_, is_ready_, has_read_});
        // Copies on the legacy default stream would wait for all that other GPUs do.
        detail::pending_work copies(gpu, stream_);
        copies.begin();
        check(gpu.follow(stream_, is_ready_));
        for (const std::size_t rank : from_own_on(brought.size())) {
            const std::size_t at =
                std::accumulate(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(rank), std::size_t{0});
            void* const to = static_cast<std::byte*>(all) + at;
            if (bytes[rank] == 0 || to == brought[rank].data) continue;
            if (static_cast<int>(rank) != rank_) check(gpu.follow(stream_, brought[rank].is_ready));
            check(gpu.copy_to_peer({to, device_}, {const_cast<void*>(brought[rank].data), brought[rank].device},
                                   bytes[rank], stream_));
        }
        check(gpu.record(has_read_, stream_));
        group_.part();
        for (const thread_group::contribution& one : brought) check(gpu.follow(stream, one.has_read));
        copies.leave();
    }

    std::unique_ptr<detail::exchange> begin_exchange(std::span<const detail::sent_message> sent,
                                                     std::span<const detail::received_message> received,
                                                     CUstream_st* stream) override {
        return std::make_unique<begun_exchange>(*this, sent, received, stream);
    }

  private:
    /// Returns all ranks, beginning with this one: each rank fetches from another one at a time.
    std::vector<std::size_t> from_own_on(std::size_t size) const {
        std::vector<std::size_t> all(size);
        for (std::size_t i = 0; i < size; ++i) all[i] = (static_cast<std::size_t>(rank_) + i) % size;
        return all;
    }

    /// Copies that are under way from what other ranks have. No rank is done before all have what they fetch.
    class fetch {
      public:
        /// Calls queue(what ranks bring, copy), which calls copy(to, from, its GPU, bytes).
        template <class Queue>
        fetch(gpu_copies& owner, CUstream_st* stream, const thread_group::contribution& mine, const Queue& queue)
            : owner_(owner), gpu_(detail::require_gpu(exchange_context)) {
            detail::wait_for_stream(exchange_context, owner.device_, stream);
            const std::span<const thread_group::contribution> brought = owner.group_.meet(owner.rank_, mine);
            const detail::current_gpu current(gpu_, owner.device_, exchange_context);
            if (!owner.stream_) check(gpu_.make_stream(owner.stream_));
            pending_.emplace(gpu_, owner.stream_);
            pending_->begin();
            queue(brought, [&](void* to, const void* from, int device, std::size_t bytes) {
                if (bytes > 0 && to != from)
                    check(gpu_.copy_to_peer({to, owner.device_}, {const_cast<void*>(from), device}, bytes,
                                            owner.stream_));
            });
        }
        void finish() const {
            check(pending_->finish());
            owner_.group_.part();
        }

      private:
        void check(int status) const {
            if (status != 0) detail::throw_status(gpu_, status, exchange_context);
        }

        gpu_copies& owner_;
        const detail::device_api& gpu_;
        mutable std::optional<detail::pending_work> pending_;
    };

    class begun_exchange final : public detail::exchange {
      public:
        begun_exchange(gpu_copies& owner, std::span<const detail::sent_message> sent,
                       std::span<const detail::received_message> received, CUstream_st* stream)
            : sent_(sent.begin(), sent.end()),
              fetch_(owner, stream, {thread_group::call::gpu_exchange, &sent_, {}, 0, owner.device_},
                     [&](const auto& brought, const auto& copy) {
                         for (const std::size_t from : owner.from_own_on(brought.size())) {
                             const auto& sent_to_all =
                                 *static_cast<const std::vector<detail::sent_message>*>(brought[from].data);
                             std::size_t next = 0;
                             for (const detail::received_message& message : received) {
                                 if (static_cast<std::size_t>(message.from) != from) continue;
                                 while (next < sent_to_all.size() && sent_to_all[next].to != owner.rank_) ++next;
                                 if (next == sent_to_all.size() || sent_to_all[next].bytes != message.bytes)
                                     throw communication_error("rank " + std::to_string(owner.rank_) + " expects " +
                                                               std::to_string(message.bytes) + " bytes that rank " +
                                                               std::to_string(from) + " does not send");
                                 copy(message.data, sent_to_all[next++].data, brought[from].device, message.bytes);
                             }
                         }
                     }) {}
        void wait() override { fetch_.finish(); }

      private:
        std::vector<detail::sent_message> sent_;
        fetch fetch_;
    };

    thread_group& group_;
    int rank_, device_;
    CUstream_st* stream_ = nullptr;
    CUevent_st *is_ready_ = nullptr, *has_read_ = nullptr;
};

/// A rank's side of a group of threads.
class rank_transport final : public detail::transport {
  public:
    rank_transport(std::shared_ptr<thread_group> group, int rank, int device)
        : group_(std::move(group)), rank_(rank), device_(device), copies_(*group_, rank, device) {}

    int rank() const override { return rank_; }
    int size() const override { return group_->size(); }

    void all_gather(const void* mine, void* all, std::span<const std::size_t> bytes) override {
        const auto brought = group_->meet(rank_, {thread_group::call::all_gather, mine, bytes});
        auto* to = static_cast<std::byte*>(all);
        for (std::size_t rank = 0; rank < brought.size(); to += bytes[rank++])
            if (bytes[rank] > 0) std::memcpy(to, brought[rank].data, bytes[rank]);
        group_->part();
    }

    void broadcast(void* data, std::size_t bytes, int root) override {
        const auto brought =
            group_->meet(rank_, {thread_group::call::broadcast, data, std::span<const std::size_t>(&bytes, 1), root});
        if (rank_ != root && bytes > 0) std::memcpy(data, brought[static_cast<std::size_t>(root)].data, bytes);
        group_->part();
    }

    void barrier() override {
        group_->meet(rank_, {thread_group::call::barrier, nullptr, {}});
        group_->part();
    }
    void send(const void* data, std::size_t bytes, int to, int tag) override {
        group_->send(data, bytes, rank_, to, tag);
    }
    void receive(void* data, std::size_t bytes, int from, int tag) override {
        group_->receive(data, bytes, from, rank_, tag);
    }
    void abandon(const std::string& failure) noexcept override try { group_->abandon(failure); } catch (...) {
        // Without memory for the message, the others learn that this rank has left.
    }

    void look_for_failure() override { group_->look_for_failure(); }

    int device() const override { return device_; }
    detail::gpu_transport* between_gpus() override { return device_ == no_device ? nullptr : &copies_; }

  private:
    std::shared_ptr<thread_group> group_;
    int rank_, device_;
    gpu_copies copies_;
};

/// Threads, one for each rank, that wait for tasks.
class thread_team final : public detail::transport, public detail::team {
  public:
    explicit thread_team(std::span<const int> devices)
        : group_(std::make_shared<thread_group>(static_cast<int>(devices.size()), devices.front() == no_device
                                                                                      ? detail::awake_for_threads
                                                                                      : detail::awake_for_gpus)) {
        for (std::size_t rank = 0; rank < devices.size(); ++rank)
            ranks_.emplace_back(std::make_shared<rank_transport>(group_, static_cast<int>(rank), devices[rank]));
        threads_.reserve(devices.size());
        try {
            for (std::size_t rank = 0; rank < devices.size(); ++rank)
                threads_.emplace_back([this, rank, device = devices[rank]] { work(static_cast<int>(rank), device); });
        } catch (...) {
            end();
            throw;
        }
    }
    ~thread_team() override { end(); }

    int rank() const override { return 0; }
    int size() const override { return group_->size(); }
    detail::team* ranks_here() override { return this; }
    std::span<const communicator> ranks() const override { return ranks_; }

    void run(void (*f)(void*, int), void* context) override {
        if (own_team == this)
            throw communication_error("a thread of a group makes a call for all ranks of that group: in run(), calls "
                                      "are made with the group that is passed to the function");
        const std::lock_guard one_task(tasks_);
        group_->begin_task();
        {
            const std::lock_guard lock(mutex_);
            f_ = f;
            context_ = context;
            error_ = nullptr;
            remaining_ = size();
            number_.fetch_add(1, std::memory_order_release);
        }
        changed_.notify_all();
        wait(done_, [&] { return remaining_.load(std::memory_order_acquire) == 0; });
        if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    }

    // The process is all ranks, and has one value for them.
    void barrier() override {}
    void broadcast(void*, std::size_t, int) override {}
    void all_gather(const void*, void*, std::span<const std::size_t>) override { refuse(); }
    void send(const void*, std::size_t, int, int) override { refuse(); }
    void receive(void*, std::size_t, int, int) override { refuse(); }
    void abandon(const std::string&) noexcept override {}

  private:
    [[noreturn]] static void refuse() {
        throw communication_error("the ranks of this group are threads of the process, which has no value for each of "
                                  "them: run(f) calls f in each thread, with the group as that rank sees it");
    }

    /// Waits on a condition that other threads usually bring about soon: a thread that sleeps takes long to wake up.
    template <class Condition> void wait(std::condition_variable& changed, const Condition& is_over) {
        if (detail::is_over_while_awake(group_->awake(), is_over)) return;
        std::unique_lock lock(mutex_);
        changed.wait(lock, is_over);
    }

    void work(int rank, int device) {
        own_team = this;
#ifdef _OPENMP
        omp_set_num_threads(std::max(1, omp_get_max_threads() / size()));
#endif
        for (unsigned last = 0;; ++last) {
            wait(changed_, [&] { return is_over_ || number_.load(std::memory_order_acquire) != last; });
            if (is_over_) return;
            try {
                if (device != no_device) {
                    const detail::device_api& gpu = detail::require_gpu("a group of GPUs");
                    if (const int status = gpu.set_device(device)) detail::throw_status(gpu, status, "a group of GPUs");
                }
                f_(context_, rank);
            } catch (...) {
                const std::exception_ptr error = std::current_exception();
                {
                    const std::lock_guard lock(mutex_);
                    if (!error_) error_ = error;
                }
                ranks_[static_cast<std::size_t>(rank)].transport().abandon(detail::encode_error(error));
            }
            group_->leave(rank);
            if (remaining_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
                const std::lock_guard lock(mutex_);
                done_.notify_all();
            }
        }
    }

    void end() {
        {
            const std::lock_guard lock(mutex_);
            is_over_ = true;
        }
        changed_.notify_all();
        for (std::thread& one : threads_) one.join();
    }

    /// The team of which the calling thread is a rank, or null.
    static thread_local const thread_team* own_team;

    std::shared_ptr<thread_group> group_;
    std::vector<communicator> ranks_;
    std::mutex tasks_, mutex_;
    std::condition_variable changed_, done_;
    void (*f_)(void*, int) = nullptr;
    void* context_ = nullptr;
    std::exception_ptr error_;          ///< The first that a rank has thrown.
    std::atomic<unsigned> number_ = 0;  ///< The number of tasks so far.
    std::atomic<int> remaining_ = 0;    ///< Ranks that are in the task.
    std::atomic<bool> is_over_ = false;
    std::vector<std::thread> threads_;
};

thread_local const thread_team* thread_team::own_team = nullptr;

}  // namespace

communicator gpus(std::span<const int> devices) {
    const char* const context = "foldwise::gpus";
    if (devices.empty()) throw std::invalid_argument("foldwise::gpus: a group has at least one GPU");
    const detail::device_api& gpu = detail::require_gpu(context);
    for (const int device : devices) detail::device_of(gpu, cuda(device), context);
    return communicator(std::make_shared<thread_team>(devices));
}

communicator gpus() {
    std::vector<int> all(static_cast<std::size_t>(detail::require_gpu("foldwise::gpus").device_count()));
    std::iota(all.begin(), all.end(), 0);
    return gpus(all);
}

communicator threads(int count) {
    if (count < 1)
        throw std::invalid_argument("foldwise::threads: a group has at least one thread, not " + std::to_string(count));
    return communicator(std::make_shared<thread_team>(std::vector<int>(static_cast<std::size_t>(count), no_device)));
}

void detail::refuse_shared_output() {
    throw std::invalid_argument(
        "all threads of a group would write the same array: call with a distributed array as output, or make the call "
        "in run() with an array of each thread's own");
}

executor communicator::on_own_gpu(const executor& requested) const {
    const int own = transport_->device();
    if (own == no_device || requested.device() != executor::any_device || requested.stream()) return requested;
    return executor(requested.backend(), nullptr, own, requested.resource()).from_row(requested.first_row());
}

}  // namespace foldwise
