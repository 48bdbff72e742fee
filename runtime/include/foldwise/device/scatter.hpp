// foldwise/device/scatter.hpp: combines elements into bins on a GPU.
//
// Bins are numbered in row-major order. Where operations are atomic and their order does not matter, all threads
// combine their elements into copies of the bins in their block's shared memory, which are then combined with the
// output, or into the output itself. Otherwise each block combines a chunk of the elements, in order: it maps some
// elements at a time, and each thread combines the values that go to its own bins. The chunks' copies are joined in
// order, so that the result depends on neither the GPU nor the time that blocks take.
#pragma once

#include <foldwise/detail/loop_hints.hpp>
#include <foldwise/detail/scatter_code.hpp>
#include <foldwise/detail/stored.hpp>
#include <foldwise/detail/wrapping.hpp>
#include <foldwise/device/combine_atomically.hpp>
#include <foldwise/device/launch.hpp>
#include <foldwise/device/pack.hpp>
#include <foldwise/device/view_parameter.hpp>
#include <foldwise/spec/index.hpp>
#include <foldwise/spec/placed.hpp>

#include <cstdint>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

using detail::scatter_instance;
using detail::scatter_operation;

constexpr bool is_shared(scatter_instance one) {
    return one == scatter_instance::shared_vectors || one == scatter_instance::shared_elements;
}
constexpr bool reads_vectors(scatter_instance one) {
    return one == scatter_instance::shared_vectors || one == scatter_instance::atomic_vectors;
}

/// An input of a scattered fold, as a kernel's parameter.
template <class T> struct scatter_input {
    detail::scatter_operand place;
    union {
        T value;
    };

    /// Returns an element by its number in the call.
    __device__ T at(const detail::scatter_range& range, std::int64_t number) const {
        if (!place.data) return value;
        std::int64_t offset = 0;
        auto rest = static_cast<std::uint64_t>(number);
        FOLDWISE_NOT_UNROLLED
        for (int axis = 0; axis < range.rank; ++axis) {
            const std::uint64_t coordinate = axis + 1 < range.rank ? range.extents[axis].split(rest) : rest;
            offset += static_cast<std::int64_t>(coordinate) * place.strides[axis];
        }
        return static_cast<const T*>(place.data)[offset];
    }

    /// Returns Width neighbouring elements of a contiguous input.
    template <int Width> __device__ pack<T, Width> load(std::int64_t first) const {
        const T* const from = static_cast<const T*>(place.data) + first;
        if (place.is_wide) return device_code::load<Width>(from);
        pack<T, Width> loaded;
        for (int k = 0; k < Width; ++k) loaded[k] = place.data ? from[k] : value;
        return loaded;
    }
};

/// Converts elements' numbers to the index of rank N that a map takes, as a kernel's parameter.
template <int N> struct scatter_space : detail::scatter_space<N> {
    __device__ index<N> at(std::int64_t number) const {
        index<N> result;
        auto rest = static_cast<std::uint64_t>(number);
        for (int axis = N - 1; axis > 0; --axis)
            result[axis] = static_cast<std::int64_t>(this->extents[axis].split(rest));
        result[0] = static_cast<std::int64_t>(rest);
        return result;
    }
};

/// Where a launch combines values into, as a kernel's parameter.
template <class Steps> struct scatter_target : detail::scatter_target {
    using accumulator = typename Steps::accumulator;

    __device__ accumulator* output() const { return static_cast<accumulator*>(bins.data); }

    /// Returns the number of the bin at a place, or -1 outside; there, a checked build reports the place.
    template <class Placed> __device__ std::int64_t number_of(const Placed& one) const {
        static_assert(Placed::axes == Steps::bin_axes);
        std::int64_t number = 0;
        for (int axis = 0; axis < Steps::bin_axes; ++axis) {
            const std::int64_t place = one.place[axis];
            if (static_cast<std::uint64_t>(place) >= static_cast<std::uint64_t>(bins.extents[axis])) {
#ifdef FOLDWISE_LOOKS
                foldwise::detail::stop(
                    foldwise::detail::finding::of_index(one.file, one.line, place, bins.extents[axis], axis));
#endif
                return -1;
            }
            number = number * bins.extents[axis] + place;
        }
        return number;
    }

    /// Returns a bin of the output by its number.
    __device__ accumulator* bin(std::int64_t number) const {
        if constexpr (Steps::bin_axes == 1) return output() + number * bins.strides[0];
        std::int64_t offset = 0;
        for (int axis = Steps::bin_axes - 1; axis > 0; --axis) {
            offset += number % bins.extents[axis] * bins.strides[axis];
            number /= bins.extents[axis];
        }
        return output() + offset + number * bins.strides[0];
    }

    /// Returns the bin at a place, or null outside, as number_of() does.
    template <class Placed> __device__ accumulator* bin_at(const Placed& one) const {
        if (number_of(one) < 0) return nullptr;
        std::int64_t offset = 0;
        for (int axis = 0; axis < Steps::bin_axes; ++axis) offset += one.place[axis] * bins.strides[axis];
        return output() + offset;
    }
};

