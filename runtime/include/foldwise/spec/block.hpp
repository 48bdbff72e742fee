// foldwise/spec/block.hpp: the block that the lambda of a `blocks` kernel receives, as it is on a CPU.
//
// A phase is a loop over the items. On a GPU each thread runs a few of a phase's items instead (device/blocks.hpp).
#pragma once
#ifndef FOLDWISE_BLOCKS_ON_DEVICE  // by device/blocks.hpp

#include <foldwise/detail/checks.hpp>
#include <foldwise/detail/limits.hpp>
#include <foldwise/spec/block_memory.hpp>
#include <foldwise/spec/index.hpp>
#include <foldwise/spec/shared_array.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

// Precedes the loop over the items of a phase; cpu/blocks.hpp has compilers vectorise it.
#ifndef FOLDWISE_ITEMS_TOGETHER
#define FOLDWISE_ITEMS_TOGETHER
#define FOLDWISE_UNDEFINES_ITEMS_TOGETHER
#endif

namespace foldwise {

template <int N> class block;

namespace detail {

/// Where a block is in the call's shape, and its memory.
template <int N> struct block_place {
    std::int64_t extents[N];  ///< Items along each axis.
    std::int64_t number[N];   ///< Blocks before this one along each axis.
    block_memory* memory;

    constexpr std::int64_t items() const {
        std::int64_t product = 1;
        for (const std::int64_t extent : extents) product *= extent;
        return product;
    }
};

/// Combines values[0, count) in their order, in a balanced tree, which is the same on all backends. Overwrites them.
template <class T, class Op> T fold_in_tree(T* values, std::int64_t count, const Op& op) {
    for (std::int64_t width = 1; width < count; width *= 2)
        for (std::int64_t i = 0; i + width < count; i += 2 * width) values[i] = op(values[i], values[i + width]);
    return values[0];
}

/// How many neighbouring values are scanned together: those of a GPU's warp, so that the result is the same there.
inline constexpr std::int64_t scan_group = 32;

/// Replaces each of the values[0, count), at most scan_group, by the fold of all up to it.
template <class T, class Op> void scan_group_in_place(T* values, std::int64_t count, const Op& op) {
    for (std::int64_t distance = 1; distance < count; distance *= 2)
        for (std::int64_t i = count - 1; i >= distance; --i) values[i] = op(values[i - distance], values[i]);
}

/// Replaces each value by the fold of those of its group up to it, and writes the fold of all groups before group g + 1
/// to totals[g].
template <class T, class Op> void scan_groups(T* values, T* totals, std::int64_t count, const Op& op) {
    const std::int64_t groups = (count + scan_group - 1) / scan_group;
    const auto size_at = [](std::int64_t begin, std::int64_t end) {
        return end - begin < scan_group ? end - begin : scan_group;
    };
    for (std::int64_t group = 0; group < groups; ++group) {
        T* const first = values + group * scan_group;
        const std::int64_t size = size_at(group * scan_group, count);
        scan_group_in_place(first, size, op);
        totals[group] = first[size - 1];
    }
    for (std::int64_t begin = 0; begin < groups; begin += scan_group) {
        const std::int64_t size = size_at(begin, groups);
        scan_group_in_place(totals + begin, size, op);
        for (std::int64_t i = 0; begin > 0 && i < size; ++i)
            totals[begin + i] = op(totals[begin - 1], totals[begin + i]);
    }
}

}  // namespace detail

/// A variable of each item's own, which block<N>::own() makes: `x[t]` is that of item t, in a phase of that item. It
/// lives from phase to phase.
template <class T, int N> class own_variable {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                  "items' own variables are copied as bytes and never destroyed");

  public:
    using value_type = T;

    own_variable(const own_variable&) = delete;
    own_variable& operator=(const own_variable&) = delete;
    ~own_variable() { place_->memory->give_back(before_); }

    T& operator[](const index<N>& item) const {
        std::int64_t offset = 0;
        for (int axis = 0; axis < N; ++axis) offset = offset * place_->extents[axis] + item[axis];
        return values_[offset];
    }

#ifdef FOLDWISE_GENERATOR
    // Report that one is used as if it were the value of an item.
    template <std::same_as<T> U>
    __attribute__((unavailable("an item's own variable is read in a phase, as x[t]"))) operator U() const;
    template <class V>
    requires(!std::is_base_of_v<own_variable, V>)
        __attribute__((unavailable("an item's own variable is set in a phase: x[t] = value"))) own_variable&
        operator=(const V&);
#endif

  private:
    friend class block<N>;

