// foldwise/cpu/reduce.hpp: how emitted code reduces a run of elements on the CPU.
#pragma once

#include <foldwise/cpu/floats.hpp>
#include <foldwise/cpu/kernel.hpp>  // first: it sets what the rest is compiled for
#include <foldwise/cpu/operands.hpp>
#include <foldwise/cpu/side_by_side.hpp>
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

/// Calls run(lane) for each lane, by vector code if possible.
template <class Run> [[gnu::always_inline]] inline void each_lane(int lanes, const Run& run) {
    FOLDWISE_CPU_SIMD
    for (int lane = 0; lane < lanes; ++lane) run(lane);
}

/// Combines rows pairwise: neighbours, then the results of that, and so on, into the first row.
template <class Steps, int Lanes>
[[gnu::always_inline]] inline void join_rows(side_by_side<Steps, Lanes>* rows, std::int64_t count) {
    for (std::int64_t step = 1; step < count; step *= 2)
        for (std::int64_t row = 0; row + step < count; row += 2 * step) {
            side_by_side<Steps, Lanes>&to = rows[row], &from = rows[row + step];
            each_lane(Lanes, [&](int lane) { to.set(lane, Steps::combine(to[lane], from[lane])); });
        }
}

/// Combines the second half of the lanes with the first, and so on, into the first lane, as vectors. The elements from
/// `begin` to `count`, fewer than there are lanes, are added where as many lanes are left.
template <class Steps, int Left, int Lanes, class Element>
[[gnu::always_inline]] inline void join_lanes(side_by_side<Steps, Lanes>& lanes, std::int64_t begin, std::int64_t count,
                                              const Element& element) {
    if constexpr (Left > 1) {
        constexpr int half = (Left + 1) / 2;
        each_lane(Left - half, [&](int lane) { lanes.set(lane, Steps::combine(lanes[lane], lanes[lane + half])); });
        if (begin + half <= count) {
            each_lane(half, [&](int lane) { lanes.set(lane, Steps::combine(lanes[lane], element(begin + lane))); });
            begin += half;
        }
        join_lanes<Steps, half>(lanes, begin, count, element);
    }
}

/// Combines accumulators pairwise and in order: neighbours, then the results of that, and so on, into the first.
template <class Steps, int Lanes>
[[gnu::always_inline]] inline void join_in_order(side_by_side<Steps, Lanes>& all, std::int64_t count) {
    // Results move together, so that those of the next round are neighbours, too: what they replace was read before.
    for (; count > 1; count = (count + 1) / 2) {
        const auto join = [&](std::int64_t i) { all.set(i, Steps::combine(all[2 * i], all[2 * i + 1])); };
        FOLDWISE_CPU_SIMD
        for (std::int64_t i = 0; i < count / 2; ++i) join(i);
        if (count % 2 == 1) all.set(count / 2, all[count - 1]);
    }
}

/// Combines elements that are `lanes` apart, so that as many chains run side by side in vector registers. Calls
/// prepare(begin, count) before elements from `begin` on.
template <class Steps, class Element, class Prepare>
[[gnu::always_inline]] inline typename Steps::accumulator fold_in_any_order(std::int64_t count, const Element& element,
                                                                            const Prepare& prepare) {
    constexpr int lanes = lanes_of<Steps>();
    constexpr std::int64_t stretch = reduce_chain * lanes;
    side_by_side<Steps, lanes> rows[(detail::reduce_block + stretch - 1) / stretch];
    if (count < lanes) {
        prepare(0, count);
        for (std::int64_t i = 0; i < count; ++i) rows[0].set(i, element(i));
        join_in_order(rows[0], count);
        return rows[0][0];
    }
    std::int64_t row = 0;
    for (std::int64_t begin = 0; begin + lanes <= count; begin += stretch, ++row) {
        const std::int64_t end = std::min(begin + stretch, count) - lanes;
        prepare(begin, end + lanes - begin);
        side_by_side<Steps, lanes> sums;
        each_lane(lanes, [&](int lane) { sums.set(lane, element(begin + lane)); });
#pragma GCC unroll 1
        for (std::int64_t first = begin + lanes; first <= end; first += lanes)
            each_lane(lanes, [&](int lane) { sums.set(lane, Steps::combine(sums[lane], element(first + lane))); });
        rows[row] = sums;
    }
    join_rows(rows, row);
    const std::int64_t rest = count / lanes * lanes;
    if (rest < count) prepare(rest, count - rest);
    join_lanes<Steps, lanes>(rows[0], rest, count, element);
    return rows[0][0];
}

/// Folds whole chains of neighbours, as many at once as there are lanes, then half as many, and so on.
template <class Steps, int Lanes, int Most, class Element, class Prepare>
[[gnu::always_inline]] inline std::int64_t fold_chains(side_by_side<Steps, Most>& chains, std::int64_t made,
                                                       std::int64_t count, const Element& element,
                                                       const Prepare& prepare) {
    for (; (made + Lanes) * reduce_chain <= count; made += Lanes) {
        const std::int64_t begin = made * reduce_chain;
        prepare(begin, Lanes * reduce_chain);
        // A whole chain for each lane: then compilers load whole vectors and transpose them.
        each_lane(Lanes, [&](int lane) {
            const std::int64_t first = begin + lane * reduce_chain;
            typename Steps::accumulator sum = element(first);
            FOLDWISE_UNROLL_FULLY
            for (std::int64_t i = 1; i < reduce_chain; ++i) sum = Steps::combine(sum, element(first + i));
            chains.set(made + lane, sum);
        });
    }
    if constexpr (Lanes > 4) return fold_chains<Steps, Lanes / 2>(chains, made, count, element, prepare);
    return made;
}

