// foldwise/cpu/reduce.hpp: how emitted code reduces a run of elements on the CPU.
#pragma once

#include <foldwise/cpu/few_steps.hpp>
#include <foldwise/cpu/floats.hpp>
#include <foldwise/cpu/kernel.hpp>  // first: it sets what the rest is compiled for
#include <foldwise/cpu/operands.hpp>
#include <foldwise/cpu/positions.hpp>
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

/// Combines slots of `Width` neighbouring accumulators pairwise: neighbours, then the results of that, and so on, into
/// slot `first`.
template <class Steps, int Width, class Slots>
[[gnu::always_inline]] inline void join_slots(Slots& slots, std::int64_t first, std::int64_t count) {
    for (std::int64_t step = 1; step < count; step *= 2)
        for (std::int64_t slot = first; slot + step < first + count; slot += 2 * step) {
            const std::int64_t to = slot * Width, from = to + step * Width;
            each_lane(Width,
                      [&](int lane) { slots.set(to + lane, Steps::combine(slots[to + lane], slots[from + lane])); });
        }
}

/// Combines the second half of the lanes with the first, and so on, as vectors, into `Width` accumulators from `to` on.
/// The last round writes there, because compilers copy what would be left in the lanes by narrower vectors.
template <class Steps, int Width, int Left, int Lanes, class Slots>
[[gnu::always_inline]] inline void join_lanes(side_by_side<few_steps<Steps>, Lanes>& lanes, Slots& slots,
                                              std::int64_t to) {
    using accumulator = typename Steps::accumulator;
    using few = few_steps<Steps>;
    constexpr int half = Left / 2;
    if constexpr (half > Width) {
        each_lane(half, [&](int lane) { lanes.set(lane, few::combine(lanes[lane], lanes[lane + half])); });
        join_lanes<Steps, Width, half>(lanes, slots, to);
    } else if constexpr (Left > Width) {
        each_lane(half, [&](int lane) {
            slots.set(to + lane, static_cast<accumulator>(few::combine(lanes[lane], lanes[lane + half])));
        });
    } else {
        each_lane(Width, [&](int lane) { slots.set(to + lane, static_cast<accumulator>(lanes[lane])); });
    }
}

/// Combines the elements of a row, at least `Width`, into the accumulators of slot `slot`; those behind it are free.
/// Calls prepare(begin, count) before elements from `begin` on.
template <class Steps, int Width, class Slots, class Element, class Prepare>
[[gnu::always_inline]] inline void fold_to_slot(Slots& slots, std::int64_t slot, std::int64_t count,
                                                const Element& element, const Prepare& prepare) {
    using few = few_steps<Steps>;
    constexpr int lanes = lanes_of<Steps>();
    constexpr std::int64_t stretch = reduce_chain * lanes;
    static_assert(stretch <= detail::narrow_terms);
    const auto value = [&](std::int64_t i) { return static_cast<typename few::accumulator>(element(i)); };
    std::int64_t begin = 0, stretches = 0;
    for (; begin + 2 * lanes <= count; ++stretches) {
        const std::int64_t end = begin + std::min(stretch, (count - begin) / lanes * lanes);
        prepare(begin, end - begin);
        alignas(largest_vector) side_by_side<few, lanes> sums;
        // Never elements alone: compilers copy these by narrower vectors than those which then read the copy.
        each_lane(lanes,
                  [&](int lane) { sums.set(lane, few::combine(value(begin + lane), value(begin + lanes + lane))); });
#pragma GCC unroll 1
        for (begin += 2 * lanes; begin < end; begin += lanes)
            each_lane(lanes, [&](int lane) { sums.set(lane, few::combine(sums[lane], value(begin + lane))); });
        join_lanes<Steps, Width, lanes>(sums, slots, (slot + stretches) * Width);
    }
    join_slots<Steps, Width>(slots, slot, stretches);
    if (begin == count) return;

    const std::int64_t at = slot * Width, first_read = std::min(begin, count - Width);
    prepare(first_read, count - first_read);
    // The last elements, fewer than there are accumulators, are loaded under a mask. There are no such loads of narrow
    // ones; instead, as many as there are accumulators are loaded, and those that were combined before are left out.
    const auto with_last = [&](typename Steps::accumulator own, std::int64_t first, int lane) {
        const int more = static_cast<int>(count - first);
        if constexpr (narrowest(&Steps::map) < sizeof(float)) {
            const typename Steps::accumulator other = element(count - Width + lane);
            return Width - lane <= more ? Steps::combine(own, other) : own;
        } else {
            if (lane < more) return Steps::combine(own, element(first + lane));
            return own;
        }
    };
    if (count <= 2 * Width) {
        each_lane(Width, [&](int lane) { slots.set(at + lane, with_last(element(lane), Width, lane)); });
        return;
    }
    if (begin == 0) {
        each_lane(Width, [&](int lane) { slots.set(at + lane, Steps::combine(element(lane), element(Width + lane))); });
        begin = 2 * Width;
    }
#pragma GCC unroll 1
    for (; begin + Width < count; begin += Width)
        each_lane(Width,
                  [&](int lane) { slots.set(at + lane, Steps::combine(slots[at + lane], element(begin + lane))); });
    each_lane(Width, [&](int lane) { slots.set(at + lane, with_last(slots[at + lane], begin, lane)); });
}

