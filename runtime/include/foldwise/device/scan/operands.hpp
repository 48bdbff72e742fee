// foldwise/device/scan/operands.hpp: how scans load their inputs and store their results.
//
// Elements are numbered from 0, row after row. A thread has vectors of neighbouring elements, each of which begins at a
// place: the number of its first element or, in scans along columns, a row of a column.
#pragma once

#include <foldwise/detail/scan_code.hpp>
#include <foldwise/device/index.hpp>
#include <foldwise/device/pack.hpp>

#include <cstdint>
#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::scan_instance;

/// A row of a column.
struct row_place {
    std::int64_t column, row;

    __device__ row_place operator+(int rows) const { return {column, row + rows}; }
};

/// A row of the first of a thread's `Across` columns in a strip that its block has to itself. Elements are numbered row
/// after row.
template <int Across> struct strip_place {
    std::int64_t column, row;
    int apart;  ///< The distance of its columns. The last one of all stands for those behind it.

    __device__ strip_place operator+(int elements) const {
        return {column + elements % Across * apart, row + elements / Across, apart};
    }
};

/// Whether threads have rows of columns.
template <scan_instance Instance>
constexpr bool is_along_columns = Instance == scan_instance::columns || Instance == scan_instance::strips;

/// How many columns a thread has in a strip that its block has to itself.
template <class Steps>
constexpr int strip_columns = detail::scan_strip_columns(sizeof(typename Steps::result),
                                                         sizeof(typename Steps::accumulator));

/// Whether a thread accesses its elements of a row of a strip at once where they are aligned. nvcc would take narrow
/// ones apart, and wait for them, as soon as they are loaded.
template <class T, int Across>
constexpr bool is_accessed_at_once = sizeof(T) >= 4 && alignment_of_pack<T, Across>() > static_cast<int>(alignof(T));

/// Where a vector of elements begins.
template <scan_instance Instance, class Steps>
using scan_place = std::conditional_t<Instance == scan_instance::strips, strip_place<strip_columns<Steps>>,
                                      std::conditional_t<Instance == scan_instance::columns, row_place, std::int64_t>>;

/// Returns how many elements a thread loads and stores at once, which are as many as a vector has unless it loads rows
/// of a column.
template <scan_instance Instance, class Accumulator> constexpr int scan_width(int width) {
    return is_along_columns<Instance> ? detail::scan_column_rows(sizeof(Accumulator)) : width;
}

/// The strides of a kernel's operands, followed by those of positions if it takes an index; a kernel's parameter.
template <int Operands> struct scan_strides { detail::strides of[Operands]; };

/// An input of a kernel, as a parameter.
template <class T> struct scan_parameter {
    detail::scan_operand place;
    union {
        T value;  ///< Stands for every element if place.data is null.
    };
};

/// Returns an element's offset in an operand with these strides.
template <scan_instance Instance>
__device__ inline std::int64_t offset_of(const detail::scan_range& range, std::int64_t number,
                                         const detail::strides& strides) {
    if constexpr (Instance == scan_instance::vectors || Instance == scan_instance::pipelined) return number;
    auto rest = static_cast<std::uint64_t>(number);
    std::int64_t offset = 0;
    FOLDWISE_NOT_UNROLLED
    for (int axis = 0; axis + 1 < range.rank; ++axis)
        offset += static_cast<std::int64_t>(range.extents[axis].split(rest)) * strides.steps[axis];
    return offset + static_cast<std::int64_t>(rest) * strides.steps[range.rank > 0 ? range.rank - 1 : 0];
}

/// How a thread accesses the elements of a vector: each where it is; all of them, which are equally far apart; or all
/// of them together.
enum class scan_access { one_by_one, in_line, at_once };
template <scan_instance Instance>
constexpr scan_access access_of = Instance == scan_instance::vectors ? scan_access::at_once : scan_access::one_by_one;

/// Returns the offset of a row of a column.
template <scan_instance>
__device__ inline std::int64_t offset_of(const detail::scan_range& range, const row_place& place,
                                         const detail::strides& strides) {
    auto rest = static_cast<std::uint64_t>(place.column);
    std::int64_t offset = place.row * strides.steps[0];
    FOLDWISE_NOT_UNROLLED
    for (int axis = 1; axis + 1 < range.rank; ++axis)
        offset += static_cast<std::int64_t>(range.extents[axis].split(rest)) * strides.steps[axis];
    return offset + static_cast<std::int64_t>(rest) * strides.steps[range.rank - 1];
}

