// A kernel of every pattern, with what device code does in another way for older GPUs.
#include <foldwise/spec.hpp>

#include <cstdint>

template <class T, int N> using in = foldwise::view<const T, N>;
template <class T, int N> using out = foldwise::view<T, N>;

auto blend = foldwise::vectorize([](foldwise::bfloat16 x, foldwise::half y) {
    return foldwise::bfloat16(static_cast<float>(x) + static_cast<float>(y));
});
auto normal = foldwise::vectorize(
    [](foldwise::index<1> i, std::uint64_t seed) { return foldwise::random::at(seed, i).normal(); });
auto sum = foldwise::reduce<float(float)>([](float a, float b) { return a + b; }, foldwise::identity(0));
auto running = foldwise::scan<float(float)>([](float a, float b) { return a + b; }, foldwise::identity(0));
auto histogram = foldwise::scatter<std::uint32_t(std::uint8_t)>(
    foldwise::map([](std::uint8_t x) { return foldwise::at(x, 1u); }),
    [](std::uint32_t a, std::uint32_t b) { return a + b; }, foldwise::identity(0));
auto transpose =
    foldwise::forall([](foldwise::index<2> i, in<float, 2> x, out<float, 2> y) { y(i[1], i[0]) = x(i[0], i[1]); });
auto reverse_blocks = foldwise::blocks<32>([](foldwise::block<1> b, in<float, 1> x, out<float, 1> y) {
    auto tile = b.shared<float, 32>();
    b.each([&](foldwise::index<1> t) { tile[t] = x.has(b.at(t)) ? x[b.at(t)] : 0; });
    b.each([&](foldwise::index<1> t) {
        if (y.has(b.at(t))) y[b.at(t)] = tile[31 - t[0]];
    });
});
auto blur = foldwise::stencil([](foldwise::around<const float, 2> a) { return (a(0, -1) + a(0, 0) + a(0, 1)) / 3; },
                              foldwise::edge::nearest);
auto row_sum = foldwise::guvectorize("(n)->()", [](in<float, 1> row, float& sum) {
    sum = 0;
    for (std::int64_t i = 0; i < row.extent(0); ++i) sum += row[i];
});