/// The elements from `begin` on of rows that follow one another.
struct part_of_rows {
    std::int64_t row, rows;  ///< The first row, and how many.
    std::int64_t begin, count;
};

/// The most elements that are prepared at once.
inline constexpr std::int64_t most_prepared = reduce_chain * most_lanes;

/// Combines the elements of each row in any order: in lanes, which run side by side in vector registers, and then the
/// lanes of several rows at once. Calls prepare(part_of_rows) before some elements are read.
template <class Steps, class Element, class Prepare>
[[gnu::always_inline]] inline void fold_in_any_order(typename Steps::accumulator* to, std::int64_t rows,
                                                     std::int64_t count, const Element& element,
                                                     const Prepare& prepare) {
    using few = few_steps<Steps>;
    constexpr int width = width_of<Steps>(), together = 16;
    static_assert(shortest_row<Steps>() <= detail::narrow_terms);
    constexpr int stretches = static_cast<int>(detail::reduce_block / (reduce_chain * lanes_of<Steps>()));
    alignas(largest_vector) side_by_side<Steps, width*(together + stretches - 1)> slots;
    for (std::int64_t begin = 0, number; begin < rows; begin += number) {
        number = std::min<std::int64_t>(together, rows - begin);
        const bool is_prepared = number * count <= most_prepared;
        if (is_prepared) prepare({begin, number, 0, count});
        std::int64_t left = 1;
        if (count < shortest_row<Steps>()) {
            for (std::int64_t i = 0; i < number; ++i) {
                if (!is_prepared) prepare({begin + i, 1, 0, count});
                const auto value = [&](std::int64_t j) {
                    return static_cast<typename few::accumulator>(element(begin + i, j));
                };
                typename few::accumulator sum = value(0);
                for (std::int64_t j = 1; j < count; ++j) sum = few::combine(sum, value(j));
                slots.set(i, static_cast<typename Steps::accumulator>(sum));
            }
        } else {
            left = width;
            for (std::int64_t i = 0; i < number; ++i)
                fold_to_slot<Steps, width>(
                    slots, i, count, [&](std::int64_t j) { return element(begin + i, j); },
                    [&](std::int64_t first, std::int64_t length) {
                        if (!is_prepared) prepare({begin + i, 1, first, length});
                    });
        }
        for (; left > 1; left /= 2) {
            // Results move together, so that those of all rows stay neighbours: what they replace was read before.
            const auto join = [&](std::int64_t i) { slots.set(i, Steps::combine(slots[2 * i], slots[2 * i + 1])); };
            FOLDWISE_CPU_SIMD
            for (std::int64_t i = 0; i < number * left / 2; ++i) join(i);
        }
        for (std::int64_t i = 0; i < number; ++i) std::construct_at(to + begin + i, slots[i]);
    }
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
    void operator()(const part_of_rows&) const {}
};

