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

/// How the operands of one launch lie in memory. Kernels are compiled once for each.
enum class access {
    wide,  ///< All are arrays, and aligned for wide loads at the same places.
    any,   ///< Some are single values, or are out of step with the others.
};

/// Where an element is: in a block of elements, and how far into it. Kept apart because the first is the same for all
/// threads of a block, and the second fits 32 bits.
struct position {
    std::int64_t block;
    int offset;
};

/// An operand that a kernel reads.
template <class T, access> struct input {
    const T* data;

    template <int N> __device__ pack<T, N> load(position at) const {
        return device::load<N>(data + at.block + at.offset);
    }
    __device__ T operator[](position at) const { return (data + at.block)[at.offset]; }
};

template <class T> struct input<T, access::any> {
    input() : data(nullptr), is_wide(false) {}  // T may have no default constructor

    const T* data;  ///< Null for a value.
    union {
        T value;  ///< What stands for every element then.
    };
    bool is_wide;  ///< Whether wide loads are aligned wherever a thread begins.

    template <int N> __device__ pack<T, N> load(position at) const {
        if (data && is_wide) return device::load<N>(data + at.block + at.offset);
        pack<T, N> loaded;
        for (int k = 0; k < N; ++k) loaded[k] = (*this)[{at.block, at.offset + k}];
        return loaded;
    }
    __device__ T operator[](position at) const { return data ? (data + at.block)[at.offset] : value; }
};

/// An operand that a kernel writes.
template <class T, access> struct output {
    T* data;

    template <int N> __device__ void store(position at, const pack<T, N>& stored) const {
        device::store(data + at.block + at.offset, stored);
    }
    __device__ T& operator[](position at) const { return (data + at.block)[at.offset]; }
};

template <class T> struct output<T, access::any> {
    T* data;
    bool is_wide;

    template <int N> __device__ void store(position at, const pack<T, N>& stored) const {
        if (is_wide) return device::store(data + at.block + at.offset, stored);
        for (int k = 0; k < N; ++k) (*this)[{at.block, at.offset + k}] = stored[k];
    }
    __device__ T& operator[](position at) const { return (data + at.block)[at.offset]; }
};

/// The elements of a launch: [begin, end), counted from a place up to one load before the first element at which wide
/// loads are aligned.
struct range {
    std::int64_t begin;
    std::int64_t end;

    unsigned int blocks(int elements_per_block) const {
        return static_cast<unsigned int>((end + elements_per_block - 1) / elements_per_block);
    }

    template <access Access, int Width, class T>
    input<T, Access> input_of(const detail::elementwise_operand& operand) const {
        input<T, Access> result{};
        if (!operand.is_scalar) result.data = static_cast<const T*>(operand.data) - begin;
        if constexpr (Access == access::any) {
            if (operand.is_scalar) memcpy(&result.value, operand.data, sizeof(T));
            result.is_wide = is_aligned<Width, T>(operand, begin);
        }
        return result;
    }

    template <access Access, int Width, class T>
    output<T, Access> output_of(const detail::elementwise_operand& operand) const {
        output<T, Access> result{};
        result.data = static_cast<T*>(operand.data) - begin;
        if constexpr (Access == access::any) result.is_wide = is_aligned<Width, T>(operand, begin);
        return result;
    }

    /// Whether an array is aligned for accesses of `Width` elements `before` elements ahead of its first one.
    template <int Width, class T>
    static bool is_aligned(const detail::elementwise_operand& operand, std::int64_t before) {
        constexpr auto bytes = static_cast<std::uintptr_t>(access_bytes(Width * static_cast<int>(sizeof(T))));
        const auto address = reinterpret_cast<std::uintptr_t>(operand.data);
        return !operand.is_scalar && (address - static_cast<std::uintptr_t>(before) * sizeof(T)) % bytes == 0;
    }
};

/// Finds where the elements of a call begin and hands it to `launch`, as launch.operator()<Access>(range): so that as
/// many bytes per element as possible move by wide accesses. Arrays that are off by the same number of elements all do.
/// `T...` are the operands' types, inputs first.
template <int Width, class... T, class Launch>
int launch_elements(const detail::elementwise_call& call, Launch launch) {
    std::size_t most = 0;
    std::int64_t before = 0;
    for (std::int64_t candidate = 0; candidate < Width; ++candidate) {
        const detail::elementwise_operand* operand = call.operands;
        std::size_t bytes = 0;
        ((bytes += range::is_aligned<Width, T>(*operand++, candidate) ? sizeof(T) : 0), ...);
        if (bytes > most) {
            most = bytes;
            before = candidate;
        }
    }
    const range elements{before, before + call.count};
    if (most == (sizeof(T) + ...)) return launch.template operator()<access::wide>(elements);
    return launch.template operator()<access::any>(elements);
}

/// The elements of one thread: `Width` neighbours of its block's, or fewer at the ends of the range.
template <int Threads, int Width> struct lane {
    static constexpr int block_size = Threads * Width;

    std::int64_t block;
    int begin;
    int end;

    __device__ explicit lane(const range& elements)
        : block(std::int64_t{blockIdx.x} * block_size), begin(static_cast<int>(threadIdx.x) * Width),
          end(begin + Width) {
        const std::int64_t ahead = elements.begin - block, left = elements.end - block;
        if (ahead > begin) begin = static_cast<int>(ahead);
        if (left < end) end = static_cast<int>(left);
    }

    __device__ bool is_whole() const { return end - begin == Width; }
    __device__ position first() const { return {block, begin}; }
    __device__ position element(int i) const { return {block, i}; }
};

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device
