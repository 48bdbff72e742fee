// runtime/src/parallel.hpp: splits a range of elements over OpenMP threads.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace foldwise::detail {

inline constexpr std::int64_t chunk_multiple = 64;  // no two threads write to one cache line, whatever the type

constexpr std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

#ifdef _OPENMP

using clock = std::chrono::steady_clock;

/// How many threads are worth starting for `count` more elements, of which `done` took since `begin`.
inline int threads_for(std::int64_t count, std::int64_t done, clock::time_point begin) {
    constexpr double thread_ns = 4000;  // less is done before another thread has woken up
    const double took = std::chrono::duration<double, std::nano>(clock::now() - begin).count();
    const double threads = took / static_cast<double>(done) * static_cast<double>(count) / thread_ns;
    return static_cast<int>(std::clamp<double>(threads, 1, omp_get_max_threads()));
}

/// An exception of the kernel's leaves the parallel region as a pointer; the first one counts.
template <class Run>
void split_over_threads(std::int64_t begin, std::int64_t end, std::int64_t multiple, int threads, const Run& run) {
    std::exception_ptr thrown;
#pragma omp parallel num_threads(threads)
    {
        // There may be fewer threads than were asked for.
        const std::int64_t parts = omp_get_num_threads(), part = omp_get_thread_num();
        const std::int64_t chunk = round_up((end - begin + parts - 1) / parts, multiple);
        try {
            run(begin + part * chunk, std::min(end, begin + (part + 1) * chunk));
        } catch (...) {
#pragma omp critical(foldwise_thrown)
            if (!thrown) thrown = std::current_exception();
        }
    }
    if (thrown) std::rethrow_exception(thrown);
}

#endif

/// Calls run(begin, end) for ranges that together are [0, count), on as many threads as pay: elements cost a tenth of a
/// nanosecond or a microsecond, so the calling thread does the first `sample` and looks at the clock. Ranges begin at a
/// multiple of `multiple`, which divides `sample`; some may be empty, or end before they begin.
template <class Run>
void in_parallel(std::int64_t count, [[maybe_unused]] std::int64_t sample, [[maybe_unused]] std::int64_t multiple,
                 const Run& run) {
#ifdef _OPENMP
    if (count > sample && omp_get_max_threads() > 1 && !omp_in_parallel()) {
        const clock::time_point begin = clock::now();
        run(0, sample);
        if (const int threads = threads_for(count - sample, sample, begin); threads > 1)
            return split_over_threads(sample, count, multiple, threads, run);
        return run(sample, count);
    }
#endif
    run(0, count);
}

/// For elements.
template <class Run> void in_parallel(std::int64_t count, const Run& run) {
    in_parallel(count, 16 * chunk_multiple, chunk_multiple, run);
}

}  // namespace foldwise::detail
