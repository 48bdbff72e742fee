// runtime/src/parallel.hpp: distributes ranges of elements over OpenMP threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>

#ifdef _OPENMP
#include <omp.h>
#include <pthread.h>
#endif

namespace foldwise::detail {

/// Ranges of elements begin at multiples of this, so that no two threads write to one cache line, whatever the type.
inline constexpr std::int64_t chunk_multiple = 64;

/// Returns the smallest multiple that is not less than `value`.
constexpr std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

#ifdef _OPENMP

/// After a fork, the child has none of the OpenMP threads of its parent, and libgomp would wait for them forever.
/// Therefore a process ends its team before it forks, and each process starts a new one when it needs it. Within a
/// parallel region this has no effect, and the child then runs on one thread.
inline const bool teams_end_before_forks =
    pthread_atfork([] { omp_pause_resource_all(omp_pause_soft); }, nullptr, nullptr) == 0;

using clock = std::chrono::steady_clock;

/// Returns how many threads are worth starting for work that takes one thread this long.
inline int threads_for(double nanoseconds) {
    constexpr double thread_ns = 4000;  // below this, the work is done before another thread has woken up
    return static_cast<int>(std::clamp<double>(nanoseconds / thread_ns, 1, omp_get_max_threads()));
}

/// Runs [begin, end) and returns the nanoseconds per item.
template <class Run> double time(std::int64_t begin, std::int64_t end, Run& run) {
    const clock::time_point start = clock::now();
    run(begin, end);
    return std::chrono::duration<double, std::nano>(clock::now() - start).count() / static_cast<double>(end - begin);
}

/// Remembers how many nanoseconds an element of a kernel last took. Kernels are identified by their address; one that
/// maps to the same entry replaces it. Concurrent threads may mix up two kernels, which only affects how work is split.
class element_times {
  public:
    /// Returns the nanoseconds per element, or zero if they are not known.
    double of(const void* kernel) {
        entry& found = place(kernel);
        return found.kernel.load(std::memory_order_relaxed) == kernel ? found.took.load(std::memory_order_relaxed) : 0;
    }
    void put(const void* kernel, double took) {
        entry& found = place(kernel);
        found.kernel.store(kernel, std::memory_order_relaxed);
        found.took.store(took, std::memory_order_relaxed);
    }

  private:
    struct entry {
        std::atomic<const void*> kernel;
        std::atomic<double> took;
    };
    entry& place(const void* kernel) {
        return entries_[reinterpret_cast<std::uintptr_t>(kernel) / alignof(std::max_align_t) % std::size(entries_)];
    }