/// Combines only neighbours, which keeps the order of the elements.
template <class Steps, class Element, class Prepare>
[[gnu::always_inline]] inline typename Steps::accumulator fold_in_order(std::int64_t count, const Element& element,
                                                                        const Prepare& prepare) {
    using accumulator = typename Steps::accumulator;
    constexpr int most = detail::reduce_block / reduce_chain;
    side_by_side<Steps, most> chains;
    std::int64_t made = fold_chains<Steps, std::min(lanes_of<Steps>(), most)>(chains, 0, count, element, prepare);
    for (std::int64_t begin = made * reduce_chain; begin < count; begin += reduce_chain, ++made) {
        prepare(begin, std::min(reduce_chain, count - begin));
        accumulator sum = element(begin);
        for (std::int64_t i = begin + 1; i < std::min(begin + reduce_chain, count); ++i)
            sum = Steps::combine(sum, element(i));
        chains.set(made, sum);
    }
    join_in_order(chains, made);
    return chains[0];
}

struct nothing_to_prepare {
    void operator()(std::int64_t, std::int64_t) const {}
};

/// Reduces the elements 0 to count - 1, at most reduce_block of them, into `to`. Calls prepare(begin, count) before
/// some of them, at most as many as `prepared`.
template <class Steps, class Element, class Prepare = nothing_to_prepare>
[[gnu::always_inline]] inline void fold_into(void* to, std::int64_t count, const Element& element,
                                             const Prepare& prepare = {}) {
    auto* accumulator = static_cast<typename Steps::accumulator*>(to);
    if constexpr (Steps::commutes)
        std::construct_at(accumulator, fold_in_any_order<Steps>(count, element, prepare));
    else
        std::construct_at(accumulator, fold_in_order<Steps>(count, element, prepare));
}

/// Reduces as many columns as there are lanes, each in a register if possible.
template <class Steps, int Lanes, class Element>
[[gnu::always_inline]] inline void fold_lanes(typename Steps::accumulator* to, std::int64_t rows, std::int64_t first,
                                              const Element& element) {
    side_by_side<Steps, Lanes> sums;
    each_lane(Lanes, [&](int lane) { sums.set(lane, element(0, first + lane)); });
    for (std::int64_t row = 1; row < rows; ++row)
        each_lane(Lanes, [&](int lane) { sums.set(lane, Steps::combine(sums[lane], element(row, first + lane))); });
    for (int lane = 0; lane < Lanes; ++lane) std::construct_at(to + first + lane, sums[lane]);
}

/// Reduces the columns 0 to count - 1 of at most reduce_chain rows, each into its own accumulator.
template <class Steps, class Element>
[[gnu::always_inline]] inline void fold_columns(void* to, std::int64_t rows, std::int64_t count,
                                                const Element& element) {
    using accumulator = typename Steps::accumulator;
    constexpr int wide = lanes_of<Steps>(), narrow = std::max(wide / 8, 1);
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

/// The elements of an operand that are floats made of halves, as many at a time as the chains of all lanes have. They
/// are accessed where widen() says that they are: of memory whose address it knows, GCC 12 does not know that
/// accumulators are elsewhere, and keeps these in memory, too.
template <class Steps> class widened_elements {
  public:
    explicit widened_elements(const void* first) : halves_(static_cast<const half*>(first)) {}
    void prepare(std::int64_t begin, std::int64_t count) {
        floats_ = detail::widen(halves_ + begin, count, memory_);
        begin_ = begin;
    }
    float operator[](std::int64_t i) const { return floats_[i - begin_]; }

  private:
    const half* halves_;
    const float* floats_ = nullptr;
    std::int64_t begin_ = 0;
    alignas(64) float memory_[reduce_chain * lanes_of<Steps>()];
};

/// Calls fold_columns, a fold's function of that name, for one strip of columns after the other, of at most
/// reduce_chain rows. Columns have nothing to do with one another.
template <class Accumulator, class... Operands>
void by_strips(void* const* operands, const std::int64_t* steps, std::int64_t rows, std::int64_t count,
               const detail::fold_position& position, void* accumulators,
               decltype(detail::reduce_on_cpu::fold_columns) fold_columns) {
    constexpr int number = sizeof...(Operands);
    // Strips of fewer columns only where more do not fit: then rows that follow one another are converted at once.
    constexpr int floats = (has_floats<Operands> + ...);
    constexpr std::int64_t multiple = 64, most = std::max(reduce_chain * multiple, detail::reduce_block / floats);
    const std::int64_t fitting = most / rows, widest = count <= fitting ? count : fitting / multiple * multiple;
    alignas(64) float kept[floats][most];
    for (std::int64_t begin = 0; begin < count; begin += widest) {
        const std::int64_t columns = std::min(widest, count - begin);
        void* passed[number];
        std::int64_t distances[number];
        int i = 0, next = 0;
        const auto prepare = [&](auto operand) {
            passed[i] = address(operand, operands[i], begin);
            distances[i] = steps[i];
            if constexpr (has_floats<decltype(operand)>) {
                const auto* const first = static_cast<const half*>(passed[i]);
                const bool is_one = steps[i] == 0 || steps[i] == columns;
                for (std::int64_t row = 0; row < (is_one ? 1 : rows); ++row)
                    detail::widen(first + row * steps[i], steps[i] == columns ? rows * columns : columns,
                                  kept[next] + row * widest);
                passed[i] = kept[next++];
                distances[i] = steps[i] == 0 ? 0 : widest;
            }
            ++i;
        };
        (prepare(Operands()), ...);
        detail::fold_position there = position;
        there.first += begin * position.step;
        fold_columns(passed, distances, rows, columns, there, static_cast<Accumulator*>(accumulators) + begin);
    }
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
