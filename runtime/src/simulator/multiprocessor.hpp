// runtime/src/simulator/multiprocessor.hpp: runs the threads of a block, one at a time, until they end or are stuck.
#pragma once

#include "fiber.hpp"
#include "sanitizers.hpp"
#include "warp.hpp"
#include "written_memory.hpp"

#include <foldwise/simulator/launch.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace foldwise::simulation {

/// The grid that is running.
struct grid_run {
    dim3 grid, block;
    std::size_t shared_bytes;
    body thread;
    const char* kernel;          ///< Its name, or null.
    tsan::meeting_point& begun;  ///< Orders what the launching thread did before what the grid's threads do.
};

/// Runs one block at a time. It belongs to one host thread at a time.
class multiprocessor {
  public:
    /// Prepares for blocks of the grid.
    void prepare(const grid_run& run);
    /// Runs a block to its end. Throws what one of its threads threw, or device_error if the threads are stuck or have
    /// made mistakes. In any case none of the threads remains suspended.
    void run(const dim3& block_index);
    /// Makes what the blocks did visible to the caller.
    void finish();

    // Threads call the following while they run.

    /// Waits at a block barrier and returns the reduction of the predicates.
    int wait_for_block(block_barrier barrier, int predicate, const place& where);
    /// Waits for the other lanes of the mask and returns this lane's result of a warp operation.
    std::uint64_t exchange(warp_operation operation, std::uint32_t mask, const contribution& own, const place& where);
    void* shared_memory() const { return shared_memory_.get(); }
    /// Returns which bytes of shared memory the block has written.
    written_memory& written() { return written_; }
    /// Returns the name of the running thread: "thread (5,0,0) of block (3,0,0)".
    std::string running() const;
    /// Returns the kernel's name, or null if that is not known.
    const char* kernel() const { return run_->kernel; }
    /// Records a mistake that does not stop the thread. The launch ends with the block.
    void report(const std::string& mistake);

    /// From the next launch on, reports accesses to memory to written().
    static void watch_accesses();
    /// Returns the multiprocessor whose thread is running; null in host code.
    static multiprocessor* current();

  private:
    enum class activity : std::uint8_t { ready, in_block_barrier, in_warp_operation, ended };

    /// A simulated thread. What it waits for is set only while it waits.
    struct thread {
        multiprocessor* owner = nullptr;
        unsigned number = 0;
        dim3 index;
        activity state = activity::ended;
        bool has_begun = false;
        bool has_fenced = false;
        place where;
        block_barrier barrier{};
        warp_operation operation{};
        std::uint32_t mask = 0;
        std::uint64_t result = 0;
        fiber strand;
        tsan::context context;
    };

    /// Lanes that wait for one another.
    struct rendezvous {
        warp_operation operation{};
        std::uint32_t mask = 0, arrived = 0;
        std::uint64_t number = 0;  ///< How many such operations were completed before.
        std::array<tsan::meeting_point, 2> points;
    };

    struct warp {
        std::uint32_t ended = 0;  ///< Lanes that have ended or that the block does not have; nobody waits for them.
        per_lane<contribution> brought;
        per_lane<std::uint64_t> results;
        std::array<rendezvous, 32> meetings;  ///< Indexed by the mask's lowest lane.
    };

    void begin(const dim3& block_index);
    void take_turns();
    void give_up();
    static void run_thread(void* thread);
    void resume(thread& one);
    void wait(thread& self, activity state);
    void end(thread& self);
    void open_if_complete(warp& in, unsigned first_thread, rendezvous& meeting);
    void abandon();
    std::string name_of(const thread& one) const;
    std::string stuck() const;

    const grid_run* run_ = nullptr;
    std::deque<thread> threads_;  ///< As many as the largest block so far; they keep their stacks.
    std::vector<warp> warps_;
    unsigned count_ = 0, ended_ = 0;  ///< The numbers of threads of the block, and of those that have ended.
    thread* running_ = nullptr;

    /// The number of threads at the block's barrier.
    unsigned waiting_ = 0;
    /// The first of the waiting threads.
    const thread* first_waiting_ = nullptr;
    /// Whether all waiting threads are at the same barrier.
    bool is_same_barrier_ = true;
    int true_predicates_ = 0;
    unsigned phase_ = 0;

    // A point is reused only after all threads have left it: a thread that is ahead must not publish to those behind.
    std::array<tsan::meeting_point, 2> barrier_points_;
    // What a block did is visible to the next block on this multiprocessor and to the launching thread, but not to
    // threads of the same block that begin after others have ended.
    std::array<tsan::meeting_point, 2> done_points_;
    unsigned blocks_ = 0;
    tsan::meeting_point told_;  ///< Orders reports of the block's threads before its end.

    std::unique_ptr<void, void (*)(void*)> shared_memory_{nullptr, nullptr};
    written_memory written_;
    std::vector<std::string> mistakes_;
    std::exception_ptr failure_;
    bool is_abandoned_ = false;
};

}  // namespace foldwise::simulation
