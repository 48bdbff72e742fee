// foldwise/device/elementwise.hpp: what emitted elementwise kernels are made of.
#pragma once

#include <foldwise/detail/kernel.hpp>
#include <foldwise/device/launch.hpp>
#include <foldwise/device/pack.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace foldwise::device {
inline namespace FOLDWISE_BACKEND {

/// An operand that a kernel reads: an array, or one value for all elements. The branches in load() are the same for all
/// threads, and cost nothing that can be measured beside the loads.
template <class T> struct input {
    const T* data;  ///< Null for a value.
    T value;
    bool is_wide;  ///< Whether wide loads are aligned wherever a thread begins.

    template <int N> __device__ pack<T, N> load(std::int64_t at) const {
        if (data && is_wide) return device::load<N>(data + at);
        pack<T, N> loaded;
        for (int k = 0; k < N; ++k) loaded[k] = data ? data[at + k] : value;
        return loaded;
    }

    __device__ T operator[](std::int64_t at) const { return data ? data[at] : value; }
};

/// An operand that a kernel writes.
template <class T> struct output {
    T* data;
    bool is_wide;

    template <int N> __device__ void store(std::int64_t at, const pack<T, N>& stored) const {
        if (is_wide) return device::store(data + at, stored);
        for (int k = 0; k < N; ++k) data[at + k] = stored[k];
    }

    __device__ T& operator[](std::int64_t at) const { return data[at]; }
};

/// The elements of a launch: [begin, end), counted from a place up to one load before the first element at which wide
/// loads are aligned.
struct range {
    std::int64_t begin;
    std::int64_t end;

    unsigned int blocks(int elements_per_block) const {
        return static_cast<unsigned int>((end + elements_per_block - 1) / elements_per_block);
    }

    template <int Width, class T> input<T> input_of(const detail::elementwise_operand& operand) const {
        input<T> result{};
        if (operand.is_scalar) {
            memcpy(&result.value, operand.data, sizeof(T));
        } else {
            result.data = static_cast<const T*>(operand.data) - begin;
            result.is_wide = is_aligned<Width, T>(operand, begin);
        }
        return result;
    }

    template <int Width, class T> output<T> output_of(const detail::elementwise_operand& operand) const {
        return {static_cast<T*>(operand.data) - begin, is_aligned<Width, T>(operand, begin)};
    }

    /// Whether accesses of `Width` elements are aligned if they begin `before` elements ahead of an operand's first one.
    template <int Width, class T>
    static bool is_aligned(const detail::elementwise_operand& operand, std::int64_t before) {
        constexpr auto access = static_cast<std::uintptr_t>(access_bytes(Width * static_cast<int>(sizeof(T))));
        const auto address = reinterpret_cast<std::uintptr_t>(operand.data);
        return (address - static_cast<std::uintptr_t>(before) * sizeof(T)) % access == 0;
    }
};

/// Chooses where to begin: so that as many bytes per element as possible move by aligned, wide accesses. Arrays that are
/// off by the same number of elements all do; the others are accessed by single elements.
template <int Width, class... T> range range_of(const detail::elementwise_call& call) {
    std::size_t most = 0;
    std::int64_t best = 0;
    for (std::int64_t before = 0; before < Width; ++before) {
        const detail::elementwise_operand* operand = call.operands;
        std::size_t bytes = 0;
        const auto count = [&]<class U>() {
            if (!operand->is_scalar && range::is_aligned<Width, U>(*operand, before)) bytes += sizeof(U);
            ++operand;
        };
        (count.template operator()<T>(), ...);
        if (bytes > most) {
            most = bytes;
            best = before;
        }
    }
    return {best, best + call.count};
}

/// The elements of one thread: `Width` neighbours, or fewer at the ends of the range.
template <int Threads, int Width> struct lane {
    std::int64_t begin;
    std::int64_t end;

    __device__ explicit lane(const range& elements)
        : begin(std::int64_t{blockIdx.x} * (Threads * Width) + static_cast<int>(threadIdx.x) * Width),
          end(begin + Width) {
        if (begin < elements.begin) begin = elements.begin;
        if (end > elements.end) end = elements.end;
    }

    __device__ bool is_whole() const { return end - begin == Width; }
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device
