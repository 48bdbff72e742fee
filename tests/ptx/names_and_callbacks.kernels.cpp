// tests/ptx/names_and_callbacks.kernels.cpp: names that CUDA and the C library have too, and functions that the standard
// library calls: nvcc takes them without a word.
// RUN: %generate %s -- -std=c++20 %include
// RUN: %nvcc -arch=compute_90 -Xcicc -O0 -c -o %t.o %t.out/names_and_callbacks.kernels.cu
// RUN: %generate --backend=cpu --backend=simulator %s -- -std=c++20 %include
// RUN: %host -I%t.out -fopenmp -c -o %t.cpu.o %t.out/names_and_callbacks.kernels.cpu.cpp
// RUN: %host -I%t.out -c -o %t.simulator.o %t.out/names_and_callbacks.kernels.simulator.cpp
// RUN: %host -I%t.out -c -o %t.launch.o %t.out/names_and_callbacks.kernels.launch.cpp
#include <foldwise/spec.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>

using namespace std;

struct float3 {
    float x, y, z;
};
constexpr ::float3 origin{1, 2, 3};
const float threshold = 0.5f;
inline float3 abs(float3 v) { return {abs(v.x), abs(v.y), abs(v.z)}; }
inline float max(float a, float b, float c) { return max(a, max(b, c)); }
inline float rsqrt(float x) { return 1 / std::sqrt(x); }
inline float norm(float x, float y) { return ::sqrt(x * x + y * y); }
template <class T> T top(T x) { return ::max(x, ::norm(x, x), T(threshold)); }
auto dim3 = foldwise::vectorize([](::float3 v) { return ::abs(v).x + ::origin.y; });
auto index = foldwise::vectorize<float(float)>([](auto x) { return ::top(x) + ::rsqrt(x); });
inline float twice(float x) { return 2 * x; }
template <int N> struct factorial { static constexpr int value = N * factorial<N - 1>::value; };
template <> struct factorial<0> { static constexpr int value = 1; };
template <class T> inline constexpr T half_of = T(0.5);
template <> inline constexpr int half_of<int> = 0;

namespace a {
constexpr float scale = 2;
inline namespace v1 {
inline float scaled(float x) { return x * scale; }
}  // namespace v1
auto twice = foldwise::vectorize([](float x) { return ::twice(x) + scaled(x) + a::v1::scaled(x); });
auto twice_float = foldwise::vectorize([](float x) { return x + factorial<4>::value + half_of<int> + half_of<float>; });
}  // namespace a

#define NOTHING
struct key {
    float value;
    bool operator<(const key& other) const { return weight(*this) < weight(other); }
    bool operator==(const key& other) const { return value == other.value; }
    [[nodiscard]] NOTHING static float weight(key k) { return std::fabs(k.value) * 2; }
};
struct entry {
    key first;
    int second;
    bool operator==(const entry&) const = default;
};
constexpr float weights[] = {3, 1, 2};
struct by_weight {
    bool operator()(int l, int r) const { return weights[l] < weights[r]; }
};
[[nodiscard]] inline float add(float l, float r) { return l + r; }
auto callbacks = foldwise::vectorize([](float x, int i) {
    std::array<entry, 2> a{entry{{x}, 1}, entry{{2}, 2}}, b = a;
    std::array<int, 3> order{2, 1, 0};
    std::sort(order.begin(), order.end(), by_weight{});
    std::array<float, 2> terms{x, 1};
    return (a == b) + order[0] + std::min(key{x}, key{static_cast<float>(i)}).value +
           std::accumulate(terms.begin(), terms.end(), 0.0f, add);
});

// Names that generated code makes of a kernel's, and that others have.
namespace made {
inline float twice_float(float x) { return 2 * x; }
inline float launch_twice_float(float x) { return x + 1; }
auto twice = foldwise::vectorize([](float x) { return made::twice_float(x) + launch_twice_float(x); });
auto launch_twice = foldwise::vectorize([](float x) { return x; });
inline namespace v1 {
struct sum_float_steps {
    float value;
};
}  // namespace v1
namespace {
struct sum_float_elements {
    float value;
};
}  // namespace
auto sum = foldwise::reduce<float>(
    [](float a, float b) { return a + b; }, foldwise::identity(0),
    foldwise::map([](float x) { return sum_float_steps{x}.value + sum_float_elements{x}.value; }));
auto fold_sum = foldwise::reduce<float>([](float a, float b) { return a * b; }, foldwise::identity(1));
auto join_sum = foldwise::vectorize([](float x) { return x; });
}  // namespace made
