// square.cpp: where a walk of two steps leads, from the probabilities of one step.
#include "square.kernels.hpp"  // generated
#include "tasks.hpp"

#include <numeric>
#include <random>

void squareMatrix(const Options& options) {
    const std::int64_t states = options.size.value_or(Size{500, 500}).width;
    const auto n = static_cast<std::size_t>(states);
    const foldwise::shape square{states, states};
    std::vector<double> step(n * n);
    std::mt19937 random(2);
    for (std::size_t row = 0; row < n; ++row) {
        double total = 0;
        for (std::size_t k = 0; k < n; ++k) total += step[row * n + k] = std::exponential_distribution(1.0)(random);
        for (std::size_t k = 0; k < n; ++k) step[row * n + k] /= total;
    }

    const auto two_steps = timed(std::to_string(states) + " states, two steps", [&] {
        std::vector<double> result(n * n);
        matrix::square(square, foldwise::host(step.data(), square), foldwise::host(result.data(), square));
        return result;
    });
    std::printf("  from state 0 the walk is somewhere with probability %.12f\n",
                std::accumulate(two_steps.begin(), two_steps.begin() + states, 0.0));

    if (!options.check) return;
    std::vector<double> expected(n * n);
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t column = 0; column < n; ++column)
                expected[row * n + column] += step[row * n + k] * step[k * n + column];
    expectSame(two_steps, expected, 1e-14);
}
