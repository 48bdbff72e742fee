// tests/run/scatter.kernels.cpp: scattered folds of every way, size and operator.
#include "blocks.hpp"

#include <foldwise/spec.hpp>

#include <array>
#include <cstdint>
#include <functional>

namespace run {

using foldwise::index;
using foldwise::view;

/// Whole numbers in any type, at a place each.
auto total = foldwise::scatter<std::int32_t(std::int32_t, std::int32_t), std::int64_t(std::int32_t, std::int64_t),
                               std::uint8_t(std::int32_t, std::uint8_t), std::int16_t(std::int32_t, std::int16_t),
                               float(std::int32_t, float), double(std::int32_t, double)>(
    foldwise::map([](auto bin, auto value) { return foldwise::at(bin, value); }),
    [](auto a, auto b) { return static_cast<decltype(a)>(a + b); }, foldwise::identity(0));

auto blocks = foldwise::scatter<block12(std::int32_t, block12)>(
    foldwise::map([](std::int32_t place, block12 value) { return foldwise::at(place, value); }),
    foldwise::combine([](block12 a, block12 b) { return a + b; }), foldwise::identity(block12{}),
    foldwise::commutative);

/// Eight bytes that are swapped as one.
struct alignas(8) extent {
    float low, high;
    bool operator==(const extent&) const = default;
};
auto reach = foldwise::scatter<extent(std::int32_t, float)>(
    foldwise::map([](std::int32_t place, float x) {
        return foldwise::at(place, extent{x, x});
    }),
    [](extent a, extent b) {
        return extent{b.low < a.low ? b.low : a.low, a.high < b.high ? b.high : a.high};
    },
    foldwise::identity(extent{1e30f, -1e30f}), foldwise::commutative);

auto largest = foldwise::scatter<std::int64_t(std::int64_t, std::int64_t), float(std::int64_t, float)>(
    foldwise::map([](auto bin, auto value) { return foldwise::at(bin, value); }),
    [](auto a, auto b) { return a < b ? b : a; }, foldwise::lowest);

auto either = foldwise::scatter<std::uint32_t(std::uint16_t, std::uint32_t)>(
    foldwise::map([](std::uint16_t place, std::uint32_t bits) { return foldwise::at(place, bits); }), std::bit_xor<>{},
    foldwise::identity(0));

/// Places that are bytes, and one that is computed from a byte.
enum class letter : std::uint8_t {};
auto byte_counts = foldwise::scatter<std::uint32_t(std::uint8_t), std::uint32_t(std::int8_t), std::uint32_t(bool)>(
    foldwise::map([](auto place) { return foldwise::at(place, 1u); }), std::plus<>{}, foldwise::identity(0));
auto byte_counts_from_below = foldwise::scatter<std::uint32_t(std::int8_t)>(
    foldwise::map([](std::int8_t x) { return foldwise::at(x + 128, 1u); }), std::plus<>{}, foldwise::identity(0));
auto letter_counts = foldwise::scatter<std::uint32_t(letter)>(
    foldwise::map([](letter x) { return foldwise::at(static_cast<int>(x) - 65, 1u); }), std::plus<>{},
    foldwise::identity(0));

/// A function of a function of ...: the order matters.
struct affine {
    std::uint32_t a, b;
    bool operator==(const affine&) const = default;
};
auto recurrence = foldwise::scatter<affine(std::int32_t, std::uint32_t)>(
    foldwise::map([](std::int32_t place, std::uint32_t x) {
        return foldwise::at(place, affine{2 * x + 1, x >> 5});
    }),
    [](affine f, affine g) {
        return affine{f.a * g.a, f.b * g.a + g.b};
    },
    foldwise::identity(affine{1, 0}));

/// Two places for each element, and an accumulator of 16 bytes whose order matters.
struct ends {
    std::int64_t first, last;
    bool operator==(const ends&) const = default;
};
auto ends_of = foldwise::scatter<ends(std::int32_t, std::uint32_t)>(
    foldwise::map([](std::int32_t place, std::uint32_t x) {
        return std::array{foldwise::at(place, ends{x, x}), foldwise::at(place / 2, ends{x + 1ll, x + 1ll})};
    }),
    [](ends a, ends b) {
        return ends{a.first < 0 ? b.first : a.first, b.last < 0 ? a.last : b.last};
    },
    foldwise::identity(ends{-1, -1}));

/// Two axes, the place of the element, a table, and several places for each element.
auto spread = foldwise::scatter<std::int64_t(std::int16_t, view<const std::int32_t, 1>)>(
    foldwise::map([](index<2> at, std::int16_t x, view<const std::int32_t, 1> table) {
        const std::int64_t row = table[(at[0] + at[1]) % table.extent(0)], column = at[1] - 1;
        return std::array{foldwise::at(index<2>(row, column), x), foldwise::at(index<2>(row + 1, column), x),
                          foldwise::at(index<2>(row, column), static_cast<std::int16_t>(1))};
    }),
    std::plus<>{}, foldwise::identity(0));

}  // namespace run
