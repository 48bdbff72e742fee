// runtime/src/parallel.hpp: splits a range of elements over OpenMP threads.
#pragma once

#include <algorithm>
#include <atomic>
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

inline constexpr std::int64_t chunk_multiple = 64;  // no two threads write to one cache line, whatever the type

constexpr std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

#ifdef _OPENMP

/// A forked process has none of the threads of the team that the forking one had, and libgomp would wait for them for
/// ever. So that one's team ends before it forks, and each process makes its own when it next needs one. Within a
/// parallel region this does nothing, and then the child runs on one thread.
inline const bool teams_end_before_forks =
    pthread_atfork([] { omp_pause_resource_all(omp_pause_soft); }, nullptr, nullptr) == 0;

using clock = std::chrono::steady_clock;

/// How many threads are worth starting for work that takes one of them so long.
inline int threads_for(double nanoseconds) {
    constexpr double thread_ns = 4000;  // less is done before another thread has woken up
    return static_cast<int>(std::clamp<double>(nanoseconds / thread_ns, 1, omp_get_max_threads()));
}

/// Runs [begin, end) and returns the nanoseconds that each of it took.
template <class Run> double time(std::int64_t begin, std::int64_t end, const Run& run) {
    const clock::time_point start = clock::now();
    run(begin, end);
    return std::chrono::duration<double, std::nano>(clock::now() - start).count() / static_cast<double>(end - begin);
}

/// The nanoseconds that an element of a kernel last took. Kernels are told apart by their address; one that shares
/// another's place makes it forgotten. Threads may mix two up: it decides how work is split, and nothing else.
class element_times {
  public:
    /// Zero: not known.
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
inline element_times times_of_elements;

inline constexpr std::int64_t sample = 16 * chunk_multiple;  // elements

/// An exception of the kernel's leaves the parallel region as a pointer; the first one counts. Teams always have all
/// threads, of which some may have nothing to do: libgomp ends those that a smaller team leaves over, and the next
/// larger one has to start them again, which takes longer than much of the work.
template <class Run>
void split_over_threads(std::int64_t begin, std::int64_t end, std::int64_t multiple, int threads, const Run& run) {
    std::exception_ptr thrown;
#pragma omp parallel
    {
        const std::int64_t parts = std::min(threads, omp_get_num_threads()), part = omp_get_thread_num();
        const std::int64_t chunk = round_up((end - begin + parts - 1) / parts, multiple);
        try {
            if (part < parts) run(begin + part * chunk, std::min(end, begin + (part + 1) * chunk));
        } catch (...) {
#pragma omp critical(foldwise_thrown)
            if (!thrown) thrown = std::current_exception();
        }
    }
    if (thrown) std::rethrow_exception(thrown);
}

/// The same with a range of `turn` items for whichever thread is free.
template <class Run>
void take_turns(std::int64_t begin, std::int64_t end, std::int64_t turn, int most_threads, const Run& run) {
    const int threads = static_cast<int>(
        std::min<std::int64_t>({omp_get_max_threads(), most_threads, (end - begin + turn - 1) / turn}));
    std::atomic<std::int64_t> next{begin};
    const auto take = [&] {
        for (std::int64_t own = next.fetch_add(turn); own < end; own = next.fetch_add(turn))
            run(own, std::min(end, own + turn));
    };
    if (threads <= 1) return take();
    std::exception_ptr thrown;
#pragma omp parallel
    {
        try {
            if (omp_get_thread_num() < threads) take();
        } catch (...) {
            next = end;
#pragma omp critical(foldwise_thrown)
            if (!thrown) thrown = std::current_exception();
        }
    }
    if (thrown) std::rethrow_exception(thrown);
}

#endif

/// Calls run(begin, end) for ranges that together are [0, count), on as many threads as pay: the calling thread does
/// the first one of them and looks at the clock. Ranges may be empty, or end before they begin.
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

/// The same for elements, which cost a tenth of a nanosecond or a microsecond: ranges begin at a multiple of
/// chunk_multiple, and the first has a thousand. Returns the nanoseconds that each of these took; zero if they are all.
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

/// The same for elements of a kernel that lie side by side. Where one takes longer than memory does, and so about the
/// same in every call, it is remembered: the next call need not try it out, nor is it lost on a few elements.
template <class Run>
void elements_in_parallel([[maybe_unused]] const void* kernel, std::int64_t count, const Run& run) {
#ifdef _OPENMP
    constexpr double longer_than_memory = 4;  // nanoseconds
    const double known = times_of_elements.of(kernel);
    const bool is_remembered = known >= longer_than_memory, is_new = known == 0 && count <= sample;
    // Of fewer elements than a thread gets, the time would be mostly the clock's own.
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

/// The same for items whose cost is unknown and may differ from one to the next. The calling thread does 1, 1, 2,
/// 4, ... of them until one range took `turn_ns`; threads then take ranges of as many, each its next one when it is
/// done with the last.
template <class Run> void in_parallel_by_turns(std::int64_t count, const Run& run) {
#ifdef _OPENMP
    if (omp_get_max_threads() > 1 && !omp_in_parallel()) {
        constexpr std::int64_t turn_ns = 20'000;
        std::int64_t begin = 0, turn = 1;
        for (;;) {
            const std::int64_t end = std::min(count, begin + turn);
            const clock::time_point started = clock::now();
            run(begin, end);
            begin = end;
            if (begin == count) return;
            if (clock::now() - started >= std::chrono::nanoseconds(turn_ns)) break;
            turn = begin;
        }
        // Powers of two: where items are so cheap that many make a turn, no two threads write to one cache line.
        return take_turns(begin, count, turn, omp_get_max_threads(), run);
    }
#endif
    run(0, count);
}

/// The same for items that are known to be worth a thread each, on no more threads than `most_threads`.
template <class Run> void each_in_parallel(std::int64_t count, [[maybe_unused]] int most_threads, const Run& run) {
#ifdef _OPENMP
    if (count > 1 && most_threads > 1 && omp_get_max_threads() > 1 && !omp_in_parallel())
        return take_turns(0, count, 1, most_threads, run);
#endif
    run(0, count);
}

}  // namespace foldwise::detail
