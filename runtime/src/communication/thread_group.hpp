// runtime/src/communication/thread_group.hpp: a group whose ranks are threads of one process, and how they reach one
// another.
#pragma once

#include <foldwise/detail/transport.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

struct CUevent_st;

namespace foldwise::detail {

/// How long a thread of a group waits for others before it sleeps, from which it takes tens of microseconds to wake up.
/// While GPUs work, nobody else needs the processor; threads that compute need it sooner.
inline constexpr std::chrono::microseconds awake_for_gpus(10'000), awake_for_threads(200);

/// Waits until is_over() is true, but no longer than `limit`; returns whether it is.
template <class Condition> bool is_over_while_awake(std::chrono::microseconds limit, const Condition& is_over) {
    constexpr int spins = 200;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 1; !is_over(); ++i) {
        if (i % spins != 0) continue;
        if (std::chrono::steady_clock::now() - begin > limit) return false;
        std::this_thread::yield();
    }
    return true;
}

/// What the ranks of a group share. A rank takes part in one call at a time.
///
/// In a call of all ranks, each says what it brings, meets the others, reads what they have brought from their own
/// memory, and meets them again before that memory changes. No rank waits for one that does not come: a rank that fails
/// says so, and one whose task has ended is known to make no further calls.
class thread_group {
  public:
    enum class call : unsigned char { all_gather, broadcast, barrier, gpu_all_gather, gpu_exchange };

    /// What a rank brings to a call of all ranks.
    struct contribution {
        call what;
        const void* data = nullptr;
        std::span<const std::size_t> bytes;
        int root = 0;
        int device = -1;
        CUevent_st* is_ready = nullptr;  ///< Recorded behind what computes `data`, before the ranks meet.
        CUevent_st* has_read = nullptr;  ///< Recorded behind the rank's copies of what others bring, before they part.
    };

    thread_group(int size, std::chrono::microseconds awake)
        : size_(size), awake_(awake), met_(static_cast<std::size_t>(size)) {
        for (auto& turn : brought_) turn.resize(static_cast<std::size_t>(size));
    }
    thread_group(const thread_group&) = delete;
    thread_group& operator=(const thread_group&) = delete;

    int size() const { return size_; }
    /// Returns how long a thread of the group waits before it sleeps.
    std::chrono::microseconds awake() const { return awake_; }

    /// Waits until all ranks have called this, and returns what they bring, which may be read until the caller meets
    /// them again. Throws communication_error if they make different calls.
    std::span<const contribution> meet(int rank, const contribution& mine);
    /// Waits until all ranks have read what the others have brought.
    void part() { wait_for_all(); }

    void send(const void* data, std::size_t bytes, int from, int to, int tag);
    void receive(void* data, std::size_t bytes, int from, int to, int tag);

    /// Makes all calls throw the error that `failure` encodes. The first one counts.
    void abandon(const std::string& failure);
    /// Throws if a rank has abandoned the group.
    void look_for_failure() {
        if (!has_failed_.load(std::memory_order_acquire)) return;
        const std::lock_guard lock(mutex_);
        check_failure();
    }
    /// Says that a rank makes no further calls in this task.
    void leave(int rank);
    /// Forgets all that has been sent and has failed. Called while no rank is in a task.
    void begin_task();

  private:
    void wait_for_all();
    void check_failure() const;
    void fail(const std::string& failure);
    int first_that_left() const;

    using mailbox = std::tuple<int, int, int>;  ///< From, to and tag.

    const int size_;
    const std::chrono::microseconds awake_;
    /// Ranks that are done with one meeting bring something to the next while others still read what was brought.
    std::vector<contribution> brought_[2];
    std::vector<unsigned> met_;  ///< How many times each rank has met the others.
    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<unsigned> meetings_ = 0;
    std::atomic<bool> has_failed_ = false;
    int arrived_ = 0;
    std::vector<bool> has_left_ = std::vector<bool>(static_cast<std::size_t>(size_));
    std::optional<std::string> failure_;
    std::map<mailbox, std::deque<std::vector<std::byte>>> sent_;
};

}  // namespace foldwise::detail
