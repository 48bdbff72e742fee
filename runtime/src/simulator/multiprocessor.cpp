// runtime/src/simulator/multiprocessor.cpp: the threads of a block take turns, each running until it waits for others.
#include "multiprocessor.hpp"

#include "describe.hpp"

#include <foldwise/error.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace foldwise::simulation {

namespace {

thread_local multiprocessor* current_multiprocessor = nullptr;

std::atomic<bool> is_watching = false;

/// Thrown in waiting threads when their block is abandoned, so that they release what they hold.
struct abandoned {};

bool is_same_place(const place& a, const place& b) {
    return a.line() == b.line() && a.column() == b.column() && std::strcmp(a.file_name(), b.file_name()) == 0;
}

}  // namespace

void multiprocessor::watch_accesses() { is_watching = true; }

multiprocessor* multiprocessor::current() { return current_multiprocessor; }

void multiprocessor::prepare(const grid_run& run) {
    run_ = &run;
    count_ = static_cast<unsigned>(run.block.count());
    while (threads_.size() < count_) {
        thread& one = threads_.emplace_back();
        one.owner = this;
        one.number = static_cast<unsigned>(threads_.size()) - 1;
    }
    for (thread& one : threads_) {
        if (one.number >= count_) break;
        one.index = {one.number % run.block.x, one.number / run.block.x % run.block.y,
                     one.number / run.block.x / run.block.y};
    }
    warps_.resize((count_ + warpSize - 1) / warpSize);
    // Uses malloc, so that AddressSanitizer knows where the memory ends.
    shared_memory_ = {run.shared_bytes != 0 ? std::malloc(run.shared_bytes) : nullptr, std::free};
    if (run.shared_bytes != 0 && !shared_memory_)
        throw out_of_memory("simulator: no memory for a block's shared memory");
    mistakes_.reserve(10);  // further mistakes are dropped; no thread may free what another has allocated
    written_ = {};
    if (is_watching) {
        written_.watch(shared_memory_.get(), run.shared_bytes);
        written_.watch_thread_local_variables();
    }
}

void multiprocessor::run(const dim3& block_index) {
    begin(block_index);
    take_turns();
    if (failure_) abandon();
    if (failure_ || !mistakes_.empty()) told_.acquire();
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    if (!mistakes_.empty()) throw device_error("simulator: " + joined(mistakes_, "\n  "));
}

void multiprocessor::begin(const dim3& block_index) {
    gridDim = run_->grid;
    blockDim = run_->block;
    blockIdx = block_index;
    ++blocks_;
    ended_ = waiting_ = 0;
    is_abandoned_ = false;
    mistakes_.clear();
    written_.forget();
    for (std::size_t i = 0; i < warps_.size(); ++i) {
        const unsigned lanes = std::min(count_ - static_cast<unsigned>(i) * warpSize, unsigned{warpSize});
        warps_[i].ended = static_cast<std::uint32_t>(~((std::uint64_t{1} << lanes) - 1));
        for (rendezvous& meeting : warps_[i].meetings) meeting.arrived = 0;
    }
    for (unsigned i = 0; i < count_; ++i) {
        thread& one = threads_[i];
        one.state = activity::ready;
        one.has_begun = one.has_fenced = false;
        if (tsan::is_there()) one.context.name(name_of(one));
    }
}

void multiprocessor::take_turns() {
    while (ended_ < count_ && !failure_) {
        bool has_progressed = false;
        for (unsigned i = 0; i < count_ && !failure_; ++i) {
            if (threads_[i].state != activity::ready) continue;
            resume(threads_[i]);
            has_progressed = true;
        }
        if (!has_progressed) give_up();
    }
}

/// Records that the threads are stuck. There is an exception even if its message cannot be allocated, because stuck
/// threads must not be left behind.
void multiprocessor::give_up() {
    try {
        throw device_error(stuck());
    } catch (...) {
        failure_ = std::current_exception();
    }
}

void multiprocessor::finish() {
    for (tsan::meeting_point& point : done_points_) point.acquire();
    shared_memory_.reset();
}

void multiprocessor::resume(thread& one) {
    if (!one.has_begun) {
        one.has_begun = true;
        one.strand.start(run_thread, &one, one.context);
    }
    running_ = &one;
    threadIdx = one.index;
    has_fenced = one.has_fenced;
    current_multiprocessor = this;
    one.strand.resume();
    current_multiprocessor = nullptr;
    one.has_fenced = has_fenced;
}

void multiprocessor::run_thread(void* argument) {
    thread& self = *static_cast<thread*>(argument);
    multiprocessor& owner = *self.owner;
    owner.run_->begun.acquire();
    owner.done_points_[(owner.blocks_ + 1) % 2].acquire();
    try {
        owner.run_->thread.call(owner.run_->thread.kernel);
    } catch (const abandoned&) {
    } catch (...) {
        if (!owner.failure_) owner.failure_ = std::current_exception();
        owner.told_.release();
    }
    owner.done_points_[owner.blocks_ % 2].release();
    owner.end(self);
}

void multiprocessor::end(thread& self) {
    self.state = activity::ended;
    ++ended_;
    const unsigned number = self.number / warpSize;
    warp& in = warps_[number];
    in.ended |= 1u << self.number % warpSize;
    for (rendezvous& meeting : in.meetings) {
        if (meeting.arrived != 0) open_if_complete(in, number * warpSize, meeting);
    }
}

