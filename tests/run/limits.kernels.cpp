// tests/run/limits.kernels.cpp: kernels that have as much of everything as there is room for
// (foldwise/detail/limits.hpp).
#include <foldwise/spec.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace limits {

template <class Result, class T, class Numbers> struct function_of;
template <class Result, class T, std::size_t... Number> struct function_of<Result, T, std::index_sequence<Number...>> {
    template <std::size_t> using same = T;
    using type = Result(same<Number>...);
};
/// Result(T, T, ...)
template <class Result, class T, std::size_t Count>
using function = typename function_of<Result, T, std::make_index_sequence<Count>>::type;

/// 63 inputs and an output. Each input counts for something of its own.
auto alternating = foldwise::vectorize<function<std::int32_t, std::int32_t, 63>>([](auto... x) {
    std::int32_t sum = 0, factor = 0;
    ((sum += ++factor * x), ...);
    return sum;
});

/// 44 inputs and 20 outputs: the inputs that have no output of their own are added to the last one.
template <std::size_t> struct output { using type = std::int32_t; };
template <std::size_t... Number> auto outputs_of(std::index_sequence<Number...>) {
    return std::tuple<typename output<Number>::type...>();
}
using many = decltype(outputs_of(std::make_index_sequence<20>()));
auto successors = foldwise::vectorize<function<many, std::int32_t, 44>>([](auto... x) {
    const std::int32_t all[] = {x...};
    std::int32_t more = 1;
    for (std::size_t i = 20; i < 44; ++i) more += all[i];
    return [&]<std::size_t... Number>(std::index_sequence<Number...>) {
        return many(all[Number] + (Number < 19 ? 1 : more)...);
    }
    (std::make_index_sequence<20>());
});

/// 63 inputs and a result.
auto total = foldwise::reduce<function<std::int64_t, std::int32_t, 63>>(
    foldwise::map([](auto... x) {
        std::int64_t sum = 0, factor = 0;
        ((sum += ++factor * x), ...);
        return sum;
    }),
    [](auto a, auto b) { return a + b; }, foldwise::identity(0));

/// 64 views.
auto shifted =
    foldwise::forall<function<void, foldwise::view<std::int32_t, 1>, 64>>([](foldwise::index<1> i, auto... x) {
        std::int32_t number = 0;
        ((x[i] += ++number), ...);
    });

/// The largest accumulator.
using eight = std::array<std::uint64_t, 8>;
auto moments = foldwise::reduce<eight(std::int32_t)>(
    foldwise::map([](std::int32_t x) {
        eight powers{};
        std::uint64_t power = 1;
        for (std::uint64_t& one : powers) one = power *= static_cast<std::uint64_t>(std::int64_t{x});
        return powers;
    }),
    [](eight a, const eight& b) {
        for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
        return a;
    },
    foldwise::identity(eight{}));

/// An index of as many axes as there can be, and views of as many as those can have.
auto places = foldwise::vectorize(
    [](foldwise::index<4> at, std::int64_t x) { return x + ((at[0] * 10 + at[1]) * 10 + at[2]) * 10 + at[3]; });
auto corners = foldwise::forall(
    [](foldwise::index<4> at, foldwise::view<const std::int32_t, 8> x, foldwise::view<std::int32_t, 8> out) {
        const auto [a, b, c, d] = at;
        out(a, b, c, d, 1, 0, 1, 0) = x(d, c, b, a, 0, 1, 0, 1);
    });

/// A value that fills CUDA's parameters but for the view beside it.
struct table {
    std::int32_t values[8121];
};
auto looked_up = foldwise::forall(
    [](foldwise::index<1> i, foldwise::view<std::int32_t, 1> out, table t) { out[i] = t.values[8120 - i]; });

}  // namespace limits
