// foldwise/device/scan/operands.hpp: how scans load their inputs and store their results.
//
// Elements are numbered from 0, row after row. A thread has vectors of neighbouring elements, each of which begins at a
// place.
#pragma once

#include <foldwise/detail/scan_code.hpp>
#include <foldwise/device/index.hpp>
#include <foldwise/device/pack.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::scan_instance;

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
    if constexpr (Instance == scan_instance::vectors) return number;
    auto rest = static_cast<std::uint64_t>(number);
    std::int64_t offset = 0;
    FOLDWISE_NOT_UNROLLED
    for (int axis = 0; axis + 1 < range.rank; ++axis)
        offset += static_cast<std::int64_t>(range.extents[axis].split(rest)) * strides.steps[axis];
    return offset + static_cast<std::int64_t>(rest) * strides.steps[range.rank > 0 ? range.rank - 1 : 0];
}

/// An input as a thread reads it.
template <class T, scan_instance Instance> struct scan_input {
    const scan_parameter<T>& given;
    const detail::strides& strides;

    /// Loads the elements from `first` on; of `count` that exist the last stands for those behind it.
    template <int N> __device__ pack<T, N> load(const detail::scan_range& range, std::int64_t first, int count) const {
        const auto* const data = static_cast<const T*>(given.place.data);
        pack<T, N> loaded;
        if (!data) {
            FOLDWISE_UNROLLED
            for (int k = 0; k < N; ++k) loaded[k] = given.value;
        } else if (Instance == scan_instance::vectors && count == N) {
            loaded = device_code::load<N>(data + first);
        } else {
            FOLDWISE_UNROLLED
            for (int k = 0; k < N; ++k)
                loaded[k] = data[offset_of<Instance>(range, first + (k < count ? k : count - 1), strides)];
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
template <scan_instance Instance, class T, int N>
__device__ inline void store_results(void* results, const detail::strides& strides, const detail::scan_range& range,
                                     std::int64_t first, int count, const pack<T, N>& stored) {
    auto* const data = static_cast<T*>(results);
    if (Instance == scan_instance::vectors && N > 1 && count == N) return store_at_once(data + first, stored);
    FOLDWISE_UNROLLED
    for (int k = 0; k < N; ++k)
        if (k < count) data[offset_of<Instance>(range, first + k, strides)] = stored[k];
}

/// Converts an element's number to the index of rank N that a map takes.
template <int N> struct scan_space {
    const detail::reduce_space<N>& given;
    const detail::strides& strides;

    __device__ index<N> at(const detail::scan_range& range, std::int64_t number) const {
        return index_of(given.origin + offset_of<scan_instance::elements>(range, number, strides), given.extents);
    }
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
