// foldwise/detail/best_fit.hpp: which of several signatures the values of a call fit best.
#pragma once

#include <foldwise/detail/call_arguments.hpp>
#include <foldwise/detail/conversions.hpp>

#include <array>
#include <cstddef>

namespace foldwise::detail {

template <class From, class To> struct keeps_inputs;
template <class... From, class... To> struct keeps_inputs<type_list<From...>, type_list<To...>> {
    static constexpr bool value = [] {
        if constexpr (sizeof...(From) == sizeof...(To))
            return (keeps_values<From, To>() && ...);
        else
            return false;
    }();
};

/// Whether the inputs of `One` keep their values as those of each other signature.
template <class One, class... Fits>
inline constexpr std::array<bool, sizeof...(Fits)> keeps_inputs_of = {
    keeps_inputs<typename One::inputs, typename Fits::inputs>::value...};

/// Returns the number of the signature that fits best, or -1 if there is no best one. Exact types come first, then the
/// narrowest signature that keeps all values, then the only one that fits at all.
template <class... Fits> constexpr int best_of(type_list<Fits...>) {
    constexpr std::size_t count = sizeof...(Fits);
    const std::array<int, count> ranks = {Fits::rank()...};
    int best = 0;
    for (int rank : ranks) best = rank > best ? rank : best;
    const std::array<std::array<bool, count>, count> keeps = {keeps_inputs_of<Fits, Fits...>...};
    int found = -1;
    for (std::size_t one = 0; one < count; ++one) {
        if (ranks[one] != best) continue;
        bool is_best = true;
        for (std::size_t other = 0; other < count; ++other) {
            const bool competes = other != one && ranks[other] == best;
            if (competes && (best < 2 || !keeps[one][other])) is_best = false;
        }
        if (is_best) found = static_cast<int>(one);
    }
    return found;
}

}  // namespace foldwise::detail