    template <class Fill>
    own_variable(const detail::block_place<N>& place, const Fill& fill)
        : place_(&place), before_(place.memory->now()), values_(place.memory->template take<T>(place.items())) {
        fill(values_);
    }

    const detail::block_place<N>* place_;
    detail::block_memory::mark before_;
    T* values_;
};

namespace detail {
template <class T> inline constexpr bool is_own_variable = false;
template <class T, int N> inline constexpr bool is_own_variable<own_variable<T, N>> = true;
}  // namespace detail

// What is wrong with values that a block is to combine.
#define FOLDWISE_OWN_VARIABLES                                                                                         \
    "what items combine are their own variables: auto x = b.own(0.0f), of which a phase sets x[t]"
#define FOLDWISE_EXCLUSIVE_SCAN                                                                                        \
    "an exclusive scan begins with a value of the variable's type: write b.exclusive_scan(x, 0.0f, op)"

/// A block of items that share memory and work in phases. In each phase a lambda is called for every item; all items
/// have finished a phase before any begins the next.
template <int N> class block {
    static_assert(N >= 1 && N <= detail::max_block_rank, "a block has 1 to 3 axes");

  public:
    static constexpr int rank = N;

    /// Created by kernels, and by their calls on the host.
    constexpr explicit block(const detail::block_place<N>& place) : place_(&place) {}

    /// Returns the number of items along an axis.
    constexpr std::int64_t extent(int axis) const { return place_->extents[axis]; }
    /// Returns how many blocks are before this one along an axis of the call's shape.
    constexpr std::int64_t number(int axis) const { return place_->number[axis]; }
    /// Returns the position of the first item in the call's shape along an axis.
    constexpr std::int64_t origin(int axis) const { return place_->number[axis] * place_->extents[axis]; }
    /// Returns the position of an item in the call's shape. Items of the last blocks may lie beyond it.
    constexpr index<N> at(const index<N>& item) const {
        index<N> position;
        for (int axis = 0; axis < N; ++axis) position[axis] = origin(axis) + item[axis];
        return position;
    }

    /// Returns an array of these extents that all items share.
    template <class T, std::int64_t... E>
    requires(sizeof...(E) > 0) shared_array<T, E...> shared()
    const {
        static_assert(((E > 0) && ...), "the extents of a shared array are positive");
        return {place_->memory->template take<T>((E * ...)), {}};
    }
    /// Returns an array of `count` elements that all items share.
    template <class T> shared_array<T> shared(std::int64_t count) const {
        return {place_->memory->template take<T>(count < 0 ? 0 : count), {count < 0 ? 0 : count}};
    }

    // Report how shared memory is asked for otherwise, at the user's own line.
    template <class T>
    __attribute__((unavailable("how many elements items share is missing: write b.shared<float, 128>(), or "
                               "b.shared<float>(count) if the call says how many"))) shared_array<T>
    shared() const;
    template <class T>
    __attribute__((unavailable("an array whose size the call says has one axis: write b.shared<float>(rows * columns), "
                               "or b.shared<float, 32, 33>()"))) shared_array<T>
        shared(std::int64_t, std::int64_t, std::int64_t = 0) const;
    template <std::int64_t... E>
    __attribute__((unavailable("the type of the elements comes first: write b.shared<float, 128>(), or "
                               "b.shared<float>(count) if the call says how many"))) shared_array<float, E...>
        shared(std::int64_t = 0, std::int64_t = 0, std::int64_t = 0) const;

    /// Returns a variable of each item's own that begins with this value.
    template <class T> own_variable<T, N> own(T initial) const {
        const std::int64_t items = place_->items();
        return own_variable<T, N>(*place_, [&](T* values) {
            for (std::int64_t i = 0; i < items; ++i) values[i] = initial;
        });
    }

    template <class T>
    __attribute__((unavailable("an item's own variable begins with a value: write b.own(0.0f)"))) own_variable<T, N>
    own() const;
    __attribute__((unavailable("an item's own variable begins with a value: write b.own(0.0f)"))) own_variable<float, N>
    own() const;

    // Report an axis that is not said.
    __attribute__((unavailable("the axis is missing: write b.number(0)"))) std::int64_t number() const;
    __attribute__((unavailable("the axis is missing: write b.extent(0)"))) std::int64_t extent() const;
    __attribute__((unavailable("the axis is missing: write b.origin(0)"))) std::int64_t origin() const;

    // Reports CUDA's barrier.
    __attribute__((
        unavailable("items wait for each other between phases: what follows the wait is a b.each(...) of its "
                    "own"))) void
    syncthreads() const;

    /// Calls `phase` with the index<N> of each item.
    template <class Phase>
    requires std::is_invocable_v < const Phase&, const index<N>
    & > void each(const Phase& phase) const {
        const std::int64_t row = place_->extents[N - 1];
        const std::int64_t outer = N > 1 ? place_->extents[0] : 1, middle = N > 2 ? place_->extents[N / 2] : 1;
        // A function of its own: GCC would give each element of a vector its own copy of an index that the loop
        // declares, and then not vectorise it.
        const auto run = [&phase](std::int64_t i, std::int64_t j, std::int64_t k) {
            index<N> item;
            if constexpr (N > 1) item[0] = i;
            if constexpr (N > 2) item[1] = j;
            item[N - 1] = k;
#ifndef FOLDWISE_LOOKS
            phase(item);
#else
            look(phase, item);
#endif
        };
        for (std::int64_t i = 0; i < outer; ++i)
            for (std::int64_t j = 0; j < middle; ++j) {
                FOLDWISE_ITEMS_TOGETHER
                for (std::int64_t k = 0; k < row; ++k) run(i, j, k);
            }
    }
    // Reports a phase that cannot be called, at the user's own line.
    template <class Phase>
    requires(!std::is_invocable_v<const Phase&, const index<N>&>)
        __attribute__((unavailable("the lambda of a phase takes the item, a foldwise::index with as many axes as the "
                                   "block, and is not mutable"))) void each(const Phase&) const;

    /// Calls `phase` once.
    template <class Phase>
    requires std::is_invocable_v<const Phase&>
    void once(const Phase& phase) const { phase(); }
    template <class Phase>
    requires(!std::is_invocable_v<const Phase&>) __attribute__((unavailable(
        "what runs once is for no item: its lambda takes nothing, and is not mutable"))) void once(const Phase&) const;

    /// Returns the items' values combined in the order of the items, by an associative `op`. The grouping is the same
    /// on all backends.
    template <class T, class Op> T fold(const own_variable<T, N>& values, const Op& op) const {
        const std::int64_t items = place_->items();
        const detail::block_memory::mark before = place_->memory->now();
        T* const all = place_->memory->template take<T>(items);
        for (std::int64_t i = 0; i < items; ++i) all[i] = values.values_[i];
        const T result = detail::fold_in_tree(all, items, op);
        place_->memory->give_back(before);
        return result;
    }

    /// Returns for each item the fold of the values up to its own.
    template <class T, class Op>
    own_variable<T, N> inclusive_scan(const own_variable<T, N>& values, const Op& op) const {
        return scanned(values, op, [&](T* all, const T* totals, std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; totals && i < end; ++i) all[i] = op(*totals, all[i]);
        });
    }
    /// Returns for each item the fold of `initial` and the values of the items before it.
    template <class T, class Op>
    own_variable<T, N> exclusive_scan(const own_variable<T, N>& values, T initial, const Op& op) const {
        return scanned(values, op, [&](T* all, const T* totals, std::int64_t begin, std::int64_t end) {
            const T before = totals ? op(initial, *totals) : initial;
            for (std::int64_t i = end - 1; i > begin; --i) all[i] = op(before, all[i - 1]);
            all[begin] = before;
        });
    }

    // Report what is folded and scanned otherwise.
    template <class T, class Op>
    requires(!detail::is_own_variable<T>) __attribute__((unavailable(FOLDWISE_OWN_VARIABLES))) T
        fold(const T&, const Op&) const;
    template <class T, std::int64_t... E, class Op>
    __attribute__((
        unavailable("a fold takes the items' own variables, and this is shared memory: auto x = b.own(0.0f), "
                    "of which a phase sets x[t]"))) T
    fold(const shared_array<T, E...>&, const Op&) const;
    template <class T, class U, class Op>
    __attribute__((unavailable("a fold has no initial value: combine it with what b.fold(x, op) returns"))) T
    fold(const own_variable<T, N>&, U, const Op&) const;
    template <class T, class Op>
    requires(!detail::is_own_variable<T>)
        __attribute__((unavailable(FOLDWISE_OWN_VARIABLES))) own_variable<T, N> inclusive_scan(const T&,
                                                                                               const Op&) const;
    template <class T, class U, class Op>
    __attribute__((unavailable("an inclusive scan has no initial value: write b.inclusive_scan(x, op)")))
    own_variable<T, N>
    inclusive_scan(const own_variable<T, N>&, U, const Op&) const;
    template <class T, class Op>
    requires(!detail::is_own_variable<T>)
        __attribute__((unavailable(FOLDWISE_OWN_VARIABLES))) own_variable<T, N> exclusive_scan(const T&, const T&,
                                                                                               const Op&) const;
    template <class T, class Op>
    __attribute__((unavailable(FOLDWISE_EXCLUSIVE_SCAN))) own_variable<T, N> exclusive_scan(const own_variable<T, N>&,
                                                                                            const Op&) const;
    template <class T, class U, class Op>
    requires(!std::is_same_v<T, U>) __attribute__((unavailable(FOLDWISE_EXCLUSIVE_SCAN)))
    own_variable<T, N> exclusive_scan(const own_variable<T, N>&, U, const Op&) const;

  private:
