// bench/distributed/scaling.kernels.cpp: what is scaled over processes and GPUs.
#include <foldwise/spec.hpp>

#include <cstdint>
#include <functional>

namespace scaled {

auto rel_diff = foldwise::vectorize<double(double, double)>([](double x, double y) { return 2 * (x - y) / (x + y); });
auto dot = foldwise::reduce<double(double, double)>(foldwise::map([](double x, double y) { return x * y; }),
                                                    std::plus<>{}, foldwise::identity(0));
auto sum = foldwise::reduce<double>(std::plus<>{}, foldwise::identity(0));

struct moments {
    double n, mean, m2;
};
auto variance = foldwise::reduce<double(double)>(
    foldwise::map([](double x) {
        return moments{1, x, 0};
    }),
    [](moments a, moments b) {
        const double n = a.n + b.n, d = b.mean - a.mean;
        return n == 0 ? a : moments{n, a.mean + d * b.n / n, a.m2 + b.m2 + d * d * a.n * b.n / n};
    },
    foldwise::identity(moments{0, 0, 0}), foldwise::finish([](moments m) { return m.m2 / m.n; }));

auto keys = foldwise::vectorize(
    [](foldwise::index<1> i) { return static_cast<std::int32_t>((std::int64_t{i} * 2654435761 >> 16) & 4095); });
auto histogram = foldwise::scatter<std::int64_t(std::int32_t)>(
    foldwise::map([](std::int32_t key) { return foldwise::at(key, std::int64_t{1}); }), std::plus<>{},
    foldwise::identity(0));

auto running = foldwise::scan<double>(std::plus<>{}, foldwise::identity(0));
auto heat = foldwise::stencil(
    [](foldwise::around<const double, 2> a) {
        return a(0, 0) + 0.2 * (a(-1, 0) + a(1, 0) + a(0, -1) + a(0, 1) - 4 * a(0, 0));
    },
    foldwise::edge::nearest);

}  // namespace scaled
