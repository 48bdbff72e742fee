// tests/run/scan_host.hpp: scans on the host, with which tests compare.
#pragma once

#include "scan.kernels.hpp"

#include <cstddef>
#include <cstring>

namespace run_tests {

template <class T> bool same(const T& a, const T& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

inline run::matrix multiplied(const run::matrix& a, const run::matrix& b) {
    run::matrix c{};
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j)
            for (std::size_t k = 0; k < 4; ++k) c.cells[4 * i + j] += a.cells[4 * i + k] * b.cells[4 * k + j];
    return c;
}

}  // namespace run_tests