#ifdef FOLDWISE_LOOKS
    /// Calls a phase for an item. What fails is told which item it was.
    template <class Phase> static void look(const Phase& phase, const index<N>& item) {
        try {
            phase(item);
        } catch (detail::check_failed& failed) {
            failed.found.set_item_of_block(N, item);
            throw;
        }
    }
#endif

    /// finish(all, totals, begin, end) makes a group's scan that of all; `totals` is null for the first group.
    template <class T, class Op, class Finish>
    own_variable<T, N> scanned(const own_variable<T, N>& values, const Op& op, const Finish& finish) const {
        const std::int64_t items = place_->items();
        return own_variable<T, N>(*place_, [&](T* all) {
            const detail::block_memory::mark before = place_->memory->now();
            T* const totals = place_->memory->template take<T>((items + detail::scan_group - 1) / detail::scan_group);
            for (std::int64_t i = 0; i < items; ++i) all[i] = values.values_[i];
            detail::scan_groups(all, totals, items, op);
            for (std::int64_t begin = 0; begin < items; begin += detail::scan_group) {
                const std::int64_t end = begin + detail::scan_group < items ? begin + detail::scan_group : items;
                finish(all, begin > 0 ? totals + begin / detail::scan_group - 1 : nullptr, begin, end);
            }
            place_->memory->give_back(before);
        });
    }

    const detail::block_place<N>* place_;
};
#undef FOLDWISE_OWN_VARIABLES
#undef FOLDWISE_EXCLUSIVE_SCAN

