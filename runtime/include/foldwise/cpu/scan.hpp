// foldwise/cpu/scan.hpp: how emitted code scans elements on the CPU.
#pragma once

#include <foldwise/cpu/kernel.hpp>  // first: it sets what the rest is compiled for
#include <foldwise/cpu/operands.hpp>
#include <foldwise/cpu/slot.hpp>
#include <foldwise/cpu/whole_array.hpp>
#include <foldwise/detail/scan_kernel.hpp>
#include <foldwise/detail/stored.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>

namespace foldwise::cpu {

/// The number of elements that are scanned by themselves before what precedes them is combined with each. Rounding
/// errors thus grow with the number of such blocks.
inline constexpr std::int64_t scan_block = 128;

/// Scans elements [first, end) of a run, at most scan_block of them, between which the scan does not begin anew.
/// `before` precedes them.
template <class Steps, class Accumulator, class Element, class Store>
[[gnu::always_inline]] inline Accumulator scan_elements(std::int64_t first, std::int64_t end, bool is_exclusive,
                                                        const Accumulator& before, const Element& element,
                                                        const Store& store) {
    slot<Accumulator> sums[scan_block];
    std::construct_at(&sums[0].value, element(first));
    for (std::int64_t i = 1; i < end - first; ++i)
        std::construct_at(&sums[i].value, Steps::combine(sums[i - 1].value, element(first + i)));
    if (is_exclusive) {
        store(first, Steps::finish(before));
        FOLDWISE_CPU_SIMD
        for (std::int64_t i = 1; i < end - first; ++i)
            store(first + i, Steps::finish(Steps::combine(before, sums[i - 1].value)));
    } else {
        FOLDWISE_CPU_SIMD
        for (std::int64_t i = 0; i < end - first; ++i)
            store(first + i, Steps::finish(Steps::combine(before, sums[i].value)));
    }
    return Steps::combine(before, sums[end - first - 1].value);
}

/// Scans a run: see scan_on_cpu::scan. `element(i)` is the i-th element, mapped, and `store(i, result)` writes the i-th
/// result.
template <class Steps, class Element, class Store>
[[gnu::always_inline]] inline void scan(const detail::scan_run& run, void* prefix, bool has_prefix,
                                        const Element& element, const Store& store) {
    using accumulator = typename Steps::accumulator;
    auto* const kept = static_cast<accumulator*>(prefix);
    const auto* const start = static_cast<const accumulator*>(run.start);
    for (std::int64_t i = 0; i < run.count;) {
        const bool begins = (i == 0 && !has_prefix) || (run.begins && run.begins[i]);
        std::int64_t first = i, end = std::min(run.count, i + scan_block);
        for (i = first + 1; run.begins && i < end && !run.begins[i];) ++i;
        if (!run.begins) i = end;
        end = i;
        if (begins && start) std::construct_at(kept, *start);
        if (begins && !start) {
            std::construct_at(kept, element(first));
            store(first, Steps::finish(*kept));
            if (++first == end) continue;
        }
        const accumulator next = scan_elements<Steps>(first, end, run.is_exclusive, *kept, element, store);
        std::construct_at(kept, next);
    }
}

/// Combines the elements of a run from the last place on where the scan begins anew: see scan_on_cpu::fold.
template <class Steps, class Element>
[[gnu::always_inline]] inline void fold_last(const detail::scan_run& run, void* folded, const Element& element) {
    std::int64_t first = 0;
    if (run.begins)
        for (first = run.count - 1; first > 0 && !run.begins[first]; --first) continue;
    using accumulator = typename Steps::accumulator;
    auto* const all = static_cast<accumulator*>(folded);
    for (std::int64_t begin = first; begin < run.count; begin += scan_block) {
        accumulator sum = element(begin);
        for (std::int64_t i = begin + 1; i < std::min(begin + scan_block, run.count); ++i)
            sum = Steps::combine(sum, element(i));
        if (begin > first) sum = Steps::combine(*all, sum);
        std::construct_at(all, sum);
    }
}

/// Scans neighbouring columns: see scan_on_cpu::scan_columns.
template <class Steps, class Element, class Store>
[[gnu::always_inline]] inline void scan_columns(const detail::scan_run& run, std::int64_t columns, void* prefixes,
                                                bool have_prefixes, const Element& element, const Store& store) {
    using accumulator = typename Steps::accumulator;
    auto* const before = static_cast<accumulator*>(prefixes);
    const auto* const start = static_cast<const accumulator*>(run.start);
    for (std::int64_t row = 0; row < run.count; ++row) {
        const bool is_new = run.begins ? run.begins[row] != 0 : row == 0 && !have_prefixes;
        if (is_new && start)
            for (std::int64_t i = 0; i < columns; ++i) std::construct_at(before + i, *start);
        if (is_new && !start) {
            FOLDWISE_CPU_SIMD
            for (std::int64_t i = 0; i < columns; ++i) {
                std::construct_at(before + i, element(row, i));
                store(row, i, Steps::finish(before[i]));
            }
        } else if (run.is_exclusive) {
            FOLDWISE_CPU_SIMD
            for (std::int64_t i = 0; i < columns; ++i) {
                const accumulator old = before[i], next = Steps::combine(old, element(row, i));
                store(row, i, Steps::finish(old));
                std::construct_at(before + i, next);
            }
        } else {
            FOLDWISE_CPU_SIMD
            for (std::int64_t i = 0; i < columns; ++i) {
                const accumulator next = Steps::combine(before[i], element(row, i));
                store(row, i, Steps::finish(next));
                std::construct_at(before + i, next);
            }
        }
    }
}

/// Returns the functions of a scan, of which the three that are passed in are worth compiling for several machines.
template <class Steps>
constexpr detail::scan_on_cpu functions_of(decltype(detail::scan_on_cpu::scan) scan,
                                           decltype(detail::scan_on_cpu::fold) fold,
                                           decltype(detail::scan_on_cpu::scan_columns) scan_columns) {
    using accumulator = typename Steps::accumulator;
    detail::scan_on_cpu functions{};
    functions.scan = scan;
    functions.fold = fold;
    functions.scan_columns = scan_columns;
    functions.join = [](void* first, const void* second) {
        auto* const into = static_cast<accumulator*>(first);
        const accumulator both = Steps::combine(*into, *static_cast<const accumulator*>(second));
        std::construct_at(into, both);
    };
    if constexpr (Steps::has_identity)
        functions.identity = [](void* to) { std::construct_at(static_cast<accumulator*>(to), Steps::identity()); };
    return functions;
}

}  // namespace foldwise::cpu
