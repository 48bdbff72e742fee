// foldwise/cpu/floats.hpp: has kernels compute with floats where operands are halves.
#pragma once

#include <foldwise/detail/half_arrays.hpp>
#include <foldwise/half.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace foldwise::cpu {

/// What a lambda has in place of half, written as T, if it converts each of these halves anyway.
template <class T> using as_float = std::conditional_t<std::is_same_v<T, half>, float, T>;

// How a kernel that computes with floats has an operand.
struct half_input {};   ///< As floats that are made of a block's halves.
struct half_output {};  ///< As floats of which the block's halves are made.
struct whole_operand {};
template <class T> struct elements_of {};  ///< As it is.

template <class Operand> inline constexpr bool has_floats = false;
template <> inline constexpr bool has_floats<half_input> = true;
template <> inline constexpr bool has_floats<half_output> = true;

/// The address of an operand's element.
template <class T> void* address(elements_of<T>, void* first, std::int64_t i) { return static_cast<T*>(first) + i; }
inline void* address(whole_operand, void* first, std::int64_t) { return first; }
template <class Operand> void* address(Operand, void* first, std::int64_t i) { return static_cast<half*>(first) + i; }

/// Calls run(operands, length, begin) for one block of elements after the other. A block is short, so that a processor
/// loads the next one's halves while it still computes: with longer ones, memory waits while there is no conversion.
template <class... Operands, class Run> void by_blocks(void* const* operands, std::int64_t count, const Run& run) {
    constexpr int number = sizeof...(Operands), floats = (has_floats<Operands> + ... + 0);
    constexpr std::int64_t block = 256;
    alignas(64) float kept[floats][block];
    for (std::int64_t begin = 0; begin < count; begin += block) {
        const std::int64_t length = std::min(block, count - begin);
        void* passed[number];
        void* own[number];
        int i = 0, next = 0;
        const auto prepare = [&](auto operand) {
            own[i] = address(operand, operands[i], begin);
            passed[i] = has_floats<decltype(operand)> ? kept[next++] : own[i];
            if constexpr (std::is_same_v<decltype(operand), half_input>)
                detail::widen(static_cast<const half*>(own[i]), length, static_cast<float*>(passed[i]));
            ++i;
        };
        (prepare(Operands()), ...);
        run(passed, length, begin);
        i = 0;
        const auto finish = [&](auto operand) {
            if constexpr (std::is_same_v<decltype(operand), half_output>)
                detail::round(static_cast<const float*>(passed[i]), length, static_cast<half*>(own[i]));
            ++i;
        };
        (finish(Operands()), ...);
    }
}

}  // namespace foldwise::cpu
