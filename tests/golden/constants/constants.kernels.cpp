// tests/golden/constants/constants.kernels.cpp: constants, tables and enumerations.
// RUN: %golden
#include <foldwise/spec.hpp>

#include <algorithm>
#include <array>

constexpr float low = 0, high = 1;
const int order = 3;
inline constexpr float weights[] = {0.25f, 0.5f, 0.25f};
constexpr std::array<int, order> offsets = {-1, 0, 1};
template <class T> constexpr T pi = T(3.14159265358979323846);

struct Limits {
    static constexpr float scale = 255;
    enum { bits = 8 };
};
enum class Mode { off, on = 5 };

auto clamp01 = foldwise::vectorize([](float x) { return std::clamp(x, low, high); });
auto weigh = foldwise::vectorize([](float x, unsigned i) { return x * weights[i % order] + float(offsets[i % 3]); });
auto turn = foldwise::vectorize<float(float), double(double)>([](auto x) { return x * pi<decltype(x)>; });
auto encode = foldwise::vectorize([](float x) {
    return static_cast<int>(x * Limits::scale) + Limits::bits + static_cast<int>(Mode::on);
});
