// tests/run/types.kernels.cpp: elements of every kind of type: 16-bit floats, complex numbers, enumerations, structs of
// 2 to 64 bytes with padding, nesting, arrays and over-alignment; and several outputs.
#include <foldwise/spec.hpp>

#include <array>
#include <complex>
#include <cstdint>
#include <tuple>
#include <utility>

namespace run {

enum class level : std::uint8_t { low, middle, high };
enum flags : std::int32_t { none = 0, first = 1, second = 2 };

struct rgb {
    std::uint8_t r, g, b;
    bool operator==(const rgb&) const = default;
};
struct vec3 {
    float x = 0, y = 0, z = 0;  // a default constructor that is not trivial
    constexpr vec3 operator+(vec3 o) const { return {x + o.x, y + o.y, z + o.z}; }
    friend constexpr vec3 operator*(vec3 v, float s) { return {v.x * s, v.y * s, v.z * s}; }
    bool operator==(const vec3&) const = default;
};
struct five {
    std::int32_t values[5];
    bool operator==(const five&) const = default;
};
struct padded {
    std::int8_t small;
    double wide;
    std::int16_t middle;
    bool operator==(const padded&) const = default;
};
struct nested {
    vec3 position;
    rgb colour;
    std::array<std::int16_t, 3> tags;
    bool operator==(const nested&) const = default;
};
struct alignas(32) aligned {
    float value;
    bool operator==(const aligned&) const = default;
};
struct wide {
    double values[8];
    bool operator==(const wide&) const = default;
};
#pragma pack(push, 1)
struct record {  // 5 bytes, and the number is at an odd place
    std::int8_t tag;
    float value;
    bool operator==(const record&) const = default;
};
struct journal {  // packed structs within a packed one
    std::uint8_t count;
    record entries[2];
    std::int16_t sum;
    bool operator==(const journal&) const = default;
};
#pragma pack(pop)
struct narrow {
    std::uint8_t tag;
    std::int64_t value;
    bool operator==(const narrow&) const = default;
} __attribute__((packed));
struct roomy {
    float x, y, z;
} __attribute__((aligned(32)));
struct bits {
    std::uint32_t low : 5, high : 12;
    std::int8_t rest : 3;
    bool operator==(const bits&) const = default;
} __attribute__((packed));
enum small { nothing, something, everything } __attribute__((packed));
class counter {  // no default constructor, private members, a base class
  public:
    constexpr explicit counter(std::int32_t start) : count_(start) {}
    constexpr counter advanced(std::int32_t by) const { return counter(count_ + by); }
    constexpr std::int32_t count() const { return count_; }
    bool operator==(const counter&) const = default;