template <scan_instance Instance, int Across>
__device__ inline std::int64_t offset_of(const detail::scan_range& range, const strip_place<Across>& place,
                                         const detail::strides& strides) {
    const std::int64_t last = range.along_columns.columns - 1;
    return offset_of<Instance>(range, row_place{place.column < last ? place.column : last, place.row}, strides);
}

/// Where `count` neighbouring elements are that reach from one row of memory into the next one at most, as those of a
/// vector do in scan_instance::rows.
struct two_rows {
    std::int64_t first, second, step;
    int in_first;  ///< How many elements are in the first row.

    __device__ two_rows(const detail::scan_range& range, std::int64_t number, int count, const detail::strides& strides)
        : first(offset_of<scan_instance::rows>(range, number, strides)), second(first), step(strides.steps[0]),
          in_first(count) {
        if (range.rank < 2) return;
        auto row = static_cast<std::uint64_t>(number);
        const std::uint64_t left = range.extents[0].divisor - range.extents[0].split(row);
        if (left >= static_cast<unsigned int>(count)) return;
        in_first = static_cast<int>(left);
        second = offset_of<scan_instance::rows>(range, number + in_first, strides) - in_first * step;
    }
    __device__ std::int64_t offset(int k) const { return (k < in_first ? first : second) + k * step; }
};

/// An input as a thread reads it.
template <class T, scan_instance Instance> struct scan_input {
    const scan_parameter<T>& given;
    const detail::strides& strides;

    /// Loads the elements from `first` on; of `count` that exist the last stands for those behind it.
    template <int N, scan_access Access>
    __device__ pack<T, N> load(const detail::scan_range& range, std::int64_t first, int count) const {
        const auto* const data = static_cast<const T*>(given.place.data);
        pack<T, N> loaded;
        if (!data) {
            FOLDWISE_UNROLLED
            for (int k = 0; k < N; ++k) loaded[k] = given.value;
        } else if (Access == scan_access::at_once && count == N) {
            loaded = device_code::load<N>(data + first);
        } else if constexpr (Access == scan_access::in_line) {
            const T* const from = data + offset_of<Instance>(range, first, strides);
            FOLDWISE_UNROLLED
            for (int k = 0; k < N; ++k) loaded[k] = from[k * strides.steps[0]];
        } else if constexpr (Instance == scan_instance::rows) {
            const two_rows places(range, first, count, strides);
            FOLDWISE_UNROLLED
            for (int k = 0; k < N; ++k) loaded[k] = data[places.offset(k < count ? k : count - 1)];
        } else {
            FOLDWISE_UNROLLED
            for (int k = 0; k < N; ++k)
                loaded[k] = data[offset_of<Instance>(range, first + (k < count ? k : count - 1), strides)];
        }
        return loaded;
    }

    /// Loads `count` rows of a column from `first` on.
    template <int N, scan_access>
    __device__ pack<T, N> load(const detail::scan_range& range, const row_place& first, int count) const {
        const auto* const data = static_cast<const T*>(given.place.data);
        pack<T, N> loaded;
        if (!data) {
            FOLDWISE_UNROLLED
            for (int k = 0; k < N; ++k) loaded[k] = given.value;
        } else {
            const T* element = data + offset_of<Instance>(range, first, strides);
            const std::int64_t step = strides.steps[0];
            FOLDWISE_UNROLLED
            for (int k = 0; k < N; ++k, element += step)
                if (k < count) loaded[k] = *element;
        }
        return loaded;
    }

    /// Loads `count` elements of whole rows from `first` on.
    template <int N, scan_access, int Across>
    __device__ pack<T, N> load(const detail::scan_range& range, const strip_place<Across>& first, int count) const {
        const auto* const data = static_cast<const T*>(given.place.data);
        const std::int64_t step = strides.steps[0];
        pack<T, N> loaded;
        if (!data) {
            FOLDWISE_UNROLLED
            for (int k = 0; k < N; ++k) loaded[k] = given.value;
            return loaded;
        }
        const T* from = data + offset_of<Instance>(range, first, strides);
        if (is_accessed_at_once<T, Across> && range.are_aligned) {
            FOLDWISE_UNROLLED
            for (int k = 0; k < N; k += Across, from += step) {
                if (k >= count) continue;
                const pack<T, Across> row = device_code::load<Across>(from);
                for (int j = 0; j < Across; ++j) loaded[k + j] = row[j];
            }
            return loaded;
        }
        FOLDWISE_UNROLLED
        for (int j = 0; j < Across; ++j) {
            if (j > 0) from = data + offset_of<Instance>(range, first + j, strides);
            FOLDWISE_UNROLLED
            for (int k = j; k < N; k += Across, from += step)
                if (k < count) loaded[k] = *from;
        }
        return loaded;
    }
};

