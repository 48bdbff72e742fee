// bench/cpu/bench.cpp: kernels on the CPU backend and their peers: CASE/PEER/ELEMENTS, wall time. run.py runs it.
#include "items.hpp"
#include "peers.hpp"
#include "scalar_math.kernels.hpp"
#include "vector_math.kernels.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

std::vector<float> random(std::int64_t n, float low, float high, unsigned int seed = 1) {
    std::mt19937 rng(seed);
    std::uniform_real_distribution<float> values(low, high);
    std::vector<float> made(static_cast<std::size_t>(n));
    for (float& value : made) value = values(rng);
    return made;
}

void expect_near(const std::vector<float>& got, const std::vector<float>& want) {
    for (std::size_t i = 0; i < want.size(); ++i) {
        if (std::abs(got[i] - want[i]) <= 2e-5f * std::abs(want[i]) + 2e-4f) continue;
        std::fprintf(stderr, "wrong at %zu: %g and not %g\n", i, static_cast<double>(got[i]),
                     static_cast<double>(want[i]));
        std::exit(1);
    }
}

/// Each peer is f(x, y, out, n).
template <class F> void rel_diff(benchmark::State& state, F f) {
    const std::int64_t n = state.range(0);
    const std::vector<float> x = random(n, 1, 2), y = random(n, 2, 3);
    std::vector<float> out(x.size()), want(x.size());
    bench::openmp::rel_diff(x.data(), y.data(), want.data(), n);
    f(x.data(), y.data(), out.data(), n);
    expect_near(out, want);
    for (auto _ : state) f(x.data(), y.data(), out.data(), n);
    state.SetBytesProcessed(state.iterations() * n * 12);
}

template <class F> void black_scholes(benchmark::State& state, F f) {
    const std::int64_t n = state.range(0);
    const std::vector<float> spot = random(n, 50, 150), strike = random(n, 60, 140), years = random(n, 0.1f, 2);
    std::vector<float> call(spot.size()), put(spot.size()), want_call(spot.size()), want_put(spot.size());
    bench::openmp::black_scholes(
        {n, spot.data(), strike.data(), years.data(), 0.05f, 0.2f, want_call.data(), want_put.data()});
    const bench::options all{n, spot.data(), strike.data(), years.data(), 0.05f, 0.2f, call.data(), put.data()};
    f(all);
    expect_near(call, want_call);
    expect_near(put, want_put);
    for (auto _ : state) f(all);
    state.SetItemsProcessed(state.iterations() * n);
}

/// For the parameters of both formulas as a generated function takes them.
template <class T> foldwise::view<T> all_of(T* data, std::int64_t n) {
    return foldwise::host(data, foldwise::shape{n});
}

template <class Kernel> auto foldwise_options(Kernel kernel) {
    return [kernel](const bench::options& all) {
        kernel(all_of(all.spot, all.n), all_of(all.strike, all.n), all_of(all.years, all.n), all.rate, all.vol,
               all_of(all.call, all.n), all_of(all.put, all.n));
    };
}

void foldwise_rel_diff(const float* x, const float* y, float* out, std::int64_t n) {
    bench::rel_diff(all_of(x, n), all_of(y, n), all_of(out, n));
}

/// Square matrices of state.range(0) elements: f(x, row, column, out, side).
template <class F> void matrix(benchmark::State& state, F f) {
    const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(state.range(0))));
    const std::vector<float> x = random(side * side, 0, 1), y = random(side * side, 0, 1);
    std::vector<float> out(x.size());
    for (auto _ : state) f(x.data(), y.data(), out.data(), side);
    state.SetItemsProcessed(state.iterations() * side * side);
}

