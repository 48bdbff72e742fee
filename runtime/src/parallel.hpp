// runtime/src/parallel.hpp: splits a range of elements over OpenMP threads.
#pragma once

#include <algorithm>
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

inline int threads_for(std::int64_t count) {
    constexpr std::int64_t elements_per_thread = 16384;  // fewer are done before another thread has woken up
    if (omp_in_parallel()) return 1;
    return static_cast<int>(std::clamp<std::int64_t>(count / elements_per_thread, 1, omp_get_max_threads()));
}

/// An exception of the kernel's leaves the parallel region as a pointer; the first one counts.
template <class Run>
void split_over_threads(std::int64_t count, std::int64_t multiple, int threads, const Run& run) {
    std::exception_ptr thrown;
#pragma omp parallel num_threads(threads)
    {
        // There may be fewer threads than were asked for.
        const std::int64_t parts = omp_get_num_threads(), part = omp_get_thread_num();
        const std::int64_t chunk = round_up((count + parts - 1) / parts, multiple);
        try {
            run(part * chunk, std::min(count, (part + 1) * chunk));
        } catch (...) {
#pragma omp critical(foldwise_thrown)
            if (!thrown) thrown = std::current_exception();
        }
    }
    if (thrown) std::rethrow_exception(thrown);
}

#endif

/// Calls run(begin, end) on each thread, for ranges that together are [0, count); some may be empty, or end before they
/// begin.
template <class Run> void in_parallel(std::int64_t count, const Run& run) {
#ifdef _OPENMP
    if (const int threads = threads_for(count); threads > 1)
        return split_over_threads(count, chunk_multiple, threads, run);
#endif
    run(0, count);
}

/// The same for `count` pieces that have so many elements together.
template <class Run> void in_parallel(std::int64_t count, [[maybe_unused]] std::int64_t elements, const Run& run) {
#ifdef _OPENMP
    if (const int threads = threads_for(elements); threads > 1) return split_over_threads(count, 1, threads, run);
#endif
    run(0, count);
}

}  // namespace foldwise::detail