/// Stores N results as store() does. nvcc would store results that are chosen from two values one by one.
template <class T, int N> __device__ inline void store_at_once(T* to, const pack<T, N>& stored) {
#ifdef __CUDA_ARCH__
    if constexpr (sizeof stored == 16) {
        uint4 words;
        memcpy(&words, &stored, sizeof words);
        __stwb(reinterpret_cast<uint4*>(to), words);
        return;
    } else if constexpr (sizeof stored == 8 && alignof(pack<T, N>) >= 8) {
        uint2 words;
        memcpy(&words, &stored, sizeof words);
        __stwb(reinterpret_cast<uint2*>(to), words);
        return;
    }
#endif
    store(to, stored);
}

/// Stores `count` results from the one numbered `first` on.
template <scan_instance Instance, scan_access Access, class T, int N>
__device__ inline void store_results(void* results, const detail::strides& strides, const detail::scan_range& range,
                                     std::int64_t first, int count, const pack<T, N>& stored) {
    auto* const data = static_cast<T*>(results);
    if (Access == scan_access::at_once && N > 1 && count == N) return store_at_once(data + first, stored);
    if constexpr (Access == scan_access::in_line) {
        T* const to = data + offset_of<Instance>(range, first, strides);
        FOLDWISE_UNROLLED
        for (int k = 0; k < N; ++k) to[k * strides.steps[0]] = stored[k];
    } else if constexpr (Instance == scan_instance::rows) {
        const two_rows places(range, first, count, strides);
        FOLDWISE_UNROLLED
        for (int k = 0; k < N; ++k)
            if (k < count) data[places.offset(k)] = stored[k];
    } else {
        FOLDWISE_UNROLLED
        for (int k = 0; k < N; ++k)
            if (k < count) data[offset_of<Instance>(range, first + k, strides)] = stored[k];
    }
}

/// Stores `count` rows of a column from `first` on.
template <scan_instance, scan_access, class T, int N>
__device__ inline void store_results(void* results, const detail::strides& strides, const detail::scan_range& range,
                                     const row_place& first, int count, const pack<T, N>& stored) {
    T* element = static_cast<T*>(results) + offset_of<scan_instance::columns>(range, first, strides);
    const std::int64_t step = strides.steps[0];
    FOLDWISE_UNROLLED
    for (int k = 0; k < N; ++k, element += step)
        if (k < count) *element = stored[k];
}

/// Stores `count` results of whole rows from `first` on.
template <scan_instance Instance, scan_access, class T, int N, int Across>
__device__ inline void store_results(void* results, const detail::strides& strides, const detail::scan_range& range,
                                     const strip_place<Across>& first, int count, const pack<T, N>& stored) {
    auto* const data = static_cast<T*>(results);
    const std::int64_t step = strides.steps[0];
    T* to = data + offset_of<Instance>(range, first, strides);
    constexpr bool may_be_at_once = Across > 1 || is_accessed_at_once<T, Across>;
    if (may_be_at_once && range.are_aligned) {
        FOLDWISE_UNROLLED
        for (int k = 0; k < N; k += Across, to += step) {
            if (k >= count) continue;
            pack<T, Across> row;
            for (int j = 0; j < Across; ++j) row[j] = stored[k + j];
            store_at_once(to, row);
        }
        return;
    }
    FOLDWISE_UNROLLED
    for (int j = 0; j < Across; ++j) {
        if (first.column + j * first.apart >= range.along_columns.columns) break;
        if (j > 0) to = data + offset_of<Instance>(range, first + j, strides);
        FOLDWISE_UNROLLED
        for (int k = j; k < N; k += Across, to += step)
            if (k < count) *to = stored[k];
    }
}

/// Loads and maps `count` elements from a place on.
template <class Elements, class Place, class Mapped>
__device__ inline void load_mapped(const Elements& elements, const detail::scan_range& range, const Place& first,
                                   int count, Mapped& mapped) {
    elements.map(range, first, count, elements.load(range, first, count), mapped);
}

/// Converts an element's place to the index of rank N that a map takes.
template <int N> struct scan_space {
    const detail::reduce_space<N>& given;
    const detail::strides& strides;

    template <class Place> __device__ index<N> at(const detail::scan_range& range, const Place& place) const {
        return index_of(given.origin + offset_of<scan_instance::elements>(range, place, strides), given.extents);
    }
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
