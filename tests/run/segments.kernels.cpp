// tests/run/segments.kernels.cpp: reductions that segments_test.cpp calls with segments.
#include <foldwise/spec.hpp>

#include <cstdint>
#include <functional>
#include <tuple>
#include <utility>

namespace run {

auto sum = foldwise::reduce<float, double, std::int64_t>(std::plus<>{}, foldwise::identity(0));
auto bytes = foldwise::reduce<std::uint8_t>(std::plus<>{}, foldwise::identity(0));
auto odd = foldwise::reduce<bool>([](bool a, bool b) { return a != b; }, foldwise::identity(false));
auto dot = foldwise::reduce<double(float, float)>(foldwise::map([](float x, float y) { return double{x} * y; }),
                                                  std::plus<>{}, foldwise::identity(0));
auto smallest =
    foldwise::reduce<std::int32_t>([](std::int32_t a, std::int32_t b) { return b < a ? b : a; }, foldwise::no_identity);

/// A function x -> a * x + b; composing two of them is not commutative.
struct affine {
    std::uint32_t a, b;
};
auto composed = foldwise::reduce<std::uint32_t(std::uint32_t, std::uint32_t)>(
    foldwise::map([](std::uint32_t a, std::uint32_t b) {
        return affine{a, b};
    }),
    foldwise::combine([](affine f, affine g) {
        return affine{f.a * g.a, f.b * g.a + g.b};
    }),
    foldwise::identity(affine{1, 0}), foldwise::finish([](affine f) { return f.a ^ f.b; }));

/// Three bytes: the number of elements modulo 251, the first and the last.
struct ends {
    std::uint8_t count, first, last;
};
auto outer = foldwise::reduce<std::int32_t(std::int16_t)>(
    foldwise::map([](std::int16_t x) {
        return ends{1, static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(x)};
    }),
    foldwise::combine([](ends a, ends b) {
        return ends{static_cast<std::uint8_t>((a.count + b.count) % 251), a.first, b.last};
    }),
    foldwise::no_identity, foldwise::finish([](ends all) { return all.count * 65536 + all.first * 256 + all.last; }));

/// 64 bytes, the most that an accumulator has.
struct powers {
    std::int64_t of[8];
};
auto moments = foldwise::reduce<std::pair<std::int64_t, std::int64_t>(std::int32_t)>(
    foldwise::map([](std::int32_t x) {
        powers all{};
        std::int64_t power = 1;
        for (std::int64_t& one : all.of) {
            one = power;
            power = power * x % 1009;
        }
        return all;
    }),
    foldwise::combine([](powers a, powers b) {
        for (int i = 0; i < 8; ++i) a.of[i] += b.of[i];
        return a;
    }),
    foldwise::identity(powers{}), foldwise::finish([](powers all) {
        return std::pair{all.of[0], all.of[1] + 3 * all.of[7]};
    }));

auto spmv = foldwise::reduce<double(double, std::int32_t, foldwise::view<const double, 1>)>(
    foldwise::map(
        [](double value, std::int32_t column, foldwise::view<const double, 1> x) { return value * x[column]; }),
    std::plus<>{}, foldwise::identity(0));

auto argmax = foldwise::reduce<std::int64_t(float)>(
    foldwise::map([](foldwise::index<1> i, float x) { return std::pair<float, std::int64_t>(x, i); }),
    foldwise::combine(
        [](std::pair<float, std::int64_t> a, std::pair<float, std::int64_t> b) { return a.first < b.first ? b : a; }),
    foldwise::identity(std::pair<float, std::int64_t>(-1e30f, -1)),
    foldwise::finish([](std::pair<float, std::int64_t> best) { return best.second; }));

auto squares =
    foldwise::reduce<std::int64_t()>(foldwise::map([](foldwise::index<1> i) { return std::int64_t{i} * i % 1000; }),
                                     std::plus<>{}, foldwise::identity(0));

}  // namespace run
