// tests/golden/python/Inputs/python.kernels.cpp: a function of each pattern.
#include <foldwise/spec.hpp>

#include <cstdint>
#include <functional>
#include <tuple>

/// In the global namespace.
/// With "quotation marks" and a backslash: \.
auto twice = foldwise::vectorize([](float x) { return 2 * x; });

namespace numbers {

struct pair {
    float a, b;
};

auto divmod =
    foldwise::vectorize<std::tuple<std::int64_t, std::int64_t>(std::int64_t, std::int64_t)>([](auto a, auto b) {
        return std::tuple{a / b, a % b};
    });
auto first = foldwise::vectorize<float(pair)>([](pair x) { return x.a; });
auto gathered = foldwise::vectorize<float(foldwise::view<const float, 1>, std::int32_t)>(
    [](foldwise::view<const float, 1> table, std::int32_t i) { return table[i]; });
auto total = foldwise::reduce<float, double>(std::plus<>{}, foldwise::identity(0));
auto running = foldwise::scan<double>(std::plus<>{}, foldwise::identity(0));
auto square = foldwise::forall([](foldwise::index<1> i, foldwise::view<const double, 1> x, int times,
                                  foldwise::view<double, 1> out) { out[i] = x[i] * x[i] * times; });
auto halves = foldwise::guvectorize("(n)->(n)", [](foldwise::view<const float, 1> x, foldwise::view<float, 1> out) {
    for (std::int64_t i = 0; i < x.extent(0); ++i) out[i] = x[i] / 2;
});

auto counts = foldwise::scatter<std::uint32_t(std::uint8_t)>(
    foldwise::map([](std::uint8_t x) { return foldwise::at(x, 1u); }), std::plus<>{}, foldwise::identity(0));
auto mean = foldwise::stencil([](foldwise::around<const double, 1> x) { return (x(-1) + x(0) + x(1)) / 3; },
                              foldwise::edge::wrap);
auto copied =
    foldwise::blocks<32>([](foldwise::block<1> b, foldwise::view<const pair, 1> x, foldwise::view<pair, 1> out) {
        b.each([&](foldwise::index<1> t) {
            if (x.has(b.at(t))) out[b.at(t)] = x[b.at(t)];
        });
    });

}  // namespace numbers
