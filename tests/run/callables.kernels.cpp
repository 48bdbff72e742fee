// tests/run/callables.kernels.cpp: kernels that call what the user has named: functions, function objects, lambdas in
// variables, and lambdas with constants for captures.
#include "callables_sample.hpp"

#include <foldwise/spec.hpp>

#include <array>
#include <complex>
#include <concepts>
#include <cstdint>
#include <functional>
#include <numeric>
#include <type_traits>
#include <utility>

namespace elsewhere {
constexpr float factor = 3;
constexpr auto tripled = [](float x) { return factor * x; };
}  // namespace elsewhere

// Names of operands, and of what generated functions have of their own.
using x = float;
using count = std::int32_t;
struct level {
    float value;
};
enum class lane : std::int32_t { left, right };
auto named_as_types = foldwise::vectorize<x(x, count)>([](auto x, auto n) { return x * static_cast<float>(n); });
auto named_as_classes = foldwise::vectorize([](level level, lane side) {
    level.value += static_cast<float>(side);
    return level;
});
auto sum_of_levels =
    foldwise::reduce<level>([](level a, level b) { return level{a.value + b.value}; }, foldwise::identity(level{0}));
auto raised = foldwise::forall(
    [](foldwise::index<1> i, foldwise::view<level, 1> level, lane by) { level[i].value += static_cast<float>(by); });

// Headers of generated files have global names like Foldwise's, such as index of <strings.h>; this file includes none.
namespace unqualified {
using namespace foldwise;
struct halved {
    half value;
};
template <class T> T at_place(view<const T, 1> all, index<1> i) { return all[i]; }
auto reversed = forall([](index<1> i, view<const float, 1> in, view<halved, 1> out) {
    out[i] = {half(at_place(in, index<1>(out.extent(0) - 1 - i)))};
});
}  // namespace unqualified

