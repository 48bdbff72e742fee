// tests/run/std_library.kernels.cpp: kernels that call the standard library, header by header, besides <cmath> and
// <complex>.
#include <foldwise/spec.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <compare>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace std_library {

// ---- <bit> ----------------------------------------------------------------------------------------------------------

#define BITS(name)                                                                                                     \
    auto name = foldwise::vectorize<std::int64_t(std::uint8_t), std::int64_t(std::uint16_t),                           \
                                    std::int64_t(std::uint32_t), std::int64_t(std::uint64_t)>(                         \
        [](auto x) { return static_cast<std::int64_t>(std::name(x)); })
BITS(countl_zero);
BITS(countl_one);
BITS(countr_zero);
BITS(countr_one);
BITS(popcount);
BITS(has_single_bit);
BITS(bit_width);
BITS(bit_floor);
auto bit_ceil = foldwise::vectorize<std::uint32_t(std::uint32_t), std::uint64_t(std::uint64_t)>(
    [](auto x) { return std::bit_ceil(x >> 1); });
auto rotate = foldwise::vectorize<std::uint8_t(std::uint8_t, std::int32_t), std::uint64_t(std::uint64_t, std::int32_t)>(
    [](auto x, std::int32_t n) { return std::rotl(x, n) ^ std::rotr(x, 2 * n); });
auto bit_cast = foldwise::vectorize([](float x, double y) {
    return std::bit_cast<std::uint32_t>(x) ^ std::bit_cast<std::array<std::uint32_t, 2>>(y)[1];
});
auto compilers = foldwise::vectorize([](std::uint32_t x, std::uint64_t y, std::int32_t a) {
    std::int32_t sum = 0;
    const bool over = __builtin_add_overflow(a, a, &sum);
    return __builtin_ctz(x | 256) + __builtin_ctzll(y | 4096) + __builtin_popcountl(y) + __builtin_parity(x) +
           __builtin_ffs(a) + static_cast<int>(__builtin_bswap32(x) % 1000) + (over ? 7 : sum % 5);
});

// ---- <numeric>, <algorithm>, <utility>, <cstdlib> -------------------------------------------------------------------

auto gcd = foldwise::vectorize<std::int32_t(std::int32_t, std::int32_t), std::int64_t(std::int64_t, std::int64_t)>(
    [](auto x, auto y) { return std::gcd(x, y); });
auto lcm = foldwise::vectorize<std::int64_t(std::int64_t, std::int64_t)>([](auto x, auto y) { return std::lcm(x, y); });
auto midpoint = foldwise::vectorize<std::int32_t(std::int32_t, std::int32_t), float(float, float)>(
    [](auto x, auto y) { return std::midpoint(x, y); });
auto extremes = foldwise::vectorize<std::int32_t(std::int32_t, std::int32_t, std::int32_t), float(float, float, float)>(
    [](auto x, auto y, auto z) {
        const auto [least, most] = std::minmax({x, y, z});
        return std::min(x, y) + std::max({x, y, z}) * 2 + std::clamp(x, least, most) * 3 +
               std::min(y, z, std::greater<>()) * 5;
    });
auto swapped = foldwise::vectorize([](std::int32_t x, std::int32_t y) {
    std::swap(x, y);
    const std::int32_t old = std::exchange(x, x / 2);
    return old - x + (std::cmp_less(x, static_cast<std::uint32_t>(y)) ? 100 : 0) + std::as_const(y);
});
auto divided = foldwise::vectorize<std::int64_t(std::int32_t, std::int32_t), std::int64_t(std::int64_t, std::int64_t)>(
    [](auto x, auto y) {
        const auto both = std::div(x, y);
        return static_cast<std::int64_t>(both.quot * 1000 + both.rem + std::abs(x));
    });

// ---- <array>, and algorithms on it ----------------------------------------------------------------------------------

