// tests/run/callables_sample.hpp: functions and function objects that kernels and tests call by the same names.
#pragma once

#include <foldwise/spec.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

namespace callables {

inline float twice(float x) { return 2 * x; }

inline std::int32_t overloaded(std::int32_t x) { return x + 1; }
inline double overloaded(double x) { return x / 2; }

template <class T> T larger(T a, T b) { return a < b ? b : a; }

struct circle {
    static double area(double r) { return 3.25 * r * r; }
};
template <class T> struct ops {
    static T mixed(T a, T b) { return 3 * a - b; }
};

struct scale {
    float factor;
    constexpr float operator()(float x) const { return factor * x; }
};
struct affine final {
    double slope = 1, offset = 0;
    template <class T> constexpr T operator()(T x) const { return static_cast<T>(slope * x + offset); }
};
template <int N> struct power {
    template <class T> constexpr T operator()(T x) const {
        T product = 1;
        for (int i = 0; i < N; ++i) product *= x;
        return product;
    }
};
struct derived : scale {};
class closed {
  public:
    constexpr explicit closed(float value) : value_(value) {}
    constexpr float value() const { return value_; }

  private:
    float value_;
};

inline std::tuple<float, std::int32_t> split(float x) {
    const auto whole = static_cast<std::int32_t>(x);
    return {x - static_cast<float>(whole), whole};
}

inline std::int64_t place(foldwise::index<1> i, std::int64_t x) { return 10 * x + i; }

inline void reversed(foldwise::index<1> i, foldwise::view<const float, 1> x, foldwise::view<float, 1> out) {
    out[out.size() - 1 - i] = x[i];
}
struct shifted {
    float by;
    void operator()(foldwise::index<1> i, foldwise::view<float, 1> x) const { x[i] += by; }
};

struct vec {
    float x, y;
};
inline float length(vec v) { return v.x + v.y; }
inline namespace v1 {
inline float counted(float x) { return x + 1; }
constexpr float (*counted_by_pointer)(float) = counted;
}  // namespace v1
inline float counted(std::int32_t x) { return static_cast<float>(x * 100); }

struct constant {
    double value;
};
template <auto N> float by_sign(float x) { return N - N - 1 < N ? x : -x; }
template <auto N> double times(double x) { return static_cast<double>(N) * x; }
template <constant C> double times_constant(double x) { return C.value * x; }
template <class... T> float times_count(float x) { return static_cast<float>(sizeof...(T)) * x; }

struct name {
    char text[8];
};
inline constexpr std::string_view words[] = {"alpha", "beta", "gamma"};

/// A number from what std::string_view says of a name.
constexpr std::int32_t classified(const name& n, std::int32_t i) {
    const std::string_view text(n.text);
    if (text == "alpha") return 1;
    if (text.starts_with("be")) return 2 + static_cast<std::int32_t>(text.find('t'));
    if (text.ends_with("mma") && text.substr(1) == words[2].substr(1)) return 9;
    if (text < words[i % 3]) return 20 + static_cast<std::int32_t>(text.size());
    return static_cast<std::int32_t>(text.find("ph") % 100 + text.rfind('a') % 100 + text.find_first_of("xyz") % 100) +
           words[i % 3].front();
}

template <class T> constexpr T weight = T(1);
template <> inline constexpr float weight<float> = 2.5f;
template <class T> constexpr int weight<T*> = 3;
template <class T> inline constexpr bool has_halves = false;
template <> inline constexpr bool has_halves<float> = true;
template <class T> struct unit { static constexpr bool is_signed = false; };
template <> struct unit<float> { static constexpr bool is_signed = true; };
template <class T> constexpr bool is_signed_unit = unit<T>::is_signed;
template <class T>
concept divisible = has_halves<T> && is_signed_unit<T>;
template <class T> float halved_if_divisible(T x) { return static_cast<float>(x); }
template <divisible T> float halved_if_divisible(T x) { return x / 2; }

inline float by_value_or_reference(float x) { return x + 1; }
inline float by_value_or_reference(const float& x) { return 2 * x; }

struct box {
    float width, height = 3;
};
template <class Call> constexpr float called_twice(const Call& call, float x) { return call(call(x)); }

}  // namespace callables
