// foldwise/cpu/slot.hpp: memory of accumulators.
#pragma once

#include <foldwise/detail/limits.hpp>

namespace foldwise::cpu {

/// Memory for an accumulator, which need not have a default constructor.
template <class T> struct slot {
    static_assert(sizeof(T) <= detail::largest_accumulator);
    union {
        T value;
    };
    slot() {}
};

}  // namespace foldwise::cpu
