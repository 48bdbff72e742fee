// foldwise/device/forall/in_order.hpp: who runs the loops of a task: its thread, lanes of a warp, or its thread
// together with those of its other tasks.
//
// A lambda whose loops fold terms into variables is also emitted as a function that hands each loop to an object, as
// two lambdas: term(k) reads what is folded, and use(k, term) folds it. Loops that all tasks run alike are handed to
// in_step(), others to in_order(). Both are `for (Counter k = from; k < to; ++k) use(k, term(k));`, or with `<=` if it
// is `Inclusive`.
#pragma once

#include <foldwise/detail/forall_code.hpp>
#include <foldwise/device/platform.hpp>

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// The lanes of a warp that run one task: all of them, or a half or a quarter of a warp.
struct lanes_of_task {
    int log2;

    __device__ unsigned int number() const { return threadIdx.x & (count() - 1); }
    __device__ unsigned int count() const { return 1u << log2; }
    /// Waits for these lanes only: others may have come to another place, or have no task. A mask that is a constant
    /// costs less than one that is computed.
    __device__ void wait() const {
        if (count() == detail::warp_lanes)
            __syncwarp();
        else
            __syncwarp(0xffffffffu >> (detail::warp_lanes - count())
                                          << (threadIdx.x % detail::warp_lanes & ~(count() - 1)));
    }

    /// The memory in which the lanes exchange terms: 64 bytes for each. That of neighbouring tasks begins in other
    /// banks.
    template <class Term> __device__ Term* terms() const {
        constexpr int bytes = 64 * detail::warp_lanes, apart = 32;
        constexpr int most_tasks = detail::warp_lanes / detail::least_lanes_of_task;
        alignas(16) __shared__ unsigned char all[detail::warps_of_block][bytes + most_tasks * apart];
        const unsigned int own = threadIdx.x % detail::warp_lanes >> log2;
        unsigned char* const first = all[threadIdx.x / detail::warp_lanes] + own * (64 * count() + apart);
        return static_cast<Term*>(__builtin_assume_aligned(first, 16));  // so that several are read at once
    }
};

/// How many terms a lane computes before any is used: their loads are in flight at once. They fill the lane's memory.
template <class Term> inline constexpr int terms_of_lane = sizeof(Term) <= 4 ? 16 : sizeof(Term) <= 8 ? 8 : 4;
/// How many terms a lane reads while it uses as many before them, which hides the shared memory's latency.
inline constexpr unsigned int terms_ahead = 8;

/// The lanes of a task compute terms side by side, and then each uses all of them in the order of the loop, so that
/// every lane has the loop's result. All these lanes call it, with the same numbers; term() only reads, and use()
/// changes only the lane's own variables. Terms are of at most 16 bytes.
template <class Counter, bool Inclusive, class End, class Term, class Use>
__device__ inline void fold_by_lanes(lanes_of_task lanes, Counter from, End to, const Term& term, const Use& use) {
    using number = std::common_type_t<Counter, End>;
    using count = std::make_unsigned_t<decltype(number() + 0)>;
    using value = std::remove_cvref_t<decltype(term(from))>;
    constexpr count each = terms_of_lane<value>;
    const count step = lanes.count(), chunk = each * step;
    const number first = static_cast<number>(from), end = static_cast<number>(to);
    if (Inclusive ? end < first : end <= first) return;
    const count all = static_cast<count>(end) - static_cast<count>(first) + (Inclusive ? 1 : 0);
    const auto at = [&](count k) { return static_cast<Counter>(static_cast<count>(first) + k); };
    const count lane = lanes.number();
    value* const terms = lanes.terms<value>();
    const auto exchange = [&](count begin, const auto& exists) {
        value own[each] = {};
        FOLDWISE_UNROLLED
        for (count i = 0; i < each; ++i)
            if (const count k = begin + i * step + lane; exists(k)) own[i] = term(at(k));
        lanes.wait();  // the terms before have been used
        FOLDWISE_UNROLLED
        for (count i = 0; i < each; ++i) terms[i * step + lane] = own[i];
        lanes.wait();
    };
    const auto use_all = [&](count begin, unsigned int some) {
        struct group {
            value terms[terms_ahead];
        };
        const unsigned int groups = some / terms_ahead;
        // Without a branch, so that the compiler can begin to read a group before the one before it is used.
        const auto read = [&](group& read_ahead, unsigned int which) {
            constexpr std::size_t bytes = sizeof(group), aligned = bytes & -bytes;
            const value* const source = terms + (which < groups ? which : groups - 1) * terms_ahead;
            memcpy(&read_ahead, __builtin_assume_aligned(source, aligned < 16 ? aligned : 16), bytes);
        };
        const auto use_group = [&](const group& own, unsigned int which) {
            FOLDWISE_UNROLLED
            for (unsigned int i = 0; i < terms_ahead; ++i) use(at(begin + which * terms_ahead + i), own.terms[i]);
        };
        if (groups > 0) {
            group even, odd;
            read(even, 0);
            unsigned int which = 0;
            FOLDWISE_NOT_UNROLLED
            for (; which + 1 < groups; which += 2) {
                read(odd, which + 1);
                use_group(even, which);
                read(even, which + 2);
                use_group(odd, which + 1);
            }
            if (which < groups) use_group(even, which);
        }
        FOLDWISE_NOT_UNROLLED
        for (unsigned int k = groups * terms_ahead; k < some; ++k) use(at(begin + k), std::as_const(terms[k]));
    };
    count begin = 0;
    FOLDWISE_NOT_UNROLLED
    for (; all - begin >= chunk; begin += chunk) {
        exchange(begin, [](count) { return true; });
        use_all(begin, static_cast<unsigned int>(chunk));
    }
    if (begin == all) return;
    exchange(begin, [&](count k) { return k < all; });
    use_all(begin, static_cast<unsigned int>(all - begin));
}

