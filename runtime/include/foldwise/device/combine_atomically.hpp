// foldwise/device/combine_atomically.hpp: combines a value with one in global or shared memory, atomically among all
// threads and without an order.
#pragma once

#include <foldwise/detail/scatter_code.hpp>
#include <foldwise/device/platform.hpp>
#include <foldwise/device/shared_sum.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// The word that CUDA's atomic operations take for a value of this size.
template <std::size_t Size> struct atomic_word { using type = unsigned int; };
template <> struct atomic_word<2> { using type = unsigned short; };
template <> struct atomic_word<8> { using type = unsigned long long; };

/// The integer type of CUDA's atomic minimum and maximum for integers of type T.
template <class T>
using atomic_integer =
    std::conditional_t<sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>,
                       std::conditional_t<std::is_signed_v<T>, int, unsigned int>>;

/// Replaces the value that a word holds from its bit `shift` on by what next(value) returns, until nobody else has
/// changed the word meanwhile. A value that stays as it is is not written.
template <class T, class Word, class Next> __device__ void replace_atomically(Word* word, int shift, const Next& next) {
    constexpr bool is_part = sizeof(T) < sizeof(Word);
    Word seen = *const_cast<volatile Word*>(word);
    for (;;) {
        const Word bits = is_part ? seen >> shift : seen;
        T old;
        memcpy(static_cast<void*>(&old), &bits, sizeof(T));
        const T value = next(old);
        Word wanted = is_part ? 0 : bits;
        memcpy(&wanted, static_cast<const void*>(&value), sizeof(T));
        if constexpr (is_part) {
            constexpr Word mask = static_cast<Word>((std::uint64_t{1} << 8 * sizeof(T)) - 1);
            wanted = (seen & ~(mask << shift)) | wanted << shift;
        }
        if (wanted == seen) return;
        const Word found = atomicCAS(word, seen, wanted);
        if (found == seen) return;
        seen = found;
    }
}

/// Computes *at = combine(*at, value). T has 1, 2, 4 or 8 bytes and is aligned to as many.
template <class Steps>
__device__ void combine_atomically(typename Steps::accumulator* at, const typename Steps::accumulator& value) {
    using T = typename Steps::accumulator;
    using detail::scatter_operation;
    constexpr scatter_operation operation = Steps::operation;
    using word = typename atomic_word<sizeof(T)>::type;
    constexpr bool is_integer = std::is_integral_v<T> && sizeof(T) >= 4;
    if constexpr (is_integer && operation == scatter_operation::sum) {
        atomicAdd(reinterpret_cast<word*>(at), static_cast<word>(value));
    } else if constexpr (operation == scatter_operation::sum &&
                         (std::is_same_v<T, float> || std::is_same_v<T, double>)) {
        atomicAdd(at, value);
    } else if constexpr (is_integer && operation == scatter_operation::minimum) {
        atomicMin(reinterpret_cast<atomic_integer<T>*>(at), static_cast<atomic_integer<T>>(value));
    } else if constexpr (is_integer && operation == scatter_operation::maximum) {
        atomicMax(reinterpret_cast<atomic_integer<T>*>(at), static_cast<atomic_integer<T>>(value));
    } else if constexpr (is_integer && operation == scatter_operation::bit_and) {
        atomicAnd(reinterpret_cast<word*>(at), static_cast<word>(value));
    } else if constexpr (is_integer && operation == scatter_operation::bit_or) {
        atomicOr(reinterpret_cast<word*>(at), static_cast<word>(value));
    } else if constexpr (is_integer && operation == scatter_operation::bit_xor) {
        atomicXor(reinterpret_cast<word*>(at), static_cast<word>(value));
    } else {
        const auto next = [&](const T& old) { return Steps::combine(old, value); };
        if constexpr (sizeof(T) == 1) {
            const auto address = reinterpret_cast<std::uintptr_t>(at);
            replace_atomically<T>(reinterpret_cast<unsigned int*>(address & ~std::uintptr_t{3}),
                                  8 * static_cast<int>(address & 3), next);
        } else {
            replace_atomically<T>(reinterpret_cast<word*>(at), 0, next);
        }
    }
}

/// Whether Steps add integers of 8 bytes.
template <class Steps>
inline constexpr bool
    is_large_sum = std::is_integral_v<typename Steps::accumulator> &&
                   sizeof(typename Steps::accumulator) == 8 && Steps::operation == detail::scatter_operation::sum;

/// As combine_atomically(), with a value in the block's shared memory that may be read after a barrier that follows.
template <class Steps>
__device__ void combine_in_shared_memory(typename Steps::accumulator* at, const typename Steps::accumulator& value) {
    if constexpr (is_large_sum<Steps>)
        add_to_shared(at, value);
    else
        combine_atomically<Steps>(at, value);
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
