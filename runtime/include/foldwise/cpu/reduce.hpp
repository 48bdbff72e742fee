// foldwise/cpu/reduce.hpp: how emitted code reduces a run of elements on the CPU.
#pragma once

#include <foldwise/cpu/kernel.hpp>  // first: it sets what the rest is compiled for
#include <foldwise/cpu/slot.hpp>
#include <foldwise/cpu/whole_array.hpp>
#include <foldwise/detail/reduce_kernel.hpp>
#include <foldwise/detail/stored.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace foldwise::cpu {

using detail::reduce_chain;

/// The number of accumulators that run side by side in vector registers.
template <class T> inline constexpr int lanes_of = std::clamp(static_cast<int>(128 / sizeof(T)), 1, 64);

/// Computes to = combine(to, value). `to` is copied first: a reference to its value would have another type than the
/// union that is written, and GCC would keep it in memory instead of a register.
template <class Steps, class T> [[gnu::always_inline]] inline void combine_into(slot<T>& to, const T& value) {
    const T before = to.value;
    to.value = Steps::combine(before, value);
}

/// Combines rows pairwise: neighbours, then the results of that, and so on, into the first row.
template <class Steps, int Lanes, class T>
[[gnu::always_inline]] inline void join_rows(slot<T> (*rows)[Lanes], std::int64_t count) {
    for (std::int64_t step = 1; step < count; step *= 2)
        for (std::int64_t row = 0; row + step < count; row += 2 * step) {
            FOLDWISE_CPU_SIMD
            for (int lane = 0; lane < Lanes; ++lane) combine_into<Steps>(rows[row][lane], rows[row + step][lane].value);
        }
}

/// Combines the second half of the lanes with the first, and so on, into the first lane, as vectors. The elements from
/// `begin` to `count`, fewer than there are lanes, are added where as many lanes are left.
template <class Steps, int Lanes, class T, class Element>
[[gnu::always_inline]] inline void join_lanes(slot<T>* lanes, std::int64_t begin, std::int64_t count,
                                              const Element& element) {
    if constexpr (Lanes > 1) {
        constexpr int half = (Lanes + 1) / 2;
        FOLDWISE_CPU_SIMD
        for (int lane = 0; lane < Lanes - half; ++lane) combine_into<Steps>(lanes[lane], lanes[lane + half].value);
        if (begin + half <= count) {
            FOLDWISE_CPU_SIMD
            for (int lane = 0; lane < half; ++lane) combine_into<Steps>(lanes[lane], element(begin + lane));
            begin += half;
        }
        join_lanes<Steps, half>(lanes, begin, count, element);
    }
}

/// Combines slots pairwise and in order: neighbours, then the results of that, and so on, into the first slot.
template <class Steps, class T> [[gnu::always_inline]] inline void join_slots(slot<T>* slots, std::int64_t count) {
    for (std::int64_t step = 1; step < count; step *= 2)
        for (std::int64_t i = 0; i + step < count; i += 2 * step) combine_into<Steps>(slots[i], slots[i + step].value);
}

/// Combines elements that are `lanes` apart, so that as many chains run side by side in vector registers.
template <class Steps, class Element>
[[gnu::always_inline]] inline typename Steps::accumulator fold_in_any_order(std::int64_t count,
                                                                            const Element& element) {
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
        const std::int64_t end = std::min(begin + stretch, count) - lanes;
        slot<accumulator> sums[lanes];
        FOLDWISE_CPU_SIMD
        for (int lane = 0; lane < lanes; ++lane) std::construct_at(&sums[lane].value, element(begin + lane));
#pragma GCC unroll 1
        for (std::int64_t first = begin + lanes; first <= end; first += lanes) {
            FOLDWISE_CPU_SIMD
            for (int lane = 0; lane < lanes; ++lane) combine_into<Steps>(sums[lane], element(first + lane));
        }
        std::copy_n(sums, lanes, rows[row]);
    }
    join_rows<Steps, lanes>(rows, row);
    join_lanes<Steps, lanes>(rows[0], count / lanes * lanes, count, element);
    return rows[0][0].value;
}

/// Combines only neighbours, which keeps the order of the elements.
template <class Steps, class Element>
[[gnu::always_inline]] inline typename Steps::accumulator fold_in_order(std::int64_t count, const Element& element) {
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

/// Reduces the elements 0 to count - 1, at most reduce_block of them, into `to`.
template <class Steps, class Element>
[[gnu::always_inline]] inline void fold_into(void* to, std::int64_t count, const Element& element) {
    auto* accumulator = static_cast<typename Steps::accumulator*>(to);
    if constexpr (Steps::commutes)
        std::construct_at(accumulator, fold_in_any_order<Steps>(count, element));
    else
        std::construct_at(accumulator, fold_in_order<Steps>(count, element));
}

/// Reduces as many columns as there are lanes, each in a register if possible.
template <class Steps, int Lanes, class Element>
[[gnu::always_inline]] inline void fold_lanes(typename Steps::accumulator* to, std::int64_t rows, std::int64_t first,
                                              const Element& element) {
    slot<typename Steps::accumulator> sums[Lanes];
    FOLDWISE_CPU_SIMD
    for (int lane = 0; lane < Lanes; ++lane) std::construct_at(&sums[lane].value, element(0, first + lane));
    for (std::int64_t row = 1; row < rows; ++row) {
        FOLDWISE_CPU_SIMD
        for (int lane = 0; lane < Lanes; ++lane) combine_into<Steps>(sums[lane], element(row, first + lane));
    }
    for (int lane = 0; lane < Lanes; ++lane) std::construct_at(to + first + lane, sums[lane].value);
}

/// Reduces the columns 0 to count - 1 of at most reduce_chain rows, each into its own accumulator.
template <class Steps, class Element>
[[gnu::always_inline]] inline void fold_columns(void* to, std::int64_t rows, std::int64_t count,
                                                const Element& element) {
    using accumulator = typename Steps::accumulator;
    constexpr int wide = lanes_of<accumulator>, narrow = std::max(wide / 8, 1);
    auto* accumulators = static_cast<accumulator*>(to);
    std::int64_t i = 0;
    for (; i + wide <= count; i += wide) fold_lanes<Steps, wide>(accumulators, rows, i, element);
    for (; i + narrow <= count; i += narrow) fold_lanes<Steps, narrow>(accumulators, rows, i, element);
    for (; i < count; ++i) fold_lanes<Steps, 1>(accumulators, rows, i, element);
}

/// Computes first = combine(first, second) for each of `count` accumulators.
template <class Steps> [[gnu::always_inline]] inline void join(void* first, const void* second, std::int64_t count) {
    using accumulator = typename Steps::accumulator;
    auto* into = static_cast<accumulator*>(first);
    const auto* from = static_cast<const accumulator*>(second);
    FOLDWISE_CPU_SIMD
    for (std::int64_t i = 0; i < count; ++i) into[i] = Steps::combine(into[i], from[i]);
}

/// Returns the functions of a reduction. Only the three that are passed in are worth vectorising.
template <class Steps>
constexpr detail::reduce_on_cpu functions_of(decltype(detail::reduce_on_cpu::fold) fold,
                                             decltype(detail::reduce_on_cpu::fold_columns) fold_columns,
                                             decltype(detail::reduce_on_cpu::join) join) {
    using accumulator = typename Steps::accumulator;
    using result = typename Steps::result;
    detail::reduce_on_cpu functions{};
    functions.fold = fold;
    functions.fold_columns = fold_columns;
    functions.join = join;
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
