// bench/cpu/tbb_peers.cpp: the standard library's parallel algorithms.
#include "formulas.hpp"
#include "peers.hpp"

#include <algorithm>
#include <execution>

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

}  // namespace bench::tbb
