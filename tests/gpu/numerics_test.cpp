// tests/gpu/numerics_test.cpp: with CONTRACT OFF, a GPU computes the same bits as the CPU.
#include "numerics.kernels.hpp"
#include "numerics_fused.kernels.hpp"
#include "on_gpu.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

namespace {

constexpr std::size_t count = 1 << 20;

/// Half of them any bits at all, half of them around 1.
template <class T> std::vector<T> numbers(unsigned seed) {
    using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    std::mt19937_64 rng(seed);
    std::uniform_real_distribution<T> near(-3, 3);
    std::vector<T> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = i % 2 ? near(rng) : std::bit_cast<T>(static_cast<bits>(rng()));
    return values;
}

/// Elements whose bits differ, other than in which NaN they are.
template <class T> std::size_t different(const std::vector<T>& a, const std::vector<T>& b) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const bool are_same =
            std::isnan(a[i]) ? std::isnan(b[i]) : a[i] == b[i] && std::signbit(a[i]) == std::signbit(b[i]);
        found += are_same ? 0 : 1;
    }
    return found;
}

class Numerics : public on_gpu {
  protected:
    template <class T, class Kernel> static void expect_same(const char* what, Kernel kernel) {
        const std::vector<T> x = numbers<T>(1), y = numbers<T>(2), z = numbers<T>(3);
        std::vector<T> on_gpu(count), on_cpu(count);
        kernel(x, y, z, on_gpu, foldwise::cuda());
        kernel(x, y, z, on_cpu, foldwise::cpu());
        EXPECT_EQ(different(on_gpu, on_cpu), 0u) << what << ", " << sizeof(T) * 8 << " bits, of " << count;
    }

    template <class T, class Kernel> static std::size_t not_zero(Kernel kernel) {
        const std::vector<T> x = numbers<T>(4), y = numbers<T>(5);
        std::vector<T> products(count), results(count);
        std::transform(x.begin(), x.end(), y.begin(), products.begin(), [](T a, T b) { return a * b; });
        kernel(x, y, products, results, foldwise::cuda());
        return static_cast<std::size_t>(
            std::count_if(results.begin(), results.end(), [](T value) { return value != 0 && !std::isnan(value); }));
    }
};

#define EXPRESSION(name, ...)                                                                                          \
    TEST_F(Numerics, name) {                                                                                           \
        const auto kernel = [](const auto& x, const auto& y, const auto& z, auto& to, foldwise::executor where) {      \
            apart::name(x, y, z, to, where);                                                                           \
        };                                                                                                             \
        expect_same<float>(#__VA_ARGS__, kernel);                                                                      \
        expect_same<double>(#__VA_ARGS__, kernel);                                                                     \
    }
#include "../run/expressions.def"

TEST_F(Numerics, OnlyContractOffKeepsProductsApart) {
    const auto apart = [](auto&&... operands) { apart::difference(operands...); };
    const auto fused = [](auto&&... operands) { fused::difference(operands...); };
    EXPECT_EQ(not_zero<float>(apart), 0u);
    EXPECT_EQ(not_zero<double>(apart), 0u);
    EXPECT_GT(not_zero<float>(fused), count / 4);
    EXPECT_GT(not_zero<double>(fused), count / 4);
}

}  // namespace
