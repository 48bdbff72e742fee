// What a call of functions.add from C++ costs the host: of three arrays on the GPU, in nanoseconds.
#include "call_cost.kernels.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

int main() {
    using clock = std::chrono::steady_clock;
    constexpr int calls = 500;
    const foldwise::array<float> x(1000), y(1000);
    foldwise::array<float> out(1000);
    double best = 1e9;
    for (int repetition = 0; repetition < 50; ++repetition) {
        const auto begin = clock::now();
        for (int i = 0; i < calls; ++i) functions::add(x, y, out);
        const std::chrono::duration<double, std::nano> taken = clock::now() - begin;
        best = std::min(best, taken.count() / calls);
        out.to_host();
    }
    std::printf("%.0f\n", best);
}