void foldwise_scale_shift(const float* x, const float* y, float* out, std::int64_t side) {
    bench::scale_shift(foldwise::host(x, {side, side}), all_of(y, side), foldwise::host(y, {side, std::int64_t{1}}),
                       foldwise::host(out, {side, side}));
}
void openmp_scale_shift(const float* x, const float* y, float* out, std::int64_t side) {
    bench::openmp::scale_shift(x, y, y, out, side, side);
}
void foldwise_add_transposed(const float* x, const float* y, float* out, std::int64_t side) {
    bench::add(foldwise::host(x, {side, side}), foldwise::host(y, {side, side}).transpose(),
               foldwise::host(out, {side, side}));
}

constexpr std::int64_t most_folded = 100'000'000;

/// What is folded, numbers of either sign: each size takes the first of them, as making them takes longer than folding.
struct folded {
    std::vector<float> x = random(most_folded, -1, 1, 1), y = random(most_folded, -1, 1, 2);
};
const folded& operands() {
    static const folded made;
    return made;
}

/// Sums of numbers of either sign, and their rounding, grow with the root of how many are added: none for a maximum.
void expect_folded(float got, double want, std::int64_t added) {
    if (std::abs(static_cast<double>(got) - want) <= 1e-3 * std::sqrt(static_cast<double>(added))) return;
    std::fprintf(stderr, "wrong: %.9g and not %.9g\n", static_cast<double>(got), want);
    std::exit(1);
}

/// Each peer is f(x, n).
template <class F> void sum(benchmark::State& state, F f) {
    const std::int64_t n = state.range(0);
    const float* const x = operands().x.data();
    expect_folded(f(x, n), std::accumulate(x, x + n, 0.0), n);
    for (auto _ : state) benchmark::DoNotOptimize(f(x, n));
    state.SetBytesProcessed(state.iterations() * n * 4);
}

template <class F> void max(benchmark::State& state, F f) {
    const std::int64_t n = state.range(0);
    const float* const x = operands().x.data();
    expect_folded(f(x, n), static_cast<double>(*std::max_element(x, x + n)), 0);
    for (auto _ : state) benchmark::DoNotOptimize(f(x, n));
    state.SetBytesProcessed(state.iterations() * n * 4);
}

/// Each peer is f(x, y, n).
template <class F> void dot(benchmark::State& state, F f) {
    const std::int64_t n = state.range(0);
    const float *const x = operands().x.data(), *const y = operands().y.data();
    expect_folded(f(x, y, n), std::inner_product(x, x + n, y, 0.0, std::plus<>{}, std::multiplies<double>{}), n);
    for (auto _ : state) benchmark::DoNotOptimize(f(x, y, n));
    state.SetBytesProcessed(state.iterations() * n * 8);
}

/// Square matrices of state.range(0) elements: f(x, out, rows, columns).
template <class F> void sum_axis(benchmark::State& state, int axis, F f) {
    const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(state.range(0))));
    const float* const x = operands().x.data();
    std::vector<float> out(static_cast<std::size_t>(side));
    std::vector<double> want(out.size());
    for (std::int64_t i = 0; i < side; ++i) {
        for (std::int64_t j = 0; j < side; ++j) want[static_cast<std::size_t>(axis == 0 ? j : i)] += x[i * side + j];
    }
    f(x, out.data(), side, side);
    for (std::size_t i = 0; i < want.size(); ++i) expect_folded(out[i], want[i], side);
    for (auto _ : state) f(x, out.data(), side, side);
    state.SetBytesProcessed(state.iterations() * side * side * 4);
}

float foldwise_sum(const float* x, std::int64_t n) { return bench::sum(all_of(x, n)); }
float foldwise_max(const float* x, std::int64_t n) { return bench::max(all_of(x, n)); }
float foldwise_dot(const float* x, const float* y, std::int64_t n) { return bench::dot(all_of(x, n), all_of(y, n)); }
void foldwise_sum_axis_0(const float* x, float* out, std::int64_t m, std::int64_t n) {
    bench::sum(foldwise::host(x, {m, n}), all_of(out, n), foldwise::axis(0));
}
void foldwise_sum_axis_1(const float* x, float* out, std::int64_t m, std::int64_t n) {
    bench::sum(foldwise::host(x, {m, n}), all_of(out, m), foldwise::axis(1));
}

