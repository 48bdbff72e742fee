// solve.cpp: many systems of four equations, and how well their solutions fit.
#include "numerics.hpp"
#include "solve.kernels.hpp"  // generated

#include <algorithm>
#include <random>

void solveSystems(const Options& options) {
    const std::int64_t systems = options.size.value_or(Size{1'000'000, 0}).width;
    const auto n = static_cast<std::size_t>(systems);
    std::mt19937 random(7);
    std::uniform_real_distribution<float> numbers(-1, 1);
    std::vector<float> a(16 * n), b(4 * n);
    for (float& value : a) value = numbers(random);
    for (std::size_t i = 0; i < 4 * n; ++i) a[4 * i + i % 4] += 3;  // well conditioned
    for (float& value : b) value = numbers(random);

    const auto x = timed(std::to_string(systems) + " systems of 4 equations", [&] {
        return linear::solve(foldwise::to_device(a).reshape({systems, 4, 4}),
                             foldwise::to_device(b).reshape({systems, 4}))
            .to_host();
    });
    double worst = 0;
    for (std::size_t i = 0; i < 4 * n; ++i) {
        double left = 0;
        for (std::size_t j = 0; j < 4; ++j) left += static_cast<double>(a[4 * i + j]) * x[i / 4 * 4 + j];
        worst = std::max(worst, std::abs(left - b[i]));
    }
    std::printf("  the sides of all equations differ by at most %.1e\n", worst);
    if (options.check && !(worst < 1e-5)) throw Mismatch("the solutions do not fit");
}