namespace run {

constexpr float factor = 5;  // not what elsewhere::tripled multiplies by

using weights = std::array<float, 3>;

auto twice = foldwise::vectorize(callables::twice);
auto twice_in_double = foldwise::vectorize<double(float)>(&callables::twice);
auto overloaded_int = foldwise::vectorize<std::int32_t(std::int32_t)>(callables::overloaded);
auto overloaded_double = foldwise::vectorize<float(float)>(static_cast<double (*)(double)>(callables::overloaded));
auto larger = foldwise::vectorize(callables::larger<std::int64_t>);
auto area = foldwise::vectorize(&callables::circle::area);
auto mixed = foldwise::vectorize(callables::ops<float>::mixed);
auto split = foldwise::vectorize(callables::split);
auto place = foldwise::vectorize(callables::place);

auto scaled = foldwise::vectorize(callables::scale{2.5f});
auto mapped =
    foldwise::vectorize<double(double), std::int32_t(std::int32_t)>(callables::affine{.slope = 2, .offset = 1});
auto cubed = foldwise::vectorize<float(float), std::int64_t(std::int64_t)>(callables::power<3>{});
auto by_base = foldwise::vectorize(callables::derived{{0.5f}});
constexpr callables::scale tenfold{10};
auto tenfold_kernel = foldwise::vectorize(tenfold);
auto difference = foldwise::vectorize<float(float, float), std::int32_t(std::int32_t, std::int32_t)>(std::minus<>{});

constexpr auto plus_one = [](auto x) { return x + 1; };
const auto halved = [k = 0.5f](float x) { return k * x; };
auto incremented = foldwise::vectorize<float(float), std::int32_t(std::int32_t)>(plus_one);
auto incremented_again = foldwise::vectorize<double(double)>(plus_one);
auto halves = foldwise::vectorize(halved);
auto triples = foldwise::vectorize(elsewhere::tripled);
auto combined = foldwise::vectorize([](float x) { return halved(plus_one(x)) + elsewhere::tripled(x) + factor; });

auto captured = foldwise::vectorize([k = 2.5, n = 3](double x) { return k * x + n; });
auto shadowed = [] {
    constexpr float k = 2;
    return foldwise::vectorize([](float x) {
        const float doubled = k * x;
        float k = doubled + 1;
        k *= k;
        return k;
    });
}();
auto table = foldwise::vectorize(
    [w = weights{0.25f, 0.5f, 1}](std::int32_t i, float x) { return w[static_cast<std::size_t>(i % 3)] * x; });
auto from_function = [] {
    constexpr float k = 3;
    const std::complex<float> z(1.5f, -2);
    const float steps[2] = {0.1f, 1e-7f};
    return foldwise::vectorize([=](float x) { return x * k + z.real() * steps[0] + steps[1]; });
}();
template <class T> constexpr auto multiplied_by(T k) {
    return [k](T x) { return k * x; };
}
auto made = foldwise::vectorize(multiplied_by(1.5f));

// Captures with the names of parameters, of other captures and of what they are made from.
constexpr float gain = 3;
auto hidden_by_parameter = foldwise::vectorize([by = gain](float gain) { return by * gain; });
auto hidden_by_capture = foldwise::vectorize([gain = 1.5f, by = gain](float x) { return by * x + gain; });
auto of_its_own_name = foldwise::vectorize([gain = gain * 2](float x) { return gain * x; });
auto in_braces = foldwise::vectorize([slope{3.0f}, offset(4.0f)](float x) { return slope * x + offset; });
auto of_a_class = foldwise::vectorize([by = callables::closed(2.5f)](float x) { return by.value() * x; });
auto of_a_lambda = foldwise::vectorize([f = [](float x) { return 2 * x; }](float x) { return f(x) + 1; });
constexpr auto kept = multiplied_by(1.25f);
auto kept_and_passed = foldwise::vectorize(kept);
auto kept_and_called = foldwise::vectorize([](float x) { return kept(x) + halved(x); });
auto bound = foldwise::vectorize<float(float)>(std::bind_front(std::multiplies<float>{}, 2.0f));
// What a name finds depends on whether it is a variable's or a function's.
constexpr auto length = [](auto v) { return 100 * v.x; };
auto lengths = foldwise::vectorize([](float x) {
    const callables::vec v{x, 1};
    return length(v) + callables::length(v);
});
auto counted = foldwise::vectorize<float(std::int8_t)>(callables::counted_by_pointer);
auto counted_again = foldwise::vectorize([](float x) { return callables::counted(static_cast<std::int32_t>(x)); });
constexpr auto twice_for_sure = [](float x) noexcept { return 2 * x; };
constexpr auto twice_of_integers = [](auto x) requires std::integral<decltype(x)> { return 2 * x; };
auto asked = foldwise::vectorize<float(float)>([](auto x) {
    const float sure = noexcept(twice_for_sure(x)) && std::is_invocable_v<decltype(twice_for_sure), float> ? 1 : 2;
    if constexpr (requires { twice_of_integers(x); }) return 100 * sure;
    return x * sure;
});
constexpr auto squared = [](int x) { return x * x; };
constexpr auto power_of_two = [by = 2](int x) { return by * x; };
constexpr int nine = squared(3);
auto constants = foldwise::vectorize([](float x) {
    constexpr std::array<float, power_of_two(2)> four{1, 2, 3, 4};
    static_assert(squared(2) == four.size());
    return nine * x + four[3];
});
constexpr auto increase = [by = 1.0f](float& x) -> float& {
    x += by;
    return x;
};
auto increased = foldwise::vectorize([](float x) {
    increase(x) *= 3;
    return x;
});
auto same_again = foldwise::vectorize([](const float& x) -> const float& { return x; });
auto constants_of_constants = [] {
    constexpr float k = 2;
    return foldwise::vectorize([](float x) {
        constexpr float m = k * 2;
        return m * x;
    });
}();
auto by_unsigned = foldwise::vectorize(callables::by_sign<3u>);
auto by_pi = foldwise::vectorize(callables::times<3.14159265358979>);
auto by_tenth = foldwise::vectorize(callables::times<0.1f>);
auto by_constant = foldwise::vectorize(callables::times_constant<callables::constant{3.14159265358979}>);
auto by_count = foldwise::vectorize(callables::times_count<callables::vec, int>);
auto of_bytes = foldwise::vectorize([](std::uint8_t x) {
    const std::array<std::uint8_t, 3> a{7, x, 200}, b{7, 100, x};
    return static_cast<std::int32_t>(a < b) + 2 * static_cast<std::int32_t>(a == b);
});

auto sum = foldwise::reduce<float, std::int64_t>(std::plus<>{}, foldwise::identity(0));
auto product = foldwise::reduce<std::int64_t>(std::multiplies<std::int64_t>{}, foldwise::identity(1));
auto any_bits = foldwise::reduce<std::uint32_t>(foldwise::combine(std::bit_or<>{}), foldwise::identity(0u));
auto largest = foldwise::reduce<float>(callables::larger<float>, foldwise::lowest);
auto norm = foldwise::reduce<double>(foldwise::map([k = 2.0](double x) { return k * x * x; }), std::plus<double>{},
                                     foldwise::finish<double(double)>(callables::overloaded), foldwise::identity(0));
auto mixed_sum = foldwise::reduce<float>(foldwise::map(callables::scale{3}), std::plus<>{}, foldwise::identity(0));

auto reversed = foldwise::forall(callables::reversed);
auto shifted = foldwise::forall(callables::shifted{1.5f});
auto lit = foldwise::forall([level = 7](foldwise::index<1> i, foldwise::view<std::int32_t, 1> x) { x[i] = level; });

auto classified = foldwise::vectorize(callables::classified);

auto weighed = foldwise::vectorize(
    [](float x) { return x * callables::weight<float> + callables::weight<double*> + callables::weight<short>; });
auto constrained = foldwise::vectorize([](float x) {
    return callables::halved_if_divisible(x) + 100 * callables::halved_if_divisible(static_cast<int>(x));
});
auto by_reference = foldwise::vectorize(static_cast<float (*)(const float&)>(callables::by_value_or_reference));
auto by_value = foldwise::vectorize(static_cast<float (*)(float)>(callables::by_value_or_reference));
auto forwarded = foldwise::vectorize<float(float)>([](auto&& x) { return x + 1; });

const auto [thin, high] = callables::box{0.5f, 4};
const auto [first, second] = std::pair(3, 0.25f);
constexpr int both[] = {7, 9};
const auto& [seven, nine_again] = both;
auto unpacked = foldwise::vectorize(
    [](float x) { return x * thin + high + first * second + static_cast<float>(seven - nine_again); });

constexpr auto area_of = [by = 2.0f](callables::box b) noexcept { return by * b.width * b.height; };
constexpr auto scaled_area_of = [by = callables::closed(3)](const callables::box& b, float more = 1) noexcept {
    return by.value() * b.width * b.height + more;
};
auto braced = foldwise::vectorize([](float x) {
    const bool sure = noexcept(area_of({x}))&& noexcept(scaled_area_of({x}));
    return area_of({x, 2}) + scaled_area_of({x}) + scaled_area_of({x, x}, 5) + (sure ? 0 : 1e6f);
});

constexpr auto added = [](float a, float b) { return a + b; };
constexpr auto increased_by = [by = 1.5f](float x) { return x + by; };
constexpr float quadrupled(float x) { return callables::called_twice(increased_by, plus_one(x)); }
auto handed_on = foldwise::vectorize([](float x) {
    const std::array<float, 3> values{x, 1, 2};
    constexpr float six = quadrupled(2);
    const auto copy = halved;
    const auto& same = added;
    return std::accumulate(values.begin(), values.end(), 0.0f, added) + callables::called_twice(increased_by, x) +
           six * copy(x) + same(x, 1);
});

auto from_object = [] {
    constexpr callables::scale by{3};
    return foldwise::vectorize(by);
}();
auto from_lambda = [] {
    constexpr float k = 3;
    const auto times = [k](float x) { return k * x; };
    auto plus = [](auto a, auto b) { return a + b; };
    return foldwise::vectorize([=](float x) { return plus(times(x), k); });
}();
auto with_state = [] {
    return foldwise::vectorize([k = 2.0f, by = callables::closed(0.5f)](float x) {
        auto next = [k]() mutable { return ++k; };
        next();
        return next() * x * by.value();
    });
}();
constexpr auto tripling = foldwise::map(callables::scale{3});
auto sum_of_triples = foldwise::reduce<float>(tripling, std::plus<>{}, foldwise::identity(0));

}  // namespace run
