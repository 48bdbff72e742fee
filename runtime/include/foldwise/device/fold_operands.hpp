// foldwise/device/fold_operands.hpp: how reductions load their inputs.
//
// An element has a place among the results, its row, and one along the axes that are folded. Threads enter a row once,
// which moves every pointer there; from then on a place is one along the folded axes. Row here means whatever is folded
// to one result.
#pragma once

#include <foldwise/detail/reduce_kernel.hpp>
#include <foldwise/device/elementwise.hpp>
#include <foldwise/device/fold_occupancy.hpp>
#include <foldwise/device/fold_plan.hpp>

#include <cstdint>
#include <cstring>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// The axes of the layout that are kept, or those that are folded.
inline strided_range axes_between(const detail::reduce_call& call, int from, int to) {
    strided_range range{};
    range.count = 1;
    range.rank = to - from;
    for (int axis = 0; axis < range.rank; ++axis) {
        const auto extent = static_cast<std::uint32_t>(call.elements.layout->extents[to - 1 - axis]);
        range.count *= extent;
        if (axis + 1 < range.rank) range.extents[axis] = divider<std::uint32_t>::by(extent);
    }
    return range;
}

/// Strides along them.
inline strides strides_between(const std::int64_t* all, int from, int to) {
    strides result{};
    for (int axis = 0; axis < to - from; ++axis) result.steps[axis] = all[to - 1 - axis];
    return result;
}

inline int rank_of(const detail::reduce_call& call) { return call.elements.layout ? call.elements.layout->rank : 0; }

/// Along the one folded axis; of contiguous calls, which have no layout, 1.
inline std::int64_t folded_step(const detail::reduce_call& call, int operand) {
    if (call.elements.operands[operand].is_scalar) return 0;
    return call.elements.layout ? call.elements.layout->strides[operand][rank_of(call) - 1] : 1;
}

/// A row whose first element is not where that of the first row is, from one 16-byte boundary to the next.
struct shifted_row {
    strided_position place;
    std::int64_t shift;
};

/// An input whose elements lie as in an elementwise launch, beginning at the row.
template <class T, access Access> struct fold_input : input<T, Access> {
    strides rows;
    bool is_row_value;  ///< One element stands for all of the row.

    __device__ void enter(const shifted_row& row) { this->data += rows.offset(row.place) + row.shift; }
    __device__ void enter(const strided_position& row) {
        if constexpr (Access == access::wide || Access == access::runs) {
            this->data += rows.offset(row);
        } else {
            if (this->data) this->data += rows.offset(row);
            if constexpr (Access == access::any) {
                if (is_row_value) {
                    this->value = *this->data;
                    this->data = nullptr;
                }
            }
        }
    }
};

/// Where the first element of a tile is in a row, how many before it, and how many the tile has.
struct row_place {
    int number, count;
};

template <class T, access Access>
requires(is_row(Access)) struct fold_input<T, Access> {
    fold_input() : data(nullptr), rows{} {}

    const T* data;  ///< Null for a value.
    union {
        T value;
    };
    strides rows;
    int step;  ///< Along the row; where accesses are wide, 1.

    template <class Position> __device__ void enter(const Position& row) {
        if (data) data += rows.offset(row);
    }
    template <int N> __device__ pack<T, N> load(row_place first) const {
        if constexpr (Access == access::rows) return device_code::load<N>(data + first.number);
        // Beyond the end the first one again: then no load waits for a branch, and rows have the same offsets.
        pack<T, N> loaded;
        FOLDWISE_UNROLLED
        for (int k = 0; k < N; ++k) loaded[k] = data ? data[(first.number + (k < first.count ? k : 0)) * step] : value;
        return loaded;
    }
};

/// The first of a thread's results, which are neighbours along the columns, in one row of the others.
struct column_row {
    strided_position others;
    std::int64_t column;
};

/// Where an element of a column is: how many before it.
struct column_place {
    std::uint32_t number;
};