namespace detail {

/// The order in which the blocks of a call run, of which there are `counts` along each axis. Along the last two axes
/// these are strips of a few rows of blocks, each of which is walked column by column: blocks that follow one another
/// then share cache lines and pages, whichever of the two axes is contiguous in memory.
template <int N> class block_order {
    static constexpr std::int64_t strip = 8;  // rows

  public:
    explicit block_order(const std::int64_t (&counts)[N]) {
        for (int axis = 0; axis < N; ++axis) counts_[axis] = counts[axis];
    }

    /// Writes where the block with this number is.
    void place(std::int64_t number, std::int64_t (&at)[N]) const {
        std::int64_t rest = number;
        if constexpr (N > 1) {
            const std::int64_t rows = counts_[N - 2], columns = counts_[N - 1];
            if constexpr (N > 2) at[0] = rest / (rows * columns), rest %= rows * columns;
            const std::int64_t first = rest / (strip * columns) * strip;
            const std::int64_t height = rows - first < strip ? rows - first : strip;
            rest -= first * columns;
            at[N - 2] = first + rest % height;
            rest /= height;
        }
        at[N - 1] = rest;
    }

  private:
    std::int64_t counts_[N];
};

/// Calls run(block) for the blocks [begin, end), in the order of block_order, of blocks with extents E that cover
/// `shape`.
template <std::int64_t... E, class Run>
void each_block(const std::int64_t* shape, std::int64_t begin, std::int64_t end, const Run& run) {
    constexpr int rank = sizeof...(E);
    constexpr std::int64_t extents[] = {E...};
    std::int64_t counts[rank];
    for (int axis = 0; axis < rank; ++axis) counts[axis] = (shape[axis] + extents[axis] - 1) / extents[axis];
    const block_order<rank> order(counts);
    block_memory memory;
    for (std::int64_t i = begin; i < end; ++i) {
        block_place<rank> place{{E...}, {}, &memory};
        order.place(i, place.number);
        memory.give_back({});
#ifndef FOLDWISE_LOOKS
        run(block<rank>(place));
#else
        try {
            run(block<rank>(place));
        } catch (check_failed& failed) {
            failed.found.set_block(rank, place.number);
            throw;
        }
#endif
    }
}

}  // namespace detail

}  // namespace foldwise

#ifdef FOLDWISE_UNDEFINES_ITEMS_TOGETHER
#undef FOLDWISE_ITEMS_TOGETHER
#undef FOLDWISE_UNDEFINES_ITEMS_TOGETHER
#endif

#endif
