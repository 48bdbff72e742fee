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

// Operators of the user's own in templates, which cannot know whether they divide.
struct total {
    std::int32_t sum = 0;
    total& operator<<(std::int32_t value) {
        sum += value;
        return *this;
    }
};
template <class Total> void add_twice(Total& to, std::int32_t value) { to << value << value; }

struct sharer {
    std::int32_t& all;
    void operator/=(std::int32_t parts) { all = ratio(all, parts); }
};
inline sharer shared(std::int32_t& all) { return {all}; }
template <class T> void share(T& all, std::int32_t parts) { shared(all) /= parts; }

struct temporary {
    std::int32_t operator/(std::int32_t parts) && { return 60 / parts; }
};
template <class T> std::int32_t share_of_temporary(std::int32_t parts) { return T{} / parts; }

inline std::int32_t halve(std::int32_t& value) {
    value /= 2;
    return 1;
}

struct narrow {
    std::uint32_t all : 5, parts : 5;
};

}  // namespace checks