template <class T, access Access>
requires(is_column(Access)) struct fold_input<T, Access> {
    fold_input() : data(nullptr), others{}, folded{} {}

    const T* data;  ///< Null for a value.
    union {
        T value;
    };
    strides others, folded;
    std::int64_t step;  ///< Along the columns; where accesses are wide, 1.

    __device__ void enter(const column_row& row) {
        if (data) data += others.offset(row.others) + row.column * step;
    }
    template <int N, class Place> __device__ pack<T, N> load(const Place& at) const {
        if constexpr (Access == access::columns) return device_code::load<N>(data + offset(at));
        pack<T, N> loaded;
        loaded[0] = data ? data[offset(at)] : value;
        return loaded;
    }

  private:
    __device__ std::int64_t offset(const strided_position& at) const { return folded.offset(at); }
    __device__ std::int64_t offset(column_place at) const { return at.number * folded.steps[0]; }
};

/// The elements of a row of a launch.
template <access Access> struct fold_range : range<Access> {
    strided_range rows;
    unsigned int blocks;  ///< That fold a row together.
    int lanes_log2;       ///< Of one block, that fold a row together.
    std::int64_t chunk;   ///< Elements that a warp reads where their order is kept.
};

template <> struct range<access::staggered> : range<access::wide> {
    strides phases;  ///< How far rows' beginnings are apart, modulo a whole access.
};

template <> struct range<access::runs> : range<access::strided> {};

template <> struct range<access::row> {
    int length;    ///< A tile for each of the lanes, a power of two,
    bool is_full;  ///< or for most of them.
};

template <> struct range<access::rows> : range<access::row> {};

template <> struct range<access::column> {
    strided_range folded;
    std::uint32_t vectors;  ///< Results that threads have, and how many of them make a row.
    divider<std::uint32_t> vectors_per_row;
    int across_log2;      ///< Of the threads of a block along the columns.
    std::uint32_t share;  ///< Elements of each result that a block folds.
};

/// One axis is folded.
template <> struct range<access::columns> : range<access::column> {};

/// An input's kept strides, the innermost `but` left out.
inline strides kept_strides(const detail::reduce_call& call, int number, int but = 0) {
    if (!call.elements.layout || call.elements.operands[number].is_scalar) return {};
    return strides_between(call.elements.layout->strides[number], 0, call.kept - but);
}

/// Whether an operand can be accessed by `Width` elements at a time along an axis, wherever it is along the others.
template <int Width, class T> bool is_wide_along(const detail::reduce_call& call, int number, int axis) {
    constexpr std::int64_t bytes = access_bytes(Width * static_cast<int>(sizeof(T)));
    const detail::elementwise_layout& layout = *call.elements.layout;
    if (layout.strides[number][axis] != 1 || layout.extents[axis] % Width != 0) return false;
    if (reinterpret_cast<std::uintptr_t>(call.elements.operands[number].data) % bytes != 0) return false;
    for (int other = 0; other < layout.rank; ++other) {
        if (other != axis && layout.strides[number][other] * static_cast<std::int64_t>(sizeof(T)) % bytes != 0)
            return false;
    }
    return true;
}

/// Whether an input is in each row aligned for accesses of `Width` elements where it is in the first.
template <int Width, class T> bool are_rows_alike(const detail::reduce_call& call, int number) {
    constexpr std::int64_t bytes = access_bytes(Width * static_cast<int>(sizeof(T)));
    for (int axis = 0; axis < call.kept; ++axis) {
        const auto step = call.elements.layout->strides[number][axis] * static_cast<std::int64_t>(sizeof(T));
        if (step % bytes != 0) return false;
    }
    return true;
}

