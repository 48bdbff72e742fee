// foldwise/cpu/fold.hpp: how emitted code for the CPU folds a run of elements.
#pragma once

#include <foldwise/detail/reduce_kernel.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace foldwise::cpu {

using detail::reduce_chain;

/// Room for accumulators, which need not have a default.
template <class T> struct slot {
    union {
        T value;
    };
    slot() {}
};

/// Accumulators that run side by side in vector registers.
template <class T> inline constexpr int lanes_of = std::clamp(static_cast<int>(128 / sizeof(T)), 1, 64);

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
    constexpr int lanes = lanes_of<accumulator>;
    constexpr std::int64_t stretch = reduce_chain * lanes;
    slot<accumulator> rows[(detail::reduce_block + stretch - 1) / stretch][lanes];
    if (count < lanes) {
        for (std::int64_t i = 0; i < count; ++i) std::construct_at(&rows[0][i].value, element(i));
        join_slots<Steps>(rows[0], count);
        return rows[0][0].value;
    }
    std::int64_t row = 0;
    for (std::int64_t begin = 0; begin + lanes <= count; begin += stretch, ++row) {
        const std::int64_t links = std::min<std::int64_t>(reduce_chain, (count - begin) / lanes);
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
    slot<accumulator> chains[detail::reduce_block / reduce_chain];
    std::int64_t made = 0;
    for (std::int64_t begin = 0; begin < count; begin += reduce_chain, ++made) {
        accumulator sum = element(begin);
        for (std::int64_t i = begin + 1; i < std::min(begin + reduce_chain, count); ++i)
            sum = Steps::combine(sum, element(i));
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

/// Folds as many columns as there are lanes, each in a register if it can be.
template <class Steps, int Lanes, class Element>
void fold_lanes(typename Steps::accumulator* to, std::int64_t rows, std::int64_t first, const Element& element) {
    slot<typename Steps::accumulator> sums[Lanes];
#pragma omp simd
    for (int lane = 0; lane < Lanes; ++lane) std::construct_at(&sums[lane].value, element(0, first + lane));
    for (std::int64_t row = 1; row < rows; ++row) {
#pragma omp simd
        for (int lane = 0; lane < Lanes; ++lane)
            sums[lane].value = Steps::combine(sums[lane].value, element(row, first + lane));
    }
    for (int lane = 0; lane < Lanes; ++lane) std::construct_at(to + first + lane, sums[lane].value);
}

/// Folds columns 0 to count - 1 of at most reduce_chain rows, each to its own accumulator.
template <class Steps, class Element>
void fold_columns(void* to, std::int64_t rows, std::int64_t count, const Element& element) {
    using accumulator = typename Steps::accumulator;
    constexpr int wide = lanes_of<accumulator>, narrow = std::max(wide / 8, 1);
    auto* accumulators = static_cast<accumulator*>(to);
    std::int64_t i = 0;
    for (; i + wide <= count; i += wide) fold_lanes<Steps, wide>(accumulators, rows, i, element);
    for (; i + narrow <= count; i += narrow) fold_lanes<Steps, narrow>(accumulators, rows, i, element);
    for (; i < count; ++i) fold_lanes<Steps, 1>(accumulators, rows, i, element);
}

/// The functions of a reduction; only the first two differ in more than types.
template <class Steps>
constexpr detail::reduce_on_cpu functions_of(decltype(detail::reduce_on_cpu::fold) fold,
                                             decltype(detail::reduce_on_cpu::fold_columns) fold_columns) {
    using accumulator = typename Steps::accumulator;
    using result = typename Steps::result;
    detail::reduce_on_cpu functions{};
    functions.fold = fold;
    functions.fold_columns = fold_columns;
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