/// Calls vector(first, put) for whole vectors of neighbouring elements and element(number, put) for the others, in any
/// order, for the thread's share of a launch's elements.
template <scatter_instance Instance, int Width, class Element, class Vector, class Put>
__device__ void each_in_any_order(const detail::scatter_range& range, const Element& element, const Vector& vector,
                                  const Put& put) {
    const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
    if constexpr (reads_vectors(Instance)) {
        const std::int64_t vectors = range.count / Width;
        for (std::int64_t i = thread; i < vectors; i += threads) vector(i * Width, put);
        for (std::int64_t i = vectors * Width + thread; i < range.count; i += threads) element(i, put);
    } else {
        for (std::int64_t i = thread; i < range.count; i += threads) element(i, put);
    }
}

/// Combines into copies of the bins in shared memory, then those into the output. Copies of a bin are neighbours, and a
/// thread's number says which one is its own: threads of a warp that meet in a bin mostly have different copies.
template <scatter_instance Instance, class Steps, int Width, class Element, class Vector>
__device__ void scatter_in_shared_memory(const detail::scatter_range& range, const scatter_target<Steps>& target,
                                         const Element& element, const Vector& vector) {
    using accumulator = typename Steps::accumulator;
    auto* const own = dynamic_shared<accumulator>();
    const int copies = target.shared_copies, bins = static_cast<int>(target.count);
    const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
    for (int i = thread; i < bins * copies; i += threads) own[i] = Steps::identity();
    __syncthreads();
    const int copy = thread & (copies - 1);
    each_in_any_order<Instance, Width>(range, element, vector, [&](const auto& one) {
        const std::int64_t number = target.number_of(one);
        if (number >= 0)
            combine_atomically<Steps>(own + static_cast<int>(number) * copies + copy,
                                      foldwise::detail::converted<typename Steps::value>(one.value));
    });
    __syncthreads();
    for (int i = thread; i < bins; i += threads) {
        accumulator total = own[i * copies];
        for (int k = 1; k < copies; ++k) total = Steps::combine(total, own[i * copies + k]);
        combine_atomically<Steps>(target.bin(i), total);
    }
}

/// Combines a chunk of the elements in order, into a copy of the bins or, if there is one chunk, into the output. Each
/// thread combines into bins of its own.
template <class Steps, int Threads, class Element>
__device__ void scatter_in_order(const detail::scatter_range& range, const scatter_target<Steps>& target,
                                 const Element& element) {
    using accumulator = typename Steps::accumulator;
    constexpr int together = Threads / Steps::entries > 0 ? Threads / Steps::entries : 1;
    constexpr int entries = together * Steps::entries;
    auto* const numbers = dynamic_shared<std::int64_t>();
    const auto behind = reinterpret_cast<std::uintptr_t>(numbers + entries);
    auto* const values = reinterpret_cast<accumulator*>((behind + alignof(accumulator) - 1) / alignof(accumulator) *
                                                        alignof(accumulator));
    const int thread = static_cast<int>(threadIdx.x);
    auto* const copy = static_cast<accumulator*>(target.copies) + blockIdx.x * target.count;
    if (target.copies)
        for (std::int64_t i = thread; i < target.count; i += Threads) copy[i] = Steps::identity();
    const std::int64_t each = (range.count + target.chunks - 1) / target.chunks;
    const std::int64_t begin = blockIdx.x * each, end = begin + each < range.count ? begin + each : range.count;
    for (std::int64_t first = begin; first < end; first += together) {
        if (thread < together) {
            int entry = thread * Steps::entries;
            for (int k = 0; k < Steps::entries; ++k) numbers[entry + k] = -1;
            if (first + thread < end)
                element(first + thread, [&](const auto& one) {
                    values[entry] = foldwise::detail::converted<typename Steps::value>(one.value);
                    numbers[entry++] = target.number_of(one);
                });
        }
        __syncthreads();
        for (int i = 0; i < entries; ++i) {
            const std::int64_t number = numbers[i];
            if (number < 0 || number % Threads != thread) continue;
            accumulator* const bin = target.copies ? copy + number : target.bin(number);
            *bin = Steps::combine(*bin, values[i]);
        }
        __syncthreads();
    }
}

/// Combines the chunks' copies of each bin, in order, with the bin or, in a new output, with the identity.
template <class Steps> __device__ void join_bins(const scatter_target<Steps>& target) {
    using accumulator = typename Steps::accumulator;
    const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
    for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < target.count; i += threads) {
        accumulator* const bin = target.bin(i);
        accumulator total = target.is_fresh ? Steps::identity() : *bin;
        const auto* const copies = static_cast<const accumulator*>(target.copies);
        for (int k = 0; copies && k < target.chunks; ++k) total = Steps::combine(total, copies[k * target.count + i]);
        *bin = total;
    }
}

/// Runs one launch of a scattered fold.
template <scatter_instance Instance, class Steps, int Threads, int Width, class Element, class Vector>
__device__ void scatter(const detail::scatter_range& range, const scatter_target<Steps>& target, const Element& element,
                        const Vector& vector) {
    wait_for_previous_kernel();
    if constexpr (Instance == scatter_instance::join)
        join_bins(target);
    else if constexpr (Instance == scatter_instance::ordered)
        scatter_in_order<Steps, Threads>(range, target, element);
    else if constexpr (is_shared(Instance))
        scatter_in_shared_memory<Instance, Steps, Width>(range, target, element, vector);
    else
        each_in_any_order<Instance, Width>(range, element, vector, [&](const auto& one) {
            if (auto* const bin = target.bin_at(one))
                combine_atomically<Steps>(bin, foldwise::detail::converted<typename Steps::value>(one.value));
        });
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
