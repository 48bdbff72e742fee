// foldwise/device/forall/in_order.hpp: who runs the loops of a task: its thread, the lanes of a warp, or its thread
// together with those of its other tasks.
//
// A lambda whose loops fold terms into variables is also emitted as a function that hands each loop to an object, as
// two lambdas: term(k) reads what is folded, and use(k, term) folds it. Loops that all tasks run alike are handed to
// in_step(), others to in_order(). Both are `for (Counter k = from; k < to; ++k) use(k, term(k));`, or with `<=` if it
// is `Inclusive`.
#pragma once

#include <foldwise/detail/forall_code.hpp>
#include <foldwise/device/platform.hpp>

#include <type_traits>
#include <utility>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// The memory in which the lanes of a warp exchange terms: that of the calling thread's.
__device__ inline unsigned char* terms_of_warp() {
    constexpr int bytes = 2048;
    alignas(16) __shared__ unsigned char terms[detail::warps_of_block][bytes];
    return terms[threadIdx.x / detail::warp_lanes];
}

/// How many terms a lane computes before any is used: their loads are in flight at once. A warp's fill its memory.
template <class Term> inline constexpr int terms_of_lane = sizeof(Term) <= 4 ? 16 : sizeof(Term) <= 8 ? 8 : 4;
/// How many terms a lane reads while it uses as many before them, which hides the shared memory's latency.
inline constexpr int terms_ahead = 8;

/// The lanes of a warp compute terms side by side, and then each uses all of them in the order of the loop, so that
/// every lane has the loop's result. All lanes call it, with the same numbers; term() only reads, and use() changes
/// only the lane's own variables. Terms are of at most 16 bytes.
template <class Counter, bool Inclusive, class End, class Term, class Use>
__device__ inline void fold_by_warp(Counter from, End to, const Term& term, const Use& use) {
    using number = std::common_type_t<Counter, End>;
    using count = std::make_unsigned_t<decltype(number() + 0)>;
    using value = std::remove_cvref_t<decltype(term(from))>;
    constexpr int each = terms_of_lane<value>;
    constexpr count chunk = each * detail::warp_lanes;
    const number first = static_cast<number>(from), end = static_cast<number>(to);
    if (Inclusive ? end < first : end <= first) return;
    const count all = static_cast<count>(end) - static_cast<count>(first) + (Inclusive ? 1 : 0);
    const auto at = [&](count k) { return static_cast<Counter>(static_cast<count>(first) + k); };
    const count lane = threadIdx.x % detail::warp_lanes;
    value* const terms = reinterpret_cast<value*>(terms_of_warp());
    const auto exchange = [&](count begin, const auto& exists) {
        value own[each] = {};
        FOLDWISE_UNROLLED
        for (int i = 0; i < each; ++i)
            if (const count k = begin + i * detail::warp_lanes + lane; exists(k)) own[i] = term(at(k));
        __syncwarp();  // the terms before have been used
        FOLDWISE_UNROLLED
        for (int i = 0; i < each; ++i) terms[i * detail::warp_lanes + lane] = own[i];
        __syncwarp();
    };
    const auto use_all = [&](count begin, count number) {
        value ahead[terms_ahead];
        count k = 0;
        const auto read = [&](count from) {
            FOLDWISE_UNROLLED
            for (int i = 0; i < terms_ahead; ++i) ahead[i] = terms[from + i];
        };
        if (number >= terms_ahead) read(0);
        FOLDWISE_NOT_UNROLLED
        for (; number - k >= terms_ahead; k += terms_ahead) {
            value now[terms_ahead];
            FOLDWISE_UNROLLED
            for (int i = 0; i < terms_ahead; ++i) now[i] = ahead[i];
            if (number - k >= 2 * terms_ahead) read(k + terms_ahead);
            FOLDWISE_UNROLLED
            for (int i = 0; i < terms_ahead; ++i) use(at(begin + k + i), std::as_const(now[i]));
        }
        FOLDWISE_NOT_UNROLLED
        for (; k < number; ++k) use(at(begin + k), std::as_const(terms[k]));
    };
    count begin = 0;
    FOLDWISE_NOT_UNROLLED
    for (; all - begin >= chunk; begin += chunk) {
        exchange(begin, [](count) { return true; });
        use_all(begin, chunk);
    }
    if (begin == all) return;
    exchange(begin, [&](count k) { return k < all; });
    use_all(begin, all - begin);
}

/// Loops that the lanes of a warp run together, all for the same task.
struct loops_of_warp {
    template <class Counter, bool Inclusive, class End, class Term, class Use>
    __device__ void in_order(Counter from, End to, const Term& term, const Use& use) const {
        fold_by_warp<Counter, Inclusive>(from, to, term, use);
    }
    template <class Counter, bool Inclusive, class End, class Term, class Use>
    __device__ void in_step(Counter from, End to, const Term& term, const Use& use) const {
        fold_by_warp<Counter, Inclusive>(from, to, term, use);
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
