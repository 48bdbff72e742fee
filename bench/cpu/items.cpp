// bench/cpu/items.cpp: stencils, blocks of items and functions of rows beside loops by hand.
#include "items.hpp"

#include "items.kernels.hpp"
#include "peers.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace {

using floats = std::vector<float>;

floats random(std::int64_t n) {
    std::mt19937 rng(1);
    std::uniform_real_distribution<float> values(0, 1);
    floats made(static_cast<std::size_t>(n));
    for (float& value : made) value = values(rng);
    return made;
}

/// Symmetric matrices of 16 × 16 with positive eigenvalues.
floats matrices(std::int64_t elements) {
    floats made = random(elements);
    for (std::int64_t at = 0; at < elements; at += 256) {
        for (std::int64_t i = 0; i < 16; ++i) {
            for (std::int64_t j = 0; j < i; ++j)
                made[static_cast<std::size_t>(at + i * 16 + j)] = made[static_cast<std::size_t>(at + j * 16 + i)];
            made[static_cast<std::size_t>(at + i * 17)] += 16;
        }
    }
    return made;
}

/// One way to do it: f(x, y, out, n), of x's `n` elements.
using function = void (*)(const float* x, const float* y, float* out, std::int64_t n);

struct work {
    std::vector<std::int64_t> sizes;  ///< Of x, in elements.
    double of_y, of_out;              ///< Their elements, for each of x.
    floats (*made)(std::int64_t);
};

void run(benchmark::State& state, const work& what, function f, function reference) {
    const std::int64_t n = state.range(0);
    const floats x = what.made(n), y = random(static_cast<std::int64_t>(static_cast<double>(n) * what.of_y));
    floats out(static_cast<std::size_t>(static_cast<double>(n) * what.of_out)), want(out.size());
    reference(x.data(), y.data(), want.data(), n);
    f(x.data(), y.data(), out.data(), n);
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (std::abs(out[i] - want[i]) <= 1e-4f * std::abs(want[i]) + 1e-5f) continue;
        std::fprintf(stderr, "wrong at %zu: %g and not %g\n", i, static_cast<double>(out[i]),
                     static_cast<double>(want[i]));
        std::exit(1);
    }
    for (auto _ : state) f(x.data(), y.data(), out.data(), n);
    state.SetItemsProcessed(state.iterations() * n);
}

void add(const std::string& name, const work& what, function foldwise, function openmp, function openmp_fast) {
    const struct {
        const char* name;
        function f;
    } peers[] = {{"foldwise", foldwise}, {"openmp", openmp}, {"openmp_fast", openmp_fast}};
    for (const auto& peer : peers) {
        const auto body = [=](benchmark::State& state) { run(state, what, peer.f, openmp); };
        benchmark::internal::Benchmark* const made =
            benchmark::RegisterBenchmark((name + "/" + peer.name).c_str(), body);
        for (const std::int64_t size : what.sizes) made->Arg(size);
        made->UseRealTime();
    }
}

std::int64_t side_of(std::int64_t n) { return std::llround(std::sqrt(static_cast<double>(n))); }
std::int64_t edge_of(std::int64_t n) { return std::llround(std::cbrt(static_cast<double>(n))); }

/// The same call of the functions by hand, and of those that are compiled for this machine.
#define BY_HAND(call)                                                                                                  \
    [](const float* x, [[maybe_unused]] const float* y, float* out, std::int64_t n) { bench::openmp::call; },          \
        [](const float* x, [[maybe_unused]] const float* y, float* out, std::int64_t n) { bench::openmp_fast::call; }

}  // namespace

namespace bench {

void add_items() {
    using foldwise::host;
    using foldwise::shape;
    add(
        "heat", {{1024 * 1024, 8192 * 8192}, 0, 1, random},
        [](const float* x, const float*, float* out, std::int64_t n) {
            bench::heat(host(x, {side_of(n), side_of(n)}), 0.1f, host(out, {side_of(n), side_of(n)}));
        },
        BY_HAND(heat(x, out, side_of(n), side_of(n))));
    add(
        "laplace", {{128 * 128 * 128, 400 * 400 * 400}, 0, 1, random},
        [](const float* x, const float*, float* out, std::int64_t n) {
            const shape all{edge_of(n), edge_of(n), edge_of(n)};
            bench::laplace(host(x, all), host(out, all));
        },
        BY_HAND(laplace(x, out, edge_of(n))));
    add(
        "transpose", {{1024 * 1024, 8192 * 8192}, 0, 1, random},
        [](const float* x, const float*, float* out, std::int64_t n) {
            const shape all{side_of(n), side_of(n)};
            bench::transpose(all, host(x, all), host(out, all));
        },
        BY_HAND(transpose(x, out, side_of(n))));
    add(
        "matmul", {{512 * 512, 1024 * 1024}, 1, 1, random},
        [](const float* x, const float* y, float* out, std::int64_t n) {
            const shape all{side_of(n), side_of(n)};
            bench::matmul(all, host(x, all), host(y, all), host(out, all));
        },
        BY_HAND(matmul(x, y, out, side_of(n))));
    add(
        "norms", {{32 * 10'000, 32 * 1'000'000}, 0, 1 / 32.0, random},
        [](const float* x, const float*, float* out, std::int64_t n) {
            bench::norms(host(x, {n / 32, std::int64_t{32}}), host(out, {n / 32}));
        },
        BY_HAND(norms(x, out, n / 32)));
    add(
        "products", {{8 * 10'000, 8 * 1'000'000}, 2.5, 1.25, random},
        [](const float* x, const float* y, float* out, std::int64_t n) {
            const std::int64_t count = n / 8;
            bench::products(host(x, {count, std::int64_t{2}, std::int64_t{4}}),
                            host(y, {count, std::int64_t{4}, std::int64_t{5}}),
                            host(out, {count, std::int64_t{2}, std::int64_t{5}}));
        },
        BY_HAND(products(x, y, out, n / 8)));
    add(
        "products_any", {{8 * 10'000, 8 * 1'000'000}, 2.5, 1.25, random},
        [](const float* x, const float* y, float* out, std::int64_t n) {
            const std::int64_t count = n / 8;
            bench::products_any(host(x, {count, std::int64_t{2}, std::int64_t{4}}),
                                host(y, {count, std::int64_t{4}, std::int64_t{5}}),
                                host(out, {count, std::int64_t{2}, std::int64_t{5}}));
        },
        BY_HAND(products_any(x, y, out, n / 8, 2, 4, 5)));
    add(
        "cholesky", {{256 * 1'000, 256 * 100'000}, 0, 1, matrices},
        [](const float* x, const float*, float* out, std::int64_t n) {
            const shape all{n / 256, 16, 16};
            bench::cholesky(host(x, all), host(out, all));
        },
        BY_HAND(cholesky(x, out, n / 256)));
}

}  // namespace bench
