// runtime/src/simulator/launch.cpp: runs a grid of blocks one after the other, and implements what kernels call.
#include "../gpu/status.hpp"
#include "../simulated_kernel.hpp"
#include "describe.hpp"
#include "multiprocessor.hpp"

#include <foldwise/detail/limits.hpp>
#include <foldwise/error.hpp>

#include <pthread.h>

#include <array>
#include <atomic>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>

namespace foldwise::simulation {

namespace {

using foldwise::detail::invalid_configuration;
using foldwise::detail::invalid_value;

// The limits of GPUs of compute capability 9.0.
constexpr unsigned long long most_threads = 1024;
constexpr std::size_t most_shared_bytes = 227 << 10;

bool is_valid(const dim3& grid, const dim3& block) {
    return grid.count() != 0 && block.count() != 0 && block.count() <= most_threads && block.x <= 1024 &&
           block.y <= 1024 && block.z <= 64 && grid.x <= foldwise::detail::max_grid_blocks && grid.y <= 65535 &&
           grid.z <= 65535;
}

dim3 block_at(unsigned long long number, const dim3& grid) {
    return {static_cast<unsigned>(number % grid.x), static_cast<unsigned>(number / grid.x % grid.y),
            static_cast<unsigned>(number / grid.x / grid.y)};
}

void run_all(multiprocessor& one, const grid_run& run) {
    try {
        one.prepare(run);
        for (unsigned long long block = 0; block < run.grid.count(); ++block) one.run(block_at(block, run.grid));
    } catch (...) {
        one.finish();
        throw;
    }
    one.finish();
}

/// Runs every other block on a multiprocessor and host thread of its own, still one block after the other. Consecutive
/// blocks then share neither thread-local variables nor ThreadSanitizer's contexts: if one accesses what the other
/// writes, that is a race unless they have synchronised.
void run_alternately(std::array<multiprocessor, 2>& both, const grid_run& run) {
    const unsigned long long end = run.grid.count();
    std::atomic<unsigned long long> turn{0};
    std::exception_ptr failure;
    const auto work = [&](unsigned parity) {
        for (unsigned long long block = parity; block < end; block += 2) {
            for (auto now = turn.load(); now != block; now = turn.load()) {
                if (now == end) return;
                turn.wait(now);
            }
            try {
                if (block == parity) {
                    both[parity].prepare(run);
                    run.begun.release();  // its memory is newly allocated; ThreadSanitizer must know that, too
                }
                both[parity].run(block_at(block, run.grid));
                turn = block + 1;
            } catch (...) {
                failure = std::current_exception();
                turn = end;
            }
            turn.notify_all();
        }
    };
    try {
        const std::jthread odd(work, 1);  // waits for the first block or for the end
        try {
            const std::jthread even(work, 0);
        } catch (...) {
            turn = end;
            turn.notify_all();
            throw;
        }
    } catch (const std::system_error& e) {
        throw out_of_memory(std::string("simulator: cannot start a thread: ") + e.what());
    }
    for (multiprocessor& one : both) one.finish();
    if (failure) std::rethrow_exception(failure);
}

std::mutex one_at_a_time;

/// Prevents a fork while a grid runs on another thread, whose state the child would inherit.
[[maybe_unused]] const bool forks_between_grids = pthread_atfork(
                                                      [] {
                                                          if (!multiprocessor::current()) one_at_a_time.lock();
                                                      },
                                                      [] {
                                                          if (!multiprocessor::current()) one_at_a_time.unlock();
                                                      },
                                                      [] {
                                                          if (!multiprocessor::current()) one_at_a_time.unlock();
                                                      }) == 0;

/// Returns the multiprocessor that runs on this host thread. If there is none, throws an error that names the call.
multiprocessor& current(const char* call, const place& where) {
    if (multiprocessor* const one = multiprocessor::current()) return *one;
    throw device_error("simulator: " + std::string(call) + " at " + describe(where) +
                       " outside of a kernel that was launched with barriers");
}

}  // namespace

int run_grid(dim3 grid, dim3 block, std::size_t shared_bytes, body thread) {
    static std::array<multiprocessor, 2> multiprocessors;

    if (multiprocessor::current()) throw device_error("simulator: a kernel launches another one");
    if (!is_valid(grid, block)) return invalid_configuration;
    if (shared_bytes > most_shared_bytes) return invalid_value;

    const std::lock_guard lock(one_at_a_time);
    tsan::meeting_point begun;
    begun.release();
    const grid_run run{grid, block, shared_bytes, thread, detail::simulated_kernel, begun};
    if (tsan::is_there())
        run_alternately(multiprocessors, run);
    else
        run_all(multiprocessors[0], run);
    return 0;
}

void* dynamic_shared_memory() {
    return multiprocessor::current() ? multiprocessor::current()->shared_memory() : nullptr;
}

int wait_for_block(block_barrier barrier, int predicate, const place& where) {
    return current(name(barrier), where).wait_for_block(barrier, predicate, where);
}

std::uint64_t exchange(warp_operation operation, std::uint32_t mask, const contribution& own, const place& where) {
    return current(name(operation), where).exchange(operation, mask, own, where);
}

}  // namespace foldwise::simulation