  private:
    std::int32_t count_;
};

auto raise = foldwise::vectorize<level(level), flags(flags)>([](auto x) {
    using type = decltype(x);
    return static_cast<type>((static_cast<int>(x) + 1) % 3);
});
auto twice = foldwise::vectorize<foldwise::half(foldwise::half), foldwise::bfloat16(foldwise::bfloat16)>(
    [](auto x) { return 2 * static_cast<float>(x); });
// Halves that are only converted, of which kernels for the CPU make floats.
auto blend = foldwise::vectorize(
    [](foldwise::half x, const foldwise::half& y, float t) -> foldwise::half { return x + t * (y - x); });
auto widened = foldwise::vectorize([](foldwise::half x) -> float { return x; });
auto ramp = foldwise::vectorize([](foldwise::index<1> i, foldwise::half x) {
    return static_cast<foldwise::half>(x + static_cast<float>(i[0] % 1000));
});
auto sum_of_halves =
    foldwise::reduce<float(foldwise::half)>([](auto a, auto b) { return a + b; }, foldwise::identity(0));
auto weigh_halves = foldwise::reduce<float(foldwise::half, float)>(
    foldwise::map([](foldwise::half x, float weight) { return x * weight; }), [](auto a, auto b) { return a + b; },
    foldwise::identity(0));
auto last_half = foldwise::reduce<float(foldwise::half)>(
    foldwise::map([](foldwise::half x) -> float { return x; }), [](float, float b) { return b; },
    foldwise::no_identity);
auto conjugate =
    foldwise::vectorize<std::complex<float>(std::complex<float>), std::complex<double>(std::complex<double>)>(
        [](auto z) { return decltype(z)(z.real(), -z.imag()); });
auto invert = foldwise::vectorize([](rgb c) {
    return rgb{static_cast<std::uint8_t>(255 - c.r), static_cast<std::uint8_t>(255 - c.g),
               static_cast<std::uint8_t>(255 - c.b)};
});
auto move = foldwise::vectorize([](vec3 position, const vec3& velocity, float dt) { return position + velocity * dt; });
auto length2 = foldwise::vectorize([](vec3 v) { return v.x * v.x + v.y * v.y + v.z * v.z; });
auto rotate = foldwise::vectorize([](five f) {
    five out{};
    for (int i = 0; i < 5; ++i) out.values[i] = f.values[(i + 1) % 5];
    return out;
});
auto shrink = foldwise::vectorize([](padded p) {
    p.wide /= 2;
    p.middle = static_cast<std::int16_t>(p.middle + p.small);
    return p;
});
auto paint = foldwise::vectorize([](nested n, rgb colour) {
    n.colour = colour;
    n.tags[2] = static_cast<std::int16_t>(n.tags[0] + n.tags[1]);
    return n;
});
auto double_it = foldwise::vectorize([](aligned a) { return aligned{2 * a.value}; });
auto reverse = foldwise::vectorize([](wide w) {
    wide out{};
    for (int i = 0; i < 8; ++i) out.values[i] = w.values[7 - i];
    return out;
});
auto tag = foldwise::vectorize([](record r, float by) {
    const float& value = r.value;
    return record{static_cast<std::int8_t>(r.tag + 1), value * by};
});
auto book = foldwise::vectorize([](journal j, record r) {
    j.entries[j.count % 2] = r;
    j.sum = static_cast<std::int16_t>(j.sum + r.tag);
    ++j.count;
    return j;
});
auto negate = foldwise::vectorize([](narrow n) { return narrow{n.tag, -n.value}; });
auto sum_of = foldwise::vectorize([](roomy r) { return r.x + r.y + r.z; });
auto swap = foldwise::vectorize([](bits b) {
    bits out{};
    out.low = b.high & 31u;
    out.high = b.low;
    out.rest = b.rest;
    return out;
});
auto rise = foldwise::vectorize([](small s) { return s == nothing ? something : everything; });
auto merged = foldwise::reduce<record>(
    [](record a, record b) {
        return record{static_cast<std::int8_t>(a.tag ^ b.tag), a.value < b.value ? b.value : a.value};
    },
    foldwise::identity(record{0, -1000}), foldwise::commutative);
auto shift = foldwise::forall(
    [](foldwise::index<1> i, foldwise::view<const record, 1> from, foldwise::view<narrow, 1> to, record by) {
        to[i].value = from[i].tag + by.tag;
        to[i].tag = static_cast<std::uint8_t>(from[i].value < by.value);
    });

auto advance = foldwise::vectorize([](counter c, std::int16_t by) { return c.advanced(by); });
auto sums = foldwise::vectorize([](std::array<float, 3> a) { return a[0] + a[1] + a[2]; });

// Several outputs, of types that differ, by tuple and by pair, and converted.
auto parts = foldwise::vectorize([](double x) {
    const auto whole = static_cast<std::int64_t>(x);
    return std::tuple{whole, x - static_cast<double>(whole), x < 0};
});
auto split = foldwise::vectorize([](vec3 v, float s) { return std::pair{v * s, v.x}; });
auto convert = foldwise::vectorize<std::tuple<float, std::int16_t>(std::int32_t)>([](auto x) {
    return std::tuple{x, x + 1};
});

}  // namespace run
