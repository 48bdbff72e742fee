// bench/cpu/tbb_peers.cpp: the standard library's parallel algorithms.
#include "formulas.hpp"
#include "peers.hpp"

#include <algorithm>
#include <execution>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

namespace bench::tbb {

void rel_diff(const float* x, const float* y, float* out, std::int64_t n) {
    std::transform(std::execution::par_unseq, x, x + n, y, out, formulas::rel_diff);
}

// std::transform has two ranges at most, so the others are reached by the place of the first one's element.
void black_scholes(const options& all) {
    std::transform(std::execution::par_unseq, all.spot, all.spot + all.n, all.call, [&all](const float& spot) {
        const auto i = &spot - all.spot;
        const formulas::prices both = formulas::black_scholes(spot, all.strike[i], all.years[i], all.rate, all.vol);
        all.put[i] = both.put;
        return both.call;
    });
}

float sum(const float* x, std::int64_t n) { return std::reduce(std::execution::par_unseq, x, x + n, 0.0f); }

float max(const float* x, std::int64_t n) {
    return std::reduce(std::execution::par_unseq, x, x + n, std::numeric_limits<float>::lowest(),
                       [](float a, float b) { return a < b ? b : a; });
}

float dot(const float* x, const float* y, std::int64_t n) {
    return std::transform_reduce(std::execution::par_unseq, x, x + n, y, 0.0f);
}

// The algorithms fold one range into one value. So columns are split among threads, which add row after row to them.
void sum_axis_0(const float* x, float* out, std::int64_t m, std::int64_t n) {
    constexpr std::int64_t width = 1024;
    std::vector<float*> groups;
    for (std::int64_t first = 0; first < n; first += width) groups.push_back(out + first);
    std::for_each(std::execution::par, groups.begin(), groups.end(), [=](float* group) {
        const std::int64_t first = group - out, columns = std::min(width, n - first);
        std::fill_n(group, columns, 0.0f);
        for (std::int64_t i = 0; i < m; ++i)
            std::transform(std::execution::unseq, group, group + columns, x + i * n + first, group, std::plus<>{});
    });
}

void sum_axis_1(const float* x, float* out, std::int64_t m, std::int64_t n) {
    std::for_each(std::execution::par, out, out + m, [=](float& sum) {
        const float* const row = x + (&sum - out) * n;
        sum = std::reduce(std::execution::unseq, row, row + n, 0.0f);
    });
}

}  // namespace bench::tbb