template <std::size_t N> constexpr std::array<std::int32_t, N> digits(std::int32_t x) {
    std::array<std::int32_t, N> result{};
    for (std::int32_t& digit : result) {
        digit = x % 10;
        x /= 10;
    }
    return result;
}
auto sorted = foldwise::vectorize([](std::int32_t x, std::int32_t n) {
    auto a = digits<9>(x);
    std::sort(a.begin(), a.end());
    return a[static_cast<std::size_t>(n)];
});
auto sorted_many = foldwise::vectorize([](std::int32_t x, std::int32_t n) {
    std::array<std::int32_t, 24> a{};
    for (std::int32_t& value : a) value = x = static_cast<std::int32_t>((x * std::int64_t{48271}) % 2147483647);
    std::sort(a.begin(), a.end(), [](std::int32_t p, std::int32_t q) { return p > q; });
    return a[static_cast<std::size_t>(n)];
});
auto nth = foldwise::vectorize([](std::int32_t x, std::int32_t n) {
    auto a = digits<9>(x);
    std::nth_element(a.begin(), a.begin() + n, a.end());
    return a[static_cast<std::size_t>(n)];
});
auto folded = foldwise::vectorize([](std::int32_t x) {
    const auto a = digits<7>(x);
    return std::accumulate(a.begin(), a.end(), 0) + std::reduce(a.begin(), a.end()) +
           std::inner_product(a.begin(), a.end(), a.begin(), 0) +
           std::transform_reduce(a.begin(), a.end(), 0, std::plus<>(), [](std::int32_t d) { return d * d * d; });
});
auto copied = foldwise::vectorize([](std::int32_t x) {
    const auto a = digits<6>(x);
    std::array<std::int32_t, 8> b{};
    std::copy(a.begin(), a.end(), b.begin() + 1);
    std::copy_backward(b.begin(), b.begin() + 4, b.begin() + 6);
    std::reverse(b.begin(), b.end());
    std::rotate(b.begin(), b.begin() + 3, b.end());
    std::int32_t result = 0;
    for (const std::int32_t digit : b) result = result * 10 + digit;
    return result;
});
auto searched = foldwise::vectorize([](std::int32_t x, std::int32_t y) {
    auto a = digits<8>(x);
    const auto found = std::find(a.begin(), a.end(), y) - a.begin();
    const auto least = std::min_element(a.begin(), a.end()) - a.begin();
    const auto many = std::count_if(a.begin(), a.end(), [y](std::int32_t digit) { return digit < y; });
    const auto bound = std::remove(a.begin(), a.end(), y) - a.begin();
    const bool any = std::any_of(a.begin(), a.end(), [](std::int32_t digit) { return digit == 3; });
    return static_cast<std::int32_t>(found * 1000 + least * 100 + many * 10 + bound + any * 10000);
});
auto filled = foldwise::vectorize([](std::int32_t x) {
    std::array<std::int32_t, 5> a;
    a.fill(x);
    std::iota(a.begin() + 1, a.end(), x);
    std::partial_sum(a.begin(), a.end(), a.begin());
    return a.front() + a.back() * 2 + static_cast<std::int32_t>(a.size());
});
auto compared = foldwise::vectorize([](std::int32_t x, std::int32_t y) {
    const auto a = digits<3>(x), b = digits<3>(y);
    return (a == b) + 2 * (a < b) + 4 * (a != b) + 8 * (a >= b) + 16 * std::equal(a.begin(), a.end(), b.begin());
});
auto compared_bytes = foldwise::vectorize([](std::uint8_t x, std::uint8_t y) {
    const std::array<std::uint8_t, 2> a{x, 1}, b{y, 1};
    const std::array<float, 2> c{static_cast<float>(x), 1}, d{static_cast<float>(y), 1};
    return (a == b) + 2 * (c == d) + 4 * (c != d);
});

// ---- <tuple>, <optional>, <functional>, <compare>, <limits>, <numbers> ----------------------------------------------

