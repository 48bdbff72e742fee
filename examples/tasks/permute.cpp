// permute.cpp: a column is brought into the order of a sorted one, and back.
#include "permute.kernels.hpp"  // generated
#include "tasks.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

void permuteValues(const Options& options) {
    const std::int64_t count = options.size.value_or(Size{1'000'000, 1}).width;
    std::vector<double> values(static_cast<std::size_t>(count));
    std::mt19937 random(3);
    for (double& value : values) value = std::uniform_real_distribution(0.0, 1.0)(random);
    std::vector<std::int32_t> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        return values[static_cast<std::size_t>(a)] < values[static_cast<std::size_t>(b)];
    });

    const auto [sorted, restored] = timed(std::to_string(count) + " values there and back", [&] {
        const auto from = foldwise::to_device(values);
        const auto places = foldwise::to_device(order);
        foldwise::array<double> there(foldwise::shape{count}), back(foldwise::shape{count});
        permutation::gather(count, from, places, there);
        permutation::scatter(count, there, places, back);
        return std::pair(there.to_host(), back.to_host());
    });
    std::printf("  the first was %g; the smallest, now first, is %g; put back, the first is %g\n", values[0], sorted[0],
                restored[0]);

    if (!options.check) return;
    expectSame(restored, values, 0);
    std::sort(values.begin(), values.end());
    expectSame(sorted, values, 0);
}