    entry entries_[256]{};
};
/// The times of all kernels of the process.
inline element_times times_of_elements;

/// The number of elements that the calling thread times to decide how many threads to use.
inline constexpr std::int64_t sample = 16 * chunk_multiple;

/// Splits [begin, end) into one contiguous part per thread. An exception of the kernel leaves the parallel region as a
/// pointer, and the first one is rethrown. The team always has all threads, some of which may have nothing to do:
/// libgomp ends the threads that a smaller team does not need, and starting them again for the next larger team takes
/// longer than much of the work.
template <class Run>
void split_over_threads(std::int64_t begin, std::int64_t end, std::int64_t multiple, int threads, const Run& run) {
    std::exception_ptr thrown;
    std::atomic_flag has_thrown;  // no named critical section: its lock is a symbol that every library shows
#pragma omp parallel
    {
        const std::int64_t parts = std::min(threads, omp_get_num_threads()), part = omp_get_thread_num();
        const std::int64_t chunk = round_up((end - begin + parts - 1) / parts, multiple);
        try {
            if (part < parts) run(begin + part * chunk, std::min(end, begin + (part + 1) * chunk));
        } catch (...) {
            if (!has_thrown.test_and_set()) thrown = std::current_exception();
        }
    }
    if (thrown) std::rethrow_exception(thrown);
}

/// Hands ranges of `turn` items to whichever thread is free. The calling thread runs its own by run(begin, end), each
/// other one by what make() gives it. The first exception of the kernel is rethrown.
template <class Run, class Make>
void take_turns(std::int64_t begin, std::int64_t end, std::int64_t turn, int most_threads, Run& run, const Make& make) {
    const int threads = static_cast<int>(
        std::min<std::int64_t>({omp_get_max_threads(), most_threads, (end - begin + turn - 1) / turn}));
    std::atomic<std::int64_t> next{begin};
    const auto take = [&](auto& by) {
        for (std::int64_t own = next.fetch_add(turn); own < end; own = next.fetch_add(turn))
            by(own, std::min(end, own + turn));
    };
    if (threads <= 1) return take(run);
    std::exception_ptr thrown;
    std::atomic_flag has_thrown;  // no named critical section: its lock is a symbol that every library shows
#pragma omp parallel
    {
        try {
            if (omp_get_thread_num() == 0) {
                take(run);
            } else if (omp_get_thread_num() < threads && next < end) {
                auto&& own = make();
                take(own);
            }
        } catch (...) {
            next = end;
            if (!has_thrown.test_and_set()) thrown = std::current_exception();
        }
    }
    if (thrown) std::rethrow_exception(thrown);
}

#endif

/// Returns how many threads may share the work of a call at most.
inline int most_threads() {
#ifdef _OPENMP
    if (!omp_in_parallel()) return omp_get_max_threads();
#endif
    return 1;
}

/// Calls run(begin, end) for ranges that together are [0, count), on as many threads as are worth it: the calling
/// thread times the first item. Ranges may be empty, or end before they begin.
template <class Run> void in_parallel(std::int64_t count, const Run& run) {
#ifdef _OPENMP
    if (count > 1 && omp_get_max_threads() > 1 && !omp_in_parallel()) {
        const double took = time(0, 1, run);
        if (const int threads = threads_for(took * static_cast<double>(count - 1)); threads > 1)
            return split_over_threads(1, count, 1, threads, run);
        return run(1, count);
    }
#endif
    run(0, count);
}

/// Calls run(begin, end) for ranges of elements that together are [0, count). An element may cost from a tenth of a
/// nanosecond to a microsecond. Ranges begin at multiples of chunk_multiple, and the calling thread times the first
/// one, of about a thousand elements. Returns the nanoseconds per element of that range, or zero if it contains all
/// elements.
template <class Run> double elements_in_parallel(std::int64_t count, const Run& run) {
#ifdef _OPENMP
    if (count > sample && omp_get_max_threads() > 1 && !omp_in_parallel()) {
        const double took = time(0, sample, run);
        if (const int threads = threads_for(took * static_cast<double>(count - sample)); threads > 1)
            split_over_threads(sample, count, chunk_multiple, threads, run);
        else
            run(sample, count);
        return took;
    }
#endif
    run(0, count);
    return 0;
}

/// Calls run(begin, end) for ranges of contiguous elements of a kernel that together are [0, count). If an element
/// takes longer than its memory accesses, and thus about the same time in every call, the time is remembered: the next
/// call need not measure it, which also lets it split few elements.
template <class Run>
void elements_in_parallel([[maybe_unused]] const void* kernel, std::int64_t count, const Run& run) {
#ifdef _OPENMP
    constexpr double longer_than_memory = 4;  // nanoseconds
    const double known = times_of_elements.of(kernel);
    const bool is_remembered = known >= longer_than_memory, is_new = known == 0 && count <= sample;
    // With fewer elements than a thread gets, mostly the clock itself would be timed.
    if ((is_remembered || is_new) && count > chunk_multiple && omp_get_max_threads() > 1 && !omp_in_parallel()) {
        const auto timed = [&](std::int64_t begin, std::int64_t end) {
            if (begin > 0) return run(begin, end);
            times_of_elements.put(kernel, time(begin, end, run));
        };
        const int threads = threads_for(known * static_cast<double>(count));
        return threads > 1 ? split_over_threads(0, count, chunk_multiple, threads, timed) : timed(0, count);
    }
    if (const double took = elements_in_parallel(count, run); took > 0) times_of_elements.put(kernel, took);
#else
    run(0, count);
#endif
}

/// How long a thread works before it takes more, and how long the calling thread does to learn what items take, where
/// their cost is unknown.
inline constexpr std::int64_t turn_ns = 20'000, sample_ns = 2000;

/// Returns how many items a thread takes at a time of `left`, if the last ones took so many nanoseconds each: a power
/// of two. At most a quarter of a thread's share of what is left, as the last ones may take longer than the first, but
/// at least what takes a microsecond.
inline std::int64_t items_of_turn(double took, std::int64_t left, int threads) {
    constexpr int turns_of_thread = 4;
    constexpr double least_ns = 1000;
    const double items = std::min(static_cast<double>(turn_ns) / took,
                                  std::max(static_cast<double>(left) / (turns_of_thread * threads), least_ns / took));
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(std::max(items, 1.0))));
}

/// Calls run(begin, end) for ranges of items whose cost is unknown and may vary; `run` is what make() has given the
/// thread, and ends when the thread has run its last range. The calling thread runs 1, 1, 2, 4, ... items. When two
/// such ranges have told what items take, and the rest is worth other threads, threads take ranges that take about
/// `turn_ns`, each a new one when it has finished the last. When a range has taken so long, they take as many items as
/// it had.
template <class Make> void in_parallel_by_turns_of(std::int64_t count, const Make& make) {
    auto&& run = make();
#ifdef _OPENMP
    if (count > 0 && omp_get_max_threads() > 1 && !omp_in_parallel()) {
        // The first items may take longer, as nothing is in the caches yet.
        constexpr double alike = 8;
        std::int64_t begin = 0, turn = 1;
        for (double last = 0;;) {
            const std::int64_t end = std::min(count, begin + turn), items = end - begin;
            const double took = time(begin, end, run), all = took * static_cast<double>(items);
            begin = end;
            if (begin == count) return;
            if (all >= static_cast<double>(turn_ns)) break;
            if (all >= static_cast<double>(sample_ns) && all <= alike * last &&
                threads_for(took * static_cast<double>(count - begin)) > 1) {
                turn = std::max(items_of_turn(took, count - begin, omp_get_max_threads()),
                                std::min(begin, chunk_multiple));
                break;
            }
            last = all;
            turn = begin;
        }
        // Powers of two, at least 64 where the calling thread has run as many: where items are cheap, no two threads
        // write to one cache line.
        return take_turns(begin, count, turn, omp_get_max_threads(), run, make);
    }
#endif
    run(0, count);
}

/// The same with one `run` for all threads.
template <class Run> void in_parallel_by_turns(std::int64_t count, const Run& run) {
    in_parallel_by_turns_of(count, [&]() -> const Run& { return run; });
}

/// Calls run(begin, end) for items that are each known to be worth a thread, on at most `most_threads` threads.
template <class Run> void each_in_parallel(std::int64_t count, [[maybe_unused]] int most_threads, const Run& run) {
#ifdef _OPENMP
    if (count > 1 && most_threads > 1 && omp_get_max_threads() > 1 && !omp_in_parallel())
        return take_turns(0, count, 1, most_threads, run, [&]() -> const Run& { return run; });
#endif
    run(0, count);
}

}  // namespace foldwise::detail
