// tests/run/stencil.kernels.cpp: stencils of all ranks, edges and types.
#include <foldwise/half.hpp>
#include <foldwise/spec.hpp>

#include <complex>
#include <cstdint>
#include <tuple>

namespace windows {

struct cell {
    std::int32_t kind;
    float amount;
};

/// Cannot be constructed without a value.
struct counted {
    constexpr explicit counted(std::int32_t number_) : number(number_) {}
    std::int32_t number;
};

struct alignas(64) wide {
    float first, second;
};

// Sums with a different weight for each offset, exact in whole numbers, so that no two offsets can be mistaken.
template <class T> T weighed(foldwise::around<const T, 1> a) {
    T sum = 0;
    for (int i = -2; i <= 3; ++i) sum = static_cast<T>(sum + static_cast<T>(i + 4) * a(i));
    return sum;
}
template <class T> T weighed(foldwise::around<const T, 2> a) {
    return static_cast<T>(a(0, 0) + 2 * a(-2, 1) + 3 * a(1, 0) + 5 * a(0, -3) + 7 * a[foldwise::index<2>(1, 2)]);
}
inline std::int32_t weighed(foldwise::around<const std::int32_t, 3> a) {
    return a(0, 0, 0) + 2 * a(-1, 0, 0) + 3 * a(1, 0, 0) + 5 * a(0, -1, 0) + 7 * a(0, 2, 0) + 11 * a(0, 0, -1) +
           13 * a(0, 0, 1);
}
inline std::int32_t weighed(foldwise::around<const std::int32_t, 4> a) {
    return a(0, 0, 0, 0) + 2 * a(-1, 0, 0, 1) + 3 * a(0, 1, 0, 0) + 5 * a(1, 0, -1, 0) + 7 * a(0, -1, 0, -2);
}

using ints1 = foldwise::around<const std::int32_t, 1>;
using ints2 = foldwise::around<const std::int32_t, 2>;
using ints3 = foldwise::around<const std::int32_t, 3>;
using ints4 = foldwise::around<const std::int32_t, 4>;

auto wrap1 = foldwise::stencil([](ints1 a) { return weighed(a); }, foldwise::edge::wrap);
auto nearest1 = foldwise::stencil([](ints1 a) { return weighed(a); }, foldwise::edge::nearest);
auto mirror1 = foldwise::stencil([](ints1 a) { return weighed(a); }, foldwise::edge::mirror);
auto symmetric1 = foldwise::stencil([](ints1 a) { return weighed(a); }, foldwise::edge::symmetric);
auto constant1 = foldwise::stencil([](ints1 a) { return weighed(a); }, foldwise::edge::constant(-7));
auto skip1 = foldwise::stencil([](ints1 a) { return weighed(a); }, foldwise::edge::skip);

auto wrap2 = foldwise::stencil([](ints2 a) { return weighed(a); }, foldwise::edge::wrap);
auto nearest2 = foldwise::stencil([](ints2 a) { return weighed(a); }, foldwise::edge::nearest);
auto mirror2 = foldwise::stencil([](ints2 a) { return weighed(a); }, foldwise::edge::mirror);
auto symmetric2 = foldwise::stencil([](ints2 a) { return weighed(a); }, foldwise::edge::symmetric);
auto constant2 = foldwise::stencil([](ints2 a) { return weighed(a); }, foldwise::edge::constant(-7));
auto skip2 = foldwise::stencil([](ints2 a) { return weighed(a); }, foldwise::edge::skip);

auto wrap3 = foldwise::stencil([](ints3 a) { return weighed(a); }, foldwise::edge::wrap);
auto mirror3 = foldwise::stencil([](ints3 a) { return weighed(a); }, foldwise::edge::mirror);
auto skip3 = foldwise::stencil([](ints3 a) { return weighed(a); }, foldwise::edge::skip);
auto constant3 = foldwise::stencil([](ints3 a) { return weighed(a); }, foldwise::edge::constant(-7));
auto nearest4 = foldwise::stencil([](ints4 a) { return weighed(a); }, foldwise::edge::nearest);
auto symmetric4 = foldwise::stencil([](ints4 a) { return weighed(a); }, foldwise::edge::symmetric);

// Several arrays around, a whole array, values that broadcast, several results.
auto several = foldwise::stencil(
    [](ints2 a, foldwise::view<const std::int32_t, 1> table, foldwise::around<const double, 2> b, std::int32_t k) {
        const std::int32_t low = a(-1, 0) + table[1] * k;
        const double high = b(0, 1) + k;
        return std::tuple{low, high};
    },
    foldwise::edge::wrap);

// Offsets that a call passes, within a radius; and offsets that the generator finds in functions, loops downwards and
// conditional expressions.
auto said = foldwise::stencil([](ints2 a, std::int32_t by) { return a(by, -by) - a(0, by); }, foldwise::radius(3),
                              foldwise::edge::symmetric);
// A window that is too wide for tables of its coordinates.
auto far = foldwise::stencil([](ints2 a, std::int32_t by) { return a(by, -1) - a(0, by); }, foldwise::radius(40),
                             foldwise::edge::symmetric);
inline std::int32_t line(ints1 a, int from, int step) {
    std::int32_t sum = 0;
    for (int i = from; i > from - 3; i -= step) sum += (i + 9) * a(i);
    return sum;
}
auto followed = foldwise::stencil(
    [](ints1 a) {
        const int two = 2;
        return line(a, two, 1) + line(a, 0, 2) + a(a(0) > 50 ? 4 : -1);
    },
    foldwise::edge::nearest);

// Elements of other types.
auto typed = foldwise::stencil<std::int8_t, std::uint16_t, double>(
    []<class T>(foldwise::around<const T, 2> a) { return weighed(a); }, foldwise::edge::mirror);
auto halves = foldwise::stencil(
    [](foldwise::around<const foldwise::half, 1> a) { return static_cast<float>(a(-1)) + static_cast<float>(a(1)); },
    foldwise::edge::constant(0.5));
auto turned = foldwise::stencil(
    [](foldwise::around<const std::complex<float>, 1> a) { return a(-1) * std::complex<float>(0, 1) + a(1); },
    foldwise::edge::constant(std::complex<float>(2, 3)));
auto moved = foldwise::stencil(
    [](foldwise::around<const cell, 2> a) {
        return cell{a(1, 0).kind, a(0, -1).amount};
    },
    foldwise::edge::constant(cell{7, 2.5f}));

// Steps: one array, whose division makes branches, and two that are stepped together beside one that is not.
auto heat =
    foldwise::stencil([](foldwise::around<const double, 2> a,
                         double k) { return a(0, 0) + (a(-1, 0) + a(1, 0) + a(0, -1) + a(0, 1) - 4 * a(0, 0)) / k; },
                      foldwise::edge::nearest);
auto fed =
    foldwise::stencil([](ints2 a, std::int32_t by) { return a(-1, 0) + a(0, 2) - a(0, 0) + by; }, foldwise::edge::wrap);
auto pair = foldwise::stencil(
    [](ints2 a, foldwise::around<const double, 2> b, foldwise::view<const std::int32_t, 1> table) {
        const std::int32_t low = a(-1, 1) - table[1] + (b(0, 1) > b(1, 0) ? 1 : 2);
        const double high = 0.5 * (b(0, -1) + b(0, 0)) + a(0, 0);
        return std::tuple{low, high};
    },
    foldwise::edge::mirror);
auto following =
    foldwise::stencil([](foldwise::around<const counted, 1> a) { return counted(a(-1).number + 2 * a(1).number); },
                      foldwise::edge::mirror);
auto padded = foldwise::stencil(
    [](foldwise::around<const wide, 1> a) {
        return wide{a(-1).first + a(1).second, a(0).first};
    },
    foldwise::edge::wrap);
auto mixed = foldwise::stencil(
    [](foldwise::around<const std::int8_t, 1> a, foldwise::around<const double, 1> b) {
        const std::int8_t low = static_cast<std::int8_t>(a(1) - a(-1));
        const double high = 0.5 * (b(-1) + b(2)) + a(0);
        return std::tuple{low, high};
    },
    foldwise::edge::symmetric);
auto held = foldwise::stencil([](foldwise::around<const double, 1> a) { return a(-1) + a(1); }, foldwise::edge::skip);
auto wave = foldwise::stencil(
    [](foldwise::around<const std::int32_t, 1> u, foldwise::around<const std::int32_t, 1> v,
       foldwise::around<const std::int32_t, 1> source) {
        const std::int32_t speed = v(0) + u(-1) - 2 * u(0) + u(1) + source(-1);
        const std::int32_t height = u(0) + v(0);
        return std::tuple{height, speed};
    },
    foldwise::edge::wrap);

}  // namespace windows
