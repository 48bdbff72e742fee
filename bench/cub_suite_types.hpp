// bench/cub_suite_types.hpp: types that both the specs of CUB's benchmarks and their peers name.
#pragma once

#include <cstdint>

namespace cub_suite {

template <class T> struct rgb { T r, g, b; };

template <class T> struct extremum {
    T value;
    std::int64_t at;
};

}  // namespace cub_suite
