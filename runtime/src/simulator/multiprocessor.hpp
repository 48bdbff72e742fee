// runtime/src/simulator/multiprocessor.hpp: runs the threads of a block, one at a time, until they are done or stuck.
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

/// A grid on its way.
struct grid_run {
    dim3 grid, block;
    std::size_t shared_bytes;
    body thread;
    tsan::meeting_point& begun;  ///< What the launch saw, its threads see.
};

/// The threads of one block at a time. It belongs to one host thread at a time.
class multiprocessor {
  public:
    /// Room for a block of the grid.
    void prepare(const grid_run& run);
    /// Runs a block to its end. Throws what stopped it: what one of its threads threw, or device_error if they are
    /// stuck or have made mistakes. None of the threads is left behind.
    void run(const dim3& block_index);
    /// What the blocks did is visible to the caller afterwards.
    void finish();

    // What threads call while they run.
    int wait_for_block(block_barrier barrier, int predicate, const place& where);
    std::uint64_t exchange(warp_operation operation, std::uint32_t mask, const contribution& own, const place& where);
    void* shared_memory() const { return shared_memory_.get(); }
    /// What the block has written of its shared memory.
    written_memory& written() { return written_; }
    /// The thread that runs: "thread (5,0,0) of block (3,0,0)".
    std::string running() const;
    /// A mistake that does not keep the thread from going on. The launch ends with the block.
    void report(const std::string& mistake);

    /// From the next launch on, accesses to memory are told to written().
    static void watch_accesses();
    /// The one whose thread calls; null in host code.
    static multiprocessor* current();

  private:
    enum class activity : std::uint8_t { ready, in_block_barrier, in_warp_operation, ended };

    /// A simulated thread. What it waits for is only set while it waits.
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

    /// Lanes that wait for each other.
    struct rendezvous {
        warp_operation operation{};
        std::uint32_t mask = 0, arrived = 0;
        std::uint64_t number = 0;  ///< How many there were before.
        std::array<tsan::meeting_point, 2> points;
    };

    struct warp {
        std::uint32_t ended = 0;  ///< Lanes that nobody waits for; also those that the block does not have.
        per_lane<contribution> brought;
        per_lane<std::uint64_t> results;
        std::array<rendezvous, 32> meetings;  ///< By the mask's lowest lane.
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
    unsigned count_ = 0, ended_ = 0;  ///< Threads of the block.
    thread* running_ = nullptr;

    unsigned waiting_ = 0;  ///< Threads at the block's barrier, the first of them, whether all are at the same one.
    const thread* first_waiting_ = nullptr;
    bool is_same_barrier_ = true;
    int true_predicates_ = 0;
    unsigned phase_ = 0;

    // A point is used again when all have left it: a thread that is ahead must not publish to those still behind.
    std::array<tsan::meeting_point, 2> barrier_points_;
    // What a block did, the next one here and the launch see, and no thread of its own that begins when others have
    // ended.
    std::array<tsan::meeting_point, 2> done_points_;
    unsigned blocks_ = 0;
    tsan::meeting_point told_;  ///< What its threads complain of, the block's end sees.

    std::unique_ptr<void, void (*)(void*)> shared_memory_{nullptr, nullptr};
    written_memory written_;
    std::vector<std::string> mistakes_;
    std::exception_ptr failure_;
    bool is_abandoned_ = false;
};

}  // namespace foldwise::simulation