/// Loops that the lanes of a task run together.
struct loops_of_lanes {
    lanes_of_task lanes;

    template <class Counter, bool Inclusive, class End, class Term, class Use>
    __device__ void in_order(Counter from, End to, const Term& term, const Use& use) const {
        fold_by_lanes<Counter, Inclusive>(lanes, from, to, term, use);
    }
    template <class Counter, bool Inclusive, class End, class Term, class Use>
    __device__ void in_step(Counter from, End to, const Term& term, const Use& use) const {
        in_order<Counter, Inclusive>(from, to, term, use);
    }
};

/// Loops that a thread runs as they are written.
struct loops_of_thread {
    template <class Counter, bool Inclusive, class End, class Term, class Use>
    __device__ void in_order(Counter from, End to, const Term& term, const Use& use) const {
        each<Counter, Inclusive>(from, to, [&](Counter k) { use(k, term(k)); });
    }
    template <class Counter, bool Inclusive, class End, class Term, class Use>
    __device__ void in_step(Counter from, End to, const Term& term, const Use& use) const {
        in_order<Counter, Inclusive>(from, to, term, use);
    }

  protected:
    template <class Counter, bool Inclusive, class End, class Turn>
    __device__ static void each(Counter from, End to, const Turn& turn) {
        for (Counter k = from; Inclusive ? k <= to : k < to; ++k) turn(k);
    }
};

/// The loops of the Number-th of a thread's Count tasks. A task that comes to its loop in step calls the next task,
/// whose code up to that loop then runs; the last one runs the loop for all of them, turn by turn, so that an element
/// that all of them read is loaded once. Then each runs what follows its loop, the last one first. Every task has to
/// come to that loop exactly once, with the same numbers.
template <int Number, int Count, class Task, class Before> class loops_in_step : public loops_of_thread {
  public:
    /// Task is called with std::integral_constant<int, n> and the loops of the n-th task, and Before with the number of
    /// a turn, for the tasks before this one.
    __device__ loops_in_step(const Task& task, const Before& before) : task_(task), before_(before) {}

    template <class Counter, bool Inclusive, class End, class Term, class Use>
    __device__ void in_step(Counter from, End to, const Term& term, const Use& use) const {
        const auto turn = [&](Counter k) {
            before_(k);
            use(k, term(k));
        };
        if constexpr (Number + 1 == Count)
            each<Counter, Inclusive>(from, to, turn);
        else
            task_(std::integral_constant<int, Number + 1>(),
                  loops_in_step<Number + 1, Count, Task, decltype(turn)>(task_, turn));
    }

  private:
    const Task& task_;
    const Before& before_;
};

/// Runs Count tasks whose loops are in step.
template <int Count, class Task> __device__ inline void run_in_step(const Task& task) {
    const auto nothing = [](auto) {};
    task(std::integral_constant<int, 0>(), loops_in_step<0, Count, Task, decltype(nothing)>(task, nothing));
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