/// What a kernel is given of an input of the call; `Width` as in its elements.
template <int Width, class T, access Access>
fold_input<T, Access> fold_input_of(const detail::reduce_call& call, int number, const fold_range<Access>& range) {
    const detail::elementwise_operand& operand = call.elements.operands[number];
    fold_input<T, Access> result{};
    if constexpr (is_row(Access) || is_column(Access)) {
        if (operand.is_scalar)
            memcpy(&result.value, operand.data, sizeof(T));
        else
            result.data = static_cast<const T*>(operand.data);
        if constexpr (is_row(Access)) {
            result.rows = kept_strides(call, number);
            result.step = static_cast<int>(folded_step(call, number));
        } else if (!operand.is_scalar) {
            result.others = kept_strides(call, number, 1);
            result.step = call.elements.layout->strides[number][call.kept - 1];
            result.folded = strides_between(call.elements.layout->strides[number], call.kept, rank_of(call));
        }
    } else {
        result.rows = kept_strides(call, number);
        result.is_row_value = Access == access::any && !operand.is_scalar && folded_step(call, number) == 0;
        if constexpr (Access == access::runs) {
            result.data = static_cast<const T*>(operand.data);
            result.steps = strides_between(call.elements.layout->strides[number], call.kept, rank_of(call));
        } else if constexpr (Access == access::strided) {
            if (operand.is_scalar)
                memcpy(&result.value, operand.data, sizeof(T));
            else
                result.data = static_cast<const T*>(operand.data);
            result.steps = strides_between(call.elements.layout->strides[number], call.kept, rank_of(call));
        } else {
            static_cast<input<T, Access>&>(result) = input_of<Width, T>(call.elements, number, range);
            if (result.is_row_value) result.data = static_cast<const T*>(operand.data);
            if constexpr (Access == access::any) {
                if (!are_rows_alike<Width, T>(call, number)) result.is_wide = false;
            }
        }
    }
    return result;
}

/// What turns an element's place into the index that a map takes.
template <int N> struct fold_space {
    std::int64_t origin;                ///< The position of the row's first element in the call, in row-major order.
    divider<std::uint64_t> extents[N];  ///< Outermost first; the first one is not used.
    strides rows, folded;               ///< How far positions move,
    std::int64_t column;                ///< and from one column, or element of a run, to the next.

    template <access Access> static fold_space of(const detail::reduce_call& call, const fold_range<Access>& range) {
        fold_space result{};
        result.origin = call.elements.first;
        result.folded.steps[0] = 1;
        if (call.elements.layout) {
            constexpr int but = is_column(Access) ? 1 : 0;
            result.rows = strides_between(call.positions, 0, call.kept - but);
            result.folded = strides_between(call.positions, call.kept, rank_of(call));
            if (but == 1) result.column = call.positions[call.kept - 1];
            if (Access == access::runs) result.column = result.folded.steps[0];
        }
        if constexpr (Access == access::wide || Access == access::staggered || Access == access::any)
            result.origin -= range.begin * result.folded.steps[0];
        for (int axis = 1; axis < N; ++axis)
            result.extents[axis] = divider<std::uint64_t>::by(
                static_cast<std::uint64_t>(call.elements.shape[axis] > 0 ? call.elements.shape[axis] : 1));
        return result;
    }

    template <class Position> __device__ void enter(const Position& row) { origin += rows.offset(row); }
    __device__ void enter(const shifted_row& row) { origin += rows.offset(row.place) + row.shift * folded.steps[0]; }
    __device__ void enter(const column_row& row) { origin += rows.offset(row.others) + row.column * column; }

    /// Of the k-th element from there on.
    __device__ index<N> at(position first, int k) const {
        return at_number((first.block + first.offset + k) * folded.steps[0]);
    }
    __device__ index<N> at(row_place first, int k) const { return at_number((first.number + k) * folded.steps[0]); }
    __device__ index<N> at(column_place place, int k) const {
        return at_number(place.number * folded.steps[0] + k * column);
    }
    /// Of the k-th column or element of a run, or of the element itself.
    template <class Position> __device__ index<N> at(const Position& place, int k) const {
        return at_number(folded.offset(place) + k * column);
    }

  private:
    __device__ index<N> at_number(std::int64_t number) const { return index_of(origin + number, extents); }
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