/// Reduces the elements 0 to count - 1 of each row, at most reduce_block of them, into its own accumulator. Calls
/// prepare(part_of_rows) before some of them are accessed, at most most_prepared.
template <class Steps, class Element, class Prepare = nothing_to_prepare>
[[gnu::always_inline]] inline void fold_rows(void* to, std::int64_t rows, std::int64_t count, const Element& element,
                                             const Prepare& prepare = {}) {
    auto* accumulators = static_cast<typename Steps::accumulator*>(to);
    if constexpr (Steps::commutes) {
        fold_in_any_order<Steps>(accumulators, rows, count, element, prepare);
    } else {
        for (std::int64_t row = 0; row < rows; ++row)
            std::construct_at(accumulators + row, fold_in_order<Steps>(
                                                      count, [&](std::int64_t i) { return element(row, i); },
                                                      [&](std::int64_t begin, std::int64_t some) {
                                                          prepare({row, 1, begin, some});
                                                      }));
    }
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

/// The same as fold_rows with elements that have indices, for maps that take one: element(index, row, i).
template <class Steps, class Element, class Prepare = nothing_to_prepare>
[[gnu::always_inline]] inline void fold_rows_at(const detail::fold_position& position, void* to, std::int64_t rows,
                                                std::int64_t count, const Element& element,
                                                const Prepare& prepare = {}) {
    with_positions<index_rank(&Steps::map)>(position, rows, count, [&](const auto& index_of) FOLDWISE_CPU_FLAT {
        fold_rows<Steps>(
            to, rows, count, [&](std::int64_t row, std::int64_t i) { return element(index_of(row, i), row, i); },
            prepare);
    });
}

/// The same as fold_columns with elements that have indices, for maps that take one: element(index, row, i).
template <class Steps, class Element>
[[gnu::always_inline]] inline void fold_columns_at(const detail::fold_position& position, void* to, std::int64_t rows,
                                                   std::int64_t count, const Element& element) {
    with_positions<index_rank(&Steps::map)>(position, rows, count, [&](const auto& index_of) FOLDWISE_CPU_FLAT {
        fold_columns<Steps>(to, rows, count,
                            [&](std::int64_t row, std::int64_t i) { return element(index_of(row, i), row, i); });
    });
}

/// Computes first = combine(first, second) for each of `count` accumulators.
template <class Steps> [[gnu::always_inline]] inline void join(void* first, const void* second, std::int64_t count) {
    using accumulator = typename Steps::accumulator;
    auto* into = static_cast<accumulator*>(first);
    const auto* from = static_cast<const accumulator*>(second);
    FOLDWISE_CPU_SIMD
    for (std::int64_t i = 0; i < count; ++i) into[i] = Steps::combine(into[i], from[i]);
}

/// The elements of rows of an operand that are floats made of halves, as many at a time as the chains of all lanes
/// have. They are accessed where widen() says that they are: of memory whose address it knows, GCC 12 does not know
/// that accumulators are elsewhere, and keeps these in memory, too.
class widened_rows {
  public:
    widened_rows(const void* first, std::int64_t step) : halves_(static_cast<const half*>(first)), step_(step) {}
    void prepare(const part_of_rows& place) {
        place_ = place;
        const half* const first = halves_ + place.row * step_ + place.begin;
        const bool is_one = step_ == place.count;
        floats_ = detail::widen(first, is_one ? place.rows * place.count : place.count, memory_);
        for (std::int64_t i = 1; !is_one && i < place.rows; ++i)
            detail::widen(first + i * step_, place.count, memory_ + i * place.count);
    }
    /// Returns an element for which prepare() was called last.
    float operator()(std::int64_t row, std::int64_t i) const {
        return floats_[(row - place_.row) * place_.count + i - place_.begin];
    }

  private:
    const half* halves_;
    std::int64_t step_;
    const float* floats_ = nullptr;
    part_of_rows place_{};
    alignas(64) float memory_[most_prepared];
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
constexpr detail::reduce_on_cpu functions_of(decltype(detail::reduce_on_cpu::fold_rows) fold_rows,
                                             decltype(detail::reduce_on_cpu::fold_columns) fold_columns,
                                             decltype(detail::reduce_on_cpu::join) join) {
    using accumulator = typename Steps::accumulator;
    using result = typename Steps::result;
    detail::reduce_on_cpu functions{};
    functions.fold_rows = fold_rows;
    functions.width = width_of<Steps>();
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
