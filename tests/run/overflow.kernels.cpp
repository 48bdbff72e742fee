// tests/run/overflow.kernels.cpp: sums and products of integers whose partial results may leave the type.
#include <foldwise/spec.hpp>

#include <cstdint>
#include <functional>

namespace overflow {

auto sum = foldwise::reduce<std::int8_t, std::int16_t, std::int32_t, std::int64_t, long long>(
    [](auto a, auto b) { return static_cast<decltype(a)>(a + b); }, foldwise::identity(0));
auto product = foldwise::reduce<std::int8_t, std::int16_t, std::uint16_t, std::int32_t, std::int64_t, long long>(
    [](auto a, auto b) { return static_cast<decltype(a)>(a * b); }, foldwise::identity(1));
auto plus = foldwise::reduce<std::int32_t>([](int a, int b) { return std::plus<>()(a, b); }, foldwise::no_identity);
// Accumulated in other types than combine computes in.
auto wide = foldwise::reduce<std::int64_t(std::int32_t)>([](std::int32_t a, std::int32_t b) { return a + b; },
                                                         foldwise::identity(0));
auto alike = foldwise::reduce<std::int64_t>([](long long a, long long b) { return a + b; }, foldwise::identity(0));
auto of_squares = foldwise::reduce<std::int32_t(std::int16_t)>(
    foldwise::map([](std::int16_t x) { return static_cast<std::int32_t>(x) * x * (x < 0 ? -1 : 1); }),
    [](std::int32_t a, std::int32_t b) { return a + b; }, foldwise::identity(0));

}  // namespace overflow