template <class Body> void add(const std::string& name, std::vector<std::int64_t> sizes, Body body) {
    benchmark::internal::Benchmark* const made = benchmark::RegisterBenchmark(name.c_str(), body);
    for (std::int64_t size : sizes) made->Arg(size);
    made->UseRealTime();
}

template <class F> void add_rel_diff(const std::string& peer, F f) {
    add("rel_diff/" + peer, {1'000, 10'000, 100'000, 1'000'000, 10'000'000},
        [f](benchmark::State& state) { rel_diff(state, f); });
}
template <class F> void add_black_scholes(const std::string& peer, F f) {
    add("black_scholes/" + peer, {1'000, 10'000, 100'000, 1'000'000},
        [f](benchmark::State& state) { black_scholes(state, f); });
}
template <class F> void add_matrix(const std::string& name, F f) {
    add(name, {1'000'000, 8192 * 8192}, [f](benchmark::State& state) { matrix(state, f); });
}

template <class Sum, class Max, class Dot> void add_folds(const std::string& peer, Sum sum_of, Max max_of, Dot dot_of) {
    const std::vector<std::int64_t> sizes{10'000, 1'000'000, most_folded};
    add("sum/" + peer, sizes, [sum_of](benchmark::State& state) { sum(state, sum_of); });
    add("max/" + peer, sizes, [max_of](benchmark::State& state) { max(state, max_of); });
    add("dot/" + peer, sizes, [dot_of](benchmark::State& state) { dot(state, dot_of); });
}
template <class Axis0, class Axis1> void add_sum_axes(const std::string& peer, Axis0 axis_0, Axis1 axis_1) {
    add("sum_axis_0/" + peer, {most_folded}, [axis_0](benchmark::State& state) { sum_axis(state, 0, axis_0); });
    add("sum_axis_1/" + peer, {most_folded}, [axis_1](benchmark::State& state) { sum_axis(state, 1, axis_1); });
}

}  // namespace

int main(int argc, char** argv) {
    add_rel_diff("foldwise", foldwise_rel_diff);
    add_rel_diff("openmp", bench::openmp::rel_diff);
    add_rel_diff("tbb", bench::tbb::rel_diff);
    add_rel_diff("openmp_fast", bench::openmp_fast::rel_diff);

    add_black_scholes("foldwise", foldwise_options([](auto... operands) { bench::black_scholes(operands...); }));
    add_black_scholes("foldwise_vector_math",
                      foldwise_options([](auto... operands) { bench::vector_math::black_scholes(operands...); }));
    add_black_scholes("openmp", bench::openmp::black_scholes);
    add_black_scholes("tbb", bench::tbb::black_scholes);
    add_black_scholes("openmp_fast", bench::openmp_fast::black_scholes);

    add_matrix("scale_shift/foldwise", foldwise_scale_shift);
    add_matrix("scale_shift/openmp", openmp_scale_shift);
    add_matrix("add_transposed/foldwise", foldwise_add_transposed);
    add_matrix("add_transposed/openmp", bench::openmp::add_transposed);

    add_folds("foldwise", foldwise_sum, foldwise_max, foldwise_dot);
    add_folds("openmp", bench::openmp::sum, bench::openmp::max, bench::openmp::dot);
    add_folds("tbb", bench::tbb::sum, bench::tbb::max, bench::tbb::dot);
    add_folds("openmp_fast", bench::openmp_fast::sum, bench::openmp_fast::max, bench::openmp_fast::dot);

    add_sum_axes("foldwise", foldwise_sum_axis_0, foldwise_sum_axis_1);
    add_sum_axes("openmp", bench::openmp::sum_axis_0, bench::openmp::sum_axis_1);
    add_sum_axes("tbb", bench::tbb::sum_axis_0, bench::tbb::sum_axis_1);
    add_sum_axes("openmp_fast", bench::openmp_fast::sum_axis_0, bench::openmp_fast::sum_axis_1);

    bench::add_items();

    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
}