auto tuples = foldwise::vectorize([](float x, std::int32_t y) {
    std::tuple t(x, y);
    auto [a, b] = t;
    std::tie(b, a) = std::pair(3, x * 2);
    std::get<0>(t) += 1;
    const auto joined = std::tuple_cat(t, std::make_pair(a, b));
    const float sum = std::apply([](auto... part) { return (static_cast<float>(part) + ...); }, joined);
    return sum + static_cast<float>(std::tuple(y, 1) < std::tuple(1, y)) +
           static_cast<float>(std::pair(x, y) == std::pair(1.0f, 1));
});
auto optionals = foldwise::vectorize([](float x, float y) {
    std::optional<float> quotient, other(std::in_place, x);
    if (y != 0) quotient = x / y;
    if (x < 0) other = std::nullopt;
    if (other) *other += 1;
    return quotient.value_or(-1) + other.value_or(-2) + static_cast<float>(quotient == other) +
           static_cast<float>(quotient.has_value());
});
auto functions = foldwise::vectorize([](std::int32_t x, std::int32_t y) {
    const auto less_x = std::bind_front(std::minus<>(), x);
    std::reference_wrapper<std::int32_t> changed = std::ref(y);
    changed.get() += 1;
    return std::invoke(std::plus<>(), x, y) + less_x(y) + std::multiplies<std::int32_t>()(x, 2) + std::negate<>()(y) +
           std::bit_xor<>()(x, y) + std::identity()(x) + std::not_fn(std::less<>())(x, y);
});
auto compared_three_ways = foldwise::vectorize([](std::int32_t x, std::int32_t y) {
    const auto order = x <=> y;
    return order < 0 ? 1 : order == std::strong_ordering::greater ? 2 : order == 0 ? 3 : 4;
});
auto limits = foldwise::vectorize<float(float), double(double)>([](auto x) {
    using numbers = std::numeric_limits<decltype(x)>;
    return x > numbers::max() / 2 ? numbers::infinity() : x * std::numbers::pi_v<decltype(x)> + numbers::digits;
});
auto traits = foldwise::vectorize<std::int32_t(float), std::int32_t(std::int64_t)>([](auto x) {
    if constexpr (std::is_floating_point_v<decltype(x)>)
        return static_cast<std::int32_t>(x);
    else
        return static_cast<std::int32_t>(static_cast<std::make_unsigned_t<decltype(x)>>(x) >> 60);
});

// ---- <atomic>: on a variable of the kernel's own, to which nobody else writes ---------------------------------------

template <class T> T changed(T x, T y) {
    T value = x;
    std::atomic_ref cell(value);
    T sum = cell.fetch_add(y, std::memory_order_relaxed);
    sum += cell.fetch_sub(1, std::memory_order_acq_rel);
    sum += cell.exchange(x + 2, std::memory_order_acquire);
    T expected = y;
    if (!cell.compare_exchange_strong(expected, y)) sum += expected;
    while (!cell.compare_exchange_weak(expected, expected * 2, std::memory_order_release, std::memory_order_relaxed)) {
    }
    cell += 3;
    cell.store(cell.load(std::memory_order_acquire) + 1, std::memory_order_release);
    return sum + cell;
}
auto atomic =
    foldwise::vectorize<std::int32_t(std::int32_t, std::int32_t), std::uint32_t(std::uint32_t, std::uint32_t),
                        std::int64_t(std::int64_t, std::int64_t), std::uint64_t(std::uint64_t, std::uint64_t),
                        float(float, float), double(double, double)>([](auto x, auto y) { return changed(x, y); });
auto atomic_bits =
    foldwise::vectorize<std::int32_t(std::int32_t, std::int32_t), std::uint64_t(std::uint64_t, std::uint64_t)>(
        [](auto x, auto y) {
            std::atomic_ref<decltype(x)> cell(x);
            const auto a = cell.fetch_and(y), b = cell.fetch_or(6, std::memory_order_relaxed), c = cell.fetch_xor(y);
            cell |= 9;
            cell ^= y;
            cell &= 1023;
            const auto d = cell++, e = --cell;
            return a ^ b ^ c ^ d ^ e ^ cell.load();
        });
auto atomic_pointer = foldwise::vectorize([](std::int32_t x, std::int32_t y) {
    std::int32_t pair[4] = {x, y, x + y, x - y};
    std::int32_t* place = pair;
    std::atomic_ref cell(place);
    ++cell;
    cell += 2;
    return *cell.fetch_sub(2) * 10 + *cell.load();
});

}  // namespace std_library
