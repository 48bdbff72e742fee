// foldwise/cpu/fold.hpp: how emitted code for the CPU folds a run of elements.
#pragma once

#include <foldwise/detail/reduce_kernel.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace foldwise::cpu {

/// Elements that are combined one after the other; beyond them errors of rounding grow with the logarithm of the number
/// of elements. NumPy's pairwise sums take as many.
inline constexpr int chain = 16;

/// Room for accumulators, which need not have a default.
template <class T> struct slot {
    union {
        T value;
    };
    slot() {}
};

/// Neighbours are combined, then neighbours of what that made, and so on: in order, into the first one.
template <class Steps, int Lanes, class T> void join_rows(slot<T> (*rows)[Lanes], std::int64_t count) {
    for (std::int64_t step = 1; step < count; step *= 2)
        for (std::int64_t row = 0; row + step < count; row += 2 * step)
            for (int lane = 0; lane < Lanes; ++lane)
                rows[row][lane].value = Steps::combine(rows[row][lane].value, rows[row + step][lane].value);
}

template <class Steps, class T> void join_slots(slot<T>* slots, std::int64_t count) {
    for (std::int64_t step = 1; step < count; step *= 2)
        for (std::int64_t i = 0; i + step < count; i += 2 * step)
            slots[i].value = Steps::combine(slots[i].value, slots[i + step].value);
}

/// Combines elements that lie `lanes` apart, so that as many chains run side by side in vector registers.
template <class Steps, class Element>
typename Steps::accumulator fold_in_any_order(std::int64_t count, const Element& element) {
    using accumulator = typename Steps::accumulator;
    constexpr int lanes = std::clamp(static_cast<int>(128 / sizeof(accumulator)), 1, 64);
    constexpr std::int64_t stretch = std::int64_t{chain} * lanes;
    slot<accumulator> rows[(detail::reduce_block + stretch - 1) / stretch][lanes];
    if (count < lanes) {
        for (std::int64_t i = 0; i < count; ++i) std::construct_at(&rows[0][i].value, element(i));
        join_slots<Steps>(rows[0], count);
        return rows[0][0].value;
    }
    std::int64_t row = 0;
    for (std::int64_t begin = 0; begin + lanes <= count; begin += stretch, ++row) {
        const std::int64_t links = std::min<std::int64_t>(chain, (count - begin) / lanes);
        slot<accumulator>(&sums)[lanes] = rows[row];
#pragma omp simd
        for (int lane = 0; lane < lanes; ++lane) std::construct_at(&sums[lane].value, element(begin + lane));
        for (std::int64_t link = 1; link < links; ++link) {
            const std::int64_t first = begin + link * lanes;
#pragma omp simd
            for (int lane = 0; lane < lanes; ++lane)
                sums[lane].value = Steps::combine(sums[lane].value, element(first + lane));
        }
    }
    const std::int64_t rest = count / lanes * lanes;
    for (std::int64_t i = rest; i < count; ++i)
        rows[row - 1][i - rest].value = Steps::combine(rows[row - 1][i - rest].value, element(i));
    join_rows<Steps, lanes>(rows, row);
    join_slots<Steps>(rows[0], lanes);
    return rows[0][0].value;
}

/// Combines neighbours only.
template <class Steps, class Element>
typename Steps::accumulator fold_in_order(std::int64_t count, const Element& element) {
    using accumulator = typename Steps::accumulator;
    slot<accumulator> chains[detail::reduce_block / chain];
    std::int64_t made = 0;
    for (std::int64_t begin = 0; begin < count; begin += chain, ++made) {
        accumulator sum = element(begin);
        for (std::int64_t i = begin + 1; i < std::min(begin + chain, count); ++i) sum = Steps::combine(sum, element(i));
        std::construct_at(&chains[made].value, sum);
    }
    join_slots<Steps>(chains, made);
    return chains[0].value;
}

/// Folds elements 0 to count - 1, at most reduce_block of them, into `to`.
template <class Steps, class Element> void fold_into(void* to, std::int64_t count, const Element& element) {
    auto* accumulator = static_cast<typename Steps::accumulator*>(to);
    if constexpr (Steps::commutes)
        std::construct_at(accumulator, fold_in_any_order<Steps>(count, element));
    else
        std::construct_at(accumulator, fold_in_order<Steps>(count, element));
}

/// Folds elements 0 to count - 1 each to its own accumulator, which begins with it or combines it.
template <class Steps, class Element>
void fold_each(void* to, std::int64_t count, bool begins, const Element& element) {
    auto* accumulators = static_cast<typename Steps::accumulator*>(to);
    if (begins) {
#pragma omp simd
        for (std::int64_t i = 0; i < count; ++i) std::construct_at(accumulators + i, element(i));
    } else {
#pragma omp simd
        for (std::int64_t i = 0; i < count; ++i) accumulators[i] = Steps::combine(accumulators[i], element(i));
    }
}

/// The functions of a reduction; only the first two differ in more than types.
template <class Steps>
constexpr detail::reduce_on_cpu functions_of(decltype(detail::reduce_on_cpu::fold) fold,
                                             decltype(detail::reduce_on_cpu::fold_each) fold_each) {
    using accumulator = typename Steps::accumulator;
    using result = typename Steps::result;
    detail::reduce_on_cpu functions{};
    functions.fold = fold;
    functions.fold_each = fold_each;
    functions.join = [](void* first, const void* second, std::int64_t count) {
        auto* into = static_cast<accumulator*>(first);
        const auto* from = static_cast<const accumulator*>(second);
#pragma omp simd
        for (std::int64_t i = 0; i < count; ++i) into[i] = Steps::combine(into[i], from[i]);
    };
    if constexpr (Steps::has_identity)
        functions.identity = [](void* to) { std::construct_at(static_cast<accumulator*>(to), Steps::identity()); };
    functions.finish = [](const void* folded, void* results, std::int64_t count, std::int64_t step) {
        const auto* all = static_cast<const accumulator*>(folded);
        auto* to = static_cast<result*>(results);
        for (std::int64_t i = 0; i < count; ++i) std::construct_at(to + i * step, Steps::finish(all[i]));
    };
    return functions;
}

}  // namespace foldwise::cpu
