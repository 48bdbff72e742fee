// runtime/src/communication/thread_group.cpp: how threads wait for one another, and learn of an error in one.
#include "thread_group.hpp"

#include <foldwise/communicator.hpp>
#include <foldwise/error.hpp>

#include <algorithm>
#include <cstring>

namespace foldwise::detail {

namespace {

const char* name_of(thread_group::call what) {
    switch (what) {
    case thread_group::call::all_gather:
        return "all_gather";
    case thread_group::call::broadcast:
        return "broadcast";
    case thread_group::call::barrier:
        return "barrier";
    case thread_group::call::gpu_all_gather:
        return "a gather between GPUs";
    case thread_group::call::gpu_exchange:
        return "an exchange between GPUs";
    }
    return "";
}

/// Returns what a rank says of a call whose extent all have to agree on.
std::string describe(const thread_group::contribution& one) {
    if (one.what == thread_group::call::broadcast)
        return "broadcast of " + std::to_string(one.bytes[0]) + " bytes from rank " + std::to_string(one.root);
    if (one.what == thread_group::call::barrier || one.what == thread_group::call::gpu_exchange)
        return name_of(one.what);
    std::size_t sum = 0;
    for (const std::size_t bytes : one.bytes) sum += bytes;
    return std::string(name_of(one.what)) + " of " + std::to_string(sum) + " bytes in all";
}

bool are_alike(const thread_group::contribution& a, const thread_group::contribution& b) {
    if (a.what != b.what || a.root != b.root) return false;
    return a.what == thread_group::call::gpu_exchange || std::ranges::equal(a.bytes, b.bytes);
}

}  // namespace

std::span<const thread_group::contribution> thread_group::meet(int rank, const contribution& mine) {
    std::vector<contribution>& all = brought_[met_[static_cast<std::size_t>(rank)]++ % 2];
    all[static_cast<std::size_t>(rank)] = mine;
    wait_for_all();
    for (int other = 1; other < size_; ++other) {
        const contribution& theirs = all[static_cast<std::size_t>(other)];
        if (are_alike(all[0], theirs)) continue;
        const std::string text =
            "rank 0 calls " + describe(all[0]) + ", and rank " + std::to_string(other) + " " + describe(theirs);
        wait_for_all();  // all have read what the others have brought
        throw communication_error(text);
    }
    return all;
}

void thread_group::wait_for_all() {
    unsigned turn = 0;
    {
        const std::lock_guard lock(mutex_);
        check_failure();
        if (const int gone = first_that_left(); gone >= 0 && size_ > 1)
            fail("crank " + std::to_string(gone) + " has returned, and others still wait for it");
        check_failure();
        turn = meetings_.load(std::memory_order_relaxed);
        if (++arrived_ == size_) {
            arrived_ = 0;
            meetings_.store(turn + 1, std::memory_order_release);
            changed_.notify_all();
            return;
        }
    }
    const auto is_over = [&] {
        return meetings_.load(std::memory_order_acquire) != turn || has_failed_.load(std::memory_order_acquire);
    };
    is_over_while_awake(awake_, is_over);
    if (meetings_.load(std::memory_order_acquire) != turn) return;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, is_over);
    if (meetings_.load(std::memory_order_relaxed) == turn) check_failure();
}

void thread_group::send(const void* data, std::size_t bytes, int from, int to, int tag) {
    std::vector<std::byte> copy(bytes);
    if (bytes > 0) std::memcpy(copy.data(), data, bytes);
    const std::lock_guard lock(mutex_);
    check_failure();
    sent_[mailbox(from, to, tag)].push_back(std::move(copy));
    changed_.notify_all();
}

void thread_group::receive(void* data, std::size_t bytes, int from, int to, int tag) {
    std::unique_lock lock(mutex_);
    std::deque<std::vector<std::byte>>& box = sent_[mailbox(from, to, tag)];
    changed_.wait(lock, [&] { return failure_ || !box.empty() || has_left_[static_cast<std::size_t>(from)]; });
    check_failure();
    if (box.empty()) {
        fail("crank " + std::to_string(from) + " has returned, and rank " + std::to_string(to) +
             " still waits for a message from it");
        check_failure();
    }
    const std::vector<std::byte> message = std::move(box.front());
    box.pop_front();
    if (message.size() != bytes) {
        fail("crank " + std::to_string(to) + " expects " + std::to_string(bytes) + " bytes from rank " +
             std::to_string(from) + ", which sends " + std::to_string(message.size()));
        check_failure();
    }
    if (bytes > 0) std::memcpy(data, message.data(), bytes);
}

void thread_group::abandon(const std::string& failure) {
    const std::lock_guard lock(mutex_);
    fail(failure);
}

void thread_group::leave(int rank) {
    const std::lock_guard lock(mutex_);
    has_left_[static_cast<std::size_t>(rank)] = true;
    if (arrived_ > 0) fail("crank " + std::to_string(rank) + " has returned, and others still wait for it");
    changed_.notify_all();
}

void thread_group::begin_task() {
    const std::lock_guard lock(mutex_);
    arrived_ = 0;
    met_.assign(met_.size(), 0);
    has_left_.assign(has_left_.size(), false);
    failure_.reset();
    has_failed_ = false;
    sent_.clear();
}

void thread_group::check_failure() const {
    if (failure_) throw_encoded(*failure_);
}

void thread_group::fail(const std::string& failure) {
    if (failure_) return;
    failure_ = failure;
    has_failed_.store(true, std::memory_order_release);
    changed_.notify_all();
}

int thread_group::first_that_left() const {
    const auto found = std::find(has_left_.begin(), has_left_.end(), true);
    return found == has_left_.end() ? -1 : static_cast<int>(found - has_left_.begin());
}

}  // namespace foldwise::detail