void multiprocessor::abandon() {
    is_abandoned_ = true;
    for (unsigned i = 0; i < count_; ++i) {
        if (threads_[i].has_begun && threads_[i].state != activity::ended) resume(threads_[i]);
    }
}

void multiprocessor::wait(thread& self, activity state) {
    self.state = state;
    self.strand.suspend();
    if (is_abandoned_) throw abandoned{};
}

int multiprocessor::wait_for_block(block_barrier barrier, int predicate, const place& where) {
    thread& self = *running_;
    self.barrier = barrier;
    self.where = where;
    if (waiting_++ == 0) {
        first_waiting_ = &self;
        is_same_barrier_ = true;
        true_predicates_ = 0;
    }
    is_same_barrier_ =
        is_same_barrier_ && barrier == first_waiting_->barrier && is_same_place(where, first_waiting_->where);
    if (predicate != 0) ++true_predicates_;

    tsan::meeting_point& point = barrier_points_[phase_ % 2];
    point.release();
    if (waiting_ < count_ || !is_same_barrier_) {
        wait(self, activity::in_block_barrier);
    } else {
        int result = 0;
        if (barrier == block_barrier::count) result = true_predicates_;
        if (barrier == block_barrier::all) result = true_predicates_ == static_cast<int>(count_);
        if (barrier == block_barrier::any) result = true_predicates_ != 0;
        waiting_ = 0;
        ++phase_;
        for (unsigned i = 0; i < count_; ++i) {
            threads_[i].state = activity::ready;
            threads_[i].result = static_cast<std::uint64_t>(result);
        }
    }
    point.acquire();
    return static_cast<int>(self.result);
}

std::uint64_t multiprocessor::exchange(warp_operation operation, std::uint32_t mask, const contribution& own,
                                       const place& where) {
    thread& self = *running_;
    const unsigned number = self.number / warpSize, lane = self.number % warpSize;
    const auto refuse = [&](const std::string& why) {
        throw device_error("simulator: " + std::string(name(operation)) + why + ", in " + name_of(self) + " at " +
                           describe(where));
    };
    if ((mask >> lane & 1) == 0) refuse(" with the mask " + hexadecimal(mask) + ", which leaves out the lane itself");
    if (own.width < 1 || own.width > warpSize || !std::has_single_bit(static_cast<unsigned>(own.width)))
        refuse(" with the width " + std::to_string(own.width) + ", which is no power of two up to 32");

    warp& in = warps_[number];
    self.operation = operation;
    self.mask = mask;
    self.where = where;
    rendezvous& meeting = in.meetings[static_cast<unsigned>(std::countr_zero(mask))];
    if (meeting.arrived == 0) {
        meeting.operation = operation;
        meeting.mask = mask;
    }
    // A lane that reaches another operation than the lanes already there waits beside them, and all are stuck. The same
    // operation on another line counts as the same, as for shfl.sync, vote.sync and bar.warp.sync in the PTX ISA.
    const bool belongs = meeting.operation == operation && meeting.mask == mask;
    tsan::meeting_point& point = meeting.points[meeting.number % 2];
    const bool orders_memory = operation == warp_operation::sync;
    if (orders_memory && belongs) point.release();
    self.state = activity::in_warp_operation;
    if (belongs) {
        in.brought[lane] = own;
        meeting.arrived |= 1u << lane;
        open_if_complete(in, number * warpSize, meeting);
    }
    if (self.state != activity::ready) wait(self, activity::in_warp_operation);
    if (orders_memory) point.acquire();
    return self.result;
}

void multiprocessor::open_if_complete(warp& in, unsigned first_thread, rendezvous& meeting) {
    if ((meeting.mask & ~(meeting.arrived | in.ended)) != 0) return;
    cooperate(meeting.operation, meeting.arrived, in.brought, in.results);
    for (std::uint32_t lanes = meeting.arrived; lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
        threads_[first_thread + lane].result = in.results[lane];
        threads_[first_thread + lane].state = activity::ready;
    }
    meeting.arrived = 0;
    ++meeting.number;
}

std::string multiprocessor::name_of(const thread& one) const {
    return "thread " + describe(one.index) + " of block " + describe(blockIdx);
}

std::string multiprocessor::running() const { return name_of(*running_); }

void multiprocessor::report(const std::string& mistake) {
    if (mistakes_.size() < mistakes_.capacity()) mistakes_.push_back(mistake);
    told_.release();
}

std::string multiprocessor::stuck() const {
    // Neighbouring threads in the same state share a line.
    std::string text = "simulator: divergent barrier in block " + describe(blockIdx);
    const auto doing = [](const thread& one) {
        if (one.state == activity::ended) return std::string(" ended");
        const std::string at = " at " + describe(one.where);
        if (one.state == activity::in_block_barrier) return std::string(" in ") + name(one.barrier) + at;
        return std::string(" in ") + name(one.operation) + " of lanes " + hexadecimal(one.mask) + at;
    };
    for (unsigned first = 0, next = 0; first < count_; first = next) {
        const std::string what = doing(threads_[first]);
        while (next < count_ && doing(threads_[next]) == what) ++next;
        text += "\n  " + describe(threads_[first].index);
        if (next - first > 1) text += " to " + describe(threads_[next - 1].index);
        text += what;
    }
    return text;
}

}  // namespace foldwise::simulation
