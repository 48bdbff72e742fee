// tests/errors/static_member.kernels.cpp: references to static data members, which nvcc has no objects of.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <algorithm>

struct Limits {
    static constexpr float top = 3;
    static constexpr int steps[2] = {1, 2};
    static const float late;
    float value;
};
const float Limits::late = 4;
template <class T> struct Of { static constexpr T low = T(1); };
constexpr float global_top = 5;

// expected-error@+1 {{'Limits::top' has a value in a kernel but no place in memory: a static data member cannot be referred to [FW043]}}
auto referred = foldwise::vectorize([](float x) { return std::min(x, Limits::top); });
auto indexed =
    foldwise::vectorize([](int i) { return Limits::steps[i]; });  // expected-error {{'Limits::steps' has a value}}
auto defined_later =
    foldwise::vectorize([](float x) { return x + Limits::late; });  // expected-error {{'Limits::late' has a value}}
auto through_object = foldwise::vectorize([](float x) {
    const Limits limits{x};
    return std::min(x, limits.top);  // expected-error {{'Limits::top' has a value}}
});
auto in_template = foldwise::vectorize<float(float)>([](auto x) {
    return std::max(x, Of<decltype(x)>::low);  // expected-error {{'Of<float>::low' has a value}}
});

// These need the value alone.
auto values = foldwise::vectorize<float(float)>([](auto x) {
    constexpr int most = std::max(Limits::steps[0], Limits::steps[1]);
    static_assert(std::max(Limits::top, 1.0f) == 3);
    float array[std::max(most, 2)] = {x, Limits::top};
    return std::min(x, +Limits::top) + float{Of<float>::low} + array[1] + std::max(x, global_top);
});
