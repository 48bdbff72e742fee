// tests/run/tuples.kernels.cpp: reductions that accumulate in pairs and tuples, also within each other.
#include <foldwise/spec.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

namespace run {

using extent = std::pair<float, float>;

/// The smallest and the largest element.
auto extremes = foldwise::reduce<extent(float)>(
    foldwise::map([](float x) {
        return std::pair{x, x};
    }),
    [](extent a, extent b) { return extent(std::min(a.first, b.first), std::max(a.second, b.second)); },
    foldwise::no_identity);

/// The mean, from the sum and the number of elements.
auto mean = foldwise::reduce<double(std::int32_t)>(
    foldwise::map([](std::int32_t x) {
        return std::tuple<double, std::int64_t>{x, 1};
    }),
    [](auto a, auto b) {
        const auto [sum, count] = a;
        return std::tuple{sum + std::get<0>(b), count + std::get<1>(b)};
    },
    foldwise::identity(std::tuple{0.0, std::int64_t{0}}),
    foldwise::finish([](auto t) { return std::get<0>(t) / static_cast<double>(std::get<1>(t)); }));

struct place {
    float value;
    std::int32_t at;
};
using summary = std::tuple<char, place, std::pair<std::uint16_t, double>>;

/// Whether all elements are positive, as a letter; the first of the largest; the largest whole part and the sum. The
/// members have different sizes.
auto summarized = foldwise::reduce<summary(float)>(
    foldwise::map([](foldwise::index<1> i, float x) {
        return summary(x > 0 ? 'y' : 'n', place{x, static_cast<std::int32_t>(i)},
                       std::pair{static_cast<std::uint16_t>(x), x});
    }),
    [](const summary& a, const summary& b) {
        const auto& [left_sign, left, left_sum] = a;
        const auto& [right_sign, right, right_sum] = b;
        return summary(left_sign == 'y' ? right_sign : 'n', right.value > left.value ? right : left,
                       std::pair(std::max(left_sum.first, right_sum.first), left_sum.second + right_sum.second));
    },
    foldwise::identity(summary('y', place{-std::numeric_limits<float>::infinity(), -1}, std::pair(0, 0))),
    foldwise::finish([](summary s) { return s; }));

/// What finish returns is a tuple, and one value all the same: the largest element and where it is.
auto largest_at = foldwise::reduce<std::tuple<float, std::int64_t>(float)>(
    foldwise::map([](foldwise::index<1> i, float x) {
        return place{x, static_cast<std::int32_t>(i)};
    }),
    [](place a, place b) { return b.value > a.value ? b : a; }, foldwise::no_identity,
    foldwise::finish([](place p) { return std::tuple<float, std::int64_t>(p.value, p.at); }));

}  // namespace run
