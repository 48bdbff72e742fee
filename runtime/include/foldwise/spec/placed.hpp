// foldwise/spec/placed.hpp: what the map of a scattered fold says of an element: a value, and the place that it goes
// to.
#pragma once

#include <foldwise/detail/host_device.hpp>
#include <foldwise/spec/index.hpp>

#include <concepts>
#include <cstdint>

namespace foldwise {

/// A place that no output has: what goes there is dropped, and no build reports it. As a coordinate of an index<N> it
/// makes the whole place one.
inline constexpr std::int64_t nowhere = INT64_MIN;

/// A value and the place in the output that it is combined into; made by at().
template <int N, class T> struct placed {
    static constexpr int axes = N;

    index<N> place;
    T value;
#ifdef FOLDWISE_LOOKS
    const char* file;  ///< Where at() was called.
    int line;
#endif
};

// Checked builds know where in the user's source a place was written.
#ifndef FOLDWISE_LOOKS
/// Says that `value` is combined into the element of the output at `place`. A value whose place is outside of
/// the output is dropped; in a checked build such a place is reported, unless it is `nowhere`.
template <std::integral Place, class T> FOLDWISE_HD constexpr placed<1, T> at(Place place, T value) {
    return {index<1>(static_cast<std::int64_t>(place)), value};
}
template <int N, class T> FOLDWISE_HD constexpr placed<N, T> at(index<N> place, T value) { return {place, value}; }
#else
template <std::integral Place, class T>
FOLDWISE_HD constexpr placed<1, T> at(Place place, T value, const char* file = __builtin_FILE(),
                                      int line = __builtin_LINE()) {
    return {index<1>(static_cast<std::int64_t>(place)), value, file, line};
}
template <int N, class T>
FOLDWISE_HD constexpr placed<N, T> at(index<N> place, T value, const char* file = __builtin_FILE(),
                                      int line = __builtin_LINE()) {
    return {place, value, file, line};
}
#endif

}  // namespace foldwise
