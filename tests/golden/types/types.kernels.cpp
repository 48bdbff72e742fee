// tests/golden/types/types.kernels.cpp: every arithmetic type, mixed widths, results that convert.
// RUN: %golden
#include <foldwise/spec.hpp>

#include <cstdint>

auto copy = foldwise::vectorize<bool(bool), char(char), std::int8_t(std::int8_t), std::uint8_t(std::uint8_t),
                                std::int16_t(std::int16_t), std::uint16_t(std::uint16_t), std::int32_t(std::int32_t),
                                std::uint32_t(std::uint32_t), std::int64_t(std::int64_t), std::uint64_t(std::uint64_t),
                                long long(long long), float(float), double(double)>([](auto x) { return x; });

auto is_small = foldwise::vectorize<bool(std::int32_t), bool(double)>([](auto x) { return x < 10; });

auto scale = foldwise::vectorize<float(std::uint8_t, double), float(double, std::uint8_t)>(
    [](auto x, auto by) { return x * by; });

using real = float;
auto wide = foldwise::vectorize([](real x, const int& n) -> double { return x * static_cast<real>(n); });
