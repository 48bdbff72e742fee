// tests/run/checks_helpers.hpp: code of the user's, in a header, that kernels of checks.kernels.cpp call.
#pragma once

#include <foldwise/spec.hpp>

#include <cstdint>

#define CHECKS_SHARE(all, parts) ((all) / (parts))

namespace checks {

inline float neighbour(const foldwise::view<const float, 1>& x, std::int64_t i) {
    return x[i + 1];  // in_a_helper
}

template <class View> auto nth(const View& x, std::int64_t i) {
    return x[i];  // in_a_template
}

template <class A, class B> auto ratio(A a, B b) {
    return a / b;  // divide_in_a_template
}

}  // namespace checks
