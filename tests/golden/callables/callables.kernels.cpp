// tests/golden/callables/callables.kernels.cpp: what is called by its name, what is an object, what is a constant.
// RUN: %golden
#include <foldwise/spec.hpp>

#include <array>
#include <functional>

namespace shapes {

using point = std::array<float, 2>;

// Called by its name.
inline float area(float width, float height) { return width * height; }

struct scale {
    float factor;
    constexpr float operator()(float x) const { return factor * x; }
};

// A function object in kernels.
constexpr auto doubled = [](auto x) { return x + x; };

auto areas = foldwise::vectorize(area);
auto scaled = foldwise::vectorize(scale{2.5f});
auto twice = foldwise::vectorize<float(float)>(doubled);
auto four_times = foldwise::vectorize<float(float)>([](auto x) { return doubled(doubled(x)); });
auto shifted = foldwise::vectorize<point(point)>([by = point{1, 2}](auto p) {
    return point{p[0] + by[0], p[1] + by[1]};
});

auto total = foldwise::reduce<float>(foldwise::map(scale{0.5f}), std::plus<>{}, foldwise::identity(0));

}  // namespace shapes
