#include <foldwise/spec.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>

// Kernels whose emitted code differs: every pattern, with elements, parts, outputs and indices of every kind.
#define EXPORTED [[gnu::visibility("default")]]

namespace all {

struct moments {
    double sum = 0, squares = 0;
    std::int64_t count = 0;
};

struct affine {
    double factor, shift;
};

class counter {  // has no default constructor
  public:
    constexpr explicit counter(std::int32_t start) : count_(start) {}
    constexpr counter advanced(std::int32_t by) const { return counter(count_ + by); }
    constexpr std::int32_t count() const { return count_; }

  private:
    std::int32_t count_;
};

EXPORTED auto advance = foldwise::vectorize([](counter c, std::int16_t by) { return c.advanced(by); });
EXPORTED auto rel_diff = foldwise::vectorize<float(float, float), double(double, double)>(
    [](auto x, auto y) { return 2 * (x - y) / (x + y); });
EXPORTED auto split = foldwise::vectorize(
    [](std::uint8_t x) { return std::tuple(static_cast<std::int16_t>(x / 2), static_cast<double>(x)); });
EXPORTED auto ramp = foldwise::vectorize([](foldwise::index<2> i) { return static_cast<int>(i[0] * 10 + i[1]); });
EXPORTED auto rotate = foldwise::vectorize([](std::complex<float> z) { return z * std::complex<float>(0, 1); });
EXPORTED auto above = foldwise::vectorize([limit = 2](std::int64_t x) { return x > limit; });

EXPORTED auto sum =
    foldwise::reduce<float(float), int(int)>([](auto a, auto b) { return a + b; }, foldwise::identity(0));
EXPORTED auto dot = foldwise::reduce<float(float, float)>(
    foldwise::map([](float x, float y) { return x * y; }), [](float a, float b) { return a + b; },
    foldwise::identity(0));
EXPORTED auto largest = foldwise::reduce<double>([](double a, double b) { return a < b ? b : a; }, foldwise::lowest);
EXPORTED auto any = foldwise::reduce<bool>([](bool a, bool b) { return a || b; }, foldwise::identity(false));
EXPORTED auto variance = foldwise::reduce<double(float)>(
    foldwise::map([](float x) {
        return moments{static_cast<double>(x), static_cast<double>(x) * static_cast<double>(x), 1};
    }),
    [](moments a, moments b) {
        return moments{a.sum + b.sum, a.squares + b.squares, a.count + b.count};
    },
    foldwise::identity(moments{}), foldwise::finish([](moments all) {
        const double n = static_cast<double>(all.count), mean = all.sum / n;
        return all.squares / n - mean * mean;
    }));
EXPORTED auto last =
    foldwise::reduce<std::uint16_t>([](std::uint16_t, std::uint16_t b) { return b; }, foldwise::no_identity);

EXPORTED auto transpose = foldwise::forall([](foldwise::index<2> at, foldwise::view<const float, 2> in,
                                              foldwise::view<float, 2> out) { out(at[1], at[0]) = in(at[0], at[1]); });
EXPORTED auto round_to = foldwise::forall(
    [](foldwise::index<1> i, foldwise::view<const double, 1> in, foldwise::view<double, 1> out, int decimals) {
        const double scale = std::pow(10.0, decimals);
        out[i] = std::rint(in[i] * scale) / scale;
    });

EXPORTED auto running =
    foldwise::scan<float(float), std::int64_t(bool)>([](auto a, auto b) { return a + b; }, foldwise::identity(0));
EXPORTED auto smoothed = foldwise::scan<double(float, double)>(
    foldwise::map([](foldwise::index<1> i, float x, double weight) {
        const double value = static_cast<double>(x);
        return i == 0 ? affine{0, value} : affine{1 - weight, weight * value};
    }),
    [](affine f, affine g) {
        return affine{f.factor * g.factor, f.shift * g.factor + g.shift};
    },
    foldwise::no_identity, foldwise::finish([](affine f) { return f.shift; }));
EXPORTED auto histogram = foldwise::scatter<std::uint32_t(std::uint8_t)>(
    foldwise::map([](std::uint8_t x) { return foldwise::at(x, 1u); }),
    [](std::uint32_t a, std::uint32_t b) { return a + b; }, foldwise::identity(0));
EXPORTED auto totals = foldwise::scatter<affine(std::int32_t, float)>(
    foldwise::map([](std::int32_t place, float x) {
        return foldwise::at(place, affine{1, static_cast<double>(x)});
    }),
    [](affine a, affine b) {
        return affine{a.factor + b.factor, a.shift + b.shift};
    },
    foldwise::identity(affine{0, 0}));
EXPORTED auto look_up =
    foldwise::vectorize([](std::int32_t at, foldwise::view<const float, 1> table) { return table[at]; });
EXPORTED auto blur = foldwise::stencil(
    [](foldwise::around<const float, 2> a) { return (a(0, -1) + a(0, 0) + a(0, 1)) / 3; }, foldwise::edge::nearest);
EXPORTED auto reverse_blocks =
    foldwise::blocks<32>([](foldwise::block<1> b, foldwise::view<const float, 1> in, foldwise::view<float, 1> out) {
        auto tile = b.shared<float, 32>();
        b.each([&](foldwise::index<1> t) { tile[t] = in.has(b.at(t)) ? in[b.at(t)] : 0; });
        b.each([&](foldwise::index<1> t) {
            if (out.has(b.at(t))) out[b.at(t)] = tile[31 - t[0]];
        });
    });
EXPORTED auto row_mean = foldwise::guvectorize("(n)->()", [](foldwise::view<const float, 1> row, float& mean) {
    float sum = 0;
    for (std::int64_t i = 0; i < row.extent(0); ++i) sum += row[i];
    mean = sum / static_cast<float>(row.extent(0));
});

// Bools that are numbers without a cast.
EXPORTED auto where = foldwise::vectorize([](float x, bool is_there) -> float { return x * is_there; });

}  // namespace all
