#include "stats.kernels.hpp"  // generated

#include <cstdio>
#include <vector>

int main() {
    const std::vector<float> x{1, 2, 3, 4}, y{2, 2, 2, 2};
    std::vector<float> out(4);
    stats::rel_diff(x, y, out);  // host in, host out
    for (float value : out) std::printf("%8.4f", value);
    std::puts("  rel_diff({1, 2, 3, 4}, 2)");

    const auto d = foldwise::to_device(std::vector<double>{1, 10, 100});
    const foldwise::array<double> z = stats::rel_diff(d, 1.0);  // stays on the GPU, if there is one
    for (double value : z.to_host()) std::printf("%8.4f", value);
    std::puts("          rel_diff({1, 10, 100}, 1)");
}
